//! Keeps what was read for a minute, so that many open screens cost what one does. Each node has its own.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::TimeDelta;
use tokio::sync::Mutex as AsyncMutex;

use crate::error::Result;
use crate::timestamp::Timestamp;

/// The time that a value is served.
const MINUTE: TimeDelta = TimeDelta::minutes(1);

/// The most keys. With more, those that are out of date are dropped, and then all.
const MAX_KEYS: usize = 200;

/// A value and when it was read; locked while one caller reads it, so that the others wait for that value.
type Slot<V> = Arc<AsyncMutex<Option<(Timestamp, Arc<V>)>>>;

/// Values by key, none older than a minute.
pub struct MinuteCache<K, V>(Mutex<HashMap<K, Slot<V>>>);

impl<K, V> Default for MinuteCache<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

fn is_fresh(read_at: Timestamp, now: Timestamp) -> bool {
    (TimeDelta::zero()..MINUTE).contains(&(now - read_at))
}

impl<K: Eq + Hash, V> MinuteCache<K, V> {
    /// The value of `key`, and when it was read: the one in the cache while it is fresh, otherwise that of `read`.
    ///
    /// # Errors
    /// Those of `read`. The next caller tries again.
    pub async fn get(
        &self,
        key: K,
        now: Timestamp,
        read: impl Future<Output = Result<V>>,
    ) -> Result<(Timestamp, Arc<V>)> {
        let slot = self.slot(key, now);
        let mut value = slot.lock().await;
        if let Some((read_at, known)) = &*value
            && is_fresh(*read_at, now)
        {
            return Ok((*read_at, known.clone()));
        }
        let read = Arc::new(read.await?);
        *value = Some((now, read.clone()));
        Ok((now, read))
    }

    fn slot(&self, key: K, now: Timestamp) -> Slot<V> {
        // A panic while it was held left the map whole: it only inserts and removes.
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MAX_KEYS && !slots.contains_key(&key) {
            slots.retain(|_, slot| {
                slot.try_lock().is_ok_and(|value| value.as_ref().is_some_and(|(read_at, _)| is_fresh(*read_at, now)))
            });
            if slots.len() >= MAX_KEYS {
                slots.clear();
            }
        }
        slots.entry(key).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::error::Error;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH + TimeDelta::seconds(seconds)
    }

    #[tokio::test]
    async fn a_value_is_read_once_a_minute_for_each_key_and_again_after_an_error() {
        let (cache, reads) = (MinuteCache::<u8, usize>::default(), AtomicUsize::new(0));
        let read = async || Ok(reads.fetch_add(1, Ordering::Relaxed));
        for (key, seconds, expected) in [(1, 0, 0), (1, 59, 0), (2, 59, 1), (1, 60, 2), (1, 119, 2), (1, 59, 3)] {
            let (_, value) = cache.get(key, at(seconds), read()).await.unwrap();
            assert_eq!(*value, expected, "key {key} after {seconds} s");
        }
        let fails = async || Err(Error::internal("no database"));
        let failed = cache.get(3, at(0), fails()).await.map(|(_, value)| *value).map_err(|error| error.cause());
        assert_eq!(failed.unwrap_err().as_deref(), Some("no database"));
        assert_eq!(*cache.get(3, at(0), read()).await.unwrap().1, 4);
    }

    #[tokio::test]
    async fn callers_at_the_same_time_share_one_read() {
        let (cache, reads) = (MinuteCache::<u8, usize>::default(), AtomicUsize::new(0));
        let read = async || {
            tokio::task::yield_now().await;
            Ok(reads.fetch_add(1, Ordering::Relaxed))
        };
        let get = || cache.get(1, at(0), read());
        let (one, other, third) = tokio::join!(get(), get(), get());
        assert_eq!([*one.unwrap().1, *other.unwrap().1, *third.unwrap().1], [0; 3]);
    }

    #[tokio::test]
    async fn the_keys_are_bounded() {
        let cache = MinuteCache::<usize, usize>::default();
        for key in 0..3 * MAX_KEYS {
            cache.get(key, at(0), async { Ok(key) }).await.unwrap();
            assert!(cache.0.lock().unwrap().len() <= MAX_KEYS);
        }
    }
}
