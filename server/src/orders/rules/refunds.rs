//! Refunds: an order is refunded at most once, unless an Admin takes the mark back, and never while its payment is disputed. Pure.

use std::borrow::Borrow;

use chrono::TimeDelta;
use chrono_tz::Tz;

use super::{OrderState, acts_for_others};
use crate::config::{BulkOrdersPerDay, RefundSettings};
use crate::ids::{OrderId, StaffId};
use crate::orders::errors::OrderError;
use crate::orders::status::ProcessStatus;
use crate::staff::rules::{Staff, StaffType};
use crate::text::format_day;
use crate::timestamp::Timestamp;

/// Returns true if a refund of the order would be recorded now.
pub fn is_due(state: &OrderState) -> bool {
    state.process_status == ProcessStatus::Refunds && state.refund_date.is_none()
}

/// The ids of the orders that are refunded now, without those refunded before. Days in texts are in `zone`.
///
/// # Errors
/// The whole selection is refused if one of the orders is not in Refunds.
pub fn due(states: &[impl Borrow<OrderState>], zone: Tz) -> Result<Vec<OrderId>, OrderError> {
    let states = || states.iter().map(Borrow::borrow);
    if let Some(state) = states().find(|state| state.process_status != ProcessStatus::Refunds) {
        return Err(not_in_refunds(state, zone));
    }
    Ok(states().filter(|state| is_due(state)).map(|state| state.order_id).collect())
}

fn not_in_refunds(state: &OrderState, zone: Tz) -> OrderError {
    let order_id = state.order_id;
    match (state.process_status.is_disputed(), state.refund_date.map(|at| day(at, zone))) {
        (true, None) => OrderError::RefundOfDisputedOrder { order_id },
        (true, Some(day)) => OrderError::RefundOfRefundedDisputedOrder { order_id, day },
        (false, None) => OrderError::OrderNotInRefunds { order_id },
        (false, Some(day)) => OrderError::OrderAlreadyRefunded { order_id, day },
    }
}

/// The result of a refund of several orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundSummary {
    pub refunded: usize,
    pub already_refunded: usize,
    /// The counts as a text. For a single order it includes the day of an earlier refund.
    pub message: String,
}

/// The summary of a refund of the orders that were [`due`].
pub fn summary(states: &[impl Borrow<OrderState>], zone: Tz) -> RefundSummary {
    let refunded_before: Vec<Timestamp> = states.iter().filter_map(|state| state.borrow().refund_date).collect();
    let already_refunded = refunded_before.len();
    let refunded = states.len().saturating_sub(already_refunded);
    let counts = format!("{refunded} refunded, {already_refunded} already refunded");
    let message = match (states, refunded_before.first()) {
        ([_], Some(at)) => format!("{counts} on {}", day(*at, zone)),
        _ => counts,
    };
    RefundSummary { refunded, already_refunded, message }
}

/// Returns the time that the emails about `refunded` orders that are marked together wait, so that they can be stopped. None: they are
/// sent at once.
pub fn mail_delay(refunded: usize, config: &RefundSettings) -> Option<TimeDelta> {
    let is_delayed = refunded > config.delay_mails_above && config.mail_delay_minutes > 0;
    is_delayed.then(|| TimeDelta::minutes(config.mail_delay_minutes.into()))
}

/// The member may stop the email about a refund that the member `marked_by` recorded, or send it after all. `marked_by`,
/// Admins and Managers may.
pub fn may_stop_mail(staff: &Staff, marked_by: StaffId) -> bool {
    staff.id == marked_by || acts_for_others(staff.staff_type)
}

/// Members of that type may take a refund back. The table in `access.rs` admits the same type.
pub fn may_take_back(who: StaffType) -> bool {
    who == StaffType::Admin
}

/// Refuses to take back the refund of an order that has none, or one of an older system. `is_recorded`: it was recorded here.
pub fn check_take_back(state: &OrderState, is_recorded: bool) -> Result<(), OrderError> {
    match (state.refund_date, is_recorded) {
        (None, _) => Err(OrderError::OrderNotRefunded { order_id: state.order_id }),
        (Some(_), false) => Err(OrderError::RefundOfOlderSystem { order_id: state.order_id }),
        (Some(_), true) => Ok(()),
    }
}

/// The time in which the orders of bulk refunds are counted.
pub const BULK_DAY: TimeDelta = TimeDelta::hours(24);

/// The most orders that members of that type may have marked in [`BULK_DAY`] for a call with several orders; 0: no limit.
pub fn most_of_day(who: StaffType, limits: &BulkOrdersPerDay) -> u32 {
    match who {
        StaffType::Admin => limits.admin,
        StaffType::Manager => limits.manager,
        StaffType::Team => limits.team,
        StaffType::Telecaller => limits.telecaller,
        StaffType::NightStaff => limits.night_staff,
    }
}

/// Refuses a refund of `due` orders that exceeds `most`, the limit of [`most_of_day`]. `newest_first`: when the member's last `most`
/// orders were marked.
pub fn check_day(due: usize, newest_first: &[Timestamp], most: u32, now: Timestamp) -> Result<(), OrderError> {
    let of_day = newest_first.iter().take_while(|at| **at > now - BULK_DAY).count();
    let left = usize::try_from(most).unwrap_or(usize::MAX).saturating_sub(of_day);
    if most == 0 || due < 2 || due <= left {
        return Ok(());
    }
    // Once that mark is a day old, there is room for all orders of this call.
    let frees = of_day.checked_sub(due - left).and_then(|place| newest_first.get(place));
    let wait = frees.map_or(BULK_DAY, |at| *at + BULK_DAY - now);
    Err(OrderError::TooManyRefundsInDay { most, left, seconds: u64::try_from(wait.num_seconds()).unwrap_or(0).max(1) })
}

fn day(at: Timestamp, zone: Tz) -> String {
    format_day(at.with_timezone(&zone).date_naive())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn mails_of_more_than_ten_orders_wait_ten_minutes_and_those_of_fewer_leave_at_once() {
        let mut config = Config::default().refunds;
        assert_eq!(
            [1, 10, 11, 500].map(|count| mail_delay(count, &config).map(|delay| delay.num_minutes())),
            [None, None, Some(10), Some(10)]
        );
        config.mail_delay_minutes = 0;
        assert_eq!(mail_delay(500, &config), None);
    }

    #[test]
    fn a_daily_limit_counts_what_was_marked_and_refuses_only_calls_for_several_orders() {
        let now = Timestamp::EPOCH + TimeDelta::days(400);
        let marked = [1, 2, 3, 4, 5, 23].map(|hours| now - TimeDelta::hours(hours));
        let wait = |due, most| match check_day(due, &marked, most, now) {
            Err(OrderError::TooManyRefundsInDay { left, seconds, .. }) => Some((left, seconds / 3_600)),
            _ => None,
        };
        assert_eq!((wait(4, 10), wait(5, 10), wait(6, 10)), (None, Some((4, 1)), Some((4, 19))));
        assert_eq!((wait(11, 10), wait(2, 6), wait(1, 6)), (Some((4, 24)), Some((0, 19)), None));
        assert_eq!(wait(500, 0), None, "no limit by default");
        assert!(check_day(5, &marked, 10, now + TimeDelta::hours(1)).is_ok());
    }
}
