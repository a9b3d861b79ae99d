//! Reads what changed, once for all streams of this process and only while there are any: at most four statements a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use super::Live;
use super::feed::Follow;
use super::moments::{LiveMoment, Position};
use crate::audit::store as audit;
use crate::error::Result;
use crate::orders::counters::FolderCounters;
use crate::orders::moves::{self, OrdersNow};
use crate::staff::rules::Staff;
use crate::staff::sessions;

/// The pause between two readings of what changed, which are up to two statements.
const READ_EVERY: Duration = Duration::from_millis(700);

/// The pause between two looks at the sessions of the streams.
const LOOK_EVERY: Duration = Duration::from_millis(900);

/// The pause between two readings of the folder counters although no change was found.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// The longest transaction of PostgreSQL whose changes are told. SQLite's rows are visible in the sequence of their ids.
const LONGEST_TRANSACTION: Duration = Duration::from_secs(30);

/// The most audit rows of one reading. With half as many changed orders, such as those of an import, all that is shown is to be loaded anew.
const MAX_READ: i64 = 2_000;

/// Follows the changes after the cursor `after`; without one, those from now on.
///
/// # Errors
/// If the database cannot be read.
pub async fn follow(room: &Arc<Live>, staff: &Staff, after: Option<i64>) -> Result<Follow> {
    let last = room.db.look_up(audit::last_id).await?;
    let overlap = if room.db.is_postgres() { LONGEST_TRANSACTION } else { Duration::ZERO };
    let (follow, position) = room.feed.join(staff, after, last, overlap);
    if let Some(position) = position {
        tokio::spawn(read_on(room.clone(), position));
    }
    Ok(follow)
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
    let OrdersNow { changed, presences } = room.db.look_up(move |conn| moves::read_now(conn, after, MAX_READ)).await?;
    room.feed.show(presences);
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
    room.feed.tell(LiveMoment { cursor: position.cursor, is_all, orders, counters });
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
