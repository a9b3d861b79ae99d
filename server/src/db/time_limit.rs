//! The time limit of statements that read from SQLite. PostgreSQL has `statement_timeout`; SQLite asks a progress handler every few
//! thousand steps whether to go on, and Diesel has no method for it. So each connection gets ours from the hook that SQLite calls when it
//! opens one, and the handler looks at the deadline of its own thread.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Once;
use std::time::{Duration, Instant};

use diesel::SqliteConnection;
use diesel::connection::{Connection, InstrumentationEvent};
use libsqlite3_sys::{SQLITE_OK, sqlite3, sqlite3_api_routines, sqlite3_auto_extension, sqlite3_progress_handler};

/// The limit of one statement, as of PostgreSQL's in `dialect.rs`.
pub const STATEMENT_LIMIT: Duration = Duration::from_secs(10);

/// Steps of SQLite's virtual machine between two questions: some tenths of a millisecond.
const STEPS: c_int = 10_000;

thread_local! {
    /// When the statement that this thread runs is ended.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Gives every connection that is opened from here on the handler. Without a deadline it ends nothing.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        #[expect(
            unsafe_code,
            reason = "libsqlite3-sys declares SQLite's functions, and Diesel has no safe one for this"
        )]
        // SAFETY: the hook has the signature that SQLite calls it with, and lives as long as the program.
        let outcome = unsafe { sqlite3_auto_extension(Some(add_handler)) };
        if outcome != SQLITE_OK {
            tracing::error!(outcome, "statements on SQLite have no time limit");
        }
    });
}

/// Ends each statement of this connection that runs longer than `limit`, as "interrupted".
pub fn limit(conn: &mut SqliteConnection, limit: Duration) {
    conn.set_instrumentation(move |event: InstrumentationEvent<'_>| match event {
        InstrumentationEvent::StartQuery { .. } => DEADLINE.set(Some(Instant::now() + limit)),
        InstrumentationEvent::FinishQuery { .. } => DEADLINE.set(None),
        _ => {}
    });
}

/// Lets the statements of this connection take as long as they need.
pub fn lift(conn: &mut SqliteConnection) {
    conn.set_instrumentation(|_: InstrumentationEvent<'_>| {});
    DEADLINE.set(None);
}

/// SQLite calls this for each connection that it opens.
#[expect(unsafe_code, reason = "called by SQLite")]
unsafe extern "C" fn add_handler(conn: *mut sqlite3, _: *mut *mut c_char, _: *const sqlite3_api_routines) -> c_int {
    // SAFETY: SQLite passes the open connection. The handler has no context, so nothing can outlive anything.
    unsafe { sqlite3_progress_handler(conn, STEPS, Some(is_over), null_mut()) };
    SQLITE_OK
}

/// SQLite calls this on the thread that runs a statement, and ends the statement unless it returns 0. It cannot panic: the deadline is
/// a plain value that needs no destructor, so it exists as long as its thread.
extern "C" fn is_over(_: *mut c_void) -> c_int {
    DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use diesel::connection::SimpleConnection;

    /// Takes about a minute.
    const ENDLESS: &str = "CREATE TEMP TABLE counted AS WITH RECURSIVE number (n) AS
        (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 50000000) SELECT count(*) FROM number";

    fn open() -> SqliteConnection {
        install();
        SqliteConnection::establish(":memory:").unwrap()
    }

    #[test]
    fn a_statement_that_takes_too_long_is_ended_and_the_next_one_has_its_own_time() {
        let mut conn = open();
        limit(&mut conn, Duration::from_millis(100));
        for _ in 0..2 {
            let since = Instant::now();
            let ended = conn.batch_execute(ENDLESS).unwrap_err().to_string();
            assert_eq!(ended, "interrupted");
            assert!(since.elapsed() >= Duration::from_millis(100));
            conn.batch_execute("SELECT 1").unwrap();
        }
    }

    #[test]
    fn other_connections_and_lifted_ones_have_no_limit() {
        let mut limited = open();
        limit(&mut limited, Duration::ZERO);
        assert_eq!(limited.batch_execute(ENDLESS).unwrap_err().to_string(), "interrupted");
        // Enough steps for the handler to be asked many times.
        let long = ENDLESS.replace("50000000", "200000");
        open().batch_execute(&long).unwrap();
        lift(&mut limited);
        limited.batch_execute(&long).unwrap();
    }
}
