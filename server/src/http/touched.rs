//! The sessions or keys whose last use is being stored, so that a burst of requests writes once.

use crate::timestamp::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::TimeDelta;

/// The interval at which the last use of a session or a key is stored.
pub const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

/// The uses that are being stored, by the name of what is used. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct PendingUses(Arc<Mutex<HashMap<String, Timestamp>>>);

/// A use that is being stored, until this is dropped.
#[derive(Debug)]
pub struct StoringUse {
    touched: PendingUses,
    name: String,
    used_at: Timestamp,
}

impl PendingUses {
    /// Registers a use. Returns none while one of about the same time is being stored. A later use is stored as well: the earlier one
    /// may have been committed before its `StoringUse` is dropped.
    pub fn begin(&self, name: &str, used_at: Timestamp) -> Option<StoringUse> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.get(name).is_some_and(|earlier| used_at - *earlier < TOUCH_EVERY) {
            return None;
        }
        all.insert(name.to_owned(), used_at);
        Some(StoringUse { touched: self.clone(), name: name.to_owned(), used_at })
    }
}

impl Drop for StoringUse {
    fn drop(&mut self) {
        let mut all = self.touched.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A later use may have replaced it.
        if all.get(&self.name) == Some(&self.used_at) {
            all.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_stored_once_and_a_later_use_even_before_the_earlier_one_has_ended() {
        let (touched, at) = (PendingUses::default(), |minutes| Timestamp::EPOCH + TimeDelta::minutes(minutes));
        let first = touched.begin("one", at(0));
        assert!(first.is_some() && touched.begin("one", at(0)).is_none(), "a burst writes once");
        assert!(touched.begin("two", at(0)).is_some(), "another session has its own");
        let later = touched.begin("one", at(60));
        assert!(later.is_some(), "an hour later is another use");
        drop(first);
        assert!(touched.begin("one", at(60)).is_none(), "the later one is still being stored");
        drop(later);
        assert!(touched.begin("one", at(60)).is_some());
    }
}
