//! Writes are isolated: a failed write, a database that cannot grow, a lock or a panic does not affect other or later writes.

use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::connection::{InstrumentationEvent, SimpleConnection};
use diesel::prelude::*;
use diesel::{Connection, SqliteConnection};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use tokio::task::JoinHandle;
use visadesk::db::schema::idempotency;
use visadesk::db::{Conn, PgConnection};
use visadesk::error::{Kind, Result};
use visadesk::http::errors::{HttpError, status_of};
use visadesk::ids::OrderId;
use visadesk::orders::moves;
use visadesk::orders::status::ProcessStatus;
use visadesk::timestamp::Timestamp;

use crate::support::database::{CONNECTIONS, Database, runs_on};
use crate::support::{PATIENCE, TestApp, until};

/// Blocks work until the gate is opened.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<(bool, bool)>, Condvar)>);

impl Gate {
    fn open(&self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).0 = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = true;
        self.0.1.notify_all();
        // A test that fails does not open its gates.
        let waited = self.0.1.wait_timeout_while(state, PATIENCE, |(is_open, _)| !*is_open);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(state);
        assert!(!waited.timed_out(), "the gate was not opened");
    }

    /// Waits until some work has reached the gate.
    async fn reached(&self) {
        let is_reached = || self.0.0.lock().unwrap_or_else(PoisonError::into_inner).1;
        until("some work reaches the gate", async || is_reached().then_some(())).await;
    }
}

/// Inserts a row that the test can count.
pub fn note(tx: &mut Conn, key: &str, answer: &str) -> Result<()> {
    diesel::insert_into(idempotency::table)
        .values((
            idempotency::caller.eq("test"),
            idempotency::route.eq("test"),
            idempotency::key.eq(key),
            idempotency::request_hash.eq(""),
            idempotency::status_code.eq(200),
            idempotency::answer.eq(answer),
            idempotency::created_at.eq(Timestamp::EPOCH),
        ))
        .execute(tx)?;
    Ok(())
}

/// The keys of the rows of [`note`].
pub async fn notes(test: &TestApp) -> Vec<String> {
    test.read(|conn| Ok(idempotency::table.order(idempotency::key).select(idempotency::key).load(conn)?)).await
}

/// Spawns a write and lets it enter the queue.
async fn begin(test: &TestApp, work: impl Fn(&mut Conn) -> Result<()> + Send + 'static) -> JoinHandle<Result<()>> {
    let db = test.db().clone();
    let spawned = tokio::spawn(async move { db.write(work).await });
    tokio::task::yield_now().await;
    spawned
}

async fn outcome(work: JoinHandle<Result<()>>) -> Result<(), u16> {
    work.await.expect("the task ends").map_err(|error| status_of(error.kind()).as_u16())
}

#[tokio::test]
async fn a_failed_or_panicking_write_rolls_back_only_itself() {
    let test = TestApp::start().await;
    let gate = Gate::default();
    let waits = gate.clone();
    let first = begin(&test, move |tx| {
        waits.pass();
        note(tx, "first", "")
    })
    .await;
    gate.reached().await;
    let good = begin(&test, |tx| note(tx, "good", "")).await;
    let panics = begin(&test, |tx| {
        note(tx, "panics", "")?;
        panic!("a fault in a closure")
    })
    .await;
    let refuses = begin(&test, |tx| {
        note(tx, "refuses", "")?;
        Err(HttpError::RequestInProgress.into())
    })
    .await;
    let breaks = begin(&test, |tx| {
        note(tx, "breaks", "")?;
        note(tx, "breaks", "")
    })
    .await;
    let last = begin(&test, |tx| note(tx, "last", "")).await;
    gate.open();
    assert_eq!(outcome(first).await, Ok(()));
    assert_eq!(outcome(good).await, Ok(()));
    assert_eq!(outcome(panics).await, Err(500));
    assert_eq!(outcome(refuses).await, Err(409));
    assert_eq!(outcome(breaks).await, Err(500));
    assert_eq!(outcome(last).await, Ok(()));
    assert_eq!(notes(&test).await, ["first", "good", "last"]);
}

#[tokio::test]
async fn a_write_returns_only_after_its_commit() {
    if !runs_on(Database::Sqlite, "PostgreSQL does not group writes into one commit") {
        return;
    }
    let test = TestApp::start().await;
    let (start, end) = (Gate::default(), Gate::default());
    let waits = start.clone();
    let first = begin(&test, move |tx| {
        waits.pass();
        note(tx, "1", "")
    })
    .await;
    start.reached().await;
    let second = begin(&test, |tx| note(tx, "2", "")).await;
    let waits = end.clone();
    let third = begin(&test, move |tx| {
        waits.pass();
        note(tx, "3", "")
    })
    .await;
    start.open();
    end.reached().await;
    assert!(!first.is_finished() && !second.is_finished(), "their work is done but not committed");
    assert_eq!(notes(&test).await, [""; 0], "uncommitted rows are not visible");
    end.open();
    for work in [first, second, third] {
        assert_eq!(outcome(work).await, Ok(()));
    }
    assert_eq!(notes(&test).await, ["1", "2", "3"]);
}

#[tokio::test]
async fn a_database_file_that_cannot_grow_refuses_writes_that_do_not_fit_and_recovers_by_itself() {
    if !runs_on(Database::Sqlite, "The disk belongs to the PostgreSQL server") {
        return;
    }
    let test = TestApp::start().await;
    // The database file cannot grow from here on.
    test.write(|tx| Ok(tx.batch_execute("PRAGMA max_page_count = 1")?)).await;
    let gate = Gate::default();
    let waits = gate.clone();
    let first = begin(&test, move |tx| {
        waits.pass();
        note(tx, "first", "")
    })
    .await;
    gate.reached().await;
    let db = test.db().clone();
    let large = tokio::spawn(async move { db.write(|tx| note(tx, "large", &"x".repeat(2_000_000))).await });
    tokio::task::yield_now().await;
    let last = begin(&test, |tx| note(tx, "last", "")).await;
    gate.open();

    let refused = large.await.expect("the task ends").expect_err("it does not fit");
    assert_eq!((refused.kind(), &*refused.message()), (Kind::Unavailable, "Storage is full, nothing was saved"));
    let mut expected = Vec::new();
    for (key, work) in [("first", first), ("last", last)] {
        match outcome(work).await {
            Ok(()) => expected.push(key),
            Err(status) => assert_eq!(status, 503, "{key}"),
        }
    }
    assert_eq!(notes(&test).await, expected, "exactly the acknowledged writes are stored");

    // The database file can grow again.
    test.write(|tx| Ok(tx.batch_execute("PRAGMA max_page_count = 4294967294")?)).await;
    test.write(|tx| note(tx, "large", &"x".repeat(2_000_000))).await;
    assert!(notes(&test).await.contains(&"large".to_owned()));
}

#[tokio::test]
async fn while_another_connection_locks_the_database_writes_fail_within_the_timeout() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let url = test.app.config.database_url.clone();
    let held = Gate::default();
    let holder = held.clone();
    let thread = std::thread::spawn(move || match url.strip_prefix("sqlite://") {
        Some(file) => {
            let mut conn = SqliteConnection::establish(file).expect("it opens");
            conn.batch_execute("BEGIN IMMEDIATE").expect("it locks");
            holder.pass();
        }
        None => {
            let mut conn = PgConnection::establish(&url).expect("it opens");
            conn.batch_execute("BEGIN; LOCK TABLE idempotency IN ACCESS EXCLUSIVE MODE").expect("it locks");
            holder.pass();
        }
    });
    held.reached().await;
    let since = Instant::now();
    let mut waiting = FuturesUnordered::new();
    // As many as there are connections, so that each has begun to wait for the lock.
    for index in 0..CONNECTIONS {
        waiting.push(outcome(begin(&test, move |tx| note(tx, &index.to_string(), "")).await));
    }
    let first = tokio::time::timeout(PATIENCE, waiting.next()).await.expect("no write waits for ever");
    assert_eq!(first, Some(Err(503)));
    assert!(since.elapsed() > Duration::from_secs(1), "a short lock fails no write: {:?}", since.elapsed());
    // They wait at the same time: one after the other, the third would fail after this write, which waits from now on.
    let later = outcome(begin(&other_node, |tx| note(tx, "later", "")).await);
    let others = waiting.collect::<Vec<_>>();
    match tokio::time::timeout(PATIENCE, select(pin!(others), pin!(later))).await.expect("no write waits for ever") {
        Either::Left((others, later)) => {
            assert_eq!(others, [Err(503); CONNECTIONS as usize - 1]);
            assert_eq!(later.await, Err(503));
        }
        Either::Right(..) => panic!("a write that began later has failed before the others"),
    }
    held.open();
    thread.join().expect("the holder ends");
    test.write(|tx| note(tx, "after", "")).await;
    assert_eq!(notes(&test).await, ["after"]);
}

#[tokio::test]
async fn an_update_of_orders_is_prepared_once() {
    let test = TestApp::start().await;
    let order = OrderId(test.add_order(ProcessStatus::New).await);
    let (prepared, now) = (Arc::new(Mutex::new(Vec::<String>::new())), test.clock.now());
    let heard = prepared.clone();
    test.write(move |tx| {
        let heard = heard.clone();
        tx.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::CacheQuery { sql, .. } = event {
                heard.lock().expect("the mutex is not poisoned").push(sql.to_owned());
            }
        });
        for _ in 0..3 {
            moves::set_owner(tx, &[order], None, now)?;
            moves::set_status(tx, &[order], ProcessStatus::Awaiting, now)?;
        }
        Ok(())
    })
    .await;
    let prepared = prepared.lock().expect("the mutex is not poisoned");
    let updates: Vec<_> = prepared.iter().filter(|sql| sql.starts_with("UPDATE")).collect();
    assert_eq!(updates.len(), 2, "{prepared:?}");
}
