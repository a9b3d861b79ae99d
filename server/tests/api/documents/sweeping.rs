//! The sweeper deletes files without rows, and `check-files` reports rows without files.

use chrono::TimeDelta;
use diesel::prelude::*;
use visadesk::db::schema::documents;
use visadesk::documents::sweeper;
use visadesk::error::Permission;

use super::{files, shop_with_order, stored, upload};
use crate::support::TestApp;
use crate::support::program::Installation;
use crate::support::sample_files::pdf;

#[tokio::test]
async fn a_file_without_a_row_is_deleted_after_a_day_and_a_file_with_a_row_stays() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    upload(&shop, "bank_statement", pdf(), "x.pdf").await;
    let orphan = test.app.documents.files.put(pdf().into(), Permission::in_background()).await.unwrap();
    test.later(TimeDelta::hours(23));
    assert_eq!(sweeper::sweep(&test.app.documents).await.unwrap(), 0, "its row may not be committed yet");
    test.later(TimeDelta::hours(2));
    assert_eq!(sweeper::sweep(&test.app.documents).await.unwrap(), 1);
    assert_eq!((stored(&test).await.len(), files(&test).len()), (1, 1));
    assert!(!files(&test).contains(&orphan.key));
}

#[tokio::test]
async fn a_sweep_over_the_files_of_another_database_deletes_nothing() {
    let test = TestApp::start().await;
    for _ in 0..101 {
        test.app.documents.files.put(pdf().into(), Permission::in_background()).await.unwrap();
    }
    test.later(TimeDelta::hours(25));
    let result = sweeper::sweep(&test.app.documents).await.map_err(|error| error.to_string());
    assert!(result.unwrap_err().contains("101 of 101 files have no row"));
    assert_eq!(files(&test).len(), 101);
}

#[tokio::test]
async fn check_files_reports_missing_and_changed_files() {
    let installation = Installation::make().await;
    let key = String::from_utf8(installation.run(&["api-key", "add", "shop"], "").stdout).unwrap();
    let server = installation.serve(&[]);
    super::kills::add_order(&server, key.trim()).await;
    for number in 0..3 {
        let sent = super::kills::send(&server, key.trim(), &format!("k{number}"), pdf()).await;
        assert_eq!(sent.unwrap().0, 200);
    }
    let intact = installation.run(&["check-files"], "");
    assert!(intact.status.success());
    assert_eq!(String::from_utf8_lossy(&intact.stdout), "All 3 files are there and as they were stored.\n");

    let folder = installation.folder().join("files");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    std::fs::remove_file(names.pop().unwrap()).unwrap();
    std::fs::write(names.pop().unwrap(), b"something else").unwrap();
    let damaged = installation.run(&["check-files"], "");
    assert!(!damaged.status.success());
    let output = String::from_utf8_lossy(&damaged.stdout).into_owned();
    assert_eq!(output.lines().count(), 2, "{output}");
    assert!(output.contains("no longer exists") && output.contains("changed or damaged"), "{output}");
    assert!(output.lines().all(|line| line.starts_with("order 100001, bank_statement, file ")), "{output}");
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("2 of 3 files are missing or changed"));
}

#[tokio::test]
async fn a_rejected_upload_leaves_no_row_without_its_file() {
    let test = TestApp::start_with(|config| config.limits.files_per_order = 1).await;
    let shop = shop_with_order(&test).await;
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 413);
    let keys: Vec<String> = test.read(|conn| Ok(documents::table.select(documents::file1).load(conn)?)).await;
    assert_eq!(files(&test), keys);
}
