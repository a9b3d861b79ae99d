//! The router of the binary, and the contract of its calls.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Contract;
use utoipa_axum::router::OpenApiRouter;

use super::App;
use crate::access::{AccessTable, Gate, check, viewers};
use crate::error::Result;
use crate::http::{answer, health, idempotency, layers, pages};
use crate::{audit, casework, chargebacks, documents, gateways, intake, mail, public, reports, staff, visas};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Visadesk",
        description = "The back office of an agency that sells e-visa applications. Every answer has `status` (1 or 0) and `message`."
    ),
    components(schemas(answer::ErrorBody))
)]
struct Head;

/// The calls of a room: with a state to serve them, without one for the contract only.
fn room<S: Clone + Send + Sync + 'static>(calls: OpenApiRouter<S>, state: Option<&S>) -> OpenApiRouter {
    match state {
        Some(state) => calls.with_state(state.clone()),
        None => OpenApiRouter::with_openapi(calls.into_openapi()),
    }
}

/// The rooms' calls, under `/api`.
fn calls(app: Option<&App>) -> OpenApiRouter {
    let all = OpenApiRouter::new()
        .merge(room(staff::http::endpoints(), app.map(|app| &app.staff)))
        .merge(room(staff::http_team::endpoints(), app.map(|app| &app.staff)))
        .merge(room(casework::lists::endpoints(), app.map(|app| &app.casework)))
        .merge(room(casework::details::endpoints(), app.map(|app| &app.casework)))
        .merge(room(casework::moves::endpoints(), app.map(|app| &app.casework)))
        .merge(room(casework::refunds::endpoints(), app.map(|app| &app.casework)))
        .merge(room(casework::remarks::endpoints(), app.map(|app| &app.casework)))
        .merge(room(casework::deliver::endpoints(), app.map(|app| &app.casework)))
        .merge(room(casework::leaving::endpoints(), app.map(|app| &app.casework)))
        .merge(room(mail::http::endpoints(), app.map(|app| &app.mail)))
        .merge(room(reports::http::endpoints(), app.map(|app| &app.reports)))
        .merge(room(reports::http_days::endpoints(), app.map(|app| &app.reports)))
        .merge(room(reports::http_csv::endpoints(), app.map(|app| &app.reports)))
        .merge(room(audit::http::endpoints(), app.map(|app| &app.audit)))
        .merge(room(chargebacks::http::endpoints(), app.map(|app| &app.chargebacks)))
        .merge(room(chargebacks::http_packs::endpoints(), app.map(|app| &app.chargebacks)))
        .merge(room(gateways::http::endpoints(), app.map(|app| &app.gateways)))
        .merge(room(intake::http::endpoints(), app.map(|app| &app.intake)))
        .merge(room(public::http::endpoints(), app.map(|app| &app.public)))
        .merge(visas::http::endpoints());
    OpenApiRouter::with_openapi(Head::openapi()).nest("/api", all)
}

/// The HTTP contract as the handlers declare it.
pub fn contract() -> Contract {
    calls(None).into_openapi()
}

/// Builds the router of the binary.
///
/// # Errors
/// If the access table lacks a call: it could not be served.
pub fn router(app: &App) -> Result<Router> {
    let (calls, contract) = calls(Some(app)).split_for_parts();
    let gate = Gate {
        table: Arc::new(AccessTable::of(&contract)?),
        identity: app.staff.clone(),
        tracking: app.tracking.clone(),
        intake: app.intake.clone(),
        access_log: app.audit.access_log.clone(),
    };
    let calls = calls
        .route_layer(from_fn_with_state(app.kit.clone(), idempotency::claim))
        .route_layer(from_fn_with_state(gate.clone(), check::check));
    let files = Router::new()
        .route("/uploads/{name}", get(documents::http_links::serve).with_state(app.documents.clone()))
        .route("/uploads/mails/{name}", get(mail::page::serve).with_state(app.mail.clone()))
        .route_layer(from_fn_with_state(gate, viewers::check))
        .method_not_allowed_fallback(documents::http_links::refuse);
    let others = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/track-order/{orderId}", get(pages::visitor::track_order))
        .route("/get-new-order-details/{orderId}", get(pages::visitor::new_order_details))
        .fallback(pages::serve)
        .with_state(app.clone());
    Ok(layers::around(layers::around_calls(calls, &app.kit).merge(files).merge(others), &app.kit))
}
