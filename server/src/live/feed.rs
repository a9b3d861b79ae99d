//! Reads what changed, once for all streams of this process and only while there are any: at most four statements a second.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;
use tokio::time::{MissedTickBehavior, interval};

use super::Live;
use super::followers::{Followers, Following};
use super::moments::{Moment, Position};
use crate::audit::store as audit;
use crate::error::Result;
use crate::orders::counters::FolderCounters;
use crate::orders::moves;
use crate::staff::rules::Staff;
use crate::staff::sessions;

/// The pause between two readings of what changed, which are up to two statements.
const READ_EVERY: Duration = Duration::from_millis(700);

/// The pause between two looks at the sessions of the streams.
const LOOK_EVERY: Duration = Duration::from_millis(900);

/// The pause between two readings of the folder counters although no change was found.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// How long a transaction of PostgreSQL may take until its changes are not told. SQLite's rows are visible in the sequence of their ids.
const LONGEST_TRANSACTION: Duration = Duration::from_secs(30);

/// The most audit rows of one reading. With half as many changed orders, such as those of an import, all that is shown is to be loaded anew.
const MAX_READ: i64 = 2_000;

/// The moments that are kept for streams that return.
const MAX_KEPT: usize = 200;

/// The most audit rows for which a stream that returns to another process is told single orders.
const MAX_REPLAYED: i64 = 1_000;

/// What changed lately, and its readers.
pub struct Feed {
    pub followers: Followers,
    recent: Mutex<Recent>,
    moments: broadcast::Sender<Arc<Moment>>,
}

#[derive(Default)]
struct Recent {
    is_reading: bool,
    /// Where the reading has paused. None: it has not begun, or is going on.
    position: Option<Position>,
    /// The audit row after which everything is told by `moments`.
    begin: i64,
    moments: VecDeque<Arc<Moment>>,
}

/// A stream of changes.
pub struct Follow {
    /// What is told at once.
    pub first: Vec<Arc<Moment>>,
    pub further: broadcast::Receiver<Arc<Moment>>,
    pub following: Following,
}

impl Default for Feed {
    fn default() -> Self {
        Self { followers: Followers::default(), recent: Mutex::default(), moments: broadcast::channel(32).0 }
    }
}

impl Feed {
    fn lock(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, moment: Moment) {
        let moment = Arc::new(moment);
        let mut recent = self.lock();
        recent.moments.push_back(moment.clone());
        while recent.moments.len() > MAX_KEPT {
            recent.begin = recent.moments.pop_front().map_or(0, |oldest| oldest.cursor);
        }
        // The receivers may all be gone.
        let _ = self.moments.send(moment);
    }

    /// The folder counters that were told last, if any were.
    fn last_counters(&self) -> Option<Arc<FolderCounters>> {
        self.lock().moments.back().map(|moment| moment.counters.clone())
    }

    /// Returns the position if no stream is left, and the reading has to pause.
    fn pause(&self, position: Position) -> Option<Position> {
        let mut recent = self.lock();
        if !self.followers.is_empty() {
            return Some(position);
        }
        recent.is_reading = false;
        recent.position = Some(position);
        None
    }
}

/// Follows the changes after the cursor `after`; without one, those from now on.
///
/// # Errors
/// If the database cannot be read.
pub async fn follow(room: &Arc<Live>, staff: &Staff, after: Option<i64>) -> Result<Follow> {
    let last = room.db.look_up(audit::last_id).await?;
    let following = room.feed.followers.add(staff);
    let mut recent = room.feed.lock();
    let further = room.feed.moments.subscribe();
    if !recent.is_reading {
        let overlap = if room.db.is_postgres() { LONGEST_TRANSACTION } else { Duration::ZERO };
        let position = recent.position.take().unwrap_or_else(|| {
            let begin = after.filter(|after| (0..=MAX_REPLAYED).contains(&(last - after))).unwrap_or(last);
            recent.begin = begin;
            Position::after(begin, overlap)
        });
        recent.is_reading = true;
        tokio::spawn(read_on(room.clone(), position));
    }
    let cursor = after.unwrap_or(last);
    let mut first: Vec<Arc<Moment>> = match after {
        Some(after) => recent.moments.iter().filter(|moment| moment.cursor >= after).cloned().collect(),
        None => Vec::new(),
    };
    if let Some(newest) = recent.moments.back()
        && (cursor < recent.begin || cursor > last || first.is_empty())
    {
        let is_all = cursor < recent.begin || cursor > last;
        let counters = newest.counters.clone();
        first = vec![Arc::new(Moment { cursor: newest.cursor, is_all, counters, orders: Vec::new() })];
    }
    Ok(Follow { first, further, following })
}

/// Reads until no stream is left.
async fn read_on(room: Arc<Live>, mut position: Position) {
    let mut reads = interval(READ_EVERY);
    let mut looks = interval(LOOK_EVERY);
    reads.set_missed_tick_behavior(MissedTickBehavior::Delay);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut counted_at, mut works) = (Instant::now(), true);
    loop {
        let outcome = tokio::select! {
            _ = reads.tick() => read(&room, &mut position, &mut counted_at).await,
            _ = looks.tick() => look(&room).await,
        };
        if let (true, Err(error)) = (works, &outcome) {
            tracing::warn!(%error, "what changed cannot be told to browsers, which is tried again");
        }
        works = outcome.is_ok();
        match room.feed.pause(position) {
            Some(going_on) => position = going_on,
            None => return,
        }
    }
}

/// Reads what changed, and tells it.
async fn read(room: &Live, position: &mut Position, counted_at: &mut Instant) -> Result<()> {
    let now = Instant::now();
    let after = position.read_after(now);
    let changed = room.db.look_up(move |conn| moves::list_changed_after(conn, after, MAX_READ)).await?;
    let is_all = changed.len() as i64 >= MAX_READ / 2;
    let orders = if is_all {
        position.skip_to(room.db.look_up(audit::last_id).await?);
        Vec::new()
    } else {
        position.advance(changed, now)
    };
    let before = room.feed.last_counters();
    let is_due = before.is_none() || now.duration_since(*counted_at) >= COUNT_EVERY;
    if orders.is_empty() && !is_all && !is_due {
        return Ok(());
    }
    let counters = Arc::new(room.db.look_up(FolderCounters::read).await?);
    *counted_at = now;
    if orders.is_empty() && !is_all && before.as_ref() == Some(&counters) {
        return Ok(());
    }
    room.feed.tell(Moment { cursor: position.cursor, is_all, orders, counters });
    Ok(())
}

/// Ends the streams whose sessions have ended, or whose members are of another type now.
async fn look(room: &Live) -> Result<()> {
    let (hashes, now) = (room.feed.followers.sessions(), room.clock.now());
    let asked = hashes.clone();
    let lasting = room.db.look_up(move |conn| sessions::list_lasting(conn, &asked, now)).await?;
    room.feed.followers.keep(&hashes, &lasting);
    Ok(())
}
