//! Queries of mail that the two databases spell differently.

use diesel::prelude::*;

use crate::db::schema::mails;
use crate::db::{Conn, database_now};
use crate::error::Result;
use crate::timestamp::Timestamp;

/// Locks the next `most` mails of `provider` that are due at `now` and not leased, longest due first, until this transaction ends.
/// Skips mails that another transaction has locked.
pub fn lock_due_mails(tx: &mut Conn, provider: &str, now: Timestamp, most: i64) -> Result<Vec<i64>> {
    let leases_end_by = database_now(tx)?;
    let due = mails::table
        .filter(mails::due_at.le(now))
        .filter(mails::provider.eq(provider))
        .filter(mails::leased_until.is_null().or(mails::leased_until.lt(leases_end_by)))
        .order((mails::due_at, mails::mail_id))
        .select(mails::mail_id)
        .limit(most);
    Ok(match tx {
        Conn::Sqlite(tx) => due.load(tx)?,
        Conn::Postgres(tx) => due.for_no_key_update().skip_locked().load(tx)?,
    })
}

/// Locks those mails in ascending order until this transaction ends.
pub fn lock_mails(tx: &mut Conn, mail_ids: &[i64]) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        let those = mails::table.filter(mails::mail_id.eq_any(mail_ids)).order(mails::mail_id);
        those.select(mails::mail_id).for_no_key_update().load::<i64>(tx)?;
    }
    Ok(())
}

/// Locks a mail until this transaction ends.
pub fn lock_mail(tx: &mut Conn, mail_id: i64) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        mails::table.find(mail_id).select(mails::mail_id).for_no_key_update().load::<i64>(tx)?;
    }
    Ok(())
}
