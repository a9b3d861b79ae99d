//! Orders that pass from one member to another, and the inboxes of those whom it concerns.

mod taking;

use chrono::TimeDelta;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::app::maintenance::delete_expired;
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::{Awaiting, New};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use super::history;
use crate::support::{Answer, Client, TestApp};

async fn reassign(client: &Client<'_>, orders: &[i64], to: &str, note: &str) -> Answer {
    client.put("/admin/reassign-orders", json!({ "orderId": orders, "assignto": to, "note": note })).await
}

async fn hand_over(client: &Client<'_>, orders: &[i64], to: &str, note: Option<&str>) -> Answer {
    client.put("/admin/hand-over-orders", json!({ "orderId": orders, "assignto": to, "note": note })).await
}

/// Kind, order, actor and remark of each entry of an inbox, and how many are unread.
async fn inbox(client: &Client<'_>) -> (Vec<(String, i64, String, Value)>, i64) {
    let answer = client.get("/admin/inbox").await;
    assert_eq!(answer.status, 200, "{answer}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let entries = answer.data().as_array().expect("entries").iter();
    let entries = entries.map(|entry| {
        let order = entry["order_id"].as_i64().expect("an id");
        (text(&entry["kind"]), order, text(&entry["by"]), entry["remark"].clone())
    });
    (entries.collect(), answer.json["unread"].as_i64().expect("a number"))
}

#[tokio::test]
async fn a_manager_gives_orders_of_any_owner_to_another_member_and_both_are_told_why() {
    let test = TestApp::start().await;
    let (made, budi, ayu) =
        (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Ayu"));
    let budis = StaffId(budi.id().await);
    let owned = test.add_order_with(New, |order| order.assign_to = Some(budis)).await;
    let free = test.add_order(Awaiting).await;
    ayu.id().await;
    let given = reassign(&made, &[owned, free], "Ayu", "Budi is ill").await;
    assert_eq!((given.status, given.message()), (200, "2 orders have been reassigned to Ayu successfully"), "{given}");
    assert_eq!(ayu.list("myOrder").await.len(), 2);
    assert_eq!(budi.list("myOrder").await, [0; 0]);
    let row = ("Made".into(), "order.assign".into(), Some("Budi".into()), Some("Ayu".into()));
    assert_eq!(history(&test, owned).await[0], row);
    let why = json!("Budi is ill");
    assert_eq!(inbox(&budi).await, (vec![("taken".into(), owned, "Made".into(), why.clone())], 1));
    let told = vec![("given".into(), free, "Made".into(), why.clone()), ("given".into(), owned, "Made".into(), why)];
    assert_eq!(inbox(&ayu).await, (told, 2));
    let details = ayu.get(&format!("/admin/get-orders-details/{owned}")).await;
    assert!(details.text.contains("Budi is ill"), "the note is a remark: {details}");

    let again = reassign(&made, &[owned, free], "Ayu", "once more").await;
    assert_eq!((again.message(), &again.json["changed"]), ("All 2 orders are already assigned to Ayu", &json!(0)));
    let undone = made.post("/admin/undo", json!({ "eventId": given.json["undo"]["event_id"] })).await;
    let told = "Undone: 2 orders are as they were before. The note stays in Comment History";
    assert_eq!((undone.status, undone.message()), (200, told), "{undone}");
    assert_eq!(budi.list("myOrder").await, [owned]);
    assert_eq!((inbox(&budi).await.1, inbox(&ayu).await.1), (0, 0), "nobody is told of what did not happen");
}

#[tokio::test]
async fn every_member_knows_the_names_of_the_active_ones() {
    let test = TestApp::start().await;
    let (citra, dewi) = (test.as_staff(Telecaller, "Citra"), test.as_staff(Team, "Dewi"));
    let (citras, dewis) = (citra.id().await, dewi.id().await);
    let admin = test.as_staff(Admin, "Ketut");
    assert_eq!(admin.put("/admin/delete-team-member", json!({ "teamMemberId": dewis })).await.status, 200);
    let colleagues = citra.get("/admin/colleagues").await;
    let ketut = json!({ "staff_id": admin.id().await, "name": "Ketut", "type": "Admin" });
    let itself = json!({ "staff_id": citras, "name": "Citra", "type": "Telecaller" });
    assert_eq!(colleagues.data(), &json!([itself, ketut]));
}

#[tokio::test]
async fn members_hand_over_their_own_orders_alone() {
    let test = TestApp::start().await;
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(NightStaff, "Sari"));
    let (budis, saris) = (StaffId(budi.id().await), StaffId(sari.id().await));
    let own = test.add_order_with(New, |order| order.assign_to = Some(budis)).await;
    let other = test.add_order_with(New, |order| order.assign_to = Some(saris)).await;
    let free = test.add_order(New).await;
    test.as_staff(Team, "Wayan").id().await;
    assert_snapshot!(hand_over(&budi, &[own, other], "Wayan", None).await, @r#"409 {"status":0,"code":"order_not_yours","message":"Nothing was changed: 100002 is not yours, and only its owner can hand it over","data":{"order_id":100002}}"#);
    assert_snapshot!(hand_over(&budi, &[free], "Sari", None).await, @r#"409 {"status":0,"code":"order_not_yours","message":"Nothing was changed: 100003 is not yours, and only its owner can hand it over","data":{"order_id":100003}}"#);
    assert_snapshot!(hand_over(&budi, &[own], "Nobody", None).await, @r#"422 {"status":0,"code":"unknown_staff_name","message":"There is no member of staff named Nobody"}"#);
    assert_snapshot!(reassign(&budi, &[own], "Sari", "a reason").await, @r#"403 {"status":0,"code":"staff_type_forbidden","message":"Team staff may not do this"}"#);
    assert_snapshot!(reassign(&test.as_staff(Admin, "Ketut"), &[own], "Sari", " ").await, @r#"422 {"status":0,"code":"empty_reason","message":"Please enter the reason"}"#);
    let unknown = r#"404 {"status":0,"code":"selected_order_not_found","message":"Nothing was changed: order 999999 does not exist","data":{"order_id":999999}}"#;
    assert_eq!(hand_over(&budi, &[own, 999_999], "Sari", None).await.to_string(), unknown);
    assert_eq!(reassign(&test.as_staff(Admin, "Ketut"), &[999_999], "Sari", "a reason").await.to_string(), unknown);
    let note = "She speaks Arabic, ask @Wayan. Please call her, @Sari";
    let given = hand_over(&budi, &[own], "sari", Some(note)).await;
    assert_eq!((given.status, given.message()), (200, "Order has been handed over to Sari successfully"), "{given}");
    assert_eq!(
        inbox(&sari).await.0,
        [("given".into(), own, "Budi".into(), json!(note))],
        "and not once more as mentioned"
    );
    let mentioned = inbox(&test.as_staff(Team, "Wayan")).await.0;
    assert_eq!(mentioned, [("mention".into(), own, "Budi".into(), json!(note))]);
    assert_eq!(inbox(&budi).await.1, 0, "they did it themselves");
    let allowed = |answer: &Answer| {
        let row = answer.data().as_array().expect("rows")[0]["allowed"].clone();
        (row["reassign"].clone(), row["hand_over"].clone())
    };
    let listed = budi.get("/admin/get-orders-list/allOrder").await;
    assert_eq!(allowed(&listed), (json!(false), json!(false)));
    let listed = sari.get("/admin/get-orders-list/myOrder").await;
    assert_eq!(allowed(&listed), (json!(false), json!(true)));
    let listed = test.as_staff(Manager, "Made").get("/admin/get-orders-list/allOrder").await;
    assert_eq!(allowed(&listed), (json!(true), json!(false)), "the newest order, which has no owner");
}

#[tokio::test]
async fn a_remark_tells_those_whom_it_mentions_and_an_entry_that_is_read_goes_after_three_months() {
    let test = TestApp::start().await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Ayu"));
    let ayus = StaffId(ayu.id().await);
    let open = test.add_order(Awaiting).await;
    let budis = StaffId(budi.id().await);
    let hidden = test.add_order_with(New, |order| order.assign_to = Some(budis)).await;
    let remark = async |order: i64, text: &str| {
        let answer = budi.post("/admin/add-new-remark", json!({ "orderId": order, "remark": text })).await;
        assert_eq!(answer.status, 200, "{answer}");
    };
    remark(open, "@ayu please call, @Budi waits").await;
    remark(hidden, "ask @Ayu").await;
    remark(open, "mail ann@ayu.example").await;
    let (entries, unread) = inbox(&ayu).await;
    assert_eq!(unread, 2);
    // Order History is closed to telecallers, and with it the remarks of a colleague's New order.
    assert_eq!(entries[0], ("mention".into(), hidden, "Budi".into(), Value::Null));
    assert_eq!(entries[1], ("mention".into(), open, "Budi".into(), json!("@ayu please call, @Budi waits")));
    assert_eq!(inbox(&budi).await.0, [], "nobody is told of their own remark");
    let newest = json!({ "order_id": hidden, "order_number": format!("VD-{hidden}"), "kind": "mention", "by": "Budi" });
    assert_eq!(ayu.get("/admin/count-inbox").await.data(), &json!({ "unread": 2, "newest": newest }));
    let newest = ayu.get("/admin/inbox").await.data()[1]["inbox_id"].clone();
    assert_eq!(ayu.put("/admin/read-inbox", json!({ "inboxId": newest.clone() })).await.status, 200);
    assert_eq!(inbox(&ayu).await.1, 1);
    assert_snapshot!(budi.put("/admin/read-inbox", json!({ "inboxId": newest })).await, @r#"404 {"status":0,"code":"inbox_entry_not_found","message":"There is no such entry in your inbox"}"#);
    assert_eq!(inbox(&ayu).await.1, 1, "one's own inbox");
    test.later(TimeDelta::days(91));
    delete_expired(&test.app).await.expect("it cleans up");
    let kept = test.read(move |conn| visadesk::staff::inbox::list(conn, ayus, 10)).await;
    assert_eq!(kept.iter().map(|entry| entry.order_id.0).collect::<Vec<_>>(), [hidden]);
}
