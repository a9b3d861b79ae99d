//! The connections: one for reading on each worker thread, and one that writes.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::OnceLock;

use rusqlite::{Connection, OpenFlags, Result};

static PATH: OnceLock<PathBuf> = OnceLock::new();

thread_local! {
    static READER: OnceCell<Connection> = const { OnceCell::new() };
}

/// Says which file all connections open.
pub fn set_path(path: PathBuf) {
    // Set once, when the server starts.
    let _ = PATH.set(path);
}

/// Reads on this thread's own connection, without a change of thread.
pub fn read<T>(work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    READER.with(|reader| {
        if reader.get().is_none() {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = open(flags, "PRAGMA mmap_size = 4294967296;")?;
            // The cell is empty, and belongs to this thread alone.
            let _ = reader.set(connection);
        }
        work(reader.get().ok_or(rusqlite::Error::InvalidQuery)?)
    })
}

/// The connection that writes. A commit returns when the disk has it.
pub fn open_writer() -> Result<Connection> {
    open(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX, "PRAGMA synchronous = FULL;")
}

fn open(flags: OpenFlags, settings: &str) -> Result<Connection> {
    let connection = Connection::open_with_flags(PATH.get().ok_or(rusqlite::Error::InvalidQuery)?, flags)?;
    connection.execute_batch("PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;")?;
    connection.execute_batch(settings)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
