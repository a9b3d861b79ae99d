//! The state of the backups, for Admins.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::rules::{self, AttemptEnd, RecordedAttempt};
use super::{Backups, store};
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::routes::call;
use crate::timestamp::Timestamp;

/// The number of attempts that are listed.
const LISTED: i64 = 10;

/// The calls of the backups.
pub fn endpoints() -> OpenApiRouter<Arc<Backups>> {
    OpenApiRouter::new().routes(call!(list_backups))
}

/// The state of the backups.
#[derive(Serialize, ToSchema)]
pub struct BackupState {
    /// Where scheduled backups go; null without a schedule.
    place: Option<String>,
    /// Hours between two scheduled backups; null without a schedule.
    every_hours: Option<i64>,
    /// When the last good backup was finished; null if there is none.
    last_finished_at: Option<Timestamp>,
    /// True if the last good backup is older than two intervals of the schedule; without a schedule, than two days.
    /// Never true in a rehearsal, which makes no backups.
    is_overdue: bool,
    /// The last attempts, the newest first.
    attempts: Vec<BackupAttempt>,
}

/// An attempt to make a backup.
#[derive(Serialize, ToSchema)]
pub struct BackupAttempt {
    /// A folder, or `s3://BUCKET/PREFIX`.
    place: String,
    /// When it was begun.
    started_at: Timestamp,
    /// When it ended; null if it did not.
    finished_at: Option<Timestamp>,
    /// `made`, `failed`, `active`, or `killed` if its process is gone.
    state: &'static str,
    /// The name of the backup; null if there is none.
    name: Option<String>,
    /// The number of files in the backup; null if there is none.
    files: Option<i64>,
    /// The number of files that no earlier backup had; null if there is no backup.
    new_files: Option<i64>,
    /// Why it failed, or what a made backup lacks; null if it is whole.
    failure: Option<String>,
    /// True if the backup is encrypted.
    encrypted: bool,
}

impl BackupAttempt {
    fn new(attempt: RecordedAttempt, now: Timestamp) -> Self {
        let state = match &attempt.ended {
            Some(AttemptEnd { result: Ok(_), .. }) => "made",
            Some(_) => "failed",
            None if attempt.is_active(now) => "active",
            None => "killed",
        };
        let finished_at = attempt.ended.as_ref().map(|ended| ended.at);
        let (good, failure) = match attempt.ended.map(|ended| ended.result) {
            Some(Ok(good)) => {
                let fault = good.fault.clone();
                (Some(good), fault)
            }
            Some(Err(failure)) => (None, Some(failure)),
            None => (None, None),
        };
        Self {
            place: attempt.place,
            started_at: attempt.started_at,
            finished_at,
            state,
            files: good.as_ref().map(|good| good.files),
            new_files: good.as_ref().map(|good| good.new_files),
            name: good.map(|good| good.name),
            failure,
            encrypted: attempt.encrypted,
        }
    }
}

/// Get the state of the backups.
#[utoipa::path(get, path = "/admin/backups", responses((status = 200, body = Found<BackupState>)))]
pub async fn list_backups(State(room): State<Arc<Backups>>) -> Result<Found<BackupState>> {
    let place = room.schedule.as_ref().map(|schedule| schedule.place.clone());
    let scheduled = place.clone();
    let (attempts, last_good) = room
        .db
        .read(move |conn| Ok((store::list(conn, LISTED)?, store::last_good(conn, scheduled.as_deref())?)))
        .await?;
    let (now, every) = (room.clock.now(), room.schedule.as_ref().map(|schedule| schedule.every));
    let last_finished_at = last_good.and_then(|good| good.ended).map(|ended| ended.at);
    Ok(found(BackupState {
        place,
        every_hours: every.map(|every| every.num_hours()),
        last_finished_at,
        is_overdue: room.rehearsal.is_none() && rules::is_overdue(last_finished_at, every, now),
        attempts: attempts.into_iter().map(|attempt| BackupAttempt::new(attempt, now)).collect(),
    }))
}
