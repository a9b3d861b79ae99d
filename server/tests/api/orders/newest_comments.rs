//! The newest comment about each order of a list: shown where it is asked for, noted as a reading, and read from an index.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::access_log;
use visadesk::orders::status::ProcessStatus::{Completed, ContactCustomer, New};
use visadesk::staff::rules::StaffType::{Manager, Team, Telecaller};

use crate::search::plans::plan;
use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

async fn comment(client: &Client<'_>, order: i64, text: &str) {
    let added = client.post("/admin/add-new-remark", json!({ "orderId": order, "remark": text })).await;
    assert_eq!(added.status, 200, "{added}");
}

/// The texts of the comments in the rows.
fn comments(page: &Answer) -> Vec<Value> {
    let rows = page.data().as_array().unwrap_or_else(|| panic!("no rows in {page}"));
    rows.iter().map(|row| row["newest_comment"]["text"].clone()).collect()
}

#[tokio::test]
async fn a_list_shows_the_newest_comment_about_each_order_if_it_is_asked_to() {
    let test = TestApp::start().await;
    let (budi, dewi) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Dewi"));
    let (silent, order) = (test.add_order(Completed).await, test.add_order(Completed).await);
    comment(&budi, order, "Called, no answer").await;
    comment(&dewi, order, &"é".repeat(300)).await;
    let newest = json!("é".repeat(200));
    let list = "/admin/get-orders-list/completedOrder";
    assert_eq!(comments(&budi.get(list).await), [Value::Null, Value::Null], "comments were not asked for");
    for client in [&budi, &dewi] {
        let page = client.get(&format!("{list}?comments=newest")).await;
        assert_eq!(comments(&page), [newest.clone(), Value::Null], "{page}");
        assert_eq!(page.data()[0]["newest_comment"]["by"], "Dewi");
    }
    let body = json!({ "folderName": "completedOrder", "searchVal": "ana", "comments": "newest" });
    assert_eq!(comments(&budi.post("/admin/search-order", body).await), [newest.clone(), Value::Null]);
    let rows = budi.get(&format!("/admin/order-rows/completedOrder/{order},{silent}?comments=newest")).await;
    assert_eq!(comments(&rows), [newest, Value::Null]);
    let called = test.add_order(ContactCustomer).await;
    comment(&budi, called, "Her number is 0812 3456 7890").await;
    let page = budi.get("/admin/get-orders-list/contactCustomerOrder?comments=newest").await;
    assert_eq!(comments(&page), [Value::Null], "no row of this folder shows a telephone number");
    let rows = budi.get(&format!("/admin/order-rows/contactCustomerOrder/{called}?comments=newest")).await;
    assert_eq!(comments(&rows), [Value::Null]);
    let closed = dewi.get("/admin/get-orders-list/allOrder?comments=newest").await;
    assert_eq!((closed.status, &closed.json["code"]), (403, &json!("order_history_closed")), "{closed}");
}

#[tokio::test]
async fn comments_in_lists_are_noted_as_a_reading() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = test.add_order(New).await;
    test.add_order(New).await;
    comment(&budi, order, "Called").await;
    budi.get("/admin/get-orders-list/newOrder").await;
    budi.get("/admin/get-orders-list/newOrder?comments=newest").await;
    budi.post("/admin/search-order", json!({ "folderName": "newOrder", "searchVal": "", "comments": "newest" })).await;
    budi.get(&format!("/admin/order-rows/newOrder/{order}?comments=newest")).await;
    test.app.audit.access_log.flush().await.expect("the log is written");
    let noted = access_log::table
        .filter(access_log::action.eq("comment.list"))
        .order(access_log::access_id)
        .select((access_log::folder, access_log::row_count));
    let noted: Vec<(Option<String>, Option<i64>)> = test.read(move |conn| Ok(noted.load(conn)?)).await;
    assert_eq!(noted, vec![(Some("newOrder".to_owned()), Some(1)); 3]);
}

#[tokio::test]
async fn the_comments_of_a_page_are_one_statement_and_come_from_an_index() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    for _ in 0..3 {
        let order = test.add_order(Completed).await;
        comment(&made, order, "First").await;
        comment(&made, order, "Second").await;
    }
    let statements = Statements::watch(&test).await;
    let of_remarks = |sent: Vec<String>| sent.into_iter().filter(|sql| sql.contains("remarks")).collect::<Vec<_>>();
    made.get("/admin/get-orders-list/completedOrder").await;
    assert_eq!(of_remarks(statements.take()), Vec::<String>::new());
    made.get("/admin/get-orders-list/completedOrder?comments=newest").await;
    let sent = of_remarks(statements.take());
    assert_eq!(sent.len(), 1, "{sent:?}");
    let sql = sent[0].split(" -- binds").next().expect("a statement").replace('?', "'[100001]'");
    let sql = sql.replace("$1", "'{100001}'::bigint[]");
    let plan = test.write(move |tx| Ok(plan(tx, &sql))).await;
    assert!(plan.matches("remarks_order").count() == 2 && !plan.contains("Seq Scan on remarks"), "{plan}");
    assert!(!plan.contains("SCAN remarks") && !plan.contains("SCAN newer"), "{plan}");
}
