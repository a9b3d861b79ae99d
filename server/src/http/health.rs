//! Health checks and metrics.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use diesel::prelude::*;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::db::Db;
use crate::error::Result;

/// How long the result of a check is reused.
const FRESH: Duration = Duration::from_secs(1);

/// Whether the database answers.
#[derive(Clone)]
pub struct Readiness {
    db: Db,
    /// The time and the result of the last check.
    last: Arc<Mutex<Option<(Instant, bool)>>>,
}

impl Readiness {
    pub fn new(db: Db) -> Self {
        Self { db, last: Arc::default() }
    }

    fn known(&self) -> Option<bool> {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(asked, _)| asked.elapsed() < FRESH).map(|(_, ready)| ready)
    }

    fn learn(&self, ready: bool) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), ready));
    }
}

/// Liveness: the process runs.
pub async fn alive() -> &'static str {
    "ok"
}

/// Readiness: the database answers. It is asked at most once a second.
pub async fn ready(State(readiness): State<Readiness>) -> (StatusCode, &'static str) {
    let ready = match readiness.known() {
        Some(ready) => ready,
        None => {
            let answered: Result<i32> = readiness
                .db
                .read(|conn| Ok(diesel::select(1.into_sql::<diesel::sql_types::Integer>()).get_result(conn)?))
                .await;
            readiness.learn(answered.is_ok());
            answered.is_ok()
        }
    };
    if ready { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer") }
}

/// Metrics in the Prometheus text format.
pub async fn metrics(State(measurements): State<PrometheusHandle>) -> String {
    measurements.render()
}
