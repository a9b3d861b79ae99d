//! Queries of papers that the two databases spell differently.

use diesel::prelude::*;

use crate::db::schema::paper_checks;
use crate::db::{Conn, database_now};
use crate::error::Result;

use super::rules::CheckState;

/// Locks the check that has waited longest and is not leased, until this transaction ends. Skips those that another transaction has locked.
pub fn lock_due_check(tx: &mut Conn) -> Result<Option<i64>> {
    let now = database_now(tx)?;
    let due = paper_checks::table
        .filter(paper_checks::state.eq(CheckState::Pending))
        .filter(paper_checks::leased_until.is_null().or(paper_checks::leased_until.lt(now)))
        .order((paper_checks::requested_at, paper_checks::document_id))
        .select(paper_checks::document_id)
        .limit(1);
    Ok(match tx {
        Conn::Sqlite(tx) => due.first(tx).optional()?,
        Conn::Postgres(tx) => due.for_no_key_update().skip_locked().first(tx).optional()?,
    })
}
