//! Queries of deliveries that the two databases spell differently.

use diesel::prelude::*;

use super::rules::ReadingState;
use crate::db::schema::visa_readings;
use crate::db::{Conn, database_now};
use crate::error::Result;

/// Locks the reading that has waited longest and is not leased, until this transaction ends. Skips those that another transaction has locked.
pub fn lock_due_reading(tx: &mut Conn) -> Result<Option<i64>> {
    let now = database_now(tx)?;
    let due = visa_readings::table
        .filter(visa_readings::state.eq(ReadingState::Pending))
        .filter(visa_readings::leased_until.is_null().or(visa_readings::leased_until.lt(now)))
        .order((visa_readings::requested_at, visa_readings::document_id))
        .select(visa_readings::document_id)
        .limit(1);
    Ok(match tx {
        Conn::Sqlite(tx) => due.first(tx).optional()?,
        Conn::Postgres(tx) => due.for_no_key_update().skip_locked().first(tx).optional()?,
    })
}
