use chrono::{Days, TimeDelta};

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH + TimeDelta::seconds(seconds)
}

fn day(number: u64) -> NaiveDate {
    Timestamp::EPOCH.date_naive() + Days::new(number)
}

#[test]
fn overdue_orders_come_first_then_priority_orders_then_new_documents_arrivals_and_age() {
    let overdue_since = at(1_000);
    let order = |order_id: i64, new_since, is_regular, has_no_papers, arrives_on| FreeOrder {
        is_regular,
        has_no_papers,
        arrives_on,
        new_since: at(new_since),
        order_id: OrderId(order_id),
    };
    let sequence = [
        (order(1, 999, true, true, UNKNOWN_ARRIVAL), TakeReason::Overdue),
        (order(2, 1_000, false, false, day(1)), TakeReason::Overdue),
        (order(3, 9_000, false, false, day(9)), TakeReason::Priority),
        (order(4, 9_000, false, true, day(8)), TakeReason::Priority),
        (order(5, 1_001, false, true, UNKNOWN_ARRIVAL), TakeReason::Priority),
        (order(6, 9_000, true, false, UNKNOWN_ARRIVAL), TakeReason::Documents),
        (order(7, 9_000, true, true, day(3)), TakeReason::Arrival),
        (order(8, 1_001, true, true, day(4)), TakeReason::Arrival),
        (order(9, 1_001, true, true, UNKNOWN_ARRIVAL), TakeReason::Age),
        (order(10, 1_002, true, true, UNKNOWN_ARRIVAL), TakeReason::Age),
    ];
    let ranks: Vec<TakeRank> = sequence.iter().map(|(order, _)| TakeRank::of(order.clone(), overdue_since)).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    let reasons: Vec<TakeReason> = ranks.iter().map(TakeRank::reason).collect();
    assert_eq!(reasons, sequence.map(|(_, reason)| reason));
}

#[test]
fn the_text_of_an_overdue_order_says_the_limit() {
    assert_eq!(TakeReason::Overdue.text(24), "it has waited for more than 24 hours");
    assert_eq!(TakeReason::Overdue.text(1), "it has waited for more than 1 hour");
    assert_eq!(TakeReason::Overdue.text(0), TakeReason::Age.text(24), "each order is overdue");
}
