//! `column` is one of some ids, as a condition that both databases keep prepared. Diesel's `eq_any` binds a value for each id on SQLite:
//! another statement for each number of ids, which SQLite parses at every call.

use diesel::QueryResult;
use diesel::connection::Connection;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Bool, Text};
use diesel::sqlite::Sqlite;

use super::conn::Conn;

/// The backend of statements for either database.
pub type Both = <Conn as Connection>::Backend;

/// The condition; see [`one_of`].
#[derive(Clone, Debug, QueryId, ValidGrouping)]
pub struct OneOf<C> {
    column: C,
    ids: Vec<i64>,
    /// The same as a JSON array.
    json: String,
}

/// The condition that `column` is one of `ids`.
pub fn one_of<C, I: Copy + Into<i64>>(column: C, ids: &[I]) -> OneOf<C> {
    let ids: Vec<i64> = ids.iter().copied().map(Into::into).collect();
    let json = serde_json::Value::from(ids.clone()).to_string();
    OneOf { column, ids, json }
}

impl<C: Expression<SqlType = BigInt>> Expression for OneOf<C> {
    type SqlType = Bool;
}

impl<C: AppearsOnTable<QS>, QS> AppearsOnTable<QS> for OneOf<C> where Self: Expression {}

impl<C: SelectableExpression<QS>, QS> SelectableExpression<QS> for OneOf<C> where Self: AppearsOnTable<QS> {}

impl<C: QueryFragment<Sqlite>> QueryFragment<Sqlite> for OneOf<C> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.column.walk_ast(out.reborrow())?;
        out.push_sql(" IN (SELECT value FROM json_each(");
        out.push_bind_param::<Text, _>(&self.json)?;
        out.push_sql("))");
        Ok(())
    }
}

impl<C: QueryFragment<Pg>> QueryFragment<Pg> for OneOf<C> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.column.walk_ast(out.reborrow())?;
        out.push_sql(" = ANY(");
        out.push_bind_param::<Array<BigInt>, _>(&self.ids)?;
        out.push_sql(")");
        Ok(())
    }
}

impl<C: QueryFragment<Sqlite> + QueryFragment<Pg>> QueryFragment<Both> for OneOf<C> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Both>) -> QueryResult<()> {
        Both::walk_variant_ast(self, out)
    }
}
