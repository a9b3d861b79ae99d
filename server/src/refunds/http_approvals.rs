//! Requests for bulk refunds that a second person approves or declines, and that the member who made them may withdraw. An approval
//! carries the refund out as if that member did it now.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Refunds;
use super::http::{RefundMarking, carry_out, check_cap, compose};
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::{Permission, Result};
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::mail::errors::ChangedFacts;
use crate::orders::dialect::lock_refund_approval;
use crate::orders::errors::OrderError;
use crate::orders::moves;
use crate::orders::refund_approvals::{self as store, ApprovalFilter, Decision, RefundApproval, RequestedOrder};
use crate::orders::rules::refund_approvals::{self as rules, ApprovalState, Request, Totals};
use crate::orders::rules::remarks::note_text;
use crate::orders::selected::find_all;
use crate::orders::status::ProcessStatus;
use crate::staff::rules::Staff;
use crate::staff::store as staff_store;
use crate::text::counted;
use crate::timestamp::Timestamp;

/// The most requests that wait, and the most of those that ended, in a list.
const MAX_LISTED: i64 = 10;

pub fn endpoints() -> OpenApiRouter<Arc<Refunds>> {
    OpenApiRouter::new()
        .routes(call!(list_refund_approvals))
        .routes(call!(count_refund_approvals))
        .routes(call!(approve_refunds))
        .routes(call!(decline_refunds))
        .routes(call!(withdraw_refunds))
}

/// The numbers of requests for refunds that wait
#[derive(Serialize, ToSchema)]
pub struct RefundApprovalCounts {
    /// Those of other members that the caller may approve or decline.
    to_decide: i64,
    /// The caller's own.
    own: i64,
}

/// Count the requests for refunds that wait for a second person
#[utoipa::path(get, path = "/admin/refund-approval-counts",
    responses((status = 200, body = Found<RefundApprovalCounts>)))]
pub async fn count_refund_approvals(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
) -> Result<Found<RefundApprovalCounts>> {
    let now = room.clock.now();
    let counts = room
        .db
        .read(move |conn| {
            let waiting = store::count_waiting(conn, seen_by(&staff), now)?;
            let sum =
                |is_own| waiting.iter().filter(|(by, _)| (*by == staff.id) == is_own).map(|(_, count)| count).sum();
            Ok(RefundApprovalCounts { to_decide: sum(false), own: sum(true) })
        })
        .await?;
    Ok(found(counts))
}

/// Requests for refunds
#[derive(Serialize, ToSchema)]
pub struct RefundApprovals {
    /// The number of requests that wait; `requests` has the oldest of them.
    waiting: i64,
    /// At most 10 that wait, the oldest first, then at most 10 that ended in the last 7 days, the newest first.
    requests: Vec<RefundRequest>,
}

/// A request for the refund of several orders
#[derive(Serialize, ToSchema)]
pub struct RefundRequest {
    /// The number of the request.
    approval_id: i64,
    /// The state of the request: it waits, or its outcome.
    state: ApprovalState,
    /// The name of the member who made it.
    requested_by: String,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    requested_at: Timestamp,
    /// When it expires, or expired, without a decision.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// The name of the member who decided, or withdrew it; null: it waits, or has expired.
    decided_by: Option<String>,
    /// When that was; null: it waits, or has expired.
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
    /// The note of that member.
    note: Option<String>,
    /// Its orders, ascending.
    order_ids: Vec<OrderId>,
    /// Those that were refunded or left Refunds since. With one of them it cannot be approved. Empty once it has ended.
    changed_order_ids: Vec<OrderId>,
    /// The sums of the payments, one for each currency.
    sums: Vec<RefundSum>,
    /// The orders without a recorded payment.
    without_payment: usize,
    /// The actions that the caller may take on it.
    allowed: AllowedWithRequest,
}

/// A sum of payments
#[derive(Serialize, ToSchema)]
pub struct RefundSum {
    /// A code of ISO 4217.
    currency: &'static str,
    /// A decimal number in that currency.
    amount: String,
}

/// The actions that the caller may take on a request
#[derive(Serialize, ToSchema)]
pub struct AllowedWithRequest {
    /// Approve or decline it.
    decide: bool,
    /// Withdraw it.
    withdraw: bool,
}

/// List the requests for refunds that wait for a second person, and those that ended lately
///
/// Admins and Managers see all, the others their own.
#[utoipa::path(get, path = "/admin/refund-approvals", responses((status = 200, body = Found<RefundApprovals>)))]
pub async fn list_refund_approvals(State(room): State<Arc<Refunds>>, staff: Staff) -> Result<Found<RefundApprovals>> {
    let now = room.clock.now();
    let approvals = room
        .db
        .read(move |conn| {
            let whose = seen_by(&staff);
            let waiting = store::count_waiting(conn, whose, now)?.iter().map(|(_, count)| count).sum();
            let mut listed = store::list_waiting(conn, whose, now, MAX_LISTED)?;
            listed.extend(store::list_ended(conn, whose, now - rules::WAITS_FOR, now, MAX_LISTED)?);
            let ids: Vec<i64> = listed.iter().map(|request| request.approval_id).collect();
            let mut orders: HashMap<i64, Vec<RequestedOrder>> = HashMap::new();
            for order in store::list_orders(conn, &ids)? {
                orders.entry(order.approval_id).or_default().push(order);
            }
            let names = names_in(conn, &listed)?;
            let shown = |request: RefundApproval| {
                let orders = orders.remove(&request.approval_id).unwrap_or_default();
                on_wire(request, &orders, &names, &staff, now)
            };
            Ok(RefundApprovals { waiting, requests: listed.into_iter().map(shown).collect() })
        })
        .await?;
    Ok(found(approvals))
}

fn seen_by(staff: &Staff) -> ApprovalFilter {
    if rules::may_see_all(staff.staff_type) { ApprovalFilter::Everyone } else { ApprovalFilter::Of(staff.id) }
}

fn names_in(conn: &mut Conn, requests: &[RefundApproval]) -> Result<HashMap<StaffId, String>> {
    let people = requests.iter().flat_map(|request| [Some(request.requested_by), request.decided_by]).flatten();
    staff_store::names(conn, &people.collect::<Vec<_>>())
}

fn on_wire(
    stored: RefundApproval,
    orders: &[RequestedOrder],
    names: &HashMap<StaffId, String>,
    staff: &Staff,
    now: Timestamp,
) -> RefundRequest {
    let request = known(&stored, names);
    let state = request.state_at(now);
    let is_changed = |order: &&RequestedOrder| {
        state == ApprovalState::Waiting
            && (order.process_status != ProcessStatus::Refunds || order.refund_date.is_some())
    };
    let totals = Totals::of(orders.iter().map(RequestedOrder::paid));
    let sum = |sum: crate::money::Money| RefundSum { currency: sum.currency.code(), amount: sum.decimal() };
    RefundRequest {
        approval_id: stored.approval_id,
        state,
        allowed: AllowedWithRequest {
            decide: rules::check_decide(staff, &request, now).is_ok(),
            withdraw: rules::check_withdraw(staff, &request, now).is_ok(),
        },
        requested_by: request.requester,
        requested_at: stored.requested_at,
        expires_at: stored.expires_at,
        decided_by: request.decided_by,
        decided_at: stored.decided_at,
        note: stored.note,
        order_ids: orders.iter().map(|order| order.order_id).collect(),
        changed_order_ids: orders.iter().filter(is_changed).map(|order| order.order_id).collect(),
        sums: totals.sums.into_iter().map(sum).collect(),
        without_payment: totals.without_payment,
    }
}

/// Returns the facts about a stored request that the rules need.
fn known(stored: &RefundApproval, names: &HashMap<StaffId, String>) -> Request {
    let name = |staff_id: StaffId| names.get(&staff_id).cloned().unwrap_or_default();
    Request {
        requested_by: stored.requested_by,
        requester: name(stored.requested_by),
        expires_at: stored.expires_at,
        state: stored.state,
        decided_by: stored.decided_by.map(name),
    }
}

/// A decision about a request for a refund.
#[derive(Deserialize, ToSchema)]
pub struct DecideRefunds {
    /// The number of the request.
    #[serde(rename = "approvalId")]
    approval_id: i64,
    /// For the member who made the request; at most 5,000 characters. May have several lines.
    note: Option<String>,
}

/// Approve a request for a refund: its orders are marked as refunded and each applicant is mailed, all or none
///
/// For Admins and Managers other than the member who made the request. The refund is that member's: the daily limit of their type
/// counts, and the emails of many orders wait.
#[utoipa::path(put, path = "/admin/approve-refunds", request_body = DecideRefunds,
    responses((status = 200, body = Done)))]
pub async fn approve_refunds(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    changed_facts: Permission<ChangedFacts>,
    Json(body): Json<DecideRefunds>,
) -> Result<Done> {
    let (approval_id, note) = (body.approval_id, note_text(&body.note.unwrap_or_default())?);
    let (now, zone) = (room.clock.now(), room.config.time_zone);
    let (texts, config, approver) = (room.clone(), room.config.clone(), staff.clone());
    let mails = room
        .db
        .read(move |conn| {
            let request = get(conn, approval_id)?;
            rules::check_decide(&approver, &request, now)?;
            let ids = store::list_order_ids(conn, approval_id)?;
            rules::check_unchanged(&moves::list(conn, &ids)?)?;
            compose(&texts, conn, &ids, request.requested_by, zone, changed_facts)
        })
        .await?;
    let refunded = room
        .db
        .write(move |tx| {
            let request = lock(tx, approval_id)?;
            rules::check_decide(&staff, &request, now)?;
            let Some(requester) = staff_store::find(tx, request.requested_by)? else {
                return Err(OrderError::RefundRequesterLeft { by: request.requester }.into());
            };
            let ids = store::list_order_ids(tx, approval_id)?;
            rules::check_unchanged(&find_all(tx, &ids)?)?;
            check_cap(tx, (requester.staff_id, requester.staff_type), ids.len(), &config.refunds, now)?;
            let by = Actor::from(&staff);
            let approval = Some((approval_id, requester.name.clone()));
            let marking = RefundMarking { staff_id: requester.staff_id, by: by.clone(), approval };
            carry_out(tx, &ids, &mails, &marking, &config.refunds, now)?;
            let decision = Decision { state: ApprovalState::Approved, by: staff.id, note: note.clone() };
            store::decide(tx, approval_id, &decision, now)?;
            let before = format!("{} requested by {}", counted(ids.len(), "order"), requester.name);
            let change = Change::of("refund.approve").before(before).after(note.clone());
            add(tx, &by, &[change], now)?;
            Ok(ids.len())
        })
        .await?;
    room.mail.notify.notify();
    Ok(done(format!("{} refunded", counted(refunded, "order"))))
}

/// Decline a request for a refund: its orders stay as they are
///
/// For Admins and Managers other than the member who made the request, who sees the note.
#[utoipa::path(put, path = "/admin/decline-refunds", request_body = DecideRefunds,
    responses((status = 200, body = Done)))]
pub async fn decline_refunds(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    Json(body): Json<DecideRefunds>,
) -> Result<Done> {
    let (approval_id, note, now) = (body.approval_id, note_text(&body.note.unwrap_or_default())?, room.clock.now());
    room.db
        .write(move |tx| {
            let request = lock(tx, approval_id)?;
            rules::check_decide(&staff, &request, now)?;
            let decision = Decision { state: ApprovalState::Declined, by: staff.id, note: note.clone() };
            end(tx, approval_id, &decision, "refund.decline", &Actor::from(&staff), now)
        })
        .await?;
    Ok(done("The request was declined. Nothing was refunded"))
}

/// The request to withdraw.
#[derive(Deserialize, ToSchema)]
pub struct WithdrawRefunds {
    /// The number of the request.
    #[serde(rename = "approvalId")]
    approval_id: i64,
}

/// Withdraw one's own request for a refund: its orders stay as they are
#[utoipa::path(put, path = "/admin/withdraw-refunds", request_body = WithdrawRefunds,
    responses((status = 200, body = Done)))]
pub async fn withdraw_refunds(
    State(room): State<Arc<Refunds>>,
    staff: Staff,
    Json(body): Json<WithdrawRefunds>,
) -> Result<Done> {
    let (approval_id, now) = (body.approval_id, room.clock.now());
    room.db
        .write(move |tx| {
            let request = lock(tx, approval_id)?;
            rules::check_withdraw(&staff, &request, now)?;
            let decision = Decision { state: ApprovalState::Withdrawn, by: staff.id, note: None };
            end(tx, approval_id, &decision, "refund.withdraw", &Actor::from(&staff), now)
        })
        .await?;
    Ok(done("The request was withdrawn. Nothing was refunded"))
}

/// Locks a request until the transaction ends and finds it.
fn lock(tx: &mut Conn, approval_id: i64) -> Result<Request> {
    lock_refund_approval(tx, approval_id)?;
    get(tx, approval_id)
}

/// Finds a request.
///
/// # Errors
/// [`OrderError::RefundApprovalNotFound`].
fn get(conn: &mut Conn, approval_id: i64) -> Result<Request> {
    let stored = store::find(conn, approval_id)?.ok_or(OrderError::RefundApprovalNotFound)?;
    let names = names_in(conn, std::slice::from_ref(&stored))?;
    Ok(known(&stored, &names))
}

/// Ends a locked request without a refund, with an audit row for each of its orders.
fn end(
    tx: &mut Conn,
    approval_id: i64,
    decision: &Decision,
    action: &'static str,
    by: &Actor,
    now: Timestamp,
) -> Result<()> {
    store::decide(tx, approval_id, decision, now)?;
    let change = |order_id| Change::of(action).order(order_id).after(decision.note.clone());
    let changes: Vec<Change> = store::list_order_ids(tx, approval_id)?.into_iter().map(change).collect();
    add(tx, by, &changes, now)
}
