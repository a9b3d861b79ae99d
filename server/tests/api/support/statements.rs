//! The SQL statements that the program sends to its database.

use std::sync::{Arc, Barrier, Mutex};

use diesel::connection::{Connection, InstrumentationEvent};
use visadesk::db::Conn;

use super::database::{CONNECTIONS, is_postgres};
use super::{TestApp, until};

/// SQLite's writing thread asks this between its jobs, to see whether another process has written. No request causes it.
const BETWEEN_JOBS: &str = "PRAGMA data_version";

/// The statements of all connections since the last `take`.
#[derive(Clone, Default)]
pub struct Statements(Arc<Mutex<Vec<String>>>);

impl Statements {
    /// Records the statements of the program's connections from now on.
    pub async fn watch(test: &TestApp) -> Self {
        let statements = Self::default();
        // Each job waits until all connections are in use, so that each gets a different one.
        let barrier = Arc::new(Barrier::new(CONNECTIONS as usize));
        let readers = (0..CONNECTIONS).map(|_| {
            let (barrier, statements) = (barrier.clone(), statements.clone());
            test.read(move |conn| {
                statements.listen(conn);
                barrier.wait();
                Ok(())
            })
        });
        futures_util::future::join_all(readers).await;
        let writers = if is_postgres() { CONNECTIONS } else { 1 };
        let barrier = Arc::new(Barrier::new(writers as usize));
        let writers = (0..writers).map(|_| {
            let (barrier, statements) = (barrier.clone(), statements.clone());
            test.write(move |tx| {
                statements.listen(tx);
                barrier.wait();
                Ok(())
            })
        });
        futures_util::future::join_all(writers).await;
        until("the connections of look-ups are open", async || {
            test.db().change_shared_connections(|conn| statements.listen(conn)).then_some(())
        })
        .await;
        statements
    }

    fn listen(&self, conn: &mut Conn) {
        let statements = self.0.clone();
        conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            let InstrumentationEvent::StartQuery { query, .. } = event else { return };
            let query = query.to_string();
            if !query.starts_with(BETWEEN_JOBS) {
                statements.lock().expect("the mutex is not poisoned").push(query);
            }
        });
    }

    /// Removes and returns the statements since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("the mutex is not poisoned"))
    }
}
