//! The attempts to make a backup, and the mark of a rehearsal.

use diesel::prelude::*;

use super::make::FinishedBackup;
use super::rules::{AttemptEnd, Good, RecordedAttempt, Rehearsal};
use crate::db::schema::{backups, rehearsals};
use crate::db::{Conn, advisory_lock};
use crate::error::Result;
use crate::http::health::LastBackup;
use crate::timestamp::Timestamp;

#[derive(Queryable, Selectable)]
#[diesel(table_name = backups)]
struct BackupRow {
    backup_id: i64,
    place: String,
    name: Option<String>,
    started_at: Timestamp,
    active_at: Timestamp,
    finished_at: Option<Timestamp>,
    failure: Option<String>,
    encrypted: bool,
    files: Option<i64>,
    new_files: Option<i64>,
}

impl From<BackupRow> for RecordedAttempt {
    fn from(row: BackupRow) -> Self {
        let ended = row.finished_at.map(|at| AttemptEnd {
            at,
            result: match (row.name, row.failure) {
                (Some(name), fault) => Ok(Good {
                    name,
                    files: row.files.unwrap_or_default(),
                    new_files: row.new_files.unwrap_or_default(),
                    fault,
                }),
                (None, failure) => Err(failure.unwrap_or_default()),
            },
        });
        Self {
            id: row.backup_id,
            place: row.place,
            started_at: row.started_at,
            active_at: row.active_at,
            encrypted: row.encrypted,
            ended,
        }
    }
}

/// Keeps other nodes from beginning a scheduled backup until the transaction ends.
pub fn lock(tx: &mut Conn) -> Result<()> {
    advisory_lock(tx, "backups")
}

/// Adds an attempt. Returns its id.
pub fn begin(tx: &mut Conn, place: &str, encrypted: bool, now: Timestamp) -> Result<i64> {
    let row = (
        backups::place.eq(place),
        backups::started_at.eq(now),
        backups::active_at.eq(now),
        backups::encrypted.eq(encrypted),
    );
    Ok(diesel::insert_into(backups::table).values(row).returning(backups::backup_id).get_result(tx)?)
}

/// Notes that the attempt is still being worked on.
pub fn touch(tx: &mut Conn, id: i64, now: Timestamp) -> Result<()> {
    diesel::update(backups::table.find(id)).set(backups::active_at.eq(now)).execute(tx)?;
    Ok(())
}

/// Notes what became of the attempt.
pub fn end(tx: &mut Conn, id: i64, result: &Result<FinishedBackup, String>, now: Timestamp) -> Result<()> {
    let (made, failure) = match result {
        Ok(made) => (Some(made), made.fault().map(|fault| fault.to_string())),
        Err(failure) => (None, Some(failure.clone())),
    };
    let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    diesel::update(backups::table.find(id))
        .set((
            backups::finished_at.eq(now),
            backups::name.eq(made.map(|made| &made.name)),
            backups::files.eq(made.map(|made| count(made.files))),
            backups::new_files.eq(made.map(|made| count(made.new_files))),
            backups::missing_files.eq(made.map(|made| count(made.missing))),
            backups::failure.eq(failure),
        ))
        .execute(tx)?;
    Ok(())
}

/// The last attempts, the newest first.
pub fn list(conn: &mut Conn, limit: i64) -> Result<Vec<RecordedAttempt>> {
    let rows = backups::table.order(backups::backup_id.desc()).limit(limit).select(BackupRow::as_select());
    Ok(rows.load(conn)?.into_iter().map(RecordedAttempt::from).collect())
}

/// The last attempt at a place.
pub fn last_at(conn: &mut Conn, place: &str) -> Result<Option<RecordedAttempt>> {
    let rows = backups::table.filter(backups::place.eq(place)).order(backups::backup_id.desc());
    let row = rows.select(BackupRow::as_select()).first(conn).optional()?;
    Ok(row.map(RecordedAttempt::from))
}

/// The last attempt that became a backup; of those at `place`, if there is one.
pub fn last_good(conn: &mut Conn, place: Option<&str>) -> Result<Option<RecordedAttempt>> {
    let mut rows = backups::table.filter(backups::name.is_not_null()).into_boxed();
    if let Some(place) = place {
        rows = rows.filter(backups::place.eq(place.to_owned()));
    }
    let row = rows.order(backups::finished_at.desc()).select(BackupRow::as_select()).first(conn).optional()?;
    Ok(row.map(RecordedAttempt::from))
}

/// When the last good backup was finished, and how many files it lacks.
pub fn last_finished(conn: &mut Conn) -> Result<Option<LastBackup>> {
    let rows = backups::table.filter(backups::name.is_not_null()).order(backups::finished_at.desc());
    let row = rows.select((backups::finished_at, backups::missing_files, backups::failure)).first(conn).optional()?;
    let last = |(finished_at, missing, fault): (Option<Timestamp>, Option<i64>, Option<String>)| {
        // Earlier versions did not count the missing files, and noted only that there are some.
        let missing_files = missing.unwrap_or(i64::from(fault.is_some()));
        Some(LastBackup { finished_at: finished_at?, missing_files })
    };
    Ok(row.and_then(last))
}

/// Removes what holds for the installation that the backup was made of, and not for the restored one: the attempt that was going on,
/// and the mark of a rehearsal.
pub fn forget_origin(tx: &mut Conn) -> Result<()> {
    diesel::delete(backups::table.filter(backups::finished_at.is_null())).execute(tx)?;
    diesel::delete(rehearsals::table).execute(tx)?;
    Ok(())
}

/// Marks the database as a rehearsal.
pub fn mark_rehearsal(tx: &mut Conn, rehearsal: &Rehearsal, now: Timestamp) -> Result<()> {
    let row = (
        rehearsals::backup_name.eq(&rehearsal.backup_name),
        rehearsals::taken_at.eq(rehearsal.taken_at),
        rehearsals::restored_at.eq(now),
    );
    diesel::insert_into(rehearsals::table).values(row).execute(tx)?;
    Ok(())
}

/// The mark of a rehearsal.
pub fn find_rehearsal(conn: &mut Conn) -> Result<Option<Rehearsal>> {
    let rows = rehearsals::table.order(rehearsals::restored_at.desc());
    let row = rows.select((rehearsals::backup_name, rehearsals::taken_at)).first(conn).optional()?;
    Ok(row.map(|(backup_name, taken_at)| Rehearsal { backup_name, taken_at }))
}
