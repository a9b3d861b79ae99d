//! SQLite's shared lock on the write-ahead log (WAL), and the checkpoints that copy the log into the database.
//!
//! Each read takes this lock. The first reader of a process asks the kernel for it and the last one returns it; that takes longer than the
//! statement of a look-up, and other readers wait meanwhile. While one connection holds the lock, no other has to ask.
//!
//! A checkpoint copies what no reader needs in an older state, and SQLite then reuses the log from its start. So the lock is renewed after
//! each commit, is released for each checkpoint, and is not held while another process writes: the log would only grow.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel::sqlite::Sqlite;

use super::conn::Conn;
use super::pool::DatabaseAddress;
use crate::error::Result;

/// The time after a commit at which the lock is renewed once more. Readers that start right after the commit may take different locks for
/// the same state, and later readers all take the last of these.
const SETTLED: Duration = Duration::from_millis(2);
/// The interval at which the lock is renewed without a commit of this process, and at which it checks for writes of other processes.
const RENEW: Duration = Duration::from_secs(1);
/// A log of so many pages is copied into the database. SQLite's own default.
const CHECKPOINT_PAGES: i32 = 1000;

/// A connection that holds the lock.
pub(super) struct WalLock {
    conn: Conn,
    is_held: bool,
    /// Until the next renewal.
    patience: Duration,
    /// The version that the writing connection saw last.
    seen: Option<i32>,
    /// When another process was last seen to have written.
    others_wrote: Option<Instant>,
}

#[derive(QueryableByName)]
struct Version {
    /// Changes for a connection when another one has committed.
    #[diesel(sql_type = Integer)]
    data_version: i32,
}

#[derive(QueryableByName)]
struct Log {
    /// Its pages.
    #[diesel(sql_type = Integer)]
    log: i32,
}

impl WalLock {
    /// Opens the connection, without the lock.
    pub fn open(address: &DatabaseAddress) -> Result<Self> {
        Ok(Self { conn: address.connect_to_read()?, is_held: false, patience: RENEW, seen: None, others_wrote: None })
    }

    /// The time that the owner waits for something to write until it calls [`WalLock::renew`].
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// [`WalLock::renew`], right after a commit.
    pub fn follow_commit(&mut self, writer: &mut Conn) {
        self.renew(writer);
        self.patience = SETTLED;
    }

    /// Takes the lock for the newest state of the database, after a checkpoint if the log is long. Does not take it if another process has
    /// written within [`RENEW`]. `writer` is the only connection of this process that writes.
    pub fn renew(&mut self, writer: &mut Conn) {
        self.patience = RENEW;
        self.release();
        self.checkpoint_if_long();
        let version = ask(writer, "PRAGMA data_version").map(|version: Version| version.data_version);
        if version != self.seen && self.seen.is_some() {
            self.others_wrote = Some(Instant::now());
        }
        self.seen = version;
        if self.others_wrote.is_none_or(|wrote| wrote.elapsed() >= RENEW) {
            self.take();
        }
    }

    /// Begins the transaction that holds the lock.
    fn take(&mut self) {
        self.is_held = self.conn.batch_execute("BEGIN").is_ok();
        // Its first statement takes the lock.
        if self.is_held && ask::<Version>(&mut self.conn, "PRAGMA data_version").is_none() {
            self.release();
        }
    }

    /// Ends the transaction that holds the lock. It has written nothing, so there is nothing to lose if this fails.
    fn release(&mut self) {
        if self.is_held {
            let _ = self.conn.batch_execute("ROLLBACK");
            self.is_held = false;
        }
    }

    /// If readers need a part of the log, the next call copies the rest.
    fn checkpoint_if_long(&mut self) {
        let log: Option<Log> = ask(&mut self.conn, "PRAGMA wal_checkpoint(NOOP)");
        if log.is_some_and(|log| log.log >= CHECKPOINT_PAGES) {
            ask::<Log>(&mut self.conn, "PRAGMA wal_checkpoint(PASSIVE)");
        }
    }
}

/// None, and a line in the log of the program, if SQLite cannot answer.
fn ask<T>(conn: &mut Conn, pragma: &str) -> Option<T>
where
    T: QueryableByName<Sqlite> + 'static,
{
    let Conn::Sqlite(conn) = conn else { return None };
    let answer = diesel::sql_query(pragma).get_result(conn);
    answer.inspect_err(|error| tracing::error!(%error, pragma, "SQLite cannot read or copy its log")).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::db::writer::Writer;

    /// Bytes of a page.
    const PAGE: u64 = 4096;
    /// Pages of a note, which has its own ones.
    const NOTE: u64 = 10;

    fn address(folder: &Path) -> DatabaseAddress {
        DatabaseAddress::Sqlite(folder.join("test.db"))
    }

    fn opened(folder: &Path) -> (WalLock, Conn) {
        let address = address(folder);
        let mut writer = address.connect_to_write().unwrap();
        writer.batch_execute("CREATE TABLE noted (text)").unwrap();
        (WalLock::open(&address).unwrap(), writer)
    }

    fn note() -> String {
        format!("INSERT INTO noted VALUES (randomblob({}))", NOTE * PAGE)
    }

    /// Writes so many notes. Returns the pages of the log.
    fn write(folder: &Path, notes: u64, mut write_note: impl FnMut(&str)) -> u64 {
        for _ in 0..notes {
            write_note(&note());
        }
        folder.join("test.db-wal").metadata().unwrap().len() / PAGE
    }

    /// Writes as much as five logs hold.
    fn write_logs(folder: &Path, write_note: impl FnMut(&str)) -> u64 {
        let pages = CHECKPOINT_PAGES.unsigned_abs();
        write(folder, 5 * u64::from(pages) / NOTE, write_note)
    }

    /// Returns true if a log was reused instead of growing.
    fn is_reused(log: u64) -> bool {
        log < 2 * u64::from(CHECKPOINT_PAGES.unsigned_abs())
    }

    fn commit(writer: &mut Conn, note: &str) {
        writer.batch_execute(note).unwrap();
    }

    #[test]
    fn the_log_is_reused_although_the_lock_is_held_after_each_commit() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        writer.batch_execute("PRAGMA wal_autocheckpoint = 0").unwrap();
        let log = write_logs(folder.path(), |note| {
            commit(&mut writer, note);
            lock.follow_commit(&mut writer);
            assert!(lock.is_held);
        });
        assert!(is_reused(log), "{log}");
        assert_eq!(lock.patience(), SETTLED, "other readers may have taken another lock for the same state");
        lock.renew(&mut writer);
        assert_eq!(lock.patience(), RENEW);
    }

    #[test]
    fn the_lock_is_not_held_while_another_process_writes() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        let mut other = address(folder.path()).connect_to_write().unwrap();
        lock.renew(&mut writer);
        assert!(lock.is_held);
        let log = write_logs(folder.path(), |note| {
            commit(&mut other, note);
            lock.renew(&mut writer);
            assert!(!lock.is_held);
        });
        assert!(is_reused(log), "{log}");
        let log = write_logs(folder.path(), |note| {
            commit(&mut other, note);
            commit(&mut writer, note);
            lock.follow_commit(&mut writer);
            assert!(!lock.is_held, "although this process writes as well");
        });
        assert!(is_reused(log), "{log}");
        std::thread::sleep(RENEW);
        commit(&mut writer, &note());
        lock.follow_commit(&mut writer);
        assert!(lock.is_held, "no other has written since");
    }

    #[test]
    fn a_log_that_a_long_transaction_has_lengthened_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        let mut write_bytes = |bytes: u64| {
            commit(&mut writer, &format!("INSERT INTO noted VALUES (zeroblob({bytes}))"));
            lock.follow_commit(&mut writer);
            folder.path().join("test.db-wal").metadata().unwrap().len()
        };
        assert!(write_bytes(70 << 20) > 70 << 20);
        assert_eq!(write_bytes(1), 64 << 20);
    }

    #[derive(QueryableByName)]
    struct Checkpoint {
        #[diesel(sql_type = Integer)]
        busy: i32,
    }

    #[test]
    fn the_writing_thread_holds_the_lock_and_copies_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let (_, mut other) = opened(folder.path());
        let writer = Writer::start(address(folder.path())).unwrap();
        let mut write_note = |note: &str| {
            let note = note.to_owned();
            writer.wait_for(move |tx| Ok(tx.batch_execute(&note)?)).unwrap();
        };
        let log = write_logs(folder.path(), &mut write_note);
        assert!(is_reused(log), "{log}");
        other.batch_execute("PRAGMA busy_timeout = 0").unwrap();
        let mut is_held = || {
            write_note(&note());
            let Conn::Sqlite(other) = &mut other else { panic!("it is SQLite") };
            // It needs the log without readers.
            let done = diesel::sql_query("PRAGMA wal_checkpoint(RESTART)").get_result::<Checkpoint>(other).unwrap();
            done.busy == 1
        };
        // The thread takes the lock after it has answered.
        assert!((0..100).any(|_| is_held()));
    }
}
