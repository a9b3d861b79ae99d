//! The stream of changes: what a desk is told, when it ends, and what it costs.

mod presences;

use std::time::Duration;

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};
use visadesk::db::schema::sessions;
use visadesk::orders::status::ProcessStatus::{Awaiting, Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team, Telecaller};
use visadesk::timestamp::Timestamp;

use crate::support::statements::Statements;
use crate::support::{Client, PATIENCE, TestApp};

/// An open stream.
struct Desk {
    response: reqwest::Response,
    unread: String,
    /// A stream always says that it is alive, so what never comes would be waited for without an end.
    deadline: Instant,
}

impl Desk {
    /// Opens a stream of what changes from now on, and waits for its first event.
    async fn open(client: &Client<'_>) -> Self {
        let mut desk = Self::return_to(client, None).await;
        desk.next().await.expect("the first event");
        desk
    }

    async fn return_to(client: &Client<'_>, after: Option<i64>) -> Self {
        let path = after.map_or_else(|| "/api/admin/live".to_owned(), |after| format!("/api/admin/live?after={after}"));
        let response = client.request(Method::GET, &path).await.send().await.expect("the server responds");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        Self { response, unread: String::new(), deadline: Instant::now() + 2 * PATIENCE }
    }

    /// The next event; none if the stream has ended.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.unread.split_once("\n\n") {
                let data =
                    event.strip_prefix("data: ").map(|data| serde_json::from_str(data).expect("an event is JSON"));
                self.unread = rest.to_owned();
                match data {
                    Some(data) => return Some(data),
                    None => continue,
                }
            }
            let chunk = timeout_at(self.deadline, self.response.chunk()).await;
            let chunk = chunk.expect("what is waited for comes in time");
            self.unread.push_str(std::str::from_utf8(&chunk.ok()??).expect("events are text"));
        }
    }

    /// The folders of the order in the next event that names it.
    async fn folders_of(&mut self, order: i64) -> Vec<String> {
        loop {
            let told = self.next().await.expect("the stream goes on");
            assert_eq!(told["all"], false, "{told}");
            let orders = told["orders"].as_array().expect("a list");
            if let Some(found) = orders.iter().find(|one| one["order_id"] == order) {
                return serde_json::from_value(found["folders"].clone()).expect("names");
            }
        }
    }

    /// The counts of the next event in which `folder` has `count` orders.
    async fn until_count(&mut self, folder: &str, count: i64) -> Value {
        loop {
            let told = self.next().await.expect("the stream goes on");
            if told["counts"][folder] == count {
                return told;
            }
        }
    }

    /// Waits until the colleagues of the last event that named them are these: order, member and activity of each.
    async fn until_colleagues(&mut self, expected: &[(i64, i64, &str)]) {
        let expected: Vec<Value> = expected
            .iter()
            .map(|(order, member, activity)| json!({ "order_id": order, "staff_id": member, "activity": activity }))
            .collect();
        while self.next().await.expect("the stream goes on")["colleagues"] != json!(expected) {}
    }

    async fn until_end(mut self) {
        while self.next().await.is_some() {}
    }
}

#[tokio::test]
async fn a_change_is_told_to_every_desk_of_every_node_with_the_folders_that_list_the_order_now() {
    let test = TestApp::start().await;
    let other = test.another_node().await;
    let order = test.add_order(New).await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), other.as_staff(Telecaller, "Ayu"));
    let (mut of_budi, mut of_ayu) = (Desk::open(&budi).await, Desk::open(&ayu).await);
    budi.put("/admin/assign-order-status", json!({ "orderId": order, "assignto": "Budi" })).await;
    assert_eq!(of_budi.folders_of(order).await, ["myOrder", "allOrder"]);
    // Order History is closed to telecallers: they are told that the order left their lists, and nothing else.
    assert_eq!(of_ayu.folders_of(order).await, [""; 0]);
    let moved = json!({ "orderId": order, "updatingStatus": "Awaiting" });
    budi.put("/admin/move-order-status", moved).await;
    assert_eq!(of_budi.folders_of(order).await, ["myOrder", "awaitingOrder", "allOrder"]);
    assert_eq!(of_ayu.folders_of(order).await, ["awaitingOrder"]);
    test.add_order(Awaiting).await;
    let told = of_ayu.until_count("awaitingOrder", 2).await;
    assert_eq!(told["counts"].get("allOrder"), None, "{told}");
    assert_eq!(told["counts"]["myOrder"], 0);
    let told = of_budi.until_count("allOrder", 2).await;
    assert_eq!(told["counts"]["myOrder"], 1);
    let shown = told.to_string();
    assert!(!shown.contains("Ana") && !shown.contains('@'), "ids, folders and counts only: {shown}");
}

#[tokio::test]
async fn a_stream_ends_with_its_session_and_when_its_member_gets_another_type_or_is_deleted() {
    let test = TestApp::start().await;
    let admin = test.as_staff(Admin, "Ketut");
    let (budi, made, citra) =
        (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"), test.as_staff(Team, "Citra"));
    let desks = [Desk::open(&budi).await, Desk::open(&made).await, Desk::open(&citra).await];
    let mut of_admin = Desk::open(&admin).await;
    let [of_budi, of_made, of_citra] = desks;
    assert_eq!(budi.post("/admin/sign-out", json!({})).await.status, 200);
    of_budi.until_end().await;
    let update =
        json!({ "tmId": made.id().await, "name": "Made", "email": "made@visadesk.example", "type": "Telecaller" });
    let updated = admin.post("/admin/update-team-member", update).await;
    assert_eq!(updated.status, 200, "{updated}");
    of_made.until_end().await;
    let deleted = admin.put("/admin/delete-team-member", json!({ "teamMemberId": citra.id().await })).await;
    assert_eq!(deleted.status, 200, "{deleted}");
    of_citra.until_end().await;
    let order = test.add_order(New).await;
    assert_eq!(of_admin.folders_of(order).await, ["newOrder", "allOrder"]);
}

#[tokio::test]
async fn neither_a_stream_nor_what_a_browser_asks_for_by_itself_keeps_a_session_alive() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let desk = Desk::open(&budi).await;
    let asks = async |after: TimeDelta| {
        test.later(after);
        let request = budi.request(Method::GET, "/api/user_info").await.header("x-background", "1");
        budi.send(request).await.status
    };
    let began: Timestamp = test.read(|conn| Ok(sessions::table.select(sessions::last_seen_at).first(conn)?)).await;
    assert_eq!(asks(TimeDelta::minutes(59)).await, 200);
    drop(Desk::open(&budi).await);
    // A write that was under way would be before this one.
    test.write(|_| Ok(())).await;
    let seen: Timestamp = test.read(|conn| Ok(sessions::table.select(sessions::last_seen_at).first(conn)?)).await;
    assert_eq!(seen, began);
    assert_eq!(asks(TimeDelta::minutes(2)).await, 401);
    desk.until_end().await;
}

#[tokio::test]
async fn a_desk_that_returns_is_told_what_changed_meanwhile_and_to_load_everything_if_that_is_not_known() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let first = test.add_order(New).await;
    let mut desk = Desk::return_to(&budi, None).await;
    let cursor = desk.next().await.expect("the first event")["cursor"].as_i64().expect("a number");
    drop(desk);
    let missed = test.add_order(New).await;
    let mut desk = Desk::return_to(&budi, Some(cursor)).await;
    assert_eq!(desk.folders_of(missed).await, ["newOrder", "allOrder"]);
    // Another node, which has read nothing yet.
    let other = test.another_node().await;
    let mut desk = Desk::return_to(&other.as_staff(Team, "Budi"), Some(cursor)).await;
    assert_eq!(desk.folders_of(missed).await, ["newOrder", "allOrder"]);
    // Now it has begun behind that order.
    let mut desk = Desk::return_to(&other.as_staff(Team, "Budi"), Some(cursor - 1)).await;
    assert_eq!(desk.next().await.expect("an event")["all"], true);
    let mut ahead = Desk::return_to(&budi, Some(cursor + 1_000_000)).await;
    assert_eq!(ahead.next().await.expect("an event")["all"], true);
    assert_ne!(first, missed);
    let negative = budi.get("/admin/live?after=-1").await;
    assert_eq!((negative.status, &negative.json["code"]), (422, &json!("invalid_live_cursor")), "{negative}");
}

#[tokio::test]
async fn more_changes_than_can_be_told_are_told_as_one() {
    let test = TestApp::start().await;
    let mut desk = Desk::open(&test.as_staff(Team, "Budi")).await;
    test.write(move |tx| {
        let orders: Vec<_> = (0..1_200).map(|_| crate::support::orders::new_order(New, Timestamp::EPOCH)).collect();
        let by = visadesk::audit::store::Actor::program("import");
        visadesk::orders::new_order::add_all(tx, &orders, &by, Timestamp::EPOCH)
    })
    .await;
    let told = desk.until_count("newOrder", 1_200).await;
    assert_eq!((&told["all"], &told["orders"]), (&json!(true), &json!([])));
    let order = test.add_order(New).await;
    assert_eq!(desk.folders_of(order).await, ["newOrder", "allOrder"]);
}

#[tokio::test]
async fn streams_cost_four_statements_a_second_however_many_there_are() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let statements = Statements::watch(&test).await;
    let budi = test.as_staff(Team, "Budi");
    let members: Vec<_> = (0..12).map(|number| test.as_staff(Team, &format!("Member {number}"))).collect();
    let mut desks = join_all(members.iter().map(Desk::open)).await;
    for member in &members {
        let open = json!({ "orderId": order, "activity": "viewing" });
        assert_eq!(member.put("/admin/presence", open).await.status, 200);
    }
    let changes = async {
        for status in ["Awaiting", "New", "Awaiting", "New"] {
            let moved = json!({ "orderId": order, "updatingStatus": status });
            assert_eq!(budi.put("/admin/move-order-status", moved).await.status, 200);
            tokio::time::sleep(Duration::from_millis(600)).await;
        }
    };
    statements.take();
    let began = std::time::Instant::now();
    changes.await;
    let seconds = began.elapsed().as_secs_f64();
    let of_streams = |statement: &String| {
        ["folder_counters", "max(", "idle_seconds", "presences"].iter().any(|part| statement.contains(part))
    };
    let reads: Vec<String> =
        statements.take().into_iter().filter(|one| one.starts_with("SELECT") && of_streams(one)).collect();
    // A reading that began before and one that ends after.
    assert!(reads.len() as f64 <= 4.0 * seconds + 4.0 + 4.0, "{} in {seconds} s: {reads:#?}", reads.len());
    assert!(reads.len() > 4, "{reads:#?}");
    for desk in &mut desks {
        desk.folders_of(order).await;
    }
}

#[tokio::test]
async fn rows_that_changed_are_read_again_as_their_folder_lists_them() {
    let test = TestApp::start().await;
    let (first, second) = (test.add_order(New).await, test.add_order(New).await);
    let done = test.add_order(Completed).await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Ayu"));
    let path = format!("/admin/order-rows/newOrder/{first},{done},{second}");
    let ids = async |client: &Client<'_>| client.get(&path).await.order_ids();
    assert_eq!(ids(&budi).await, [first, second]);
    let listed = budi.get("/admin/get-orders-list/newOrder").await;
    let rows = budi.get(&path).await;
    let row = |answer: &crate::support::Answer| {
        let rows = answer.data().as_array().expect("a list").clone();
        rows.into_iter().find(|row| row["order_id"] == first).expect("the row")
    };
    assert_eq!(row(&rows), row(&listed), "as in the list");
    budi.put("/admin/assign-order-status", json!({ "orderId": first, "assignto": "Budi" })).await;
    assert_eq!(ids(&ayu).await, [second]);
    assert_snapshot!(ayu.get(&format!("/admin/order-rows/allOrder/{first}")).await, @r#"403 {"status":0,"code":"order_history_closed","message":"Order History is not open to you"}"#);
    assert_snapshot!(budi.get("/admin/order-rows/newOrder/1,x").await, @r#"422 {"status":0,"code":"invalid_row_ids","message":"ids are order ids, separated by commas, at most 100"}"#);
    let many = (0..101).map(|id| (100_001 + id).to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(budi.get(&format!("/admin/order-rows/newOrder/{many}")).await.status, 422);
}
