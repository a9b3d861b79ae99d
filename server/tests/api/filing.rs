//! What is filed with the government's portal, and the applications that were.

pub mod claims;
mod kit;
mod second;
mod warnings;

use diesel::prelude::*;
use futures_util::future::join_all;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use visadesk::db::schema::{audit, documents, filings};
use visadesk::orders::status::ProcessStatus::{self, Awaiting, AwaitingGovt, Completed, Deleted, New, Pending};
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use crate::papers::{give_to, order_of};
use crate::support::at_once::at_once;
use crate::support::passports::PASSPORTS;
use crate::support::sample_files::pdf;
use crate::support::{Answer, Client, TestApp};

/// Lets every request look for other applications before one of them adds its own.
const HOLD_FILINGS: &str = "LOCK TABLE filings IN SHARE MODE";

fn portal_answer(order: i64, number: &str) -> Form {
    Form::new()
        .text("orderId", order.to_string())
        .text("applicationNumber", number.to_owned())
        .text("feeAmount", "1500000")
        .text("feeCurrency", "IDR")
}

/// Records an application beside the one that the order has.
pub async fn file_as_second(client: &Client<'_>, order: i64, number: &str) -> Answer {
    client.upload("/admin/file-application", portal_answer(order, number).text("isSecond", "true")).await
}

/// Records an application as the member who has claimed the order.
async fn file_as_claimed(client: &Client<'_>, order: i64, number: &str) -> Answer {
    client.upload("/admin/file-application", portal_answer(order, number).text("isClaimed", "true")).await
}

/// Records the portal's answer, with a receipt if there is one.
pub async fn file_application(client: &Client<'_>, order: i64, number: &str, receipt: Option<Vec<u8>>) -> Answer {
    let mut form = portal_answer(order, number);
    if let Some(receipt) = receipt {
        form = form.part("receipt", Part::bytes(receipt).file_name("receipt.pdf"));
    }
    client.upload("/admin/file-application", form).await
}

async fn refuse(client: &Client<'_>, order: i64, then: &str) -> Answer {
    let body = json!({ "orderId": order, "reason": "The photograph is blurred", "then": then });
    client.post("/admin/refuse-application", body).await
}

async fn filing(client: &Client<'_>, order: i64) -> Value {
    let answer = client.get(&format!("/admin/order-filing/{order}")).await;
    assert_eq!(answer.status, 200, "{answer}");
    answer.data().clone()
}

async fn status(client: &Client<'_>, order: i64) -> String {
    let answer = client.get(&format!("/admin/get-orders-details/{order}")).await;
    answer.data()["process_status"].as_str().expect("a status").to_owned()
}

/// Field, value and note of every value.
fn values(filing: &Value) -> Vec<(String, Value, Value)> {
    let sections = filing["sections"].as_array().expect("sections").iter();
    let values = sections.flat_map(|section| section["values"].as_array().expect("values"));
    values
        .map(|value| (value["field"].as_str().unwrap().to_owned(), value["value"].clone(), value["note"].clone()))
        .collect()
}

fn value(filing: &Value, field: &str) -> Value {
    values(filing).into_iter().find(|(name, _, _)| name == field).expect("the field").1
}

fn warnings(filing: &Value) -> Vec<(&str, &str)> {
    let warnings = filing["warnings"].as_array().expect("warnings").iter();
    warnings.map(|one| (one["place"].as_str().unwrap(), one["text"].as_str().unwrap())).collect()
}

async fn audited(test: &TestApp, action: &'static str) -> Vec<(Option<String>, Option<String>)> {
    let rows = audit::table.filter(audit::action.eq(action)).order(audit::audit_id);
    test.read(move |conn| Ok(rows.select((audit::before, audit::after)).load(conn)?)).await
}

/// The number of applications and of receipts.
async fn counts(test: &TestApp) -> (i64, i64) {
    test.read(|conn| Ok((filings::table.count().get_result(conn)?, documents::table.count().get_result(conn)?))).await
}

#[tokio::test]
async fn twenty_values_stand_in_the_portals_order_and_spelling() {
    let test = TestApp::start().await;
    let order = test
        .add_order_with(New, |order| {
            order.full_name = "Ana  Putri".into();
            order.application.date_of_expiry = "2033-05-06".parse().ok();
            order.application.document_number = Some("pb1204417".into());
            order.application.passport_from = Some("IDN".into());
            order.application.place_of_birth = Some("São Paulo".into());
        })
        .await;
    let filing = filing(&test.as_staff(NightStaff, "Wayan"), order).await;
    let titles: Vec<_> = filing["sections"].as_array().unwrap().iter().map(|section| &section["title"]).collect();
    assert_eq!(titles, ["Passport", "Applicant", "Travel", "Address in Indonesia"]);
    let names: Vec<String> = values(&filing).into_iter().map(|(name, _, _)| name).collect();
    assert_eq!(names.len(), 20);
    assert_eq!(names[..5], ["full_name", "document_number", "document_type", "passport_from", "date_of_expiry"]);
    let is = |field| value(&filing, field);
    assert_eq!(is("full_name"), "ANA PUTRI");
    assert_eq!(is("document_number"), "PB1204417");
    assert_eq!(is("date_of_expiry"), "06/05/2033");
    assert_eq!(is("passport_from"), "INDONESIA");
    assert_eq!(is("nationality"), "AUSTRALIA");
    assert_eq!(is("application_email_address"), format!("{order}@{}", test.app.config.application_mail_domain));
    assert_eq!(is("phone"), "+628123456789");
    assert_eq!((is("visa_type"), is("city")), (json!("C1"), Value::Null));
    let birth = values(&filing).into_iter().find(|(name, _, _)| name == "place_of_birth").unwrap();
    assert_eq!(birth.1, "SÃO PAULO");
    assert!(birth.2.as_str().unwrap().starts_with("Not in plain Latin letters"));
    assert_eq!(filing["form_source"], Value::Null, "no source has the order of the form");
    assert_eq!(
        (&filing["can_file"], &filing["can_refuse"], &filing["filings"]),
        (&json!(true), &json!(false), &json!([]))
    );
}

#[tokio::test]
async fn the_name_of_the_passport_stands_for_the_typed_one_once_it_is_proved() {
    let test = TestApp::start().await;
    let passport = &PASSPORTS[0];
    let order = order_of(&test, passport, |_| {}).await;
    let wrong = order_of(&test, passport, |order| order.application.last_name = Some("Clark".into())).await;
    let budi = test.as_staff(Team, "Budi");
    let note = |filing: &Value| values(filing)[0].2.clone();
    assert_eq!(note(&filing(&budi, order).await), Value::Null);
    for order in [order, wrong] {
        give_to(&test, order, "passport_picture", passport.pdf()).await;
    }
    check_due(&test.app.papers).await.expect("the passports are checked");
    let proved = filing(&budi, order).await;
    assert_eq!(note(&proved), "From the passport", "{proved}");
    assert!(
        warnings(&proved).iter().all(|(place, _)| *place != "checks" || !proved.to_string().contains("surname: typed"))
    );
    let differs = filing(&budi, wrong).await;
    assert_eq!(note(&differs), Value::Null, "it differs, so what was typed stands");
    let found = warnings(&differs);
    assert!(
        found.iter().any(|(place, text)| *place == "checks" && text.starts_with("Passport, surname: typed Clark")),
        "{found:?}"
    );
    assert!(found.contains(&("papers", "Recent colour photograph is missing.")), "{found:?}");
}

#[tokio::test]
async fn an_order_is_filed_with_its_number_fee_and_receipt_in_one_step() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let filed = file_application(&budi, order, " ev-2026-0071 ", Some(pdf())).await;
    assert_eq!(filed.status, 200, "{filed}");
    assert_eq!(filed.message(), format!("Order {order} has been filed as application EV-2026-0071"));
    assert_eq!(status(&budi, order).await, "AwaitingGovt");
    let now = filing(&budi, order).await;
    let application = &now["filings"][0];
    assert_eq!(application["application_number"], "EV-2026-0071");
    assert_eq!((&application["fee"], &application["filed_by"]), (&json!("IDR 1500000.00"), &json!("Budi")));
    assert_eq!((&now["can_file"], &now["can_refuse"]), (&json!(false), &json!(true)));
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    let receipt = &details.data()["documents"][0];
    assert_eq!((&application["receipt_file1"], &receipt["kind"]), (&receipt["file1"], &json!("filing_receipt")));
    assert_eq!(audited(&test, "filing.file").await, [(None, Some("EV-2026-0071, IDR 1500000.00".into()))]);
    assert_eq!(audited(&test, "order.move").await, [(Some("New".into()), Some("AwaitingGovt".into()))]);

    let again = file_application(&budi, order, "EV-2026-0072", Some(pdf())).await;
    assert_eq!((again.status, &again.json["code"]), (409, &json!("order_filed_already")), "{again}");
    assert_eq!(counts(&test).await, (1, 1));
}

#[tokio::test]
async fn a_filing_is_undone_and_filed_again_under_the_right_number() {
    let test = TestApp::start().await;
    let (order, other) = (test.add_order(Awaiting).await, test.add_order(New).await);
    let budi = test.as_staff(Team, "Budi");
    let filed = file_application(&budi, order, "EV-1", None).await;
    let undone = budi.post("/admin/undo", json!({ "eventId": filed.json["undo"]["event_id"] })).await;
    assert_eq!(undone.status, 200, "{undone}");
    assert_eq!(status(&budi, order).await, "Awaiting");
    assert_eq!(file_application(&budi, order, "EV-2", None).await.status, 200);
    let filings = filing(&budi, order).await["filings"].clone();
    let ends: Vec<_> =
        filings.as_array().unwrap().iter().map(|one| (&one["application_number"], &one["outcome"])).collect();
    assert_eq!(ends, [(&json!("EV-2"), &Value::Null), (&json!("EV-1"), &json!("replaced"))]);
    assert_eq!(file_application(&budi, other, "EV-1", None).await.status, 200, "the number was a mistake");
}

#[tokio::test]
async fn an_order_in_awaiting_govt_takes_its_number_later() {
    let test = TestApp::start().await;
    let order = test.add_order(AwaitingGovt).await;
    let budi = test.as_staff(Telecaller, "Citra");
    let filed = file_application(&budi, order, "EV-1", None).await;
    assert_eq!((filed.status, &filed.json["changed"], &filed.json["undo"]), (200, &json!(0), &Value::Null), "{filed}");
    assert_eq!(filing(&budi, order).await["can_refuse"], true);
}

#[tokio::test]
async fn a_repeated_request_files_once() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi").with_key("the same");
    let first = file_application(&budi, order, "EV-1", Some(pdf())).await;
    let second = file_application(&budi, order, "EV-1", Some(pdf())).await;
    assert_eq!((first.status, second.status, &second.json), (200, 200, &first.json));
    assert_eq!(counts(&test).await, (1, 1));
    let other = file_application(&budi, order, "EV-2", Some(pdf())).await;
    assert_eq!(other.json["code"], "idempotency_key_reused", "{other}");
}

#[tokio::test]
async fn what_cannot_be_filed_is_refused_with_what_to_do_next() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let code = async |order: i64, number: &str, receipt: Option<Vec<u8>>| {
        let answer = file_application(&ayu, order, number, receipt).await;
        (answer.status, answer.json["code"].as_str().unwrap_or_default().to_owned(), answer.message().to_owned())
    };
    for (before, wanted, next) in [
        (Pending, "filing_of_unpaid_order", "Move it to New first"),
        (Completed, "order_not_to_be_filed", "Move it to New first"),
        (Deleted, "order_not_to_be_filed", "Move it to New first"),
    ] {
        let order = test.add_order(before).await;
        let (status, code, message) = code(order, "EV-1", Some(pdf())).await;
        assert_eq!((status, code.as_str()), (409, wanted));
        assert!(message.contains(next), "{message}");
    }
    let order = test.add_order(New).await;
    assert_eq!(code(order, "№ 1", None).await.1, "invalid_application_number");
    for receipt in [None, Some(pdf())] {
        let (status, code, _) = code(999_999, "EV-1", receipt).await;
        assert_eq!((status, code.as_str()), (404, "order_not_found"));
    }
    assert_eq!(code(order, "EV-1", Some(b"no receipt".to_vec())).await.1, "not_pdf_or_image");
    for (amount, currency, wanted) in [("much", "IDR", "invalid_fee"), ("1", "Rupiah", "invalid_fee_currency")] {
        let form = Form::new().text("orderId", order.to_string()).text("applicationNumber", "EV-1");
        let form = form.text("feeAmount", amount).text("feeCurrency", currency);
        assert_eq!(ayu.upload("/admin/file-application", form).await.json["code"], wanted);
    }
    assert_eq!(counts(&test).await, (0, 0), "nothing of a refused request is kept");
    assert_eq!(status(&ayu, order).await, "New");
    assert_eq!(file_application(&test.anonymous(), order, "EV-1", None).await.status, 401);
    assert_eq!(ayu.get("/admin/order-filing/999999").await.status, 404);
}

#[tokio::test]
async fn a_number_belongs_to_one_order() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (first, second) = (test.add_order(New).await, test.add_order(New).await);
    assert_eq!(file_application(&budi, first, "EV-1", None).await.status, 200);
    let taken = file_application(&budi, second, "ev-1", Some(pdf())).await;
    assert_eq!((taken.status, &taken.json["code"]), (409, &json!("application_number_taken")), "{taken}");
    assert!(taken.message().contains(&first.to_string()), "{taken}");
    assert_eq!(refuse(&budi, first, "refund").await.status, 200);
    let still = file_application(&budi, second, "EV-1", None).await;
    assert_eq!(still.json["code"], "application_number_taken", "the portal refused it, and it is used: {still}");
}

#[tokio::test]
async fn of_many_orders_at_once_one_gets_the_number_and_of_many_requests_one_files() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let orders = [test.add_order(New).await, test.add_order(New).await, test.add_order(New).await];
    let requests = orders.iter().map(|order| file_application(&budi, *order, "EV-1", None));
    let answers = at_once(&test, HOLD_FILINGS, requests.collect()).await;
    let mut codes: Vec<_> = answers.iter().map(|answer| (answer.status, answer.json["code"].clone())).collect();
    codes.sort_by_key(|(status, _)| *status);
    let taken = || (409, json!("application_number_taken"));
    assert_eq!(codes, [(200, Value::Null), taken(), taken()]);

    let order = test.add_order(New).await;
    let numbers: Vec<String> = (2..5).map(|number| format!("EV-{number}")).collect();
    let requests = numbers.iter().map(|number| file_application(&budi, order, number, Some(pdf())));
    let answers = at_once(&test, HOLD_FILINGS, requests.collect()).await;
    let filed = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.json["code"] == "order_filed_already").count();
    assert_eq!((filed, refused), (1, 2));
    assert_eq!(counts(&test).await, (2, 1));
}

#[tokio::test]
async fn receipts_that_arrive_at_once_do_not_exceed_the_limit_of_a_member() {
    let test = TestApp::start_with(|config| config.limits.files_per_member_and_day = 1).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    let orders = [test.add_order(New).await, test.add_order(New).await];
    let requests = orders.iter().zip(["EV-1", "EV-2"]);
    let requests = requests.map(|(order, number)| file_application(&budi, *order, number, Some(pdf())));
    let answers = at_once(&test, HOLD_FILINGS, requests.collect()).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 429], "{answers:?}");
}

#[tokio::test]
async fn a_refused_application_is_filed_again_or_leads_to_a_refund() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    let order = test.add_order(New).await;
    assert_eq!(
        made.put("/admin/assign-order-status", json!({ "orderId": order, "assignto": "Made" })).await.status,
        200
    );
    assert_eq!(file_application(&made, order, "EV-1", None).await.status, 200);
    let refiled = refuse(&made, order, "refile").await;
    assert_eq!(refiled.status, 200, "{refiled}");
    assert_eq!(made.list("myOrder").await, [order], "it is back with its owner");
    let now = filing(&made, order).await;
    assert_eq!((&now["can_file"], &now["can_refuse"]), (&json!(true), &json!(false)));
    let first = &now["filings"][0];
    assert_eq!((&first["outcome"], &first["reason"]), (&json!("refile"), &json!("The photograph is blurred")));
    assert_eq!(first["closed_by"], "Made");
    assert_eq!(file_application(&made, order, "EV-2", None).await.status, 200);
    assert_eq!(
        refuse(&made, order, "refund").await.message(),
        format!("Order {order} has been moved to Refunds successfully")
    );
    assert_eq!(made.list("refundOrder").await, [order]);
    let refusals = audited(&test, "filing.refuse").await;
    assert_eq!(refusals[1], (Some("EV-2".into()), Some("refund: The photograph is blurred".into())));
}

#[tokio::test]
async fn a_refusal_needs_an_open_application_with_the_government_and_a_reason() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(AwaitingGovt).await;
    let refused = refuse(&budi, order, "refile").await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("no_open_application")), "{refused}");
    assert_eq!(file_application(&budi, order, "EV-1", None).await.status, 200);
    let empty = json!({ "orderId": order, "reason": " ", "then": "refile" });
    assert_eq!(budi.post("/admin/refuse-application", empty).await.json["code"], "empty_reason");
    let move_to = async |to: ProcessStatus| {
        let body = json!({ "orderId": order, "updatingStatus": to.as_str() });
        assert_eq!(budi.put("/admin/move-order-status", body).await.status, 200);
    };
    move_to(Completed).await;
    let moved = refuse(&budi, order, "refile").await;
    assert_eq!((moved.status, &moved.json["code"]), (409, &json!("order_not_awaiting_govt")), "{moved}");
    move_to(AwaitingGovt).await;
    let both = join_all(["refile", "refund"].map(|then| refuse(&budi, order, then))).await;
    let mut statuses: Vec<u16> = both.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "it is refused once");
    assert_eq!(refuse(&budi, 999_999, "refile").await.status, 404);
}
