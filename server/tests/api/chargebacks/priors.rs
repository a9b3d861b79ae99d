//! Earlier undisputed orders: found by IP address and device, with a limited number of rows read.

use std::sync::{Arc, Mutex};

use chrono::TimeDelta;
use diesel::connection::{Connection, InstrumentationEvent};
use diesel::prelude::*;
use diesel::sql_types::Text;
use visadesk::audit::store::Actor;
use visadesk::chargebacks::priors::check;
use visadesk::chargebacks::rules::priors::PriorCheck;
use visadesk::db::Conn;
use visadesk::ids::OrderId;
use visadesk::money::Currency;
use visadesk::orders::facts::{Checkout, Payment};
use visadesk::orders::new_order::{self, NewOrder};
use visadesk::orders::purchases::MAX_EACH_DIRECTION;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed};
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use super::{json, move_to, save};
use crate::support::TestApp;

const DEVICE: &str = "device-000000001";

/// Sets a purchase by Ana, always with the same card, address and device.
fn set_purchase(order: &mut NewOrder, paid_at: Timestamp) {
    order.created_at = paid_at;
    order.application.account_email = Some("family@post.example".into());
    order.checkout = Some(Checkout {
        purchase_ip: Some("203.0.113.9".into()),
        device_id: Some(DEVICE.into()),
        ..Checkout::default()
    });
    order.payment = Some(Payment {
        gateway: "Stripe".into(),
        payment_reference: "pay_1".into(),
        amount_minor: 14_900,
        currency: Currency::parse("USD").unwrap(),
        card_brand: Some("Visa".into()),
        card_last_four: Some("4242".into()),
        paid_at,
    });
}

/// Adds an order that was paid `days` ago.
async fn add(test: &TestApp, days: i64, change: impl FnOnce(&mut NewOrder)) -> i64 {
    let paid_at = test.clock.now() - TimeDelta::days(days);
    test.add_order_with(Completed, |order| {
        set_purchase(order, paid_at);
        change(order);
    })
    .await
}

/// Adds an order with a Visa fraud dispute.
async fn add_disputed(test: &TestApp) -> i64 {
    let (order, budi) = (add(test, 0, |_| {}).await, test.as_staff(Team, "Budi"));
    move_to(&budi, &[order], ChargeBack).await;
    assert_eq!(save(&budi, order, json!({ "reasonGroup": "Fraud", "reasonCode": "10.4" })).await.status, 200);
    order
}

async fn check_order(test: &TestApp, order: i64) -> PriorCheck {
    test.read(move |conn| check(conn, OrderId(order))).await
}

fn prior_days(check: &PriorCheck) -> Vec<(i64, i64)> {
    check.priors.iter().map(|prior| (prior.order_id.0, prior.days_before)).collect()
}

#[tokio::test]
async fn two_earlier_orders_of_the_customer_make_a_visa_fraud_dispute_eligible() {
    let test = TestApp::start().await;
    add(&test, 366, |_| {}).await;
    let (old, recent) = (add(&test, 365, |_| {}).await, add(&test, 120, |_| {}).await);
    add(&test, 119, |_| {}).await;
    let order = add_disputed(&test).await;
    let check = check_order(&test, order).await;
    assert!(check.eligible, "{check:?}");
    assert_eq!(prior_days(&check), [(recent, 120), (old, 365)]);
}

#[tokio::test]
async fn an_order_that_was_ever_disputed_is_not_a_prior() {
    let test = TestApp::start().await;
    let (one, other) = (add(&test, 200, |_| {}).await, add(&test, 300, |_| {}).await);
    let order = add_disputed(&test).await;
    assert!(check_order(&test, order).await.eligible);
    let budi = test.as_staff(Team, "Budi");
    move_to(&budi, &[one], ChargeBack).await;
    move_to(&budi, &[one], Completed).await;
    let check = check_order(&test, order).await;
    assert!(!check.eligible && check.why.contains("1 other order was disputed, refunded or deleted"), "{check:?}");
    assert_eq!(prior_days(&check), [(other, 300)]);
}

#[tokio::test]
async fn address_or_device_finds_candidates_and_their_emails_are_then_compared() {
    let test = TestApp::start().await;
    let by_device = add(&test, 200, |order| {
        order.checkout.as_mut().unwrap().purchase_ip = Some("198.51.100.1".into());
        order.application.account_email = None;
        order.contact_email_address = "ANA@post.example".into();
    })
    .await;
    let by_address = add(&test, 300, |order| {
        order.checkout.as_mut().unwrap().device_id = None;
        order.contact_email_address = "ben@post.example".into();
    })
    .await;
    add(&test, 250, |order| {
        order.checkout.as_mut().unwrap().device_id = None;
        order.application.account_email = None;
        order.contact_email_address = "ben@post.example".into();
    })
    .await;
    let order = add_disputed(&test).await;
    let check = check_order(&test, order).await;
    assert_eq!(prior_days(&check), [(by_device, 200), (by_address, 300)]);
    let matches = check.priors.iter().map(|prior| prior.matches.iter().map(|point| point.as_str()).collect::<Vec<_>>());
    assert_eq!(matches.collect::<Vec<_>>(), [vec!["device", "email"], vec!["address", "account"]]);
}

#[tokio::test]
async fn an_order_without_checkout_or_payment_and_an_unknown_order_have_no_priors() {
    let test = TestApp::start().await;
    let bare = test.add_order(ChargeBack).await;
    for order in [bare, 999_999] {
        let check = check_order(&test, order).await;
        assert!(!check.eligible && check.priors.is_empty() && !check.why.is_empty(), "{check:?}");
    }
}

/// Adds paid orders of other customers, from the given address or each from its own.
async fn add_other_customers(test: &TestApp, how_many: u32, address: Option<&'static str>, paid_at: Timestamp) {
    for from in (0..how_many).step_by(500) {
        let mut template = None;
        // The first order of a batch is the template of the others.
        test.add_order_with(Completed, |order| {
            set_purchase(order, paid_at);
            let checkout = order.checkout.as_mut().unwrap();
            (checkout.purchase_ip, checkout.device_id) = (None, None);
            template = Some(order.clone());
        })
        .await;
        let template = template.unwrap();
        let orders: Vec<NewOrder> = (from..how_many.min(from + 500))
            .map(|number| {
                let mut order = template.clone();
                order.contact_email_address = format!("stranger{number}@post.example");
                order.application.account_email = None;
                order.checkout = Some(Checkout {
                    purchase_ip: Some(
                        address.map_or_else(|| format!("10.0.{}.{}", number / 250, number % 250), str::to_owned),
                    ),
                    device_id: Some(format!("device-of-stranger-{number}")),
                    ..Checkout::default()
                });
                order
            })
            .collect();
        let now = test.clock.now();
        test.write(move |tx| new_order::add_all(tx, &orders, &Actor::program("test"), now)).await;
    }
}

/// The statements of `check` on checkouts, with their bound values.
async fn statements(test: &TestApp, order: i64) -> Vec<String> {
    test.read(move |conn| {
        let statements: Arc<Mutex<Vec<String>>> = Arc::default();
        let recorder = statements.clone();
        conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                recorder.lock().unwrap().push(query.to_string());
            }
        });
        check(conn, OrderId(order))?;
        conn.set_instrumentation(|_: InstrumentationEvent<'_>| {});
        let statements = statements.lock().unwrap().clone();
        let of_checkouts = |one: &String| one.contains("FROM `checkouts`") || one.contains("FROM \"checkouts\"");
        Ok(statements.into_iter().filter(of_checkouts).collect())
    })
    .await
}

/// The query plan of a statement whose first bound value is a text and whose other values are numbers.
fn plan(conn: &mut Conn, statement: &str, order: i64) -> String {
    #[derive(QueryableByName)]
    struct SqlitePlan {
        #[diesel(sql_type = Text)]
        detail: String,
    }
    #[derive(QueryableByName)]
    struct PostgresPlan {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    let (sql, binds) = statement.split_once(" -- binds:").expect("a statement and its values");
    let address = binds.contains("203.0.113.9");
    let values = [
        format!("'{}'", if address { "203.0.113.9" } else { DEVICE }),
        order.to_string(),
        (MAX_EACH_DIRECTION + 1).to_string(),
    ];
    match conn {
        Conn::Sqlite(conn) => {
            let filled = values.iter().fold(sql.to_owned(), |sql, value| sql.replacen('?', value, 1));
            let rows: Vec<SqlitePlan> = diesel::sql_query(format!("EXPLAIN QUERY PLAN {filled}")).load(conn).unwrap();
            rows.into_iter().map(|row| row.detail).collect::<Vec<_>>().join("; ")
        }
        Conn::Postgres(conn) => {
            let filled = values
                .iter()
                .enumerate()
                .fold(sql.to_owned(), |sql, (at, value)| sql.replace(&format!("${}", at + 1), value));
            let rows: Vec<PostgresPlan> = diesel::sql_query(format!("EXPLAIN {filled}")).load(conn).unwrap();
            rows.into_iter().map(|row| row.line).collect::<Vec<_>>().join("; ")
        }
    }
}

#[tokio::test]
async fn candidates_are_read_from_the_indexes_on_address_and_device() {
    let test = TestApp::start().await;
    let paid_at = test.clock.now() - TimeDelta::days(200);
    add(&test, 200, |_| {}).await;
    add_other_customers(&test, 2_000, None, paid_at).await;
    let order = add_disputed(&test).await;
    // Add as many orders after it, because for the newest orders the primary key alone would be selective.
    add_other_customers(&test, 2_000, None, paid_at).await;
    test.db().tidy_up().await.unwrap();
    let queries = statements(&test, order).await;
    assert_eq!(queries.len(), 4, "address and device, before and after: {queries:?}");
    let plans: Vec<String> =
        test.read(move |conn| Ok(queries.iter().map(|one| plan(conn, one, order)).collect())).await;
    for (at, plan) in plans.iter().enumerate() {
        let index = if at < 2 { "checkouts_purchase_ip" } else { "checkouts_device" };
        assert!(plan.contains(index) && !plan.contains("SCAN checkouts") && !plan.contains("Sort"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}

#[tokio::test]
async fn for_a_widely_shared_address_only_the_nearest_orders_are_read() {
    let test = TestApp::start().await;
    let far = add(&test, 300, |order| order.checkout.as_mut().unwrap().device_id = None).await;
    let paid_at = test.clock.now() - TimeDelta::days(200);
    add_other_customers(&test, 600, Some("203.0.113.9"), paid_at).await;
    let near = add(&test, 150, |_| {}).await;
    let order = add_disputed(&test).await;
    let shared = check_order(&test, order).await;
    assert_eq!(prior_days(&shared), [(near, 150)], "{far} is beyond the limit of orders read");
    assert!(shared.why.contains("Very many orders share the address or the device"), "{shared:?}");
    assert!(shared.why.contains("249 other orders match in one point alone"), "{shared:?}");
    // An order is found by its device even if many orders share the address.
    let by_device = add(&test, 310, |_| {}).await;
    let prior_days = prior_days(&check_order(&test, order).await);
    assert_eq!(prior_days, [(near, 150), (by_device, 310)]);
}
