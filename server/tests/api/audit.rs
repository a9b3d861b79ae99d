//! The audit: it records who did what, cannot be altered, and shows a change behind the triggers.

mod retention;
mod sign_ins;

use std::time::Duration;

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::watch;
use visadesk::app::maintenance;
use visadesk::audit::chain::{self, Verified};
use visadesk::audit::store::{Actor, Change, add};
use visadesk::config::Config;
use visadesk::db::schema::{audit, audit_chain};
use visadesk::db::{Conn, Db, PgConnection};
use visadesk::error::{Error, Result};
use visadesk::files::Files;
use visadesk::orders::rules::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use crate::support::database::{apart, is_postgres};
use crate::support::program::Installation;
use crate::support::{Answer, Desk, TestApp};

/// Adds rows without a meaning.
async fn fill(test: &TestApp, rows: usize) {
    let now = test.clock.now();
    let changes = vec![Change { action: "test.fill", after: Some("x".into()), ..Change::default() }; rows];
    test.write(move |tx| add(tx, &Actor::program("test"), &changes, now)).await;
}

async fn extend_chain(test: &TestApp) -> usize {
    chain::extend_chain(&test.app.audit).await.expect("the chain is extended")
}

async fn verify(db: &Db) -> Result<Verified> {
    let db = db.clone();
    tokio::task::spawn_blocking(move || chain::verify(&db)).await.expect("it runs")
}

async fn check(test: &TestApp) -> Verified {
    verify(test.db()).await.expect("the audit is whole")
}

async fn fault(test: &TestApp) -> String {
    verify(test.db()).await.err().map(|error: Error| error.message()).unwrap_or_default()
}

/// Runs the statement as a person who may alter the triggers.
fn behind_the_triggers(tx: &mut Conn, statement: &str) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => {
            for trigger in
                ["audit_keeps_update", "audit_keeps_delete", "audit_chain_keep_update", "audit_chain_keep_delete"]
            {
                tx.batch_execute(&format!("DROP TRIGGER IF EXISTS {trigger}"))?;
            }
            tx.batch_execute(statement)?;
        }
        Conn::Postgres(tx) => tx.batch_execute(&format!(
            "ALTER TABLE audit DISABLE TRIGGER USER; ALTER TABLE audit_chain DISABLE TRIGGER USER; {statement}"
        ))?,
    }
    Ok(())
}

#[tokio::test]
async fn the_database_refuses_to_alter_or_remove_a_row_or_a_link() {
    let test = TestApp::start().await;
    fill(&test, 3).await;
    assert_eq!(extend_chain(&test).await, 3);
    let attempts: [fn(&mut Conn) -> QueryResult<usize>; 4] = [
        |tx| diesel::update(audit::table).set(audit::actor.eq("Nobody")).execute(tx),
        |tx| diesel::delete(audit::table).execute(tx),
        |tx| diesel::update(audit_chain::table).set(audit_chain::rows_hash.eq("")).execute(tx),
        |tx| diesel::delete(audit_chain::table).execute(tx),
    ];
    for attempt in attempts {
        assert!(test.db().write(move |tx| Ok(attempt(tx)?)).await.is_err());
    }
    assert_eq!((check(&test).await.rows, check(&test).await.tail), (3, None));
}

#[tokio::test]
async fn links_cover_every_row_once_and_the_rest_is_named() {
    let test = TestApp::start().await;
    assert_eq!(
        (extend_chain(&test).await, check(&test).await.to_string().as_str()),
        (0, "The audit is whole. Links: 0, linked rows: 0.\nEvery row is in the chain.")
    );
    fill(&test, 2_300).await;
    assert_eq!(check(&test).await.tail, Some((2_300, 1, 2_300)));
    assert_eq!(extend_chain(&test).await, 2_300);
    assert_eq!(extend_chain(&test).await, 0, "no row is linked twice");
    fill(&test, 2).await;
    let found = check(&test).await;
    assert_eq!((found.links, found.rows, found.tail), (3, 2_300, Some((2, 2_301, 2_302))));

    // Two nodes at once.
    let other = test.another_node().await;
    let (one, two) = tokio::join!(extend_chain(&test), extend_chain(&other));
    assert_eq!(one + two, 2);
    assert_eq!(check(&test).await.tail, None);
    assert_ne!(check(&test).await.head, found.head);
}

#[tokio::test]
async fn a_change_behind_the_triggers_is_found_with_its_range() {
    let altered = "UPDATE audit SET after = 'y' WHERE audit_id = 1500";
    let taken_out = "DELETE FROM audit WHERE audit_id = 1500";
    let put_in = "UPDATE audit SET audit_id = 1700 WHERE audit_id = 2203";
    let forged = "UPDATE audit_chain SET row_count = 999 WHERE link_id = 2";
    let link_gone = "DELETE FROM audit_chain WHERE link_id = 2";
    for (statement, said) in [
        (altered, "The audit was altered in rows 1001 to 2000 (link 2): a row was altered"),
        (taken_out, "The audit was altered in rows 1001 to 2000 (link 2): rows were added or removed"),
        (forged, "The audit was altered in rows 1001 to 2000 (link 2): rows were added or removed"),
        (
            link_gone,
            "The audit was altered in rows 2001 to 2202 (link 3): it does not begin where the previous link ends",
        ),
    ] {
        let test = TestApp::start().await;
        fill(&test, 2_202).await;
        extend_chain(&test).await;
        test.write(move |tx| behind_the_triggers(tx, statement)).await;
        assert_eq!(fault(&test).await, said, "{statement}");
    }

    // An id that an undone transaction left free does not let a row in later.
    let test = TestApp::start().await;
    fill(&test, 2_202).await;
    test.write(|tx| behind_the_triggers(tx, "DELETE FROM audit WHERE audit_id = 1700")).await;
    extend_chain(&test).await;
    assert_eq!(check(&test).await.rows, 2_201);
    fill(&test, 1).await;
    test.write(move |tx| behind_the_triggers(tx, put_in)).await;
    assert!(fault(&test).await.contains("rows were added or removed"), "{}", fault(&test).await);
}

#[tokio::test]
async fn a_row_that_commits_late_gets_its_place_in_the_chain_and_delays_no_request() {
    if !is_postgres() {
        return; // SQLite has one writer: rows appear in the order of their ids.
    }
    const INSERT: &str =
        "BEGIN; INSERT INTO audit (at, actor, action) VALUES (now() AT TIME ZONE 'UTC', 'slow', 'test.fill')";
    let test = TestApp::start().await;
    let url = &test.app.config.database_url;
    let mut slow = apart(|| PgConnection::establish(url).expect("PostgreSQL answers"));
    apart(|| slow.batch_execute(INSERT)).expect("it writes");
    fill(&test, 5).await;
    assert_eq!(extend_chain(&test).await, 0, "row 1 may still appear");
    fill(&test, 5).await;
    apart(|| slow.batch_execute("COMMIT")).expect("it commits");
    assert_eq!(extend_chain(&test).await, 11);
    let found = check(&test).await;
    assert_eq!((found.links, found.rows, found.tail), (1, 11, None));

    apart(|| slow.batch_execute(INSERT)).expect("it writes");
    fill(&test, 1).await;
    apart(|| slow.batch_execute("ROLLBACK")).expect("it is undone");
    assert_eq!(extend_chain(&test).await, 1);
    assert_eq!((check(&test).await.rows, check(&test).await.tail), (12, None));
}

#[tokio::test]
async fn under_many_writers_two_workers_link_every_row_and_the_chain_holds() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let (stop, stopped) = watch::channel(false);
    let workers = [&test, &other_node].map(|node| tokio::spawn(maintenance::run(node.app.clone(), stopped.clone())));
    let writers = (0..8).map(|number| {
        let node = if number % 2 == 0 { &test } else { &other_node };
        async move {
            for round in 0..25 {
                fill(node, 3).await;
                // One that is undone leaves ids free for ever.
                let now = node.clock.now();
                let undone = node.db().write(move |tx| {
                    add(tx, &Actor::program("undone"), &vec![Change::default(); 2], now)?;
                    Err::<(), _>(Error::internal("undone"))
                });
                assert!(undone.await.is_err(), "round {round}");
            }
        }
    });
    futures_util::future::join_all(writers).await;
    for _ in 0..200 {
        if check(&test).await.tail.is_none() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let found = check(&test).await;
    assert_eq!((found.rows, found.tail), (600, None));
    stop.send(true).expect("the workers listen");
    for worker in workers {
        worker.await.expect("it ends");
    }
}

#[tokio::test]
async fn verify_audit_says_what_is_whole_and_fails_with_the_first_broken_range() {
    let here = Installation::make().await;
    let added = here.run(
        &["staff", "add", "--name", "Ayu", "--email", "ayu@desk.example", "--type", "Admin", "--password-stdin"],
        "a long test password\n",
    );
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let whole = here.run(&["verify-audit"], "");
    let said = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(whole.status.success() && said.contains("Not in the chain yet: rows 1 to 1, 1 in all."), "{said}");

    let url = here.database_url();
    let open = move || Db::open(&url, 1).expect("the database opens");
    let db = tokio::task::spawn_blocking(open).await.expect("it opens");
    let files = Files::open(&Config { files_url: "memory:".into(), ..Config::default() }).expect("the storage opens");
    let test = TestApp::over(db, files).await;
    assert_eq!(extend_chain(&test).await, 1);
    let whole = here.run(&["verify-audit"], "");
    assert!(String::from_utf8_lossy(&whole.stdout).contains("Links: 1, linked rows: 1."), "{whole:?}");
    test.write(|tx| behind_the_triggers(tx, "UPDATE audit SET actor = 'Dewi'")).await;
    let broken = here.run(&["verify-audit"], "");
    assert_eq!(broken.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&broken.stderr).trim(),
        "visadesk: The audit was altered in rows 1 to 1 (link 1): a row was altered"
    );
}

async fn list(desk: &Desk<'_>, query: &str) -> Answer {
    desk.get(&format!("/admin/get-audit-list?{query}")).await
}

/// What a list tells: who did what.
fn told(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{answer}");
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let rows = answer.data().as_array().expect("a list").iter();
    rows.map(|row| {
        format!("{} {} {} {}", text(&row["actor"]), text(&row["action"]), row["order_id"], text(&row["after"]))
    })
    .collect()
}

#[tokio::test]
async fn an_admin_finds_what_was_done_by_person_order_action_and_day() {
    let test = TestApp::start().await;
    let (one, two) = (test.add_order(New).await, test.add_order(New).await);
    let (ayu, made, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    budi.put("/admin/assign-order-status", json!({ "orderId": [one, two], "assignto": "Budi" })).await;
    made.put("/admin/change-order-status", json!({ "orderId": two, "updatingStatus": "Awaiting" })).await;
    made.post("/admin/payment-gateway-setting", json!({ "gatewayId": 2 })).await;

    assert_eq!(
        told(&list(&ayu, "person=Made").await),
        ["Made gateway.switch null Adyen", "Made order.move 100002 Awaiting"]
    );
    for order in ["100002", "VD-100002", "MjAwMDA0"] {
        let rows = told(&list(&ayu, &format!("order={order}")).await);
        assert_eq!(
            rows,
            ["Made order.move 100002 Awaiting", "Budi order.assign 100002 Budi", "test order.arrive 100002 New"]
        );
    }
    assert_eq!(told(&list(&ayu, "action=order.assign&order=100001").await), ["Budi order.assign 100001 Budi"]);
    assert_eq!(told(&list(&ayu, "person=budi").await), [""; 0]);
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    let all = told(&list(&ayu, "").await);
    assert_eq!(told(&list(&ayu, &format!("person=&order=&action=&from={today}&to={today}")).await), all);
    let yesterday = today.pred_opt().expect("a day");
    assert_eq!(told(&list(&ayu, &format!("to={yesterday}")).await), [""; 0]);
    assert_eq!(told(&list(&ayu, &format!("from={yesterday}&to={}", today.format("%m/%d/%Y"))).await), all);

    let mut pages = Vec::new();
    let mut older_than = String::new();
    loop {
        let page = list(&ayu, &format!("limit=2{older_than}")).await;
        pages.extend(told(&page));
        let Some(next) = page.json["next"].as_i64() else { break };
        older_than = format!("&olderThan={next}");
    }
    assert_eq!(pages, all, "page by page it is the same");
    let refused =
        ["limit=0", "limit=201", "order=nonsense", "from=tomorrow", "to=2026-02-30", "from=2026-02-01&to=2026-01-01"];
    for query in refused {
        let answer = list(&ayu, query).await;
        assert!(answer.status == 422 && !answer.message().is_empty(), "{query}: {answer}");
    }
    assert_eq!(told(&list(&ayu, "olderThan=999999").await), [""; 0]);
    assert_snapshot!(list(&ayu, "person=Made&action=order.move").await, @r#"200 {"status":1,"message":"","data":[{"id":5,"at":"[time]","actor":"Made","action":"order.move","order_id":100002,"order_number":"VD-100002","before":"New","after":"Awaiting","ip":"127.0.0.1"}],"next":null}"#);
    assert_eq!(list(&made, "").await.status, 403);
}

#[tokio::test]
async fn the_detail_tells_who_did_what_the_newest_two_hundred() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let made = test.as_staff(Manager, "Made");
    test.later(TimeDelta::minutes(1));
    made.put("/admin/move-order-status", json!({ "orderId": order, "updatingStatus": "Completed" })).await;
    let path = format!("/admin/get-orders-details/{order}");
    let told = |answer: &Answer| -> Vec<String> {
        let rows = answer.data()["timeline"].as_array().expect("a timeline").iter();
        rows.map(|row| {
            format!("{} {} {} {}", row["actor"], row["action"], row["before"], row["after"]).replace('"', "")
        })
        .collect()
    };
    let details = made.get(&path).await;
    assert_eq!(told(&details), ["Made order.move New Completed", "test order.arrive null New"]);
    let at = |place: usize| details.data()["timeline"][place]["at"].as_str().unwrap_or_default().to_owned();
    assert!(at(0) > at(1) && at(0).ends_with('Z'), "{details}");

    let now = test.clock.now();
    let changes = (0..250).map(|number| Change {
        action: "order.move",
        order_id: Some(order),
        after: Some(number.to_string()),
        ..Change::default()
    });
    let changes: Vec<Change> = changes.collect();
    test.write(move |tx| add(tx, &Actor::program("test"), &changes, now)).await;
    let rows = told(&made.get(&path).await);
    assert_eq!(
        (rows.len(), rows[0].as_str(), rows[199].as_str()),
        (200, "test order.move null 249", "test order.move null 50")
    );
}
