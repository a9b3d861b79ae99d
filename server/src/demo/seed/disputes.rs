//! Chargebacks of invented orders: some at every distance from their deadline, and some decided.

use chrono::{Days, TimeDelta};
use rand::{Rng, RngExt};

use super::chance::{digits, in_percent, weighted};
use super::world::World;
use crate::chargebacks::rules::{network_of, new_dispute};
use crate::chargebacks::store::{Dispute, NewDispute};
use crate::chargebacks::terms::{ChargebackOutcome, Network, ReasonGroup};
use crate::orders::facts::{Checkout, Transaction};
use crate::orders::new_order::NewOrder;
use crate::timestamp::Timestamp;

/// Chargebacks that every demo has, so that each urgency is shown: how many days ago they were opened, and their outcome.
const SHOWN: [(u64, ChargebackOutcome); 11] = [
    (0, ChargebackOutcome::Open),
    (1, ChargebackOutcome::Open),
    (3, ChargebackOutcome::Open),
    (5, ChargebackOutcome::Open),
    (6, ChargebackOutcome::Open),
    (7, ChargebackOutcome::Open),
    (10, ChargebackOutcome::Open),
    (40, ChargebackOutcome::Won),
    (50, ChargebackOutcome::Lost),
    (60, ChargebackOutcome::Accepted),
    (70, ChargebackOutcome::Withdrawn),
];

/// With fewer orders than this, the demo has none of [`SHOWN`].
const FEW: u64 = 200;

/// Which of [`SHOWN`] Visa calls fraud, of a customer who bought before.
const OF_A_REGULAR: u64 = 3;

/// Their card.
const BRAND: &str = "Visa";

/// The number of days since the first of [`SHOWN`] was received.
const RECEIVED: i64 = 180;

/// The numbers of days before its order at which the same customer bought.
const BOUGHT_BEFORE: [i64; 2] = [200, 300];

/// The running number of the first that is always there.
fn first(world: &World) -> Option<u64> {
    (world.orders >= FEW).then(|| world.number_ago(TimeDelta::days(RECEIVED)))
}

/// The dispute that the order of this number always has.
pub fn shown(world: &World, number: u64) -> Option<(u64, ChargebackOutcome)> {
    let place = number.checked_sub(first(world)?)?;
    SHOWN.get(usize::try_from(place).ok()?).copied()
}

/// Whose earlier order this is: the number of the disputed one.
pub fn customer_of(world: &World, number: u64) -> Option<u64> {
    let disputed = first(world)? + OF_A_REGULAR;
    let ago = world.until - world.starts_at(disputed);
    BOUGHT_BEFORE.iter().any(|days| number == world.number_ago(ago + TimeDelta::days(*days))).then_some(disputed)
}

/// Makes `order` one of the same customer as `theirs`.
pub fn same_customer(order: &mut NewOrder, theirs: NewOrder) {
    order.full_name = theirs.full_name;
    order.contact_email_address = theirs.contact_email_address;
    (order.country_code, order.phone_number) = (theirs.country_code, theirs.phone_number);
    order.nationality = theirs.nationality;
    order.application = theirs.application;
    order.checkout = order.checkout.take().zip(theirs.checkout).map(|(checkout, known)| Checkout {
        purchase_ip: known.purchase_ip,
        user_agent: known.user_agent,
        device_id: known.device_id,
        ..checkout
    });
    if let (Some(payment), Some(known)) = (&mut order.payment, theirs.payment) {
        (payment.card_brand, payment.card_last_four) = (Some(BRAND.into()), known.card_last_four);
    }
}

/// Adds the chargeback of an order in ChargeBack and, mostly, its transaction details.
pub fn add(rng: &mut impl Rng, world: &World, number: u64, order: &mut NewOrder) -> NewDispute {
    let of_a_regular = first(world).is_some_and(|first| number == first + OF_A_REGULAR);
    if of_a_regular && let Some(payment) = &mut order.payment {
        payment.card_brand = Some(BRAND.into());
    }
    let (at, outcome) = when(rng, world, number, order);
    let days_ago = u64::try_from((world.until - at).num_days()).unwrap_or(0);
    let opened_on = world.today.checked_sub_days(Days::new(days_ago)).unwrap_or(world.today);
    let (_, group) = *weighted(rng, REASONS, |(weight, _)| *weight);
    let reason_group = if of_a_regular { Some(ReasonGroup::Fraud) } else { group };
    let brand = order.payment.as_ref().and_then(|payment| payment.card_brand.as_deref());
    let dispute = Dispute {
        reason_group,
        reason_code: reason_group.and_then(|group| code(network_of(brand, None), group)).map(str::to_owned),
        case_id: in_percent(rng, 85).then(|| format!("CB-{}", digits(rng, 8))),
        arn: in_percent(rng, 70).then(|| format!("7{}", digits(rng, 22))),
        outcome,
        ..new_dispute(order.payment.as_ref(), opened_on, &world.terms)
    };
    order.transaction = in_percent(rng, 85).then(|| Transaction {
        transaction_id: Some(format!("ch_{:014x}", rng.random_range(0..1_u64 << 56))),
        merchant_name: Some("VISADESK*EVISA".into()),
    });
    NewDispute { dispute, at }
}

/// When the chargeback was opened, and its outcome. Old ones are mostly decided.
fn when(rng: &mut impl Rng, world: &World, number: u64, order: &NewOrder) -> (Timestamp, ChargebackOutcome) {
    if let Some((days_ago, outcome)) = shown(world, number) {
        return (world.until - TimeDelta::days(i64::try_from(days_ago).unwrap_or(0)), outcome);
    }
    let since = order.processed_at.unwrap_or(order.created_at);
    let at = since + TimeDelta::hours(rng.random_range(24..60 * 24));
    let (_, outcome) = *weighted(rng, OUTCOMES, |(weight, _)| *weight);
    if at > world.until {
        return (since + (world.until - since) / 2, ChargebackOutcome::Open);
    }
    let is_young = world.until - at < TimeDelta::days(i64::from(world.terms.working_days));
    (at, if is_young { ChargebackOutcome::Open } else { outcome })
}

const OUTCOMES: &[(u32, ChargebackOutcome)] = &[
    (38, ChargebackOutcome::Won),
    (34, ChargebackOutcome::Lost),
    (15, ChargebackOutcome::Accepted),
    (8, ChargebackOutcome::Withdrawn),
    (5, ChargebackOutcome::Open),
];

const REASONS: &[(u32, Option<ReasonGroup>)] = &[
    (45, Some(ReasonGroup::Fraud)),
    (20, Some(ReasonGroup::NotReceived)),
    (10, Some(ReasonGroup::NotAsDescribed)),
    (12, Some(ReasonGroup::CancelledOrCredit)),
    (5, Some(ReasonGroup::Duplicate)),
    (3, Some(ReasonGroup::Other)),
    (5, None),
];

fn code(network: Network, group: ReasonGroup) -> Option<&'static str> {
    use ReasonGroup::{CancelledOrCredit, Duplicate, Fraud, NotAsDescribed, NotReceived};
    match (network, group) {
        (Network::Visa, Fraud) => Some("10.4"),
        (Network::Visa, NotReceived) => Some("13.1"),
        (Network::Visa, NotAsDescribed) => Some("13.3"),
        (Network::Visa, CancelledOrCredit) => Some("13.7"),
        (Network::Visa, Duplicate) => Some("12.6.1"),
        (Network::Mastercard, Fraud) => Some("4837"),
        (Network::Mastercard, NotReceived | NotAsDescribed | CancelledOrCredit) => Some("4853"),
        (Network::AmericanExpress, Fraud) => Some("F29"),
        _ => None,
    }
}
