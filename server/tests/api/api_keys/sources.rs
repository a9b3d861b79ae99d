//! Orders belong to the source whose key created them, and no key of another source learns that they exist.

use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::json;
use visadesk::db::schema::{documents, order_sources, orders, payments, sources};
use visadesk::orders::status::ProcessStatus::Pending;
use visadesk::staff::rules::StaffType::Team;

use super::{add_document, new_order, shop_of};
use crate::import;
use crate::intake::{order, payment, shop};
use crate::support::TestApp;

#[tokio::test]
async fn an_order_of_another_source_gets_the_response_of_an_order_that_does_not_exist() {
    let test = TestApp::start().await;
    let (one, two) = (shop_of(&test, "one", "One").await, shop_of(&test, "two", "Two").await);
    let order_id = new_order(&one).await;
    let (theirs, nothing) = (format!("/intake/orders/{order_id}/payment"), "/intake/orders/999999/payment");
    assert_eq!(two.post(&theirs, payment()).await.to_string(), two.post(nothing, payment()).await.to_string());
    let refused = add_document(&two, order_id).await;
    assert_eq!((refused.status, refused.to_string()), (404, add_document(&two, 999_999).await.to_string()));
    let stored: (i64, i64) = test
        .read(|conn| Ok((payments::table.count().get_result(conn)?, documents::table.count().get_result(conn)?)))
        .await;
    assert_eq!(stored, (0, 0));

    assert_eq!(one.post(&theirs, payment()).await.status, 200);
    assert_eq!(add_document(&one, order_id).await.status, 200);
    // Also when there is something to compare with.
    assert_eq!(two.post(&theirs, payment()).await.status, 404);
}

#[tokio::test]
async fn keys_of_one_source_share_its_orders_however_its_name_is_written() {
    let test = TestApp::start().await;
    let old = shop_of(&test, "shop 2025", "Visa Shop").await;
    let order_id = new_order(&old).await;
    let new = shop_of(&test, "shop 2026", " VISA  shop ").await;
    assert_eq!(new.post(&format!("/intake/orders/{order_id}/payment"), payment()).await.status, 200);
    let names: Vec<String> = test.read(|conn| Ok(sources::table.select(sources::name).load(conn)?)).await;
    assert_eq!(names, ["Visa Shop"]);
}

#[tokio::test]
async fn an_order_without_a_source_is_open_to_all_keys() {
    let test = TestApp::start().await;
    let (unlimited, one) = (shop(&test).await, shop_of(&test, "one", "One").await);
    let of_staff = test.add_order(Pending).await;
    let of_key = new_order(&unlimited).await;
    for order_id in [of_staff, of_key] {
        assert_eq!(one.post(&format!("/intake/orders/{order_id}/payment"), payment()).await.status, 200);
        assert_eq!(add_document(&one, order_id).await.status, 200);
    }
}

#[tokio::test]
async fn a_reference_is_unique_within_its_source_only() {
    let test = TestApp::start().await;
    let (one, two) = (shop_of(&test, "one", "One").await, shop_of(&test, "two", "Two").await);
    let body = order(json!({ "external_reference": "WEB-1" }));
    let send = async |shop: &crate::support::Client<'_>| shop.post("/intake/orders", body.clone()).await;
    let (first, second) = (send(&one).await, send(&two).await);
    assert_eq!((first.message(), second.message()), ("The order has been taken in", "The order has been taken in"));
    assert_ne!(first.data(), second.data(), "each has its own order");
    for (shop, known) in [(&one, &first), (&two, &second)] {
        let again = send(shop).await;
        assert_eq!((again.message(), again.data()), ("The order is here already", known.data()));
    }
    for answer in [&first, &second] {
        let order_id = answer.data()["order_id"].as_i64().expect("an order");
        let details = test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order_id}")).await;
        assert_eq!(details.data()["external_reference"], "WEB-1", "staff see the reference");
    }
    // A key without a source may see both: it gets the older one, and adds none.
    assert_eq!(send(&shop(&test).await).await.data(), first.data());
    let count: i64 = test.read(|conn| Ok(orders::table.count().get_result(conn)?)).await;
    assert_eq!(count, 2);
}

#[tokio::test]
async fn a_key_with_a_source_recognises_the_orders_that_came_before_it() {
    let test = TestApp::start().await;
    let body = order(json!({ "external_reference": "WEB-1" }));
    let before = shop(&test).await.post("/intake/orders", body.clone()).await;
    let after = shop_of(&test, "one", "One").await.post("/intake/orders", body).await;
    assert_eq!((after.message(), after.data()), ("The order is here already", before.data()));
}

#[tokio::test]
async fn concurrent_requests_of_two_sources_with_one_reference_create_one_order_each() {
    let test = TestApp::start().await;
    let (one, two) = (shop_of(&test, "one", "One").await, shop_of(&test, "two", "Two").await);
    let body = order(json!({ "external_reference": "WEB-1" }));
    let requests = (0..20).map(|index| if index % 2 == 0 { &one } else { &two });
    let answers = join_all(requests.map(|shop| shop.post("/intake/orders", body.clone()))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let found: Vec<Option<String>> =
        test.read(|conn| Ok(order_sources::table.select(order_sources::external_reference).load(conn)?)).await;
    assert_eq!(found, [Some("WEB-1".to_owned()), Some("WEB-1".to_owned())]);
}

#[tokio::test]
async fn the_order_of_another_person_that_came_before_the_key_is_not_handed_over() {
    let test = TestApp::start().await;
    let unlimited = shop(&test).await;
    let before = unlimited.post("/intake/orders", order(json!({ "external_reference": "1001" }))).await;
    assert_eq!(before.status, 200, "{before}");
    let one = shop_of(&test, "one", "One").await;
    for change in [json!({ "contact_email_address": "li@post.example" }), json!({ "processing_date": "2031-05-01" })] {
        let mut body = order(json!({ "external_reference": "1001" }));
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = one.post("/intake/orders", body).await;
        assert_eq!((answer.status, &answer.json["code"]), (409, &json!("reference_of_another_order")), "{answer}");
    }
    let count: i64 = test.read(|conn| Ok(orders::table.count().get_result(conn)?)).await;
    assert_eq!(count, 1);
}

#[tokio::test]
async fn a_repeated_order_brings_its_payment_and_another_payment_is_refused() {
    let test = TestApp::start().await;
    let one = shop_of(&test, "one", "One").await;
    let with = |payment: serde_json::Value| order(json!({ "external_reference": "1001", "payment": payment }));
    let unpaid = one.post("/intake/orders", order(json!({ "external_reference": "1001" }))).await;
    let paid = one.post("/intake/orders", with(payment())).await;
    assert_eq!(
        (paid.message(), paid.data()),
        ("The order is here already. Its payment has been taken in", unpaid.data())
    );
    assert_eq!(one.post("/intake/orders", with(payment())).await.message(), "The order is here already");
    let mut other = payment();
    other["payment_reference"] = json!("pay_2");
    let refused = one.post("/intake/orders", with(other)).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("order_already_paid")), "{refused}");
    let paid: i64 = test.read(|conn| Ok(payments::table.count().get_result(conn)?)).await;
    assert_eq!(paid, 1);
}

#[tokio::test]
async fn an_imported_row_is_known_by_the_number_of_a_source_only_if_it_is_the_same_order() {
    let test = TestApp::start().await;
    let one = shop_of(&test, "one", "One").await;
    let body = order(json!({ "external_reference": "1001", "contact_email_address": "Ana@post.example" }));
    assert_eq!(one.post("/intake/orders", body).await.status, 200);
    let row = |email: &str| {
        let row = json!({ "external_reference": "1001", "full_name": "Ana Putri", "contact_email_address": email,
            "processing_mode": "Regular Processing" });
        format!("{row}\n")
    };
    for (name, email, added) in [("same.ndjson", "ana@POST.example", 0), ("other.ndjson", "li@post.example", 1)] {
        let path = import::file(&test, name, row(email));
        let dry = import::run(&test, path.clone(), true).await.0;
        let done = import::run(&test, path, false).await.0;
        for summary in [dry, done] {
            assert_eq!((summary.added, summary.known, summary.refused), (added, 1 - added, 0), "{email}");
        }
    }
    let count: i64 = test.read(|conn| Ok(orders::table.count().get_result(conn)?)).await;
    assert_eq!(count, 2);
}
