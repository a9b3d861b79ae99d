//! HTTP: the router, who may call, the answer envelope, limits. Rooms bring their endpoints; this brings everything around them.

pub mod access;
pub mod address;
pub mod answer;
pub mod health;
pub mod idempotency;
pub mod json;
mod limits;
mod observe;
pub mod pages;
pub mod server;

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Contract;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::error::Error;
use crate::{audit, chargebacks, documents, gateways, intake, mail, orders, reports, staff, tracking, visas};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Visadesk",
        description = "The back office of an agency that sells e-visa applications. Every answer has `status` (1 or 0) and `message`."
    ),
    components(schemas(answer::Refused))
)]
struct Head;

/// The rooms' endpoints, under `/api`.
fn endpoints() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Head::openapi()).nest(
        "/api",
        OpenApiRouter::new()
            .merge(staff::http::endpoints())
            .merge(staff::team::endpoints())
            .merge(orders::http::endpoints())
            .merge(orders::http_details::endpoints())
            .merge(orders::http_moves::endpoints())
            .merge(orders::http_refunds::endpoints())
            .merge(orders::http_remarks::endpoints())
            .merge(mail::http::endpoints())
            .merge(documents::http::endpoints())
            .merge(reports::http::endpoints())
            .merge(reports::http_days::endpoints())
            .merge(reports::http_csv::endpoints())
            .merge(audit::http::endpoints())
            .merge(chargebacks::http::endpoints())
            .merge(chargebacks::http_packs::endpoints())
            .merge(gateways::http::endpoints())
            .merge(intake::http::endpoints())
            .merge(tracking::http::endpoints())
            .merge(visas::http::endpoints()),
    )
}

/// The HTTP contract, as the handlers have it.
pub fn contract() -> Contract {
    endpoints().into_openapi()
}

/// Everything that the binary serves.
pub fn router(app: App) -> Router {
    let (api, _) = endpoints().split_for_parts();
    let upload_bytes = app.config.limits.upload_bytes;
    let api = api
        .route_layer(from_fn_with_state(app.clone(), idempotency::claim))
        .route_layer(from_fn_with_state(app.clone(), access::check))
        .method_not_allowed_fallback(pages::wrong_method)
        .layer(DefaultBodyLimit::max(upload_bytes))
        .layer(SetResponseHeaderLayer::if_not_present(
            axum::http::header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ));
    let routes = Router::new()
        .merge(api)
        .route("/uploads/{name}", get(documents::http_links::serve).fallback(documents::http_links::refuse))
        .route("/uploads/mails/{name}", get(mail::page::serve).fallback(documents::http_links::refuse))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/track-order/{orderId}", get(pages::visitor::track_order))
        .route("/get-new-order-details/{orderId}", get(pages::visitor::new_order_details))
        .fallback(pages::serve);
    around(routes, app)
}

/// What is served until the database answers for the first time: the process lives, and everything else is put off.
pub fn waiting_room() -> Router {
    let put_off = async || Error::unavailable("The database cannot be reached yet. Please try again in a moment");
    Router::new().route("/healthz", get(health::alive)).fallback(put_off)
}

/// Puts around `routes` what every request goes through, whatever it asks for.
pub fn around(routes: Router<App>, app: App) -> Router {
    let header = |name: &'static str, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(HeaderName::from_static(name), HeaderValue::from_static(value))
    };
    let body_idle = Duration::from_secs(app.config.limits.body_idle_seconds);
    routes
        .layer(
            ServiceBuilder::new()
                .layer(from_fn(observe::observe))
                .layer(header("x-content-type-options", "nosniff"))
                .layer(header("referrer-policy", "no-referrer"))
                .layer(header("x-frame-options", "DENY"))
                .layer(header("cross-origin-opener-policy", "same-origin"))
                .layer(header("x-robots-tag", "noindex"))
                .layer(CatchPanicLayer::custom(after_panic))
                .layer(from_fn_with_state(app.clone(), limits::check))
                .layer(RequestBodyTimeoutLayer::new(body_idle)),
        )
        .with_state(app)
}

/// The last resort: a handler that panics answers 500 with an incident id, and the server goes on.
fn after_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    Error::internal(crate::db::panic_text(&*panic)).into_response()
}
