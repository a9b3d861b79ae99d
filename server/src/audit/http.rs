//! The list of audit entries, the newest first.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Audit;
use super::errors::AuditError;
use super::store::{self, Actor, Filter, Record};
use crate::calendar::{self, CalendarError};
use crate::error::{Error, Result};
use crate::http::errors::HttpError;
use crate::http::json::Query;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The most rows of one response.
const MAX_ROWS: i64 = 200;

pub fn endpoints() -> OpenApiRouter<Arc<Audit>> {
    OpenApiRouter::new().routes(routes!(list_audit))
}

impl<S: Sync> FromRequestParts<S> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| HttpError::SignedOut.into())
    }
}

/// An audit entry.
#[derive(Serialize, ToSchema)]
pub struct AuditEntry {
    /// The entry's id.
    id: i64,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The person's name at that time, or a part of the program: `scheduler`, `import`, `sales site …`.
    actor: String,
    /// A noun and a verb: `order.move`, `gateway.switch`.
    action: String,
    /// The order's id; null: the entry is about no order.
    order_id: Option<OrderId>,
    /// The printed form of the id, `VD-100001`.
    order_number: Option<String>,
    /// The value before; null: none.
    before: Option<String>,
    /// The value after; null: none.
    after: Option<String>,
    /// The address of the caller; null: a part of the program.
    ip: Option<String>,
}

impl From<Record> for AuditEntry {
    fn from(entry: Record) -> Self {
        Self {
            id: entry.audit_id,
            at: entry.at,
            actor: entry.actor,
            action: entry.action,
            order_id: entry.order_id,
            order_number: entry.order_id.map(OrderId::printed),
            before: entry.before,
            after: entry.after,
            ip: entry.ip,
        }
    }
}

/// A page of audit entries.
#[derive(Serialize, ToSchema)]
pub struct AuditPage {
    /// 1.
    pub status: u8,
    /// A text for people; empty if there is nothing to say.
    pub message: String,
    /// The entries of the page.
    pub data: Vec<AuditEntry>,
    /// Send it as `olderThan` to get the next page; null on the last page.
    pub next: Option<i64>,
}

/// Absent and empty filters match everything.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListAudit {
    /// The actor's name, exactly.
    person: Option<String>,
    /// An order's number: plain, printed or encoded.
    order: Option<String>,
    /// An action, exactly, such as `order.move`.
    action: Option<String>,
    /// The first day, in the agency's zone: YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY.
    from: Option<String>,
    /// The last day, inclusive.
    to: Option<String>,
    /// Rows of one response, 1 to 200; 50 by default.
    limit: Option<i64>,
    /// The `next` of the previous page.
    #[serde(rename = "olderThan")]
    older_than: Option<i64>,
}

impl ListAudit {
    fn check(self, zone: chrono_tz::Tz) -> Result<(Filter, i64)> {
        let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let day = |text: Option<String>, name| given(text).map(|text| calendar::day(&text, name)).transpose();
        let (from, to) = (day(self.from, "from")?, day(self.to, "to")?);
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            return Err(CalendarError::PeriodReversed.into());
        }
        let limit = self.limit.unwrap_or(50);
        if !(1..=MAX_ROWS).contains(&limit) {
            return Err(AuditError::InvalidAuditLimit { max: MAX_ROWS }.into());
        }
        let order = given(self.order).map(|order| OrderId::parse(&order).ok_or(AuditError::InvalidAuditOrder));
        let filter = Filter {
            actor: given(self.person),
            order_id: order.transpose()?,
            action: given(self.action),
            from: from.map(|day| calendar::start(day, zone)),
            until: to.map(|day| calendar::end(day, zone)),
            older_than: self.older_than,
        };
        Ok((filter, limit))
    }
}

/// List audit entries, the newest first. Each call is recorded in the access log.
#[utoipa::path(get, path = "/admin/get-audit-list", params(ListAudit),
    responses((status = 200, body = AuditPage)))]
pub async fn list_audit(
    State(audit): State<Arc<Audit>>,
    by: Actor,
    Query(query): Query<ListAudit>,
) -> Result<axum::Json<AuditPage>> {
    let (filter, limit) = query.check(audit.config.time_zone)?;
    // One more row shows whether a page follows.
    let mut rows = audit.db.read(move |conn| store::list(conn, &filter, limit + 1)).await?;
    audit.access_log.note(&by, "audit.view", None);
    let follows = rows.len() as i64 > limit;
    if follows {
        rows.pop();
    }
    let next = rows.last().filter(|_| follows).map(|row| row.audit_id);
    let data = rows.into_iter().map(AuditEntry::from).collect();
    Ok(axum::Json(AuditPage { status: 1, message: String::new(), data, next }))
}
