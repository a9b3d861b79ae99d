//! Files that no row names, left by requests that were cut off: removed after a day.

use std::collections::HashSet;

use chrono::TimeDelta;
use futures_util::TryStreamExt;

use super::Documents;
use crate::error::{Error, Result};

/// How old a file without a row must be: far older than any request that may still add its row.
const OLD: TimeDelta = TimeDelta::hours(24);

/// A sweep that would take more than this many files, and more than a tenth of all, takes none: more likely it looks at the
/// files of another database.
const MOST: usize = 100;

/// Files whose rows are looked for at once.
const BATCH: usize = 500;

/// Removes old files without a row; answers how many.
pub async fn sweep(room: &Documents) -> Result<usize> {
    let (before, owners) = (room.clock.now() - OLD, room.owners);
    let (mut all, mut unnamed) = (0, Vec::new());
    let listed = room.files.stored_before(before).try_ready_chunks(BATCH).map_err(|error| error.1);
    let mut listed = std::pin::pin!(listed);
    while let Some(keys) = listed.try_next().await? {
        all += keys.len();
        let asked = keys.clone();
        let named: HashSet<String> = room.db.read(move |conn| owners.named_among(conn, &asked)).await?;
        unnamed.extend(keys.into_iter().filter(|key| !named.contains(key)));
    }
    if unnamed.len() > MOST && unnamed.len() > all / 10 {
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
