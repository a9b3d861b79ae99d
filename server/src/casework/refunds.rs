//! Marks orders as refunded: date, mail and audit row in one transaction, once for each order. The transaction sends a fixed number
//! of statements, because it holds the locks of all selected orders.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Casework;
use super::selection::{Selected, find_all};
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::Result;
use crate::http::json::Json;
use crate::ids::{OrderId, StaffId};
use crate::mail::errors::MailError;
use crate::mail::outbox::{self, NewMail};
use crate::mail::rules::{Address, MailKind, Provider, audit_summary};
use crate::mail::secrets::NewSecret;
use crate::mail::store::list_facts;
use crate::orders::errors::OrderError;
use crate::orders::moves;
use crate::orders::refunds::{self, Refund};
use crate::orders::rules::refunds::RefundSummary;
use crate::orders::rules::{changes, refunds as refund_rules};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(routes!(refund_orders))
}

/// The orders to mark as refunded.
#[derive(Deserialize, ToSchema)]
pub struct RefundOrders {
    /// One order id, or a list of them.
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
}

/// Mark the selected orders as refunded and mail each applicant through AWS. All or none; orders refunded before are counted and
/// stay as they are.
#[utoipa::path(put, path = "/admin/move-to-complete-refund", request_body = RefundOrders,
    responses((status = 200, body = OrdersRefunded)))]
pub async fn refund_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<RefundOrders>,
) -> Result<axum::Json<OrdersRefunded>> {
    let (ids, now, zone, staff_id) = (body.order_ids.ids()?, room.clock.now(), room.config.time_zone, staff.id);
    let (texts, asked, config) = (room.clone(), ids.clone(), room.config.clone());
    let mails = room.db.read(move |conn| compose(&texts, conn, &asked, staff_id, zone)).await?;
    let summary = room
        .db
        .write(move |tx| {
            let states = find_all(tx, &ids)?;
            let due = refund_rules::due(&states, zone)?;
            let most = refund_rules::most_of_day(staff.staff_type, &config.refunds.bulk_orders_per_day);
            if most > 0 {
                refunds::lock_marks_of(tx, staff.id)?;
                refund_rules::check_day(due.len(), &refunds::list_times(tx, staff.id, most)?, most, now)?;
            }
            let mails: Vec<&NewMail> = due.iter().filter_map(|order_id| mails.get(order_id)).collect();
            if mails.len() != due.len() {
                // A refund was taken back since the mails were composed.
                return Err(MailError::MailFactsChanged.into());
            }
            let leave_at = refund_rules::mail_delay(due.len(), &config.refunds).map(|delay| now + delay);
            let mail_ids = outbox::queue_all(tx, &mails, leave_at.unwrap_or(now), now)?;
            let refund = |(order_id, mail_id)| Refund { order_id, staff_id: staff.id, mail_id };
            refunds::add_all(tx, &due.iter().copied().zip(mail_ids).map(refund).collect::<Vec<_>>(), now)?;
            let changes = mails.iter().map(|mail| Change {
                action: "order.refund",
                order_id: Some(mail.order_id),
                before: None,
                after: Some(audit_summary(&mail.recipient, mail.provider, false)),
            });
            add(tx, &Actor::from(&staff), &changes.collect::<Vec<_>>(), now)?;
            Ok((refund_rules::summary(&states, zone), leave_at))
        })
        .await?;
    room.mail.notify.notify();
    let (RefundSummary { refunded, already_refunded, message }, mails_leave_at) = summary;
    Ok(axum::Json(OrdersRefunded { status: 1, message, refunded, already_refunded, mails_leave_at }))
}

/// Composes the mails about the orders that are due, by order id.
fn compose(
    room: &Casework,
    conn: &mut Conn,
    ids: &[OrderId],
    staff_id: StaffId,
    zone: Tz,
) -> Result<HashMap<OrderId, NewMail>> {
    let states = moves::list(conn, ids)?;
    changes::all_found(ids, &states)?;
    let due = refund_rules::due(&states, zone)?;
    let mut mails = HashMap::with_capacity(due.len());
    for (order_id, facts) in list_facts(conn, &due)? {
        let recipient = facts.addresses().find_map(|address| Address::parse(address).ok());
        let recipient = recipient.ok_or(OrderError::OrderUnreachableByMail { order_id })?;
        let mail = NewMail {
            order_id,
            document_id: None,
            staff_id: Some(staff_id),
            kind: MailKind::Refund,
            recipient,
            provider: Provider::Aws,
            message: room.mail.templates.compose(MailKind::Refund, &facts.letter(order_id))?,
            message_id: outbox::draw_message_id(&room.config.public_url),
            secret: Some(NewSecret::of_link(room.clock.now())),
        };
        mails.insert(order_id, mail);
    }
    Ok(mails)
}
