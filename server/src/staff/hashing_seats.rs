//! Seats for hashing passwords. Half of them are for networks from which a member has signed in before, so that strangers who fill
//! their half cannot crowd the team out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// From where a password arrives. It depends on the network alone, never on the account, so it does not reveal who works here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallerKind {
    /// A signed-in member, or a network from which any member has signed in before.
    Known,
    Stranger,
}

/// A number of seats, half of which strangers may take.
#[derive(Clone)]
pub struct Seats {
    all: Arc<Semaphore>,
    strangers: Arc<Semaphore>,
    taken: Arc<AtomicUsize>,
}

/// A taken seat. Dropping it leaves it.
pub struct Seat {
    _any: OwnedSemaphorePermit,
    _of_strangers: Option<OwnedSemaphorePermit>,
}

impl Seats {
    pub fn new(count: usize) -> Self {
        Self {
            all: Arc::new(Semaphore::new(count)),
            strangers: Arc::new(Semaphore::new(count / 2)),
            taken: Arc::default(),
        }
    }

    /// The number of times that a seat was taken: how many passwords were hashed, for the seats of workers.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    fn seat(&self, any: OwnedSemaphorePermit, of_strangers: Option<OwnedSemaphorePermit>) -> Seat {
        self.taken.fetch_add(1, Ordering::Relaxed);
        Seat { _any: any, _of_strangers: of_strangers }
    }

    /// Takes a seat if one is free for the caller.
    pub fn try_take(&self, caller: CallerKind) -> Option<Seat> {
        let of_strangers = match caller {
            CallerKind::Known => None,
            CallerKind::Stranger => Some(self.strangers.clone().try_acquire_owned().ok()?),
        };
        Some(self.seat(self.all.clone().try_acquire_owned().ok()?, of_strangers))
    }

    /// Waits for a seat. A stranger first waits for one of the strangers' seats, so that they are never before a known caller with
    /// more than these.
    pub async fn take(&self, caller: CallerKind) -> Result<Seat> {
        let of_strangers = match caller {
            CallerKind::Known => None,
            CallerKind::Stranger => Some(self.strangers.clone().acquire_owned().await.map_err(Error::internal)?),
        };
        Ok(self.seat(self.all.clone().acquire_owned().await.map_err(Error::internal)?, of_strangers))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::CallerKind::{Known, Stranger};
    use super::*;

    fn take_all(seats: &Seats, caller: CallerKind) -> Vec<Seat> {
        std::iter::from_fn(|| seats.try_take(caller)).collect()
    }

    #[test]
    fn strangers_take_half_of_the_seats_and_known_networks_all_of_them() {
        let seats = Seats::new(34);
        let strangers = take_all(&seats, Stranger);
        assert_eq!(strangers.len(), 17);
        let known = take_all(&seats, Known);
        assert_eq!(known.len(), 17, "the other half is left for known networks");
        drop((strangers, known));
        let known = take_all(&seats, Known);
        assert_eq!((known.len(), take_all(&seats, Stranger).len()), (34, 0));
        drop(known);
        assert_eq!(take_all(&seats, Stranger).len(), 17, "seats that were left can be taken again");
    }

    #[test]
    fn a_stranger_who_is_refused_holds_no_seat() {
        let seats = Seats::new(4);
        let known = take_all(&seats, Known);
        assert!(seats.try_take(Stranger).is_none());
        drop(known);
        assert_eq!(take_all(&seats, Stranger).len(), 2);
    }

    #[tokio::test]
    async fn a_known_network_does_not_wait_behind_strangers() -> Result<()> {
        let seats = Seats::new(2);
        let hashing = seats.take(Stranger).await?;
        let waiting: Vec<_> = (0..10)
            .map(|_| {
                let seats = seats.clone();
                tokio::spawn(async move { seats.take(Stranger).await.map(drop) })
            })
            .collect();
        tokio::task::yield_now().await;
        let known = timeout(Duration::from_secs(5), seats.take(Known)).await;
        assert!(known.is_ok_and(|seat| seat.is_ok()), "the second seat is free for it");
        assert!(waiting.iter().all(|one| !one.is_finished()), "while the strangers wait for theirs");
        drop(hashing);
        for one in waiting {
            one.await.map_err(Error::internal)??;
        }
        Ok(())
    }
}
