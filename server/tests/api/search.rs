//! Search matches any part of a name, email, phone, order id or passport number, in any script and literally.

mod comments;
pub mod plans;
mod rewriting;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use serde_json::json;
use visadesk::db::Conn;
use visadesk::orders::search_texts;
use visadesk::orders::status::ProcessStatus::{Completed, Future, New};
use visadesk::staff::rules::StaffType::{Team, Telecaller};

use crate::support::TestApp;

#[tokio::test]
async fn an_order_is_found_by_any_part_of_its_searchable_fields() {
    let test = TestApp::start().await;
    let order = test
        .add_order_with(New, |order| {
            order.full_name = "María José Fernández".into();
            order.contact_email_address = "MJ.Fernandez@correo.example".into();
            order.country_code = Some("34".into());
            order.phone_number = Some("612 004 418".into());
            order.application.account_email = Some("account@other.example".into());
            order.application.document_number = Some("PA7654321".into());
        })
        .await;
    test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let id = order.to_string();
    for text in [
        "maría",
        "FERNÁNDEZ",
        "é f",
        "josé fern",
        "mj.f",
        "CORREO",
        "account@",
        "612004418",
        "+34 612 004 418",
        "004-418",
        "pa7654321",
        "7654321",
        &id,
        &format!("VD-{id}"),
        "jo",
        "z",
        "íA",
        "maría\n",
        "\tjosé\n fernández ",
    ] {
        assert_eq!(budi.search("newOrder", text).await, [order], "{text}");
    }
    let across_fields = ["correo.example\naccount", "correo.example account", "correo.exampleaccount"];
    for text in ["marí a", "xyzzy", "qx", "王"].into_iter().chain(across_fields) {
        assert_eq!(budi.search("newOrder", text).await, [0; 0], "{text}");
    }
}

#[tokio::test]
async fn an_order_is_found_as_soon_as_it_is_there_and_by_the_same_text_after_it_moved() {
    let test = TestApp::start().await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(budi.search("newOrder", "fernández").await, [0; 0], "a sample of no orders is kept for a minute");
    let order = test.add_order_with(New, |order| order.full_name = "María José Fernández".into()).await;
    assert_eq!(budi.search("newOrder", "fernández").await, [order]);
    let moved = json!({ "orderId": [order], "updatingStatus": "Completed" });
    assert_eq!(budi.put("/admin/change-order-status", moved).await.status, 200);
    assert_eq!(budi.search("newOrder", "fernández").await, [0; 0]);
    for folder in ["completedOrder", "allOrder"] {
        assert_eq!(budi.search(folder, "fernández").await, [order], "{folder}");
    }
}

#[tokio::test]
async fn names_in_every_script_are_found_by_one_two_and_more_characters() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for name in ["王小明", "محمد عبد الرحمن", "สมชาย ใจดี", "Иван Петров", "יוסי כהן", "अमित शर्मा"]
    {
        let order = test.add_order_with(New, |order| order.full_name = name.into()).await;
        let chars: Vec<char> = name.chars().collect();
        for length in 1..=chars.len() {
            let part: String = chars[..length].iter().collect();
            assert!(budi.search("newOrder", &part).await.contains(&order), "{part}");
        }
    }
}

#[tokio::test]
async fn wildcards_quotes_and_backslashes_are_literal_characters() {
    let test = TestApp::start().await;
    let matching = test.add_order_with(New, |order| order.full_name = r#"50%_off\ "quoted" O'Hara"#.into()).await;
    test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    for text in ["%", "_", "\\", "50%", "%_", "_off\\", "\"", "\"quoted\"", "o'hara", "\" o"] {
        assert_eq!(budi.search("newOrder", text).await, [matching], "{text}");
    }
    for text in ["%%%a%%%b", "5%f", "a_a", "*", "AND", "\" OR \"", "NEAR(a b)"] {
        assert_eq!(budi.search("newOrder", text).await, [0; 0], "{text}");
    }
}

#[tokio::test]
async fn a_search_is_limited_to_its_folder_and_an_empty_search_lists_the_folder() {
    let test = TestApp::start().await;
    let (new, done) = (test.add_order(New).await, test.add_order(Completed).await);
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(budi.search("newOrder", "ana").await, [new]);
    assert_eq!(budi.search("completedOrder", "ana").await, [done]);
    assert_eq!(budi.search("allOrder", "ana").await, [done, new]);
    assert_eq!(budi.search("allOrder", "  ").await, [done, new]);
    let page = budi
        .post("/admin/search-order", json!({ "start": 1, "end": 2, "searchVal": "ana", "folderName": "allOrder" }))
        .await;
    assert_eq!(
        (page.order_ids(), page.json["total"].as_i64(), page.json["more"].as_bool()),
        (vec![new], Some(2), Some(false))
    );
    let history = test
        .as_staff(Telecaller, "Tia")
        .post("/admin/search-order", json!({ "searchVal": "ana", "folderName": "allOrder" }))
        .await;
    assert_eq!(history.status, 403);
}

#[tokio::test]
async fn a_search_in_the_future_folder_is_limited_to_the_chosen_month() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let mut ids = Vec::new();
    for date in ["2031-01-31", "2031-01-05", "2031-02-01", "2032-01-05"] {
        let day = date.parse().expect("a date");
        ids.push(test.add_order_with(Future, |order| order.processing_date = Some(day)).await);
    }
    for (term, month, found) in [
        ("ana", json!("January"), vec![ids[1], ids[0]]),
        ("an", json!("January"), vec![ids[1], ids[0]]),
        ("", json!("1"), vec![ids[1], ids[0]]),
        ("nobody", json!("January"), vec![]),
        ("ana", json!(null), vec![ids[1], ids[0], ids[2]]),
    ] {
        let body = json!({ "searchVal": term, "folderName": "futureOrder", "year": 2031, "month": month });
        let page = budi.post("/admin/search-order", body).await;
        assert_eq!(
            (page.order_ids(), page.json["total"].as_u64()),
            (found.clone(), Some(found.len() as u64)),
            "{page}"
        );
    }
    let refused = budi.post("/admin/search-order", json!({ "folderName": "futureOrder", "month": "Smarch" })).await;
    assert_eq!((refused.status, refused.message()), (422, "month is January to December"));
}

#[tokio::test]
async fn an_invalid_search_is_refused_with_a_message() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for (body, status) in [
        (json!({}), 422),
        (json!([]), 422),
        (json!({ "folderName": "nowhere" }), 422),
        (json!({ "folderName": 1 }), 422),
        (json!({ "folderName": "newOrder", "start": -1 }), 422),
        (json!({ "folderName": "newOrder", "start": 10, "end": 10 }), 422),
        (json!({ "folderName": "newOrder", "start": 0, "end": 1001 }), 422),
        (json!({ "folderName": "newOrder", "start": i64::MIN, "end": i64::MAX }), 422),
        (json!({ "folderName": "newOrder", "start": 1.5 }), 422),
        (json!({ "folderName": "newOrder", "searchVal": ["a"] }), 422),
        (json!({ "folderName": "newOrder", "searchVal": "a\u{0}b" }), 400),
        (json!({ "folderName": "newOrder", "searchVal": "x".repeat(101) }), 422),
        (json!({ "folderName": "newOrder", "searchVal": "x".repeat(300_000) }), 413),
    ] {
        let answer = budi.post("/admin/search-order", body.clone()).await;
        assert_eq!(answer.status, status, "{answer}");
        assert_ne!(answer.message(), "");
    }
}

#[tokio::test]
async fn a_search_in_an_impossible_year_is_refused() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let answer = budi.post("/admin/search-order", json!({ "folderName": "futureOrder", "year": 1900 })).await;
    assert_eq!((answer.status, &answer.json["code"]), (422, &json!("invalid_processing_year")), "{answer}");
}

/// Merges PostgreSQL's pending search texts into the indexes. Returns how many pages they took; none on SQLite.
pub async fn merge_pending_texts(test: &TestApp) -> i64 {
    #[derive(QueryableByName)]
    struct Merged {
        #[diesel(sql_type = BigInt)]
        pages: i64,
    }
    const MERGE: &str = "SELECT gin_clean_pending_list('search_texts_trigrams') + gin_clean_pending_list('search_texts_grams') AS pages";
    test.write(|tx| match tx {
        Conn::Sqlite(_) => Ok(0),
        Conn::Postgres(tx) => Ok(diesel::sql_query(MERGE).get_result::<Merged>(tx)?.pages),
    })
    .await
}

#[tokio::test]
async fn new_orders_are_found_before_their_texts_are_merged_and_few_wait() {
    /// Their texts would take about 50 pages.
    const ORDERS: i64 = 120;
    /// 64 kB for each index, and a text that goes beyond it.
    const MAX_PAGES: i64 = 20;
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for number in 0..ORDERS {
        test.add_order_with(New, |order| order.full_name = format!("Person {number} Zyxwvut")).await;
    }
    let found = budi.post("/admin/search-order", json!({ "folderName": "newOrder", "searchVal": "zyxwvut" })).await;
    assert_eq!(found.json["total"], ORDERS, "{found}");
    let pages = merge_pending_texts(&test).await;
    assert!(pages <= MAX_PAGES, "{pages} pages of texts were not merged");
    let found = budi.post("/admin/search-order", json!({ "folderName": "newOrder", "searchVal": "zyxwvut" })).await;
    assert_eq!(found.json["total"], ORDERS, "{found}");
}

#[tokio::test]
async fn a_sample_of_texts_reaches_from_the_first_order_to_the_last() {
    let test = TestApp::start().await;
    let sample =
        async || test.db().read(|conn| search_texts::texts_throughout(conn, 3)).await.expect("the texts are read");
    assert_eq!(sample().await, Vec::<String>::new());
    let mut orders = Vec::new();
    for _ in 0..5 {
        orders.push(test.add_order(New).await);
    }
    let texts = sample().await;
    assert_eq!(texts.len(), 3, "{texts:?}");
    for order in [orders[0], orders[2], orders[4]] {
        assert!(texts.iter().any(|text| text.contains(&format!("vd-{order}"))), "{order}: {texts:?}");
    }
}
