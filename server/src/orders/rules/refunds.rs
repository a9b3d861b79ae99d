//! Refunds: an order is refunded at most once, for ever, and never while its payment is disputed. Pure.

use chrono_tz::Tz;

use super::{OrderState, ProcessStatus};
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::timestamp::Timestamp;

/// Whether a refund of the order would be recorded now.
pub fn is_due(state: &OrderState) -> bool {
    state.process_status == ProcessStatus::Refunds && state.refund_date.is_none()
}

/// The ids of the orders that are refunded now, without those refunded before. Days in texts are in `zone`.
///
/// # Errors
/// The whole selection is refused if one of the orders is not in Refunds.
pub fn due(states: &[OrderState], zone: Tz) -> Result<Vec<OrderId>, OrderError> {
    if let Some(state) = states.iter().find(|state| state.process_status != ProcessStatus::Refunds) {
        return Err(not_in_refunds(state, zone));
    }
    Ok(states.iter().filter(|state| is_due(state)).map(|state| state.order_id).collect())
}

fn not_in_refunds(state: &OrderState, zone: Tz) -> OrderError {
    let order_id = state.order_id;
    let is_disputed = state.process_status == ProcessStatus::ChargeBack;
    match (is_disputed, state.refund_date.map(|at| day(at, zone))) {
        (true, None) => OrderError::RefundOfDisputedOrder { order_id },
        (true, Some(day)) => OrderError::RefundOfRefundedDisputedOrder { order_id, day },
        (false, None) => OrderError::OrderNotInRefunds { order_id },
        (false, Some(day)) => OrderError::OrderAlreadyRefunded { order_id, day },
    }
}

/// What a refund of several orders did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundSummary {
    pub refunded: usize,
    pub already_refunded: usize,
    /// The counts as a text. For a single order it includes the day of an earlier refund.
    pub message: String,
}

/// The summary of a refund of the orders that were [`due`].
pub fn summary(states: &[OrderState], zone: Tz) -> RefundSummary {
    let refunded_before: Vec<Timestamp> = states.iter().filter_map(|state| state.refund_date).collect();
    let already_refunded = refunded_before.len();
    let refunded = states.len().saturating_sub(already_refunded);
    let counts = format!("{refunded} refunded, {already_refunded} already refunded");
    let message = match (states, refunded_before.first()) {
        ([_], Some(at)) => format!("{counts} on {}", day(*at, zone)),
        _ => counts,
    };
    RefundSummary { refunded, already_refunded, message }
}

fn day(at: Timestamp, zone: Tz) -> String {
    at.with_timezone(&zone).format("%d-%m-%Y").to_string()
}
