//! Whether every file that a row names is there, and is what was stored.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};

use super::owners::{FileOwner, FileOwners, Named};
use crate::db::Db;
use crate::error::Result;
use crate::files::Files;

/// Rows read at once.
const BATCH: i64 = 500;
/// Files read at once.
const AT_ONCE: usize = 8;

/// What a check found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub files: usize,
    pub faults: usize,
}

/// Reads every file that a row names. Each fault goes to `report`, in one line.
pub async fn run(db: &Db, files: &Files, owners: FileOwners, report: impl Fn(String) -> Result<()>) -> Result<Summary> {
    let bar = ProgressBar::new(db.read(move |conn| owners.count(conn)).await?.unsigned_abs());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} files, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    let mut summary = Summary::default();
    for FileOwner { list_after, .. } in owners.0 {
        let mut after = 0;
        loop {
            let batch = db.read(move |conn| list_after(conn, after, BATCH)).await?;
            let Some(last) = batch.last() else { break };
            after = last.row_id;
            let mut checked = stream::iter(batch).map(|named| fault(files, named)).buffered(AT_ONCE);
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

/// What is wrong with the file, if something is.
async fn fault(files: &Files, named: Named) -> Option<String> {
    let error = files.get(&named.stored).await.err()?;
    Some(format!("order {}, {}, file {}: {}", named.order_id, named.kind, named.stored.key, error.message()))
}
