//! Claims an order for a member who files it with the government's portal, so that no second one pays the fee.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::FilingRoom;
use super::claims::{self, OrderClaim, claimed};
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Done, Found, done};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::rules::remarks::reason_text;
use crate::orders::selected::find_all;
use crate::staff::inbox::{self, InboxKind, NewInboxEntry};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<FilingRoom>> {
    OpenApiRouter::new().routes(call!(claim_filing)).routes(call!(release_filing))
}

/// The order to claim.
#[derive(Deserialize, ToSchema)]
pub struct ClaimFiling {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// Takes it over from the member who is filing it, for this reason. They are told.
    #[serde(rename = "takeOver")]
    take_over: Option<String>,
}

/// A claim.
#[derive(Debug, Serialize, ToSchema)]
pub struct FilingClaim {
    /// The member who is filing the order.
    pub by: String,
    /// It is the caller's.
    pub is_own: bool,
    /// When the member began.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// When it ends unless it is renewed.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

impl FilingClaim {
    pub fn new(claim: OrderClaim, staff: &Staff) -> Self {
        let is_own = claim.staff_id == staff.id;
        Self { by: claim.by, is_own, since: claim.claimed_at, until: claim.expires_at }
    }
}

/// Claim an order in order to file it, or renew the claim, which lasts for 90 seconds. Refused while another member has it, unless the
/// caller takes it over with a reason.
#[utoipa::path(put, path = "/admin/claim-filing", request_body = ClaimFiling,
    responses((status = 200, body = Found<FilingClaim>)))]
pub async fn claim_filing(
    State(room): State<Arc<FilingRoom>>,
    staff: Staff,
    Json(body): Json<ClaimFiling>,
) -> Result<Found<FilingClaim>> {
    let ClaimFiling { order_id, take_over } = body;
    let reason = take_over.as_deref().map(reason_text).transpose()?;
    let (now, zone) = (room.clock.now(), room.config.time_zone);
    let write = move |tx: &mut Conn| {
        find_all(tx, &[order_id])?;
        let present = claims::find(tx, order_id)?;
        let (own, other) = match present {
            Some(claim) if claim.staff_id == staff.id => (Some(claim), None),
            other => (None, other),
        };
        let message = match (&other, &reason) {
            (None, _) => "You are filing this order".to_owned(),
            (Some(other), None) => return Err(claimed(order_id, other, zone).into()),
            (Some(other), Some(reason)) => {
                let change = Change::of("filing.take_over").order(order_id);
                let change = change.before(other.by.clone()).after(reason.clone());
                audit::add(tx, &Actor::from(&staff), &[change], now)?;
                let (staff_id, by_name) = (other.staff_id, &*staff.name);
                let told = NewInboxEntry { staff_id, order_id, kind: InboxKind::Claim, by_name, remark_id: None };
                inbox::add(tx, &[told], now)?;
                format!("You took over from {}", other.by)
            }
        };
        let claim = claims::claim(tx, order_id, &staff, own.as_ref())?;
        Ok(Found { status: 1, message, data: FilingClaim::new(claim, &staff) })
    };
    room.db.write(write).await
}

/// The order that is no longer filed.
#[derive(Deserialize, ToSchema)]
pub struct ReleaseFiling {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
}

/// End the caller's claim of an order. Without one, nothing changes.
#[utoipa::path(put, path = "/admin/release-filing", request_body = ReleaseFiling, responses((status = 200, body = Done)))]
pub async fn release_filing(
    State(room): State<Arc<FilingRoom>>,
    staff: Staff,
    Json(body): Json<ReleaseFiling>,
) -> Result<Done> {
    let order_id = body.order_id;
    let write = move |tx: &mut Conn| {
        find_all(tx, &[order_id])?;
        claims::release(tx, order_id, staff.id)
    };
    room.db.write(write).await?;
    Ok(done("You are not filing this order"))
}
