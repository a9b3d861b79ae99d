//! Texts of older rules are found before, while and after a job rewrites them.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::json;
use visadesk::db::schema::search_texts;
use visadesk::ids::OrderId;
use visadesk::orders::search::Term;
use visadesk::orders::selection::Selection;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::orders::store::RowWindow;
use visadesk::orders::{corrections, rewriting, second_look};
use visadesk::staff::rules::StaffType::Admin;

use crate::support::{Client, TestApp};

async fn with_name(test: &TestApp, name: &str) -> i64 {
    test.add_order_with(New, |order| order.full_name = name.into()).await
}

/// Makes the text of an order one of version 0, which begins with `name`; none if the name is plain.
async fn make_older(test: &TestApp, order: i64, name: Option<&'static str>) {
    test.write(move |tx| {
        let row = search_texts::table.find(OrderId(order));
        let text: String = row.select(search_texts::search_text).first(tx)?;
        if let Some(name) = name {
            // Accents are behind the number of the order.
            let end = text.find("vd-").and_then(|at| Some(at + text.get(at..)?.find('\n')? + 1));
            let (begin, end) = (text.find('\n').expect("a name"), end.expect("a number"));
            let older = format!("{name}{}", &text[begin..end]);
            corrections::replace_search_text(tx, OrderId(order), &text, &older)?;
        }
        Ok(diesel::update(row).set(search_texts::search_version.eq(0)).execute(tx)?)
    })
    .await;
}

/// Three orders with texts of version 0.
async fn older_orders(test: &TestApp) -> [i64; 3] {
    let orders = [
        with_name(test, "José García").await,
        with_name(test, "Jose Garcia").await,
        with_name(test, "José O’Brien").await,
    ];
    for (order, name) in orders.into_iter().zip([Some("josé garcía"), None, Some("josé o’brien")]) {
        make_older(test, order, name).await;
    }
    orders
}

/// The ids that both a list of all orders and a folder find.
async fn found(test: &TestApp, staff: &Client<'_>, term: &str) -> Vec<i64> {
    // A sample of texts is kept for a minute.
    test.later(TimeDelta::seconds(61));
    let found = staff.search("allOrder", term).await;
    assert_eq!(staff.search("newOrder", term).await, found, "{term}");
    found
}

async fn versions(test: &TestApp) -> Vec<i32> {
    let versions = search_texts::table.order(search_texts::order_id).select(search_texts::search_version);
    test.read(move |conn| Ok(versions.load(conn)?)).await
}

#[tokio::test]
async fn texts_of_both_versions_are_found_while_a_job_writes_the_older_ones_anew() {
    let test = TestApp::start().await;
    let staff = test.as_staff(Admin, "Ayu");
    let [first, plain, last] = older_orders(&test).await;
    for (term, ids) in
        [("JOSÉ", vec![last, first]), ("o’brien", vec![last]), ("é", vec![last, first]), ("jose", vec![plain])]
    {
        assert_eq!(found(&test, &staff, term).await, ids, "{term}: an older text has its accents");
    }
    assert!(
        rewriting::rewrite_next(test.db(), OrderId(0), 1).await.is_ok_and(|next| next == Some((OrderId(first), 1)))
    );
    assert_eq!(versions(&test).await, [1, 0, 0], "it is interrupted");
    for (term, ids) in
        [("JOSÉ", vec![last, first]), ("o’brien", vec![last]), ("é", vec![last, first]), ("jose", vec![plain, first])]
    {
        assert_eq!(found(&test, &staff, term).await, ids, "{term}, half way");
    }
    assert_eq!(rewriting::rewrite(test.db()).await.ok(), Some(1));
    assert_eq!(versions(&test).await, [1, 0, 1], "a plain text comes out the same");
    for (term, ids) in [
        ("JOSÉ", vec![last, first]),
        ("o'brien", vec![last]),
        ("é", vec![last, first]),
        ("jose", vec![last, plain, first]),
    ] {
        assert_eq!(found(&test, &staff, term).await, ids, "{term}, at the end");
    }
    assert_eq!(rewriting::rewrite(test.db()).await.ok(), Some(0));
    assert!(!test.read(rewriting::has_older_texts).await);
}

#[tokio::test]
async fn two_nodes_write_each_text_once_and_a_text_of_a_late_order_follows() {
    let test = TestApp::start().await;
    let [first, ..] = older_orders(&test).await;
    let (one, other) = tokio::join!(rewriting::rewrite(test.db()), rewriting::rewrite(test.db()));
    assert_eq!(one.ok().zip(other.ok()).map(|(one, other)| one + other), Some(2));
    assert_eq!(versions(&test).await, [1, 0, 1]);
    make_older(&test, first, Some("josé garcía")).await;
    assert_eq!(rewriting::rewrite(test.db()).await.ok(), Some(1));
    let staff = test.as_staff(Admin, "Ayu");
    let body =
        json!({ "orderId": first, "fields": { "full_name": { "before": "José García", "after": "Jösé García" } } });
    make_older(&test, first, Some("josé garcía")).await;
    assert_eq!(staff.put("/admin/correct-order", body).await.status, 200);
    assert_eq!(versions(&test).await, [1, 0, 1], "a correction writes by the rules of today");
    assert_eq!(found(&test, &staff, "jösé").await, [first]);
}

#[tokio::test]
async fn a_scan_reads_texts_of_both_versions_until_the_window_is_full() {
    let test = TestApp::start().await;
    let [first, _, last] = older_orders(&test).await;
    for half in 0..2 {
        for selection in [Selection::Everything, Selection::Queue("New")] {
            for (start, ids) in [(0, [last]), (1, [first])] {
                let (term, window) = (Term::parse("José").expect("a term"), RowWindow { start, length: 1 });
                let selection = selection.clone();
                let read = test.read(move |conn| second_look::list_ids_with(conn, &selection, &term, window)).await;
                assert_eq!(read, ids.map(OrderId), "{half}: {start}");
            }
        }
        assert!(rewriting::rewrite_next(test.db(), OrderId(0), 1).await.is_ok());
    }
}
