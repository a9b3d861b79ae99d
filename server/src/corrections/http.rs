//! Corrects what a customer entered about the applicant, the trip and how they are reached.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Corrections;
use crate::audit::store::{Actor, Change, add, last_actor};
use crate::db::Conn;
use crate::error::{Error, Permission, Result};
use crate::http::answer::{Done, done};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::mail::errors::{ChangedFacts, MailError};
use crate::mail::outbox::{self, NewMail};
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{Address, MailKind};
use crate::mail::secrets;
use crate::mail::store::find_facts;
use crate::orders::corrections::{keep_originals, lock, write};
use crate::orders::errors::OrderError;
use crate::orders::kept;
use crate::orders::rules::corrections::{self as rules, CONTACT_EMAIL, ChangedField, Correction, FieldRequest};
use crate::staff::rules::Staff;
use crate::text::format_day;
use crate::timestamp::Timestamp;
use crate::tracking::grants;

pub fn endpoints() -> OpenApiRouter<Arc<Corrections>> {
    OpenApiRouter::new().routes(call!(correct_order))
}

/// The order, and its corrected fields.
#[derive(Deserialize, ToSchema)]
pub struct CorrectOrder {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The fields by their names in the details. Those that are absent stay as they are.
    fields: BTreeMap<String, FieldCorrection>,
}

/// A corrected field. Dates are YYYY-MM-DD, numbers are written as text.
#[derive(Deserialize, ToSchema)]
pub struct FieldCorrection {
    /// The value that the member saw; null: none. If the order has another one now, nothing is changed.
    before: Option<String>,
    /// The right value; null: none.
    after: Option<String>,
}

/// Correct what the customer entered
///
/// The fields of the applicant, the trip and the contact, by the rules of intake. What the customer sent is kept. Another contact address
/// ends the visits of the order's page and revokes the links in its mails, and the old address is told.
#[utoipa::path(put, path = "/admin/correct-order", request_body = CorrectOrder,
    responses((status = 200, body = Done)))]
pub async fn correct_order(
    State(room): State<Arc<Corrections>>,
    staff: Staff,
    changed_facts: Permission<ChangedFacts>,
    Json(body): Json<CorrectOrder>,
) -> Result<Done> {
    let (order_id, now) = (body.order_id, room.clock.now());
    let asked =
        body.fields.into_iter().map(|(name, FieldCorrection { before, after })| (name, FieldRequest { before, after }));
    let correction = rules::check(&asked.collect(), room.clock.today(room.config.time_zone))?;
    let (texts, staff_id) = (room.clone(), staff.id);
    let notice = if correction.has(CONTACT_EMAIL) {
        room.db.read(move |conn| compose(&texts, conn, order_id, staff_id, changed_facts)).await?
    } else {
        None
    };
    let codes = room.config.release_by_window.clone();
    let (changed, settled, is_moved, waits_for) = room
        .db
        .write(move |tx| {
            let (order, current) = lock(tx, order_id)?.ok_or(OrderError::OrderNotFound)?;
            if !order.process_status.may_be_corrected() {
                return Err(OrderError::CorrectionOfDeletedOrder { order_id }.into());
            }
            let (corrected, changed) = match correction.apply(&current) {
                Ok(applied) => applied,
                Err(fields) => {
                    let by = last_actor(tx, order_id)?.unwrap_or_else(|| "another member of staff".into());
                    return Err(OrderError::CorrectedMeanwhile { order_id, by, fields }.into());
                }
            };
            let mut changes = settle(tx, order_id, &correction, &changed, staff.id, now)?;
            if changed.is_empty() {
                add(tx, &Actor::from(&staff), &changes, now)?;
                return Ok((0, changes.len(), false, None));
            }
            // With the old address, to which the notice goes.
            let facts = if notice.is_some() { find_facts(tx, order_id)? } else { None };
            let written = write(tx, (&order, &current), &corrected, &changed, &codes, now)?;
            keep_originals(tx, order_id, &changed, staff.id, now)?;
            changes.extend(written.changes);
            add(tx, &Actor::from(&staff), &changes, now)?;
            let moved = changed.iter().find(|change| change.field == CONTACT_EMAIL);
            if let Some(ChangedField { before, .. }) = moved {
                let notice = notice.as_ref().filter(|(old, _)| Some(old) == before.as_ref());
                let (_, notice) = notice.ok_or(MailError::MailFactsChanged)?;
                let notice = notice.as_ref().zip(facts.as_ref());
                let notice = notice.map(|(notice, facts)| notice.ready(facts, None)).transpose()?;
                revoke_old_address(tx, order_id, notice.as_ref(), now)?;
            }
            Ok((changed.len(), 0, moved.is_some(), written.waits_for))
        })
        .await?;
    room.mail.notify.notify();
    let corrected = match changed {
        0 if settled > 0 => "There is nothing to correct".to_owned(),
        0 => "The order has these values already".to_owned(),
        1 => "1 field was corrected".to_owned(),
        fields => format!("{fields} fields were corrected"),
    };
    let consequence = if is_moved { ". The old email address is told, and its links no longer open" } else { "" };
    let wait = waits_for.map(|date| format!(". The order waits for {}", format_day(date))).unwrap_or_default();
    Ok(done(format!("{corrected}{consequence}{wait}")))
}

/// The contact address, and the notice of its change; none if no mail can go there.
fn compose(
    room: &Corrections,
    conn: &mut Conn,
    order_id: OrderId,
    staff_id: StaffId,
    permission: Permission<ChangedFacts>,
) -> Result<Option<(String, Option<PreparedMail>)>> {
    let facts = find_facts(conn, order_id)?.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
    let old = facts.applicant.contact_email_address.clone();
    let Ok(recipient) = Address::parse(&old) else { return Ok(Some((old, None))) };
    let letter = facts.letter(order_id);
    let notice = PreparedMail::compose(&room.mail, permission, MailKind::AddressChanged, recipient, &facts, letter)?;
    Ok(Some((old, Some(notice.requested_by(staff_id)))))
}

/// Revokes the links and visits of the old address, and notifies it.
fn revoke_old_address(tx: &mut Conn, order_id: OrderId, notice: Option<&NewMail>, now: Timestamp) -> Result<()> {
    secrets::revoke(tx, order_id, now)?;
    grants::delete_of(tx, order_id)?;
    if let Some(notice) = notice {
        outbox::queue(tx, notice, now)?;
    }
    Ok(())
}

/// Settles what was kept as it was sent in the fields that the member looked at. Returns the audit rows of those in which nothing is corrected.
fn settle(
    tx: &mut Conn,
    order_id: OrderId,
    correction: &Correction,
    changed: &[ChangedField],
    by: StaffId,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let settled = kept::settle(tx, order_id, &correction.named(), by, now)?;
    let unchanged = settled.iter().filter(|field| changed.iter().all(|change| change.field != field.as_str()));
    Ok(unchanged.map(|field| audited_look(order_id, field)).collect())
}

/// The audit row of a field that was kept as it was sent, and about which a member found that there is nothing to correct.
fn audited_look(order_id: OrderId, field: &str) -> Change {
    Change {
        action: "order.correct",
        order_id: Some(order_id),
        before: Some(format!("{field}: kept as it was sent")),
        after: Some(format!("{field}: nothing to correct")),
    }
}
