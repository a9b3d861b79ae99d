//! What the server reports when a transaction fails at its end, and how it queues writes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use futures_util::StreamExt;
use futures_util::future::{Either, join_all, select};
use futures_util::stream::FuturesUnordered;
use tokio::task::JoinHandle;
use visadesk::db::Db;
use visadesk::db::schema::idempotency;

use super::writes::note;
use crate::support::database::{CONNECTIONS, Database, FreshDatabase, deadlocks, is_postgres, runs_on, server_url};
use crate::support::{PATIENCE, until};

/// Whether the proxy drops the first COMMIT or forwards it before it cuts the connection.
#[derive(Clone, Copy)]
enum Cut {
    Before,
    After,
}

/// Starts a proxy to PostgreSQL that cuts the connection at the first COMMIT. Returns its port.
fn proxy(cut: Cut) -> u16 {
    let url = server_url();
    let (_, place) = url.rsplit_once('@').expect("a password and a host");
    let server = place.split('/').next().expect("a host").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(&server).expect("PostgreSQL listens");
            let (to_client, from_server) =
                (client.try_clone().expect("a handle"), server.try_clone().expect("a handle"));
            std::thread::spawn(move || forward(from_server, to_client));
            std::thread::spawn(move || forward_until_commit(client, server, cut));
        }
    });
    port
}

fn forward(mut from: TcpStream, mut to: TcpStream) {
    // Either end may close first.
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
}

fn forward_until_commit(mut client: TcpStream, mut server: TcpStream, cut: Cut) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(length @ 1..) = client.read(&mut bytes) {
        // The terminating NUL excludes BEGIN, which contains "READ COMMITTED".
        let is_commit = bytes[..length].windows(7).any(|word| word == b"COMMIT\0");
        if is_commit {
            // The client gets no response in either case.
            let _ = client.shutdown(Shutdown::Both);
        }
        if !is_commit || matches!(cut, Cut::After) {
            server.write_all(&bytes[..length]).expect("PostgreSQL reads");
        }
        if is_commit {
            break;
        }
    }
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = diesel::sql_types::Text)]
    value: String,
}

#[tokio::test]
async fn the_session_keeps_the_durability_of_the_database() {
    let database = FreshDatabase::make().await;
    // FULL in SQLite is 2. In PostgreSQL the session must not change what the server's operator set.
    let (question, durable) = if is_postgres() {
        (
            "SELECT source AS value FROM pg_settings WHERE name = 'synchronous_commit' AND source NOT IN ('session', 'client')",
            None,
        )
    } else {
        ("SELECT CAST(synchronous AS TEXT) AS value FROM pragma_synchronous", Some("2"))
    };
    let db = database.open().await;
    let setting = db.write(move |tx| Ok(diesel::sql_query(question).get_result::<Setting>(tx)?)).await;
    let setting = setting.expect("the session keeps the setting of the database").value;
    assert!(durable.is_none_or(|durable| setting == durable), "{setting}");
}

async fn count(db: &Db) -> i64 {
    db.read(|conn| Ok(idempotency::table.count().get_result(conn)?)).await.expect("it answers")
}

#[tokio::test]
async fn a_connection_lost_at_commit_is_reported_as_an_unknown_outcome() {
    if !runs_on(Database::Postgres, "SQLite has no connection to lose") {
        return;
    }
    for (cut, is_saved) in [(Cut::Before, false), (Cut::After, true)] {
        let database = FreshDatabase::make().await;
        let (credentials, place) =
            database.url().rsplit_once('@').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a host");
        let (_, name) = place.split_once('/').expect("a name");
        let url = format!("{credentials}@127.0.0.1:{}/{name}?sslmode=disable", proxy(cut));
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 1)).await.expect("it ends").expect("it opens");
        let refused = db.write(|tx| note(tx, "cut", "")).await.expect_err("the response is lost");
        assert_eq!(refused.code(), "outcome_unknown", "{refused}");
        let response = refused.into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(!response.headers().contains_key(header::RETRY_AFTER), "a client must not retry automatically");

        let direct = database.open().await;
        if is_saved {
            until("PostgreSQL commits", async || (count(&direct).await > 0).then_some(())).await;
        }
        assert_eq!(count(&direct).await, i64::from(is_saved));
    }
}

#[tokio::test]
async fn a_transaction_with_an_ignored_error_is_not_reported_as_saved() {
    let database = FreshDatabase::make().await;
    let db = database.open().await;
    let outcome = db.write(|tx| {
        note(tx, "one", "")?;
        // The code ignores the error, but PostgreSQL has aborted the transaction.
        let _ = tx.batch_execute("SELECT no_such_column");
        Ok(())
    });
    let (outcome, saved) = (outcome.await, count(&db).await);
    assert_eq!(outcome.is_ok(), saved == 1, "{outcome:?} with {saved} rows");
    assert_eq!(saved == 1, !is_postgres());
}

#[tokio::test]
async fn two_writes_that_deadlock_both_succeed() {
    if !runs_on(Database::Postgres, "SQLite has one writer") {
        return;
    }
    let database = FreshDatabase::make().await;
    let db = database.open().await;
    db.write(|tx| note(tx, "a", "").and_then(|()| note(tx, "b", ""))).await.expect("they are added");
    let barrier = Arc::new(Barrier::new(2));
    let both = [["a", "b"], ["b", "a"]].map(|order| {
        let (barrier, attempts) = (barrier.clone(), AtomicUsize::new(0));
        db.write(move |tx| {
            let is_first_attempt = attempts.fetch_add(1, Ordering::SeqCst) == 0;
            for (index, key) in order.into_iter().enumerate() {
                let row = idempotency::table.filter(idempotency::key.eq(key));
                diesel::update(row).set(idempotency::answer.eq("again")).execute(tx)?;
                if index == 0 && is_first_attempt {
                    barrier.wait();
                }
            }
            Ok(())
        })
    });
    for outcome in join_all(both).await {
        outcome.expect("the write that PostgreSQL aborted is retried");
    }
    assert!(deadlocks(&database.url()).await > 0, "they did deadlock");
}

#[test]
fn callers_waiting_for_a_connection_do_not_occupy_blocking_threads() {
    const THREADS: usize = 2 * CONNECTIONS as usize;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(THREADS).build();
    runtime.expect("it starts").block_on(async {
        let database = FreshDatabase::make().await;
        let db = database.open().await;
        let (release, blocked) = mpsc::channel::<()>();
        let blocked = Arc::new(Mutex::new(blocked));
        let readers = (0..5 * THREADS).map(|_| {
            let (db, blocked) = (db.clone(), blocked.clone());
            tokio::spawn(
                async move { db.read(move |_| Ok(blocked.lock().expect("no reader panics").recv().ok())).await },
            )
        });
        let mut readers: FuturesUnordered<_> = readers.collect();
        tokio::task::yield_now().await;
        let other = tokio::task::spawn_blocking(|| "a password is hashed");
        // The readers that wait give up after five seconds.
        let is_first = matches!(select(other, readers.next()).await, Either::Left((Ok("a password is hashed"), _)));
        drop(release);
        assert!(is_first, "a blocking thread must stay free while readers wait");
        while let Some(reader) = readers.next().await {
            reader.expect("it ends").expect("it is answered");
        }
    });
}

#[tokio::test]
async fn a_full_write_queue_refuses_the_next_write_immediately() {
    if !runs_on(Database::Sqlite, "PostgreSQL has no write queue") {
        return;
    }
    let database = FreshDatabase::make().await;
    let db = database.open().await;
    let (release, blocked) = mpsc::channel::<()>();
    let blocked = Arc::new(Mutex::new(blocked));
    let running = Arc::new(AtomicBool::new(false));
    let write = |key: usize| {
        let (db, blocked, running) = (db.clone(), blocked.clone(), running.clone());
        tokio::spawn(async move {
            db.write(move |tx| {
                running.store(true, Ordering::Relaxed);
                let _ = blocked.lock().expect("no writer panics").recv();
                note(tx, &key.to_string(), "")
            })
            .await
        })
    };
    // The writer takes the first write from the queue and blocks, so the queue stays full.
    let first = write(0);
    until("the writer takes the first write", async || running.load(Ordering::Relaxed).then_some(())).await;
    let writes: Vec<_> = std::iter::once(first).chain((1..2_000).map(write)).collect();
    until("a write is refused", async || writes.iter().any(JoinHandle::is_finished).then_some(())).await;
    let outcomes = tokio::spawn(join_all(writes));
    // The queue moves on only after `release`, so a write that waits in it does not end.
    let refused = tokio::time::timeout(PATIENCE, db.write(|tx| note(tx, "late", ""))).await;
    drop(release);
    let refused = refused.expect("the refusal is immediate").expect_err("the queue is full").into_response();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    let outcomes = outcomes.await.expect("they end");
    let saved = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Ok(())))).count();
    assert!((1_024..2_000).contains(&saved), "{saved} were in the queue");
    assert_eq!(count(&db).await, i64::try_from(saved).expect("few"), "refused writes changed nothing");
}
