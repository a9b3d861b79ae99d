//! When Visa's Compelling Evidence 3.0 applies: two earlier undisputed orders match in two points. Pure.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::chargebacks::store::Dispute;
use crate::chargebacks::terms::{Network, ReasonGroup};
use crate::ids::OrderId;
use crate::orders::purchases::{MAX_EACH_DIRECTION, Purchase};
use crate::text::without_case;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// A point in which two orders can match.
    pub enum Point {
        /// The IP address of the purchase.
        Address = "address",
        Device = "device",
        /// The contact address.
        Email = "email",
        /// The account that ordered.
        Account = "account",
    }
}

/// Calendar days (UTC) between an earlier payment and the disputed one: 120 to 365 by Visa's rules.
const DAYS: std::ops::RangeInclusive<i64> = 120..=365;

/// Visa accepts no shorter device id.
const MIN_DEVICE_ID_LEN: usize = 15;

/// The number of earlier orders needed.
const NEEDED: usize = 2;

/// The sufficient pairs of points: one of each is the address or the device.
const PAIRS: [[Point; 2]; 5] = [
    [Point::Address, Point::Device],
    [Point::Address, Point::Email],
    [Point::Device, Point::Email],
    [Point::Address, Point::Account],
    [Point::Device, Point::Account],
];

/// The orders that an order is compared with.
#[derive(Clone, Debug, Default)]
pub struct OtherOrders {
    pub purchases: Vec<Purchase>,
    /// Those that have or had a dispute.
    pub disputed: HashSet<OrderId>,
    /// There are others that are not compared.
    pub more: bool,
}

/// The result of checking a dispute for Compelling Evidence 3.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorCheck {
    pub eligible: bool,
    /// Sentences about what was found and what is missing.
    pub why: String,
    /// The earlier orders that match, at most two, the later one first. They are listed even if the dispute is not eligible.
    pub priors: Vec<PriorOrder>,
}

/// An earlier undisputed order of the same customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorOrder {
    pub order_id: OrderId,
    pub paid_at: Timestamp,
    /// Calendar days (UTC) before the disputed payment.
    pub days_before: i64,
    pub matches: Vec<Point>,
}

/// Compares the disputed order with others that share its address or device.
pub fn evaluate(dispute: Option<&Dispute>, order: Option<&Purchase>, others: &OtherOrders) -> PriorCheck {
    let not_for = not_for(dispute);
    let found = match order.and_then(|order| Some((order, order.paid_at?))) {
        None => Err("This order has no payment, from which earlier ones could be counted".to_owned()),
        Some((order, paid_at)) => missing(order).map_or_else(|| Ok(find(order, paid_at.date_naive(), others)), Err),
    };
    let mut said: Vec<String> = not_for.iter().cloned().collect();
    let (enough, priors) = match found {
        Err(missing) => {
            said.push(missing);
            (false, Vec::new())
        }
        Ok(found) => {
            said.extend(found.sentences(order, others.more));
            (found.priors.len() == NEEDED && found.are_alike(), found.priors)
        }
    };
    PriorCheck { eligible: not_for.is_none() && enough, why: said.join(". ") + ".", priors }
}

/// Why Compelling Evidence 3.0 does not apply to this dispute.
fn not_for(dispute: Option<&Dispute>) -> Option<String> {
    const ALONE: &str = "Compelling Evidence 3.0 is for Visa fraud (10.4) alone";
    let Some(dispute) = dispute else { return Some(format!("{ALONE}, and this order has no chargeback")) };
    if dispute.network != Network::Visa {
        return Some(format!("{ALONE}, and the network of this chargeback is {}", dispute.network));
    }
    match (&dispute.reason_code, dispute.reason_group) {
        (Some(code), None | Some(ReasonGroup::Fraud)) if code.contains("10.4") => None,
        (Some(code), None | Some(ReasonGroup::Fraud)) => Some(format!("{ALONE}, and the reason code is {code}")),
        (None, Some(ReasonGroup::Fraud)) => None,
        (_, Some(group)) => Some(format!("{ALONE}, and the reason is {group}")),
        (None, None) => Some(format!("{ALONE}, and no reason is recorded yet. Please record the reason group")),
    }
}

/// The facts missing from the checkout, without which nothing can match.
fn missing(order: &Purchase) -> Option<String> {
    let has_device = device(order).is_some();
    (order.purchase_ip.is_none() && !has_device).then(|| {
        format!(
            "The sales site gave neither the address nor a device id of at least {MIN_DEVICE_ID_LEN} characters at \
             checkout, so no earlier order can match"
        )
    })
}

fn device(facts: &Purchase) -> Option<&str> {
    facts.device_id.as_deref().filter(|id| id.chars().count() >= MIN_DEVICE_ID_LEN)
}

/// The points in which `other` matches the order.
pub fn matches(order: &Purchase, other: &Purchase) -> Vec<Point> {
    let same = |one: Option<&str>, another: Option<&str>| one.is_some() && one == another;
    let account = |facts: &Purchase| facts.account.as_deref().map(without_case);
    let points = [
        (Point::Address, same(order.purchase_ip.as_deref(), other.purchase_ip.as_deref())),
        (Point::Device, same(device(order), device(other))),
        (Point::Email, without_case(&order.email) == without_case(&other.email)),
        (Point::Account, same(account(order).as_deref(), account(other).as_deref())),
    ];
    points.into_iter().filter(|(_, same)| *same).map(|(point, _)| point).collect()
}

/// The result of comparing the other orders.
#[derive(Default)]
struct ComparedOrders {
    priors: Vec<PriorOrder>,
    /// Orders that match in one point only.
    weak: usize,
    /// Orders that were disputed, refunded or deleted. The reason of a refund is not stored, so no refunded order counts.
    excluded: usize,
    other_card: usize,
    card_known: bool,
}

fn find(order: &Purchase, paid_on: NaiveDate, others: &OtherOrders) -> ComparedOrders {
    let mut found = ComparedOrders { card_known: order.card_last_four.is_some(), ..ComparedOrders::default() };
    let mut strong: Vec<(PriorOrder, bool)> = Vec::new();
    for other in &others.purchases {
        let Some(paid_at) = other.paid_at else { continue };
        let days_before = paid_on.signed_duration_since(paid_at.date_naive()).num_days();
        if !DAYS.contains(&days_before) {
            continue;
        }
        let matches = matches(order, other);
        let card = (&order.card_last_four, &other.card_last_four);
        let is_disputed = others.disputed.contains(&other.order_id);
        let excluded = is_disputed || other.refund_date.is_some() || !other.process_status.may_be_prior();
        if !PAIRS.iter().any(|pair| holds(&matches, pair)) {
            found.weak += 1;
        } else if excluded {
            found.excluded += 1;
        } else if matches!(card, (Some(one), Some(another)) if one != another) {
            found.other_card += 1;
        } else {
            let prior = PriorOrder { order_id: other.order_id, paid_at, days_before, matches };
            strong.push((prior, other.card_last_four.is_some()));
        }
    }
    strong.sort_by_key(|(prior, _)| (std::cmp::Reverse(prior.matches.len()), prior.days_before, prior.order_id));
    let mut chosen = choose(strong);
    chosen.sort_by_key(|(prior, _)| (prior.days_before, prior.order_id));
    found.card_known &= chosen.iter().all(|(_, card_known)| *card_known);
    found.priors = chosen.into_iter().map(|(prior, _)| prior).collect();
    found
}

fn holds(matches: &[Point], pair: &[Point]) -> bool {
    pair.iter().all(|point| matches.contains(point))
}

/// Two that match in the same two points, if there are any; otherwise the best.
fn choose(strong: Vec<(PriorOrder, bool)>) -> Vec<(PriorOrder, bool)> {
    let alike = PAIRS.iter().find_map(|pair| {
        let alike: Vec<_> =
            strong.iter().filter(|(prior, _)| holds(&prior.matches, pair)).take(NEEDED).cloned().collect();
        (alike.len() == NEEDED).then_some(alike)
    });
    alike.unwrap_or_else(|| strong.into_iter().take(NEEDED).collect())
}

impl ComparedOrders {
    /// Returns true if all of them match in the same two points, as Visa requires.
    fn are_alike(&self) -> bool {
        PAIRS.iter().any(|pair| self.priors.iter().all(|prior| holds(&prior.matches, pair)))
    }

    fn sentences(&self, order: Option<&Purchase>, more: bool) -> Vec<String> {
        let mut said = Vec::new();
        let days: Vec<String> = self.priors.iter().map(|prior| prior.days_before.to_string()).collect();
        match days.as_slice() {
            [one, other] => {
                said.push(format!("Two earlier undisputed orders match, paid {one} and {other} days before"));
                if !self.are_alike() {
                    said.push("They match in different points, and Visa asks for the same two in both".into());
                }
            }
            [one] => said.push(format!(
                "Only one earlier undisputed order matches, paid {one} days before, and two are needed"
            )),
            _ => said.push(format!(
                "No earlier undisputed order that was paid {} to {} days before matches in two points, of which one is the \
                 address or the device",
                DAYS.start(),
                DAYS.end()
            )),
        }
        if self.priors.len() < NEEDED {
            let lacking = [
                (self.weak, "matches in one point alone", "match in one point alone"),
                (self.excluded, "was disputed, refunded or deleted", "were disputed, refunded or deleted"),
                (self.other_card, "was paid with another card", "were paid with another card"),
            ];
            let lacking = lacking.iter().filter(|(count, ..)| *count > 0);
            said.extend(lacking.map(|(count, one, many)| match count {
                1 => format!("1 other order {one}"),
                count => format!("{count} other orders {many}"),
            }));
            said.extend(order.into_iter().flat_map(|order| {
                let address =
                    order.purchase_ip.is_none().then(|| "The sales site gave no address at checkout".to_owned());
                let device = device(order).is_none().then(|| {
                    format!("The sales site gave no device id of at least {MIN_DEVICE_ID_LEN} characters at checkout")
                });
                address.into_iter().chain(device)
            }));
        }
        if !self.priors.is_empty() {
            let known = if self.card_known { "" } else { " where both are known, and here one is not" };
            said.push(format!("Cards were compared by their last four digits{known}"));
        }
        if more {
            said.push(format!(
                "Very many orders share the address or the device: the nearest {MAX_EACH_DIRECTION} before and after this one \
                 were looked at"
            ));
        }
        said
    }
}

#[cfg(test)]
mod tests;
