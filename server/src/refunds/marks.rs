//! The marks of an order's refunds, as its details show them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::refund_approvals;
use crate::orders::refunds;
use crate::staff::store as staff_store;
use crate::timestamp::Timestamp;

/// A mark of a refund
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundMark {
    /// When the order was marked as refunded.
    #[schema(value_type = String, format = DateTime)]
    pub refunded_at: Timestamp,
    /// The name of the member who marked it.
    pub refunded_by: String,
    /// The name of the member who approved the refund. Absent: it needed no approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    /// When the mark was taken back; null: it holds.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub taken_back_at: Option<Timestamp>,
    /// The name of the Admin who took it back.
    pub taken_back_by: Option<String>,
    /// Why it was taken back.
    pub reason: Option<String>,
}

/// The marks of an order's refunds, the newest first.
pub fn marks_of(conn: &mut Conn, order_id: OrderId) -> Result<Vec<RefundMark>> {
    let recorded = refunds::list(conn, order_id)?;
    let approvals = recorded.iter().filter_map(|refund| refund.approval_id);
    let approvers = refund_approvals::list_deciders(conn, &approvals.collect::<Vec<_>>())?;
    let people = recorded.iter().flat_map(|refund| [Some(refund.staff_id), refund.taken_back_by]).flatten();
    let names = staff_store::names(conn, &people.chain(approvers.values().copied()).collect::<Vec<_>>())?;
    let approver = |approval_id| names.get(approvers.get(&approval_id)?).cloned();
    let marks = recorded.into_iter().map(|refund| RefundMark {
        refunded_at: refund.refunded_at,
        refunded_by: names.get(&refund.staff_id).cloned().unwrap_or_default(),
        approved_by: refund.approval_id.and_then(approver),
        taken_back_at: refund.taken_back_at,
        taken_back_by: refund.taken_back_by.and_then(|staff_id| names.get(&staff_id).cloned()),
        reason: refund.taken_back_reason,
    });
    Ok(marks.collect())
}
