//! Takes the mark of a refund back that was a mistake: the refund's row stays, the order is due for one new refund, and the applicant
//! who was told gets a correction.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Refunds;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::{Error, Permission, Result};
use crate::http::answer::{Done, done};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::mail::errors::{ChangedFacts, MailError};
use crate::mail::outbox;
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{Address, MailKind, MailState};
use crate::mail::stops;
use crate::mail::store::find_facts;
use crate::orders::errors::OrderError;
use crate::orders::refunds::{self, RecordedRefund, TakenBack};
use crate::orders::rules::refunds as rules;
use crate::orders::rules::remarks::reason_text;
use crate::orders::selected::find_all;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Refunds>> {
    OpenApiRouter::new().routes(call!(take_back_refund))
}

/// The order, and the reason.
#[derive(Deserialize, ToSchema)]
pub struct TakeBackRefund {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// Why the mark was a mistake; at most 5,000 characters. May have several lines.
    #[schema(required, nullable = false)]
    reason: Option<String>,
}

/// The outcome for the applicant's email.
enum RefundMail {
    Stopped,
    Never,
    Corrected,
}

/// Take back the mark of a refund that was a mistake
///
/// The refund date is emptied and one new refund is possible. The email about the refund is stopped if it has not left; otherwise the
/// applicant gets a correction.
#[utoipa::path(put, path = "/admin/take-back-refund", request_body = TakeBackRefund,
    responses((status = 200, body = Done)))]
pub async fn take_back_refund(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    changed_facts: Permission<ChangedFacts>,
    Json(body): Json<TakeBackRefund>,
) -> Result<Done> {
    let (order_id, reason) = (body.order_id, reason_text(&body.reason.unwrap_or_default())?);
    let (texts, now, staff_id) = (room.clone(), room.clock.now(), staff.id);
    let composed = room.db.read(move |conn| compose(&texts, conn, order_id, staff_id, changed_facts)).await?;
    let why = format!("Stopped: {} took the refund back before it was sent", staff.name);
    let told = room
        .db
        .write(move |tx| {
            let states = find_all(tx, &[order_id])?;
            let refund = refunds::list_in_force(tx, &[order_id])?.pop();
            states.iter().try_for_each(|state| rules::check_take_back(state, refund.is_some()))?;
            let (refund, correction) = match (refund, &composed) {
                (Some(refund), Some((known, correction))) if refund == *known => (refund, correction),
                _ => return Err(MailError::MailFactsChanged.into()),
            };
            let told = stop_mail(tx, &refund, &why, now)?;
            let correction_mail_id = match told {
                RefundMail::Corrected => {
                    let facts = find_facts(tx, order_id)?.ok_or(OrderError::OrderNotFound)?;
                    Some(outbox::queue(tx, &correction.ready(&facts, None)?, now)?)
                }
                RefundMail::Stopped | RefundMail::Never => None,
            };
            let how = TakenBack { by: staff.id, reason: reason.clone(), correction_mail_id };
            refunds::take_back(tx, &refund, &how, now)?;
            let change = Change::of("refund.take_back").order(order_id).after(reason.clone());
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(told)
        })
        .await?;
    room.mail.notify.notify();
    let message = match told {
        RefundMail::Stopped => "The refund was taken back, and the email about it was stopped before it was sent",
        RefundMail::Never => "The refund was taken back. The customer got no email about it",
        RefundMail::Corrected => "The refund was taken back. A correction is on its way to the customer",
    };
    Ok(done(message))
}

/// The refund in force, and the correction of its mail.
fn compose(
    room: &Refunds,
    conn: &mut Conn,
    order_id: OrderId,
    staff_id: StaffId,
    permission: Permission<ChangedFacts>,
) -> Result<Option<(RecordedRefund, PreparedMail)>> {
    let Some(refund) = refunds::list_in_force(conn, &[order_id])?.pop() else { return Ok(None) };
    let (_, recipient) = stops::find(conn, refund.mail_id)?;
    let facts = find_facts(conn, order_id)?.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
    let kind = MailKind::RefundCorrection;
    // The address that got the refund notice gets the correction, also when the order has another address now: so without a link key.
    let recipient = Address::parse(&recipient)?;
    let correction = PreparedMail::compose(&room.mail, permission, kind, recipient, &facts, facts.letter(order_id))?;
    Ok(Some((refund, correction.requested_by(staff_id))))
}

/// Stops the mail about a refund if it has not left.
fn stop_mail(tx: &mut Conn, refund: &RecordedRefund, why: &str, now: Timestamp) -> Result<RefundMail> {
    let unsent = stops::lock_unsent(tx, &[refund.mail_id])?;
    if !unsent.is_empty() {
        stops::stop(tx, &unsent, why, now)?;
        return Ok(RefundMail::Stopped);
    }
    let (state, _) = stops::find(tx, refund.mail_id)?;
    Ok(if state == MailState::Failed { RefundMail::Never } else { RefundMail::Corrected })
}
