//! Removes files that no row names after a day. Requests that were cut off leave them.

use std::collections::HashSet;

use chrono::TimeDelta;
use futures_util::TryStreamExt;

use super::Documents;
use crate::error::{Error, Result};

/// The age at which a file without a row is removed: far older than any request that may still add its row.
const MIN_AGE: TimeDelta = TimeDelta::hours(24);

/// A sweep that would remove more than this many files, and more than a tenth of all, removes none: most likely the storage belongs to
/// another database.
const MAX_REMOVED: usize = 100;

/// Files whose rows are searched in one query.
const BATCH: usize = 500;

/// Removes old files without a row. Returns how many.
pub async fn sweep(room: &Documents) -> Result<usize> {
    // An installation that works is restored: its mark would let another restore fill the same storage.
    room.files.end_restore().await?;
    let (before, owners) = (room.clock.now() - MIN_AGE, room.owners);
    let (mut all, mut unnamed) = (0, Vec::new());
    let listed = room.files.stored_before(before).try_ready_chunks(BATCH).map_err(|error| error.1);
    let mut listed = std::pin::pin!(listed);
    while let Some(keys) = listed.try_next().await? {
        all += keys.len();
        let searched = keys.clone();
        let named: HashSet<String> = room.db.read(move |conn| owners.named_among(conn, &searched)).await?;
        unnamed.extend(keys.into_iter().filter(|key| !named.contains(key)));
    }
    if unnamed.len() > MAX_REMOVED && unnamed.len() > all / 10 {
        return Err(Error::internal(format!(
            "{} of {all} files have no row, so none is removed. Does files_url belong to this database?",
            unnamed.len()
        )));
    }
    for key in &unnamed {
        room.files.delete(key).await?;
    }
    room.files.remove_unfinished(before).await?;
    if !unnamed.is_empty() {
        tracing::info!(files = unnamed.len(), "files without a row were removed");
    }
    Ok(unnamed.len())
}
