//! Imports by the command: one that is killed in the middle continues where it stopped, and a row that fails is logged.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::Db;
use visadesk::db::schema::orders;

use crate::support::program::Installation;
use crate::support::until;

const ROWS: i64 = 4_000;

async fn open(installation: &Installation) -> Db {
    let url = installation.database_url();
    tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens")
}

/// Writes rows of these people, in this sequence. Returns the path of the file.
fn rows_of(installation: &Installation, names: impl Iterator<Item = String>) -> String {
    let rows = names.enumerate().map(|(number, name)| {
        let row = json!({ "full_name": name, "contact_email_address": "a@post.example",
            "processing_mode": "Regular Processing", "external_reference": format!("R{number}") });
        format!("{row}\n")
    });
    let file = installation.folder().join("orders.ndjson");
    std::fs::write(&file, rows.collect::<String>()).expect("the file is written");
    file.display().to_string()
}

async fn count(db: &Db) -> i64 {
    db.read(|conn| Ok(orders::table.count().get_result(conn)?)).await.expect("the query succeeds")
}

#[tokio::test]
async fn a_killed_import_continues_in_the_next_run_and_adds_each_row_once() {
    let installation = Installation::make().await;
    let file = rows_of(&installation, (0..ROWS).map(|number| format!("Person {number}")));
    let db = open(&installation).await;

    let mut child = installation.command(&["import", &file]).spawn().expect("the import starts");
    until("the first rows are imported", async || {
        assert!(child.try_wait().expect("a status").is_none(), "the import ended before it could be killed");
        (count(&db).await > 0).then_some(())
    })
    .await;
    child.kill().expect("the import is running");
    child.wait().expect("the import has exited");
    let saved = count(&db).await;
    assert!((1..ROWS).contains(&saved), "{saved} rows were saved before the kill");

    let again = installation.run(&["import", &file], "");
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(count(&db).await, ROWS);
    let report = String::from_utf8_lossy(&again.stdout).into_owned() + &String::from_utf8_lossy(&again.stderr);
    let expected = format!("Imported: {}. Already present: {saved}. Refused: 0.", ROWS - saved);
    assert!(report.contains(&expected), "{report}");
}

#[tokio::test]
async fn a_row_that_the_database_refuses_is_reported_and_its_cause_logged() {
    let installation = Installation::make().await;
    let db = open(&installation).await;
    let index = "CREATE UNIQUE INDEX one_of_each_name ON orders (full_name)";
    db.write(move |tx| Ok(tx.batch_execute(index)?)).await.expect("the index is made");
    let file = rows_of(&installation, ["Kembar", "Kembar"].map(str::to_owned).into_iter());

    let output = installation.run(&["import", &file], "");
    let [report, log] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{log}");
    assert_eq!(report, "row 2: the row could not be saved\nImported: 1. Already present: 0. Refused: 1.\n");
    let line = log.lines().find(|line| line.contains("could not be saved"));
    let line = line.unwrap_or_else(|| panic!("nothing about it is in the log: {log}"));
    let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not a JSON record: {line}"));
    assert_eq!(
        (&line["level"], &line["message"], &line["row"]),
        (&json!("ERROR"), &json!("a row could not be saved"), &json!(2))
    );
    let cause = line["error"].as_str().expect("the cause");
    assert!(cause.contains(if db.is_postgres() { "23505" } else { "UNIQUE" }) && !cause.contains("Kembar"), "{cause}");
}
