//! The filter by open requirement: it admits the orders whose rows show the requirement, in every list, file and view.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::orders;
use visadesk::documents::rules::needed_documents;
use visadesk::orders::status::ProcessStatus::{self, Future, New};
use visadesk::staff::rules::StaffType::{Manager, Team, Telecaller};

use super::findings::give;
use crate::paper_requests::{ask, order_for_c1, send};
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// The rows of a list.
async fn rows(client: &Client<'_>, list: &str) -> Vec<Value> {
    let page = client.get(&format!("/admin/get-orders-list/{list}")).await;
    assert_eq!(page.status, 200, "{page}");
    page.data().as_array().expect("rows").clone()
}

async fn ids(client: &Client<'_>, list: &str) -> Vec<i64> {
    rows(client, list).await.iter().map(|row| row["order_id"].as_i64().expect("an id")).collect()
}

/// Returns true if a row shows the requirement.
fn shows(row: &Value, requirement: &str) -> bool {
    match requirement {
        "documents_missing" => row["missing_documents"].as_i64().is_some_and(|missing| missing > 0),
        "documents_to_review" => !row["papers_problem"].is_null(),
        "visa_to_review" => !row["visa_problem"].is_null(),
        "unclear_fields" => row["unclear_fields"] != 0,
        "email_not_sent" => !row["mail_problem"].is_null(),
        other => panic!("{other} is in no column"),
    }
}

const IN_COLUMNS: [&str; 5] =
    ["documents_missing", "documents_to_review", "visa_to_review", "unclear_fields", "email_not_sent"];

/// Orders in every status, with and without a visa type, documents, problems and an earlier visa.
async fn add_orders(test: &TestApp) {
    let day = test.clock.today(test.app.config.time_zone).succ_opt();
    let required: Vec<_> = needed_documents("C1").iter().filter(|document| document.required).collect();
    for status in ProcessStatus::ALL {
        for variant in 0..8 {
            let order = test
                .add_order_with(*status, |order| {
                    order.processing_date = day.filter(|_| *status == Future);
                    order.visa_type = (variant % 2 == 0).then(|| "C1".into());
                })
                .await;
            // All of them, all but the last, or none.
            let given = [required.len(), required.len() - 1, 0][variant % 3];
            for document in &required[..given] {
                give(test, order, if variant < 4 { document.kind } else { document.key }).await;
            }
            let has_problem = |place: usize| variant == 7 || variant == place + 1;
            let columns = (
                orders::papers_problem.eq(has_problem(0).then_some("differs")),
                orders::visa_problem.eq(has_problem(1).then_some("used")),
                orders::unclear_fields.eq(i32::from(has_problem(2)) * 2),
                orders::mail_problem.eq(has_problem(3).then_some("unknown")),
            );
            let had_visa = variant == 6;
            test.write(move |tx| {
                diesel::update(orders::table.find(order)).set(columns).execute(tx)?;
                if had_visa {
                    diesel::update(orders::table.find(order)).set(orders::had_visa_or_dispute.eq(true)).execute(tx)?;
                }
                Ok(())
            })
            .await;
        }
    }
}

#[tokio::test]
async fn a_requirement_admits_the_orders_whose_rows_show_it() {
    let test = TestApp::start().await;
    let (made, dewi) = (test.as_staff(Manager, "Made"), test.as_staff(Telecaller, "Dewi"));
    add_orders(&test).await;
    let id = |row: &Value| row["order_id"].as_i64().expect("an id");
    for (client, folder) in [(&made, "allOrder"), (&made, "futureOrder"), (&dewi, "completedOrder")] {
        let all = rows(client, &format!("{folder}?limit=1000")).await;
        for requirement in IN_COLUMNS {
            let expected: Vec<i64> = all.iter().filter(|row| shows(row, requirement)).map(id).collect();
            let list = format!("{folder}?limit=1000&requirement={requirement}");
            assert_eq!(ids(client, &list).await, expected, "{list}");
            assert!(folder != "allOrder" || (!expected.is_empty() && expected.len() < all.len()), "{requirement}");
        }
        let open = |row: &&Value| IN_COLUMNS.iter().any(|requirement| shows(row, requirement));
        let expected: Vec<i64> = all.iter().filter(|row| !open(row)).map(id).collect();
        assert_eq!(ids(client, &format!("{folder}?limit=1000&requirement=nothing")).await, expected, "{folder}");
        assert!(!expected.is_empty(), "{folder}");
    }
}

#[tokio::test]
async fn requested_documents_are_open_until_they_are_in_and_the_order_is_touched() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let order = order_for_c1(&test, New).await;
    let other = test.add_order_with(New, |order| order.visa_type = None).await;
    let listed = async |requirement: &str| ids(&budi, &format!("allOrder?requirement={requirement}")).await;
    for document in needed_documents("C1").iter().filter(|document| document.required) {
        give(&test, order, document.kind).await;
    }
    assert_eq!(listed("documents_requested").await, [0; 0]);
    assert_eq!(listed("nothing").await, [other, order]);
    assert_eq!(ask(&budi, order, &[("bank_statement", "missing")]).await.status, 200);
    assert_eq!(listed("documents_requested").await, [order]);
    assert_eq!(listed("nothing").await, [other]);
    let applicant = test.as_visitor(order).await;
    assert_eq!(send(&applicant, order, "bank_statement", pdf()).await.status, 200);
    assert_eq!(listed("documents_requested").await, [0; 0]);
    assert_eq!(listed("documents_received").await, [order]);
    assert_eq!(ids(&budi, "newOrder?requirement=documents_received").await, [order]);
    assert_eq!(listed("nothing").await, [other, order], "the documents are in");
}

#[tokio::test]
async fn a_requirement_narrows_searches_files_single_rows_and_views() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    let (unclear, clear) = (test.add_order(New).await, test.add_order(New).await);
    test.write(move |tx| {
        Ok(diesel::update(orders::table.find(unclear)).set(orders::unclear_fields.eq(1)).execute(tx)?)
    })
    .await;
    let filter = json!({ "requirement": "unclear_fields" });
    let body = json!({ "folderName": "newOrder", "searchVal": "ana", "filter": filter });
    assert_eq!(made.post("/admin/search-order", body).await.order_ids(), [unclear]);
    let both = format!("/admin/order-rows/newOrder/{unclear},{clear}?requirement=unclear_fields");
    assert_eq!(made.get(&both).await.order_ids(), [unclear]);
    let file = made.get("/admin/orders-csv/newOrder?requirement=unclear_fields").await;
    assert!(file.text.contains(&unclear.to_string()) && !file.text.contains(&clear.to_string()), "{file}");
    let view = json!({ "name": "Unclear", "folder": "newOrder", "filter": filter, "isShared": false });
    assert_eq!(made.put("/admin/saved-view", view).await.status, 200);
    assert_eq!(made.get("/admin/saved-views").await.data()["views"][0]["filter"], filter);
    assert_eq!(made.get("/admin/saved-view-counts").await.data()[0]["count"], 1);
}
