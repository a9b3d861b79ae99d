//! SQLite's shared lock on the write-ahead log (WAL), held between writes.
//!
//! Each read takes this lock. The first reader of a process asks the kernel for it and the last one returns it; that takes longer than the
//! statement of a look-up, and other readers wait meanwhile. While one connection holds the lock, no other has to ask.
//!
//! SQLite reuses the log from its start only when no reader needs the old content. So the lock is released before each write, and not held
//! while another process writes: the log would only grow.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::conn::Conn;
use super::pool::Address;
use crate::error::Result;

/// How long after the last write of this process the lock is taken.
const QUIET: Duration = Duration::from_millis(100);
/// How often the lock is taken anew for the newest state of the database, and writes of other processes are looked for.
const RENEW: Duration = Duration::from_secs(1);

/// A connection that holds the lock.
pub(super) struct WalLock {
    conn: Conn,
    is_held: bool,
    /// The version of the database when it was last looked at. None if this process has written since.
    seen: Option<i32>,
}

#[derive(QueryableByName)]
struct Version {
    /// Changes when another connection has committed.
    #[diesel(sql_type = Integer)]
    data_version: i32,
}

impl WalLock {
    /// Opens the connection, without the lock.
    pub fn open(address: &Address) -> Result<Self> {
        Ok(Self { conn: address.connect_to_read()?, is_held: false, seen: None })
    }

    /// How long the owner waits for something to write until it calls [`WalLock::renew`].
    pub fn patience(&self) -> Duration {
        if self.seen.is_some() { RENEW } else { QUIET }
    }

    /// Releases the lock. To be called before this process writes.
    pub fn release(&mut self) {
        self.end();
        self.seen = None;
    }

    /// Takes the lock for the newest state of the database, unless another process has written since the last call.
    pub fn renew(&mut self) {
        self.end();
        self.is_held = self.conn.batch_execute("BEGIN").is_ok();
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

    /// Ends the transaction that holds the lock. It has written nothing, so there is nothing to lose if this fails.
    fn end(&mut self) {
        if self.is_held {
            let _ = self.conn.batch_execute("ROLLBACK");
            self.is_held = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::db::writer::Writer;

    fn opened(folder: &Path) -> (WalLock, Conn) {
        let address = Address::Sqlite(folder.join("test.db"));
        let mut writer = address.connect_to_write().unwrap();
        writer.batch_execute("PRAGMA wal_autocheckpoint = 10; CREATE TABLE noted (text)").unwrap();
        (WalLock::open(&address).unwrap(), writer)
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
    fn the_log_is_reused_once_the_lock_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        lock.renew();
        let held = write(&mut writer, folder.path(), || {});
        lock.release();
        let again = write(&mut writer, folder.path(), || {});
        assert!(held > 800_000, "the log cannot be reused while the lock is held: {held}");
        assert!(again < held + 100_000, "{again} after {held}");
    }

    #[test]
    fn the_lock_is_not_held_while_another_connection_writes() {
        let folder = tempfile::tempdir().unwrap();
        let (mut lock, mut writer) = opened(folder.path());
        lock.renew();
        let written = write(&mut writer, folder.path(), || lock.renew());
        assert!(written < 200_000, "{written}");
        lock.renew();
        assert!(lock.is_held, "nothing was written since");
    }

    #[derive(QueryableByName)]
    struct Checkpoint {
        #[diesel(sql_type = Integer)]
        busy: i32,
    }

    #[test]
    fn the_writing_thread_holds_the_lock_in_pauses_and_releases_it_to_write() {
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
        let is_held_after = |quiet: Duration| {
            note(10);
            std::thread::sleep(quiet);
            let Conn::Sqlite(other) = &mut other else { panic!("it is SQLite") };
            // It needs the log without readers.
            let done = diesel::sql_query("PRAGMA wal_checkpoint(RESTART)").get_result::<Checkpoint>(other).unwrap();
            done.busy == 1
        };
        // The machine may be slow.
        assert!([3, 20, 60].map(|times| times * QUIET).into_iter().any(is_held_after));
    }
}
