//! Documents that applicants send without being asked, because the page of their order says that they are missing.

use chrono::TimeDelta;
use serde_json::{Value, json};
use visadesk::orders::status::ProcessStatus::{self, Awaiting, ContactCustomer, CustomerCalled, Future, New};
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::Team;

use super::desk::paper;
use super::{ask, asked, order_for_c1, photograph, send, status};
use crate::deliveries::{upload, visa};
use crate::support::portraits::Fault;
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// Kind and state of the documents that the page takes without a request.
async fn missing(visitor: &Client<'_>, order: i64) -> Vec<(String, String)> {
    let papers = visitor.history(order).await.json["mainResult"]["missing"].clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    papers.as_array().expect("papers").iter().map(|paper| (text(&paper["kind"]), text(&paper["state"]))).collect()
}

fn papers(listed: &[(&str, &str)]) -> Vec<(String, String)> {
    listed.iter().map(|(kind, state)| ((*kind).to_owned(), (*state).to_owned())).collect()
}

async fn order_in(test: &TestApp, status: ProcessStatus) -> i64 {
    test.add_order_with(status, |order| {
        order.visa_type = Some("C1".into());
        order.processing_date = (status == Future).then(|| "2027-06-01".parse().expect("a day"));
    })
    .await
}

#[tokio::test]
async fn a_missing_document_is_sent_and_members_see_it_first_in_their_list() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    test.later(TimeDelta::hours(1));
    let newer = order_for_c1(&test, New).await;
    let (budi, visitor) = (test.as_staff(Team, "Budi"), test.as_visitor(order).await);
    let all = [("passport", "asked"), ("bank_statement", "asked"), ("recent_photo", "asked")];
    assert_eq!(missing(&visitor, order).await, papers(&all));
    assert_eq!(budi.list("newOrder").await, [newer, order]);

    test.later(TimeDelta::minutes(2));
    let sent = send(&visitor, order, "bank_statement", pdf()).await;
    assert_eq!((sent.status, sent.message()), (200, "We have received your file"), "{sent}");
    let now = [("passport", "asked"), ("bank_statement", "in"), ("recent_photo", "asked")];
    assert_eq!(missing(&visitor, order).await, papers(&now));
    assert_eq!(status(&budi, order).await, (json!("New"), json!(null)), "it does not move");
    assert_eq!(budi.list("newOrder").await, [order, newer]);
    let list = budi.get("/admin/get-orders-list/newOrder").await;
    assert_eq!(list.data()[0]["papers_returned"], true, "{list}");
    let again = send(&visitor, order, "bank_statement", pdf()).await;
    assert_eq!((again.status, &again.json["code"]), (409, &json!("paper_not_asked_for")), "it is not missing any more");

    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["documents"][0]["kind"], "bank_statement");
    assert!(details.data()["timeline"].to_string().contains("paper.send"));
}

#[tokio::test]
async fn a_document_with_faults_is_taken_again_or_as_it_is() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let visitor = test.as_visitor(order).await;
    let state = async || missing(&visitor, order).await[2].1.clone();
    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::Pixels)).await.status, 200);
    assert_eq!(state().await, "checking");
    check_due(&test.app.papers).await.expect("the photograph is checked");
    assert_eq!(state().await, "look");
    let page = visitor.history(order).await.json["mainResult"]["missing"].clone();
    assert_eq!(page[2]["faults"], json!(["too_small"]));
    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::Pixels)).await.status, 200);
    check_due(&test.app.papers).await.expect("the photograph is checked");
    let anyway = json!({ "orderId": order.to_string(), "kind": "recent_photo" });
    for _ in 0..2 {
        assert_eq!(visitor.post("/front/send-paper-anyway", anyway.clone()).await.status, 200);
        assert_eq!(state().await, "in");
    }
    let nothing = json!({ "orderId": order.to_string(), "kind": "passport" });
    assert_eq!(visitor.post("/front/send-paper-anyway", nothing).await.json["code"], "paper_file_missing");
}

#[tokio::test]
async fn it_is_taken_in_each_status_before_the_filing_and_in_no_other() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for before in ProcessStatus::ALL.iter().copied().filter(|status| !status.is_hidden()) {
        let order = order_in(&test, before).await;
        let visitor = test.as_visitor(order).await;
        let is_taken = [New, Future, Awaiting, ContactCustomer, CustomerCalled].contains(&before);
        assert_eq!(missing(&visitor, order).await.is_empty(), !is_taken, "{before}");
        let sent = send(&visitor, order, "bank_statement", pdf()).await;
        let expected = if is_taken { (200, Value::Null) } else { (409, json!("paper_not_asked_for")) };
        assert_eq!((sent.status, sent.json["code"].clone()), expected, "{before}: {sent}");
        assert_eq!(status(&budi, order).await.0, json!(before.as_str()));
    }
}

#[tokio::test]
async fn an_order_with_a_visa_needs_no_document_whatever_its_status_is() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = order_for_c1(&test, New).await;
    let delivered = upload(&budi, order, visa("PA1234567", "ANA PUTRI", "17/05/1990"), "").await;
    assert_eq!(delivered.status, 200, "{delivered}");
    let visitor = test.as_visitor(order).await;
    for to in [Awaiting, ContactCustomer, CustomerCalled, New] {
        let moved = json!({ "orderId": order, "updatingStatus": to.as_str() });
        assert_eq!(budi.put("/admin/move-order-status", moved).await.status, 200);
        let page = visitor.history(order).await.json["mainResult"].clone();
        let needs = page["needs"].as_array().expect("needs").iter().filter(|need| need["code"] == "document");
        assert_eq!((needs.count(), &page["missing"]), (0, &json!([])), "{to}");
        assert_eq!(send(&visitor, order, "bank_statement", pdf()).await.status, 409, "{to}");
    }
}

#[tokio::test]
async fn a_document_that_arrives_leaves_the_undo_of_a_member_as_it_was() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = order_for_c1(&test, New).await;
    let moved = json!({ "orderId": order, "updatingStatus": "Contact Customer" });
    let moved = budi.put("/admin/move-order-status", moved).await;
    test.later(TimeDelta::seconds(30));
    assert_eq!(send(&test.as_visitor(order).await, order, "bank_statement", pdf()).await.status, 200);
    let undone = budi.post("/admin/undo", json!({ "eventId": moved.json["undo"]["event_id"] })).await;
    assert_eq!(undone.status, 200, "{undone}");
    assert_eq!(status(&budi, order).await.0, "New");
}

#[tokio::test]
async fn only_a_document_that_the_visa_needs_and_that_is_missing_is_taken_and_ten_times_at_most() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let visitor = test.as_visitor(order).await;
    for kind in ["visa", "waiting_visa", "filing_receipt", "sponsor_letter", "recent-photo", ""] {
        let refused = send(&visitor, order, kind, pdf()).await;
        assert_eq!((refused.status, &refused.json["code"]), (409, &json!("paper_not_asked_for")), "{kind}: {refused}");
    }
    crate::papers::give_to(&test, order, "bank_statement", pdf()).await;
    assert_eq!(missing(&visitor, order).await, papers(&[("passport", "asked"), ("recent_photo", "asked")]));
    assert_eq!(send(&visitor, order, "bank_statement", pdf()).await.status, 409, "the sales site sent it");
    for _ in 0..10 {
        assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::Pixels)).await.status, 200);
    }
    let refused = send(&visitor, order, "recent_photo", photograph(Fault::None)).await;
    assert_eq!((refused.status, &refused.json["code"]), (429, &json!("too_many_uploads")), "{refused}");
    let stranger = test.as_visitor(order_for_c1(&test, New).await).await;
    assert_eq!(send(&stranger, order, "passport", pdf()).await.status, 404, "another visitor's order");
}

#[tokio::test]
async fn a_request_takes_the_place_of_a_missing_document_and_a_member_s_word_ends_it() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let (budi, visitor) = (test.as_staff(Team, "Budi"), test.as_visitor(order).await);
    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::Pixels)).await.status, 200);
    check_due(&test.app.papers).await.expect("the photograph is checked");
    assert_eq!(ask(&budi, order, &[("recent_photo", "too_small")]).await.status, 200);
    assert_eq!(missing(&visitor, order).await, papers(&[("passport", "asked"), ("bank_statement", "asked")]));
    assert_eq!(asked(&visitor, order).await["items"][0]["kind"], "recent_photo");
    assert_eq!(send(&visitor, order, "bank_statement", pdf()).await.status, 200);
    assert_eq!(status(&budi, order).await.0, json!("Awaiting"), "the photograph is still asked for");

    let statement = paper(&budi, order, "bank_statement").await;
    let said = json!({ "orderId": order, "kind": "bank_statement", "documentId": statement["document_id"],
                       "state": "fine", "reason": null });
    let set = budi.post("/admin/set-paper-state", said).await;
    assert_eq!(set.status, 200, "{set}");
    assert_eq!(missing(&visitor, order).await, papers(&[("passport", "asked")]));
}
