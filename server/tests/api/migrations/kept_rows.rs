//! Rows that are kept for ever cannot be replaced by an INSERT or an UPDATE either, by whichever unique key.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use serde_json::json;
use visadesk::db::Conn;
use visadesk::orders::status::ProcessStatus::{New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::backup::everything;
use crate::deliveries::upload;
use crate::support::database::is_postgres;
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// Each table with its keys, the primary key first, and a value of each key that no row has.
const KEPT: [(&str, &[(&str, &str)]); 11] = [
    ("audit", &[("audit_id", "audit_id + 1000000")]),
    (
        "audit_chain",
        &[("link_id", "link_id + 1000000"), ("first_id", "first_id - 1000000"), ("last_id", "last_id + 1000000")],
    ),
    ("access_log", &[("access_id", "access_id + 1000000")]),
    ("defence_packs", &[("pack_id", "pack_id + 1000000"), ("file1", "file1 || 'x'")]),
    (
        "refunds",
        &[("refund_id", "refund_id + 1000000"), ("mail_id", "mail_id + 1000000"), ("order_id", "order_id + 1000000")],
    ),
    ("filings", &[("filing_id", "filing_id + 1000000")]),
    ("deliveries", &[("document_id", "document_id + 1000000")]),
    ("refund_approvals", &[("approval_id", "approval_id + 1000000")]),
    ("refund_approval_orders", &[("approval_id, order_id", "approval_id, order_id + 1000000")]),
    ("order_originals", &[("order_id, field", "order_id + 1000000, field")]),
    ("orders", &[("order_id", "order_id + 1000000"), ("external_reference", "external_reference || 'x'")]),
];

/// The reason with which the database refuses a change, in lower case on both databases.
pub async fn refusal(test: &TestApp, change: impl Fn(&mut Conn) -> QueryResult<usize> + Send + 'static) -> String {
    let refused = test.db().write(move |tx| Ok(change(tx)?)).await;
    refused.map_or_else(|error| error.to_string().to_lowercase(), |rows| format!("none: it changed {rows} rows"))
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    name: String,
}

/// The columns that a row is inserted with.
fn columns(conn: &mut Conn, table: &str) -> QueryResult<Vec<String>> {
    let query = if is_postgres() {
        format!(
            "SELECT column_name::text AS name FROM information_schema.columns
             WHERE table_name = '{table}' AND is_generated = 'NEVER' ORDER BY ordinal_position"
        )
    } else {
        format!("SELECT name FROM pragma_table_info('{table}')")
    };
    let found: Vec<Column> = diesel::sql_query(query).load(conn)?;
    Ok(found.into_iter().map(|column| column.name).collect())
}

/// Inserts a copy of a row that has only this key in common with it, in place of it.
fn replace(tx: &mut Conn, table: &str, keys: &[(&str, &str)], key: &str) -> QueryResult<usize> {
    let columns = columns(tx, table)?;
    let value = |column: &String| {
        let other = keys.iter().find(|(name, _)| *name == column.as_str() && *name != key);
        other.map_or_else(|| column.clone(), |(_, value)| (*value).to_owned())
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    let first = key.split(", ").next().unwrap_or(key);
    let (columns, values) = (columns.join(", "), values.join(", "));
    let row = format!("INTO {table} ({columns}) SELECT {values} FROM {table} WHERE {first} IS NOT NULL LIMIT 1");
    diesel::sql_query(if is_postgres() {
        format!("INSERT {row} ON CONFLICT ({key}) DO UPDATE SET {first} = excluded.{first}")
    } else {
        format!("INSERT OR REPLACE {row}")
    })
    .execute(tx)
}

#[tokio::test]
async fn a_row_that_is_kept_cannot_be_replaced_by_any_of_its_keys() {
    let (installation, _) = everything::installation().await;
    let test = TestApp::on(&installation).await;
    for (table, keys) in KEPT {
        // On PostgreSQL the way leads through an update, whichever key it takes; orders are updated every day there.
        let tried = if is_postgres() { usize::from(table != "orders") } else { keys.len() };
        for (key, _) in keys.iter().take(tried) {
            let replaced = test.db().write(move |tx| Ok(replace(tx, table, keys, key)?)).await;
            let reason = replaced.expect_err(table).to_string();
            assert!(reason.contains("append-only") || reason.contains("never"), "{table} by {key}: {reason}");
        }
    }
}

/// What an update that the table allows sets as well.
fn allowed_change(table: &str) -> &'static str {
    match table {
        "refunds" => ", taken_back_at = refunded_at, taken_back_by = staff_id, taken_back_reason = 'wrong order'",
        "deliveries" => {
            ", looked_by = (SELECT min(staff_id) FROM staff), looked_at = (SELECT min(created_at) FROM orders)"
        }
        "filings" => ", outcome = 'replaced', closed_by = filed_by, closed_at = filed_at",
        "refund_approvals" => ", state = 'Withdrawn', decided_by = requested_by, decided_at = requested_at",
        _ => "",
    }
}

/// Gives the last row but one the key of the last row, in place of it. Of a single row the key stays.
fn replace_last(tx: &mut Conn, table: &str, primary: &str, key: &str) -> QueryResult<usize> {
    let or_replace = if is_postgres() { "" } else { "OR REPLACE" };
    let last = format!("(SELECT max({primary}) FROM {table})");
    let before_last = format!("(SELECT max({primary}) FROM {table} WHERE {primary} < {last})");
    diesel::sql_query(format!(
        "UPDATE {or_replace} {table} SET {key} = (SELECT {key} FROM {table} WHERE {primary} = {last} LIMIT 1){}
         WHERE {primary} = coalesce({before_last}, {last})",
        allowed_change(table)
    ))
    .execute(tx)
}

async fn count(test: &TestApp, table: &'static str) -> i64 {
    #[derive(QueryableByName)]
    struct Rows {
        #[diesel(sql_type = BigInt)]
        rows: i64,
    }
    let query = format!("SELECT count(*) AS rows FROM {table}");
    test.read(move |conn| Ok(diesel::sql_query(query).get_result::<Rows>(conn)?.rows)).await
}

#[tokio::test]
async fn an_update_cannot_put_a_row_in_place_of_one_that_is_kept() {
    let (installation, _) = everything::installation().await;
    let test = TestApp::on(&installation).await;
    // Two rows of each table whose rows may change at all, the last one without rows that depend on it.
    let refund = async |desk: &Client<'_>, orders: &[i64]| {
        desk.put("/admin/move-to-complete-refund", json!({ "orderId": orders })).await.status
    };
    let ayu = test.as_staff(Admin, "Ayu Lestari");
    assert_eq!(refund(&ayu, &[test.add_order(Refunds).await]).await, 200);
    let careful = test.another_node_with(|config| config.refunds.approval_orders = 1).await;
    let budi = careful.with_token(test.as_staff(Team, "Budi Santoso").token().await);
    assert_eq!(refund(&budi, &[test.add_order(Refunds).await, test.add_order(Refunds).await]).await, 202);
    let order = test.add_order(New).await;
    assert_eq!(upload(&ayu, order, pdf(), "").await.status, 200);
    for reference in ["shop-1", "shop-2"] {
        test.add_order_with(New, |order| order.external_reference = Some(reference.into())).await;
    }
    test.app.audit.access_log.flush().await.expect("the views are written");

    for (table, keys) in KEPT {
        let first = |key: &'static str| key.split(", ").next().unwrap_or(key);
        let primary = first(keys[0].0);
        // On SQLite the row number is another name of a primary key of one column.
        let has_rowid = !is_postgres() && keys[0].0 == primary;
        let names = keys.iter().map(|(key, _)| first(key)).chain(has_rowid.then_some("rowid"));
        for key in names {
            let before = count(&test, table).await;
            let replaced = test.db().write(move |tx| Ok(replace_last(tx, table, primary, key)?)).await;
            let reason = replaced.expect_err(&format!("{table} by {key}")).to_string();
            // PostgreSQL replaces no rows: an update of an order meets the unique key.
            let is_refused = reason.contains("append-only") || reason.contains("never") || is_postgres();
            assert!(is_refused, "{table} by {key}: {reason}");
            assert_eq!(count(&test, table).await, before, "{table} by {key}");
        }
    }
}
