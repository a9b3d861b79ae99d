//! Updates that stay prepared. Diesel prepares an UPDATE each time that it runs, because its values may leave out columns. With the triggers
//! of the orders, that took a fifth of an assignment on SQLite.

use diesel::backend::Backend;
use diesel::expression::AppearsOnTable;
use diesel::query_builder::{AsChangeset, AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;
use diesel::{Expression, QueryResult, QuerySource, RunQueryDsl, Table};

/// The update; see [`kept_update`].
#[derive(Clone, Copy, Debug)]
pub struct KeptUpdate<F, P, C> {
    table: F,
    rows: P,
    values: C,
}

/// An update of those rows of a table. It sets the same columns whatever the values are: they must have no `Option` that leaves a column out.
pub fn kept_update<T, P, V>(table: T, rows: P, values: V) -> KeptUpdate<T::FromClause, P, V::Changeset>
where
    T: Table + QuerySource,
    P: Expression<SqlType = Bool> + AppearsOnTable<T>,
    V: AsChangeset<Target = T>,
{
    KeptUpdate { table: table.from_clause(), rows, values: values.as_changeset() }
}

/// It is found by its text.
impl<F, P, C> QueryId for KeptUpdate<F, P, C> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<F, P, C, Conn> RunQueryDsl<Conn> for KeptUpdate<F, P, C> {}

impl<F, P, C, DB> QueryFragment<DB> for KeptUpdate<F, P, C>
where
    F: QueryFragment<DB>,
    P: QueryFragment<DB>,
    C: QueryFragment<DB>,
    DB: Backend,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("UPDATE ");
        self.table.walk_ast(out.reborrow())?;
        out.push_sql(" SET ");
        self.values.walk_ast(out.reborrow())?;
        out.push_sql(" WHERE ");
        self.rows.walk_ast(out)
    }
}
