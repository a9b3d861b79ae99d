//! Requests for bulk refunds that a second person approves, as rows. The database refuses to alter a decided one.

use std::collections::HashMap;

use diesel::prelude::*;

use super::rules::refund_approvals::ApprovalState;
use super::status::ProcessStatus;
use crate::add_rows;
use crate::db::schema::{orders, payments, refund_approval_orders, refund_approvals, refunds};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::money::{Currency, Money};
use crate::timestamp::Timestamp;

/// A stored request.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = refund_approvals)]
pub struct RefundApproval {
    pub approval_id: i64,
    pub state: ApprovalState,
    pub requested_by: StaffId,
    pub requested_at: Timestamp,
    pub expires_at: Timestamp,
    pub decided_by: Option<StaffId>,
    pub decided_at: Option<Timestamp>,
    pub note: Option<String>,
}

#[derive(Insertable)]
#[diesel(table_name = refund_approval_orders, treat_none_as_default_value = false)]
struct ApprovalOrderRow {
    approval_id: i64,
    order_id: OrderId,
}

/// Adds a request for those orders, which the caller has locked. Returns its id.
pub fn add(tx: &mut Conn, by: StaffId, order_ids: &[OrderId], now: Timestamp, expires_at: Timestamp) -> Result<i64> {
    let approval_id: i64 = diesel::insert_into(refund_approvals::table)
        .values((
            refund_approvals::state.eq(ApprovalState::Waiting),
            refund_approvals::requested_by.eq(by),
            refund_approvals::requested_at.eq(now),
            refund_approvals::expires_at.eq(expires_at),
        ))
        .returning(refund_approvals::approval_id)
        .get_result(tx)?;
    let row = |order_id: &OrderId| ApprovalOrderRow { approval_id, order_id: *order_id };
    add_rows!(tx, refund_approval_orders::table, order_ids.iter().map(row));
    Ok(approval_id)
}

/// The request with that id.
pub fn find(conn: &mut Conn, approval_id: i64) -> Result<Option<RefundApproval>> {
    Ok(refund_approvals::table.find(approval_id).select(RefundApproval::as_select()).first(conn).optional()?)
}

/// The orders of a request, ascending.
pub fn list_order_ids(conn: &mut Conn, approval_id: i64) -> Result<Vec<OrderId>> {
    let theirs = refund_approval_orders::table.filter(refund_approval_orders::approval_id.eq(approval_id));
    Ok(theirs.order(refund_approval_orders::order_id).select(refund_approval_orders::order_id).load(conn)?)
}

/// The first of those orders that is in a waiting request, with the member who made that request.
pub fn find_waiting(conn: &mut Conn, order_ids: &[OrderId], now: Timestamp) -> Result<Option<(OrderId, StaffId)>> {
    for ids in order_ids.chunks(MAX_IDS) {
        let waiting = refund_approval_orders::table
            .inner_join(refund_approvals::table)
            .filter(refund_approval_orders::order_id.eq_any(ids))
            .filter(refund_approvals::state.eq(ApprovalState::Waiting))
            .filter(refund_approvals::expires_at.gt(now))
            .order(refund_approval_orders::order_id)
            .select((refund_approval_orders::order_id, refund_approvals::requested_by));
        if let Some(found) = waiting.first(conn).optional()? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The decision about a request, or its withdrawal.
#[derive(Clone, Debug)]
pub struct Decision {
    pub state: ApprovalState,
    pub by: StaffId,
    pub note: Option<String>,
}

/// Decides a request that waits and that the caller has locked.
pub fn decide(tx: &mut Conn, approval_id: i64, decision: &Decision, now: Timestamp) -> Result<()> {
    diesel::update(refund_approvals::table.find(approval_id))
        .set((
            refund_approvals::state.eq(decision.state),
            refund_approvals::decided_by.eq(decision.by),
            refund_approvals::decided_at.eq(now),
            refund_approvals::note.eq(&decision.note),
        ))
        .execute(tx)?;
    Ok(())
}

/// The members who decided about those requests, by request.
pub fn list_deciders(conn: &mut Conn, approval_ids: &[i64]) -> Result<HashMap<i64, StaffId>> {
    if approval_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let decided = refund_approvals::table
        .filter(refund_approvals::approval_id.eq_any(approval_ids))
        .filter(refund_approvals::decided_by.is_not_null())
        .select((refund_approvals::approval_id, refund_approvals::decided_by.assume_not_null()));
    Ok(decided.load::<(i64, StaffId)>(conn)?.into_iter().collect())
}

/// Whose requests are listed.
#[derive(Clone, Copy, Debug)]
pub enum ApprovalFilter {
    Everyone,
    Of(StaffId),
}

/// Filters a query of requests.
macro_rules! filter {
    ($query:expr, $whose:expr) => {
        match $whose {
            ApprovalFilter::Everyone => $query,
            ApprovalFilter::Of(staff_id) => $query.filter(refund_approvals::requested_by.eq(staff_id)),
        }
    };
}

/// The waiting requests by the member who made them, each with its number.
pub fn count_waiting(conn: &mut Conn, whose: ApprovalFilter, now: Timestamp) -> Result<Vec<(StaffId, i64)>> {
    let waiting = refund_approvals::table
        .filter(refund_approvals::state.eq(ApprovalState::Waiting))
        .filter(refund_approvals::expires_at.gt(now))
        .group_by(refund_approvals::requested_by)
        .select((refund_approvals::requested_by, diesel::dsl::count_star()))
        .into_boxed();
    Ok(filter!(waiting, whose).load(conn)?)
}

/// At most `most` waiting requests, the oldest first.
pub fn list_waiting(conn: &mut Conn, whose: ApprovalFilter, now: Timestamp, most: i64) -> Result<Vec<RefundApproval>> {
    let waiting = refund_approvals::table
        .filter(refund_approvals::state.eq(ApprovalState::Waiting))
        .filter(refund_approvals::expires_at.gt(now))
        .order((refund_approvals::expires_at, refund_approvals::approval_id))
        .limit(most)
        .select(RefundApproval::as_select())
        .into_boxed();
    Ok(filter!(waiting, whose).load(conn)?)
}

/// At most `most` requests that were decided, or withdrawn, or have expired, between `since` and `now`, the newest first.
pub fn list_ended(
    conn: &mut Conn,
    whose: ApprovalFilter,
    since: Timestamp,
    now: Timestamp,
    most: i64,
) -> Result<Vec<RefundApproval>> {
    let decided = refund_approvals::table
        .filter(refund_approvals::decided_at.gt(since))
        .order((refund_approvals::decided_at.desc(), refund_approvals::approval_id.desc()))
        .limit(most)
        .select(RefundApproval::as_select())
        .into_boxed();
    let expired = refund_approvals::table
        .filter(refund_approvals::state.eq(ApprovalState::Waiting))
        .filter(refund_approvals::expires_at.gt(since))
        .filter(refund_approvals::expires_at.le(now))
        .order((refund_approvals::expires_at.desc(), refund_approvals::approval_id.desc()))
        .limit(most)
        .select(RefundApproval::as_select())
        .into_boxed();
    let mut ended: Vec<RefundApproval> = filter!(decided, whose).load(conn)?;
    ended.extend(filter!(expired, whose).load::<RefundApproval>(conn)?);
    ended.sort_by_key(|request| std::cmp::Reverse(request.decided_at.unwrap_or(request.expires_at)));
    ended.truncate(usize::try_from(most).unwrap_or_default());
    Ok(ended)
}

/// An order of a request, as it is now.
#[derive(Clone, Debug, Queryable)]
pub struct RequestedOrder {
    pub approval_id: i64,
    pub order_id: OrderId,
    pub process_status: ProcessStatus,
    pub refund_date: Option<Timestamp>,
    /// In the currency's smallest unit.
    pub amount_minor: Option<i64>,
    pub currency: Option<Currency>,
}

impl RequestedOrder {
    /// The payment, if one is recorded.
    pub fn paid(&self) -> Option<Money> {
        Some(Money { minor: self.amount_minor?, currency: self.currency? })
    }
}

/// The orders of the requests, ascending.
pub fn list_orders(conn: &mut Conn, approval_ids: &[i64]) -> Result<Vec<RequestedOrder>> {
    let theirs = refund_approval_orders::table
        .inner_join(orders::table.left_join(payments::table))
        .filter(refund_approval_orders::approval_id.eq_any(approval_ids))
        .order(refund_approval_orders::order_id);
    let columns = (
        refund_approval_orders::approval_id,
        orders::order_id,
        orders::process_status,
        orders::refund_date,
        payments::amount_minor.nullable(),
        payments::currency.nullable(),
    );
    Ok(theirs.select(columns).load(conn)?)
}

/// The payments of the orders that the member marked as refunded after `since` without an approval, those taken back included.
pub fn list_unapproved(conn: &mut Conn, staff_id: StaffId, since: Timestamp) -> Result<Vec<Option<Money>>> {
    let marked = refunds::table
        .left_join(payments::table.on(payments::order_id.eq(refunds::order_id)))
        .filter(refunds::staff_id.eq(staff_id))
        .filter(refunds::refunded_at.gt(since))
        .filter(refunds::approval_id.is_null())
        .select((payments::amount_minor.nullable(), payments::currency.nullable()));
    let paid = |(minor, currency): (Option<i64>, Option<Currency>)| Some(Money { minor: minor?, currency: currency? });
    Ok(marked.load(conn)?.into_iter().map(paid).collect())
}
