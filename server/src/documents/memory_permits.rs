//! The cap on the memory of files. An upload is whole in memory from the first byte of its form until its file is stored, and a file
//! that is opened until its last byte is sent. A permit is taken before the first byte is read, and reserves all of them. One caller may
//! hold half of everything, so the others go on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::errors::DocumentError;
use crate::config::Limits;
use crate::error::{Error, Result};

/// The time that a caller waits for a permit.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Bytes are counted in KiB, so that a 32-bit number of them is enough.
const UNIT: usize = 1024;

/// Limits the files that are held in memory at once, and their bytes.
#[derive(Clone, Debug)]
pub struct MemoryPermits {
    all: Arc<Room>,
    /// The share of each caller who has a file in memory.
    callers: Arc<Mutex<HashMap<String, Weak<Room>>>>,
    share: (usize, usize),
    /// The refusal of a caller who has waited in vain.
    busy: fn() -> DocumentError,
}

/// Room for so many files and bytes.
#[derive(Debug)]
struct Room {
    files: Arc<Semaphore>,
    units: Arc<Semaphore>,
}

/// The right to hold one file in memory, returned when it is dropped.
#[derive(Debug)]
pub struct MemoryPermit {
    _of_caller: (Arc<Room>, [OwnedSemaphorePermit; 2]),
    _of_all: [OwnedSemaphorePermit; 2],
}

impl Room {
    fn new((files, units): (usize, usize)) -> Arc<Self> {
        let semaphore = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        Arc::new(Self { files: semaphore(files), units: semaphore(units) })
    }

    async fn enter(&self, units: u32) -> Result<[OwnedSemaphorePermit; 2]> {
        let file = self.files.clone().acquire_owned().await.map_err(Error::internal)?;
        Ok([file, self.units.clone().acquire_many_owned(units).await.map_err(Error::internal)?])
    }
}

impl MemoryPermits {
    /// Permits for `uploads_at_once` uploads of together `upload_bytes_in_flight`.
    pub fn for_uploads(limits: &Limits) -> Self {
        let (files, units) = (limits.uploads_at_once, limits.upload_bytes_in_flight / UNIT);
        Self::new((files, units), limits, || DocumentError::UploadsBusy)
    }

    /// Permits for any number of opened files of together `download_bytes_in_flight`.
    pub fn for_downloads(limits: &Limits) -> Self {
        let (files, units) = (Semaphore::MAX_PERMITS, limits.download_bytes_in_flight / UNIT);
        Self::new((files, units), limits, || DocumentError::DownloadsBusy)
    }

    fn new((files, units): (usize, usize), limits: &Limits, busy: fn() -> DocumentError) -> Self {
        // Any upload fits into a share.
        let share = (files.div_ceil(2), (units / 2).max(limits.upload_bytes.div_ceil(UNIT)));
        Self { all: Room::new((files, units)), callers: Arc::default(), share, busy }
    }

    /// Waits for a permit for a file of at most `bytes`, before anything of it is read.
    ///
    /// # Errors
    /// [`DocumentError::UploadsBusy`] or [`DocumentError::DownloadsBusy`] after five seconds.
    pub async fn acquire(&self, caller: &str, bytes: usize) -> Result<MemoryPermit> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).map_err(|_| DocumentError::FileTooLarge)?;
        let own = self.room_of(caller);
        let both = async {
            // The caller's share first: one who waits for it holds nothing of the others'.
            let of_caller = own.enter(units).await?;
            let of_all = self.all.enter(units).await?;
            Ok(MemoryPermit { _of_caller: (own, of_caller), _of_all: of_all })
        };
        timeout(MAX_WAIT, both).await.map_err(|_| (self.busy)())?
    }

    fn room_of(&self, caller: &str) -> Arc<Room> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = callers.get(caller).and_then(Weak::upgrade) {
            return room;
        }
        callers.retain(|_, room| room.strong_count() > 0);
        let room = Room::new(self.share);
        callers.insert(caller.to_owned(), Arc::downgrade(&room));
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn permits(uploads_at_once: usize, mib: usize) -> MemoryPermits {
        let mut limits = Config::default().limits;
        limits.uploads_at_once = uploads_at_once;
        limits.upload_bytes_in_flight = mib * MIB;
        MemoryPermits::for_uploads(&limits)
    }

    const MIB: usize = 1024 * 1024;

    /// Returns true if the upload has to wait: its permit is not there at once.
    async fn waits(permits: &MemoryPermits, caller: &str, mib: usize) -> bool {
        futures_util::poll!(std::pin::pin!(permits.acquire(caller, mib * MIB))).is_pending()
    }

    #[tokio::test]
    async fn bytes_are_limited_for_each_caller_and_in_all_and_are_returned() {
        let permits = permits(100, 100);
        let held = [permits.acquire("a", 22 * MIB).await, permits.acquire("a", 22 * MIB).await];
        assert!(waits(&permits, "a", 22).await, "half of the bytes are the most for one caller");
        let other = [permits.acquire("b", 22 * MIB).await, permits.acquire("b", 22 * MIB).await];
        assert!(held.iter().chain(&other).all(Result::is_ok), "the other caller has the rest");
        assert!(waits(&permits, "c", 22).await, "too little is left");
        assert!(!waits(&permits, "c", 12).await, "enough is left for a smaller one");
        drop(held);
        assert!(!waits(&permits, "c", 22).await);
    }

    #[tokio::test]
    async fn uploads_are_limited_for_each_caller_and_in_all() {
        let permits = permits(4, 100);
        let _held = [permits.acquire("a", 1).await, permits.acquire("a", 1).await];
        assert!(waits(&permits, "a", 1).await && !waits(&permits, "b", 1).await);
        let _others = [permits.acquire("b", 1).await, permits.acquire("c", 1).await];
        assert!(waits(&permits, "d", 1).await);
    }

    #[tokio::test]
    async fn callers_without_uploads_are_forgotten() {
        let permits = permits(2, 100);
        for caller in 0..100 {
            assert!(permits.acquire(&caller.to_string(), MIB).await.is_ok());
        }
        assert_eq!(permits.callers.lock().unwrap().len(), 1);
    }
}
