//! A scanned visa waits until it is read, or until a member has decided about it.

use chrono::TimeDelta;
use image::ImageFormat;
use serde_json::{Value, json};
use visadesk::config::DeliveryCheck;
use visadesk::deliveries::release::deliver_due;
use visadesk::deliveries::worker::read_due;
use visadesk::mail::worker::send_due;
use visadesk::orders::status::ProcessStatus::Awaiting;
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::scans::scanned;
use super::{add_order, audited, check, counts, right, upload, visa, visa_problem};
use crate::intake::shop;
use crate::support::sample_files::picture;
use crate::support::{Answer, Client, TestApp};

/// The order's status, the mails about it, and the file that its applicant may download.
async fn seen(test: &TestApp, order: i64) -> (Value, i64, Value) {
    let admin = test.as_staff(Admin, "Made");
    let details = admin.get(&format!("/admin/get-orders-details/{order}")).await;
    let tracked = test.anonymous().track(order, "ann@example.com").await;
    let applicant = test.with_token(tracked.json["visitorToken"].as_str().expect("a token"));
    let history = applicant.history(order).await;
    (details.data()["process_status"].clone(), counts(test).await.1, history.json["path"]["file1"].clone())
}

async fn decide(client: &Client<'_>, order: i64, decision: &str, reason: Value) -> Answer {
    let document = check(client, order).await["document_id"].clone();
    let body = json!({ "orderId": order, "document_id": document, "decision": decision, "reason": reason });
    client.post("/admin/decide-visa", body).await
}

#[tokio::test]
async fn a_scan_is_read_before_its_visa_is_delivered() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let sent = upload(&budi, order, scanned(right()), "").await;
    assert_eq!((sent.status, &sent.json["undo"]), (200, &Value::Null), "{sent}");
    assert_eq!((&sent.data()["is_being_read"], &sent.data()["is_waiting"]), (&json!(true), &json!(true)), "{sent}");
    assert!(sent.message().contains("It is read first"), "{sent}");
    assert_eq!(seen(&test, order).await, (json!("New"), 0, Value::Null), "nothing shows it");
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0, "it is not read yet");

    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 1);
    let (status, mails, file) = seen(&test, order).await;
    assert_eq!((status, mails), (json!("Completed"), 1));
    assert!(file.is_string(), "{file}");
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["processed_by"], "Budi");
    assert_eq!((&check(&budi, order).await["is_waiting"], visa_problem(&budi).await), (&json!(false), Value::Null));
    assert_eq!(send_due(&test.app.mail).await.unwrap(), 1, "its email is due at once");
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0);
}

#[tokio::test]
async fn a_scan_that_is_not_read_in_two_minutes_is_delivered() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(upload(&budi, order, picture(ImageFormat::Jpeg), "").await.status, 200);
    test.later(TimeDelta::seconds(119));
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0);
    test.later(TimeDelta::seconds(1));
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 1);
    assert_eq!(seen(&test, order).await.0, "Completed");
    // Read after that, it is only noted.
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    assert_eq!(
        check(&budi, order).await["said"],
        "the passport number, name and date of birth of the order could not be read on it. Please check"
    );
}

#[tokio::test]
async fn a_scan_with_another_number_waits_until_a_member_decides() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let wrong = scanned(visa("PA1239567", "ANN MARY LEE", "17/05/1990"));
    assert_eq!(upload(&budi, order, wrong, "").await.status, 200);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    test.later(TimeDelta::minutes(10));
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0);
    assert_eq!(seen(&test, order).await, (json!("New"), 0, Value::Null));
    let found = check(&budi, order).await;
    assert_eq!(
        (&found["is_open"], &found["is_waiting"], &found["is_being_read"]),
        (&json!(true), &json!(true), &json!(false))
    );

    let look = json!({ "orderId": order, "document_id": found["document_id"] });
    let looked = budi.post("/admin/look-at-visa", look).await;
    assert_eq!((looked.status, &looked.json["code"]), (409, &json!("visa_not_delivered")), "{looked}");

    let unexplained = decide(&budi, order, "deliver", Value::Null).await;
    assert_eq!(
        (unexplained.status, &unexplained.json["code"]),
        (422, &json!("delivery_reason_missing")),
        "{unexplained}"
    );
    let delivered = decide(&budi, order, "deliver", json!("The passport was renewed")).await;
    assert_eq!(delivered.status, 200, "{delivered}");
    let (status, mails, file) = seen(&test, order).await;
    assert_eq!((status, mails, file.is_string()), (json!("Completed"), 1, true));
    assert_eq!(check(&budi, order).await["is_open"], false, "whoever decides has checked it");
    assert_eq!(audited(&test, "visa.deliver").await, [Some("Reason: The passport was renewed".to_owned())]);
    let again = decide(&budi, order, "withdraw", Value::Null).await;
    assert_eq!((again.status, &again.json["code"]), (404, &json!("visa_not_waiting")), "{again}");
}

#[tokio::test]
async fn a_waiting_visa_that_is_withdrawn_never_reaches_the_customer() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let (order, other) = (add_order(&shop, "1").await, add_order(&shop, "2").await);
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(upload(&budi, order, scanned(right()), "").await.status, 200);
    let refused = upload(&budi, other, scanned(right()), "").await;
    assert_eq!((refused.status, &refused.data()["used_by"]), (409, &json!(order)), "also while it waits: {refused}");

    assert_eq!(decide(&budi, order, "withdraw", Value::Null).await.status, 200);
    test.later(TimeDelta::minutes(3));
    read_due(&test.app.deliveries).await.unwrap();
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0);
    assert_eq!(seen(&test, order).await, (json!("New"), 0, Value::Null));
    assert_eq!(audited(&test, "visa.withdraw").await, [Some("before it was delivered".to_owned())]);
    assert_eq!(
        upload(&budi, other, scanned(right()), "").await.status,
        200,
        "a withdrawn visa was never another order's"
    );
}

#[tokio::test]
async fn a_reason_given_with_a_scan_delivers_it_at_once() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let sent = upload(&test.as_staff(Team, "Budi"), order, scanned(right()), "I have compared it").await;
    assert_eq!((sent.status, &sent.data()["is_waiting"]), (200, &json!(false)), "{sent}");
    assert_eq!(seen(&test, order).await.0, "Completed");
}

#[tokio::test]
async fn a_held_scan_waits_for_a_member_for_each_difference_alone() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Hold).await;
    let order = add_order(&shop(&test).await, "1").await;
    let unread = scanned(visa("PA1234567", "SOMEBODY ELSE", "17/05/1990"));
    assert_eq!(upload(&test.as_staff(Team, "Budi"), order, unread, "").await.status, 200);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 1, "a name that was not read is no difference");
}

#[tokio::test]
async fn a_waiting_visa_goes_to_the_corrected_address() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let uploaded = upload(&budi, order, scanned(right()), "").await;
    assert_eq!(uploaded.status, 200, "{uploaded}");
    let old = budi.get(&format!("/admin/get-orders-details/{order}")).await.data()["contact_email_address"].clone();
    let fields = json!({ "contact_email_address": { "before": old, "after": "right@example.com" } });
    let corrected = budi.put("/admin/correct-order", json!({ "orderId": order, "fields": fields })).await;
    assert_eq!(corrected.status, 200, "{corrected}");
    test.later(TimeDelta::minutes(2));
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 1);
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    let mails = details.data()["mailHistory"].as_array().unwrap();
    let approval = mails.iter().find(|mail| mail["kind"] == "approval").unwrap();
    assert_eq!(approval["email"], "right@example.com");
}

#[tokio::test]
async fn a_waiting_visa_of_a_deleted_order_waits_for_a_decision() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let admin = test.as_staff(Admin, "Made");
    assert_eq!(upload(&admin, order, scanned(right()), "").await.status, 200);
    let moved = json!({ "orderId": order, "updatingStatus": "Deleted", "updated_at": null });
    assert_eq!(admin.put("/admin/move-order-status", moved).await.status, 200);
    test.later(TimeDelta::minutes(2));
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0);
    let refused = decide(&admin, order, "deliver", json!("It is the right one")).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("visa_of_deleted_order")), "{refused}");
    assert_eq!(admin.put("/admin/restore-orders", json!({ "orderId": [order] })).await.status, 200);
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0, "a member looks at it first");
    assert_eq!(decide(&admin, order, "deliver", json!("It is the right one")).await.status, 200);
}

#[tokio::test]
async fn where_two_members_have_to_agree_one_does_not_deliver_a_scan() {
    let test = TestApp::start_with(|config| config.delivery.second_person = true).await;
    let order = add_order(&shop(&test).await, "1").await;
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let wrong = scanned(visa("PA1239567", "ANN MARY LEE", "17/05/1990"));
    let sent = upload(&budi, order, wrong, "The passport was renewed").await;
    assert_eq!((sent.status, &sent.data()["is_waiting"]), (200, &json!(true)), "{sent}");
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    assert_eq!(deliver_due(&test.app.deliveries).await.unwrap(), 0);
    let reason = || json!("The passport was renewed");
    let alone = decide(&budi, order, "deliver", reason()).await;
    assert_eq!((alone.status, &alone.json["code"]), (409, &json!("decision_needs_second_person")), "{alone}");
    assert_eq!(seen(&test, order).await, (json!("New"), 0, Value::Null));
    assert_eq!(decide(&sari, order, "deliver", reason()).await.status, 200);
    assert_eq!(seen(&test, order).await.0, "Completed");
}
