//! The folder counters: how many orders each queue, owner, month of processing, and month and day of creation holds. Triggers count; on
//! PostgreSQL they append deltas, which [`merge_counter_deltas`] adds up.

use std::collections::BTreeMap;

use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, HasSqlType, Text};
use diesel::sqlite::Sqlite;

use super::rules::{Folder, Holds};
use super::status::ProcessStatus;
use crate::db::Conn;
use crate::db::one_of::Both;
use crate::db::schema::{folder_counter_deltas as deltas, folder_counters as counters};
use crate::error::Result;
use crate::ids::StaffId;

/// A folder counter: its kind, its key and the number of orders.
pub type Counter = (String, String, i64);

/// The numbers of orders in the queues, and of the open orders of members, all of one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderCounters {
    queues: BTreeMap<String, i64>,
    owners: BTreeMap<String, i64>,
}

impl FolderCounters {
    /// Reads them, with the open orders of one member.
    pub fn read_of(conn: &mut Conn, staff_id: StaffId) -> Result<Self> {
        Ok(Self::add_up(counter_rows(conn, "queue", Some(("owner", &staff_id.to_string())))?))
    }

    /// Reads them, with the open orders of all members.
    pub fn read(conn: &mut Conn) -> Result<Self> {
        macro_rules! rows {
            ($table:ident) => {
                $table::table.filter($table::kind.eq_any(["queue", "owner"])).select((
                    $table::kind,
                    $table::key,
                    $table::order_count,
                ))
            };
        }
        let rows: Vec<Counter> = match conn {
            Conn::Sqlite(conn) => rows!(counters).load(conn)?,
            Conn::Postgres(conn) => rows!(counters).union_all(rows!(deltas)).load(conn)?,
        };
        Ok(Self::add_up(rows))
    }

    fn add_up(rows: Vec<Counter>) -> Self {
        let mut all = Self::default();
        for (kind, key, count) in rows {
            let of_kind = if kind == "queue" { &mut all.queues } else { &mut all.owners };
            *of_kind.entry(key).or_default() += count;
        }
        all
    }

    /// The number of orders in a folder of the member `staff_id`.
    pub fn count(&self, folder: Folder, staff_id: StaffId) -> i64 {
        let queue = |name: &str| self.queues.get(name).copied().unwrap_or_default();
        match folder.holds() {
            Holds::Queue(name) => queue(name),
            Holds::OpenOrdersOfPerson => self.owners.get(&staff_id.to_string()).copied().unwrap_or_default(),
            Holds::FutureDates => queue(ProcessStatus::Future.as_str()),
            Holds::Everything => self.queues.values().sum(),
        }
    }
}

/// The folder counters of `kind`, and the one of `(kind, key)` in `and`. Deltas that are not merged yet follow as rows of their own;
/// SQLite's triggers count at once. One statement, so the numbers are of one moment.
pub fn counter_rows(conn: &mut Conn, kind: &str, and: Option<(&str, &str)>) -> Result<Vec<Counter>> {
    // No counter has an empty kind.
    let (other, key) = and.unwrap_or_default();
    macro_rules! rows {
        ($table:ident, $which:expr) => {
            $table::table.filter($which).select(($table::kind, $table::key, $table::order_count))
        };
    }
    macro_rules! either {
        ($table:ident) => {
            rows!($table, $table::kind.eq(kind).or($table::kind.eq(other).and($table::key.eq(key))))
        };
    }
    Ok(match conn {
        // For an OR, SQLite keeps the rows that it has seen, so that none comes twice. That took a fifth of this statement.
        Conn::Sqlite(conn) => rows!(counters, counters::kind.eq(kind))
            .union_all(rows!(counters, counters::kind.eq(other).and(counters::key.eq(key))))
            .load(conn)?,
        Conn::Postgres(conn) => either!(counters).union_all(either!(deltas)).load(conn)?,
    })
}

/// The folder counters of `kind` whose keys lie between two, these included: key and number of orders, by ascending key. One statement.
pub fn counters_between(conn: &mut Conn, kind: &str, from: &str, to: &str) -> Result<Vec<(String, i64)>> {
    macro_rules! rows {
        ($table:ident) => {
            $table::table
                .filter($table::kind.eq(kind))
                .filter($table::key.between(from, to))
                .select(($table::key, $table::order_count))
        };
    }
    let rows: Vec<(String, i64)> = match conn {
        Conn::Sqlite(conn) => rows!(counters).load(conn)?,
        Conn::Postgres(conn) => rows!(counters).union_all(rows!(deltas)).load(conn)?,
    };
    Ok(by_key(rows))
}

/// Adds the counters of each key up: key and number of orders, by ascending key.
pub fn by_key(counters: impl IntoIterator<Item = (String, i64)>) -> Vec<(String, i64)> {
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for (key, count) in counters {
        *counts.entry(key).or_default() += count;
    }
    counts.into_iter().collect()
}

/// The sum of folder counters of one kind, as an expression in any query: of all keys, or of a range of them.
#[derive(Clone, Copy, Debug, ValidGrouping)]
pub struct CounterSum<'a, const IS_RANGE: bool> {
    kind: &'a str,
    from: &'a str,
    to: &'a str,
}

/// The sum of all folder counters of `kind`.
pub fn sum_of_kind(kind: &str) -> CounterSum<'_, false> {
    CounterSum { kind, from: "", to: "" }
}

/// The sum of the folder counters of `kind` whose keys lie between two, these included.
pub fn sum_between<'a>(kind: &'a str, from: &'a str, to: &'a str) -> CounterSum<'a, true> {
    CounterSum { kind, from, to }
}

impl<const IS_RANGE: bool> CounterSum<'_, IS_RANGE> {
    fn push_counts<'b, DB>(&'b self, out: &mut AstPass<'_, 'b, DB>, table: &str) -> QueryResult<()>
    where
        DB: Backend + HasSqlType<Text>,
        str: ToSql<Text, DB>,
    {
        out.push_sql("SELECT order_count FROM ");
        out.push_sql(table);
        out.push_sql(" WHERE kind = ");
        out.push_bind_param::<Text, _>(self.kind)?;
        if IS_RANGE {
            out.push_sql(" AND key BETWEEN ");
            out.push_bind_param::<Text, _>(self.from)?;
            out.push_sql(" AND ");
            out.push_bind_param::<Text, _>(self.to)?;
        }
        Ok(())
    }
}

/// The values are bound, so the statement stays prepared for all of them.
impl<const IS_RANGE: bool> QueryId for CounterSum<'_, IS_RANGE> {
    type QueryId = CounterSum<'static, IS_RANGE>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<const IS_RANGE: bool> Expression for CounterSum<'_, IS_RANGE> {
    type SqlType = BigInt;
}

impl<QS, const IS_RANGE: bool> AppearsOnTable<QS> for CounterSum<'_, IS_RANGE> {}

impl<QS, const IS_RANGE: bool> SelectableExpression<QS> for CounterSum<'_, IS_RANGE> {}

impl<const IS_RANGE: bool> QueryFragment<Sqlite> for CounterSum<'_, IS_RANGE> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("(SELECT coalesce(sum(order_count), 0) FROM (");
        self.push_counts(&mut out, "folder_counters")?;
        out.push_sql("))");
        Ok(())
    }
}

impl<const IS_RANGE: bool> QueryFragment<Pg> for CounterSum<'_, IS_RANGE> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("(SELECT coalesce(sum(order_count), 0)::bigint FROM (");
        self.push_counts(&mut out, "folder_counters")?;
        out.push_sql(" UNION ALL ");
        self.push_counts(&mut out, "folder_counter_deltas")?;
        out.push_sql(") AS counts)");
        Ok(())
    }
}

impl<const IS_RANGE: bool> QueryFragment<Both> for CounterSum<'_, IS_RANGE> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Both>) -> QueryResult<()> {
        Both::walk_variant_ast(self, out)
    }
}

/// Merges at most `max` deltas into the folder counters and returns how many: none while another transaction merges. The trigger
/// that records deltas does the same now and then, so that they stay few without a worker.
pub fn merge_counter_deltas(tx: &mut Conn, max: i64) -> Result<usize> {
    let Conn::Postgres(tx) = tx else { return Ok(0) };
    #[derive(QueryableByName)]
    struct MergedRow {
        #[diesel(sql_type = BigInt)]
        deltas: i64,
    }
    let merged = diesel::sql_query("SELECT merge_counter_deltas($1) AS deltas")
        .bind::<BigInt, _>(max)
        .get_result::<MergedRow>(tx)?;
    Ok(usize::try_from(merged.deltas).unwrap_or(0))
}
