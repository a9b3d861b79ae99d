//! After all migrations, both databases have exactly the tables and columns of `schema.rs`.

pub mod kept_rows;

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::Text;
use visadesk::db::{Conn, migrations};

use crate::support::TestApp;
use crate::support::database::{Database, FreshDatabase, runs_on};

const SCHEMA: &str = concat!(
    include_str!("../../src/db/schema.rs"),
    include_str!("../../src/db/schema/members.rs"),
    include_str!("../../src/db/schema/standalone.rs")
);

/// A column: its table, name, type and nullability.
type Column = (String, String, String, String);

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    column_type: String,
    #[diesel(sql_type = Text)]
    nullable: String,
}

/// Without the full-text search tables: PostgreSQL uses an index on the row instead.
const SQLITE: &str = "
    SELECT tables.name AS table_name, columns.name AS column_name, columns.type AS column_type,
           CASE WHEN columns.\"notnull\" = 1 OR columns.pk > 0 THEN 'NO' ELSE 'YES' END AS nullable
    FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
      AND tables.name <> '__diesel_schema_migrations'";

const POSTGRES: &str = "
    SELECT table_name::text, column_name::text, data_type::text AS column_type, is_nullable::text AS nullable
    FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '__diesel_schema_migrations'";

/// The columns that `schema.rs` declares, each with the database's name for its type.
fn declared(type_name: impl Fn(&str) -> &'static str) -> BTreeSet<Column> {
    let mut columns = BTreeSet::new();
    let mut table = "";
    for line in SCHEMA.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("diesel::table! { ") {
            table = rest.split_whitespace().next().expect("a table's name");
        } else if let Some((name, kind)) = line.trim_end_matches(',').split_once(" -> ")
            && !line.starts_with("diesel::")
        {
            let inner = kind.strip_prefix("Nullable<").and_then(|kind| kind.strip_suffix('>'));
            let nullable = if inner.is_some() { "YES" } else { "NO" };
            let column_type = type_name(inner.unwrap_or(kind));
            columns.insert((table.to_owned(), name.to_owned(), column_type.to_owned(), nullable.to_owned()));
        }
    }
    assert!(columns.len() > 100, "schema.rs declares columns");
    columns
}

fn sqlite_type(kind: &str) -> &'static str {
    match kind {
        "BigInt" | "Integer" | "Bool" => "INTEGER",
        "Text" | "Timestamp" | "Date" => "TEXT",
        other => panic!("no SQLite type is known for {other}"),
    }
}

fn postgres_type(kind: &str) -> &'static str {
    match kind {
        "BigInt" => "bigint",
        "Integer" => "integer",
        "Bool" => "boolean",
        "Text" => "text",
        "Timestamp" => "timestamp without time zone",
        "Date" => "date",
        other => panic!("no PostgreSQL type is known for {other}"),
    }
}

#[tokio::test]
async fn the_migrated_database_has_exactly_the_tables_and_columns_of_the_schema() {
    let test = TestApp::start().await;
    let (found, declared) = test
        .read(|conn| {
            let (rows, declared): (Vec<Row>, _) = match conn {
                Conn::Sqlite(conn) => (diesel::sql_query(SQLITE).load(conn)?, declared(sqlite_type)),
                Conn::Postgres(conn) => (diesel::sql_query(POSTGRES).load(conn)?, declared(postgres_type)),
            };
            let found = rows.into_iter().map(|row| (row.table_name, row.column_name, row.column_type, row.nullable));
            Ok((found.collect::<BTreeSet<Column>>(), declared))
        })
        .await;
    let only = |left: &BTreeSet<Column>, right: &BTreeSet<Column>| left.difference(right).cloned().collect::<Vec<_>>();
    assert_eq!(only(&found, &declared), [], "columns that are missing in schema.rs");
    assert_eq!(only(&declared, &found), [], "columns that are missing in the database");
}

#[tokio::test]
async fn migrating_a_current_database_applies_no_steps() {
    let test = TestApp::start().await;
    let db = test.db().clone();
    let steps = tokio::task::spawn_blocking(move || migrations::migrate(&db)).await.expect("it runs");
    assert_eq!(steps.ok(), Some(0));
}

#[tokio::test]
async fn a_database_from_a_newer_version_is_refused() {
    let test = TestApp::start().await;
    test.write(|tx| {
        let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000000')";
        Ok(match tx {
            Conn::Sqlite(tx) => diesel::sql_query(newer).execute(tx)?,
            Conn::Postgres(tx) => diesel::sql_query(newer).execute(tx)?,
        })
    })
    .await;
    let db = test.db().clone();
    let refused = tokio::task::spawn_blocking(move || migrations::migrate(&db)).await.expect("it runs");
    assert_eq!(refused.expect_err("it is refused").code(), "unknown_migration");
}

#[tokio::test]
async fn a_postgresql_database_that_would_drop_letters_is_refused_with_the_fix() {
    if !runs_on(Database::Postgres, "SQLite indexes every letter") {
        return;
    }
    for (options, reason) in [
        ("ENCODING 'UTF8' LOCALE 'C'", "drops Chinese and Arabic letters from its search index"),
        ("ENCODING 'SQL_ASCII' LOCALE 'C'", "not encoded in UTF-8"),
    ] {
        let database = FreshDatabase::make_empty_with(options).await;
        let db = database.open().await;
        let refused = tokio::task::spawn_blocking(move || migrations::migrate(&db)).await.expect("it runs");
        let refused = refused.err().map(|error| error.message()).unwrap_or_default();
        assert!(refused.contains(reason) && refused.contains("Create it with"), "{options}: {refused}");
    }
}
