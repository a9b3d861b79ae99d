//! Seals over the audit: each holds the digest of a range of rows and of the seal before it, so that whoever alters a row
//! behind the database's triggers breaks the chain. A worker seals what is committed; writers never wait for it.

use std::time::Duration;

use chrono::NaiveDateTime;

use super::Audit;
use super::dialect::{last_audit_id, writers};
use super::rules;
use super::store::{self, Record, Seal};
use crate::db::{Conn, Db, advisory_lock};
use crate::error::{Error, Result};

/// The most rows of one seal.
const MAX_ROWS: i64 = 1_000;

/// How often, and with which pause, it is looked whether those who were writing have ended.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// Seals every row that is there for good; answers how many rows.
///
/// On PostgreSQL ids are given out before their rows are committed, so a row may yet appear below others. Whoever was
/// given an id up to the last one held a lock on the table at that moment: once all who held one then have ended, nothing
/// up to that id can appear any more, and what is there can be sealed. On SQLite rows appear in the order of their ids.
pub async fn seal_due(audit: &Audit) -> Result<usize> {
    let look = |conn: &mut Conn| {
        // In this order: who writes is asked after the id is known.
        let last_id = last_audit_id(conn)?;
        let writing = writers(conn)?;
        let first_id = rules::first_after(store::last_seal(conn)?.as_ref());
        // Ids that were given out and never used are nothing to seal.
        let is_sealed = store::range(conn, first_id, last_id, 1)?.is_empty();
        Ok((last_id, writing, is_sealed))
    };
    let (last_id, writing, is_sealed) = audit.db.read(look).await?;
    if is_sealed || !have_ended(audit, &writing).await? {
        return Ok(0);
    }
    let (mut sealed, now) = (0, audit.clock.now());
    loop {
        let rows = audit.db.write(move |tx| seal_next(tx, last_id, now)).await?;
        sealed += rows;
        if rows == 0 {
            return Ok(sealed);
        }
    }
}

/// Waits a moment for those who were writing; answers whether they have ended.
async fn have_ended(audit: &Audit, writing: &[String]) -> Result<bool> {
    for _ in 0..LOOKS {
        if writing.is_empty() {
            return Ok(true);
        }
        let still = audit.db.read(writers).await?;
        if writing.iter().all(|one| !still.contains(one)) {
            return Ok(true);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(false)
}

/// Seals the next range up to `last_id`; answers how many rows it holds.
fn seal_next(tx: &mut Conn, last_id: i64, now: NaiveDateTime) -> Result<usize> {
    advisory_lock(tx, "audit seals")?;
    let previous = store::last_seal(tx)?;
    let first_id = rules::first_after(previous.as_ref());
    let rows = store::range(tx, first_id, last_id, MAX_ROWS)?;
    // Where more rows follow, the range ends with the last one that it holds.
    let last_id = match rows.last() {
        None => return Ok(0),
        Some(row) if rows.len() as i64 == MAX_ROWS => row.audit_id,
        Some(_) => last_id,
    };
    let seal = Seal {
        seal_id: 0,
        first_id,
        last_id,
        row_count: rows.len() as i64,
        rows_hash: rules::digest(&rows),
        before_hash: rules::hash_before(previous.as_ref()),
    };
    store::add_seal(tx, &seal, now)?;
    Ok(rows.len())
}

/// The seal after `seal_id`, and what its range holds now.
fn next(conn: &mut Conn, seal_id: i64) -> Result<Option<(Seal, Vec<Record>)>> {
    let Some(seal) = store::seal_after(conn, seal_id)? else { return Ok(None) };
    let rows = store::range(conn, seal.first_id, seal.last_id, seal.row_count + 1)?;
    Ok(Some((seal, rows)))
}

/// What a check of all seals found.
#[derive(Debug, PartialEq, Eq)]
pub struct Verified {
    pub seals: u64,
    pub rows: i64,
    /// The digest of the last seal. StoredResponse elsewhere, it also shows when seals were removed from the end.
    pub head: String,
    /// Rows after the last seal: how many, the first and the last.
    pub tail: Option<(i64, i64, i64)>,
}

/// Checks every seal from the first on. The error names the first range that is broken. Blocks.
pub fn verify(db: &Db) -> Result<Verified> {
    let (mut seals, mut rows_seen) = (0, 0);
    let mut previous: Option<Seal> = None;
    loop {
        let seal_id = previous.as_ref().map_or(i64::MIN, |seal| seal.seal_id);
        let Some((seal, rows)) = db.read_now(|conn| next(conn, seal_id))? else { break };
        if let Some(fault) = rules::fault(&seal, previous.as_ref(), &rows) {
            return Err(Error::conflict(format!(
                "The audit was altered in rows {} to {} (seal {}): {fault}",
                seal.first_id, seal.last_id, seal.seal_id
            )));
        }
        seals += 1;
        rows_seen += seal.row_count;
        previous = Some(seal);
    }
    let after = rules::first_after(previous.as_ref()) - 1;
    let tail = db.read_now(|conn| store::tail(conn, after))?;
    Ok(Verified { seals, rows: rows_seen, head: rules::hash_before(previous.as_ref()), tail })
}

impl std::fmt::Display for Verified {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(to, "The audit is whole. Seals: {}, sealed rows: {}.", self.seals, self.rows)?;
        if !self.head.is_empty() {
            writeln!(to, "The last seal: {}", self.head)?;
        }
        match self.tail {
            None => write!(to, "Every row is sealed."),
            Some((count, first, last)) => write!(to, "Not sealed yet: rows {first} to {last}, {count} in all."),
        }
    }
}
