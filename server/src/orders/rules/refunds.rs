//! Refunds: an order's money goes back at most once, for ever, and never while its payment is disputed. Pure.

use chrono::NaiveDateTime;
use chrono_tz::Tz;

use super::{ProcessStatus, nothing_changed};
use crate::error::{Error, Result};
use crate::orders::rules::OrderState;

/// Those of the orders whose money goes back now; that of the others went back before. Refuses the whole selection when one
/// of them is not in Refunds. Days are told in `zone`.
pub fn due(states: &[OrderState], zone: Tz) -> Result<Vec<i64>> {
    if let Some(state) = states.iter().find(|state| state.process_status != ProcessStatus::Refunds) {
        return Err(nothing_changed(state.order_id, why_not(state, zone), Error::conflict));
    }
    let due = states.iter().filter(|state| state.refund_date.is_none());
    Ok(due.map(|state| state.order_id).collect())
}

/// Why an order that is not in Refunds is not refunded.
fn why_not(state: &OrderState, zone: Tz) -> String {
    let order_id = state.order_id;
    let is_disputed = state.process_status == ProcessStatus::ChargeBack;
    match (is_disputed, state.refund_date.map(|at| day(at, zone))) {
        (true, None) => format!(
            "order {order_id} has an open chargeback, and a refund would pay the customer twice. Move it out of ChargeBack \
             first"
        ),
        (true, Some(day)) => format!(
            "order {order_id} has an open chargeback, and it was already refunded on {day}: one more refund would pay the \
             customer twice"
        ),
        (false, None) => format!("order {order_id} is not in Refunds. Move it there first"),
        (false, Some(day)) => format!("order {order_id} is not in Refunds, and it was already refunded on {day}"),
    }
}

/// What is said when the money of those that were [`due`] went back. An order alone also tells when that was.
pub fn told(states: &[OrderState], zone: Tz) -> String {
    let refunded_before: Vec<NaiveDateTime> = states.iter().filter_map(|state| state.refund_date).collect();
    let counts = format!(
        "{} refunded, {} already refunded",
        states.len().saturating_sub(refunded_before.len()),
        refunded_before.len()
    );
    match (states, refunded_before.first()) {
        ([_], Some(at)) => format!("{counts} on {}", day(*at, zone)),
        _ => counts,
    }
}

/// Refuses an order of whose refund nobody can be told.
pub fn unreachable(order_id: i64) -> Error {
    let why = format!("order {order_id} has no email address that a mail can go to. Take it out of the selection");
    nothing_changed(order_id, why, Error::conflict)
}

fn day(at: NaiveDateTime, zone: Tz) -> String {
    at.and_utc().with_timezone(&zone).format("%d-%m-%Y").to_string()
}
