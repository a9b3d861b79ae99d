//! The latest changes of orders, and the streams that are told of them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{broadcast, watch};

use super::followers::{Follower, Followers};
use super::moments::{LiveMoment, Position};
use crate::orders::counters::FolderCounters;
use crate::orders::presences::Presence;
use crate::staff::rules::Staff;

/// The moments that are kept for streams that return.
const MAX_KEPT: usize = 200;

/// The most audit rows for which a stream that returns to another process is told single orders.
const MAX_REPLAYED: i64 = 1_000;

/// The latest changes, and their readers.
pub struct Feed {
    pub followers: Followers,
    recent: Mutex<RecentMoments>,
    moments: broadcast::Sender<Arc<LiveMoment>>,
    /// The members who have orders open, while there are streams.
    presences: watch::Sender<Vec<Presence>>,
}

#[derive(Default)]
struct RecentMoments {
    is_reading: bool,
    /// Where the reading has paused. None: it has not begun, or is going on.
    position: Option<Position>,
    /// The audit row after which everything is told by `moments`.
    begin: i64,
    moments: VecDeque<Arc<LiveMoment>>,
}

/// A stream of changes.
pub struct Follow {
    /// Told at once.
    pub first: Vec<Arc<LiveMoment>>,
    pub further: broadcast::Receiver<Arc<LiveMoment>>,
    pub presences: watch::Receiver<Vec<Presence>>,
    pub follower: Follower,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            followers: Followers::default(),
            recent: Mutex::default(),
            moments: broadcast::channel(32).0,
            presences: watch::channel(Vec::new()).0,
        }
    }
}

impl Feed {
    fn lock(&self) -> MutexGuard<'_, RecentMoments> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a stream of what changed after the cursor `after`, without one of what changes from now on. `last` is the last audit row. Returns a
    /// position if nobody is reading: the caller reads on from there, and reads rows again for `overlap`.
    pub fn join(&self, staff: &Staff, after: Option<i64>, last: i64, overlap: Duration) -> (Follow, Option<Position>) {
        let follower = self.followers.add(staff);
        let mut recent = self.lock();
        let further = self.moments.subscribe();
        let position = (!recent.is_reading).then(|| {
            recent.is_reading = true;
            recent.position.take().unwrap_or_else(|| {
                let begin = after.filter(|after| (0..=MAX_REPLAYED).contains(&(last - after))).unwrap_or(last);
                recent.begin = begin;
                Position::after(begin, overlap)
            })
        });
        let cursor = after.unwrap_or(last);
        let is_unknown = cursor < recent.begin || cursor > last;
        let missed = recent.moments.iter().filter(|moment| after.is_some_and(|after| moment.cursor >= after));
        let mut first: Vec<Arc<LiveMoment>> = missed.cloned().collect();
        if let Some(newest) = recent.moments.back().filter(|_| is_unknown || first.is_empty()) {
            first = vec![Arc::new(newest.without_orders(is_unknown))];
        }
        let presences = self.presences.subscribe();
        (Follow { first, further, presences, follower }, position)
    }

    /// Tells all streams.
    pub fn tell(&self, moment: LiveMoment) {
        let moment = Arc::new(moment);
        let mut recent = self.lock();
        recent.moments.push_back(moment.clone());
        while recent.moments.len() > MAX_KEPT {
            recent.begin = recent.moments.pop_front().map_or(0, |oldest| oldest.cursor);
        }
        // The receivers may all be gone.
        let _ = self.moments.send(moment);
    }

    /// Tells all streams who has which orders open.
    pub fn show(&self, presences: Vec<Presence>) {
        self.presences.send_if_modified(|shown| {
            let has_changed = *shown != presences;
            *shown = presences;
            has_changed
        });
    }

    /// The folder counters that were told last, if any were.
    pub fn last_counters(&self) -> Option<Arc<FolderCounters>> {
        self.lock().moments.back().map(|moment| moment.counters.clone())
    }

    /// Returns the position if no stream is left, and the reading has to pause.
    pub fn pause(&self, position: Position) -> Option<Position> {
        let mut recent = self.lock();
        if !self.followers.is_empty() {
            return Some(position);
        }
        recent.is_reading = false;
        // Their ends would not be seen.
        self.presences.send_replace(Vec::new());
        recent.position = Some(position);
        None
    }
}
