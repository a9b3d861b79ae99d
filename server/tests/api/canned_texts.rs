//! Canned texts: those of one member, and those of all.

use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::canned_texts;
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use crate::support::{Answer, Client, TestApp};

/// A text as the browser sends it.
fn text(purpose: &str, title: &str, english: &str, shared: bool) -> Value {
    json!({ "id": null, "purpose": purpose, "title": title, "texts": { "en": english }, "shared": shared })
}

async fn save(client: &Client<'_>, text: Value) -> Answer {
    client.put("/admin/canned-text", text).await
}

/// The ids and titles that a member finds.
async fn listed(client: &Client<'_>) -> Vec<(i64, String)> {
    let answer = client.get("/admin/canned-texts").await;
    let texts = answer.data()["texts"].as_array().unwrap_or_else(|| panic!("no texts in {answer}")).clone();
    texts.iter().map(|text| (text["id"].as_i64().unwrap(), text["title"].as_str().unwrap().to_owned())).collect()
}

#[tokio::test]
async fn a_member_has_texts_of_their_own_and_those_of_all() {
    let test = TestApp::start().await;
    let (made, budi, ayu) =
        (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Ayu"));
    let saved = save(&budi, text("comment", "No answer", "Called {name}, no answer", false)).await;
    assert_eq!((saved.status, saved.message()), (200, "The text has been saved"), "{saved}");
    assert_eq!(save(&made, text("whatsapp", "Hello", "Dear {name}", true)).await.status, 200);
    let titles = |listed: Vec<(i64, String)>| listed.into_iter().map(|(_, title)| title).collect::<Vec<_>>();
    assert_eq!(titles(listed(&budi).await), ["Hello", "No answer"]);
    assert_eq!(titles(listed(&ayu).await), ["Hello"]);
    assert_snapshot!(ayu.get("/admin/canned-texts").await, @r#"200 {"status":1,"message":"","data":{"texts":[{"id":2,"purpose":"whatsapp","title":"Hello","texts":{"en":"Dear {name}"},"shared":true}],"may_share":false}}"#);

    let mut changed = text("whatsapp", "Hello", "Dear {name}, {order}", false);
    changed["id"] = json!(2);
    let refused = r#"403 {"status":0,"code":"canned_text_shared","message":"Only Admins and Managers change the texts that everybody has"}"#;
    assert_eq!(save(&budi, changed.clone()).await.to_string(), refused);
    assert_eq!(save(&budi, text("comment", "Mine", "For all", true)).await.to_string(), refused);
    assert_eq!(budi.put("/admin/delete-canned-text", json!({ "id": 2 })).await.to_string(), refused);
    assert_eq!(save(&made, changed).await.status, 200);
    let now = made.get("/admin/canned-texts").await;
    assert_eq!(now.data()["texts"][0]["shared"], json!(true), "a change does not take it from the others");
    let missing = r#"404 {"status":0,"code":"canned_text_not_found","message":"This text is not there any more. Please reload the page"}"#;
    let mut others = text("comment", "Theirs", "Read by one", false);
    others["id"] = json!(1);
    assert_eq!(save(&made, others).await.to_string(), missing, "an own text is nobody else's");
    assert_eq!(made.put("/admin/delete-canned-text", json!({ "id": 1 })).await.to_string(), missing);

    let audit = test.as_staff(Admin, "Ketut").get("/admin/get-audit-list?action=canned_text.save").await;
    let saves = audit.text.matches("canned_text.save").count();
    assert_eq!((saves, audit.text.contains("no answer")), (2, false), "what all have is noted: {audit}");
    assert_eq!(made.put("/admin/delete-canned-text", json!({ "id": 2 })).await.status, 200);
    assert_eq!(titles(listed(&budi).await), ["No answer"]);
}

#[tokio::test]
async fn what_a_text_says_is_checked() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    let code = async |change: Value| {
        let mut body = text("whatsapp", "Hello", "Dear {name}", false);
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = save(&made, body).await;
        (answer.status, answer.json["code"].clone())
    };
    for (change, refused) in [
        (json!({ "title": " " }), "canned_text_title"),
        (json!({ "texts": {} }), "canned_text_length"),
        (json!({ "texts": { "en": "x".repeat(1_501) } }), "canned_text_length"),
        (json!({ "texts": { "en": "Dear", "tlh": "nuqneH" } }), "unknown_text_language"),
        (json!({ "texts": { "en": "Dear {nome}" } }), "unknown_placeholder"),
        (json!({ "purpose": "comment", "texts": { "en": "Called", "de": "Angerufen" } }), "canned_comment_language"),
    ] {
        assert_eq!(code(change).await, (422, json!(refused)));
    }
    assert_eq!(listed(&made).await, [], "nothing of it was stored");
    let unknown = save(&made, text("comment", "Hello", "Dear {nome}", false)).await;
    assert_eq!(unknown.message(), "{nome} is not known. A text can name {name}, {order}, {visa}, {arrival}");
}

#[tokio::test]
async fn a_member_has_at_most_two_hundred_texts_and_takes_them_along() {
    let test = TestApp::start().await;
    let (sari, wayan) = (test.as_staff(NightStaff, "Sari"), test.as_staff(Team, "Wayan"));
    for one in 0..200 {
        assert_eq!(save(&sari, text("comment", &format!("Text {one:03}"), "Called", false)).await.status, 200);
    }
    let more = save(&sari, text("comment", "One more", "Called", false)).await;
    assert_snapshot!(more, @r#"409 {"status":0,"code":"too_many_canned_texts","message":"There are 200 texts already. Please delete one that is no longer used"}"#);
    assert_eq!(save(&wayan, text("comment", "Of Wayan", "Called", false)).await.status, 200);
    let mut first = text("comment", "Text 000, changed", "Called", false);
    first["id"] = json!(listed(&sari).await[0].0);
    assert_eq!(save(&sari, first).await.status, 200, "a change needs no room");
    let saris = sari.id().await;
    let left = test.as_staff(Admin, "Ketut").put("/admin/delete-team-member", json!({ "teamMemberId": saris })).await;
    assert_eq!(left.status, 200, "{left}");
    let left = canned_texts::table.select(canned_texts::title);
    assert_eq!(test.read(move |conn| Ok(left.load::<String>(conn)?)).await, ["Of Wayan"]);
}
