//! What load balancers and Prometheus ask.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use diesel::prelude::*;

use crate::app::App;
use crate::error::Result;

/// How long one look at the database answers for.
const FRESH: Duration = Duration::from_secs(1);

/// Whether the database answered last, and when it was asked.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

impl Readiness {
    fn known(&self) -> Option<bool> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(asked, _)| asked.elapsed() < FRESH).map(|(_, ready)| ready)
    }

    fn learn(&self, ready: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), ready));
    }
}

/// The process lives. Costs nothing.
pub async fn alive() -> &'static str {
    "ok"
}

/// The process can work: its database answers. Asked at most once a second.
pub async fn ready(State(app): State<App>) -> (StatusCode, &'static str) {
    let ready = match app.readiness.known() {
        Some(ready) => ready,
        None => {
            let answered: Result<i32> = app
                .db
                .read(|conn| Ok(diesel::select(1.into_sql::<diesel::sql_types::Integer>()).get_result(conn)?))
                .await;
            app.readiness.learn(answered.is_ok());
            answered.is_ok()
        }
    };
    if ready { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer") }
}

/// The measurements, as Prometheus reads them.
pub async fn metrics(State(app): State<App>) -> String {
    app.measurements.render()
}
