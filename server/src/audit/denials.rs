//! Calls that signed-in staff were denied. The first is noted at once, those that follow within a minute in one row: so
//! nobody fills the audit by asking again and again, and who is denied never waits for the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{NaiveDateTime, TimeDelta};

use super::store::Actor;

/// How long repetitions are gathered.
const GATHERED: TimeDelta = TimeDelta::minutes(1);

/// A person was denied a call, once or several times.
#[derive(Clone, Debug)]
pub struct Denial {
    pub by: Actor,
    /// The operation id, as the table of access has it.
    pub operation: &'static str,
    pub times: u32,
    /// The last of these times.
    pub at: NaiveDateTime,
}

impl Denial {
    /// As the audit has it.
    pub fn summary(&self) -> String {
        match self.times {
            1 => self.operation.to_owned(),
            times => format!("{}, {times} times", self.operation),
        }
    }
}

/// A member by id, and the operation id of a call.
type Key = (Option<i64>, &'static str);

/// What was denied within the last minute, by person and call. It holds at most an entry for each member and each call.
#[derive(Clone, Debug, Default)]
pub struct Denials(Arc<Mutex<HashMap<Key, Gathering>>>);

#[derive(Debug)]
struct Gathering {
    since: NaiveDateTime,
    /// Not written yet.
    repeated: Option<Denial>,
}

impl Denials {
    /// Counts a denial; answers it when it is to be written now.
    pub fn count(&self, by: &Actor, operation: &'static str, now: NaiveDateTime) -> Option<Denial> {
        let denial = Denial { by: by.clone(), operation, times: 1, at: now };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match all.get_mut(&(by.staff_id, operation)) {
            None => {
                all.insert((by.staff_id, operation), Gathering { since: now, repeated: None });
                Some(denial)
            }
            Some(gathering) => {
                let before = gathering.repeated.as_ref().map_or(0, |repeated| repeated.times);
                gathering.repeated = Some(Denial { times: before.saturating_add(1), ..denial });
                None
            }
        }
    }

    /// Takes out what was gathered for a minute, to be written; forgets whoever was quiet meanwhile.
    pub fn gathered(&self, now: NaiveDateTime) -> Vec<Denial> {
        self.take(|gathering| now - gathering.since >= GATHERED, now)
    }

    /// Takes out everything that is not written yet.
    pub fn all(&self, now: NaiveDateTime) -> Vec<Denial> {
        self.take(|_| true, now)
    }

    fn take(&self, is_over: impl Fn(&Gathering) -> bool, now: NaiveDateTime) -> Vec<Denial> {
        let mut denials = Vec::new();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, gathering| {
            if !is_over(gathering) {
                return true;
            }
            gathering.since = now;
            let repeated = gathering.repeated.take();
            let goes_on = repeated.is_some();
            denials.extend(repeated);
            goes_on
        });
        denials
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> NaiveDateTime {
        NaiveDateTime::default() + TimeDelta::seconds(seconds)
    }

    fn budi() -> Actor {
        Actor { staff_id: Some(2), name: "Budi".into(), address: Some("192.0.2.1".into()) }
    }

    fn told(denials: &[Denial]) -> Vec<String> {
        denials.iter().map(Denial::summary).collect()
    }

    #[test]
    fn the_first_denial_is_written_at_once_and_a_flood_of_them_as_one_row_a_minute() {
        let denials = Denials::default();
        let count = |call, second| denials.count(&budi(), call, at(second)).map(|denial| denial.summary());
        assert_eq!(count("list_audit", 0), Some("list_audit".into()));
        assert_eq!(count("add_team_member", 0), Some("add_team_member".into()));
        for second in 1..60 {
            assert_eq!(count("list_audit", second), None);
            assert_eq!(told(&denials.gathered(at(second))), [""; 0]);
        }
        assert_eq!(told(&denials.gathered(at(60))), ["list_audit, 59 times"]);
        // It goes on: what follows is gathered for one more minute.
        assert_eq!((count("list_audit", 61), count("add_team_member", 61)), (None, Some("add_team_member".into())));
        assert_eq!(told(&denials.gathered(at(119))), [""; 0]);
        assert_eq!(told(&denials.gathered(at(121))), ["list_audit"]);
        // Nothing in a minute: the next one is a first one again.
        assert_eq!(told(&denials.gathered(at(181))), [""; 0]);
        assert_eq!(count("list_audit", 200), Some("list_audit".into()));
    }

    #[test]
    fn at_the_end_nothing_is_left_unwritten() {
        let denials = Denials::default();
        for _ in 0..3 {
            denials.count(&budi(), "list_audit", at(0));
        }
        assert_eq!(told(&denials.all(at(1))), ["list_audit, 2 times"]);
        assert_eq!(told(&denials.all(at(1))), [""; 0]);
    }
}
