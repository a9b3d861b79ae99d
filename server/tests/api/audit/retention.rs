//! The retention of the access log.

use chrono::TimeDelta;
use diesel::prelude::*;
use visadesk::add_rows;
use visadesk::app::maintenance::delete_expired;
use visadesk::db::schema::access_log;
use visadesk::staff::rules::StaffType::Team;

use crate::migrations::kept_rows::refusal;
use crate::support::TestApp;

/// Adds more than two batches of views older than 30 days, and one newer view.
async fn with_views(access_log_days: u32) -> TestApp {
    let test = TestApp::start_with(|config| config.retention.access_log_days = access_log_days).await;
    let (staff_id, now) = (test.as_staff(Team, "Budi").id().await, test.clock.now());
    test.write(move |tx| {
        let ages = (0..1_201).map(|number| TimeDelta::days(if number == 1_200 { 29 } else { 31 }));
        let views = ages.map(|age| {
            (access_log::at.eq(now - age), access_log::staff_id.eq(staff_id), access_log::action.eq("order.view"))
        });
        add_rows!(tx, access_log::table, views);
        Ok(())
    })
    .await;
    delete_expired(&test.app).await.expect("expired rows are deleted");
    test
}

async fn count(test: &TestApp) -> i64 {
    test.read(|conn| Ok(access_log::table.count().get_result(conn)?)).await
}

#[tokio::test]
async fn views_older_than_the_retention_are_deleted() {
    assert_eq!(count(&with_views(30).await).await, 1);
}

#[tokio::test]
async fn after_a_retention_run_only_what_it_may_delete_can_be_deleted() {
    let test = with_views(30).await;
    let (staff_id, now) = (test.as_staff(Team, "Budi").id().await, test.clock.now());
    let refused = refusal(&test, |tx| diesel::delete(access_log::table).execute(tx)).await;
    assert!(refused.contains("the access log is append-only"), "the newer view stays: {refused}");
    test.write(move |tx| {
        let at = access_log::at.eq(now - TimeDelta::days(31));
        let late = (at, access_log::staff_id.eq(staff_id), access_log::action.eq("order.view"));
        Ok(diesel::insert_into(access_log::table).values(late).execute(tx)?)
    })
    .await;
    delete_expired(&test.app).await.expect("expired rows are deleted");
    assert_eq!(count(&test).await, 1);
}

#[tokio::test]
async fn views_are_not_deleted_by_default() {
    assert_eq!(count(&with_views(0).await).await, 1_201);
}
