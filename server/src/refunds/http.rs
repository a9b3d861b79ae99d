//! Marks orders as refunded: date, mail and audit row in one transaction, once for each order. The transaction sends a fixed number
//! of statements, because it holds the locks of all selected orders. A large refund is stored as a request instead, if the
//! configuration asks for a second person.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Refunds;
use crate::audit::store::{Actor, Change, add};
use crate::config::RefundSettings;
use crate::db::Conn;
use crate::error::{Permission, Result};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::mail::errors::{ChangedFacts, MailError};
use crate::mail::outbox::{self, NewMail};
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{Address, MailKind, audit_summary};
use crate::mail::store::{MailFacts, list_facts};
use crate::orders::errors::OrderError;
use crate::orders::facts::{Payment, list_payments};
use crate::orders::refunds::{self, Refund};
use crate::orders::rules::refund_approvals::{self as approval_rules, Totals};
use crate::orders::rules::refunds::RefundSummary;
use crate::orders::rules::{changes, refunds as refund_rules};
use crate::orders::selected::{Selected, find_all};
use crate::orders::{moves, refund_approvals};
use crate::staff::rules::{Staff, StaffType};
use crate::staff::store as staff_store;
use crate::text::counted;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Refunds>> {
    OpenApiRouter::new().routes(call!(refund_orders))
}

/// The orders to mark as refunded.
#[derive(Deserialize, ToSchema)]
pub struct RefundOrders {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
}

/// The number of orders of each kind, for clients that refund in several calls.
#[derive(Serialize, ToSchema)]
pub struct OrdersRefunded {
    /// 1.
    status: u8,
    /// The counts as a text; for a single order refunded before, with the day of its refund.
    message: String,
    /// The orders that this call refunded.
    refunded: usize,
    /// The selected orders that had been refunded before, and stay as they are.
    already_refunded: usize,
    /// When the emails leave; until then they can be stopped. Absent: at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    mails_leave_at: Option<Timestamp>,
    /// The request that waits for a second person. Absent: none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<WaitingApproval>,
}

/// A refund that waits for a second person
#[derive(Serialize, ToSchema)]
pub struct WaitingApproval {
    /// The number of the request.
    approval_id: i64,
    /// The orders that wait. They stay as they are, and no email is sent.
    orders: usize,
    /// When the request expires.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// The outcome of the transaction.
enum RefundOutcome {
    Refunded { summary: RefundSummary, mails_leave_at: Option<Timestamp> },
    Waits { already_refunded: usize, approval: WaitingApproval },
}

/// Mark the selected orders as refunded and mail each applicant through AWS
///
/// All or none; orders refunded before are counted and stay as they are. If the configuration asks for a second person's approval of
/// so many orders or so large a sum, nothing is refunded: the request is stored, and `approval` names it.
#[utoipa::path(put, path = "/admin/move-to-complete-refund", request_body = RefundOrders,
    responses((status = 200, body = OrdersRefunded),
        (status = 202, body = OrdersRefunded, description = "The refund waits for a second person")))]
pub async fn refund_orders(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    changed_facts: Permission<ChangedFacts>,
    Json(body): Json<RefundOrders>,
) -> Result<(StatusCode, axum::Json<OrdersRefunded>)> {
    let (ids, now, zone, staff_id) = (body.order_ids.ids()?, room.clock.now(), room.config.time_zone, staff.id);
    let (texts, asked, config) = (room.clone(), ids.clone(), room.config.clone());
    let mails = room.db.read(move |conn| compose(&texts, conn, &asked, staff_id, zone, changed_facts)).await?;
    let outcome = room
        .db
        .write(move |tx| {
            let states = find_all(tx, &ids)?;
            let due = refund_rules::due(&states, zone)?;
            let config = &config.refunds;
            check_cap(tx, (staff.id, staff.staff_type), due.len(), config, now)?;
            if approval_rules::is_on(config) && needs_approval(tx, staff.id, &due, config, now)? {
                let already_refunded = states.len() - due.len();
                return Ok(RefundOutcome::Waits { already_refunded, approval: request(tx, &staff, &due, now)? });
            }
            let marking = RefundMarking { staff_id: staff.id, by: Actor::from(&staff), approval: None };
            let mails_leave_at = carry_out(tx, &due, &mails, &marking, config, now)?;
            Ok(RefundOutcome::Refunded { summary: refund_rules::summary(&states, zone), mails_leave_at })
        })
        .await?;
    Ok(match outcome {
        RefundOutcome::Refunded { summary: RefundSummary { refunded, already_refunded, message }, mails_leave_at } => {
            room.mail.notify.notify();
            let refunded =
                OrdersRefunded { status: 1, message, refunded, already_refunded, mails_leave_at, approval: None };
            (StatusCode::OK, axum::Json(refunded))
        }
        RefundOutcome::Waits { already_refunded, approval } => {
            let waits = OrdersRefunded {
                status: 1,
                message: approval_rules::waits_text(approval.orders, already_refunded),
                refunded: 0,
                already_refunded,
                mails_leave_at: None,
                approval: Some(approval),
            };
            (StatusCode::ACCEPTED, axum::Json(waits))
        }
    })
}

/// Refuses a refund of so many orders if it exceeds the daily limit of the member who marks them.
pub fn check_cap(
    tx: &mut Conn,
    (staff_id, staff_type): (StaffId, StaffType),
    due: usize,
    config: &RefundSettings,
    now: Timestamp,
) -> Result<()> {
    let most = refund_rules::most_of_day(staff_type, &config.bulk_orders_per_day);
    if most > 0 {
        refunds::lock_marks_of(tx, staff_id)?;
        refund_rules::check_day(due, &refunds::list_times(tx, staff_id, most)?, most, now)?;
    }
    Ok(())
}

/// Returns true if a second person must approve the refund of those orders.
fn needs_approval(
    tx: &mut Conn,
    staff_id: StaffId,
    due: &[OrderId],
    config: &RefundSettings,
    now: Timestamp,
) -> Result<bool> {
    refunds::lock_marks_of(tx, staff_id)?;
    let before = refund_approvals::list_unapproved(tx, staff_id, now - approval_rules::COUNTED_FOR)?;
    let paid: HashMap<OrderId, Payment> = list_payments(tx, due)?.into_iter().collect();
    let selected = Totals::of(due.iter().map(|order_id| paid.get(order_id).map(Payment::amount)));
    Ok(approval_rules::needs_approval(&selected, &Totals::of(before), config))
}

/// Stores the refund as a request for a second person.
fn request(tx: &mut Conn, staff: &Staff, due: &[OrderId], now: Timestamp) -> Result<WaitingApproval> {
    if let Some((order_id, by)) = refund_approvals::find_waiting(tx, due, now)? {
        let by = staff_store::names(tx, &[by])?.remove(&by).unwrap_or_default();
        return Err(OrderError::OrderWaitsForApproval { order_id, by }.into());
    }
    let expires_at = now + approval_rules::WAITS_FOR;
    let approval_id = refund_approvals::add(tx, staff.id, due, now, expires_at)?;
    let change = |order_id: &OrderId| Change::of("refund.request").order(*order_id).after(counted(due.len(), "order"));
    add(tx, &Actor::from(staff), &due.iter().map(change).collect::<Vec<_>>(), now)?;
    Ok(WaitingApproval { approval_id, orders: due.len(), expires_at })
}

/// The members who mark orders as refunded, and the approval.
pub struct RefundMarking {
    /// The member who asked for it.
    pub staff_id: StaffId,
    /// The person who makes the call: that member, or the one who approves.
    pub by: Actor,
    /// The approved request, and the name of the member who made it.
    pub approval: Option<(i64, String)>,
}

/// Marks locked orders as refunded and queues their mails, which [`compose`] composed. Returns when the mails leave, if not at once.
///
/// # Errors
/// [`MailError::MailFactsChanged`] if an order has no mail, because a refund was taken back since, or has changed since.
pub fn carry_out(
    tx: &mut Conn,
    due: &[OrderId],
    mails: &HashMap<OrderId, PreparedMail>,
    marking: &RefundMarking,
    config: &RefundSettings,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let facts: HashMap<OrderId, MailFacts> = list_facts(tx, due)?.into_iter().collect();
    let ready = due.iter().map(|order_id| {
        let (mail, facts) = mails.get(order_id).zip(facts.get(order_id)).ok_or(MailError::MailFactsChanged)?;
        mail.ready(facts, None)
    });
    let mails: Vec<NewMail> = ready.collect::<Result<_, MailError>>()?;
    let leave_at = refund_rules::mail_delay(due.len(), config).map(|delay| now + delay);
    let mail_ids = outbox::queue_all(tx, &mails.iter().collect::<Vec<_>>(), leave_at.unwrap_or(now), now)?;
    let approval_id = marking.approval.as_ref().map(|(approval_id, _)| *approval_id);
    let refund = |(order_id, mail_id)| Refund { order_id, staff_id: marking.staff_id, mail_id, approval_id };
    refunds::add_all(tx, &due.iter().copied().zip(mail_ids).map(refund).collect::<Vec<_>>(), now)?;
    let requester = marking.approval.as_ref().map(|(_, requester)| format!(", requested by {requester}"));
    let changes = mails.iter().map(|mail| {
        Change::of("order.refund")
            .order(mail.order_id)
            .after(audit_summary(&mail.recipient, mail.provider, false) + requester.as_deref().unwrap_or_default())
    });
    add(tx, &marking.by, &changes.collect::<Vec<_>>(), now)?;
    Ok(leave_at)
}

/// Composes the mails about the orders that are due, by order id.
pub fn compose(
    room: &Refunds,
    conn: &mut Conn,
    ids: &[OrderId],
    staff_id: StaffId,
    zone: Tz,
    permission: Permission<ChangedFacts>,
) -> Result<HashMap<OrderId, PreparedMail>> {
    let states = moves::list(conn, ids)?;
    changes::all_found(ids, states.iter().map(|state| state.order_id))?;
    let due = refund_rules::due(&states, zone)?;
    let mut mails = HashMap::with_capacity(due.len());
    for (order_id, facts) in list_facts(conn, &due)? {
        let recipient = facts.addresses().find_map(|address| Address::parse(address).ok());
        let recipient = recipient.ok_or(OrderError::OrderUnreachableByMail { order_id })?;
        let mail =
            PreparedMail::compose(&room.mail, permission, MailKind::Refund, recipient, &facts, facts.letter(order_id))?;
        mails.insert(order_id, mail.requested_by(staff_id).with_link(room.clock.now()));
    }
    Ok(mails)
}
