//! Comments are searched like the fields of an order, and a search says where it found its term.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::remarks;
use visadesk::orders::remark_search;
use visadesk::orders::status::ProcessStatus::{Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Team, Telecaller};

use crate::support::{Client, TestApp};

async fn comment(staff: &Client<'_>, order: i64, text: &str) {
    let added = staff.post("/admin/add-new-remark", json!({ "orderId": order, "remark": text })).await;
    assert_eq!(added.status, 200, "{}", added.text);
}

/// What the call of the palette finds: ids, with the place of the term and the excerpt.
async fn places(staff: &Client<'_>, term: &str) -> Vec<(i64, String, Value)> {
    let found = staff.get(&format!("/admin/find-orders?q={term}")).await;
    let orders = found.data().as_array().cloned().expect("orders");
    let row = |order: &Value| {
        let place = order["found_in"].as_str().expect("a place").to_owned();
        (order["order_id"].as_i64().expect("an id"), place, order["excerpt"].clone())
    };
    orders.iter().map(row).collect()
}

#[tokio::test]
async fn an_order_is_found_by_its_comments_as_by_its_fields() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (commented, named) =
        (test.add_order(New).await, test.add_order_with(New, |order| order.full_name = "Renée Brücke".into()).await);
    let other = test.add_order(Completed).await;
    comment(&budi, commented, "Flies with\nher sister Renée, who called 8812 from Straßburg.").await;
    comment(&budi, commented, "Renee called again, from Zurich.").await;
    comment(&budi, other, "Asked for Renée.").await;
    for (term, found) in [
        ("renée", vec![named, commented]),
        ("RENEE", vec![named, commented]),
        ("with her sister", vec![commented]),
        ("strassburg", vec![commented]),
        ("zurich", vec![commented]),
        ("zürich", vec![]),
        ("8812", vec![commented]),
        ("renés", vec![]),
        ("%", vec![]),
        ("sis_er", vec![]),
    ] {
        assert_eq!(budi.search("newOrder", term).await, found, "{term}");
    }
    assert_eq!(budi.search("allOrder", "renée").await, [other, named, commented]);
    assert_eq!(budi.search("newOrder", "er").await, [0; 0], "two letters are in nearly every comment");
}

#[tokio::test]
async fn a_search_says_where_the_term_is() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let order = test
        .add_order_with(New, |order| {
            order.full_name = "Mia Larsen".into();
            order.contact_email_address = "mia@post.example".into();
            order.country_code = Some("47".into());
            order.phone_number = Some("412 34 567".into());
            order.application.account_email = Some("account@other.example".into());
            order.application.document_number = Some("PA7654321".into());
        })
        .await;
    comment(&ayu, order, "Older: asked for the bank statement.").await;
    comment(&ayu, order, "Sent the bank statement of Lars by WhatsApp, and will send the photograph tomorrow morning.")
        .await;
    let none = Value::Null;
    for (term, place, shown) in [
        ("larsen", "name", false),
        ("mia@post", "email", false),
        ("vd-", "order_number", false),
        ("account@", "account_email", true),
        ("41234567", "telephone", true),
        ("pa765", "passport_number", true),
    ] {
        assert_eq!(places(&ayu, term).await, [(order, place.to_owned(), none.clone())], "{term}");
        let body = json!({ "folderName": "newOrder", "searchVal": term });
        let page = ayu.post("/admin/search-order", body).await;
        assert_eq!(page.data()[0]["found_in"].as_str(), shown.then_some(place), "{term}");
    }
    let excerpt = json!("Sent the bank statement of Lars by WhatsApp, and will send the pho…");
    assert_eq!(places(&ayu, "bank%20statement%20of").await, [(order, "comment".to_owned(), excerpt)]);
    let page = ayu.post("/admin/search-order", json!({ "folderName": "newOrder", "searchVal": "bank" })).await;
    assert_eq!(page.data()[0]["found_in"], "comment");
    let listed = ayu.get("/admin/get-orders-list/newOrder").await;
    assert_eq!(listed.data()[0].get("found_in"), None, "a list that is not searched");
}

#[tokio::test]
async fn a_telecaller_finds_no_order_by_a_comment_that_they_may_not_read() {
    let test = TestApp::start().await;
    let (ayu, siti) = (test.as_staff(Admin, "Ayu"), test.as_staff(Telecaller, "Siti"));
    let (taken, delivered) = (test.add_order(New).await, test.add_order(Completed).await);
    let assigned = json!({ "orderId": taken, "assignto": "Ayu" });
    assert_eq!(ayu.put("/admin/assign-order-status", assigned).await.status, 200);
    comment(&ayu, taken, "Her boarding pass is here.").await;
    comment(&ayu, delivered, "Her boarding pass was asked for.").await;
    let found: Vec<i64> = places(&ayu, "boarding").await.into_iter().map(|(order, ..)| order).collect();
    assert_eq!(found, [delivered, taken]);
    let found: Vec<i64> = places(&siti, "boarding").await.into_iter().map(|(order, ..)| order).collect();
    assert!(!found.contains(&taken), "{found:?}");
}

#[tokio::test]
async fn a_filter_a_csv_file_and_a_common_term_take_comments_into_account() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let mut orders = Vec::new();
    for number in 0..12 {
        let order = test.add_order(New).await;
        comment(&ayu, order, &format!("Courier {number} came.")).await;
        orders.insert(0, order);
    }
    // A sample of the newest comments is kept for a minute.
    test.later(chrono::TimeDelta::seconds(61));
    assert_eq!(ayu.search("newOrder", "courier").await, orders);
    let body = json!({ "folderName": "newOrder", "searchVal": "courier", "filter": { "owner": "none" } });
    let page = ayu.post("/admin/search-order", body).await;
    assert_eq!(page.json["total"], 12, "{}", page.text);
    test.later(chrono::TimeDelta::days(4));
    let dewi = test.as_staff(Admin, "Dewi");
    let body = json!({ "folderName": "newOrder", "searchVal": "courier 7", "needs": "untouched" });
    let page = dewi.post("/admin/search-order", body).await;
    assert_eq!((&page.json["total"], &page.data()[0]["found_in"]), (&json!(1), &json!("comment")), "{}", page.text);
    let file = dewi.get("/admin/orders-csv/newOrder?search=courier%207").await;
    assert_eq!(file.text.lines().count(), 2, "a heading and one order: {}", file.text);
}

#[tokio::test]
async fn a_comment_of_the_previous_release_is_found_once_a_job_has_read_it() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let order = test.add_order(New).await;
    let staff_id = ayu.id().await;
    test.write(move |tx| {
        let flags = (
            remarks::whatsapp.eq(false),
            remarks::telephone.eq(false),
            remarks::status_refund.eq(false),
            remarks::voided.eq(false),
            remarks::chargeback.eq(false),
            remarks::report_error.eq(false),
        );
        let now = visadesk::timestamp::Timestamp::from(chrono::DateTime::UNIX_EPOCH);
        let row = (remarks::order_id.eq(order), remarks::staff_id.eq(staff_id), remarks::remark.eq("Wants a Refund."));
        Ok(diesel::insert_into(remarks::table).values((row, flags, remarks::created_at.eq(now))).execute(tx)?)
    })
    .await;
    assert_eq!(ayu.search("newOrder", "wants a refund").await, [0; 0]);
    assert_eq!(remark_search::add_texts(test.db()).await.ok(), Some(1));
    assert_eq!(ayu.search("newOrder", "wants a refund").await, [order]);
    assert_eq!(remark_search::add_texts(test.db()).await.ok(), Some(0));
}
