//! What the program makes of the errors of PostgreSQL. It reads their SQLSTATE, because their texts are in the server's language.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use visadesk::db::Db;
use visadesk::db::schema::idempotency;
use visadesk::error::{Kind, Result};

use super::writes::note;
use crate::support::database::{Database, FreshDatabase, runs_on};

/// A statement that fails with this SQLSTATE. `more` are further fields of the error.
fn fails_with(sqlstate: &str, text: &str, more: &str) -> String {
    format!("DO $$ BEGIN RAISE EXCEPTION '{text}' USING ERRCODE = '{sqlstate}'{more}; END $$")
}

/// Writes a row in a transaction that fails with `statement` so many times. Returns its outcome, and how often it was tried.
async fn write(db: &Db, statement: String, failures: usize) -> (Result<()>, usize) {
    let tries = Arc::new(AtomicUsize::new(0));
    let counter = tries.clone();
    let outcome = db.write(move |tx| {
        note(tx, &statement, "")?;
        if counter.fetch_add(1, Ordering::SeqCst) < failures {
            tx.batch_execute(&statement)?;
        }
        Ok(())
    });
    (outcome.await, tries.load(Ordering::SeqCst))
}

/// How many rows were saved.
async fn saved(db: &Db) -> i64 {
    db.read(|conn| Ok(idempotency::table.count().get_result(conn)?)).await.expect("it answers")
}

#[tokio::test]
async fn an_error_is_recognised_whatever_the_language_of_its_text() {
    if !runs_on(Database::Postgres, "SQLite's texts are never translated") {
        return;
    }
    let database = FreshDatabase::make().await;
    let db = database.open().await;
    for (sqlstate, text, kind, code) in [
        ("55P03", "Sperre nicht verfügbar", Kind::Unavailable, "database_busy"),
        ("53300", "zu viele Verbindungen", Kind::Unavailable, "database_busy"),
        ("53100", "kein Platz auf dem Gerät", Kind::Unavailable, "storage_full"),
        ("57014", "die Anfrage wird storniert", Kind::Unavailable, "statement_timed_out"),
        ("23505", "doppelter Wert", Kind::Internal, "internal"),
        // The words by which the errors of SQLite are recognised.
        ("P0001", "database is locked", Kind::Internal, "internal"),
        ("P0001", "disk is full", Kind::Internal, "internal"),
        ("P0001", "interrupted", Kind::Internal, "internal"),
    ] {
        let (outcome, tries) = write(&db, fails_with(sqlstate, text, ""), usize::MAX).await;
        let refused = outcome.expect_err(sqlstate);
        assert_eq!((refused.kind(), refused.code(), tries), (kind, code, 1), "{sqlstate} {text}");
        assert!(!refused.message().contains(text), "{refused}");
        assert_eq!(saved(&db).await, 0, "{sqlstate} {text}");
    }
}

#[tokio::test]
async fn a_write_that_postgresql_sacrifices_is_tried_again() {
    if !runs_on(Database::Postgres, "SQLite has one writer") {
        return;
    }
    for (sqlstate, text) in [("40P01", "Verklemmung entdeckt"), ("40001", "konnte Zugriff nicht serialisieren")] {
        let database = FreshDatabase::make().await;
        let db = database.open().await;
        let (outcome, tries) = write(&db, fails_with(sqlstate, text, ""), usize::MAX).await;
        let refused = outcome.expect_err(sqlstate);
        assert_eq!((refused.kind(), refused.code()), (Kind::Unavailable, "database_busy"), "{sqlstate}");
        assert!((2..100).contains(&tries), "{sqlstate}: {tries} tries");
        assert_eq!(saved(&db).await, 0, "{sqlstate}");

        let (outcome, tries) = write(&db, fails_with(sqlstate, text, ""), 1).await;
        outcome.expect(sqlstate);
        assert_eq!((tries, saved(&db).await), (2, 1), "{sqlstate}");
    }
}

#[tokio::test]
async fn a_duplicate_is_recognised_by_the_name_of_its_constraint() {
    if !runs_on(Database::Postgres, "SQLite names the columns") {
        return;
    }
    let database = FreshDatabase::make().await;
    let db = database.open().await;
    let statement = fails_with("23505", "doppelter Wert", ", CONSTRAINT = 'staff_email'");
    let refused = write(&db, statement, usize::MAX).await.0.expect_err("it is a duplicate");
    assert!(refused.is_duplicate("staff_email", "staff.email_key"), "{refused}");
    assert!(!refused.is_duplicate("staff_name", "staff.name_key"), "{refused}");
    let statement = fails_with("23503", "verletzter Fremdschlüssel", ", CONSTRAINT = 'staff_email'");
    let refused = write(&db, statement, usize::MAX).await.0.expect_err("it breaks a foreign key");
    assert!(!refused.is_duplicate("staff_email", "staff.email_key"), "{refused}");
}
