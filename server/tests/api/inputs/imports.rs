//! Files that are imported, each into a program of its own.

use std::path::Path;

use diesel::prelude::*;
use toml::{Table, Value};
use visadesk::db::schema::orders;
use visadesk::intake::import::Summary;
use visadesk::staff::rules::StaffType::Admin;

use super::Case;
use super::orders::stored;
use crate::import::{file, try_run};
use crate::support::TestApp;

pub async fn faults(case: &Case) -> Vec<String> {
    let test = TestApp::start().await;
    let given = |name: &str| case.given.get(name).and_then(Value::as_str);
    let first = match given("path") {
        Some(path) => case.folder().join(path),
        None => file(&test, "first.csv", given("text").unwrap_or_default()),
    };
    let mut imported = vec![try_run(&test, &first).await];
    if let Some(again) = given("again") {
        imported.push(try_run(&test, &file(&test, "again.csv", again)).await);
    }
    let mut faults = Vec::new();
    let stops = texts(case.expected.get("stops"));
    let (mut sum, mut report) = (Summary::default(), String::new());
    for outcome in imported {
        match outcome {
            Ok((summary, lines)) => {
                sum.added += summary.added;
                sum.known += summary.known;
                sum.notes.extend(summary.notes);
                report += &lines;
            }
            Err(message) if !stops.is_empty() && stops.iter().all(|part| message.contains(part)) => {}
            Err(message) => faults.push(format!("it stops: {message}")),
        }
    }
    if !stops.is_empty() && sum.added > 0 {
        faults.push("it does not stop".to_owned());
    }
    for (name, is) in [("imported", sum.added), ("present", sum.known)] {
        faults.extend(case.compare(name, i64::try_from(is).expect("a small number")));
    }
    for unknown in texts(case.expected.get("unknown")) {
        if !sum.notes.iter().any(|note| note.contains(&unknown)) {
            faults.push(format!("{unknown} is not named: {:?}", sum.notes));
        }
    }
    for rejected in tables(case.expected.get("rejected")) {
        let begins = format!("row {}: ", rejected["row"]);
        let line = report.lines().find_map(|line| line.strip_prefix(&begins)).unwrap_or_default();
        let named = texts(rejected.get("fields"));
        if line.is_empty() || !named.iter().all(|field| line.contains(&format!("{field} "))) {
            faults.push(format!("{begins}{named:?} is not rejected: {report}"));
        }
    }
    for expected in tables(case.expected.get("stored")) {
        let field = expected["field"].as_str().expect("a name");
        let details = details(&test, &expected).await;
        let is = stored(&details, field);
        if is != expected["value"].as_str().expect("a text") {
            faults.push(format!("{field} is {is:?}; {report}"));
        }
    }
    for expected in tables(case.expected.get("kept")) {
        let Some(field) = expected.get("field") else { continue };
        let details = details(&test, &expected).await;
        let all = details["kept_values"].as_array().cloned().unwrap_or_default();
        let is_kept = |kept: &&serde_json::Value| {
            kept["field"].as_str() == field.as_str()
                && kept["value"].as_str() == expected["value"].as_str()
                && kept["is_open"] == true
        };
        if !all.iter().any(|kept| is_kept(&kept)) {
            faults.push(format!("{field} is not kept: {all:?}; {report}"));
        }
    }
    faults
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn tables(value: Option<&Value>) -> Vec<Table> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).cloned().collect()
}

/// The details of the order of a row: of row 2 it is `W1`.
async fn details(test: &TestApp, expected: &Table) -> serde_json::Value {
    let reference = format!("W{}", expected["row"].as_integer().expect("a row") - 1);
    let find = orders::table.filter(orders::external_reference.eq(reference)).select(orders::order_id);
    let id: Option<i64> = test.read(move |conn| Ok(find.clone().first(conn).optional()?)).await;
    match id {
        Some(id) => test.as_staff(Admin, "Ayu").get(&format!("/admin/get-orders-details/{id}")).await.data().clone(),
        None => serde_json::Value::Null,
    }
}

/// The folder of a case.
impl Case {
    pub fn folder(&self) -> std::path::PathBuf {
        let kind = self.name.split('/').next().unwrap_or_default();
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs").join(kind)
    }
}
