//! Scheduled backups: made when they are due, by one node, and their state for Admins and monitoring.

use std::fs;
use std::path::PathBuf;

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use visadesk::backup::store::begin;
use visadesk::backup::worker;
use visadesk::config::Config;
use visadesk::db::schema::backups;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Admin;

use super::outcome;
use crate::support::TestApp;
use crate::support::program::Installation;

/// Makes backups every day in the folder `backups` beside the data.
fn daily(config: &mut Config) {
    config.backups.place = config.data_dir.join("backups").display().to_string();
}

fn place(test: &TestApp) -> PathBuf {
    PathBuf::from(&test.app.config.backups.place)
}

fn sets(test: &TestApp) -> usize {
    fs::read_dir(place(test).join("sets")).map_or(0, Iterator::count)
}

async fn state(test: &TestApp) -> Value {
    let answer = test.as_staff(Admin, "Ayu").get("/admin/backups").await;
    assert_eq!(answer.status, 200, "{answer}");
    answer.data().clone()
}

#[tokio::test]
async fn a_scheduled_backup_is_made_once_a_day_by_one_of_two_nodes() {
    let test = TestApp::start_with(daily).await;
    let other_node = test.another_node().await;
    test.add_order(New).await;
    for day in 1..=2 {
        let nodes = [&test.app.backups, &other_node.app.backups, &test.app.backups, &other_node.app.backups];
        for outcome in join_all(nodes.map(|node| worker::run(node))).await {
            outcome.expect("the job succeeds");
        }
        assert_eq!(sets(&test), day);
        worker::run(&test.app.backups).await.expect("nothing is due");
        assert_eq!(sets(&test), day);
        test.later(TimeDelta::hours(24));
    }
    let state = state(&test).await;
    assert_eq!((&state["every_hours"], &state["is_overdue"]), (&json!(24), &json!(false)));
    let attempts = state["attempts"].as_array().expect("the attempts");
    assert_eq!(attempts.len(), 2);
    assert!(attempts.iter().all(|attempt| attempt["state"] == "made" && attempt["encrypted"] == false), "{state}");
    assert_eq!(attempts[0]["finished_at"], state["last_finished_at"]);
    let name = attempts[0]["name"].as_str().expect("a name");
    assert!(place(&test).join("sets").join(name).join("manifest.json").exists());
}

#[tokio::test]
async fn a_failed_backup_is_shown_with_its_reason_and_repeated_after_a_quarter_of_an_hour() {
    let test = TestApp::start_with(daily).await;
    fs::write(place(&test), "a file where the folder should be").expect("it is written");
    let refused = worker::run(&test.app.backups).await.expect_err("there is no folder");
    assert!(refused.message().contains("cannot be used for backups"), "{refused}");
    let failed = state(&test).await;
    assert_eq!((&failed["last_finished_at"], &failed["is_overdue"]), (&json!(null), &json!(true)));
    assert_eq!(failed["attempts"][0]["state"], "failed");
    let reason = failed["attempts"][0]["failure"].as_str().expect("a reason");
    assert!(reason.contains("backups cannot be used for backups"), "{reason}");

    fs::remove_file(place(&test)).expect("it is removed");
    test.later(TimeDelta::minutes(14));
    worker::run(&test.app.backups).await.expect("it is not due yet");
    assert_eq!(sets(&test), 0);
    test.later(TimeDelta::minutes(1));
    worker::run(&test.app.backups).await.expect("the backup is made");
    assert_eq!((sets(&test), &state(&test).await["attempts"][0]["state"]), (1, &json!("made")));
}

#[tokio::test]
async fn a_backup_that_lacks_files_is_reported_and_not_repeated_before_its_time() {
    let test = TestApp::start_with(daily).await;
    let order = test.add_order(New).await;
    test.add_visa(order).await;
    worker::run(&test.app.backups).await.expect("the rest is backed up");
    let incomplete = state(&test).await;
    let attempt = &incomplete["attempts"][0];
    assert_eq!((&attempt["state"], &incomplete["is_overdue"]), (&json!("made"), &json!(false)), "{incomplete}");
    assert!(attempt["failure"].as_str().is_some_and(|failure| failure.contains("1 are not")), "{incomplete}");
    let ready = test.anonymous().page("/readyz").await;
    assert!(ready.status == 200 && ready.text.ends_with(" seconds ago, missing files: 1\n"), "{ready}");
    for (hours, expected) in [(1, 1), (22, 1), (1, 2)] {
        test.later(TimeDelta::hours(hours));
        worker::run(&test.app.backups).await.expect("the job succeeds");
        assert_eq!(sets(&test), expected);
    }
}

#[tokio::test]
async fn metrics_say_how_many_files_the_last_backup_lacks() {
    for missing in [0, 2] {
        let test = TestApp::start_with(daily).await;
        let order = test.add_order(New).await;
        for _ in 0..missing {
            test.add_visa(order).await;
        }
        let recorder = PrometheusBuilder::new().build_recorder();
        let _recording = metrics::set_default_local_recorder(&recorder);
        worker::run(&test.app.backups).await.expect("the rest is backed up");
        let measured = recorder.handle().render();
        let expected = format!("visadesk_last_backup_missing_files {missing}");
        assert!(measured.lines().any(|line| line == expected), "{measured}");
    }
}

#[tokio::test]
async fn a_backup_of_an_earlier_version_that_lacked_files_lacks_one_at_least() {
    let test = TestApp::start_with(daily).await;
    test.add_visa(test.add_order(New).await).await;
    worker::run(&test.app.backups).await.expect("the rest is backed up");
    let uncounted = backups::missing_files.eq(None::<i64>);
    test.write(move |tx| Ok(diesel::update(backups::table).set(uncounted).execute(tx)?)).await;
    let ready = test.anonymous().page("/readyz").await;
    assert!(ready.text.ends_with(" seconds ago, missing files: 1\n"), "{ready}");
}

#[tokio::test]
async fn a_backup_whose_process_was_killed_is_made_by_another_node() {
    let test = TestApp::start_with(daily).await;
    let (name, now) = (place(&test).display().to_string(), test.clock.now());
    test.write(move |tx| begin(tx, &name, false, now)).await;
    assert_eq!(state(&test).await["attempts"][0]["state"], "active");
    worker::run(&test.app.backups).await.expect("it is left to the other node");
    assert_eq!(sets(&test), 0);
    test.later(TimeDelta::minutes(5));
    assert_eq!(state(&test).await["attempts"][0]["state"], "killed");
    worker::run(&test.app.backups).await.expect("the backup is made");
    assert_eq!(sets(&test), 1);
}

#[tokio::test]
async fn without_a_schedule_only_the_command_makes_backups_and_their_age_is_shown() {
    let installation = Installation::make().await;
    let test = TestApp::on(&installation).await;
    worker::run(&test.app.backups).await.expect("nothing is due");
    let none = state(&test).await;
    assert_eq!(
        none,
        json!({ "place": null, "every_hours": null, "last_finished_at": null, "is_overdue": true, "attempts": [] })
    );
    assert_eq!(test.anonymous().page("/readyz").await.text, "ready\nlast backup: none\n");

    let place = installation.folder().join("elsewhere");
    outcome(&installation, &["backup", place.to_str().expect("a path")]).expect("the backup is made");
    let one = state(&test).await;
    assert_eq!((&one["is_overdue"], &one["attempts"][0]["place"]), (&json!(false), &json!(place.to_str())));
    test.later(TimeDelta::hours(49));
    assert_eq!(state(&test).await["is_overdue"], true);
}

/// How many seconds ago the last backup was, by the readiness check.
async fn age(test: &TestApp) -> i64 {
    let text = test.anonymous().page("/readyz").await.text;
    let age = text.strip_prefix("ready\nlast backup: ").and_then(|text| text.strip_suffix(" seconds ago\n"));
    age.and_then(|age| age.parse().ok()).unwrap_or_else(|| panic!("no age in {text}"))
}

#[tokio::test]
async fn the_readiness_check_says_how_old_the_last_backup_is() {
    let test = TestApp::start_with(daily).await;
    test.clock.stop();
    worker::run(&test.app.backups).await.expect("the backup is made");
    assert_eq!(age(&test).await, 0);
    test.later(TimeDelta::minutes(90));
    assert_eq!(age(&test).await, 90 * 60);
}
