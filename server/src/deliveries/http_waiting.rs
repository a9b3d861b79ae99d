//! The decision of a member about a visa that waits.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Deliveries;
use super::approval::note;
use super::errors::DeliveryError;
use super::release::{compose, release};
use super::waiting;
use super::{rules, store as deliveries};
use crate::documents::store as documents;
use crate::error::{Permission, Result};
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::mail::errors::ChangedFacts;
use crate::orders::dialect::lock_orders;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Deliveries>> {
    OpenApiRouter::new().routes(call!(decide_visa))
}

/// The decision about a visa that waits.
#[derive(Deserialize, ToSchema)]
pub struct DecideVisa {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The visa's number, as the details list it.
    document_id: i64,
    /// Deliver or withdraw it.
    decision: VisaDecision,
    /// Why it is delivered, in 5 to 500 characters.
    reason: Option<String>,
}

/// A decision about a visa that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VisaDecision {
    /// It is the right one: the applicant gets it now.
    Deliver,
    /// It is a wrong one: the applicant never gets it.
    Withdraw,
}

/// Decide about a visa that is not delivered yet
///
/// It is being read, or its scan shows another passport number than the order's. By setting, another member than the one who uploaded it
/// decides to deliver it.
#[utoipa::path(post, path = "/admin/decide-visa", request_body = DecideVisa,
    responses((status = 200, body = Done)))]
pub async fn decide_visa(
    State(room): State<Arc<Deliveries>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    changed_facts: Permission<ChangedFacts>,
    Json(DecideVisa { order_id, document_id, decision, reason }): Json<DecideVisa>,
) -> Result<StoredResponse> {
    let reason = rules::read_reason(reason.as_deref().unwrap_or_default())?;
    let (lifecycle, composing) = (room.lifecycle.clone(), room.clone());
    let cause = lifecycle.cause(&staff, "order.move");
    let (by, second_person) = (staff.id, room.config.delivery.second_person);
    let prepared = idempotent
        .prepare(&room.db, move |conn| {
            let visa = waiting::find(conn, order_id, document_id)?.ok_or(DeliveryError::VisaNotWaiting)?;
            match decision {
                VisaDecision::Withdraw => Ok(None),
                VisaDecision::Deliver if second_person && visa.staff_id == by => {
                    Err(DeliveryError::DecisionNeedsSecondPerson.into())
                }
                VisaDecision::Deliver => {
                    let reason = reason.ok_or(DeliveryError::DeliveryReasonMissing)?;
                    Ok(Some((compose(&composing, conn, &visa, changed_facts)?, format!("Reason: {reason}"))))
                }
            }
        })
        .await?;
    let approval = match prepared {
        ControlFlow::Continue(approval) => approval,
        ControlFlow::Break(response) => return Ok(response),
    };
    let outcome = idempotent
        .write(&room.db, move |tx| {
            let visa = (order_id, document_id);
            let message = if let Some((approval, why)) = &approval {
                if !release(tx, &lifecycle, approval, visa, why, &cause)? {
                    return Err(DeliveryError::VisaNotWaiting.into());
                }
                "The visa is delivered"
            } else {
                lock_orders(tx, &[order_id])?;
                if !waiting::remove(tx, document_id)? {
                    return Err(DeliveryError::VisaNotWaiting.into());
                }
                documents::withdraw_visa(tx, document_id)?;
                note(tx, order_id, "visa.withdraw", "before it was delivered".to_owned(), &cause)?;
                "The visa is withdrawn, and the customer does not get it"
            };
            deliveries::look(tx, order_id, document_id, staff.id, cause.now)?;
            Ok(done(message))
        })
        .await?;
    room.mail.notify.notify();
    Ok(outcome)
}
