//! What staff say about papers, and the reasons that they choose from.

use serde_json::{Value, json};
use visadesk::orders::status::ProcessStatus::New;
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::{asking, order_for_c1, photograph};
use crate::papers::give_to;
use crate::support::portraits::Fault;
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// The papers of an order, by kind.
pub async fn paper(desk: &Client<'_>, order: i64, kind: &str) -> Value {
    let answer = desk.get(&format!("/admin/order-papers/{order}")).await;
    let papers = answer.data()["papers"].as_array().unwrap_or_else(|| panic!("no papers in {answer}"));
    papers.iter().find(|paper| paper["kind"] == kind).expect("the paper is needed").clone()
}

#[tokio::test]
async fn a_paper_is_missing_received_suggested_wrong_and_set_by_a_click_until_a_newer_file_comes() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    let photo = paper(&budi, order, "recent_photo").await;
    assert_eq!(
        (&photo["state"], &photo["is_required"], &photo["document_id"]),
        (&json!("missing"), &json!(true), &Value::Null)
    );
    let letter = paper(&budi, order, "guarantor_letter").await;
    assert_eq!((&letter["is_required"], letter["when"].is_string()), (&json!(false), true), "{letter}");

    give_to(&test, order, "upload_picture", photograph(Fault::Pixels)).await;
    assert_eq!(paper(&budi, order, "recent_photo").await["suggested"], Value::Null, "the check waits");
    check_due(&test.app.papers).await.expect("the photograph is checked");
    let photo = paper(&budi, order, "recent_photo").await;
    assert_eq!(
        (&photo["state"], &photo["suggested"], &photo["suggested_reason"]),
        (&json!("received"), &json!("wrong"), &json!("too_small"))
    );
    let set = |document: &Value, state: &str, reason: Value| json!({ "orderId": order, "kind": "recent_photo", "documentId": document, "state": state, "reason": reason });
    let document = &photo["document_id"];
    let answer = budi.post("/admin/set-paper-state", set(document, "wrong", json!("face"))).await;
    assert_eq!((answer.status, answer.message()), (200, "Recent colour photograph: wrong"), "{answer}");
    let photo = paper(&budi, order, "recent_photo").await;
    assert_eq!(
        (&photo["state"], &photo["reason"], &photo["set_by"], &photo["suggested"]),
        (&json!("wrong"), &json!("face"), &json!("Budi"), &Value::Null)
    );
    let code = async |body: Value| {
        let answer = budi.post("/admin/set-paper-state", body).await;
        (answer.status, answer.json["code"].clone())
    };
    assert_eq!(code(set(document, "wrong", json!("balance_too_low"))).await, (422, json!("unknown_paper_reason")));
    assert_eq!(code(set(document, "missing", Value::Null)).await, (409, json!("paper_changed_meanwhile")));
    assert_eq!(code(set(&json!(99), "fine", Value::Null)).await, (409, json!("paper_changed_meanwhile")));
    let mut other = set(document, "fine", Value::Null);
    other["kind"] = json!("press_card");
    assert_eq!(code(other.clone()).await, (422, json!("paper_not_needed")));
    other["orderId"] = json!(999_999);
    assert_eq!(code(other).await, (404, json!("order_not_found")));

    give_to(&test, order, "upload_picture", photograph(Fault::None)).await;
    let newer = paper(&budi, order, "recent_photo").await;
    assert_eq!((&newer["state"], &newer["reason"]), (&json!("received"), &Value::Null), "{newer}");
    assert_eq!(code(set(document, "fine", Value::Null)).await, (409, json!("paper_changed_meanwhile")));
    for (state, expected) in [("fine", "fine"), ("received", "received")] {
        assert_eq!(code(set(&newer["document_id"], state, Value::Null)).await.0, 200);
        assert_eq!(paper(&budi, order, "recent_photo").await["state"], expected);
    }
}

#[tokio::test]
async fn reasons_are_offered_in_every_language_and_admins_change_them() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    let listed = budi.get("/admin/paper-reasons").await;
    let reasons = listed.data()["reasons"].as_array().expect("reasons").clone();
    assert!(reasons.iter().all(|reason| reason["texts"].as_object().is_some_and(|texts| texts.len() == 12)));
    let torn = json!({
        "code": null, "state": "unreadable", "kinds": ["passport"], "archived": false,
        "texts": { "en": "The page is torn.", "de": "Die Seite ist zerrissen." },
    });
    assert_eq!(budi.put("/admin/paper-reason", torn.clone()).await.status, 403);
    assert_eq!(ayu.put("/admin/paper-reason", torn.clone()).await.message(), "The reason has been saved");
    let listed = budi.get("/admin/paper-reasons").await;
    let own = listed.data()["reasons"].as_array().and_then(|all| all.last()).expect("a reason").clone();
    assert_eq!((&own["is_built_in"], &own["texts"]["en"]), (&json!(false), &json!("The page is torn.")));
    let code = own["code"].as_str().expect("a code");

    let preview = async |language: &str, code: &str| {
        let body = asking(order, language, &[("passport", code)]);
        budi.post("/admin/preview-paper-request", body).await
    };
    assert!(preview("de", code).await.data()["text"].as_str().unwrap().contains("zerrissen"));
    let french = preview("fr", code).await;
    assert!(french.data()["text"].as_str().unwrap().contains("The page is torn."), "{french}");
    assert_eq!(french.data()["recipient"], "ana@post.example");
    let message = french.data()["message"].as_str().unwrap();
    assert!(message.contains("/track-order/") && !message.contains("#key"), "{message}");
    assert_eq!(french.data()["phone"], "628123456789");

    let mut changed = json!({
        "code": "blurred", "state": "unreadable", "kinds": [], "archived": false, "texts": { "en": "Not sharp enough." },
    });
    assert_eq!(ayu.put("/admin/paper-reason", changed.clone()).await.status, 200);
    assert!(preview("en", "blurred").await.data()["text"].as_str().unwrap().contains("Not sharp enough."));
    changed["archived"] = json!(true);
    assert_eq!(ayu.put("/admin/paper-reason", changed).await.message(), "The reason is no longer offered");
    assert_eq!(preview("en", "blurred").await.json["code"], "unknown_paper_reason");

    for (bad, code) in [
        (json!({ "texts": { "de": "Nur deutsch." } }), "paper_reason_text"),
        (json!({ "texts": { "en": "x", "tlh": "y" } }), "unknown_reason_language"),
        (json!({ "kinds": ["no_such_paper"] }), "paper_not_needed"),
        (json!({ "state": "fine" }), "paper_not_needed"),
        (json!({ "code": "no-such" }), "unknown_paper_reason"),
    ] {
        let mut body = torn.clone();
        body.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        let refused = ayu.put("/admin/paper-reason", body).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!(code)), "{refused}");
    }
}

#[tokio::test]
async fn an_order_without_a_known_visa_type_needs_the_passport_and_the_photograph() {
    let test = TestApp::start().await;
    let order = test.add_order_with(New, |order| order.visa_type = None).await;
    let budi = test.as_staff(Team, "Budi");
    give_to(&test, order, "passport_picture", pdf()).await;
    let answer = budi.get(&format!("/admin/order-papers/{order}")).await;
    let papers = answer.data()["papers"].as_array().expect("papers");
    let known: Vec<(&Value, &Value)> = papers.iter().map(|paper| (&paper["kind"], &paper["state"])).collect();
    assert_eq!(known, [(&json!("passport"), &json!("received")), (&json!("recent_photo"), &json!("missing"))]);
}
