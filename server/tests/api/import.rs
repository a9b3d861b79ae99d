mod again;
mod reports;
mod workbooks;

use std::path::{Path, PathBuf};

use diesel::prelude::*;
use serde_json::json;
use visadesk::db::schema::{folder_counter_deltas, folder_counters, orders};
use visadesk::intake::import::{self, Import, Summary};
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use crate::search::merge_pending_texts;
use crate::support::TestApp;
use crate::support::program::BINARY;

/// Writes a file to the data folder of the test.
pub fn file(test: &TestApp, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = test.app.config.data_dir.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Imports the file. Returns the summary and the lines of refused rows.
pub async fn run(test: &TestApp, file: PathBuf, dry_run: bool) -> (Summary, String) {
    let (summary, lines) = with(test, Import { dry_run, ..whole(file) }).await;
    (summary.expect("the file is imported"), lines)
}

/// Imports the file. Returns the summary and the lines of refused rows, or the message of a file that cannot be imported.
pub async fn try_run(test: &TestApp, file: &Path) -> Result<(Summary, String), String> {
    let (summary, lines) = with(test, whole(file.to_owned())).await;
    summary.map(|summary| (summary, lines))
}

/// An import of a whole file without a report.
fn whole(file: PathBuf) -> Import {
    Import { file, dry_run: false, all_or_nothing: false, report: None, program: BINARY.into() }
}

async fn with(test: &TestApp, options: Import) -> (Result<Summary, String>, String) {
    let (db, clock, config) = (test.db().clone(), test.clock.clone(), test.app.config.clone());
    let import = move || {
        let mut lines = Vec::new();
        let summary = import::run(&db, &clock, &config, &options, &mut lines);
        (summary.map_err(|error| error.message()), String::from_utf8(lines).unwrap())
    };
    tokio::task::spawn_blocking(import).await.unwrap()
}

async fn names(test: &TestApp) -> Vec<String> {
    test.read(|conn| Ok(orders::table.order(orders::order_id).select(orders::full_name).load(conn)?)).await
}

fn line(name: &str, more: &serde_json::Value) -> String {
    let mut row =
        json!({ "full_name": name, "contact_email_address": "a@b.co", "processing_mode": "Regular Processing" });
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{row}\n")
}

fn summary(added: u64, known: u64, refused: u64) -> Summary {
    Summary { added, known, refused, ..Summary::default() }
}

#[tokio::test]
async fn every_valid_row_is_imported_and_each_invalid_row_reported() {
    let test = TestApp::start().await;
    let rows = [
        line("Ann", &json!({ "external_reference": "1" })).into_bytes(),
        b"\n".to_vec(),
        line("", &json!({ "external_reference": "2", "processing_date": "31-12-2026" })).into_bytes(),
        b"not json\n".to_vec(),
        b"{\"full_name\":\"\xff\"}\n".to_vec(),
        line("N\u{0}L", &json!({})).into_bytes(),
        format!("\"{}\"\n", "x".repeat(300_000)).into_bytes(),
        line("Bob", &json!({ "external_reference": "3" })).into_bytes(),
        line("Ann again", &json!({ "external_reference": "1" })).into_bytes(),
        line("Cai", &json!({})).trim_end().as_bytes().to_vec(),
    ];
    let (imported, report) = run(&test, file(&test, "orders.ndjson", rows.concat()), false).await;
    assert_eq!(imported, summary(4, 1, 4));
    assert_eq!(
        report.lines().collect::<Vec<_>>(),
        [
            "row 3: full_name is missing, and so are first_name and last_name",
            "row 4: the row is not a JSON object",
            "row 5: the row contains characters that are not UTF-8",
            "row 7: the row is longer than 256 KB",
        ]
    );
    assert_eq!(names(&test).await, ["Ann", "NL", "Bob", "Cai"]);
}

#[tokio::test]
async fn a_repeated_import_of_a_file_adds_nothing() {
    let test = TestApp::start().await;
    let content: String = (0..1_200)
        .map(|number| {
            let reference =
                if number % 2 == 0 { json!({ "external_reference": format!("R{number}") }) } else { json!({}) };
            line(&format!("Person {number}"), &reference)
        })
        .collect();
    let path = file(&test, "orders.ndjson", content);
    assert_eq!(run(&test, path.clone(), false).await.0, summary(1_200, 0, 0));
    assert_eq!(run(&test, path, false).await.0, summary(0, 1_200, 0));
    assert_eq!(names(&test).await.len(), 1_200);
}

#[tokio::test]
async fn a_dry_run_reports_the_same_and_changes_nothing() {
    let test = TestApp::start().await;
    let content = [
        line("Ann", &json!({ "external_reference": "1" })),
        line("Ann", &json!({ "external_reference": "1" })),
        line("Bob", &json!({ "processing_mode": "Z9" })),
    ]
    .concat();
    let path = file(&test, "orders.ndjson", content);
    let (dry_run_summary, report) = run(&test, path.clone(), true).await;
    assert_eq!(dry_run_summary, Summary { dry_run: true, ..summary(1, 1, 1) });
    assert_eq!(report, "row 3: processing_mode must be Regular Processing or Priority Processing\n");
    assert!(names(&test).await.is_empty());
    assert_eq!(run(&test, path.clone(), false).await.0, summary(1, 1, 1));
    assert_eq!(run(&test, path, true).await.0, Summary { dry_run: true, ..summary(0, 2, 1) });
}

#[tokio::test]
async fn a_csv_file_imports_the_history_of_an_older_system() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi").id().await;
    let content = "external_reference,full_name,user.email,processing_mode,process_status,created_at,refund_date,assign_to,phone_number,gateway,payment_reference,amount,currency\n\
        A1,\"Lee, Ann\",ann@example.com,Priority Processing,Refunds,2025-01-02T03:04:05Z,2025-02-01,budi,0812345678,Stripe,p1,149.00,USD\n\
        A2,Bob,bob@example.com,Regular Processing,Completed,2025-01-03,,,,,,,\n\
        A3,Cai,cai@example.com,Regular Processing,Done,2025-01-03,,Nobody,,,,,\n\
        A4,Dee\n";
    let (imported, report) = run(&test, file(&test, "orders.csv", content), false).await;
    assert_eq!(imported, summary(2, 0, 2));
    assert!(report.starts_with("row 4: process_status must be one of New, Pending"), "{report}");
    assert!(report.contains("row 5: contact_email_address is missing"), "{report}");
    type Row = (String, String, Option<i64>, Timestamp, Option<Timestamp>, Option<String>);
    let row: Row = test
        .read(|conn| {
            let columns = (
                orders::full_name,
                orders::process_status,
                orders::assign_to,
                orders::created_at,
                orders::refund_date,
                orders::phone_number,
            );
            Ok(orders::table.order(orders::order_id).select(columns).first(conn)?)
        })
        .await;
    assert_eq!((row.0.as_str(), row.1.as_str(), row.2), ("Lee, Ann", "Refunds", Some(budi)));
    assert_eq!(Ok(row.3), "2025-01-02T03:04:05Z".parse());
    assert_eq!(row.4, "2025-02-01T00:00:00Z".parse().ok());
    assert_eq!(row.5.as_deref(), Some("0812345678"));
}

#[tokio::test]
async fn an_import_merges_its_texts_into_the_search_indexes() {
    let test = TestApp::start().await;
    let content: String = (0..700).map(|number| line(&format!("Person {number}"), &json!({}))).collect();
    run(&test, file(&test, "orders.jsonl", content), false).await;
    assert_eq!(merge_pending_texts(&test).await, 0, "pages were not merged");
    assert_eq!(test.as_staff(Team, "Budi").search("allOrder", "person 699").await.len(), 1);
}

#[tokio::test]
async fn imported_orders_are_counted() {
    let test = TestApp::start().await;
    let content: String = (0..30).map(|number| line(&format!("Person {number}"), &json!({}))).collect();
    run(&test, file(&test, "orders.jsonl", content), false).await;
    let counted: i64 = test
        .read(|conn| {
            let counters = folder_counters::table.filter(folder_counters::kind.eq("queue"));
            let counters: Vec<i64> = counters.select(folder_counters::order_count).load(conn)?;
            let deltas = folder_counter_deltas::table.filter(folder_counter_deltas::kind.eq("queue"));
            let deltas: Vec<i64> = deltas.select(folder_counter_deltas::order_count).load(conn)?;
            Ok(counters.iter().chain(&deltas).sum())
        })
        .await;
    assert_eq!(counted, 30);
}

#[tokio::test]
async fn an_imported_chargeback_has_a_dispute() {
    let test = TestApp::start().await;
    let row = json!({ "full_name": "Ann Lee", "contact_email_address": "ann@example.com", "processing_mode": "Regular Processing",
        "process_status": "ChargeBack", "gateway": "Stripe", "payment_reference": "pay_1", "amount": "149.00",
        "currency": "USD", "card_brand": "Amex" });
    let (summary, report) = run(&test, file(&test, "one.ndjson", row.to_string()), false).await;
    assert_eq!((summary.added, summary.refused), (1, 0), "{report}");
    let details = test.as_staff(Team, "Budi").get("/admin/get-orders-details/100001").await;
    let dispute = &details.data()["chargeback"];
    assert_eq!(
        (&dispute["network"], &dispute["amount"], &dispute["days_left"], &dispute["updated_by"]),
        (&json!("American Express"), &json!("149.00"), &json!(7), &json!("import"))
    );
    let actions: Vec<&str> =
        details.data()["timeline"].as_array().unwrap().iter().filter_map(|event| event["action"].as_str()).collect();
    assert_eq!(actions, ["chargeback.open", "order.arrive"]);
}

#[tokio::test]
async fn only_an_unreadable_file_fails_the_import() {
    let test = TestApp::start().await;
    let missing = test.app.config.data_dir.join("missing.csv");
    let duplicate_column = file(&test, "twice.csv", "a,a\n1,2\n");
    let errors = [try_run(&test, &missing).await.unwrap_err(), try_run(&test, &duplicate_column).await.unwrap_err()];
    assert!(errors[0].contains("missing.csv cannot be used"), "{}", errors[0]);
    assert!(errors[1].contains("names the column a twice"), "{}", errors[1]);
    assert_eq!(run(&test, file(&test, "empty.ndjson", ""), false).await.0, summary(0, 0, 0));
}
