//! Staff correct what a customer entered: by the rules of intake, not over a change by somebody else, and what was sent is kept.

use chrono::Days;
use diesel::connection::SimpleConnection;
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::lifecycle::scheduler::release_due;
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::{Deleted, Future, New};
use visadesk::staff::rules::StaffType::{Admin, Team, Telecaller};

use crate::intake::{order, shop};
use crate::support::mailbox::Mailbox;
use crate::support::{Answer, Client, TestApp};

async fn correct(desk: &Client<'_>, order: i64, fields: &[(&str, Value, Value)]) -> Answer {
    let asked =
        fields.iter().map(|(name, before, after)| ((*name).to_owned(), json!({ "before": before, "after": after })));
    let asked: serde_json::Map<String, Value> = asked.collect();
    desk.put("/admin/correct-order", json!({ "orderId": order, "fields": asked })).await
}

async fn details(desk: &Client<'_>, order: i64) -> Value {
    desk.get(&format!("/admin/get-orders-details/{order}")).await.data().clone()
}

async fn found(desk: &Client<'_>, text: &str) -> usize {
    let answer = desk.post("/admin/search-order", json!({ "folderName": "allOrder", "searchVal": text })).await;
    answer.data().as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn an_order_whose_number_was_respelled_can_be_corrected() {
    let test = TestApp::start().await;
    let sent = order(json!({ "country_code": "US", "phone_number": "(201) 555-0123 x12" }));
    let added = shop(&test).await.post("/intake/orders", sent).await;
    let id = added.data()["order_id"].as_i64().expect("an order");
    let citra = test.as_staff(Telecaller, "Citra");
    let stored = "+1 201-555-0123 ext. 12";
    let fields = [
        ("full_name", json!("Ann Lee"), json!("Ann Leigh")),
        ("country_code", json!("1"), json!("1")),
        // As the form has it.
        ("phone_number", json!(stored), json!(stored)),
    ];
    let answer = correct(&citra, id, &fields).await;
    assert_eq!((answer.status, answer.message()), (200, "1 field was corrected"), "{answer}");
    let telephone = &details(&citra, id).await["telephone"];
    assert_eq!((&telephone["shown"], &telephone["digits"]), (&json!(stored), &json!("12015550123")));
}

#[tokio::test]
async fn corrected_fields_are_shown_with_what_the_customer_sent_and_are_audited_masked() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let citra = test.as_staff(Telecaller, "Citra");
    let fields = [
        ("full_name", json!("Ana Putri"), json!("Ana Dewi Putri")),
        ("phone_number", json!("8123456789"), json!("812 777 6655")),
        ("date_of_birth", Value::Null, json!("1990-05-17")),
        ("stay_day", Value::Null, json!("30")),
    ];
    let answer = correct(&citra, order, &fields).await;
    assert_eq!((answer.status, answer.message()), (200, "4 fields were corrected"));
    let now = details(&citra, order).await;
    assert_eq!(
        (&now["full_name"], &now["phone_number"], &now["date_of_birth"], &now["stay_day"]),
        (&json!("Ana Dewi Putri"), &json!("812 777 6655"), &json!("1990-05-17"), &json!(30))
    );
    let sent =
        json!({ "full_name": "Ana Putri", "phone_number": "8123456789", "date_of_birth": null, "stay_day": null });
    assert_eq!(now["originals"], sent);
    let events = now["timeline"].as_array().expect("a timeline");
    let phone =
        events.iter().find(|event| event["after"].as_str().is_some_and(|after| after.starts_with("phone_number")));
    let phone = phone.expect("the correction of the number");
    assert_eq!(
        (&phone["actor"], &phone["action"], &phone["before"], &phone["after"]),
        (&json!("Citra"), &json!("order.correct"), &json!("phone_number: 8•••89"), &json!("phone_number: 8•••55"))
    );
    assert!(!now["timeline"].to_string().contains("Dewi"), "values are masked");

    // The original stays that of intake, whatever is corrected afterwards.
    let again = correct(&citra, order, &[("full_name", json!("Ana Dewi Putri"), json!("Ana D. Putri"))]).await;
    assert_eq!((again.status, again.message()), (200, "1 field was corrected"));
    assert_eq!(details(&citra, order).await["originals"], sent);
    let repeated = correct(&citra, order, &[("full_name", json!("Ana Dewi Putri"), json!("Ana D. Putri"))]).await;
    assert_eq!((repeated.status, repeated.message()), (200, "The order has these values already"));
}

#[tokio::test]
async fn a_corrected_order_is_found_by_its_new_values_only() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!((found(&budi, "ana putri").await, found(&budi, "zx").await), (1, 0));
    let fields =
        [("full_name", json!("Ana Putri"), json!("Zxenia")), ("document_number", Value::Null, json!("PA1234567"))];
    assert_eq!(correct(&budi, order, &fields).await.status, 200);
    for (text, orders) in [("ana putri", 0), ("zxenia", 1), ("zx", 1), ("PA1234567", 1), ("8123456789", 1)] {
        assert_eq!(found(&budi, text).await, orders, "{text}");
    }
}

#[tokio::test]
async fn a_change_by_somebody_else_is_not_overwritten() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Ayu"));
    let number = |before: &str, after: &str| [("phone_number", json!(before), json!(after))];
    assert_eq!(correct(&ayu, order, &number("8123456789", "8111")).await.status, 200);
    let late = correct(&budi, order, &number("8123456789", "8222")).await;
    assert_eq!(
        (late.status, late.message()),
        (
            409,
            "Nothing was changed: Ayu changed this order meanwhile (phone_number). Please check the new values and correct them again"
        )
    );
    assert_eq!(late.json["data"], json!({ "order_id": order, "fields": ["phone_number"] }));
    assert_eq!(details(&budi, order).await["phone_number"], "8111");
}

#[tokio::test]
async fn a_correction_follows_the_rules_of_intake_and_names_each_invalid_field() {
    let test = TestApp::start().await;
    let (order, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    let budi = test.as_staff(Team, "Budi");
    let fields = [
        ("contact_email_address", json!("ana@post.example"), json!("ana")),
        ("visa_type", json!("C1"), json!("Z9")),
        ("process_status", json!("New"), json!("Completed")),
    ];
    let refused = correct(&budi, order, &fields).await;
    assert_eq!(refused.status, 422);
    let errors = refused.json["data"]["errors"].as_array().expect("the fields").clone();
    let mut named: Vec<&str> = errors.iter().filter_map(|error| error["field"].as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, ["contact_email_address", "process_status", "visa_type"]);
    assert_eq!(correct(&budi, order, &[]).await.status, 422);
    let missing = correct(&budi, 999_999, &[("city", Value::Null, json!("Ubud"))]).await;
    assert_eq!(missing.status, 404);
    let of_deleted = correct(&budi, deleted, &[("city", Value::Null, json!("Ubud"))]).await;
    assert_eq!(of_deleted.status, 409);
    assert_eq!(details(&budi, deleted).await["allowed"]["correct"], false);
}

#[tokio::test]
async fn what_the_customer_sent_cannot_be_altered() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(correct(&budi, order, &[("city", Value::Null, json!("Ubud"))]).await.status, 200);
    for change in ["UPDATE order_originals SET original = 'Kuta'", "DELETE FROM order_originals"] {
        let refused = test.db().write(move |tx: &mut Conn| Ok(tx.batch_execute(change)?)).await;
        let reason = refused.expect_err(change).to_string();
        assert!(reason.contains("never"), "{reason}");
    }
}

#[tokio::test]
async fn another_contact_address_ends_visits_and_the_old_address_is_told() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    let order = test.add_order(New).await;
    let (budi, visitor) = (test.as_staff(Team, "Budi"), test.as_visitor(order).await);
    assert_eq!(visitor.history(order).await.status, 200);
    let moved = [("contact_email_address", json!("ana@post.example"), json!("ana.putri@post.example"))];
    let answer = correct(&budi, order, &moved).await;
    assert_eq!(
        (answer.status, answer.message()),
        (200, "1 field was corrected. The old email address is told, and its links no longer open")
    );
    assert_ne!(visitor.history(order).await.status, 200, "the visit has ended");
    worker::send_due(&test.app.mail).await.expect("it is sent");
    let received = mailbox.wait_for(1).await.remove(0);
    assert_eq!(
        (&*received.to, received.message().subject()),
        (&["ana@post.example".to_owned()][..], Some("Your email address was changed (VD-100001)"))
    );
    let text = received.message().body_text(0).expect("a text").into_owned();
    assert!(!text.contains("ana.putri") && !text.contains("http"), "{text}");
    assert_eq!(details(&budi, order).await["mailHistory"][0]["kind"], "address changed");
}

#[tokio::test]
async fn an_order_by_phone_is_pending_follows_the_rules_of_intake_and_is_added_once() {
    let test = TestApp::start().await;
    let citra = test.as_staff(Telecaller, "Citra").with_key("a-phone-order");
    let asked = json!({
        "full_name": "Ana Putri", "contact_email_address": "ana@post.example", "processing_mode": "Regular Processing",
        "visa_type": "C1", "phone_number": "812 777", "signature_name": "Ana", "external_reference": "WEB-1",
        "payment": { "gateway": "Stripe", "payment_reference": "pay_1", "amount": "149.00", "currency": "USD" }
    });
    let added = citra.post("/admin/add-phone-order", asked.clone()).await;
    assert_eq!(added.status, 200, "{added}");
    let order = added.data()["order_id"].as_i64().expect("an id");
    let repeated = citra.post("/admin/add-phone-order", asked).await;
    assert_eq!(repeated.data()["order_id"], order, "the same request adds no second order");
    let now = details(&citra, order).await;
    assert_eq!(
        (
            &now["process_status"],
            &now["phone_number"],
            &now["payment"],
            &now["external_reference"],
            &now["signature_name"]
        ),
        (&json!("Pending"), &json!("812 777"), &Value::Null, &Value::Null, &Value::Null)
    );
    let events: Vec<(&str, &str, &str)> = now["timeline"]
        .as_array()
        .expect("a timeline")
        .iter()
        .filter_map(|event| Some((event["actor"].as_str()?, event["action"].as_str()?, event["after"].as_str()?)))
        .collect();
    assert_eq!(events, [("Citra", "order.source", "phone"), ("Citra", "order.arrive", "Pending")]);

    let invalid = json!({ "full_name": "Ana", "contact_email_address": "ana", "processing_mode": "Soon" });
    let refused = test.as_staff(Team, "Budi").post("/admin/add-phone-order", invalid).await;
    assert_eq!((refused.status, refused.json["data"]["errors"].as_array().map(Vec::len)), (422, Some(2)));
}

#[tokio::test]
async fn an_order_that_its_window_releases_waits_for_that_of_its_corrected_arrival() {
    let test = TestApp::start_with(|config| config.release_by_window = vec!["B1".into()]).await;
    let budi = test.as_staff(Team, "Budi");
    let after = |days| test.clock.today(test.app.config.time_zone) + Days::new(days);
    let trip = |status, visa: &'static str| {
        test.add_order_with(status, move |order| {
            order.visa_type = Some(visa.into());
            order.application.arrival_date = Some(after(200));
            order.processing_date = Some(after(110));
        })
    };
    let (waits, begun, other) = (trip(Future, "B1").await, trip(New, "B1").await, trip(Future, "C1").await);
    let day = async |order| details(&budi, order).await["processing_date"].clone();
    for order in [waits, begun, other] {
        let answer = correct(&budi, order, &[("arrival_date", json!(after(200)), json!(after(300)))]).await;
        assert_eq!(answer.status, 200, "{answer}");
    }
    assert_eq!(day(waits).await, json!(after(210)));
    assert_eq!((day(begun).await, day(other).await), (json!(after(110)), json!(after(110))));
    let timeline = details(&budi, waits).await["timeline"].clone();
    assert_eq!(timeline[0]["after"], format!("processing_date: {}", after(210)), "{timeline}");

    let soon = correct(&budi, waits, &[("arrival_date", json!(after(300)), json!(after(90)))]).await;
    assert!(soon.message().ends_with(&format!("The order waits for {}", after(0).format("%d-%m-%Y"))), "{soon}");
    assert_eq!(release_due(&test.app.lifecycle).await.unwrap(), 1);
    assert_eq!(details(&budi, waits).await["process_status"], "New");
}
