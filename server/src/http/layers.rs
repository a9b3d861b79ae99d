//! What every request goes through, whatever it asks for.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::kit::Kit;
use super::{address, health, limits, observe, pages};
use crate::error::Error;

/// Puts around the API's calls what holds for them alone: answers that nobody keeps, and a limit on their bodies.
pub fn around_calls(calls: Router, kit: &Kit) -> Router {
    calls
        .method_not_allowed_fallback(pages::wrong_method)
        .layer(DefaultBodyLimit::max(kit.config.limits.upload_bytes))
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
}

/// Puts around `routes` what every request goes through.
pub fn around(routes: Router, kit: &Kit) -> Router {
    let header = |name: &'static str, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(HeaderName::from_static(name), HeaderValue::from_static(value))
    };
    let body_idle = Duration::from_secs(kit.config.limits.body_idle_seconds);
    routes.layer(
        ServiceBuilder::new()
            .layer(from_fn(observe::observe))
            .layer(header("x-content-type-options", "nosniff"))
            .layer(header("referrer-policy", "no-referrer"))
            .layer(header("x-frame-options", "DENY"))
            .layer(header("cross-origin-opener-policy", "same-origin"))
            .layer(header("x-robots-tag", "noindex"))
            .layer(CatchPanicLayer::custom(after_panic))
            .layer(from_fn_with_state(kit.clone(), address::note))
            .layer(from_fn_with_state(kit.clone(), limits::check))
            .layer(RequestBodyTimeoutLayer::new(body_idle)),
    )
}

/// What is served until the database answers for the first time: the process lives, and everything else is put off.
pub fn startup_router() -> Router {
    let put_off = async || Error::unavailable("The database cannot be reached yet. Please try again in a moment");
    Router::new().route("/healthz", get(health::alive)).fallback(put_off)
}

/// The last resort: a handler that panics answers 500 with an incident id, and the server goes on.
fn after_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    Error::internal(crate::db::panic_text(&*panic)).into_response()
}
