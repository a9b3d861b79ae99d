//! Applications beside the one that an order has: two members filed it at the same time, and both paid the fee.

use chrono::TimeDelta;
use serde_json::{Value, json};
use visadesk::orders::status::ProcessStatus::{AwaitingGovt, New};
use visadesk::staff::rules::StaffType::Team;

use super::{HOLD_FILINGS, audited, file_application, file_as_second, filing, portal_answer, status};
use crate::support::at_once::at_once;
use crate::support::{Answer, Client, TestApp};

/// Number, outcome, and whether it is the current one, of each application of an order.
async fn applications(client: &Client<'_>, order: i64) -> Vec<(String, Value, bool)> {
    let filings = filing(client, order).await["filings"].clone();
    let one = |filed: &Value| {
        let number = filed["application_number"].as_str().expect("a number").to_owned();
        (number, filed["outcome"].clone(), filed["is_current"] == true)
    };
    filings.as_array().expect("applications").iter().map(one).collect()
}

async fn refuse(client: &Client<'_>, order: i64, number: Option<&str>, then: &str) -> Answer {
    let reason = "The photograph is blurred";
    let body = json!({ "orderId": order, "applicationNumber": number, "reason": reason, "then": then });
    client.post("/admin/refuse-application", body).await
}

fn open(number: &str, is_current: bool) -> (String, Value, bool) {
    (number.to_owned(), Value::Null, is_current)
}

#[tokio::test]
async fn an_application_that_a_colleague_overtook_is_recorded_beside_the_first_and_its_fee_counts() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (ayu, budi) = (test.as_staff(Team, "Ayu"), test.as_staff(Team, "Budi"));
    assert_eq!(file_application(&ayu, order, "EV-1", None).await.status, 200);
    let overtaken = file_application(&budi, order, "EV-2", None).await;
    assert_eq!((overtaken.status, &overtaken.json["code"]), (409, &json!("order_filed_already")), "{overtaken}");
    let second = file_as_second(&budi, order, "EV-2").await;
    assert_eq!(
        (second.status, second.message(), &second.json["undo"]),
        (200, format!("Application EV-2 of order {order} has been recorded beside EV-1").as_str(), &Value::Null)
    );
    assert_eq!(applications(&budi, order).await, [open("EV-2", false), open("EV-1", true)]);
    assert_eq!(filing(&budi, order).await["fees"], json!(["IDR 3000000.00"]));
    assert_eq!(status(&budi, order).await, "AwaitingGovt");
    let filed = audited(&test, "filing.file").await;
    assert_eq!(filed[1], (None, Some("EV-2, IDR 1500000.00, as a second application".into())));
    let other = test.add_order(New).await;
    let taken = file_application(&budi, other, "EV-2", None).await;
    assert_eq!(taken.json["code"], "application_number_taken", "{taken}");
}

#[tokio::test]
async fn a_refusal_of_one_application_leaves_the_order_with_the_government_for_the_other() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    assert_eq!(file_application(&budi, order, "EV-1", None).await.status, 200);
    for number in ["EV-2", "EV-3"] {
        assert_eq!(file_as_second(&budi, order, number).await.status, 200);
    }
    let refused = refuse(&budi, order, None, "refile").await;
    let stays = format!("Order {order} stays in Awaiting Govt: its application EV-3 is open");
    assert_eq!((refused.status, refused.message()), (200, stays.as_str()));
    assert_eq!(status(&budi, order).await, "AwaitingGovt");
    let first = ("EV-1".to_owned(), json!("refile"), false);
    assert_eq!(applications(&budi, order).await, [open("EV-3", false), open("EV-2", true), first]);
    assert_eq!(refuse(&budi, order, Some("EV-1"), "refile").await.json["code"], "no_open_application");
    assert_eq!(refuse(&budi, order, Some("EV-3"), "refile").await.status, 200);
    let last = refuse(&budi, order, Some("EV-2"), "refile").await;
    assert_eq!(last.message(), format!("Order {order} has been moved to New successfully"));
    assert_eq!(filing(&budi, order).await["fees"], json!(["IDR 4500000.00"]), "the portal kept all of them");
}

#[tokio::test]
async fn a_refund_leaves_the_other_application_open() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    assert_eq!(file_application(&budi, order, "EV-1", None).await.status, 200);
    assert_eq!(file_as_second(&budi, order, "EV-2").await.status, 200);
    let refunded = refuse(&budi, order, Some("EV-2"), "refund").await;
    assert_eq!(refunded.message(), format!("Order {order} has been moved to Refunds successfully"));
    let second = ("EV-2".to_owned(), json!("refund"), false);
    assert_eq!(applications(&budi, order).await, [second, open("EV-1", true)]);
}

#[tokio::test]
async fn only_an_order_that_is_filed_takes_a_second_application_under_another_number() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    let code = |answer: Answer| (answer.status, answer.json["code"].clone());
    assert_eq!(code(file_as_second(&budi, order, "EV-1").await), (409, json!("no_open_application")));
    let moved = test.add_order(AwaitingGovt).await;
    assert_eq!(code(file_as_second(&budi, moved, "EV-1").await), (409, json!("no_open_application")));
    assert_eq!(file_application(&budi, order, "EV-1", None).await.status, 200);
    assert_eq!(code(file_as_second(&budi, order, "ev-1").await), (409, json!("application_number_taken")));
    let wrong = portal_answer(order, "EV-2").text("isSecond", "yes");
    assert_eq!(code(budi.upload("/admin/file-application", wrong).await), (422, json!("invalid_second")));
}

#[tokio::test]
async fn an_order_that_is_filed_again_replaces_its_current_application_alone() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    assert_eq!(file_application(&budi, order, "EV-1", None).await.status, 200);
    assert_eq!(file_as_second(&budi, order, "EV-2").await.status, 200);
    let back = json!({ "orderId": order, "updatingStatus": "New" });
    assert_eq!(budi.put("/admin/move-order-status", back).await.status, 200);
    assert_eq!(file_application(&budi, order, "EV-3", None).await.status, 200);
    let replaced = ("EV-1".to_owned(), json!("replaced"), false);
    assert_eq!(applications(&budi, order).await, [open("EV-3", true), open("EV-2", false), replaced]);
    assert_eq!(filing(&budi, order).await["fees"], json!(["IDR 3000000.00"]), "what was replaced was a mistake");
}

#[tokio::test]
async fn a_filing_cannot_be_undone_once_a_second_application_stands_beside_it() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    let filed = file_application(&budi, order, "EV-1", None).await;
    test.later(TimeDelta::seconds(30));
    assert_eq!(file_as_second(&budi, order, "EV-2").await.status, 200);
    let undone = budi.post("/admin/undo", json!({ "eventId": filed.json["undo"]["event_id"] })).await;
    assert_eq!((undone.status, &undone.json["code"]), (409, &json!("order_changed_since")), "{undone}");
    assert_eq!(applications(&budi, order).await, [open("EV-2", false), open("EV-1", true)]);
    assert_eq!(status(&budi, order).await, "AwaitingGovt");
}

#[tokio::test]
async fn of_many_second_applications_at_once_one_gets_the_number() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    assert_eq!(file_application(&budi, order, "EV-1", None).await.status, 200);
    let requests = (0..3).map(|_| file_as_second(&budi, order, "EV-2"));
    let answers = at_once(&test, HOLD_FILINGS, requests.collect()).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);
    assert_eq!(applications(&budi, order).await, [open("EV-2", false), open("EV-1", true)]);
}
