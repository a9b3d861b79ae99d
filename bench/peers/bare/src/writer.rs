//! Assignments: a thread writes all that wait in one transaction, and answers after the commit.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rusqlite::{Connection, Result, params};
use tokio::sync::oneshot;

use crate::database;

/// The most assignments of a transaction.
const MOST: usize = 256;

pub struct Assignment {
    pub orders: Vec<i64>,
    /// Empty: the orders are given back.
    pub owner: String,
}

type Waiting = (Assignment, oneshot::Sender<bool>);

/// Hands assignments to the thread that writes.
#[derive(Clone)]
pub struct Writer(Sender<Waiting>);

impl Writer {
    pub fn start() -> Result<Writer> {
        let (sender, receiver) = channel();
        let connection = database::open_writer()?;
        thread::spawn(move || run(&connection, &receiver));
        Ok(Writer(sender))
    }

    /// Whether the assignment was committed.
    pub async fn assign(&self, assignment: Assignment) -> bool {
        let (sender, receiver) = oneshot::channel();
        self.0.send((assignment, sender)).is_ok() && receiver.await.unwrap_or(false)
    }
}

fn run(connection: &Connection, queue: &Receiver<Waiting>) {
    while let Ok(first) = queue.recv() {
        let mut waiting = vec![first];
        waiting.extend(queue.try_iter().take(MOST - 1));
        let is_committed = match write(connection, &waiting) {
            Ok(()) => true,
            Err(error) => {
                eprintln!("assign: {error}");
                // Without an open transaction there is nothing to roll back.
                let _ = connection.execute_batch("ROLLBACK");
                false
            }
        };
        for (_, sender) in waiting {
            // The client may have gone.
            let _ = sender.send(is_committed);
        }
    }
}

fn write(connection: &Connection, waiting: &[Waiting]) -> Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    {
        let mut owner_of = connection.prepare_cached("SELECT staff_id FROM staff WHERE name_key = lower(?1)")?;
        let mut update = connection.prepare_cached(
            "UPDATE orders SET assign_to = ?1, updated_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE order_id = ?2",
        )?;
        for (assignment, _) in waiting {
            let owner: Option<i64> = match assignment.owner.as_str() {
                "" => None,
                name => Some(owner_of.query_row([name], |row| row.get(0))?),
            };
            for order in &assignment.orders {
                update.execute(params![owner, order])?;
            }
        }
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
