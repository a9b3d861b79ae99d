//! Orders that share a fact with an order: what is the same, who sees which, and a cost that does not grow with the orders.

use chrono::TimeDelta;
use diesel::prelude::*;
use diesel::sql_types::Text;
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::ids::StaffId;
use visadesk::money::Currency;
use visadesk::orders::facts::{Checkout, Payment};
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::status::ProcessStatus::{Completed, Deleted, New};
use visadesk::staff::rules::StaffType::{Team, Telecaller};
use visadesk::timestamp::Timestamp;

use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

async fn duplicates(client: &Client<'_>, order: i64) -> Answer {
    let answer = client.get(&format!("/admin/order-duplicates/{order}")).await;
    assert_eq!(answer.status, 200, "{answer}");
    answer
}

/// Id and shared facts of each order, in the order of the response.
fn shared(answer: &Answer) -> Vec<(i64, Value)> {
    let orders = answer.data()["orders"].as_array().expect("a list").iter();
    orders.map(|order| (order["order_id"].as_i64().expect("an id"), order["same"].clone())).collect()
}

fn payment(brand: &str, last_four: &str, paid_at: Timestamp) -> Payment {
    Payment {
        gateway: "Stripe".into(),
        payment_reference: "pi_1".into(),
        amount_minor: 11_900,
        currency: Currency::parse("USD").expect("a currency"),
        card_brand: Some(brand.into()),
        card_last_four: Some(last_four.into()),
        paid_at,
    }
}

/// Makes the order one of a stranger: no fact of it is shared.
fn strange(order: &mut NewOrder, number: usize) {
    order.full_name = format!("Stranger {number}");
    order.contact_email_address = format!("stranger.{number}@post.example");
    order.phone_number = Some(format!("5{number:08}"));
    order.application.document_number = Some(format!("ST{number:07}"));
    order.checkout = Some(Checkout { device_id: Some(format!("device of {number}")), ..Checkout::default() });
}

#[tokio::test]
async fn each_shared_fact_is_found_in_any_spelling_and_named() {
    let test = TestApp::start().await;
    let paid_at = test.clock.now();
    let order = test
        .add_order_with(New, |order| {
            order.contact_email_address = "Ana.Putri@post.example".into();
            order.application.document_number = Some("PA 1234567".into());
            order.application.passport_from = Some("Australia".into());
            order.checkout = Some(Checkout { device_id: Some("device-of-ana".into()), ..Checkout::default() });
            order.payment = Some(payment("Visa", "4242", paid_at));
        })
        .await;
    type Change = fn(&mut NewOrder, Timestamp);
    let changes: [(Change, Value); 7] = [
        (|other, _| other.application.document_number = Some("pa-1234567".into()), json!(["passport"])),
        (|other, _| other.contact_email_address = "ana.putri@POST.example".into(), json!(["email"])),
        (|other, _| other.phone_number = Some("+62 (0) 812-345 6789".into()), json!(["phone"])),
        (|other, _| other.phone_number = Some("0812-345 6789".into()), json!(["phone"])),
        (
            |other, _| {
                other.checkout = Some(Checkout { device_id: Some("device-of-ana".into()), ..Checkout::default() });
            },
            json!(["device"]),
        ),
        (|other, at| other.payment = Some(payment("Visa", "4242", at)), json!([])),
        (
            |other, at| {
                other.full_name = "ANA  PUTRI".into();
                other.payment = Some(payment("visa", "4242", at));
            },
            json!(["card"]),
        ),
    ];
    let mut expected = Vec::new();
    for (number, (change, same)) in changes.into_iter().enumerate() {
        let other = test
            .add_order_with(Completed, |other| {
                strange(other, number);
                change(other, paid_at);
            })
            .await;
        if same != json!([]) {
            expected.insert(0, (other, same));
        }
    }
    let budi = test.as_staff(Team, "Budi");
    let answer = duplicates(&budi, order).await;
    assert_eq!(shared(&answer), expected);
    let newest = &answer.data()["orders"][0];
    assert_eq!(newest["order_number"], format!("VD-{}", expected[0].0));
    assert_eq!((&newest["process_status"], &answer.data()["more"]), (&json!("Completed"), &json!(false)));
    // The other order names this one for the same reason.
    for (other, same) in expected {
        assert!(shared(&duplicates(&budi, other).await).contains(&(order, same)), "{other}");
    }
}

#[tokio::test]
async fn a_passport_of_another_country_is_another_passport() {
    let test = TestApp::start().await;
    let from = |country: &'static str| {
        move |order: &mut NewOrder| {
            strange(order, country.len());
            order.application.document_number = Some("123456789".into());
            order.application.passport_from = Some(country.into());
        }
    };
    let (one, _) = (test.add_order_with(New, from("Australia")).await, test.add_order_with(New, from("France")).await);
    assert_eq!(shared(&duplicates(&test.as_staff(Team, "Budi"), one).await), []);
}

#[tokio::test]
async fn the_twenty_newest_are_listed_and_only_those_that_the_member_may_find() {
    let test = TestApp::start().await;
    let citra = test.add_member(Team, "Citra").await;
    let order = test.add_order(New).await;
    let (old, deleted) = (test.add_order(Completed).await, test.add_order(Deleted).await);
    let taken = test.add_order_with(New, |order| order.assign_to = Some(StaffId(citra))).await;
    let ids = |answer: &Answer| shared(answer).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    let (budi, tia) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Tia"));
    assert_eq!(ids(&duplicates(&budi, order).await), [taken, deleted, old]);
    assert_eq!(ids(&duplicates(&tia, order).await), [deleted, old], "only Order History lists the order of Citra");
    let created_at = test.clock.now() - TimeDelta::days(900);
    let oldest = test.add_order_with(Completed, |order| order.created_at = created_at).await;
    assert_eq!(
        ids(&duplicates(&tia, order).await),
        [deleted, old, oldest],
        "by the day of the order, not by its number"
    );
    let mut newer = Vec::new();
    for _ in 0..20 {
        newer.insert(0, test.add_order(Completed).await);
    }
    let answer = duplicates(&budi, order).await;
    assert_eq!((ids(&answer), &answer.data()["more"]), (newer, &json!(true)));
}

#[tokio::test]
async fn an_order_that_does_not_exist_has_no_duplicates() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    for id in ["999999", "nonsense", "VD-999999"] {
        let answer = budi.get(&format!("/admin/order-duplicates/{id}")).await;
        assert_eq!((answer.status, &answer.json["code"]), (404, &json!("order_not_found")), "{id}");
    }
    assert_eq!(shared(&duplicates(&budi, order).await), []);
}

/// The plan of a query, with its values filled in.
fn plan(conn: &mut Conn, statement: &str) -> String {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text)]
        detail: String,
    }
    #[derive(QueryableByName)]
    struct PostgresLine {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    let sql = statement.split(" -- binds").next().expect("a statement");
    let value = if sql.contains("contact_email_address") { "'ana@post.example'" } else { "'8123456789'" };
    match conn {
        Conn::Sqlite(conn) => {
            let filled = sql.replace("?1", value).replace("?2", "50");
            let lines: Vec<Line> =
                diesel::sql_query(format!("EXPLAIN QUERY PLAN {filled}")).load(conn).expect("a plan");
            lines.into_iter().map(|line| line.detail).collect::<Vec<_>>().join("; ")
        }
        Conn::Postgres(conn) => {
            let filled = sql.replace("$1", value).replace("$2", "50");
            let lines: Vec<PostgresLine> = diesel::sql_query(format!("EXPLAIN {filled}")).load(conn).expect("a plan");
            lines.into_iter().map(|line| line.line).collect::<Vec<_>>().join("; ")
        }
    }
}

#[tokio::test]
async fn candidates_are_read_from_the_indexes_whatever_the_number_of_orders() {
    let test = TestApp::start().await;
    let paid_at = test.clock.now();
    let order = test
        .add_order_with(New, |order| {
            order.application.document_number = Some("8123456789".into());
            order.payment = Some(payment("Visa", "4242", paid_at));
        })
        .await;
    for number in 0..400 {
        test.add_order_with(Completed, |order| {
            strange(order, number);
            order.payment = Some(payment("Visa", &format!("{number:04}"), paid_at));
        })
        .await;
    }
    test.db().tidy_up().await.expect("statistics");
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    let statements = Statements::watch(&test).await;
    duplicates(&budi, order).await;
    let sent = statements.take();
    let candidates: Vec<String> = sent.into_iter().filter(|sql| sql.starts_with("SELECT order_id FROM")).collect();
    assert_eq!(candidates.len(), 4, "{candidates:?}");
    let plans: Vec<String> = test.read(move |conn| Ok(candidates.iter().map(|sql| plan(conn, sql)).collect())).await;
    for index in ["orders_same_email", "orders_same_phone", "applications_same_document", "payments_same_card"] {
        assert!(plans.iter().any(|plan| plan.contains(index)), "{index}: {plans:#?}");
    }
}
