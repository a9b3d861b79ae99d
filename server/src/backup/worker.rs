//! Makes backups and notes them in the database: when they are due, and when an operator asks.

use std::convert::Infallible;
use std::time::Duration;

use indicatif::ProgressBar;

use super::Backups;
use super::make::{self, BackupSource, FinishedBackup};
use super::packing::Packer;
use super::place::BackupPlace;
use super::{rules, store};
use crate::error::{Error, Result};

/// The interval at which the note of an attempt is renewed.
const RENEW: Duration = Duration::from_secs(60);

/// Makes the scheduled backup if it is due, and sets the metrics of the last good one, made by any process.
pub async fn run(room: &Backups) -> Result<()> {
    let made = make_due(room).await;
    if let Some(last) = room.db.read(store::last_finished).await? {
        metrics::gauge!("visadesk_last_backup_timestamp_seconds").set(last.finished_at.timestamp() as f64);
        metrics::gauge!("visadesk_last_backup_missing_files").set(last.missing_files as f64);
    }
    made
}

/// Makes the scheduled backup if it is due and no other node is making it.
async fn make_due(room: &Backups) -> Result<()> {
    let Some(schedule) = room.schedule.as_ref().filter(|_| room.rehearsal.is_none()) else { return Ok(()) };
    let (place, encrypts, every, now) =
        (schedule.place.clone(), schedule.packer.encrypts(), schedule.every, room.clock.now());
    let begun = room.db.write(move |tx| {
        store::lock(tx)?;
        let (last, last_good) = (store::last_at(tx, &place)?, store::last_good(tx, Some(&place))?);
        let is_due = rules::is_due(last.as_ref(), last_good.as_ref(), every, now);
        is_due.then(|| store::begin(tx, &place, encrypts, now)).transpose()
    });
    let Some(id) = begun.await? else { return Ok(()) };
    let made = async {
        let place = BackupPlace::open(&schedule.place, true)?;
        make::run(&room.source, &place, &schedule.packer, &ProgressBar::hidden()).await
    };
    let made = noted(&room.source, id, made).await?;
    metrics::counter!("visadesk_backup_files_repaired").increment(made.repaired);
    let FinishedBackup { name, files, new_files, repaired, .. } = made;
    tracing::info!(name, files, new_files, repaired, "a backup was made");
    Ok(())
}

/// Makes a backup now.
///
/// # Errors
/// The errors of [`make::run`].
pub async fn make_now(
    source: &BackupSource,
    place: &BackupPlace,
    packer: &Packer,
    bar: &ProgressBar,
) -> Result<FinishedBackup> {
    let (name, encrypts, now) = (place.name().to_owned(), packer.encrypts(), source.clock.now());
    let making = make::run(source, place, packer, bar);
    match source.db.write(move |tx| store::begin(tx, &name, encrypts, now)).await {
        Ok(id) => noted(source, id, making).await,
        // A backup matters more than its note. Before an upgrade, for example, the database has no table for it.
        Err(error) => {
            tracing::warn!(%error, "the backup is made, but not noted in the database");
            making.await
        }
    }
}

/// Waits for a backup, and notes in its attempt that it is being made, and then what became of it.
async fn noted(
    source: &BackupSource,
    id: i64,
    making: impl Future<Output = Result<FinishedBackup>>,
) -> Result<FinishedBackup> {
    let made = tokio::select! {
        made = making => made,
        never = renew(source, id) => match never {},
    };
    let (result, now) = (made.as_ref().map(FinishedBackup::clone).map_err(Error::message), source.clock.now());
    let end = source.db.write(move |tx| store::end(tx, id, &result, now)).await;
    made.and_then(|made| end.map(|()| made))
}

async fn renew(source: &BackupSource, id: i64) -> Infallible {
    loop {
        tokio::time::sleep(RENEW).await;
        let now = source.clock.now();
        if let Err(error) = source.db.write(move |tx| store::touch(tx, id, now)).await {
            tracing::warn!(%error, "the note of a backup that is being made could not be renewed");
        }
    }
}
