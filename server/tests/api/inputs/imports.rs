//! Files that are imported, each into a program of its own.

use diesel::prelude::*;
use toml::{Table, Value};
use visadesk::db::schema::{orders, payments};
use visadesk::intake::import::Summary;
use visadesk::money::{Currency, Money};
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
        let is = match (field, order_of(&test, &expected).await) {
            ("payment.amount", Some(order_id)) => amount(&test, order_id).await,
            _ => stored(&details(&test, &expected).await, field),
        };
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
                && expected.get("value").is_none_or(|value| kept["value"].as_str() == value.as_str())
                && kept["is_open"] == true
        };
        if !all.iter().any(|kept| is_kept(&kept)) {
            faults.push(format!("{field} is not kept: {all:?}; {report}"));
        }
    }
    faults
}

/// The texts of an array, or one text.
fn texts(value: Option<&Value>) -> Vec<String> {
    let all = value.map_or(&[][..], |value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn tables(value: Option<&Value>) -> Vec<Table> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).cloned().collect()
}

/// The order of a row: of row 2 it is `W1`, or the only order that there is.
async fn order_of(test: &TestApp, expected: &Table) -> Option<i64> {
    let reference = format!("W{}", expected["row"].as_integer().expect("a row") - 1);
    let all: Vec<(i64, Option<String>)> =
        test.read(|conn| Ok(orders::table.select((orders::order_id, orders::external_reference)).load(conn)?)).await;
    let named = all.iter().find(|(_, is)| is.as_ref() == Some(&reference));
    named.or((all.len() == 1).then(|| &all[0])).map(|(order_id, _)| *order_id)
}

async fn details(test: &TestApp, expected: &Table) -> serde_json::Value {
    match order_of(test, expected).await {
        Some(id) => test.as_staff(Admin, "Ayu").get(&format!("/admin/get-orders-details/{id}")).await.data().clone(),
        None => serde_json::Value::Null,
    }
}

/// The amount of an order's payment, which its details do not name. Empty if it has none.
async fn amount(test: &TestApp, order_id: i64) -> String {
    let find = payments::table.find(order_id).select((payments::amount_minor, payments::currency));
    let paid: Option<(i64, String)> = test.read(move |conn| Ok(find.first(conn).optional()?)).await;
    paid.map_or_else(String::new, |(minor, currency)| {
        Money { minor, currency: Currency::parse(&currency).expect("a currency") }.decimal()
    })
}
