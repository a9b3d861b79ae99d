//! Calls that signed-in staff and known API keys were denied. The first denial is recorded at once, its repetitions within a minute in one row: repeated
//! calls do not fill the audit, and a refused request does not wait for the database.

use crate::ids::StaffId;
use crate::timestamp::Timestamp;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::TimeDelta;

use super::store::Actor;

/// The time within which repetitions are collected into one row.
const WINDOW: TimeDelta = TimeDelta::minutes(1);

/// Denials of the same kind to the same actor, at least one.
#[derive(Clone, Debug)]
pub struct Denial {
    /// The action in the audit.
    pub action: &'static str,
    pub by: Actor,
    /// The operation id in the access table, or why a key was refused.
    pub what: &'static str,
    pub times: u32,
    /// The instant of the last denial.
    pub at: Timestamp,
}

impl Denial {
    /// The text in the audit.
    pub fn summary(&self) -> String {
        match self.times {
            1 => self.what.to_owned(),
            times => format!("{}, {times} times", self.what),
        }
    }
}

/// The actor's id and name, and what was denied.
type DenialKey = (Option<StaffId>, String, &'static str);

/// The denials of the last minute: at most one entry for each actor and kind of denial.
#[derive(Clone, Debug, Default)]
pub struct Denials(Arc<Mutex<HashMap<DenialKey, DenialWindow>>>);

#[derive(Debug)]
struct DenialWindow {
    since: Timestamp,
    /// Repetitions that are not written yet.
    repeated: Option<Denial>,
}

impl Denials {
    /// Counts one denial. Returns it if it must be written now.
    pub fn count(&self, denial: Denial) -> Option<Denial> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match all.entry((denial.by.staff_id, denial.by.name.clone(), denial.what)) {
            Entry::Vacant(window) => {
                window.insert(DenialWindow { since: denial.at, repeated: None });
                Some(denial)
            }
            Entry::Occupied(mut window) => {
                let window = window.get_mut();
                let before = window.repeated.as_ref().map_or(0, |repeated| repeated.times);
                window.repeated = Some(Denial { times: before.saturating_add(1), ..denial });
                None
            }
        }
    }

    /// Removes and returns the denials whose minute is over. Drops windows without repetitions.
    pub fn due(&self, now: Timestamp) -> Vec<Denial> {
        self.take(|window| now - window.since >= WINDOW, now)
    }

    /// Removes and returns all denials that are not written yet.
    pub fn all(&self, now: Timestamp) -> Vec<Denial> {
        self.take(|_| true, now)
    }

    fn take(&self, is_over: impl Fn(&DenialWindow) -> bool, now: Timestamp) -> Vec<Denial> {
        let mut denials = Vec::new();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, window| {
            if !is_over(window) {
                return true;
            }
            window.since = now;
            let repeated = window.repeated.take();
            let has_repeated = repeated.is_some();
            denials.extend(repeated);
            has_repeated
        });
        denials
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH + TimeDelta::seconds(seconds)
    }

    fn budi() -> Actor {
        Actor { staff_id: Some(StaffId(2)), name: "Budi".into(), address: Some("192.0.2.1".into()) }
    }

    fn denied(what: &'static str, seconds: i64) -> Denial {
        Denial { action: "staff.denied", by: budi(), what, times: 1, at: at(seconds) }
    }

    fn summaries(denials: &[Denial]) -> Vec<String> {
        denials.iter().map(Denial::summary).collect()
    }

    #[test]
    fn the_first_denial_is_written_at_once_and_a_flood_of_them_as_one_row_a_minute() {
        let denials = Denials::default();
        let count = |call, second| denials.count(denied(call, second)).map(|denial| denial.summary());
        assert_eq!(count("list_audit", 0), Some("list_audit".into()));
        assert_eq!(count("add_team_member", 0), Some("add_team_member".into()));
        for second in 1..60 {
            assert_eq!(count("list_audit", second), None);
            assert_eq!(summaries(&denials.due(at(second))), [""; 0]);
        }
        assert_eq!(summaries(&denials.due(at(60))), ["list_audit, 59 times"]);
        // Repetitions start one more minute.
        assert_eq!((count("list_audit", 61), count("add_team_member", 61)), (None, Some("add_team_member".into())));
        assert_eq!(summaries(&denials.due(at(119))), [""; 0]);
        assert_eq!(summaries(&denials.due(at(121))), ["list_audit"]);
        // After a minute without repetitions the next denial is a first one again.
        assert_eq!(summaries(&denials.due(at(181))), [""; 0]);
        assert_eq!(count("list_audit", 200), Some("list_audit".into()));
    }

    #[test]
    fn all_removes_every_unwritten_denial() {
        let denials = Denials::default();
        for _ in 0..3 {
            denials.count(denied("list_audit", 0));
        }
        assert_eq!(summaries(&denials.all(at(1))), ["list_audit, 2 times"]);
        assert_eq!(summaries(&denials.all(at(1))), [""; 0]);
    }
}
