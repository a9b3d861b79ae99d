use chrono::Days;

use super::*;
use crate::chargebacks::rules::new_dispute;
use crate::config::Config;
use crate::ids::OrderId;
use crate::orders::status::ProcessStatus;

/// A change, and what is said of it.
type Case<T> = (fn(&mut T), &'static str);

const DEVICE: &str = "device-000000001";

fn paid_on() -> NaiveDate {
    "2026-11-20".parse().unwrap()
}

fn disputed() -> Purchase {
    Purchase {
        order_id: OrderId(100_900),
        process_status: ProcessStatus::ChargeBack,
        refund_date: None,
        email: "Ana@post.example".into(),
        account: Some("family@post.example".into()),
        paid_at: Some(paid_on().and_hms_opt(0, 30, 0).unwrap().and_utc().into()),
        card_last_four: Some("4242".into()),
        purchase_ip: Some("203.0.113.9".into()),
        device_id: Some(DEVICE.into()),
    }
}

/// An order of the same customer, paid late on the day that many days before.
fn earlier(days: u64) -> Purchase {
    let order_id = 100_900 - i64::try_from(days).unwrap();
    let paid_at = paid_on().checked_sub_days(Days::new(days)).and_then(|day| day.and_hms_opt(23, 59, 59));
    let paid_at = paid_at.map(|at| at.and_utc().into());
    Purchase { order_id: OrderId(order_id), process_status: ProcessStatus::Completed, paid_at, ..disputed() }
}

fn visa_fraud() -> Dispute {
    let dispute = new_dispute(None, paid_on(), &Config::default().chargebacks);
    Dispute { network: Network::Visa, reason_group: Some(ReasonGroup::Fraud), ..dispute }
}

fn others(purchases: &[Purchase]) -> OtherOrders {
    OtherOrders { purchases: purchases.to_vec(), ..OtherOrders::default() }
}

fn check(purchases: &[Purchase]) -> PriorCheck {
    evaluate(Some(&visa_fraud()), Some(&disputed()), &others(purchases))
}

fn days(check: &PriorCheck) -> Vec<i64> {
    check.priors.iter().map(|prior| prior.days_before).collect()
}

#[test]
fn two_undisputed_orders_120_to_365_days_before_make_it_eligible() {
    let found = check(&[earlier(119), earlier(120), earlier(365), earlier(366)]);
    assert!(found.eligible);
    assert_eq!(days(&found), [120, 365]);
    assert_eq!(found.priors[0].matches, Point::ALL);
    assert_eq!(
        found.why,
        "Two earlier undisputed orders match, paid 120 and 365 days before. \
         Cards were compared by their last four digits."
    );
    for outside in [[119, 200], [366, 200]] {
        let found = check(&outside.map(earlier));
        assert!(!found.eligible);
        assert_eq!(days(&found), [200], "{outside:?}");
        assert!(found.why.starts_with("Only one earlier undisputed order matches, paid 200 days before, and two"));
    }
}

#[test]
fn one_of_the_two_points_is_the_address_or_the_device() {
    let with = |keep: &[Point]| {
        let strange = |point, value: &str| (!keep.contains(&point)).then(|| value.to_owned());
        let mut order = earlier(200);
        order.purchase_ip = strange(Point::Address, "198.51.100.1").or(order.purchase_ip);
        order.device_id = strange(Point::Device, "another-device-1").or(order.device_id);
        order.email = strange(Point::Email, "ben@post.example").unwrap_or(order.email);
        order.account = strange(Point::Account, "ben@post.example").or(order.account);
        assert_eq!(matches(&disputed(), &order), keep);
        check(&[order, earlier(300)]).eligible
    };
    use Point::{Account, Address, Device, Email};
    for enough in [
        [Address, Device].as_slice(),
        &[Address, Email],
        &[Address, Account],
        &[Device, Email],
        &[Device, Account],
        &[Address, Email, Account],
    ] {
        assert!(with(enough), "{enough:?}");
    }
    for lacking in [[].as_slice(), &[Address], &[Device], &[Email], &[Email, Account]] {
        assert!(!with(lacking), "{lacking:?}");
    }
}

#[test]
fn case_does_not_matter_in_emails_and_a_short_device_id_is_none() {
    let mut order = earlier(200);
    (order.email, order.account) = ("ANA@POST.EXAMPLE".into(), Some("Family@Post.Example".into()));
    assert_eq!(matches(&disputed(), &order), Point::ALL);
    let short = |length: usize| Purchase { device_id: Some("x".repeat(length)), ..disputed() };
    assert!(!matches(&short(14), &short(14)).contains(&Point::Device));
    assert!(matches(&short(15), &short(15)).contains(&Point::Device));
    let nothing = Purchase { purchase_ip: None, device_id: None, account: None, ..disputed() };
    assert_eq!(matches(&nothing, &nothing), [Point::Email], "what is not known does not match");
}

#[test]
fn what_was_disputed_refunded_deleted_unpaid_or_paid_with_another_card_is_no_prior() {
    let with_disputed =
        OtherOrders { disputed: HashSet::from([earlier(200).order_id]), ..others(&[earlier(200), earlier(300)]) };
    let found = evaluate(Some(&visa_fraud()), Some(&disputed()), &with_disputed);
    assert!(!found.eligible && days(&found) == [300], "{found:?}");
    assert!(found.why.contains("1 other order was disputed, refunded or deleted"), "{found:?}");
    let changes: [Case<Purchase>; 6] = [
        (|order| order.refund_date = order.paid_at, "1 other order was disputed, refunded or deleted"),
        (|order| order.process_status = ProcessStatus::Refunds, "1 other order was disputed, refunded or deleted"),
        (|order| order.process_status = ProcessStatus::Deleted, "1 other order was disputed, refunded or deleted"),
        (|order| order.paid_at = None, ""),
        (|order| order.card_last_four = Some("1111".into()), "1 other order was paid with another card"),
        (
            |order| (order.email, order.account, order.device_id) = ("ben@post.example".into(), None, None),
            "1 other order matches in one point alone",
        ),
    ];
    for (change, said) in changes {
        let mut order = earlier(200);
        change(&mut order);
        let found = check(&[order, earlier(300)]);
        assert!(!found.eligible && days(&found) == [300] && found.why.contains(said), "{found:?}");
    }
}

#[test]
fn an_unknown_card_is_told_and_does_not_exclude() {
    let unknown = Purchase { card_last_four: None, ..earlier(200) };
    let found = check(&[unknown, earlier(300)]);
    assert!(found.eligible);
    assert!(
        found.why.ends_with("Cards were compared by their last four digits where both are known, and here one is not.")
    );
}

#[test]
fn the_two_match_in_the_same_points_where_such_are_to_be_had() {
    let by_device = Purchase { purchase_ip: None, email: "ben@post.example".into(), ..earlier(150) };
    let by_address = |days| Purchase { device_id: None, account: None, ..earlier(days) };
    let found = check(&[by_device.clone(), by_address(200), by_address(300)]);
    assert_eq!(days(&found), [200, 300]);
    let found = check(&[by_device, by_address(200)]);
    assert!(!found.eligible && found.why.contains("They match in different points"), "{found:?}");
}

#[test]
fn only_visa_fraud_is_answered_this_way_and_the_orders_are_named_all_the_same() {
    let others = others(&[earlier(200), earlier(300)]);
    let judged = |change: fn(&mut Dispute)| {
        let mut dispute = visa_fraud();
        change(&mut dispute);
        evaluate(Some(&dispute), Some(&disputed()), &others)
    };
    assert!(judged(|dispute| dispute.reason_code = Some("10.4".into())).eligible);
    assert!(judged(|dispute| (dispute.reason_code, dispute.reason_group) = (Some("Visa 10.4".into()), None)).eligible);
    let refusals: [Case<Dispute>; 4] = [
        (|dispute| dispute.network = Network::Mastercard, "and the network of this chargeback is Mastercard."),
        (|dispute| dispute.reason_group = Some(ReasonGroup::NotReceived), "and the reason is Not received."),
        (|dispute| dispute.reason_code = Some("10.3".into()), "and the reason code is 10.3."),
        (|dispute| dispute.reason_group = None, "and no reason is recorded yet. Please record the reason group."),
    ];
    for (change, said) in refusals {
        let found = judged(change);
        assert!(!found.eligible && found.why.contains(said) && found.priors.len() == 2, "{found:?}");
    }
    let never = evaluate(None, Some(&disputed()), &others);
    assert!(!never.eligible && never.why.contains("this order has no chargeback"));
}

#[test]
fn what_is_missing_at_checkout_is_named() {
    let judged =
        |order: Option<&Purchase>| evaluate(Some(&visa_fraud()), order, &others(&[earlier(200), earlier(300)])).why;
    let bare = Purchase { purchase_ip: None, device_id: Some("short".into()), ..disputed() };
    assert_eq!(
        judged(Some(&bare)),
        "The sales site gave neither the address nor a device id of at least 15 characters at checkout, so no earlier \
         order can match."
    );
    let unpaid = Purchase { paid_at: None, ..disputed() };
    for order in [None, Some(&unpaid)] {
        assert_eq!(judged(order), "This order has no payment, from which earlier ones could be counted.");
    }
    let by_address = Purchase { device_id: None, ..disputed() };
    let found = evaluate(Some(&visa_fraud()), Some(&by_address), &OtherOrders { more: true, ..OtherOrders::default() });
    assert!(found.why.contains("gave no device id of at least 15 characters"), "{found:?}");
    assert!(found.why.contains("Very many orders share"), "{found:?}");
}
