//! The first rows of a query, as a limit that is written into the statement. PostgreSQL does not keep the plan of a statement whose limit
//! is a parameter, because it cannot know how few rows it will be asked for.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, RunQueryDsl};

/// The query; see [`first_rows`].
#[derive(Clone, Copy, Debug)]
pub struct FirstRows<Q, const MAX: u32>(Q);

/// The first `MAX` rows of `query`, which has no limit of its own.
pub fn first_rows<const MAX: u32, Q>(query: Q) -> FirstRows<Q, MAX> {
    FirstRows(query)
}

impl<Q: QueryId, const MAX: u32> QueryId for FirstRows<Q, MAX> {
    type QueryId = FirstRows<Q::QueryId, MAX>;
    const HAS_STATIC_QUERY_ID: bool = Q::HAS_STATIC_QUERY_ID;
}

impl<Q: Query, const MAX: u32> Query for FirstRows<Q, MAX> {
    type SqlType = Q::SqlType;
}

impl<Q, C, const MAX: u32> RunQueryDsl<C> for FirstRows<Q, MAX> {}

impl<Q: QueryFragment<Sqlite>, const MAX: u32> QueryFragment<Sqlite> for FirstRows<Q, MAX> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(&format!(" LIMIT {MAX}"));
        Ok(())
    }
}

impl<Q: QueryFragment<Pg>, const MAX: u32> QueryFragment<Pg> for FirstRows<Q, MAX> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(&format!(" LIMIT {MAX}"));
        Ok(())
    }
}
