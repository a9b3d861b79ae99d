//! Importing a file again fills what is empty, and changes no decision.

use serde_json::{Value, json};
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::{file, run, whole, with};
use crate::support::TestApp;
use visadesk::intake::import::Import;

const HEADER: &str = "external_reference,full_name,contact_email_address,processing_mode";
const FIRST: &str = "W1,Ann Lee,ann@shop.example,Regular Processing";

async fn details(test: &TestApp) -> Value {
    test.as_staff(Admin, "Citra").get("/admin/get-orders-details/100001").await.data().clone()
}

/// Imports one row with further columns. Returns the notes and the lines of the report.
async fn again(test: &TestApp, columns: &str, values: &str) -> (Vec<String>, Vec<String>) {
    let path = file(test, "again.csv", format!("{HEADER},{columns}\n{FIRST},{values}\n"));
    let report = test.app.config.data_dir.join("report.csv");
    let (imported, _) = with(test, Import { report: Some(report.clone()), ..whole(path) }).await;
    let summary = imported.expect("it is imported");
    assert_eq!((summary.added, summary.known, summary.refused), (0, 1, 0));
    let report = std::fs::read_to_string(report).unwrap();
    (summary.notes, report.lines().skip(1).map(str::to_owned).collect())
}

async fn first(test: &TestApp) {
    let (summary, _) = run(test, file(test, "first.csv", format!("{HEADER}\n{FIRST}\n")), false).await;
    assert_eq!(summary.added, 1);
}

#[tokio::test]
async fn a_file_that_is_imported_again_fills_empty_fields_with_audit_and_the_search_finds_them() {
    let test = TestApp::start().await;
    first(&test).await;
    let (notes, lines) = again(&test, "phone_number,document_number", "0812345678,X1234567").await;
    assert_eq!(notes, ["empty fields of orders that are present, filled: 2"]);
    assert_eq!(
        lines,
        [
            "2,phone_number,0812345678,\"filled in the order that was there, 100001\"",
            "2,document_number,X1234567,\"filled in the order that was there, 100001\""
        ]
    );
    let order = details(&test).await;
    assert_eq!((&order["phone_number"], &order["document_number"]), (&json!("0812345678"), &json!("X1234567")));
    assert_eq!(test.as_staff(Team, "Budi").search("allOrder", "X1234567").await.len(), 1);
    let event = &order["timeline"][0];
    assert_eq!(
        (&event["actor"], &event["action"], &event["after"]),
        (&json!("import"), &json!("order.correct"), &json!("document_number: X•••67"))
    );
    assert_eq!(again(&test, "phone_number,document_number", "0812345678,X1234567").await, (vec![], vec![]));
}

#[tokio::test]
async fn a_file_that_is_imported_again_changes_no_value_and_no_decision_of_a_member() {
    let test = TestApp::start().await;
    first(&test).await;
    again(&test, "city,village", "Kuta,Legian").await;
    let correction = json!({ "orderId": 100_001, "fields": { "village": { "before": "Legian", "after": null } } });
    let corrected = test.as_staff(Admin, "Citra").put("/admin/correct-order", correction).await;
    assert_eq!(corrected.message(), "1 field was corrected");
    let (notes, lines) = again(&test, "city,village,nationality", "Ubud,Seminyak,Australia").await;
    assert_eq!(notes, ["empty fields of orders that are present, filled: 1"]);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[1].starts_with("2,city,Ubud,not changed: the order has another value"), "{lines:?}");
    assert!(lines[2].starts_with("2,village,Seminyak,not changed: a member of staff decided"), "{lines:?}");
    let order = details(&test).await;
    let is = [&order["city"], &order["village"], &order["nationality"]];
    assert_eq!(is, [&json!("Kuta"), &Value::Null, &json!("Australia")]);
}

#[tokio::test]
async fn a_file_that_is_imported_again_changes_no_final_order() {
    let test = TestApp::start().await;
    let header = format!("{HEADER},process_status");
    run(&test, file(&test, "first.csv", format!("{header}\n{FIRST},Completed\n")), false).await;
    let (notes, lines) = again(&test, "city", "Kuta").await;
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(lines, ["2,city,Kuta,not filled: the order is in Completed (100001)"]);
    assert_eq!(details(&test).await["city"], Value::Null);
}

#[tokio::test]
async fn a_dry_run_tells_what_would_be_filled() {
    let test = TestApp::start().await;
    first(&test).await;
    let path = file(&test, "again.csv", format!("{HEADER},city\n{FIRST},Kuta\n"));
    let (summary, _) = run(&test, path, true).await;
    assert_eq!(summary.notes, ["empty fields of orders that are present, filled: 1"]);
    assert_eq!(details(&test).await["city"], Value::Null);
}
