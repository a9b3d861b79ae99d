//! Fifty members take a hundred thousand orders by the rule of the next one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use chrono::{Days, TimeDelta};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use visadesk::ids::OrderId;
use visadesk::orders::rules::next_order::{FreeOrder, TakeRank, UNKNOWN_ARRIVAL};
use visadesk::timestamp::Timestamp;

const MEMBERS: usize = 50;
const ORDERS: i64 = 100_000;
/// The mean times of one order, and of the arrival of one: 200 orders can be done in an hour, and 180 arrive.
const WORK_SECONDS: i64 = 900;
const ARRIVAL_SECONDS: i64 = 20;
/// Nobody works on the weekend before: a backlog of eleven thousand orders, which the spare tenth of the members' time reduces for weeks.
const WEEKEND_SECONDS: i64 = 60 * 3_600;

/// The outcome of a simulation.
#[derive(Debug, Default)]
struct Simulated {
    taken: i64,
    /// Orders that were taken although one was overdue already when they came.
    overtaking: usize,
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH + TimeDelta::seconds(seconds)
}

/// Fifty members take a hundred thousand orders one after another, half of them priority orders. Orders are overdue after `limit`.
fn simulate(limit: TimeDelta) -> Simulated {
    let mut random = ChaCha8Rng::seed_from_u64(45);
    let mut free_at: BinaryHeap<Reverse<i64>> = (0..MEMBERS).map(|_| Reverse(WEEKEND_SECONDS)).collect();
    let (mut ranked, mut by_age) = (BTreeSet::new(), BTreeMap::new());
    let (mut arrived, mut next_arrival) = (0, 0);
    let mut simulated = Simulated::default();
    while simulated.taken < ORDERS {
        let Reverse(free) = free_at.pop().expect("fifty members");
        let mut now = free;
        while arrived < ORDERS && (next_arrival <= now || by_age.is_empty()) {
            now = now.max(next_arrival);
            let arrives_on = Timestamp::EPOCH.date_naive() + Days::new(random.random_range(5..90));
            let order = FreeOrder {
                is_regular: arrived % 2 == 0,
                has_no_papers: random.random_bool(0.9),
                arrives_on: if random.random_bool(0.2) { UNKNOWN_ARRIVAL } else { arrives_on },
                new_since: at(next_arrival),
                order_id: OrderId(arrived),
            };
            by_age.insert((order.new_since, order.order_id), order.clone());
            ranked.insert(order);
            arrived += 1;
            next_arrival += random.random_range(0..=2 * ARRIVAL_SECONDS);
        }
        // The most urgent order is the oldest one or the first by its rank.
        let candidates = [by_age.values().next(), ranked.first()].into_iter().flatten();
        let taken =
            candidates.min_by_key(|order| TakeRank::of((*order).clone(), at(now) - limit)).expect("one").clone();
        by_age.remove(&(taken.new_since, taken.order_id));
        ranked.remove(&taken);
        let oldest = by_age.values().next();
        let limit_of_oldest = oldest.map(|oldest| oldest.new_since + TimeDelta::hours(24));
        simulated.overtaking += usize::from(limit_of_oldest.is_some_and(|limit| limit < taken.new_since));
        simulated.taken += 1;
        free_at.push(Reverse(now + random.random_range(WORK_SECONDS / 2..=WORK_SECONDS * 3 / 2)));
    }
    simulated
}

#[test]
fn no_order_is_overtaken_by_one_that_came_after_its_limit_had_passed() {
    let aged = simulate(TimeDelta::hours(24));
    assert_eq!((aged.taken, aged.overtaking), (ORDERS, 0), "{aged:?}");
    let without_ageing = simulate(TimeDelta::days(36_500));
    assert!(without_ageing.overtaking > 10_000, "the backlog is long enough to show it: {without_ageing:?}");
}
