//! Workbooks of Excel, which a child reads. The cases of `server/tests/inputs/36-xlsx` say what is read.

use std::fs::{self, File};
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{file, names, run, summary, try_run};
use crate::support::TestApp;

/// The file of a case.
fn case(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs/36-xlsx").join(name)).expect("the file of a case")
}

/// The workbook of a case with an entry replaced by what `content` gives.
fn with_entry(name: &str, content: &mut dyn Read) -> Vec<u8> {
    let mut original = zip::ZipArchive::new(Cursor::new(case("results-of-formulas.xlsx"))).expect("an archive");
    let mut changed = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..original.len() {
        let entry = original.by_index_raw(index).expect("an entry");
        if entry.name().expect("a name") != name {
            changed.raw_copy_file(entry).expect("it is copied");
        }
    }
    changed.start_file(name, SimpleFileOptions::default()).expect("a new entry");
    std::io::copy(content, &mut changed).expect("it is compressed");
    changed.finish().expect("an archive").into_inner()
}

/// Imports a file, which must be refused. Returns the message.
async fn refused(test: &TestApp, path: PathBuf) -> String {
    let message = try_run(test, &path).await.expect_err("it is refused");
    assert!(names(test).await.is_empty(), "{message}");
    message
}

#[tokio::test]
async fn a_workbook_is_recognised_by_its_content_and_its_other_sheets_are_named() {
    let test = TestApp::start().await;
    let path = file(&test, "orders.csv", case("hidden-sheet-of-lists-first.xlsx"));
    let (first, _) = run(&test, path.clone(), false).await;
    assert_eq!(first.notes, ["sheets that are not imported: Lists"]);
    assert_eq!((first.added, names(&test).await), (1, vec!["Ann Lee".to_owned()]));
    assert_eq!(run(&test, path, false).await.0.known, 1);
}

#[tokio::test]
async fn a_file_that_is_called_a_workbook_and_is_none_is_refused() {
    let test = TestApp::start().await;
    for name in ["orders.xlsx", "orders.XLS", "orders.ods"] {
        let message = refused(&test, file(&test, name, "full_name,user.email\nAnn,a@b.co\n")).await;
        assert!(message.contains("save it as XLSX or CSV"), "{name}: {message}");
    }
    assert_eq!(run(&test, file(&test, "empty.ndjson", ""), false).await.0, summary(0, 0, 0));
}

#[tokio::test]
async fn a_workbook_larger_than_the_limit_is_refused_before_it_is_read() {
    let test = TestApp::start().await;
    let path = test.app.config.data_dir.join("large.xlsx");
    let mut large = File::create(&path).unwrap();
    large.write_all(b"PK\x03\x04").unwrap();
    large.set_len(50 * 1024 * 1024 + 1).unwrap();
    let message = refused(&test, path).await;
    assert!(message.contains("too large"), "{message}");
}

#[tokio::test]
async fn a_workbook_that_unpacks_to_too_much_is_refused() {
    let test = TestApp::start().await;
    let bomb = with_entry("xl/worksheets/sheet1.xml", &mut std::io::repeat(b' ').take(300 * 1024 * 1024));
    assert!(bomb.len() < 1024 * 1024);
    let message = refused(&test, file(&test, "bomb.xlsx", bomb)).await;
    assert!(message.contains("too large or too complex. Save its sheet of orders as CSV"), "{message}");
}

#[tokio::test]
async fn a_workbook_that_its_child_dies_over_is_refused() {
    let test = TestApp::start().await;
    // Room for more texts than there is memory.
    let strings = format!("<sst uniqueCount=\"{}\"></sst>", u64::MAX / 64);
    let deadly = with_entry("xl/sharedStrings.xml", &mut strings.as_bytes());
    let message = refused(&test, file(&test, "deadly.xlsx", deadly)).await;
    assert!(message.contains("too large or too complex. Save its sheet of orders as CSV"), "{message}");
}
