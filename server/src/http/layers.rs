//! The layers around every request.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower::ServiceBuilder;
use tower::util::MapResponseLayer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tracing::Instrument;

use super::errors::HttpError;
use super::kit::Kit;
use super::observe::ObservedRequest;
use super::unread::BodyWatch;
use super::{address, health, limits, pages};
use crate::error::{Error, Result};

/// The policy of responses that are no pages: a browser that shows one all the same loads and runs nothing.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// Features of browsers that no page uses. A script that got into one could not ask for them either.
const NO_FEATURES: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()";

/// A year: browsers that were here once use https from then on (RFC 6797).
const HTTPS_ONLY: &str = "max-age=31536000";

/// Adds the layers of the API alone: responses that are not cached, and a limit on bodies.
pub fn around_calls(calls: Router, kit: &Kit) -> Router {
    calls
        .method_not_allowed_fallback(pages::method_not_allowed)
        .layer(DefaultBodyLimit::max(kit.config.limits.upload_bytes))
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
}

/// Adds the layers of every request. They are few, because each costs an allocation or two for every request.
pub fn around(routes: Router, kit: &Arc<Kit>) -> Router {
    let headers = headers_of_all(kit.config.is_https());
    routes.layer(
        ServiceBuilder::new()
            .layer(MapResponseLayer::new(move |response| with_headers(response, &headers)))
            .layer(from_fn_with_state(kit.clone(), every_request))
            .layer(CatchPanicLayer::custom(after_panic))
            .layer(RequestBodyTimeoutLayer::new(Duration::from_secs(kit.config.limits.body_idle_seconds))),
    )
}

/// The headers that every response has, unless its handler gave them another value.
fn headers_of_all(is_https: bool) -> Arc<[(HeaderName, HeaderValue)]> {
    let always = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("x-robots-tag", "noindex"),
        ("permissions-policy", NO_FEATURES),
        // Pages have a policy of their own.
        ("content-security-policy", NO_PAGE),
    ];
    let over_https = is_https.then_some(("strict-transport-security", HTTPS_ONLY));
    let all = always.into_iter().chain(over_https);
    all.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
}

fn with_headers(mut response: Response, headers: &[(HeaderName, HeaderValue)]) -> Response {
    for (name, value) in headers {
        response.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    response
}

/// Measures and logs a request, notes its client's address, keeps it within its limits, and deals with a body that was not read.
async fn every_request(State(kit): State<Arc<Kit>>, request: Request, next: Next) -> Response {
    let observed = ObservedRequest::begin(&request);
    let (body, request) = BodyWatch::follow(request);
    let answered = within_limits(&kit, request, next).instrument(observed.span()).await;
    body.settle(observed.end(answered.into_response())).await
}

async fn within_limits(kit: &Kit, mut request: Request, next: Next) -> Result<Response> {
    address::note(kit, &mut request)?;
    limits::check(&kit.config.limits, &mut request)?;
    limits::within_time(&kit.config.limits, next.run(request)).await
}

/// The router until the database answers for the first time: `/healthz` says that the process is alive, the rest is 503.
pub fn startup_router() -> Router {
    let not_ready = async || Error::from(HttpError::NotReady);
    Router::new().route("/healthz", get(health::alive)).fallback(not_ready)
}

/// A handler that panics becomes a 500 with an incident id, and the server goes on.
fn after_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    Error::internal(crate::db::panic_text(&*panic)).into_response()
}
