//! Checks that every file that a row names exists and is unchanged.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};

use super::owners::{FileOwner, FileOwners, NamedFile};
use crate::db::Db;
use crate::error::{Permission, Result};
use crate::files::Files;

/// Rows of one query.
const BATCH: i64 = 500;
/// Files read at once.
const CONCURRENCY: usize = 8;

/// The result of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckSummary {
    pub files: usize,
    pub faults: usize,
}

/// A progress bar for that many files.
pub fn progress_bar(files: u64) -> ProgressBar {
    let bar = ProgressBar::new(files);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} files, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Reads every file that a row names. Reports each fault to `report`, in one line.
pub async fn run(
    db: &Db,
    files: &Files,
    owners: FileOwners,
    report: impl Fn(String) -> Result<()>,
) -> Result<CheckSummary> {
    let bar = progress_bar(db.read(move |conn| owners.count(conn)).await?.unsigned_abs());
    let mut summary = CheckSummary::default();
    for FileOwner { list_after, .. } in owners.0 {
        let mut after = 0;
        loop {
            let batch = db.read(move |conn| list_after(conn, after, BATCH)).await?;
            let Some(last) = batch.last() else { break };
            after = last.row_id;
            let mut checked = stream::iter(batch).map(|named| fault(files, named)).buffered(CONCURRENCY);
            while let Some(fault) = checked.next().await {
                summary.files += 1;
                bar.inc(1);
                if let Some(fault) = fault {
                    summary.faults += 1;
                    bar.suspend(|| report(fault))?;
                }
            }
        }
    }
    bar.finish_and_clear();
    Ok(summary)
}

/// The fault of the file, if it has one.
async fn fault(files: &Files, named: NamedFile) -> Option<String> {
    let error = files.get(&named.stored, Permission::in_background()).await.err()?;
    Some(format!("order {}, {}, file {}: {}", named.order_id, named.kind, named.stored.key, error.message()))
}
