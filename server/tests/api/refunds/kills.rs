//! kill -9 during a refund of five hundred orders (safety F3): all or none are refunded, and acknowledged refunds persist.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use visadesk::audit::store::Actor;
use visadesk::clock::Clock;
use visadesk::db::schema::{audit, mails, orders, refunds};
use visadesk::db::{Conn, Db};
use visadesk::ids::OrderId;
use visadesk::mail::rules::MailKind;
use visadesk::orders::dialect::lock_orders;
use visadesk::orders::new_order;
use visadesk::orders::status::ProcessStatus::Refunds;

use super::Traces;
use crate::support::database::{apart, connect};
use crate::support::orders::new_order;
use crate::support::program::{Installation, Program};
use crate::support::rounds::{rounds, seed};
use crate::support::{PASSWORD, http, until};

/// Adds `count` orders in Refunds. Returns their ids.
pub async fn add_orders(db: &Db, count: usize) -> Vec<i64> {
    let now = Clock::default().now();
    let new = vec![new_order(Refunds, now); count];
    let ids =
        db.write(move |tx| new_order::add_all(tx, &new, &Actor::program("test"), now)).await.expect("they are added");
    ids.into_iter().map(|id| id.0).collect()
}

/// Adds Budi as a member of that type. Returns the database, and the token of a session.
async fn sign_in(installation: &Installation, staff_type: &str) -> (Db, String) {
    let add = ["staff", "add", "--name", "Budi", "--email", "budi@desk.example", "--type", staff_type];
    assert!(installation.run(&[&add[..], &["--password-stdin"]].concat(), PASSWORD).status.success());
    let url = installation.database_url();
    let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens");
    let server = serve(installation);
    let request = http::client().post(server.url("/api/admin/admin-login"));
    let body = json!({ "email": "budi@desk.example", "password": PASSWORD });
    let signed_in: Value = request.json(&body).send().await.expect("it answers").json().await.expect("JSON");
    (db, signed_in["jwtToken"].as_str().expect("a token").to_owned())
}

/// Starts the server without the worker, so that a kill hits the refund and not the sending of mail.
fn serve(installation: &Installation) -> Program {
    Program::start(installation.command(&["serve", "--no-worker"]))
}

/// The message of the response, or `None` if the connection broke.
async fn refund(server: &Program, token: &str, orders: &[i64]) -> Option<String> {
    let request = http::client().put(server.url("/api/admin/move-to-complete-refund"));
    let answer = request.header("authorization", token).json(&json!({ "orderId": orders })).send().await.ok()?;
    let status = answer.status().as_u16();
    let answer: Value = answer.json().await.ok()?;
    assert_eq!(status, 200, "{answer}");
    answer["message"].as_str().map(str::to_owned)
}

/// How many of the orders have a refund row, a mail, a refund date and an audit row.
async fn count_traces(db: &Db, ids: &[i64]) -> [i64; 4] {
    let ids = ids.to_vec();
    let counts = db.read(move |conn| {
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
    counts.await.expect("it is counted")
}

/// Waits for open transactions on the orders: PostgreSQL may still be committing for the killed server.
async fn wait_for_transactions(db: &Db, ids: &[i64]) {
    let ids: Vec<OrderId> = ids.iter().copied().map(OrderId).collect();
    db.write(move |tx| lock_orders(tx, &ids)).await.expect("the rows can be locked");
}

#[tokio::test]
async fn a_killed_refund_of_five_hundred_orders_is_complete_or_rolled_back() {
    let rounds = rounds(6, 100);
    let installation = Installation::make().await;
    let (db, token) = sign_in(&installation, "Team").await;
    let seed = seed();
    let mut rng = ChaCha8Rng::from_seed(seed);

    // The duration of an undisturbed refund after a start sets the range of the kill times.
    let undisturbed = add_orders(&db, 500).await;
    let server = serve(&installation);
    let began = Instant::now();
    assert_eq!(refund(&server, &token, &undisturbed).await.as_deref(), Some("500 refunded, 0 already refunded"));
    let mut duration = began.elapsed();
    drop(server);

    let (mut refunded, mut complete, mut rolled_back) = (500, 0, 0);
    for round in 0..rounds {
        let ids = add_orders(&db, 500).await;
        let server = serve(&installation);
        // From a kill at once to a kill after the response, evenly spread in between. Where such a kill falls depends on the machine:
        // the test below kills in the transaction.
        let share = (f64::from(round) + rng.random_range(0.0..1.0)) / f64::from(rounds);
        let kill_after = if round == 0 { Duration::ZERO } else { duration.mul_f64(1.5 * share) };
        let acknowledged = if round == rounds - 1 {
            let acknowledged = refund(&server, &token, &ids).await;
            server.kill();
            acknowledged
        } else {
            let kill = async {
                tokio::time::sleep(kill_after).await;
                server.kill();
            };
            tokio::join!(refund(&server, &token, &ids), kill).0
        };
        drop(server);
        wait_for_transactions(&db, &ids).await;
        let counts = count_traces(&db, &ids).await;
        assert!(counts == [0; 4] || counts == [500; 4], "round {round}, after {kill_after:?}: {counts:?}");
        assert!(acknowledged.is_none() || counts == [500; 4], "round {round}: an acknowledged refund is lost");
        if counts == [500; 4] {
            complete += 1;
        } else {
            rolled_back += 1;
        }

        // The client retries after a lost response.
        let server = serve(&installation);
        let began = Instant::now();
        let again = refund(&server, &token, &ids).await.expect("it answers");
        let (left, before) = (500 - counts[0], counts[0]);
        if left == 500 {
            duration = began.elapsed();
        }
        assert_eq!(again, format!("{left} refunded, {before} already refunded"), "round {round}");
        refunded += 500;
        assert_eq!(db.read(Traces::read).await.expect("it is counted"), Traces::of(refunded), "round {round}");
    }
    assert!(
        complete > 0 && rolled_back > 0,
        "kills must hit before and after the commit: {complete} complete, {rolled_back} rolled back"
    );
}

/// Stops a refund, or taking one back, in its transaction, when everything is written but its audit rows. On SQLite by a trigger that takes for ever, on
/// PostgreSQL by this connection, whose transaction locks the audit.
struct Brake(Conn);

/// Counts as many rows as the audit has, to the power of four: it has more than five hundred.
const TAKE_FOR_EVER: &str =
    "CREATE TRIGGER stop_refunds AFTER INSERT ON audit WHEN NEW.action IN ('order.refund', 'refund.take_back')
    BEGIN SELECT count(*) FROM audit, audit AS two, audit AS three, audit AS four; END";

#[derive(QueryableByName)]
struct Waiting {
    #[diesel(sql_type = diesel::sql_types::Bool)]
    is_waiting: bool,
}

/// The databases of other tests have tables of the same id.
const IS_WAITING: &str = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS is_waiting";

impl Brake {
    async fn pull(installation: &Installation, db: &Db) -> Self {
        let url = installation.database_url();
        if let Some(file) = url.strip_prefix("sqlite://") {
            db.write(|tx| Ok(tx.batch_execute(TAKE_FOR_EVER)?)).await.expect("the trigger is added");
            return Self(Conn::Sqlite(SqliteConnection::establish(file).expect("it opens")));
        }
        let mut conn = connect(&url);
        apart(|| conn.batch_execute("BEGIN; LOCK TABLE audit IN SHARE MODE")).expect("the audit is locked");
        Self(Conn::Postgres(conn))
    }

    async fn holds(&mut self, db: &Db) -> bool {
        match &mut self.0 {
            // It fails at once while another connection writes.
            Conn::Sqlite(conn) => {
                let tried = conn.batch_execute("BEGIN IMMEDIATE; ROLLBACK");
                tried.is_err_and(|error| error.to_string().contains("locked"))
            }
            Conn::Postgres(_) => {
                let waiting = db.read(|conn| Ok(diesel::sql_query(IS_WAITING).get_result::<Waiting>(conn)?));
                waiting.await.expect("it answers").is_waiting
            }
        }
    }

    /// Waits until a refund is stopped. Any other write is over after a few of these looks.
    async fn wait_until_it_holds(&mut self, db: &Db) {
        let mut looks = 0;
        until("a refund comes to the end of its transaction", async || {
            looks = if self.holds(db).await { looks + 1 } else { 0 };
            (looks == 20).then_some(())
        })
        .await;
    }

    async fn release(mut self, db: &Db) {
        match &mut self.0 {
            Conn::Sqlite(_) => {
                let dropped = db.write(|tx| Ok(tx.batch_execute("DROP TRIGGER stop_refunds")?));
                dropped.await.expect("the trigger is dropped");
            }
            Conn::Postgres(conn) => apart(|| conn.batch_execute("ROLLBACK")).expect("the audit is free"),
        }
    }
}

#[tokio::test]
async fn a_refund_killed_in_its_transaction_leaves_no_trace_and_can_be_repeated() {
    let installation = Installation::make().await;
    let (db, token) = sign_in(&installation, "Team").await;
    let ids = add_orders(&db, 500).await;
    let server = serve(&installation);
    let mut brake = Brake::pull(&installation, &db).await;
    let kill = async {
        brake.wait_until_it_holds(&db).await;
        server.kill();
    };
    let (acknowledged, ()) = tokio::join!(refund(&server, &token, &ids), kill);
    assert_eq!(acknowledged, None);
    drop(server);
    brake.release(&db).await;
    wait_for_transactions(&db, &ids).await;
    assert_eq!(count_traces(&db, &ids).await, [0; 4]);

    let server = serve(&installation);
    assert_eq!(refund(&server, &token, &ids).await.as_deref(), Some("500 refunded, 0 already refunded"));
    assert_eq!(count_traces(&db, &ids).await, [500; 4]);
}

#[tokio::test]
async fn taking_a_refund_back_that_is_killed_in_its_transaction_leaves_the_refund_in_force() {
    let installation = Installation::make().await;
    let (db, token) = sign_in(&installation, "Admin").await;
    let ids = add_orders(&db, 500).await;
    let server = serve(&installation);
    assert!(refund(&server, &token, &ids).await.is_some());
    let take_back = async |server: &Program| {
        let request = http::client().put(server.url("/api/admin/take-back-refund"));
        let body = json!({ "orderId": ids[0], "reason": "Wrong order" });
        Some(request.header("authorization", &token).json(&body).send().await.ok()?.status().as_u16())
    };
    let mut brake = Brake::pull(&installation, &db).await;
    let kill = async {
        brake.wait_until_it_holds(&db).await;
        server.kill();
    };
    let (acknowledged, ()) = tokio::join!(take_back(&server), kill);
    assert_eq!(acknowledged, None);
    drop(server);
    brake.release(&db).await;
    wait_for_transactions(&db, &ids).await;
    assert_eq!(count_traces(&db, &ids).await, [500; 4]);
    let stopped = async || {
        let stopped = mails::table.filter(mails::stopped_at.is_not_null()).count();
        let in_force = refunds::table.filter(refunds::taken_back_at.is_null()).count();
        db.read(move |conn| Ok((stopped.get_result::<i64>(conn)?, in_force.get_result::<i64>(conn)?)))
            .await
            .expect("counts")
    };
    assert_eq!(stopped().await, (0, 500));

    let server = serve(&installation);
    assert_eq!(take_back(&server).await, Some(200));
    assert_eq!((stopped().await, count_traces(&db, &ids).await), ((1, 499), [500, 500, 499, 500]));
}
