//! Papers that applicants are asked for: asking, sending, reminding, and the order's way back.

mod desk;
mod reminders;
mod unasked;

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use visadesk::documents::rules::stored_kind;
use visadesk::ids::OrderId;
use visadesk::mail::worker as mails;
use visadesk::orders::status::ProcessStatus::{self, Completed, New, Refunds};
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::Team;

use crate::papers::give_to;
use crate::support::mailbox::Mailbox;
use crate::support::portraits::{Chance, Fault};
use crate::support::sample_files::pdf;
use crate::support::{Answer, Client, TestApp};

/// Adds an order for C1, which needs a passport, a photograph and a bank statement.
pub async fn order_for_c1(test: &TestApp, status: ProcessStatus) -> i64 {
    test.add_order_with(status, |order| {
        order.visa_type = Some("C1".into());
        order.nationality = Some("Japan".into());
    })
    .await
}

/// What staff ask for: kinds and codes of reasons.
fn asking(order: i64, language: &str, items: &[(&str, &str)]) -> Value {
    let items: Vec<Value> = items.iter().map(|(kind, reason)| json!({ "kind": kind, "reason": reason })).collect();
    json!({ "orderId": order, "language": language, "items": items })
}

pub async fn ask(desk: &Client<'_>, order: i64, items: &[(&str, &str)]) -> Answer {
    desk.post("/admin/ask-for-papers", asking(order, "en", items)).await
}

/// Sends a file for a paper that was asked for.
pub async fn send(visitor: &Client<'_>, order: i64, kind: &str, content: Vec<u8>) -> Answer {
    let form = Form::new().text("orderId", order.to_string()).text("kind", kind.to_owned());
    visitor.upload("/front/upload-paper", form.part("file", Part::bytes(content).file_name("IMG_1.jpg"))).await
}

/// Whether the order's page says that everything is there.
async fn is_complete(visitor: &Client<'_>, order: i64) -> bool {
    visitor.history(order).await.json["mainResult"]["papers_complete"].as_bool().expect("yes or no")
}

/// What the order's page says is asked for.
async fn asked(visitor: &Client<'_>, order: i64) -> Value {
    visitor.history(order).await.json["mainResult"]["asked"].clone()
}

async fn status(desk: &Client<'_>, order: i64) -> (Value, Value) {
    let details = desk.get(&format!("/admin/get-orders-details/{order}")).await;
    (details.data()["process_status"].clone(), details.data()["assign_to"].clone())
}

pub fn photograph(fault: Fault) -> Vec<u8> {
    fault.photograph(&mut Chance::new(7)).1
}

#[tokio::test]
async fn a_wrong_photograph_is_asked_for_retaken_and_the_order_comes_back_first_in_its_list() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    let order = order_for_c1(&test, New).await;
    test.later(chrono::TimeDelta::hours(1));
    let newer = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    for taken in [order, newer] {
        let taken = json!({ "orderId": taken, "assignto": "Budi" });
        assert_eq!(budi.put("/admin/assign-order-status", taken).await.status, 200);
    }
    let answer = budi
        .post(
            "/admin/ask-for-papers",
            asking(order, "ja", &[("recent_photo", "too_small"), ("bank_statement", "missing")]),
        )
        .await;
    assert_eq!(
        (answer.status, answer.message()),
        (200, "The applicant is asked for 2 papers, and the order has been moved to Awaiting Customer"),
        "{answer}"
    );
    assert_eq!(status(&budi, order).await, (json!("Awaiting"), json!("Budi")));

    mails::send_due(&test.app.mail).await.expect("the mail is sent");
    let sent = mailbox.wait_for(1).await;
    let text = sent[0].message().body_text(0).expect("a text").into_owned();
    let address = format!("/track-order/{}#key=", OrderId(order).encoded());
    assert!(text.contains("様") && text.contains(&address) && text.contains("Bank statement"), "{text}");
    assert!(sent[0].message().body_html(0).expect("a page").contains("<html lang=\"ja\" dir=\"ltr\">"));

    let visitor = test.as_visitor(order).await;
    let page = asked(&visitor, order).await;
    assert_eq!((&page["language"], &page["items"][1]["kind"]), (&json!("ja"), &json!("recent_photo")), "{page}");
    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::Pixels)).await.status, 200);
    assert_eq!(asked(&visitor, order).await["items"][1]["state"], "checking");
    check_due(&test.app.papers).await.expect("the photograph is checked");
    let looked = asked(&visitor, order).await["items"][1].clone();
    assert_eq!((&looked["state"], &looked["faults"]), (&json!("look"), &json!(["too_small"])), "{looked}");

    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::None)).await.status, 200);
    check_due(&test.app.papers).await.expect("the photograph is checked");
    assert_eq!(asked(&visitor, order).await["items"][1]["state"], "in");
    assert!(!is_complete(&visitor, order).await);
    assert_eq!(status(&budi, order).await.0, "Awaiting", "the bank statement is missing");
    assert_eq!(budi.list("myOrder").await, [newer, order]);
    test.later(chrono::TimeDelta::minutes(2));
    assert_eq!(send(&visitor, order, "bank_statement", pdf()).await.status, 200);
    assert_eq!(asked(&visitor, order).await, Value::Null);
    assert!(is_complete(&visitor, order).await);
    assert_eq!(status(&budi, order).await, (json!("New"), json!("Budi")));

    let list = budi.get("/admin/get-orders-list/myOrder").await;
    let rows: Vec<(&Value, &Value)> =
        list.data().as_array().expect("rows").iter().map(|row| (&row["order_id"], &row["papers_returned"])).collect();
    assert_eq!(rows, [(&json!(order), &json!(true)), (&json!(newer), &json!(false))]);
    assert_eq!(budi.get("/admin/get-orders-list/myOrder?limit=1&page=2").await.order_ids(), [newer]);
    // A touch: another member has seen to it.
    let taken = json!({ "orderId": order, "assignto": "" });
    assert_eq!(budi.put("/admin/assign-order-status", taken).await.status, 200);
    let taken = json!({ "orderId": order, "assignto": "Budi" });
    test.later(chrono::TimeDelta::minutes(2));
    assert_eq!(budi.put("/admin/assign-order-status", taken).await.status, 200);
    assert_eq!(budi.list("myOrder").await, [newer, order]);
    let timeline = budi.get(&format!("/admin/get-orders-details/{order}")).await.data()["timeline"].to_string();
    for action in ["paper.ask", "paper.send", "paper.complete"] {
        assert!(timeline.contains(action), "{action} in {timeline}");
    }
}

#[tokio::test]
async fn a_paper_with_faults_is_taken_if_the_applicant_says_so() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(ask(&budi, order, &[("recent_photo", "missing")]).await.status, 200);
    let visitor = test.as_visitor(order).await;
    let anyway = json!({ "orderId": order, "kind": "recent_photo" });
    let early = visitor.post("/front/send-paper-anyway", anyway.clone()).await;
    assert_eq!((early.status, &early.json["code"]), (422, &json!("paper_file_missing")), "{early}");
    send(&visitor, order, "recent_photo", photograph(Fault::Sharpness)).await;
    check_due(&test.app.papers).await.expect("the photograph is checked");
    assert_eq!(asked(&visitor, order).await["items"][0]["faults"], json!(["blurred"]));
    for _ in 0..2 {
        let answer = visitor.post("/front/send-paper-anyway", anyway.clone()).await;
        // The second time nothing is asked for any more.
        assert!(matches!(answer.status, 200 | 409), "{answer}");
    }
    assert_eq!(status(&budi, order).await.0, "New");
}

#[tokio::test]
async fn only_what_is_asked_for_is_taken_from_the_applicant_of_the_order() {
    let test = TestApp::start_open().await;
    let (order, other) = (order_for_c1(&test, New).await, order_for_c1(&test, New).await);
    let budi = test.as_staff(Team, "Budi");
    let visitor = test.as_visitor(order).await;
    let refused = |answer: Answer| (answer.status, answer.json["code"].clone());
    let send_photo = async || refused(send(&visitor, order, "recent_photo", pdf()).await);
    for kind in ["passport", "recent_photo"] {
        give_to(&test, order, stored_kind(kind), photograph(Fault::None)).await;
    }
    assert_eq!(send_photo().await, (409, json!("paper_not_asked_for")), "it is there");
    assert_eq!(ask(&budi, order, &[("recent_photo", "missing")]).await.status, 200);
    assert_eq!(ask(&budi, other, &[("recent_photo", "missing")]).await.status, 200);
    assert_eq!(refused(send(&visitor, order, "passport", pdf()).await), (409, json!("paper_not_asked_for")));
    assert_eq!(refused(send(&visitor, other, "recent_photo", pdf()).await), (404, json!("application_not_found")));
    assert_eq!(send(&test.anonymous(), order, "recent_photo", pdf()).await.status, 401);
    let text = b"not a picture".to_vec();
    assert_eq!(refused(send(&visitor, order, "recent_photo", text).await), (415, json!("not_pdf_or_image")));
    let nothing = Form::new().text("orderId", order.to_string()).text("kind", "recent_photo");
    let nothing = visitor.upload("/front/upload-paper", nothing).await;
    assert_eq!(refused(nothing), (422, json!("paper_file_missing")));
    for _ in 0..10 {
        assert_eq!(send(&visitor, order, "recent_photo", pdf()).await.status, 200);
    }
    assert_eq!(send_photo().await, (429, json!("too_many_uploads")));

    // Staff have moved the order on: nothing is asked for, and nothing moves it back.
    let moved = json!({ "orderId": other, "updatingStatus": "Completed" });
    assert_eq!(budi.put("/admin/change-order-status", moved).await.status, 200);
    let visitor = test.as_visitor(other).await;
    assert_eq!(asked(&visitor, other).await, Value::Null);
    assert_eq!(refused(send(&visitor, other, "recent_photo", pdf()).await), (409, json!("paper_not_asked_for")));
    assert_eq!(status(&budi, other).await.0, "Completed");
}

#[tokio::test]
async fn an_order_that_moved_on_stays_there_when_its_last_paper_is_checked() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for moved_to in ["Refunds", "AwaitingGovt"] {
        let order = order_for_c1(&test, New).await;
        assert_eq!(ask(&budi, order, &[("recent_photo", "missing")]).await.status, 200);
        let visitor = test.as_visitor(order).await;
        assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::None)).await.status, 200);
        assert_eq!(asked(&visitor, order).await["items"][0]["state"], "checking");
        let moved = json!({ "orderId": order, "updatingStatus": moved_to });
        assert_eq!(budi.put("/admin/change-order-status", moved).await.status, 200);
        check_due(&test.app.papers).await.expect("the photograph is checked");
        assert_eq!(status(&budi, order).await.0, moved_to);
    }
}

#[tokio::test]
async fn an_order_is_asked_about_only_in_work_and_for_papers_that_it_needs() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    let refused = async |body: Value| {
        let answer = budi.post("/admin/ask-for-papers", body).await;
        (answer.status, answer.json["code"].clone())
    };
    assert_eq!(refused(asking(order, "en", &[])).await, (422, json!("no_paper_chosen")));
    let twice = asking(order, "en", &[("passport", "missing"), ("passport", "blurred")]);
    assert_eq!(refused(twice).await, (422, json!("no_paper_chosen")));
    assert_eq!(refused(asking(order, "en", &[("press_card", "missing")])).await, (422, json!("paper_not_needed")));
    let other_reason = asking(order, "en", &[("passport", "balance_too_low")]);
    assert_eq!(refused(other_reason).await, (422, json!("unknown_paper_reason")));
    assert_eq!(refused(asking(order, "tlh", &[("passport", "missing")])).await.0, 422);
    assert_eq!(refused(asking(999_999, "en", &[("passport", "missing")])).await, (404, json!("order_not_found")));
    for closed in [Completed, Refunds] {
        let closed = order_for_c1(&test, closed).await;
        let answer = refused(asking(closed, "en", &[("passport", "missing")])).await;
        assert_eq!(answer, (409, json!("order_not_asked_about")));
    }
    let unreachable = test
        .add_order_with(New, |order| {
            order.visa_type = Some("C1".into());
            order.contact_email_address = "no address".into();
        })
        .await;
    let answer = refused(asking(unreachable, "en", &[("passport", "missing")])).await;
    assert_eq!(answer, (422, json!("no_address_to_ask")));
}

#[tokio::test]
async fn another_request_replaces_the_first_and_a_withdrawn_one_brings_the_order_back() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(ask(&budi, order, &[("passport", "blurred")]).await.status, 200);
    assert_eq!(ask(&budi, order, &[("bank_statement", "missing")]).await.status, 200);
    let visitor = test.as_visitor(order).await;
    let page = asked(&visitor, order).await;
    assert_eq!(page["items"].as_array().map(Vec::len), Some(1), "{page}");
    assert_eq!(page["items"][0]["label"], "Bank statement (minimum USD 2000)");
    let withdraw = async || budi.post("/admin/withdraw-paper-request", json!({ "orderId": order })).await;
    let answer = withdraw().await;
    assert_eq!(answer.message(), "The applicant is no longer asked for papers, and the order is in New", "{answer}");
    assert_eq!((asked(&visitor, order).await, status(&budi, order).await.0), (Value::Null, json!("New")));
    assert!(!is_complete(&visitor, order).await, "it was taken back");
    assert_eq!(ask(&budi, order, &[("bank_statement", "missing")]).await.status, 200);
    assert_eq!(send(&visitor, order, "bank_statement", pdf()).await.status, 200);
    assert!(is_complete(&visitor, order).await);
    assert_eq!(ask(&budi, order, &[("passport", "blurred")]).await.status, 200);
    assert_eq!(withdraw().await.status, 200);
    assert!(!is_complete(&visitor, order).await, "the newest request was taken back");
    for missing in [
        budi.post("/admin/withdraw-paper-request", json!({ "orderId": 999_999 })).await,
        budi.post("/admin/preview-paper-request", asking(999_999, "en", &[("passport", "missing")])).await,
    ] {
        assert_eq!((missing.status, &missing.json["code"]), (404, &json!("order_not_found")), "{missing}");
    }
    let again = withdraw().await;
    assert_eq!((again.status, &again.json["code"]), (409, &json!("no_open_request")), "{again}");

    // An order that waited for its customer before goes on as a new one.
    let waiting = order_for_c1(&test, ProcessStatus::ContactCustomer).await;
    assert_eq!(ask(&budi, waiting, &[("bank_statement", "missing")]).await.status, 200);
    assert_eq!(send(&test.as_visitor(waiting).await, waiting, "bank_statement", pdf()).await.status, 200);
    assert_eq!(status(&budi, waiting).await.0, "New");
}

#[tokio::test]
async fn the_last_two_papers_at_once_bring_the_order_back_once() {
    let test = TestApp::start_open().await;
    let other = test.another_node().await;
    let order = order_for_c1(&test, New).await;
    for round in 0..5 {
        let budi = test.as_staff(Team, "Budi");
        let asked = ask(&budi, order, &[("bank_statement", "missing"), ("re_entry_permit", "missing")]).await;
        assert_eq!(asked.status, 200, "{round}: {asked}");
        let (one, two) = (test.as_visitor(order).await, other.as_visitor(order).await);
        let (one, two) =
            tokio::join!(send(&one, order, "bank_statement", pdf()), send(&two, order, "re_entry_permit", pdf()));
        assert_eq!((one.status, two.status), (200, 200), "{one} {two}");
        assert_eq!(status(&budi, order).await.0, "New");
        test.later(chrono::TimeDelta::hours(2));
    }
    let budi = test.as_staff(Team, "Budi");
    let events = budi.get(&format!("/admin/get-orders-details/{order}")).await.data()["timeline"].clone();
    let complete =
        events.as_array().expect("events").iter().filter(|event| event["action"] == "paper.complete").count();
    assert_eq!(complete, 5);
}
