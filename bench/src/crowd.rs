//! Clients that ask at the same time, and what became of their requests.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::processes;

/// What became of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Answered with a status of success.
    pub done: u64,
    /// Answered with a status that names a fault of the client, such as a limit that was reached.
    pub refused: u64,
    /// Answered with a status that names a fault of the server, or not at all.
    pub failed: u64,
}

impl Outcomes {
    /// All requests.
    pub fn all(self) -> u64 {
        self.done + self.refused + self.failed
    }

    /// Counts the result of one request.
    pub fn count(&mut self, result: &Result<()>) {
        let status = |error: &anyhow::Error| match error.downcast_ref() {
            Some(ureq::Error::StatusCode(status)) => Some(*status),
            _ => None,
        };
        match result.as_ref().map_err(status) {
            Ok(()) => self.done += 1,
            Err(Some(400..500)) => self.refused += 1,
            Err(_) => self.failed += 1,
        }
    }
}

impl std::iter::Sum for Outcomes {
    fn sum<I: Iterator<Item = Outcomes>>(all: I) -> Outcomes {
        all.fold(Outcomes::default(), |sum, one| Outcomes {
            done: sum.done + one.done,
            refused: sum.refused + one.refused,
            failed: sum.failed + one.failed,
        })
    }
}

/// Lets so many clients ask, again and again, until `meanwhile` ends, with the processor time that all others leave. `ask` sends the request
/// with the number that it is given. Returns what became of the requests, how long they were sent, and what `meanwhile` returns.
///
/// # Errors
/// If `meanwhile` fails.
pub fn meanwhile<T>(
    clients: u64,
    ask: impl Fn(u64) -> Result<()> + Sync,
    meanwhile: impl FnOnce() -> Result<T>,
) -> Result<(Outcomes, Duration, T)> {
    let (is_over, next, start) = (AtomicBool::new(false), AtomicU64::new(0), Instant::now());
    thread::scope(|threads| {
        let client = || {
            processes::wait_for_others();
            let mut outcomes = Outcomes::default();
            while !is_over.load(Ordering::Relaxed) {
                outcomes.count(&ask(next.fetch_add(1, Ordering::Relaxed)));
            }
            outcomes
        };
        let asking: Vec<_> = (0..clients).map(|_| threads.spawn(client)).collect();
        let result = meanwhile();
        is_over.store(true, Ordering::Relaxed);
        // A client that panicked has asked nothing that counts.
        let outcomes = asking.into_iter().map(|client| client.join().unwrap_or_default()).sum();
        Ok((outcomes, start.elapsed(), result?))
    })
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn clients_ask_until_the_work_beside_them_is_done() -> Result<()> {
        let asked = AtomicU64::new(0);
        let wait = || loop {
            if asked.load(Ordering::Relaxed) >= 30 {
                return Ok("done");
            }
            thread::yield_now();
        };
        let ask = |number| {
            asked.fetch_add(1, Ordering::Relaxed);
            match number % 3 {
                0 => Ok(()),
                1 => Err(ureq::Error::StatusCode(429).into()),
                _ => bail!("no answer"),
            }
        };
        let (outcomes, _, done) = meanwhile(4, ask, wait)?;
        assert_eq!(done, "done");
        assert!(outcomes.done >= 10 && outcomes.refused >= 10 && outcomes.failed >= 9, "{outcomes:?}");
        assert!(outcomes.all() >= 30 && outcomes.all() == asked.into_inner());
        Ok(())
    }

    #[test]
    fn a_status_of_the_server_is_a_failure() {
        let mut outcomes = Outcomes::default();
        for status in [404, 429, 499, 500, 503] {
            outcomes.count(&Err(ureq::Error::StatusCode(status).into()));
        }
        assert_eq!(outcomes, Outcomes { done: 0, refused: 3, failed: 2 });
    }
}
