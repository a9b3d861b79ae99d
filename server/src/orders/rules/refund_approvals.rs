//! Bulk refunds that a second person approves: from which number or sum on, who decides, and until when. Pure.

use std::borrow::Borrow;

use chrono::TimeDelta;

use super::refunds::{BULK_DAY, is_due};
use super::{OrderState, acts_for_others};
use crate::config::RefundSettings;
use crate::ids::{OrderId, StaffId};
use crate::money::Money;
use crate::orders::errors::OrderError;
use crate::staff::rules::{Staff, StaffType};
use crate::text::counted;
use crate::text_enum;
use crate::timestamp::Timestamp;

/// The time after which a waiting request expires.
pub const WAITS_FOR: TimeDelta = TimeDelta::days(7);

/// The time in which a member's refunds without approval count as one selection, so that a large one cannot be split.
pub const COUNTED_FOR: TimeDelta = BULK_DAY;

text_enum! {
    /// The state of a request for a refund.
    pub enum ApprovalState {
        /// For an Admin or a Manager.
        Waiting = "Waiting",
        Approved = "Approved",
        Declined = "Declined",
        /// By the member who made the request.
        Withdrawn = "Withdrawn",
        /// Never decided. It is not stored: a waiting request has expired at its time.
        Expired = "Expired",
    }
}

/// The number of orders, and the sum of their payments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub orders: usize,
    /// The orders without a recorded payment.
    pub without_payment: usize,
    /// The sum for each currency, sorted by the currency's code.
    pub sums: Vec<Money>,
}

impl Totals {
    /// Adds the payments of orders up; none: the order has no recorded payment.
    pub fn of(payments: impl IntoIterator<Item = Option<Money>>) -> Self {
        let mut totals = Self::default();
        for payment in payments {
            totals.orders += 1;
            match payment {
                Some(paid) => totals.add(paid),
                None => totals.without_payment += 1,
            }
        }
        totals.sums.sort_by_key(|sum| sum.currency.code());
        totals
    }

    fn add(&mut self, paid: Money) {
        match self.sums.iter_mut().find(|sum| sum.currency == paid.currency) {
            Some(sum) => sum.minor = sum.minor.saturating_add(paid.minor),
            None => self.sums.push(paid),
        }
    }
}

/// Returns true if the configuration requires a second person for some refunds.
pub fn is_on(config: &RefundSettings) -> bool {
    config.approval_orders > 0 || config.approval_amount > 0
}

/// A second person must approve the refund of the `selected` orders. `before`: the orders that the member marked in [`COUNTED_FOR`]
/// without an approval. Both count together. The sum of each currency is compared on its own, in its whole units; an order without a
/// recorded payment counts by number alone. A single order, with none before it, never waits.
pub fn needs_approval(selected: &Totals, before: &Totals, config: &RefundSettings) -> bool {
    let orders = selected.orders + before.orders;
    if selected.orders == 0 || orders < 2 {
        return false;
    }
    let is_above = |sum: &Money| {
        let earlier = before.sums.iter().find(|earlier| earlier.currency == sum.currency);
        let minor = i128::from(sum.minor) + earlier.map_or(0, |earlier| i128::from(earlier.minor));
        let unit = 10_i128.pow(u32::try_from(sum.currency.digits()).unwrap_or_default());
        minor > i128::from(config.approval_amount) * unit
    };
    config.approval_orders > 0 && orders > config.approval_orders
        || config.approval_amount > 0 && selected.sums.iter().any(is_above)
}

/// The message about a refund of so many orders that was stored as a request.
pub fn waits_text(orders: usize, already_refunded: usize) -> String {
    let (orders_text, verb) = (counted(orders, "order"), if orders == 1 { "waits" } else { "wait" });
    let text = format!("Nothing was refunded yet: {orders_text} {verb} for approval by another Admin or Manager");
    match already_refunded {
        0 => text,
        count => format!("{text}, {count} already refunded"),
    }
}

/// The values of a request that the rules need.
#[derive(Clone, Debug)]
pub struct Request {
    pub requested_by: StaffId,
    /// The name of that member.
    pub requester: String,
    pub expires_at: Timestamp,
    pub state: ApprovalState,
    /// The name of the member who decided or withdrew it.
    pub decided_by: Option<String>,
}

impl Request {
    /// The state at `now`.
    pub fn state_at(&self, now: Timestamp) -> ApprovalState {
        let has_expired = self.state == ApprovalState::Waiting && self.expires_at <= now;
        if has_expired { ApprovalState::Expired } else { self.state }
    }
}

/// Members of that type may decide about the requests of others. The table in `access.rs` admits the same types.
pub fn may_approve(who: StaffType) -> bool {
    acts_for_others(who)
}

/// Admins and Managers see every request, the others their own.
pub fn may_see_all(who: StaffType) -> bool {
    acts_for_others(who)
}

/// An Admin or a Manager approves and declines requests of other members, while they wait.
pub fn check_decide(staff: &Staff, request: &Request, now: Timestamp) -> Result<(), OrderError> {
    if staff.id == request.requested_by || !may_approve(staff.staff_type) {
        return Err(OrderError::OwnRefundApproval);
    }
    check_waits(request, now)
}

/// A member withdraws their own requests, while they wait.
pub fn check_withdraw(staff: &Staff, request: &Request, now: Timestamp) -> Result<(), OrderError> {
    if staff.id != request.requested_by {
        return Err(OrderError::RefundApprovalOfAnotherMember { by: request.requester.clone() });
    }
    check_waits(request, now)
}

fn check_waits(request: &Request, now: Timestamp) -> Result<(), OrderError> {
    let decided = |how| {
        let by = request.decided_by.clone().unwrap_or_default();
        Err(OrderError::RefundApprovalDecided { how, by })
    };
    match request.state_at(now) {
        ApprovalState::Waiting => Ok(()),
        ApprovalState::Approved => decided("approved"),
        ApprovalState::Declined => decided("declined"),
        ApprovalState::Withdrawn => decided("withdrawn"),
        ApprovalState::Expired => Err(OrderError::RefundApprovalExpired),
    }
}

/// Refuses the approval if orders changed since the request: each must still be in Refunds and not refunded.
pub fn check_unchanged(states: &[impl Borrow<OrderState>]) -> Result<(), OrderError> {
    let states = states.iter().map(Borrow::borrow);
    let changed: Vec<OrderId> = states.filter(|state| !is_due(state)).map(|state| state.order_id).collect();
    if changed.is_empty() { Ok(()) } else { Err(OrderError::RefundApprovalOutdated { order_ids: changed }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::money::Currency;

    fn paid(amount: &str, code: &str) -> Option<Money> {
        Some(Money::parse(amount, Currency::parse(code).unwrap()).unwrap())
    }

    fn config(orders: usize, amount: u32) -> RefundSettings {
        RefundSettings { approval_orders: orders, approval_amount: amount, ..Config::default().refunds }
    }

    fn needs(selected: &[Option<Money>], before: &[Option<Money>], config: &RefundSettings) -> bool {
        needs_approval(&Totals::of(selected.iter().copied()), &Totals::of(before.iter().copied()), config)
    }

    #[test]
    fn more_orders_than_the_number_need_approval_with_those_before_them() {
        let orders = |count| vec![None; count];
        assert!(!needs(&orders(500), &orders(500), &Config::default().refunds), "off by default");
        let above_ten = config(10, 0);
        assert!(!needs(&orders(10), &[], &above_ten) && needs(&orders(11), &[], &above_ten));
        assert!(!needs(&orders(4), &orders(6), &above_ten) && needs(&orders(5), &orders(6), &above_ten));
        assert!(needs(&orders(1), &orders(10), &above_ten), "single orders add up as well");
        assert!(!needs(&[], &orders(11), &above_ten), "none is refunded");
        let any_bulk = config(1, 0);
        assert!(!needs(&orders(1), &[], &any_bulk) && needs(&orders(2), &[], &any_bulk));
    }

    #[test]
    fn each_currency_is_compared_with_the_amount_on_its_own() {
        let above_300 = config(0, 300);
        let (usd, eur, yen) = (paid("149.50", "USD"), paid("299.99", "EUR"), paid("301", "JPY"));
        assert!(!needs(&[usd, usd, eur, None], &[], &above_300), "299 USD and 299.99 EUR");
        assert!(needs(&[usd, usd], &[paid("1.01", "USD")], &above_300), "300.01 USD");
        assert!(!needs(&[usd, usd], &[paid("1.00", "USD")], &above_300), "300 USD");
        assert!(needs(&[usd, yen], &[], &above_300), "301 yen, which have no cents");
        assert!(!needs(&[usd], &[yen, yen], &above_300), "a currency that is not selected");
        assert!(!needs(&[paid("900.00", "USD")], &[], &above_300), "a single order is no bulk refund");
        assert!(!needs(&[None, None], &[], &above_300), "no payment is known");
        assert!(needs(&[None, None], &[], &config(1, 300)), "either of the two");
    }

    #[test]
    fn totals_have_a_sum_for_each_currency() {
        let totals = Totals::of([paid("2.00", "USD"), None, paid("1.00", "EUR"), paid("3.50", "USD")]);
        assert_eq!((totals.orders, totals.without_payment), (4, 1));
        let sums: Vec<String> = totals.sums.iter().map(Money::to_string).collect();
        assert_eq!(sums, ["EUR 1.00", "USD 5.50"]);
        let most = Money { minor: i64::MAX, ..paid("1", "USD").unwrap() };
        assert!(needs(&[Some(most), Some(most)], &[Some(most)], &config(0, u32::MAX)));
    }

    #[test]
    fn a_request_expires_at_its_time() {
        let now = Timestamp::EPOCH + TimeDelta::days(400);
        let request = |state, expires_at| Request {
            requested_by: StaffId(1),
            requester: "Budi".into(),
            expires_at,
            state,
            decided_by: Some("Made".into()),
        };
        let second = TimeDelta::seconds(1);
        let waiting = |expires_at| request(ApprovalState::Waiting, expires_at);
        assert_eq!(check_waits(&waiting(now + second), now), Ok(()));
        assert_eq!(check_waits(&waiting(now), now), Err(OrderError::RefundApprovalExpired));
        let declined = check_waits(&request(ApprovalState::Declined, now - second), now);
        assert_eq!(declined, Err(OrderError::RefundApprovalDecided { how: "declined", by: "Made".into() }));
    }
}
