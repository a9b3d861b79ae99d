//! The layers around every request.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower::ServiceBuilder;
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::errors::HttpError;
use super::kit::Kit;
use super::{address, health, limits, observe, pages};
use crate::error::Error;

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

/// Adds the layers of every request.
pub fn around(routes: Router, kit: &Arc<Kit>) -> Router {
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
            .layer(header("permissions-policy", NO_FEATURES))
            // Pages have a policy of their own.
            .layer(header("content-security-policy", NO_PAGE))
            .layer(option_layer(kit.config.is_https().then(|| header("strict-transport-security", HTTPS_ONLY))))
            .layer(CatchPanicLayer::custom(after_panic))
            .layer(from_fn_with_state(kit.clone(), address::note))
            .layer(from_fn_with_state(kit.clone(), limits::check))
            .layer(RequestBodyTimeoutLayer::new(body_idle)),
    )
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
