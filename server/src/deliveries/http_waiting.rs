//! Delivers visas that waited: once their scan is read, after two minutes at the latest, or once a member has decided.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Deliveries;
use super::approval::{Approval, find_facts, note};
use super::errors::DeliveryError;
use super::waiting::{self, WaitingVisa};
use super::{rules, store as deliveries};
use crate::audit::store::Actor;
use crate::db::Conn;
use crate::documents::store as documents;
use crate::error::{Declared, Result};
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::mail::errors::ChangedFacts;
use crate::mail::rules::Address;
use crate::mail::store as mail;
use crate::orders::dialect::lock_orders;
use crate::orders::errors::OrderError;
use crate::orders::moves;
use crate::staff::rules::Staff;
use crate::staff::store as staff_store;

pub fn endpoints() -> OpenApiRouter<Arc<Deliveries>> {
    OpenApiRouter::new().routes(call!(decide_visa))
}

/// The number of visas that are delivered before the job pauses.
const BATCH: i64 = 100;

/// Delivers the visas that are due, and returns how many.
///
/// # Errors
/// Of the first one that could not be delivered, after all others were.
pub async fn deliver_due(room: &Arc<Deliveries>) -> Result<usize> {
    let now = room.clock.now();
    if !room.db.look_up(move |conn| waiting::is_due(conn, now)).await? {
        return Ok(0);
    }
    let due = room.db.read(move |conn| waiting::list_due(conn, now, BATCH)).await?;
    let (mut delivered, mut failure) = (0, None);
    for visa in due {
        match deliver(room, visa).await {
            Ok(is_delivered) => delivered += usize::from(is_delivered),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(delivered), Err)
}

/// Delivers a visa that is due, as the member who uploaded it. Returns false if it no longer waits, or waits for a decision now.
async fn deliver(room: &Arc<Deliveries>, visa: WaitingVisa) -> Result<bool> {
    let (composing, lifecycle, order_id, document_id) =
        (room.clone(), room.lifecycle.clone(), visa.order_id, visa.document_id);
    let prepared = room
        .db
        .read(move |conn| {
            let facts = mail::find_facts(conn, order_id)?.ok_or(OrderError::OrderNotFound)?;
            // The applicant of a deleted order could not open it.
            let may_open = facts.applicant.process_status.may_be_emailed_about();
            let approval = may_open.then(|| compose(&composing, conn, &visa, Declared::in_background())).transpose()?;
            let name = staff_store::names(conn, &[visa.staff_id])?.remove(&visa.staff_id).unwrap_or_default();
            let by = Actor { staff_id: Some(visa.staff_id), name, address: None };
            Ok((approval, by))
        })
        .await?;
    let (approval, by) = prepared;
    let cause = lifecycle.cause(by, "order.move");
    let is_delivered = room
        .db
        .write(move |tx| {
            let Some(approval) = &approval else {
                waiting::set_due(tx, document_id, None)?;
                return Ok(false);
            };
            release(tx, &lifecycle, approval, (order_id, document_id), "It had waited to be read", &cause)
        })
        .await?;
    room.mail.notify.notify();
    Ok(is_delivered)
}

/// Composes the email of a visa. One to an address of the order goes to its contact address if the former was corrected since.
fn compose(
    room: &Arc<Deliveries>,
    conn: &mut Conn,
    visa: &WaitingVisa,
    declared: Declared<ChangedFacts>,
) -> Result<Approval> {
    let facts = find_facts(conn, visa.order_id)?;
    let asked = Address::parse(&visa.recipient)?;
    let recipient = if visa.is_own && !asked.is_one_of(facts.addresses()) {
        Address::parse(&facts.applicant.contact_email_address).unwrap_or(asked)
    } else {
        asked
    };
    Approval::compose(room, conn, visa.order_id, (recipient, visa.provider), visa.staff_id, declared)
}

/// Makes a waiting visa the issued one, queues its email and completes its order. Returns false if it no longer waits.
fn release(
    tx: &mut Conn,
    lifecycle: &Lifecycle,
    approval: &Approval,
    (order_id, document_id): (OrderId, i64),
    why: &str,
    cause: &Cause,
) -> Result<bool> {
    let orders = moves::lock(tx, &[order_id])?;
    if !waiting::remove(tx, document_id)? {
        return Ok(false);
    }
    documents::deliver_visa(tx, document_id, cause.now)?;
    note(tx, order_id, "visa.deliver", why.to_owned(), cause)?;
    approval.deliver(tx, lifecycle, &orders, document_id, cause.now, cause)?;
    Ok(true)
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
    changed_facts: Declared<ChangedFacts>,
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
