//! The statements that the program sends to its database.

use std::sync::{Arc, Barrier, Mutex};

use diesel::connection::{Connection, InstrumentationEvent};
use visadesk::db::Conn;

use super::TestApp;
use super::database::{CONNECTIONS, is_postgres};

/// Every statement of every connection since the last look.
#[derive(Clone, Default)]
pub struct Statements(Arc<Mutex<Vec<String>>>);

impl Statements {
    /// Watches the program's connections from now on.
    pub async fn watch(test: &TestApp) -> Self {
        let statements = Self::default();
        // Each waits until all are lent, so that each is another one.
        let all = Arc::new(Barrier::new(CONNECTIONS as usize));
        let readers = (0..CONNECTIONS).map(|_| {
            let (all, statements) = (all.clone(), statements.clone());
            test.read(move |conn| {
                statements.listen(conn);
                all.wait();
                Ok(())
            })
        });
        futures_util::future::join_all(readers).await;
        let writers = if is_postgres() { CONNECTIONS } else { 1 };
        let all = Arc::new(Barrier::new(writers as usize));
        let writers = (0..writers).map(|_| {
            let (all, statements) = (all.clone(), statements.clone());
            test.write(move |tx| {
                statements.listen(tx);
                all.wait();
                Ok(())
            })
        });
        futures_util::future::join_all(writers).await;
        statements
    }

    fn listen(&self, conn: &mut Conn) {
        let statements = self.0.clone();
        conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                statements.lock().expect("nobody panics").push(query.to_string());
            }
        });
    }

    /// Takes out what was sent since the last look.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("nobody panics"))
    }
}
