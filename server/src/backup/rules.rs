//! When the next backup is due, and when the last one is too old.

use chrono::TimeDelta;

use crate::timestamp::Timestamp;

/// An attempt that was not active for this long was killed.
pub const GONE_AFTER: TimeDelta = TimeDelta::minutes(5);

/// The pause after an attempt that failed.
const RETRY_AFTER: TimeDelta = TimeDelta::minutes(15);

/// An attempt to make a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedAttempt {
    pub id: i64,
    /// A folder, or `s3://BUCKET/PREFIX`.
    pub place: String,
    pub started_at: Timestamp,
    /// When the process that makes it was last known to work on it.
    pub active_at: Timestamp,
    pub encrypted: bool,
    /// The end of the attempt; `None` while the backup is being made, and for ever if its process was killed.
    pub ended: Option<AttemptEnd>,
}

/// The end of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptEnd {
    pub at: Timestamp,
    /// The backup, or why there is none.
    pub result: Result<Good, String>,
}

/// A finished backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Good {
    /// The name of its set.
    pub name: String,
    pub files: i64,
    /// The number of files that no earlier backup had.
    pub new_files: i64,
    /// Which files it lacks because they are missing here. Another attempt would lack them, too.
    pub fault: Option<String>,
}

impl RecordedAttempt {
    /// Returns true while a process is working on it.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.ended.is_none() && self.active_at > now - GONE_AFTER
    }

    /// Returns true if it became a backup.
    pub fn is_good(&self) -> bool {
        self.ended.as_ref().is_some_and(|ended| ended.result.is_ok())
    }
}

/// Returns true if a backup is due, after the attempts at the scheduled place: the last one, and the last one that became a backup.
pub fn is_due(
    last: Option<&RecordedAttempt>,
    last_good: Option<&RecordedAttempt>,
    every: TimeDelta,
    now: Timestamp,
) -> bool {
    let must_wait = last.is_some_and(|last| {
        last.is_active(now) || (last.ended.is_some() && !last.is_good() && last.started_at > now - RETRY_AFTER)
    });
    !must_wait && last_good.is_none_or(|good| good.started_at + every <= now)
}

/// Returns true if the last backup is older than two intervals of the schedule; without a schedule, than two days.
pub fn is_overdue(last_good: Option<Timestamp>, every: Option<TimeDelta>, now: Timestamp) -> bool {
    let every = every.unwrap_or(TimeDelta::days(1));
    last_good.is_none_or(|at| at + every + every < now)
}

/// The share of the sorted `names` that comes after `last`, and goes on at the beginning after the end. `runs` shares in turn are all
/// of them.
pub fn next_share(names: &[&String], last: &str, runs: u32) -> Vec<String> {
    let first = names.partition_point(|name| name.as_str() <= last);
    let share = names.len().div_ceil(runs.max(1) as usize);
    names[first..].iter().chain(&names[..first]).take(share).map(|name| (*name).clone()).collect()
}

/// An installation that was restored only to try a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsal {
    /// The name of the backup's set.
    pub backup_name: String,
    /// When the backup was made.
    pub taken_at: Timestamp,
}

impl Rehearsal {
    /// The text of the banner on every page.
    pub fn notice(&self) -> String {
        let taken_at = self.taken_at.format("%d-%m-%Y %H:%M UTC");
        format!("Rehearsal: this is the backup of {taken_at}. No mail is sent, and no change reaches the real desk.")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const DAY: TimeDelta = TimeDelta::days(1);

    fn attempt(minutes_ago: i64, ended: Option<Result<(), ()>>) -> RecordedAttempt {
        let at = Timestamp::EPOCH - TimeDelta::minutes(minutes_ago);
        let good = || Good { name: "2026-11-23T00-00-00-000Z".into(), files: 1, new_files: 0, fault: None };
        let ended =
            ended.map(|result| AttemptEnd { at, result: result.map(|()| good()).map_err(|()| "disk full".into()) });
        RecordedAttempt { id: 1, place: "/backups".into(), started_at: at, active_at: at, encrypted: false, ended }
    }

    fn due(last: &RecordedAttempt, last_good: Option<&RecordedAttempt>) -> bool {
        is_due(Some(last), last_good, DAY, Timestamp::EPOCH)
    }

    #[test]
    fn a_backup_is_due_at_first_and_one_interval_after_the_last_began() {
        assert!(is_due(None, None, DAY, Timestamp::EPOCH));
        let (young, old) = (attempt(24 * 60 - 1, Some(Ok(()))), attempt(24 * 60, Some(Ok(()))));
        assert!(!due(&young, Some(&young)) && due(&old, Some(&old)));
    }

    #[test]
    fn a_failed_attempt_is_repeated_after_a_quarter_of_an_hour() {
        let old = attempt(3_000, Some(Ok(())));
        assert!(!due(&attempt(14, Some(Err(()))), Some(&old)));
        assert!(due(&attempt(15, Some(Err(()))), Some(&old)) && due(&attempt(15, Some(Err(()))), None));
    }

    #[test]
    fn an_attempt_of_another_node_is_left_alone_until_its_process_is_gone() {
        assert!(!due(&attempt(4, None), None));
        assert!(due(&attempt(5, None), None));
    }

    #[test]
    fn a_backup_is_overdue_after_two_intervals_or_two_days() {
        let now = Timestamp::EPOCH;
        let ago = |hours| Some(now - TimeDelta::hours(hours));
        assert!(is_overdue(None, None, now) && is_overdue(None, Some(DAY), now));
        assert!(!is_overdue(ago(48), None, now) && is_overdue(ago(49), None, now));
        assert!(
            !is_overdue(ago(12), Some(TimeDelta::hours(6)), now) && is_overdue(ago(13), Some(TimeDelta::hours(6)), now)
        );
    }

    #[test]
    fn the_shares_of_as_many_backups_as_configured_are_all_names() {
        let names: Vec<String> = (0..10).map(|number| format!("files/{number}")).collect();
        let names: Vec<&String> = names.iter().collect();
        for runs in [1, 3, 10, 30] {
            let (mut seen, mut last) = (BTreeSet::new(), "files/6".to_owned());
            for _ in 0..runs {
                let share = next_share(&names, &last, runs);
                assert!(share.len() <= 10_usize.div_ceil(runs as usize), "{runs}: {share:?}");
                last = share.last().expect("names are left").clone();
                seen.extend(share);
            }
            assert_eq!(seen.len(), 10, "{runs}");
        }
        assert_eq!(next_share(&[], "files/6", 30), [""; 0]);
    }
}
