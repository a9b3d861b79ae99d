//! Health checks and metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::Mutex;

use super::forwarded::HeaderFault;
use crate::clock::Clock;
use crate::db::{Conn, Db};
use crate::error::Result;
use crate::timestamp::Timestamp;

/// The time that the result of a check is reused.
const FRESH: Duration = Duration::from_secs(1);

/// The last good backup, as far as monitoring needs it.
#[derive(Clone, Copy, Debug)]
pub struct LastBackup {
    pub finished_at: Timestamp,
    /// The number of files that it lacks, because they were missing or damaged when it was made.
    pub missing_files: i64,
}

/// Finds the last good backup.
pub type FindLastBackup = fn(&mut Conn) -> Result<Option<LastBackup>>;

/// The check that the database answers.
#[derive(Clone)]
pub struct Readiness {
    db: Db,
    clock: Clock,
    find_last_backup: FindLastBackup,
    /// The time and the result of the last check. Locked during a check, so that concurrent requests share it.
    last: Arc<Mutex<Option<(Instant, HealthCheck)>>>,
}

/// The result of a check.
#[derive(Clone, Copy)]
struct HealthCheck {
    is_ready: bool,
    last_backup: Option<LastBackup>,
}

impl Readiness {
    /// The query for the last backup is also what shows that the database answers.
    pub fn new(db: Db, clock: Clock, find_last_backup: FindLastBackup) -> Self {
        Self { db, clock, find_last_backup, last: Arc::default() }
    }

    async fn check(&self) -> HealthCheck {
        let mut last = self.last.lock().await;
        if let Some((_, known)) = last.filter(|(asked, _)| asked.elapsed() < FRESH) {
            return known;
        }
        let found = self.db.read(self.find_last_backup).await;
        let check = HealthCheck { is_ready: found.is_ok(), last_backup: found.ok().flatten() };
        *last = Some((Instant::now(), check));
        check
    }
}

/// Liveness: the process runs. A second line tells `visadesk check-config` that the caller's proxy does not name its client.
pub async fn alive(fault: Option<Extension<HeaderFault>>) -> String {
    fault.map_or_else(|| "ok".to_owned(), |fault| format!("ok\n{}", fault.0))
}

/// Readiness: the database answers. It is asked at most once a second. A second line says how old the last good backup is, and how many
/// files it lacks.
pub async fn ready(State(readiness): State<Readiness>) -> (StatusCode, String) {
    let HealthCheck { is_ready, last_backup } = readiness.check().await;
    if !is_ready {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer".to_owned());
    }
    let last_backup = last_backup.map_or_else(
        || "none".to_owned(),
        |LastBackup { finished_at, missing_files }| {
            let seconds = (readiness.clock.now() - finished_at).num_seconds().max(0);
            let lacks = if missing_files == 0 { String::new() } else { format!(", missing files: {missing_files}") };
            format!("{seconds} seconds ago{lacks}")
        },
    );
    (StatusCode::OK, format!("ready\nlast backup: {last_backup}\n"))
}

/// Metrics in the Prometheus text format.
pub async fn metrics(State(measurements): State<PrometheusHandle>) -> String {
    measurements.render()
}
