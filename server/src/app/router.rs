//! The router of the binary, and the contract of its calls.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Contract;
use utoipa_axum::router::OpenApiRouter;

use super::{App, contract};
use crate::access::{AccessTable, Gate, check, viewers};
use crate::error::Result;
use crate::http::routes::Routes;
use crate::http::{answer, health, layers, pages};
use crate::{
    audit, backup, canned_texts, casework, chargebacks, corrections, deliveries, details, documents, duplicates,
    filing, gateways, home, intake, lists, live, mail, paper_requests, papers, public, refunds, remarks, reports,
    staff, undo, visas,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Visadesk",
        description = "The back office of an agency that sells e-visa applications. Every JSON response has `status` (1 for success, \
            0 for an error) and `message`, a text for people. Errors also have `code`, a stable name for programs."
    ),
    tags(
        (name = "Session", description = "Signing in and out, and one's own password"),
        (name = "Orders", description = "Folders, lists, search, details, and what staff do with orders"),
        (name = "Documents", description = "Issued visas"),
        (name = "Filing", description = "The application with the government"),
        (name = "Mail", description = "Emails about an order"),
        (name = "Chargebacks", description = "Disputes, transaction details and defence packs"),
        (name = "Second factor", description = "The signed-in person's authenticator app and recovery codes"),
        (name = "Team", description = "Members of staff"),
        (name = "Gateways", description = "Payment gateways"),
        (name = "Reports", description = "Orders by country, by month and by member of staff"),
        (name = "Audit", description = "Who did what, and who saw what"),
        (name = "Backups", description = "The state of the backups"),
        (name = "API keys", description = "The keys of the sales sites"),
        (name = "Visas", description = "The visa catalogue"),
        (name = "Intake", description = "Orders, documents and payments from a sales site"),
        (name = "Visitors", description = "Tracking an order and downloading the visa"),
    ),
    components(schemas(answer::ErrorBody))
)]
struct Head;

/// The calls of a room: with a state to serve them, without one for the contract only. Layers clone the state several times a request, so
/// it is shared.
fn room<S: Send + Sync + 'static>(routes: Routes<S>, state: Option<&Arc<S>>) -> OpenApiRouter {
    routes.into_iter().fold(OpenApiRouter::new(), |all, (tag, calls)| {
        let calls = match state {
            Some(state) => calls.with_state(state.clone()),
            None => OpenApiRouter::with_openapi(calls.into_openapi()),
        };
        all.merge(tagged(tag, calls))
    })
}

fn tagged(tag: &str, mut calls: OpenApiRouter) -> OpenApiRouter {
    contract::tag(calls.get_openapi_mut(), tag);
    calls
}

/// The rooms' calls, under `/api`.
fn calls(app: Option<&App>) -> OpenApiRouter {
    let all = OpenApiRouter::new()
        .merge(room(staff::routes::routes(), app.map(|app| &app.staff)))
        .merge(room(lists::routes::routes(), app.map(|app| &app.lists)))
        .merge(room(live::routes::routes(), app.map(|app| &app.live)))
        .merge(room(details::routes::routes(), app.map(|app| &app.details)))
        .merge(room(duplicates::routes::routes(), app.map(|app| &app.duplicates)))
        .merge(room(casework::routes::routes(), app.map(|app| &app.casework)))
        .merge(room(undo::routes::routes(), app.map(|app| &app.undo)))
        .merge(room(refunds::routes::routes(), app.map(|app| &app.refunds)))
        .merge(room(corrections::routes::routes(), app.map(|app| &app.corrections)))
        .merge(room(remarks::routes::routes(), app.map(|app| &app.remarks)))
        .merge(room(deliveries::routes::routes(), app.map(|app| &app.deliveries)))
        .merge(room(paper_requests::routes::routes(), app.map(|app| &app.paper_requests)))
        .merge(room(canned_texts::routes::routes(), app.map(|app| &app.canned_texts)))
        .merge(room(filing::routes::routes(), app.map(|app| &app.filing)))
        .merge(room(papers::routes::routes(), app.map(|app| &app.papers)))
        .merge(room(mail::routes::routes(), app.map(|app| &app.mail)))
        .merge(room(home::routes::routes(), app.map(|app| &app.home)))
        .merge(room(reports::routes::routes(), app.map(|app| &app.reports)))
        .merge(room(audit::routes::routes(), app.map(|app| &app.audit)))
        .merge(room(backup::routes::routes(), app.map(|app| &app.backups)))
        .merge(room(chargebacks::routes::routes(), app.map(|app| &app.chargebacks)))
        .merge(room(gateways::routes::routes(), app.map(|app| &app.gateways)))
        .merge(room(intake::routes::routes(), app.map(|app| &app.intake)))
        .merge(room(public::routes::routes(), app.map(|app| &app.public)))
        .merge(tagged("Visas", visas::http::endpoints()));
    OpenApiRouter::with_openapi(Head::openapi()).nest("/api", all)
}

/// The HTTP contract: what the handlers declare, and what holds for all of them.
pub fn contract() -> Contract {
    let mut contract = calls(None).into_openapi();
    contract::complete(&mut contract);
    contract
}

/// Builds the router of the binary.
///
/// # Errors
/// If the access table lacks a call: it could not be served.
pub fn router(app: &App) -> Result<Router> {
    let (calls, contract) = calls(Some(app)).split_for_parts();
    let gate = Arc::new(Gate {
        table: AccessTable::of(&contract)?,
        identity: app.staff.clone(),
        tracking: app.tracking.clone(),
        intake: app.intake.clone(),
        access_log: app.audit.access_log.clone(),
        kit: app.kit.clone(),
    });
    let calls = calls.route_layer(from_fn_with_state(gate.clone(), check::check));
    let files = Router::new()
        .route("/uploads/{name}", get(documents::http_links::serve).with_state(app.documents.clone()))
        .route(
            "/uploads/{name}/pages/{size}/{page}",
            get(documents::http_pages::serve).with_state(app.documents.clone()),
        )
        .route("/uploads/mails/{name}", get(mail::page::serve).with_state(app.mail.clone()))
        .route_layer(from_fn_with_state(gate, viewers::check))
        .method_not_allowed_fallback(documents::http_links::refuse);
    let visitor_pages = || app.visitor_pages.clone();
    let metrics = if app.config.metrics.listen.is_empty() { metrics_router(app) } else { Router::new() };
    let others = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready).with_state(app.readiness.clone()))
        .route("/track-order/{orderId}", get(pages::visitor::track_order).with_state(visitor_pages()))
        .route("/get-new-order-details/{orderId}", get(pages::visitor::new_order_details).with_state(visitor_pages()))
        .merge(pages::reference::routes())
        .fallback(pages::serve)
        .with_state(app.staff_pages.clone());
    Ok(layers::around(layers::around_calls(calls, &app.kit).merge(files).merge(metrics).merge(others), &app.kit))
}

/// The router of the metrics.
pub fn metrics_router(app: &App) -> Router {
    Router::new().route("/metrics", get(health::metrics).with_state(app.measurements.clone()))
}
