//! The findings of the checks of an order's papers, for the sales site: without the values of the order or the papers.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Intake;
use super::authentication::SalesSite;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Path;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::{sources, store as orders};
use crate::papers::rules::{CheckState, Finding, NotChecked, Paper, PaperField};
use crate::papers::store::{self as papers, Context};

/// An order and the checks of its papers.
#[derive(Serialize, ToSchema)]
pub struct OrderChecks {
    /// The order's id.
    order_id: OrderId,
    /// The printed form of the id, `VD-100001`.
    order_number: String,
    /// The check of the newest file of each paper that is checked.
    checks: Vec<CheckResult>,
}

/// The check of a paper.
#[derive(Serialize, ToSchema)]
struct CheckResult {
    /// Which paper it is.
    paper: Paper,
    /// The state of the check.
    check: CheckState,
    /// Why it was not checked; null: it was, or waits.
    reason: Option<NotChecked>,
    /// The compared fields; empty: the check is not done.
    findings: Vec<CheckedField>,
}

/// A compared field.
#[derive(Serialize, ToSchema)]
struct CheckedField {
    /// The field, by its name in the order.
    field: PaperField,
    /// The result of the comparison.
    finding: Finding,
}

/// Get what the checks of an order's papers found.
#[utoipa::path(
    get, path = "/intake/orders/{id}",
    params(("id" = OrderId, Path, description = "The order: plain, printed or encoded")),
    responses((status = 200, body = Found<OrderChecks>))
)]
pub async fn find_order(
    State(room): State<Arc<Intake>>,
    site: SalesSite,
    Path(order_id): Path<OrderId>,
) -> Result<Found<OrderChecks>> {
    let context = Context { now: room.clock.now(), today: room.clock.today(room.config.time_zone) };
    let read = room.db.read(move |conn| {
        if !orders::exists(conn, order_id)? {
            return Err(OrderError::OrderNotFound.into());
        }
        sources::check_visible(conn, order_id, site.source_id)?;
        let mut checks = Vec::new();
        for check in papers::list(conn, order_id)? {
            let reading = check.reading();
            let findings = match &reading {
                Some(reading) => papers::findings(conn, order_id, reading, context)?,
                None => Vec::new(),
            };
            let findings = findings.into_iter().map(|one| CheckedField { field: one.field, finding: one.finding() });
            checks.push(CheckResult {
                paper: check.paper,
                check: check.shown_state(),
                reason: check.reason,
                findings: findings.collect(),
            });
        }
        Ok(OrderChecks { order_id, order_number: order_id.printed(), checks })
    });
    Ok(found(read.await?))
}
