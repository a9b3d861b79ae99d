//! The hash chain over the audit: each link holds the digest of a range of rows and of the previous link, so that a change behind
//! the database's triggers breaks the chain. A worker adds links for committed rows; writers never wait for it.

use std::time::Duration;

use super::Audit;
use super::dialect::{last_audit_id, writers};
use super::errors::AuditError;
use super::rules;
use super::store::{self, ChainLink, Record};
use crate::db::{Conn, Db, advisory_lock};
use crate::error::Result;
use crate::timestamp::Timestamp;

/// The most rows of one link.
const MAX_ROWS: i64 = 1_000;

/// The most polls of the worker for the end of open writing transactions, and their interval.
const MAX_POLLS: u32 = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Adds links for all rows that are final. Returns the number of rows.
///
/// PostgreSQL assigns ids before the rows are committed, so a row may still appear below others. A transaction that was assigned
/// an id up to the last one held a lock on the table at that moment: once all holders of that moment have ended, no row up to that
/// id can appear any more, and the existing ones can be linked. On SQLite rows appear in the order of their ids.
pub async fn extend_chain(audit: &Audit) -> Result<usize> {
    let look = |conn: &mut Conn| {
        // In this order: the writers are read after the id is known.
        let last_id = last_audit_id(conn)?;
        let writing = writers(conn)?;
        let first_id = rules::first_after(store::last_link(conn)?.as_ref());
        // Ids of transactions that were rolled back have no rows.
        let is_linked = store::range(conn, first_id, last_id, 1)?.is_empty();
        Ok((last_id, writing, is_linked))
    };
    let (last_id, writing, is_linked) = audit.db.read(look).await?;
    if is_linked || !have_ended(audit, &writing).await? {
        return Ok(0);
    }
    let (mut linked, now) = (0, audit.clock.now());
    loop {
        let rows = audit.db.write(move |tx| add_next_link(tx, last_id, now)).await?;
        linked += rows;
        if rows == 0 {
            return Ok(linked);
        }
    }
}

/// Polls for a moment until the transactions in `writing` have ended. Returns whether they have.
async fn have_ended(audit: &Audit, writing: &[String]) -> Result<bool> {
    for _ in 0..MAX_POLLS {
        if writing.is_empty() {
            return Ok(true);
        }
        let still = audit.db.read(writers).await?;
        if writing.iter().all(|one| !still.contains(one)) {
            return Ok(true);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(false)
}

/// Adds a link for the next range up to `last_id`. Returns the number of its rows.
fn add_next_link(tx: &mut Conn, last_id: i64, now: Timestamp) -> Result<usize> {
    advisory_lock(tx, "audit chain")?;
    let previous = store::last_link(tx)?;
    let first_id = rules::first_after(previous.as_ref());
    let rows = store::range(tx, first_id, last_id, MAX_ROWS)?;
    // A full range ends with its last row, because more rows may follow.
    let last_id = match rows.last() {
        None => return Ok(0),
        Some(row) if rows.len() as i64 == MAX_ROWS => row.audit_id,
        Some(_) => last_id,
    };
    let link = ChainLink {
        link_id: 0,
        first_id,
        last_id,
        row_count: rows.len() as i64,
        rows_hash: rules::digest(&rows),
        before_hash: rules::hash_before(previous.as_ref()),
    };
    store::add_link(tx, &link, now)?;
    Ok(rows.len())
}

/// The link after `link_id`, and the rows that its range holds now.
fn next(conn: &mut Conn, link_id: i64) -> Result<Option<(ChainLink, Vec<Record>)>> {
    let Some(link) = store::link_after(conn, link_id)? else { return Ok(None) };
    let rows = store::range(conn, link.first_id, link.last_id, link.row_count + 1)?;
    Ok(Some((link, rows)))
}

/// The result of a check of the whole chain.
#[derive(Debug, PartialEq, Eq)]
pub struct VerifiedChain {
    pub links: u64,
    pub rows: i64,
    /// The digest of the last link. Stored elsewhere, it also shows when links were removed from the end.
    pub head: String,
    /// Rows after the last link: how many, the first and the last.
    pub tail: Option<(i64, i64, i64)>,
}

/// Checks every link from the first on. Blocks.
///
/// # Errors
/// [`AuditError::AuditAltered`] names the first broken range.
pub fn verify(db: &Db) -> Result<VerifiedChain> {
    let (mut links, mut rows_seen) = (0, 0);
    let mut previous: Option<ChainLink> = None;
    loop {
        let link_id = previous.as_ref().map_or(i64::MIN, |link| link.link_id);
        let Some((link, rows)) = db.read_now(|conn| next(conn, link_id))? else { break };
        if let Some(fault) = rules::fault(&link, previous.as_ref(), &rows) {
            let ChainLink { link_id, first_id, last_id, .. } = link;
            return Err(AuditError::AuditAltered { first_id, last_id, link_id, fault }.into());
        }
        links += 1;
        rows_seen += link.row_count;
        previous = Some(link);
    }
    let after = rules::first_after(previous.as_ref()) - 1;
    let tail = db.read_now(|conn| store::tail(conn, after))?;
    Ok(VerifiedChain { links, rows: rows_seen, head: rules::hash_before(previous.as_ref()), tail })
}

impl std::fmt::Display for VerifiedChain {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(to, "The audit is whole. Links: {}, linked rows: {}.", self.links, self.rows)?;
        if !self.head.is_empty() {
            writeln!(to, "The last link: {}", self.head)?;
        }
        match self.tail {
            None => write!(to, "Every row is in the chain."),
            Some((count, first, last)) => write!(to, "Not in the chain yet: rows {first} to {last}, {count} in all."),
        }
    }
}
