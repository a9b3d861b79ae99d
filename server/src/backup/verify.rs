//! Checks a set as its restore would, and restores nothing.

use std::pin::pin;

use futures_util::{StreamExt, stream};
use indicatif::ProgressBar;

use super::packing::Unpacker;
use super::place::BackupPlace;
use super::set::{fetch, file_content, file_objects, find, listed_files, read_manifest};
use crate::error::{Error, Kind, Result};

/// Files that are read at once.
const CONCURRENCY: usize = 8;

/// A set that was checked.
#[derive(Clone, Debug)]
pub struct VerifiedSet {
    pub name: String,
    pub files: u64,
    /// The number of its objects that are missing or damaged.
    pub faults: u64,
}

/// Reads every object of the set of that name, or of the newest. Reports each fault to `report`, in one line.
///
/// # Errors
/// [`super::errors::BackupError`] if the manifest or the list of the files cannot be read.
pub async fn run(
    place: &BackupPlace,
    set: Option<&str>,
    unpacker: &Unpacker,
    bar: &ProgressBar,
    report: impl Fn(String) -> Result<()>,
) -> Result<VerifiedSet> {
    let (name, object) = find(place, set).await?;
    let manifest = read_manifest(place, unpacker, &object).await?;
    let work = tempfile::tempdir().map_err(Error::internal)?;
    fetch(place, &name, &manifest.files, Some(work.path())).await?;
    let listed = listed_files(unpacker, work.path(), &manifest.files)?;

    let mut faults = 0;
    let mut note = |outcome: Result<()>| match outcome {
        Err(error) if error.kind() == Kind::Damaged => {
            faults += 1;
            bar.suspend(|| report(error.message()))
        }
        outcome => outcome,
    };
    for part in manifest.parts() {
        note(fetch(place, &name, part, None).await)?;
    }
    bar.set_length(listed.len() as u64);
    let objects = file_objects(place).await?;
    let checks = stream::iter(&listed)
        .map(async |stored| file_content(place, unpacker, &objects, stored).await.map(drop))
        .buffer_unordered(CONCURRENCY);
    let mut checks = pin!(checks);
    while let Some(outcome) = checks.next().await {
        note(outcome)?;
        bar.inc(1);
    }
    Ok(VerifiedSet { name, files: listed.len() as u64, faults })
}
