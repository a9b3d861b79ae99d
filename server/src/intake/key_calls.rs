//! Limits the calls of an API key per minute. Each process counts its own, so that a call costs no write; with several processes a
//! key may make as many times its limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::errors::IntakeError;
use crate::timestamp::Timestamp;

/// The calls of the current minute, by key.
#[derive(Debug, Default)]
pub struct KeyCalls(Mutex<KeyMinute>);

#[derive(Debug, Default)]
struct KeyMinute {
    /// Minutes since 1970.
    number: i64,
    /// Only keys with a limit, so not many.
    by_key: HashMap<i64, u32>,
}

impl KeyCalls {
    /// Counts a call of a key that may make `most` a minute.
    ///
    /// # Errors
    /// [`IntakeError::TooManyApiKeyCalls`].
    pub fn admit(&self, key_id: i64, most: u32, now: Timestamp) -> Result<(), IntakeError> {
        let now = now.timestamp();
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minute.number != now.div_euclid(60) {
            *minute = KeyMinute { number: now.div_euclid(60), ..KeyMinute::default() };
        }
        let calls = minute.by_key.entry(key_id).or_default();
        if *calls >= most {
            return Err(IntakeError::TooManyApiKeyCalls { seconds: 60 - now.rem_euclid(60).unsigned_abs() });
        }
        *calls += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_calls_in_each_minute() {
        let (calls, at) = (KeyCalls::default(), |second: i64| Timestamp::EPOCH + chrono::TimeDelta::seconds(second));
        let admits = |key, second| calls.admit(key, 2, at(second)).is_ok();
        assert!(admits(1, 0) && admits(1, 10) && !admits(1, 59), "two a minute");
        assert!(admits(2, 59), "another key");
        assert!(admits(1, 60) && admits(1, 61), "the next minute");
        let refused = calls.admit(1, 2, at(70)).map_err(|error| error.to_string());
        assert_eq!(refused, Err("This API key has made too many calls. Please wait 50 seconds and try again".into()));
    }
}
