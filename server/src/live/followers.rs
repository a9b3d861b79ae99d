//! The open streams, which end with their sessions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::staff::rules::{Staff, StaffType};
use crate::staff::sessions::LastingSession;

/// The most streams of one session: a browser needs one. The oldest ends when there are more.
const MAX_PER_SESSION: usize = 4;

/// The open streams of this process. Clones share them.
#[derive(Clone, Default)]
pub struct Followers(Arc<Mutex<OpenStreams>>);

#[derive(Default)]
struct OpenStreams {
    last_id: u64,
    has_ended: bool,
    by_id: BTreeMap<u64, OpenStream>,
}

struct OpenStream {
    session_hash: String,
    staff_type: StaffType,
    /// The number of entries in the member's inbox that are not read. Dropped to end the stream.
    unread: watch::Sender<i64>,
}

/// An open stream, until this is dropped.
pub struct Follower {
    followers: Followers,
    id: u64,
    /// The number of entries in the member's inbox that are not read. Its sender is dropped when the stream has to end.
    pub unread: watch::Receiver<i64>,
}

impl Followers {
    /// Adds a stream of the member's session.
    pub fn add(&self, staff: &Staff) -> Follower {
        let (unread, receiver) = watch::channel(0);
        let mut streams = self.lock();
        streams.last_id += 1;
        let id = streams.last_id;
        let of_session = streams.by_id.iter().filter(|(_, one)| one.session_hash == staff.session_hash);
        let of_session: Vec<u64> = of_session.map(|(id, _)| *id).collect();
        if let Some(oldest) = of_session.first().filter(|_| of_session.len() >= MAX_PER_SESSION) {
            streams.by_id.remove(oldest);
        }
        if !streams.has_ended {
            let session_hash = staff.session_hash.clone();
            streams.by_id.insert(id, OpenStream { session_hash, staff_type: staff.staff_type, unread });
        }
        Follower { followers: self.clone(), id, unread: receiver }
    }

    /// Returns true if no stream is open.
    pub fn is_empty(&self) -> bool {
        self.lock().by_id.is_empty()
    }

    /// The hashes of the sessions with a stream.
    pub fn sessions(&self) -> Vec<String> {
        let hashes: BTreeSet<String> = self.lock().by_id.values().map(|one| one.session_hash.clone()).collect();
        hashes.into_iter().collect()
    }

    /// Ends the streams of those sessions among `looked_at` that do not last, or whose member is of another type now, and tells the others
    /// of their inboxes.
    pub fn keep(&self, looked_at: &[String], lasting: &HashMap<String, LastingSession>) {
        self.lock().by_id.retain(|_, one| {
            let session = lasting.get(&one.session_hash);
            if let Some(session) = session {
                one.unread.send_if_modified(|unread| std::mem::replace(unread, session.unread) != session.unread);
            }
            let is_as_begun = session.is_some_and(|session| session.staff_type == one.staff_type);
            is_as_begun || !looked_at.contains(&one.session_hash)
        });
    }

    /// Ends all streams, and each further one at once: the process stops.
    pub fn end(&self) {
        let mut streams = self.lock();
        streams.has_ended = true;
        streams.by_id.clear();
    }

    fn lock(&self) -> MutexGuard<'_, OpenStreams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.followers.lock().by_id.remove(&self.id);
    }
}
