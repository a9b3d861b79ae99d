//! Who has which orders open: what colleagues are told of it, and when it ends.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::json;
use visadesk::db::schema::{presences, sessions};
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Manager, Team, Telecaller};
use visadesk::staff::tokens::Remember;
use visadesk::timestamp::Timestamp;

use super::Desk;
use crate::support::{Answer, Client, TestApp};

async fn set(client: &Client<'_>, order: i64, activity: &str) {
    let answer = put(client, order, Some(activity)).await;
    assert_eq!(answer.status, 200, "{answer}");
}

async fn put(client: &Client<'_>, order: i64, activity: Option<&str>) -> Answer {
    client.put("/admin/presence", json!({ "orderId": order, "activity": activity })).await
}

#[tokio::test]
async fn a_colleague_is_told_on_every_node_until_the_order_is_left_or_the_presence_expires() {
    let test = TestApp::start().await;
    let other = test.another_node().await;
    let (first, second) = (test.add_order(New).await, test.add_order(New).await);
    let (budi, made) = (test.as_staff(Team, "Budi"), other.as_staff(Manager, "Made"));
    let id = budi.id().await;
    let (mut of_budi, mut of_made) = (Desk::open(&budi).await, Desk::open(&made).await);
    set(&budi, first, "viewing").await;
    of_made.until_colleagues(&[(first, id, "viewing")]).await;
    set(&budi, first, "typing").await;
    of_made.until_colleagues(&[(first, id, "typing")]).await;
    set(&budi, second, "delivering").await;
    of_made.until_colleagues(&[(first, id, "typing"), (second, id, "delivering")]).await;
    // Another browser of Budi: the strongest activity counts.
    let again = test.with_token(test.begin_session(id, Remember::No).await.token);
    set(&again, first, "viewing").await;
    set(&again, second, "refunding").await;
    of_made.until_colleagues(&[(first, id, "typing"), (second, id, "refunding")]).await;
    assert_eq!(put(&again, second, None).await.status, 200);
    of_made.until_colleagues(&[(first, id, "typing"), (second, id, "delivering")]).await;
    // A desk that opens later is told at once; one's own desk never is.
    Desk::return_to(&made, None).await.until_colleagues(&[(first, id, "typing"), (second, id, "delivering")]).await;
    test.later(TimeDelta::minutes(5));
    set(&made, first, "viewing").await;
    of_budi.until_colleagues(&[(first, made.id().await, "viewing")]).await;
    test.write(|tx| {
        Ok(diesel::update(presences::table).set(presences::expires_at.eq(Timestamp::EPOCH)).execute(tx)?)
    })
    .await;
    of_made.until_colleagues(&[]).await;
    of_budi.until_colleagues(&[]).await;
    set(&budi, first, "viewing").await;
    let left: i64 = test.read(|conn| Ok(presences::table.count().get_result(conn)?)).await;
    assert_eq!(
        left, 3,
        "what had expired of the own session is gone: one of the other browser is left, one of Made, and the new one"
    );
}

#[tokio::test]
async fn a_presence_is_told_only_to_those_who_may_find_the_order() {
    let test = TestApp::start().await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Ayu"));
    let id = budi.id().await;
    let hidden = test.add_order_with(New, move |order| order.assign_to = Some(StaffId(id))).await;
    let open = test.add_order(New).await;
    let mut of_ayu = Desk::open(&ayu).await;
    set(&budi, hidden, "viewing").await;
    set(&budi, open, "viewing").await;
    of_ayu.until_colleagues(&[(open, id, "viewing")]).await;
    let moved = json!({ "orderId": hidden, "updatingStatus": "Awaiting" });
    assert_eq!(budi.put("/admin/move-order-status", moved).await.status, 200);
    of_ayu.until_colleagues(&[(hidden, id, "viewing"), (open, id, "viewing")]).await;
    let assigned = json!({ "orderId": open, "assignto": "Budi" });
    assert_eq!(budi.put("/admin/assign-order-status", assigned).await.status, 200);
    of_ayu.until_colleagues(&[(hidden, id, "viewing")]).await;
}

#[tokio::test]
async fn a_presence_ends_with_its_session_and_does_not_keep_it_alive() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let id = budi.id().await;
    let mut of_made = Desk::open(&made).await;
    set(&budi, order, "typing").await;
    of_made.until_colleagues(&[(order, id, "typing")]).await;
    assert_eq!(budi.post("/admin/sign-out", json!({})).await.status, 200);
    of_made.until_colleagues(&[]).await;
    assert_eq!(put(&budi, order, Some("viewing")).await.status, 401);

    let ayu = test.as_staff(Team, "Ayu");
    let ayus = StaffId(ayu.id().await);
    let seen = async || -> Timestamp {
        let of_ayu = sessions::table.filter(sessions::staff_id.eq(ayus)).select(sessions::last_seen_at);
        test.read(move |conn| Ok(of_ayu.first(conn)?)).await
    };
    let began = seen().await;
    test.later(TimeDelta::minutes(59));
    set(&ayu, order, "viewing").await;
    // A write that was under way would be before this one.
    test.write(|_| Ok(())).await;
    assert_eq!(seen().await, began);
    test.later(TimeDelta::minutes(2));
    assert_eq!(put(&ayu, order, Some("viewing")).await.status, 401);
}

#[tokio::test]
async fn an_unknown_order_or_activity_is_refused() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let unknown = put(&budi, 999, Some("viewing")).await;
    assert_eq!((unknown.status, &unknown.json["code"]), (404, &json!("selected_order_not_found")), "{unknown}");
    assert_eq!(put(&budi, 999, None).await.status, 200, "nothing to end");
    let sends = async |orders: serde_json::Value| {
        let answer = budi.put("/admin/presence", json!({ "orderId": orders, "activity": "viewing" })).await;
        (answer.status, answer.json["code"].clone())
    };
    assert_eq!(sends(json!([])).await, (422, json!("no_order_selected")));
    assert_eq!(sends(json!([order, order])).await, (422, json!("order_selected_twice")));
    let odd = put(&budi, order, Some("sleeping")).await;
    assert!((400..500).contains(&odd.status), "{odd}");
    let many: Vec<i64> = (100_001..100_502).collect();
    assert_eq!(sends(json!(many)).await, (422, json!("too_many_orders_selected")));
}
