//! kill -9 in the middle of a refund of five hundred orders (safety F3): all of them or none, and what was acknowledged stays.

use std::time::{Duration, Instant};

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::audit::store::Actor;
use visadesk::clock::Clock;
use visadesk::db::Db;
use visadesk::db::schema::{audit, mails, orders, refunds};
use visadesk::mail::rules::MailKind;
use visadesk::orders::dialect::lock_orders;
use visadesk::orders::new_order;
use visadesk::orders::rules::ProcessStatus::Refunds;

use super::Traces;
use crate::support::PASSWORD;
use crate::support::orders::new_order;
use crate::support::program::{Installation, Program};

/// Adds so many orders that are due; answers their ids.
pub async fn add_orders(db: &Db, count: usize) -> Vec<i64> {
    let now = Clock::default().now();
    let new = vec![new_order(Refunds, now); count];
    db.write(move |tx| new_order::add_all(tx, &new, &Actor::program("test"), now)).await.expect("they are added")
}

const ADD_BUDI: &[&str] =
    &["staff", "add", "--name", "Budi", "--email", "budi@desk.example", "--type", "Team", "--password-stdin"];

/// Without the worker: what is killed is the refund, not the sending.
fn serve(here: &Installation) -> Program {
    Program::start(here.command(&["serve", "--no-worker"]))
}

/// The message of the answer, or nothing when the connection broke.
async fn refund(server: &Program, token: &str, orders: &[i64]) -> Option<String> {
    let request = reqwest::Client::new().put(server.url("/api/admin/move-to-complete-refund"));
    let answer = request.header("authorization", token).json(&json!({ "orderId": orders })).send().await.ok()?;
    let status = answer.status().as_u16();
    let answer: Value = answer.json().await.ok()?;
    assert_eq!(status, 200, "{answer}");
    answer["message"].as_str().map(str::to_owned)
}

/// How many of the orders have a row, a mail, a date and an audit row.
async fn of_these(db: &Db, ids: &[i64]) -> [i64; 4] {
    let ids = ids.to_vec();
    let counted = db.read(move |conn| {
        let (theirs, dated) = (refunds::order_id.eq_any(&ids), orders::order_id.eq_any(&ids));
        Ok([
            refunds::table.filter(theirs).count().get_result(conn)?,
            mails::table
                .filter(mails::order_id.eq_any(&ids))
                .filter(mails::kind.eq(MailKind::Refund))
                .count()
                .get_result(conn)?,
            orders::table.filter(dated).filter(orders::refund_date.is_not_null()).count().get_result(conn)?,
            audit::table
                .filter(audit::order_id.eq_any(&ids))
                .filter(audit::action.eq("order.refund"))
                .count()
                .get_result(conn)?,
        ])
    });
    counted.await.expect("it is counted")
}

/// Waits for what is still under way with the orders: PostgreSQL may be at a commit that somebody asked it for and did not outlive.
async fn until_over(db: &Db, ids: &[i64]) {
    let ids = ids.to_vec();
    db.write(move |tx| lock_orders(tx, &ids)).await.expect("it is over");
}

#[tokio::test]
async fn a_killed_refund_of_five_hundred_orders_is_complete_or_rolled_back() {
    let rounds = if std::env::var_os("VISADESK_TEST_LONG").is_some() { 100 } else { 6 };
    let here = Installation::make().await;
    assert!(here.run(ADD_BUDI, PASSWORD).status.success());
    let url = here.database_url();
    let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens");
    let server = serve(&here);
    let request = reqwest::Client::new().post(server.url("/api/admin/admin-login"));
    let body = json!({ "email": "budi@desk.example", "password": PASSWORD });
    let signed_in: Value = request.json(&body).send().await.expect("it answers").json().await.expect("JSON");
    let token = signed_in["jwtToken"].as_str().expect("a token").to_owned();

    drop(server);

    // How long one takes that nobody disturbs, the first after a start: kills fall into that time, and a little after it.
    let undisturbed = add_orders(&db, 500).await;
    let server = serve(&here);
    let began = Instant::now();
    assert_eq!(refund(&server, &token, &undisturbed).await.as_deref(), Some("500 refunded, 0 already refunded"));
    let mut whole = began.elapsed();
    drop(server);

    let (mut refunded, mut kept, mut undone) = (500, 0, 0);
    for round in 0..rounds {
        let ids = add_orders(&db, 500).await;
        let server = serve(&here);
        let moment = whole.mul_f64(rand::random_range(0.0..1.5)).max(Duration::from_millis(1));
        let kill = async {
            tokio::time::sleep(moment).await;
            server.kill();
        };
        let (heard, ()) = tokio::join!(refund(&server, &token, &ids), kill);
        drop(server);
        until_over(&db, &ids).await;
        let counts = of_these(&db, &ids).await;
        assert!(counts == [0; 4] || counts == [500; 4], "round {round}, after {moment:?}: {counts:?}");
        assert!(heard.is_none() || counts == [500; 4], "round {round}: what was acknowledged is lost");
        if counts == [500; 4] {
            kept += 1;
        } else {
            undone += 1;
        }

        // Whoever heard nothing asks again.
        let server = serve(&here);
        let began = Instant::now();
        let again = refund(&server, &token, &ids).await.expect("it answers");
        let (left, before) = (500 - counts[0], counts[0]);
        if left == 500 {
            whole = began.elapsed();
        }
        assert_eq!(again, format!("{left} refunded, {before} already refunded"), "round {round}");
        refunded += 500;
        assert_eq!(db.read(Traces::read).await.expect("it is counted"), Traces::of(refunded), "round {round}");
    }
    assert!(rounds < 100 || kept > 0 && undone > 0, "kills fell on both sides: {kept} whole, {undone} undone");
}
