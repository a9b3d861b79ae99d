//! Stops the mails about refunds while they wait, and sends them after all. The marks of the refunds stay.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Refunds;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::mail::rules::MailKind;
use crate::mail::stops;
use crate::orders::errors::OrderError;
use crate::orders::refunds::{self, RecordedRefund};
use crate::orders::rules::changes::MAX_SELECTED;
use crate::orders::rules::refunds as rules;
use crate::orders::selected::{Selected, find_all};
use crate::staff::rules::Staff;
use crate::staff::store as staff_store;
use crate::text::counted;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Refunds>> {
    OpenApiRouter::new()
        .routes(call!(waiting_refund_mails))
        .routes(call!(stop_refund_mails))
        .routes(call!(send_refund_mails))
}

/// The emails about refunds that wait and that the caller may stop.
#[derive(Serialize, ToSchema)]
pub struct WaitingRefundMails {
    /// Their orders, at most 500.
    order_ids: Vec<OrderId>,
    /// When the first of them leaves; null: none waits.
    #[schema(value_type = Option<String>, format = DateTime)]
    leave_at: Option<Timestamp>,
}

/// List the emails about refunds that wait and that the caller may stop
#[utoipa::path(get, path = "/admin/waiting-refund-mails", responses((status = 200, body = Found<WaitingRefundMails>)))]
pub async fn waiting_refund_mails(State(room): State<Arc<Refunds>>, staff: Staff) -> Result<Found<WaitingRefundMails>> {
    let now = room.clock.now();
    let waiting = room
        .db
        .read(move |conn| {
            let waiting = stops::list_waiting(conn, MailKind::Refund, now, MAX_SELECTED as i64)?;
            let mail_ids: Vec<i64> = waiting.iter().map(|(mail_id, _)| *mail_id).collect();
            let mut refunds = refunds::list_by_mail(conn, &mail_ids)?;
            refunds.retain(|refund| rules::may_stop_mail(&staff, refund.staff_id));
            let is_theirs = |mail_id| refunds.iter().any(|refund| refund.mail_id == mail_id);
            let leave_at = waiting.iter().find(|(mail_id, _)| is_theirs(*mail_id)).map(|(_, due_at)| *due_at);
            let order_ids = refunds.iter().map(|refund| refund.order_id).collect();
            Ok(WaitingRefundMails { order_ids, leave_at })
        })
        .await?;
    Ok(found(waiting))
}

/// The orders whose emails about the refund are meant.
#[derive(Deserialize, ToSchema)]
pub struct RefundMailsOf {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
}

/// The result of the change of the emails.
#[derive(Serialize, ToSchema)]
pub struct RefundMailsChanged {
    /// 1.
    status: u8,
    /// The counts as a text.
    message: String,
    /// The emails that this call changed.
    changed: usize,
    /// The refunds in force of the selected orders whose emails it could not change, such as those that have left.
    unchanged: usize,
}

/// Stop the emails about the refunds of the selected orders that have not left. The marks of the refunds stay. For the member who
/// marked them, Admins and Managers; all or none.
#[utoipa::path(put, path = "/admin/stop-refund-mails", request_body = RefundMailsOf,
    responses((status = 200, body = RefundMailsChanged)))]
pub async fn stop_refund_mails(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    Json(body): Json<RefundMailsOf>,
) -> Result<axum::Json<RefundMailsChanged>> {
    let (ids, now) = (body.order_ids.ids()?, room.clock.now());
    let why = format!("Stopped by {} before it was sent", staff.name);
    let (changed, unchanged) = room
        .db
        .write(move |tx| {
            let refunds = refunds_of(tx, &ids)?;
            let unsent = stops::lock_unsent(tx, &mails_of(&refunds))?;
            let chosen = choose(tx, &staff, &refunds, &unsent)?;
            stops::stop(tx, &unsent, &why, now)?;
            add(tx, &Actor::from(&staff), &audited(&chosen, "refund.stop_mail"), now)?;
            Ok((chosen.len(), refunds.len() - chosen.len()))
        })
        .await?;
    let message = match unchanged {
        0 => format!("{} stopped", counted(changed, "email")),
        _ => format!("{} stopped, {unchanged} could not be stopped", counted(changed, "email")),
    };
    Ok(axum::Json(RefundMailsChanged { status: 1, message, changed, unchanged }))
}

/// Send the stopped emails about the refunds of the selected orders after all. For the member who marked them, Admins and Managers;
/// all or none.
#[utoipa::path(put, path = "/admin/send-refund-mails", request_body = RefundMailsOf,
    responses((status = 200, body = RefundMailsChanged)))]
pub async fn send_refund_mails(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    Json(body): Json<RefundMailsOf>,
) -> Result<axum::Json<RefundMailsChanged>> {
    let (ids, now) = (body.order_ids.ids()?, room.clock.now());
    let (changed, unchanged) = room
        .db
        .write(move |tx| {
            let refunds = refunds_of(tx, &ids)?;
            let stopped = stops::lock_stopped(tx, &mails_of(&refunds))?;
            let chosen = choose(tx, &staff, &refunds, &stopped)?;
            stops::queue_again(tx, &stopped, now)?;
            add(tx, &Actor::from(&staff), &audited(&chosen, "refund.send_mail"), now)?;
            Ok((chosen.len(), refunds.len() - chosen.len()))
        })
        .await?;
    room.mail.notify.notify();
    let verb = if changed == 1 { "is" } else { "are" };
    let message = format!("{} {verb} on the way", counted(changed, "email"));
    Ok(axum::Json(RefundMailsChanged { status: 1, message, changed, unchanged }))
}

/// Locks the orders and finds their refunds in force.
fn refunds_of(tx: &mut Conn, ids: &[OrderId]) -> Result<Vec<RecordedRefund>> {
    find_all(tx, ids)?;
    refunds::list_in_force(tx, ids)
}

fn mails_of(refunds: &[RecordedRefund]) -> Vec<i64> {
    refunds.iter().map(|refund| refund.mail_id).collect()
}

/// The refunds that those mails are about, if the member may decide about each of the mails.
fn choose<'a>(
    tx: &mut Conn,
    staff: &Staff,
    refunds: &'a [RecordedRefund],
    mail_ids: &[i64],
) -> Result<Vec<&'a RecordedRefund>> {
    let chosen: Vec<&RecordedRefund> = refunds.iter().filter(|refund| mail_ids.contains(&refund.mail_id)).collect();
    if let Some(refund) = chosen.iter().find(|refund| !rules::may_stop_mail(staff, refund.staff_id)) {
        let by = staff_store::names(tx, &[refund.staff_id])?.remove(&refund.staff_id).unwrap_or_default();
        return Err(OrderError::RefundMailOfAnotherMember { order_id: refund.order_id, by }.into());
    }
    Ok(chosen)
}

fn audited(refunds: &[&RecordedRefund], action: &'static str) -> Vec<Change> {
    let change = |refund: &&RecordedRefund| Change::of(action).order(refund.order_id);
    refunds.iter().map(change).collect()
}
