//! An import that is killed in the middle continues where it stopped.

use std::time::Duration;

use diesel::prelude::*;
use serde_json::json;
use visadesk::db::Db;
use visadesk::db::schema::orders;

use crate::support::program::Installation;

const ROWS: i64 = 4_000;

async fn count(db: &Db) -> i64 {
    db.read(|conn| Ok(orders::table.count().get_result(conn)?)).await.expect("the query succeeds")
}

#[tokio::test]
async fn a_killed_import_continues_in_the_next_run_and_adds_each_row_once() {
    let installation = Installation::make().await;
    let file = installation.folder().join("orders.ndjson");
    let rows = (0..ROWS).map(|number| {
        let row = json!({ "full_name": format!("Person {number}"), "contact_email_address": "a@post.example",
            "processing_mode": "Regular Processing", "external_reference": format!("R{number}") });
        format!("{row}\n")
    });
    std::fs::write(&file, rows.collect::<String>()).expect("the file is written");
    let url = installation.database_url();
    let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens");
    let file = file.display().to_string();

    let mut child = installation.command(&["import", &file]).spawn().expect("the import starts");
    while count(&db).await == 0 {
        assert!(child.try_wait().expect("a status").is_none(), "the import ended before it could be killed");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
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
