//! What load balancers and Prometheus ask.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use diesel::prelude::*;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::db::Db;
use crate::error::Result;

/// How long one look at the database answers for.
const FRESH: Duration = Duration::from_secs(1);

/// Whether the process can work.
#[derive(Clone)]
pub struct Readiness {
    db: Db,
    /// When the database was asked last, and whether it answered.
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

/// The process lives. Costs nothing.
pub async fn alive() -> &'static str {
    "ok"
}

/// The process can work: its database answers. Asked at most once a second.
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

/// The measurements, as Prometheus reads them.
pub async fn metrics(State(measurements): State<PrometheusHandle>) -> String {
    measurements.render()
}
