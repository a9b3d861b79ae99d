//! A pack is stored once while its contents are unchanged, and the number of packs per order is limited.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use visadesk::db::schema::{access_log, audit, defence_packs, orders};
use visadesk::staff::rules::StaffType::{Manager, Team};

use super::orders::disputed;
use super::request_pack;
use crate::support::{Client, TestApp};

async fn rename(test: &TestApp, order: i64, name: &'static str) {
    test.write(move |tx| Ok(diesel::update(orders::table.find(order)).set(orders::full_name.eq(name)).execute(tx)?))
        .await;
}

/// Requests the letter. Returns status, the id of the pack, `Retry-After` in seconds, and the body.
async fn letter(desk: &Client<'_>, order: i64) -> (u16, Option<i64>, Option<i64>, Vec<u8>) {
    let request = desk.request(Method::POST, "/api/admin/get-defence-pack-pdf").await;
    let answer = request.json(&json!({ "orderId": order, "defencePackType": 1 })).send().await.unwrap();
    let number = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()?.parse().ok());
    let (status, pack_id, wait) = (answer.status().as_u16(), number("pack-id"), number("retry-after"));
    (status, pack_id, wait, answer.bytes().await.unwrap().to_vec())
}

/// The number of stored packs, of their files, and of their audit rows.
async fn stored(test: &TestApp) -> (i64, usize, i64) {
    let audited = audit::table.filter(audit::action.eq("chargeback.pack")).count();
    let (rows, audited) =
        test.read(move |conn| Ok((defence_packs::table.count().get_result(conn)?, audited.get_result(conn)?))).await;
    (rows, std::fs::read_dir(test.app.config.data_dir.join("files")).unwrap().count(), audited)
}

#[tokio::test]
async fn the_stored_pack_is_returned_while_what_it_says_is_unchanged() {
    let test = TestApp::start().await;
    let order = disputed(&test, 2, |_| {}).await;
    let (ayu, budi) = (test.as_staff(Manager, "Ayu"), test.as_staff(Team, "Budi"));
    let first = letter(&ayu, order).await;
    assert_eq!(first.0, 200);
    test.later(TimeDelta::days(3));
    // Neither the day nor the member makes it another pack.
    assert!(letter(&budi, order).await == first, "the stored pack");
    assert_eq!(stored(&test).await, (1, 1, 1));
    test.app.audit.access_log.flush().await.unwrap();
    let budis_id = budi.id().await;
    let views = access_log::table.filter(access_log::staff_id.eq(budis_id)).select(access_log::action);
    let views: Vec<String> = test.read(move |conn| Ok(views.load(conn)?)).await;
    assert_eq!(views, ["pack.open"], "its delivery is noted as that of any pack");

    // The first session has expired meanwhile.
    let ayu = test.as_staff(Manager, "Ayu");
    assert_eq!(request_pack(&ayu, order, 2).await.0, 200);
    assert_eq!(stored(&test).await, (2, 2, 2), "the other pack is another pack");
    rename(&test, order, "Ana Lestari").await;
    let second = letter(&ayu, order).await;
    assert!(second.0 == 200 && second.1 != first.1 && second.3 != first.3, "a changed fact makes a new pack");
    rename(&test, order, "Ana Putri").await;
    assert_eq!(letter(&ayu, order).await.1, first.1);
    assert_eq!(stored(&test).await, (3, 3, 3));
}

#[tokio::test]
async fn a_pack_whose_file_is_lost_is_made_again() {
    let test = TestApp::start().await;
    let order = disputed(&test, 1, |_| {}).await;
    let ayu = test.as_staff(Manager, "Ayu");
    let first = letter(&ayu, order).await;
    let folder = test.app.config.data_dir.join("files");
    let lost = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(lost).unwrap();
    let second = letter(&ayu, order).await;
    assert!(second.0 == 200 && second.1 != first.1, "{:?}", second.1);
    assert_eq!(letter(&ayu, order).await.1, second.1);
    assert_eq!(stored(&test).await, (2, 1, 2));
}

#[tokio::test]
async fn members_who_ask_for_the_same_pack_on_two_nodes_at_once_get_one() {
    let test = TestApp::start().await;
    let node = test.another_node().await;
    let order = disputed(&test, 1, |_| {}).await;
    let mut members = Vec::new();
    for number in 0..6 {
        let at = if number % 2 == 0 { &test } else { &node };
        let member = at.as_staff(Manager, &format!("Member {number}"));
        member.id().await;
        members.push(member);
    }
    let answers = join_all(members.iter().map(|member| letter(member, order))).await;
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.0 == 200));
    assert_eq!(stored(&test).await, (1, 1, 1), "neither a second row nor a file without a row");
}

#[tokio::test]
async fn a_member_makes_one_pack_at_a_time() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Manager, "Ayu");
    ayu.id().await;
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(disputed(&test, 1, |_| {}).await);
    }
    let answers = join_all(ids.iter().map(|order| letter(&ayu, *order))).await;
    let made = answers.iter().filter(|answer| answer.0 == 200).count();
    assert!((1..8).contains(&made), "{made} of 8 were made at the same time");
    for answer in answers.iter().filter(|answer| answer.0 != 200) {
        let body = String::from_utf8_lossy(&answer.3);
        assert!(answer.0 == 409 && body.contains("\"pack_in_progress\""), "{body}");
    }
    assert_eq!(letter(&ayu, ids[7]).await.0, 200, "the next one is made");
}

#[tokio::test]
async fn an_order_has_a_limit_of_packs_a_day() {
    let test = TestApp::start_with(|config| config.limits.packs_per_order_and_day = 2).await;
    test.clock.stop();
    let order = disputed(&test, 1, |_| {}).await;
    // A session ends after an hour.
    let ayu = || test.as_staff(Manager, "Ayu");
    let first = letter(&ayu(), order).await;
    rename(&test, order, "Ana Lestari").await;
    test.later(TimeDelta::hours(1));
    assert_eq!(letter(&ayu(), order).await.0, 200);
    rename(&test, order, "Ana Wulandari").await;
    let refused = test
        .as_staff(Team, "Budi")
        .post("/admin/get-defence-pack-pdf", json!({ "orderId": order, "defencePackType": 1 }))
        .await;
    assert_eq!((refused.status, refused.json["code"].as_str()), (429, Some("too_many_packs_for_order")), "{refused}");
    assert_eq!(letter(&ayu(), order).await.2, Some(23 * 3_600));
    rename(&test, order, "Ana Putri").await;
    assert_eq!(letter(&ayu(), order).await.1, first.1, "a stored pack is not counted");
    rename(&test, order, "Ana Wulandari").await;
    test.later(TimeDelta::hours(23));
    assert_eq!(letter(&ayu(), order).await.0, 200, "a day after the first one");
    assert_eq!(stored(&test).await, (3, 3, 3));
}
