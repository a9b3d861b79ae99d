//! A log line and a measurement for each request. Neither contains a body, a path or a name.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use tracing::Span;

/// The histogram of request durations in seconds, by method, route and status.
pub const REQUEST_MEASUREMENT: &str = "visadesk_request_seconds";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request that is being answered.
pub struct ObservedRequest {
    request_id: String,
    method: &'static str,
    route: String,
    span: Span,
    started: Instant,
}

impl ObservedRequest {
    /// Gives the request an id, and starts its clock.
    pub fn begin(request: &Request) -> Self {
        let request_id = format!("{:016x}", rand::random::<u64>());
        let method = known(request.method());
        let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
        let span = tracing::info_span!("request", request_id, method, route);
        Self { request_id, method, route, span, started: Instant::now() }
    }

    /// The span of the lines that are logged meanwhile.
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// Logs and measures the response by its route, not by its path, which may name an order. Adds the id to it.
    pub fn end(self, mut response: Response) -> Response {
        let (took, status) = (self.started.elapsed(), response.status().as_u16());
        self.span.in_scope(|| tracing::info!(status, milliseconds = took.as_secs_f64() * 1_000.0, "answered"));
        let labels = [("method", self.method.to_owned()), ("route", self.route), ("status", status.to_string())];
        metrics::histogram!(REQUEST_MEASUREMENT, &labels).record(took.as_secs_f64());
        if let Ok(value) = HeaderValue::try_from(self.request_id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }
}

/// The method, if HTTP defines it: a client could make up others, and each would become a time series.
fn known(method: &Method) -> &'static str {
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS];
    let names = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
    known.iter().position(|one| one == method).map_or("other", |at| names[at])
}
