//! Health checks and metrics.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::clock::Clock;
use crate::db::{Conn, Db};
use crate::error::Result;
use crate::timestamp::Timestamp;

/// How long the result of a check is reused.
const FRESH: Duration = Duration::from_secs(1);

/// Finds when the last good backup was finished.
pub type LastBackup = fn(&mut Conn) -> Result<Option<Timestamp>>;

/// Whether the database answers.
#[derive(Clone)]
pub struct Readiness {
    db: Db,
    clock: Clock,
    last_backup: LastBackup,
    /// The time and the result of the last check.
    last: Arc<Mutex<Option<(Instant, Check)>>>,
}

/// The result of a check.
#[derive(Clone, Copy)]
struct Check {
    is_ready: bool,
    last_backup: Option<Timestamp>,
}

impl Readiness {
    /// The query for the last backup is also what shows that the database answers.
    pub fn new(db: Db, clock: Clock, last_backup: LastBackup) -> Self {
        Self { db, clock, last_backup, last: Arc::default() }
    }

    async fn check(&self) -> Check {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last.filter(|(asked, _)| asked.elapsed() < FRESH) {
            return known;
        }
        let found = self.db.read(self.last_backup).await;
        let check = Check { is_ready: found.is_ok(), last_backup: found.ok().flatten() };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), check));
        check
    }
}

/// Liveness: the process runs.
pub async fn alive() -> &'static str {
    "ok"
}

/// Readiness: the database answers. It is asked at most once a second. A second line says how old the last good backup is.
pub async fn ready(State(readiness): State<Readiness>) -> (StatusCode, String) {
    let Check { is_ready, last_backup } = readiness.check().await;
    if !is_ready {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer".to_owned());
    }
    let age = last_backup.map_or_else(
        || "none".to_owned(),
        |at| format!("{} seconds ago", (readiness.clock.now() - at).num_seconds().max(0)),
    );
    (StatusCode::OK, format!("ready\nlast backup: {age}\n"))
}

/// Metrics in the Prometheus text format.
pub async fn metrics(State(measurements): State<PrometheusHandle>) -> String {
    measurements.render()
}
