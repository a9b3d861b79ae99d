//! The report for people, and imports of all or nothing.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use diesel::connection::SimpleConnection;
use visadesk::db::Conn;
use visadesk::intake::import::{Import, Summary};

use super::{file, names, summary, whole, with};
use crate::support::TestApp;

const FAULTY: &str = "external_reference,full_name,contact_email_address,processing_mode,date_of_birth,phone_number\n\
    W1,Ann Lee,ann@shop.example,Regular Processing,1990-13-40,812345678\n\
    W2,Bob Roe,@shop,Regular Processing,,\n\
    W3,Cai Wu,cai@shop.example,Regular Processing,1991-02-03,\n";

/// The cells of a report without quotes in them.
fn rows(report: &PathBuf) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(report).unwrap();
    text.lines().map(|line| line.splitn(4, ',').map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn a_report_for_people_names_each_value_that_was_not_taken_as_it_stands() {
    let test = TestApp::start().await;
    let report = file(&test, "report.csv", "an older report that everybody may read");
    let import = Import { report: Some(report.clone()), ..whole(file(&test, "orders.csv", FAULTY)) };
    let (imported, lines) = with(&test, import).await;
    assert_eq!(imported, Ok(summary(2, 0, 1)));
    assert_eq!(lines, "row 3: contact_email_address must be one email address\n");
    let rows = rows(&report);
    assert_eq!(rows[0], ["row", "column", "value", "reason"]);
    assert_eq!((rows[1][0].as_str(), rows[1][1].as_str(), rows[1][2].as_str()), ("2", "date_of_birth", "1990-13-40"));
    assert!(rows[1][3].contains("kept as entered, please look at the order: date_of_birth must be a date"), "{rows:?}");
    assert_eq!(rows[2][..3], ["3", "contact_email_address", "'@shop"]);
    assert!(rows[2][3].contains("the row is refused: contact_email_address must be one email address"), "{rows:?}");
    assert_eq!(rows.len(), 3);
    assert_eq!(std::fs::metadata(&report).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_report_never_replaces_the_file_that_is_imported() {
    let test = TestApp::start().await;
    let path = file(&test, "orders.csv", FAULTY);
    let (imported, _) = with(&test, Import { report: Some(path.clone()), ..whole(path.clone()) }).await;
    assert!(imported.unwrap_err().contains("the report would replace the file that is imported"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), FAULTY);
}

#[tokio::test]
async fn an_import_of_all_or_nothing_imports_all_or_nothing() {
    let test = TestApp::start().await;
    let all = |path: PathBuf| Import { all_or_nothing: true, ..whole(path) };
    let (refused, lines) = with(&test, all(file(&test, "faulty.csv", FAULTY))).await;
    let message = refused.unwrap_err();
    assert_eq!(
        message,
        "Nothing was imported: 1 row would be refused. Please correct the file, or import it without --all-or-nothing"
    );
    assert!(lines.starts_with("row 3: contact_email_address"), "{lines}");
    assert!(names(&test).await.is_empty());
    let right = file(&test, "right.csv", FAULTY.replace("@shop", "bob@shop.example"));
    let dry = Import { dry_run: true, ..all(right.clone()) };
    assert_eq!(with(&test, dry).await.0, Ok(Summary { dry_run: true, ..summary(3, 0, 0) }));
    assert!(names(&test).await.is_empty());
    assert_eq!(with(&test, all(right.clone())).await.0, Ok(summary(3, 0, 0)));
    assert_eq!(with(&test, all(right)).await.0, Ok(summary(0, 3, 0)));
    assert_eq!(names(&test).await, ["Ann Lee", "Bob Roe", "Cai Wu"]);
}

#[tokio::test]
async fn an_import_of_all_or_nothing_leaves_nothing_of_its_first_rows_when_a_later_one_fails() {
    let test = TestApp::start().await;
    let header = "external_reference,full_name,contact_email_address,processing_mode\n";
    let rows = |first: usize, last: usize| -> String {
        (first..last).map(|row| format!("R{row},Person {row},p{row}@shop.example,Regular Processing\n")).collect()
    };
    let path = file(&test, "orders.csv", format!("{header}{}", rows(0, 1_200)));
    test.write(|tx| {
        Ok(tx.batch_execute(match tx {
            Conn::Sqlite(_) => {
                "CREATE TRIGGER refuse_row BEFORE INSERT ON orders WHEN NEW.full_name = 'Person 1100'
                 BEGIN SELECT RAISE(ABORT, 'not this one'); END"
            }
            Conn::Postgres(_) => {
                "CREATE TRIGGER refuse_row BEFORE INSERT ON orders FOR EACH ROW WHEN (NEW.full_name = 'Person 1100')
                 EXECUTE FUNCTION refuse_change('not this one')"
            }
        })?)
    })
    .await;
    let (imported, _) = with(&test, Import { all_or_nothing: true, ..whole(path) }).await;
    assert_eq!(imported.unwrap_err(), "Something went wrong on our side");
    assert!(names(&test).await.is_empty());
}
