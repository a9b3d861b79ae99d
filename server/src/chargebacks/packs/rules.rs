//! The rules that both packs share: how much each shows, and how facts are worded. Pure.
//!
//! - `rules/position.rs`: the letter's one sentence. `rules/letter.rs`: Defence Pack 1, with `rules/exhibits.rs`. `rules/mails.rs`: Defence Pack 2.
//! - `rules/evidence.rs`: which evidence there is and which is missing.
//! - `rules/wording.rs`: how instants, money, names and texts are written in a pack.

pub mod evidence;
pub mod exhibits;
pub mod letter;
pub mod mails;
pub mod position;
pub mod wording;
use chrono::TimeDelta;
use chrono_tz::Tz;
use serde::Serialize;

use super::errors::PackError;
use super::facts::PackFacts;
use crate::documents::kinds::VISA;
use crate::ids::OrderId;
use crate::mail::rules::{MailKind, ShownState};
use crate::mail::store::MailEntry;
use crate::orders::status::ProcessStatus;
use crate::pdf::Pdf;
use crate::text::without_case;
use crate::timestamp::Timestamp;

/// The type of a pack: one of the two (spec §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackType {
    /// Defence Pack 1: the letter, with the history of downloads.
    Letter,
    /// Defence Pack 2: the history of emails.
    Mails,
}

impl PackType {
    pub const ALL: [Self; 2] = [Self::Letter, Self::Mails];

    /// The pack of that number.
    pub fn of(number: i32) -> Result<Self, PackError> {
        let found = Self::ALL.into_iter().find(|one| one.number() == number);
        found.ok_or(PackError::UnknownPackType)
    }

    pub fn number(self) -> i32 {
        match self {
            Self::Letter => 1,
            Self::Mails => 2,
        }
    }

    pub fn title(self) -> String {
        format!("Defence Pack {}", self.number())
    }

    /// The most pages: 10 and 8, so that both together stay below the 19 of the strictest network.
    pub fn max_pages(self) -> usize {
        match self {
            Self::Letter => 10,
            Self::Mails => 8,
        }
    }
}

/// The most bytes of a pack: American Express accepts no more from small merchants.
pub const MAX_BYTES: usize = 1_000_000;

/// The most characters of a file name before the dot: Mastercom accepts no more, and only letters and digits.
const MAX_FILE_NAME_LEN: usize = 16;

/// The file name of a pack: `DP1100001.pdf`. An order id that is too long is written in base 36, after an X.
pub fn file_name(pack_type: PackType, order_id: OrderId) -> String {
    let plain = format!("DP{}{order_id}", pack_type.number());
    if plain.len() <= MAX_FILE_NAME_LEN {
        return format!("{plain}.pdf");
    }
    let (mut rest, mut digits) = (order_id.0.unsigned_abs(), Vec::new());
    while rest > 0 {
        digits.push(char::from_digit(u32::try_from(rest % 36).unwrap_or(0), 36).unwrap_or('0').to_ascii_uppercase());
        rest /= 36;
    }
    format!("DP{}X{}.pdf", pack_type.number(), digits.iter().rev().collect::<String>())
}

/// The time in which the packs of an order are counted.
pub const PACKS_DAY: TimeDelta = TimeDelta::hours(24);

/// Refuses a further pack of an order. `newest_first` are the times of the order's last `most` packs.
pub fn check_day(newest_first: &[Timestamp], most: u32, now: Timestamp) -> Result<(), PackError> {
    let of_day = newest_first.iter().filter(|at| **at > now - PACKS_DAY).count();
    match newest_first.last() {
        Some(oldest) if u32::try_from(of_day).is_ok_and(|of_day| of_day >= most) => {
            let wait = (*oldest + PACKS_DAY - now).num_seconds();
            Err(PackError::TooManyPacksForOrder { most, seconds: u64::try_from(wait).unwrap_or(0).max(1) })
        }
        _ => Ok(()),
    }
}

/// The limits of what a pack shows. A pack that does not fit its pages is typeset again with the next smaller limits.
#[derive(Clone, Copy, Debug)]
pub struct PackLimits {
    /// Events of the letter's timeline.
    pub events: usize,
    /// Rows of the history of downloads, and emails.
    pub rows: usize,
    /// Rows of other tables.
    pub few: usize,
    /// Attempts shown of one email.
    pub attempts: usize,
    /// Characters of one fact.
    pub line: usize,
    /// Characters of a longer text: the terms, a provider's answer, the summary of a contact.
    pub long: usize,
    /// Characters of an email's text.
    pub text: usize,
}

/// From the usual limits to those that fit any input.
pub const LIMITS: [PackLimits; 5] = [
    PackLimits { events: 12, rows: 40, few: 20, attempts: 3, line: 110, long: 320, text: 2_000 },
    PackLimits { events: 10, rows: 32, few: 14, attempts: 2, line: 90, long: 220, text: 1_200 },
    PackLimits { events: 8, rows: 24, few: 10, attempts: 2, line: 70, long: 160, text: 800 },
    PackLimits { events: 6, rows: 16, few: 6, attempts: 1, line: 48, long: 110, text: 400 },
    PackLimits { events: 4, rows: 8, few: 4, attempts: 1, line: 30, long: 60, text: 200 },
];

/// The context that a pack is rendered in.
#[derive(Clone, Debug)]
pub struct RenderContext {
    /// UTC, to the second.
    pub at: Timestamp,
    /// The agency's zone: every day that a pack shows without a time is a calendar day in it.
    pub zone: Tz,
    /// The member who makes it: name and type.
    pub by: String,
    /// The agency's name in its emails.
    pub agency: String,
    /// The sentence that customers accept at checkout; empty if the configuration has none.
    pub terms_text: String,
    /// The applicant's passport number, which people also type into remarks and emails. Empty if unknown.
    pub document_number: String,
    pub limits: PackLimits,
    /// Pieces of text that the fonts cannot show.
    pub not_shown: Vec<String>,
}

/// The footer of every page.
#[derive(Clone, Debug, Serialize)]
pub struct Foot {
    pub order: String,
    pub title: String,
    pub made: String,
    pub by: String,
    /// Digest of the facts; empty while they are rendered.
    pub sha256: String,
}

/// The delivery of the service, by our records.
#[derive(Clone, Debug, Default)]
pub struct DeliveryRecord<'a> {
    /// When the application was submitted to the government.
    pub submitted_at: Option<Timestamp>,
    pub issued_at: Option<Timestamp>,
    /// The first email about the visa that its provider accepted.
    pub mail: Option<&'a MailEntry>,
    pub downloads: i64,
    pub from_purchase: i64,
    pub first_download: Option<Timestamp>,
    pub last_download: Option<Timestamp>,
}

impl<'a> DeliveryRecord<'a> {
    pub fn of(facts: &'a PackFacts) -> Self {
        let submitted = facts.status_changes.iter().find(|(_, status)| *status == ProcessStatus::AwaitingGovt);
        let downloads = &facts.downloads;
        Self {
            submitted_at: submitted.map(|(at, _)| *at),
            issued_at: facts.files.iter().find(|file| file.kind == VISA).map(|file| file.created_at),
            mail: facts
                .mails
                .iter()
                .find(|entry| announces_visa(entry) && is_sent(entry) && goes_to_customer(entry, facts)),
            downloads: downloads.total,
            from_purchase: downloads.from_purchase,
            first_download: downloads.first.first().map(|(download, _)| download.created_at),
            last_download: downloads.last.first().map(|(download, _)| download.created_at),
        }
    }
}

fn kind_of(entry: &MailEntry) -> Option<MailKind> {
    MailKind::parse(&entry.mail.kind)
}

fn is_about_visa(entry: &MailEntry) -> bool {
    matches!(kind_of(entry), Some(MailKind::Approval | MailKind::Resend | MailKind::DownloadLink))
}

/// The email carried the visa or led to it: one that was sent before there was a visa names none.
fn announces_visa(entry: &MailEntry) -> bool {
    is_about_visa(entry) && entry.file.is_some()
}

/// The email went to an address of the order.
fn goes_to_customer(entry: &MailEntry, facts: &PackFacts) -> bool {
    let is = |address: &str| without_case(address) == without_case(&entry.mail.recipient);
    is(&facts.order.contact_email_address) || facts.application.account_email.as_deref().is_some_and(is)
}

/// Its provider accepted it.
fn is_sent(entry: &MailEntry) -> bool {
    entry.mail.shown_state() == ShownState::Sent
}

/// Returns the numbers of the first and of the last of `total` rows that are shown, if at most `most` are: always some of both.
pub fn ends(total: usize, most: usize) -> (usize, usize) {
    if total <= most { (total, 0) } else { (most - most / 2, most / 2) }
}

/// The email about the refund, unless it was corrected: then the first one after the correction.
pub fn refund_notice(mails: &[MailEntry]) -> Option<&MailEntry> {
    let correction = mails.iter().rposition(|entry| kind_of(entry) == Some(MailKind::RefundCorrection));
    let mut since = mails.iter().skip(correction.map_or(0, |place| place + 1));
    since.find(|entry| kind_of(entry) == Some(MailKind::Refund) && is_sent(entry))
}

/// The emails whose text is shown: the first and the last about the visa, and the one about the refund.
pub fn decisive(mails: &[MailEntry]) -> Vec<i64> {
    let about_visa = || mails.iter().filter(|entry| announces_visa(entry) && is_sent(entry));
    let refund = refund_notice(mails);
    let mut ids: Vec<i64> = [about_visa().next(), about_visa().next_back(), refund]
        .into_iter()
        .flatten()
        .map(|entry| entry.mail.mail_id)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The label at the end of the letter in its template. It must be on the first page.
pub const LETTER_END: &str = "letter-end";

/// Returns true if a typeset pack is small enough, with its letter on one page.
pub fn fits(pack_type: PackType, pdf: &Pdf) -> bool {
    let letter_ends = pdf.label_pages.get(LETTER_END).copied().unwrap_or(1);
    pdf.pages <= pack_type.max_pages() && pdf.content.len() < MAX_BYTES && letter_ends == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_at_most_sixteen_letters_and_digits() {
        for (order_id, name) in [
            (100_001, "DP1100001.pdf"),
            (9_999_999_999_999, "DP19999999999999.pdf"),
            (10_000_000_000_000, "DP1X3JLXPT2PS.pdf"),
            (9_007_199_254_740_991, "DP1X2GOSA7PA2GV.pdf"),
        ] {
            let found = file_name(PackType::Letter, OrderId(order_id));
            assert_eq!(found, name);
            let stem = found.strip_suffix(".pdf").unwrap();
            assert!(stem.len() <= 16 && stem.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{stem}");
        }
        assert_eq!(file_name(PackType::Mails, OrderId(100_001)), "DP2100001.pdf");
    }

    #[test]
    fn a_further_pack_waits_until_the_oldest_of_the_day_is_a_day_old() {
        let now = Timestamp::EPOCH + TimeDelta::days(400);
        let made = [1, 5, 23].map(|hours| now - TimeDelta::hours(hours));
        assert!(check_day(&made, 4, now).is_ok() && check_day(&[], 3, now).is_ok());
        let refused = check_day(&made, 3, now);
        assert!(matches!(refused, Err(PackError::TooManyPacksForOrder { most: 3, seconds: 3_600 })), "{refused:?}");
        assert!(check_day(&made, 3, now + TimeDelta::hours(1)).is_ok());
    }

    #[test]
    fn the_first_and_the_last_of_a_long_list_are_always_shown() {
        assert_eq!([0, 1, 40, 41, 2_000].map(|total| ends(total, 40)), [(0, 0), (1, 0), (40, 0), (20, 20), (20, 20)]);
        assert_eq!(ends(9, 5), (3, 2));
    }

    #[test]
    fn both_packs_together_stay_below_what_the_strictest_network_takes() {
        assert!(PackType::ALL.map(PackType::max_pages).iter().sum::<usize>() < 19);
        for unknown in [0, 3] {
            assert!(matches!(PackType::of(unknown), Err(PackError::UnknownPackType)), "{unknown}");
        }
    }
}
