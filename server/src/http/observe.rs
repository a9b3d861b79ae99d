//! One log line and one measurement for each request. Neither holds a body, a path or a name.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

/// The histogram of request durations in seconds, by method, route and status.
pub const REQUEST_MEASUREMENT: &str = "visadesk_request_seconds";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The layer: gives the request an id, times it, and logs its route (not its path, which may name an order).
pub async fn observe(request: Request, next: Next) -> Response {
    let request_id = format!("{:016x}", rand::random::<u64>());
    let method = known(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", request_id, method, route);
    let started = Instant::now();

    let mut response = next.run(request).instrument(span.clone()).await;

    let took = started.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| tracing::info!(status, milliseconds = took.as_secs_f64() * 1_000.0, "answered"));
    let labels = [("method", method.to_owned()), ("route", route), ("status", status.to_string())];
    metrics::histogram!(REQUEST_MEASUREMENT, &labels).record(took.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// The method, if HTTP defines it: a client could make up others, and each would become a time series.
fn known(method: &Method) -> &'static str {
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS];
    let names = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
    known.iter().position(|one| one == method).map_or("other", |at| names[at])
}
