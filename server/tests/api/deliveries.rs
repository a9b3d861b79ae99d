//! An issued visa is compared with its order as it is uploaded.

pub mod pairs;
mod scans;
mod undone;
mod waiting;

use diesel::prelude::*;
use image::ImageFormat;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use visadesk::config::DeliveryCheck;
use visadesk::db::schema::{audit, deliveries, documents, mails};
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::intake::{order, payment, shop};
use crate::support::sample_files::{pdf_of_pages, photo, picture};
use crate::support::{Answer, Client, TestApp};

const FONT: &str = "/MediaBox[0 0 600 400]/Resources<</Font<</F 3 0 R>>>>";

/// A visa as a PDF with these values in its text.
pub fn visa(number: &str, name: &str, birth: &str) -> Vec<u8> {
    registered_visa(0, number, name, birth)
}

/// A visa with a number in the government's register: two with different ones are different files.
pub fn registered_visa(register: i64, number: &str, name: &str, birth: &str) -> Vec<u8> {
    let last = format!("Index C1, valid until 14/03/2027, register {register}");
    let lines = ["REPUBLIK INDONESIA ELECTRONIC VISA", name, number, birth, &last];
    let drawn: String = lines.iter().map(|line| format!("({line}) Tj 0 -20 Td ")).collect();
    let content = format!("BT /F 12 Tf 20 380 Td {drawn}ET");
    pdf_of_pages(&[(FONT, &content)], &["<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"])
}

fn right() -> Vec<u8> {
    visa("PA1234567", "ANN MARY LEE", "17/05/1990")
}

/// A paid order of Ann Mary Lee with her passport. Returns its id.
async fn add_order(shop: &Client<'_>, reference: &str) -> i64 {
    let mut paid = payment();
    paid["payment_reference"] = json!(reference);
    let sent = json!({
        "external_reference": reference, "full_name": "Ann Mary Lee", "document_number": "PA1234567",
        "date_of_birth": "1990-05-17", "payment": paid,
    });
    shop.post("/intake/orders", order(sent)).await.data()["order_id"].as_i64().unwrap()
}

/// Uploads a visa of an order, with a reason if it is not empty.
pub async fn upload(client: &Client<'_>, order: i64, file: Vec<u8>, reason: &str) -> Answer {
    let form = Form::new()
        .text("orderId", order.to_string())
        .text("email", "ann@example.com")
        .text("reason", reason.to_owned())
        .part("uploadVisaDoc", Part::bytes(file).file_name("e-visa.pdf"));
    client.upload("/admin/upload-visa-document", form).await
}

/// What the details say about the check of the newest visa.
async fn check(client: &Client<'_>, order: i64) -> Value {
    client.get(&format!("/admin/get-orders-details/{order}")).await.data()["uploadDoc"][0]["check"].clone()
}

/// The number of visas and mails.
async fn counts(test: &TestApp) -> (i64, i64) {
    test.read(|conn| Ok((documents::table.count().get_result(conn)?, mails::table.count().get_result(conn)?))).await
}

async fn audited(test: &TestApp, action: &'static str) -> Vec<Option<String>> {
    let rows = audit::table.filter(audit::action.eq(action)).order(audit::audit_id).select(audit::after);
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

#[tokio::test]
async fn the_right_visa_is_delivered_without_a_word() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let answer = upload(&budi, order, right(), "").await;
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.data()["outcome"], "same", "{answer}");
    assert_eq!((&answer.data()["said"], &answer.data()["is_open"]), (&Value::Null, &json!(false)));
    assert_eq!(check(&budi, order).await, *answer.data());
    assert!(audited(&test, "visa.check").await.is_empty());
}

#[tokio::test]
async fn a_visa_that_differs_is_delivered_and_stays_open_until_a_member_has_checked_it() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let order = add_order(&shop, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let answer = upload(&budi, order, visa("PA1234567", "ANN MARY LEA", "18/05/1990"), "").await;
    assert_eq!(answer.status, 200, "{answer}");
    let said = "the name and date of birth of the order are not on it";
    let found = answer.data();
    assert_eq!((&found["outcome"], &found["said"], &found["is_open"]), (&json!("differs"), &json!(said), &json!(true)));
    assert_eq!(found["fields"], json!(["full_name", "date_of_birth"]));
    assert_eq!(counts(&test).await, (1, 1), "it is stored and mailed as any other");
    assert_eq!(audited(&test, "visa.check").await, [Some(said.to_owned())]);

    let look = json!({ "orderId": order, "document_id": found["document_id"] });
    let other = json!({ "orderId": add_order(&shop, "2").await, "document_id": found["document_id"] });
    assert_eq!(budi.post("/admin/look-at-visa", other).await.status, 404);
    assert_eq!(budi.post("/admin/look-at-visa", look.clone()).await.status, 200);
    assert_eq!(check(&budi, order).await["is_open"], false);
    let again = budi.post("/admin/look-at-visa", look).await;
    assert_eq!((again.status, &again.json["code"]), (404, &json!("nothing_to_look_at")));
    assert_eq!(audited(&test, "visa.look").await.len(), 1);
}

#[tokio::test]
async fn the_visa_of_another_order_is_refused_until_a_member_gives_a_reason() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let (first, second) = (add_order(&shop, "1").await, add_order(&shop, "2").await);
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(upload(&budi, first, right(), "").await.status, 200);
    let before = counts(&test).await;
    let refused = upload(&budi, second, right(), "").await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("visa_differs")), "{refused}");
    let said = format!(
        "Nothing was stored: this file is the visa of order VD-{first} (Ann Mary Lee). Choose another file, or send this one again with a \
         reason (field reason, 5 to 500 characters)"
    );
    assert_eq!(refused.message(), said);
    assert_eq!(refused.data(), &json!({ "fields": [], "used_by": first }));
    assert_eq!(counts(&test).await, before);
    assert!(audited(&test, "visa.hold").await.is_empty(), "a refused upload leaves nothing");
    let details = budi.get(&format!("/admin/get-orders-details/{second}")).await;
    assert_eq!(details.data()["process_status"], "New");

    let sent = upload(&budi, second, right(), "They travel together").await;
    assert_eq!((sent.status, &sent.data()["used_by"]), (200, &json!(first)), "{sent}");
}

#[tokio::test]
async fn a_visa_that_was_rewritten_is_found_by_what_came() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let (first, second) = (add_order(&shop, "1").await, add_order(&shop, "2").await);
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(upload(&budi, first, photo(), "").await.status, 200);
    let rewritten = audit::table.filter(audit::action.eq("document.rewrite")).select((audit::before, audit::after));
    let rewritten: Vec<(Option<String>, Option<String>)> = test.read(move |conn| Ok(rewritten.load(conn)?)).await;
    let came = format!("SHA-256 {}", hex::encode(Sha256::digest(photo())));
    let [(before, after)] = &rewritten[..] else { panic!("one file was rewritten: {rewritten:?}") };
    assert_eq!(before.as_deref(), Some(came.as_str()));
    assert_ne!(before, after);
    let timeline = budi.get(&format!("/admin/get-orders-details/{first}")).await.data()["timeline"].to_string();
    assert!(timeline.contains("document.upload_visa") && !timeline.contains("document.rewrite"), "{timeline}");
    // An earlier release rewrote it in another way.
    test.write(|tx| Ok(diesel::update(documents::table).set(documents::sha256.eq("another")).execute(tx)?)).await;
    let refused = upload(&budi, second, photo(), "").await;
    assert_eq!((refused.status, &refused.data()["used_by"]), (409, &json!(first)), "{refused}");
}

#[tokio::test]
async fn a_visa_with_another_passport_number_is_refused_until_a_member_gives_a_reason() {
    let test = TestApp::start().await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let other = || visa("PA1234568", "ANN MARY LEE", "17/05/1990");
    let refused = upload(&budi, order, other(), "").await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("visa_differs")), "{refused}");
    assert_eq!(refused.data(), &json!({ "fields": ["document_number"], "used_by": null }));
    assert_eq!(counts(&test).await, (0, 0));
    assert_eq!(upload(&budi, order, other(), "A new passport").await.status, 200);
}

#[tokio::test]
async fn of_two_orders_that_get_one_file_at_once_one_is_refused() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let budi = test.as_staff(Team, "Budi");
    for pair in 1..=5 {
        let (first, second) = (format!("{pair}a"), format!("{pair}b"));
        let (first, second) = (add_order(&shop, &first).await, add_order(&shop, &second).await);
        let file = registered_visa(pair, "PA1234567", "ANN MARY LEE", "17/05/1990");
        let (one, other) = tokio::join!(upload(&budi, first, file.clone(), ""), upload(&budi, second, file, ""));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{one} {other}");
        assert_eq!(counts(&test).await, (pair, pair));
    }
}

#[tokio::test]
async fn the_file_of_another_order_is_named_although_its_values_are_right() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Warn).await;
    let shop = shop(&test).await;
    let (first, second) = (add_order(&shop, "1").await, add_order(&shop, "2").await);
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(upload(&budi, first, right(), "").await.data()["used_by"], Value::Null);
    assert_eq!(
        upload(&budi, first, right(), "").await.data()["used_by"],
        Value::Null,
        "its own order may have it again"
    );
    let found = upload(&budi, second, right(), "").await.data().clone();
    assert_eq!(
        (&found["outcome"], &found["used_by"], &found["is_open"]),
        (&json!("same"), &json!(first), &json!(true))
    );
    assert_eq!(found["said"], format!("this file is the visa of order VD-{first}"));
}

/// What the list of completed orders says of the visa of the newest one.
async fn visa_problem(client: &Client<'_>) -> Value {
    client.get("/admin/get-orders-list/completedOrder").await.data()[0]["visa_problem"].clone()
}

#[tokio::test]
async fn lists_mark_an_order_with_a_wrong_visa_until_a_member_has_checked_it() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Warn).await;
    let shop = shop(&test).await;
    let budi = test.as_staff(Team, "Budi");
    let first = add_order(&shop, "1").await;
    assert_eq!(upload(&budi, first, right(), "").await.status, 200);
    assert_eq!(visa_problem(&budi).await, Value::Null);
    test.later(chrono::TimeDelta::seconds(1));
    let order = add_order(&shop, "2").await;
    let used = upload(&budi, order, right(), "").await.data()["document_id"].clone();
    assert_eq!(visa_problem(&budi).await, "used");
    let differs = upload(&budi, order, visa("PA1234568", "ANN MARY LEE", "17/05/1990"), "").await;
    assert_eq!(visa_problem(&budi).await, "differs", "the worse one of both");
    for (document, left) in [(differs.data()["document_id"].clone(), json!("used")), (used, Value::Null)] {
        let look = json!({ "orderId": order, "document_id": document });
        assert_eq!(budi.post("/admin/look-at-visa", look).await.status, 200);
        assert_eq!(visa_problem(&budi).await, left);
    }
    let undone = upload(&budi, order, visa("PA1234569", "ANN MARY LEE", "17/05/1990"), "").await;
    assert_eq!(visa_problem(&budi).await, "differs");
    let undo = json!({ "eventId": undone.json["undo"]["event_id"] });
    assert_eq!(budi.post("/admin/undo", undo).await.status, 200);
    assert_eq!(visa_problem(&budi).await, Value::Null, "a withdrawn visa needs no look");
}

#[tokio::test]
async fn a_visa_in_which_nothing_can_be_read_is_delivered_with_a_note() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Warn).await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    // Its content cannot be parsed as the drawing of a page.
    let broken = pdf_of_pages(&[(FONT, "BT ((((((")], &["<</Type/Font>>"]);
    for file in [picture(ImageFormat::Jpeg), broken] {
        let found = upload(&budi, order, file, "").await.data().clone();
        assert_eq!((&found["outcome"], &found["is_open"]), (&json!("not_read"), &json!(false)), "{found}");
        assert_eq!(found["said"], "the visa is being read");
    }
}

#[tokio::test]
async fn a_held_visa_is_delivered_with_a_reason_alone() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Hold).await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let wrong = || visa("PA1234567", "ANNE MARY LEE", "17/05/1990");
    let held = upload(&budi, order, wrong(), "").await;
    assert_eq!((held.status, &held.json["code"]), (409, &json!("visa_differs")), "{held}");
    assert_eq!(held.data(), &json!({ "fields": ["full_name"], "used_by": null }));
    assert_eq!(counts(&test).await, (0, 0));
    assert_eq!(audited(&test, "visa.hold").await, [Some("the name of the order is not on it".to_owned())]);
    assert_eq!(upload(&budi, order, wrong(), "oh").await.status, 422);

    let sent = upload(&budi, order, wrong(), "The applicant married").await;
    assert_eq!(sent.status, 200, "{sent}");
    assert_eq!((&sent.data()["reason"], &sent.data()["is_open"]), (&json!("The applicant married"), &json!(false)));
    let noted = "the name of the order is not on it. Reason: The applicant married";
    assert_eq!(audited(&test, "visa.check").await, [Some(noted.to_owned())]);
    assert_eq!(upload(&budi, order, right(), "").await.status, 200, "the right one needs no reason");
}

#[tokio::test]
async fn a_held_visa_may_need_a_second_person() {
    let test = TestApp::start_with(|config| {
        config.delivery.check = DeliveryCheck::Hold;
        config.delivery.second_person = true;
    })
    .await;
    let order = add_order(&shop(&test).await, "1").await;
    let (budi, ann) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Ann"));
    let wrong = || visa("PA1234567", "ANNE MARY LEE", "17/05/1990");
    assert_eq!(upload(&budi, order, wrong(), "").await.json["code"], "visa_differs");
    let alone = upload(&budi, order, wrong(), "The applicant married").await;
    assert_eq!((alone.status, &alone.json["code"]), (409, &json!("visa_needs_second_person")), "{alone}");
    assert_eq!(counts(&test).await, (0, 0));
    assert_eq!(upload(&ann, order, wrong(), "The applicant married").await.status, 200);
}

#[tokio::test]
async fn visas_are_not_compared_if_the_check_is_off() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Off).await;
    let order = add_order(&shop(&test).await, "1").await;
    let answer = upload(&test.as_staff(Team, "Budi"), order, visa("X", "NOBODY", "01/01/1999"), "").await;
    assert_eq!((answer.status, answer.data()), (200, &Value::Null));
    let rows: i64 = test.read(|conn| Ok(deliveries::table.count().get_result(conn)?)).await;
    assert_eq!(rows, 0);
}
