//! The states of papers and of what applicants are asked for, the languages of applicants, and when they are reminded. Pure.

use chrono::TimeDelta;

use crate::orders::rules::country::Country;
use crate::orders::status::ProcessStatus;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The known state of a paper of an order.
    pub enum PaperState {
        /// The order has no such file.
        Missing = "missing",
        /// The order has it, and nobody has said what it is like.
        Received = "received",
        Fine = "fine",
        Unreadable = "unreadable",
        Wrong = "wrong",
        Expired = "expired",
    }
}

impl PaperState {
    /// Returns true if the applicant has to send the paper, or another one.
    pub fn is_to_be_asked_for(self) -> bool {
        matches!(self, Self::Missing | Self::Unreadable | Self::Wrong | Self::Expired)
    }
}

text_enum! {
    /// The state of a paper that an applicant was asked for.
    pub enum ItemState {
        /// Nothing was sent yet.
        Asked = "asked",
        /// A file was sent and is being checked.
        Checking = "checking",
        /// The check found faults, which the applicant sees.
        Look = "look",
        /// It was received.
        In = "in",
    }
}

text_enum! {
    /// The way in which a request ended.
    pub enum RequestEnd {
        /// Everything was received.
        Complete = "complete",
        /// Staff took it back, or moved the order on.
        Withdrawn = "withdrawn",
    }
}

text_enum! {
    /// A fault, found by a check, that the applicant can correct with another file.
    pub enum PaperFault {
        /// The machine-readable lines of the passport are not in the picture, or cannot be found.
        LinesNotFound = "lines_not_found",
        /// The file cannot be opened.
        CannotOpen = "cannot_open",
        /// The passport is not valid long enough for the trip.
        ExpiresTooEarly = "expires_too_early",
        /// The picture has too few pixels.
        TooSmall = "too_small",
        NotColour = "not_colour",
        Blurred = "blurred",
        BackgroundUneven = "background_uneven",
    }
}

impl PaperFault {
    /// Returns the state that a member would set for the paper, and the code of a reason.
    pub fn suggestion(self) -> (PaperState, &'static str) {
        match self {
            Self::LinesNotFound => (PaperState::Unreadable, "lines_cut_off"),
            Self::CannotOpen => (PaperState::Unreadable, "cannot_open"),
            Self::Blurred => (PaperState::Unreadable, "blurred"),
            Self::ExpiresTooEarly => (PaperState::Expired, "expires_too_early"),
            Self::TooSmall => (PaperState::Wrong, "too_small"),
            Self::NotColour => (PaperState::Wrong, "not_colour"),
            Self::BackgroundUneven => (PaperState::Wrong, "background"),
        }
    }
}

text_enum! {
    /// A language of the applicants' pages and of what they are asked for.
    pub enum Language {
        English = "en",
        Indonesian = "id",
        ChineseSimplified = "zh-Hans",
        ChineseTraditional = "zh-Hant",
        Hindi = "hi",
        Arabic = "ar",
        Japanese = "ja",
        Korean = "ko",
        French = "fr",
        German = "de",
        Spanish = "es",
        Russian = "ru",
    }
}

impl Language {
    /// The language that applicants of a nationality most likely read; English where many are read, or none of ours.
    pub fn of_nationality(nationality: Option<&str>) -> Self {
        match Country::read(nationality).and_then(|country| country.code()).unwrap_or_default() {
            "IDN" => Self::Indonesian,
            "CHN" => Self::ChineseSimplified,
            "TWN" | "HKG" | "MAC" => Self::ChineseTraditional,
            "JPN" => Self::Japanese,
            "KOR" | "PRK" => Self::Korean,
            "RUS" | "BLR" | "KAZ" | "KGZ" => Self::Russian,
            "DEU" | "AUT" | "LIE" => Self::German,
            "FRA" | "MCO" | "SEN" | "CIV" => Self::French,
            "ESP" | "MEX" | "ARG" | "CHL" | "COL" | "PER" | "ECU" | "VEN" | "URY" | "PRY" | "BOL" | "CRI" | "CUB"
            | "DOM" | "SLV" | "GTM" | "HND" | "NIC" | "PAN" => Self::Spanish,
            "SAU" | "ARE" | "EGY" | "JOR" | "KWT" | "QAT" | "BHR" | "OMN" | "IRQ" | "LBN" | "SYR" | "YEM" | "LBY"
            | "DZA" | "MAR" | "TUN" | "SDN" | "PSE" => Self::Arabic,
            _ => Self::English,
        }
    }

    /// Returns true if it is written from right to left.
    pub fn is_right_to_left(self) -> bool {
        self == Self::Arabic
    }
}

/// Returns true if applicants of an order with that status are asked for papers: it is in work, and not delivered or disputed.
pub fn may_ask(status: ProcessStatus, had_visa_or_dispute: bool) -> bool {
    status.may_request_documents() && !had_visa_or_dispute
}

/// Where an order goes back to that is asked about: where it is. If it waits for its applicant already, where an earlier request came from;
/// without one, `before`, its last status before it waited, unless that was final.
pub fn former_status(
    status: ProcessStatus,
    requested_from: Option<ProcessStatus>,
    before: Option<ProcessStatus>,
) -> ProcessStatus {
    if !status.waits_for_applicant() {
        return status;
    }
    requested_from.or(before).filter(|before| !before.is_final()).unwrap_or(ProcessStatus::New)
}

/// The step that follows for a request at the moment that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The next reminder.
    Remind,
    /// A telecaller calls the applicant.
    Call,
}

/// Returns the step that follows after `reminders` reminders.
pub fn next_step(reminders: usize, reminder_days: &[u32]) -> NextStep {
    if reminders < reminder_days.len() { NextStep::Remind } else { NextStep::Call }
}

/// When the step after `reminders` reminders is due. Days count from the asking; the call follows the last reminder as late as that one
/// followed the one before it.
pub fn due_at(asked_at: Timestamp, reminders: usize, reminder_days: &[u32]) -> Timestamp {
    let days = match reminder_days.get(reminders) {
        Some(days) => *days,
        None => {
            let last = reminder_days.last().copied().unwrap_or(0);
            let before = reminder_days.len().checked_sub(2).map_or(0, |place| reminder_days[place]);
            last.saturating_add(last.saturating_sub(before).max(1))
        }
    };
    asked_at + TimeDelta::days(days.into())
}

/// The shortest time between two mails to one address, unless a person sends the second one.
pub const BETWEEN_MAILS: TimeDelta = TimeDelta::hours(24);

/// The most files that an applicant sends for one item.
pub const MAX_UPLOADS: i32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_follow_after_their_days_and_a_call_after_the_last() {
        let days = [2, 5, 10];
        let after = |reminders| (due_at(Timestamp::EPOCH, reminders, &days) - Timestamp::EPOCH).num_days();
        assert_eq!([0, 1, 2, 3].map(after), [2, 5, 10, 15]);
        assert_eq!(
            [0, 2, 3].map(|reminders| next_step(reminders, &days)),
            [NextStep::Remind, NextStep::Remind, NextStep::Call]
        );
        assert_eq!(
            (next_step(0, &[]), (due_at(Timestamp::EPOCH, 0, &[]) - Timestamp::EPOCH).num_days()),
            (NextStep::Call, 1)
        );
        assert_eq!((due_at(Timestamp::EPOCH, 1, &[3]) - Timestamp::EPOCH).num_days(), 6);
    }

    #[test]
    fn an_order_is_asked_about_while_it_is_in_work() {
        let asked = |status| may_ask(status, false);
        let in_work: Vec<_> = ProcessStatus::ALL.iter().copied().filter(|status| asked(*status)).collect();
        use ProcessStatus::{Awaiting, AwaitingGovt, ContactCustomer, CustomerCalled, Future, New};
        assert_eq!(in_work, [New, Future, Awaiting, AwaitingGovt, ContactCustomer, CustomerCalled]);
        assert!(!may_ask(New, true));
    }

    #[test]
    fn a_nationality_suggests_a_language() {
        let of = |nationality| Language::of_nationality(Some(nationality));
        assert_eq!(
            [of("Japan"), of("austria"), of("CHN"), of("Taiwan"), of("Egypt")].map(Language::as_str),
            ["ja", "de", "zh-Hans", "zh-Hant", "ar"]
        );
        assert_eq!([of("India"), of("Atlantis"), of("")], [Language::English; 3]);
    }
}
