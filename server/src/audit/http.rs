//! The list of audit entries, the newest first.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Audit;
use super::filters::PageQuery;
use super::reader::Reader;
use super::seen::SeenData;
use super::store::{self, Actor, Record};
use crate::error::{Error, Refusals, Result};
use crate::http::errors::HttpError;
use crate::http::json::Query;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Audit>> {
    OpenApiRouter::new().routes(call!(list_audit))
}

impl Refusals for Actor {}

impl<S: Sync> FromRequestParts<S> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        Ok(Reader::from_request_parts(parts, state).await?.by)
    }
}

impl Refusals for Reader {}

impl<S: Sync> FromRequestParts<S> for Reader {
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

/// List audit entries, the newest first. Each call is recorded in the access log.
#[utoipa::path(get, path = "/admin/get-audit-list", params(PageQuery),
    responses((status = 200, body = AuditPage)))]
pub async fn list_audit(
    State(audit): State<Arc<Audit>>,
    reader: Reader,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<AuditPage>> {
    let (filter, limit) = query.check(audit.config.time_zone)?;
    // One more row shows whether a page follows.
    let mut rows = audit.db.read(move |conn| store::list(conn, &filter, limit + 1)).await?;
    let follows = rows.len() as i64 > limit;
    if follows {
        rows.pop();
    }
    reader.note(SeenData::report("audit.view", rows.len())).await?;
    let next = rows.last().filter(|_| follows).map(|row| row.audit_id);
    let data = rows.into_iter().map(AuditEntry::from).collect();
    Ok(axum::Json(AuditPage { status: 1, message: String::new(), data, next }))
}
