//! The groups of orders on the home screen, the reason for each, and the members who see them. Pure.

use chrono::TimeDelta;

use crate::mail::rules::MailState;
use crate::orders::rules::{Folder, may_list};
use crate::staff::rules::StaffType;
use crate::text::counted;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// A group of orders that need a member of staff.
    pub enum Group {
        /// Priority orders without an owner.
        Priority = "priority",
        /// Open disputes.
        Disputes = "disputes",
        /// Orders whose newest email failed or may not have arrived.
        Emails = "emails",
        /// Orders in work that no member of staff has touched for three days.
        Untouched = "untouched",
    }
}

/// An order in work is untouched after this time without a change by a member of staff.
pub const UNTOUCHED_AFTER: TimeDelta = TimeDelta::days(3);

/// Emails queued within this time are listed. Applicants have asked about older ones long ago.
pub const EMAILS_OF: TimeDelta = TimeDelta::days(30);

/// A priority order that waits this long is urgent.
const URGENT_AFTER: TimeDelta = TimeDelta::hours(1);

/// Members of that type may see the numbers about all orders: those who may list Order History.
pub fn may_see_numbers(who: StaffType) -> bool {
    may_list(who, Folder::All)
}

/// Members of that type may see the sums of payments: Admins and Managers, who see the other reports as files.
pub fn may_see_sums(who: StaffType) -> bool {
    matches!(who, StaffType::Admin | StaffType::Manager)
}

/// The folder that shows the orders of a group to members of that type.
pub fn folder_of_group(group: Group, who: StaffType) -> Folder {
    let all = if may_list(who, Folder::All) { Folder::All } else { Folder::My };
    match group {
        Group::Priority => Folder::Priority,
        Group::Disputes => Folder::ChargeBack,
        Group::Emails | Group::Untouched => all,
    }
}

/// Why an order is listed, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionReason {
    pub text: String,
    pub is_urgent: bool,
}

/// Of a priority order without an owner, received at `since`.
pub fn waits(since: Timestamp, now: Timestamp) -> AttentionReason {
    let waited = now - since;
    AttentionReason { text: format!("Waiting {}", duration(waited)), is_urgent: waited >= URGENT_AFTER }
}

/// Of an open dispute, by the days to its working deadline.
pub fn is_due(days_left: i64) -> AttentionReason {
    let text = match days_left {
        ..0 => format!("Overdue by {}", counted(-days_left, "day")),
        0 => "Due today".to_owned(),
        _ => format!("{} left", counted(days_left, "day")),
    };
    AttentionReason { text, is_urgent: days_left <= 2 }
}

/// Of an email that did not surely arrive.
pub fn is_not_sent(state: MailState) -> AttentionReason {
    let is_failed = state == MailState::Failed;
    AttentionReason {
        text: if is_failed { "Not sent" } else { "May not have arrived" }.to_owned(),
        is_urgent: is_failed,
    }
}

/// Of an order that was last touched at `since`.
pub fn is_untouched(since: Timestamp, now: Timestamp) -> AttentionReason {
    let untouched = now - since;
    let is_urgent = untouched >= TimeDelta::days(7);
    AttentionReason { text: format!("Untouched for {}", counted(untouched.num_days(), "day")), is_urgent }
}

/// Two units at most: `40 min`, `2 h 10 min`, `3 days`.
fn duration(time: TimeDelta) -> String {
    let minutes = time.num_minutes().max(0);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours @ 1..48, minutes) => format!("{hours} h {minutes:02} min"),
        (hours, _) => counted(hours / 24, "day"),
    }
}

/// The median: of an even number of values, the mean of the middle two.
pub fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    if values.len() % 2 == 1 { Some(upper) } else { values.get(middle - 1).map(|lower| lower.midpoint(upper)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::EPOCH + TimeDelta::minutes(minutes)
    }

    #[test]
    fn a_reason_says_how_long_and_whether_it_is_urgent() {
        let reason = |text: &str, is_urgent| AttentionReason { text: text.to_owned(), is_urgent };
        assert_eq!(waits(at(0), at(59)), reason("Waiting 59 min", false));
        assert_eq!(waits(at(0), at(130)), reason("Waiting 2 h 10 min", true));
        assert_eq!(waits(at(0), at(48 * 60)), reason("Waiting 2 days", true));
        assert_eq!(waits(at(9), at(0)), reason("Waiting 0 min", false), "the clocks of two nodes may differ");
        assert_eq!(is_due(-3), reason("Overdue by 3 days", true));
        assert_eq!(is_due(0), reason("Due today", true));
        assert_eq!(is_due(1), reason("1 day left", true));
        assert_eq!(is_due(3), reason("3 days left", false));
        assert_eq!(is_untouched(at(0), at(3 * 24 * 60)), reason("Untouched for 3 days", false));
        assert_eq!(is_untouched(at(0), at(7 * 24 * 60)), reason("Untouched for 7 days", true));
        assert_eq!(is_not_sent(MailState::Failed), reason("Not sent", true));
        assert_eq!(is_not_sent(MailState::Unknown), reason("May not have arrived", false));
    }

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_the_middle_two() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![5]), Some(5));
        assert_eq!(median(vec![9, 1, 5]), Some(5));
        assert_eq!(median(vec![8, 1, 9, 4]), Some(6));
    }

    #[test]
    fn only_admins_and_managers_see_sums_and_all_but_telecallers_see_numbers() {
        let types = |may: fn(StaffType) -> bool| {
            StaffType::ALL.iter().copied().filter(move |who| may(*who)).collect::<Vec<_>>()
        };
        assert_eq!(types(may_see_sums), [StaffType::Admin, StaffType::Manager]);
        assert!(!types(may_see_numbers).contains(&StaffType::Telecaller) && types(may_see_numbers).len() == 4);
        for who in StaffType::ALL {
            for group in Group::ALL {
                assert!(may_list(*who, folder_of_group(*group, *who)), "{who} {group}");
            }
        }
    }
}
