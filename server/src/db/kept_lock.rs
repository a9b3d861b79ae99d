//! SQLite's lock on its log, kept while nobody writes.
//!
//! Each read takes a shared lock on the log (WAL). The first reader of a process asks the kernel for it and the last one gives it back,
//! which takes longer than the statement of a look-up, and others wait meanwhile. While one connection has the lock, no other has to ask.
//! SQLite begins its log anew only when nobody reads the old one, so the lock is let go before each write, and not kept while another
//! process writes: its log would grow.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::conn::Conn;
use super::pool::Address;
use crate::error::Result;

/// How long nothing must have been written by this process until the lock is kept.
const QUIET: Duration = Duration::from_millis(100);
/// How often the kept lock moves on to the newest state, and another process is looked for.
const RENEW: Duration = Duration::from_secs(1);

/// A connection that keeps the lock.
pub(super) struct KeptLock {
    conn: Conn,
    is_kept: bool,
    /// The version of the database when it was last looked at. None if this process has written since.
    seen: Option<i32>,
}

#[derive(QueryableByName)]
struct Version {
    /// Changes when another connection has committed.
    #[diesel(sql_type = Integer)]
    data_version: i32,
}

impl KeptLock {
    /// Opens the connection, without the lock.
    pub fn open(address: &Address) -> Result<Self> {
        Ok(Self { conn: address.connect_to_read()?, is_kept: false, seen: None })
    }

    /// How long the owner waits for something to write until it calls [`KeptLock::renew`].
    pub fn patience(&self) -> Duration {
        if self.seen.is_some() { RENEW } else { QUIET }
    }

    /// Lets the lock go, because this process is about to write.
    pub fn release(&mut self) {
        self.end();
        self.seen = None;
    }

    /// Takes the lock for the newest state, unless another process has written since the last time.
    pub fn renew(&mut self) {
        self.end();
        self.is_kept = self.conn.batch_execute("BEGIN").is_ok();
        // The first statement takes the lock.
        let version = match &mut self.conn {
            Conn::Sqlite(conn) => diesel::sql_query("PRAGMA data_version").get_result::<Version>(conn).ok(),
            Conn::Postgres(_) => None,
        };
        let version = version.map(|version| version.data_version);
        let is_quiet = version.is_some() && self.seen.is_none_or(|seen| version == Some(seen));
        self.seen = version;
        if !is_quiet {
            self.end();
        }
    }

    /// Ends the transaction that has the lock. It has written nothing, so it cannot fail.
    fn end(&mut self) {
        if self.is_kept {
            let _ = self.conn.batch_execute("ROLLBACK");
            self.is_kept = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::db::writer::Writer;

    fn opened(folder: &Path) -> (KeptLock, Conn) {
        let address = Address::Sqlite(folder.join("test.db"));
        let mut writer = address.connect_to_write().unwrap();
        writer.batch_execute("PRAGMA wal_autocheckpoint = 10; CREATE TABLE noted (text)").unwrap();
        (KeptLock::open(&address).unwrap(), writer)
    }

    /// Writes as much as twenty logs hold. Returns the bytes of the log.
    fn write(writer: &mut Conn, folder: &Path, mut between: impl FnMut()) -> u64 {
        for _ in 0..200 {
            writer.batch_execute("INSERT INTO noted VALUES (hex(randomblob(2000)))").unwrap();
            between();
        }
        folder.join("test.db-wal").metadata().unwrap().len()
    }

    #[test]
    fn the_log_begins_anew_once_the_lock_is_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        lock.renew();
        let kept = write(&mut writer, folder.path(), || {});
        lock.release();
        let again = write(&mut writer, folder.path(), || {});
        assert!(kept > 800_000, "the lock keeps the log: {kept}");
        assert!(again < kept + 100_000, "{again} after {kept}");
    }

    #[test]
    fn the_lock_is_not_kept_while_another_connection_writes() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        lock.renew();
        let written = write(&mut writer, folder.path(), || lock.renew());
        assert!(written < 200_000, "{written}");
        lock.renew();
        assert!(lock.is_kept, "nothing was written since");
    }

    #[derive(QueryableByName)]
    struct Checkpoint {
        #[diesel(sql_type = Integer)]
        busy: i32,
    }

    #[test]
    fn the_writing_thread_keeps_the_lock_in_pauses_and_lets_it_go_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let (_, mut other) = opened(folder.path());
        let writer = Writer::start(Address::Sqlite(folder.path().join("test.db"))).unwrap();
        let note = |bytes: u32| {
            let noted = format!("INSERT INTO noted VALUES (randomblob({bytes}))");
            writer.wait_for(move |tx| Ok(tx.batch_execute(&noted)?)).unwrap();
        };
        // Each is a log of its own.
        for _ in 0..4 {
            note(5_000_000);
            std::thread::sleep(3 * QUIET);
        }
        let log = folder.path().join("test.db-wal").metadata().unwrap().len();
        assert!(log < 10_000_000, "{log}");
        other.batch_execute("PRAGMA busy_timeout = 0").unwrap();
        let is_kept_within = |quiet: Duration| {
            note(10);
            std::thread::sleep(quiet);
            let Conn::Sqlite(other) = &mut other else { panic!("it is SQLite") };
            // Waits for those who have the lock.
            let done = diesel::sql_query("PRAGMA wal_checkpoint(RESTART)").get_result::<Checkpoint>(other).unwrap();
            done.busy == 1
        };
        // The machine may be slow.
        assert!([3, 20, 60].map(|times| times * QUIET).into_iter().any(is_kept_within));
    }
}
