//! What a mail may be: its provider and kind, its one recipient, when it is tried again, and how many staff may send. Pure.

use chrono::{NaiveDateTime, TimeDelta};
use unicode_normalization::char::is_combining_mark;
use url::Host;

use crate::config::Limits;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::text::{Email, is_unseen};
use crate::text_enum;

text_enum! {
    /// Who carries a mail. Staff choose; the other one never takes over by itself.
    pub enum Provider {
        Aws = "AWS",
        Sendgrid = "Sendgrid",
    }
}

impl Provider {
    /// Reads a provider's name without regard to case; AWS where none is named.
    pub fn read(typed: &str) -> Result<Self> {
        match typed.trim() {
            "" => Ok(Self::Aws),
            name => Self::ALL
                .iter()
                .copied()
                .find(|one| one.as_str().eq_ignore_ascii_case(name))
                .ok_or_else(|| Error::invalid("There is no such mail provider. Please choose AWS or Sendgrid")),
        }
    }
}

text_enum! {
    /// What a mail is about.
    pub enum MailKind {
        /// The visa is there.
        Approval = "approval",
        /// The same once more, because somebody asked for it.
        Resend = "resend",
        /// Where the visa can be downloaded.
        DownloadLink = "download link",
        /// The money goes back.
        Refund = "refund",
    }
}

impl MailKind {
    /// Whether the mail tells of the visa, and so may carry it.
    pub fn tells_of_visa(self) -> bool {
        matches!(self, Self::Approval | Self::Resend)
    }
}

text_enum! {
    /// How far a mail is.
    pub enum MailState {
        Queued = "queued",
        Sent = "sent",
        Failed = "failed",
        /// A provider may have taken it and may have not: nobody can tell, and a person decides.
        Unknown = "unknown",
    }
}

text_enum! {
    /// How a try to hand a mail over ended.
    pub enum Outcome {
        Accepted = "accepted",
        PutOff = "put off",
        Refused = "refused",
        /// The connection broke after the text had begun to go out.
        Unknown = "unknown",
    }
}

/// Exactly one address that a mail goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    email: Email,
    wire: lettre::Address,
}

impl Address {
    /// Reads one address, and refuses what is none or more than one.
    pub fn parse(typed: &str) -> Result<Self> {
        if typed.trim().is_empty() {
            return Err(Error::invalid("Please enter your email"));
        }
        let read = || {
            let email = Email::parse(typed).filter(|_| !typed.chars().any(is_unseen))?;
            let (local, domain) = email.as_str().split_once('@')?;
            // A domain beyond ASCII has a form in ASCII, and only that one travels everywhere.
            let Host::Domain(domain) = Host::parse(domain).ok()? else { return None };
            let wire = lettre::Address::new(local, domain).ok()?;
            let is_short = <lettre::Address as AsRef<str>>::as_ref(&wire).len() <= 254;
            is_short.then_some(Self { email, wire })
        };
        read().ok_or_else(|| Error::invalid("This is not one valid email address. Please check it"))
    }

    /// As a person writes it.
    pub fn as_str(&self) -> &str {
        self.email.as_str()
    }

    /// As it goes over the wire.
    pub fn wire(&self) -> &lettre::Address {
        &self.wire
    }

    /// Whether it is one of an order's own addresses.
    pub fn is_one_of<'a>(&self, own: impl IntoIterator<Item = &'a str>) -> bool {
        own.into_iter().filter_map(Email::parse).any(|own| own.key() == self.email.key())
    }
}

/// The most characters of a name in a greeting.
const MAX_GREETING_LEN: usize = 80;

/// How a mail greets somebody of that name: its letters, marks, spaces and `'-.`, and nothing that a mail program would make
/// a link of. None when no letter is left.
pub fn greeting(full_name: &str) -> Option<String> {
    let mut kept = String::new();
    for one in full_name.chars().map(|one| if one == '_' || one.is_whitespace() { ' ' } else { one }) {
        let one = if one == '\u{2019}' { '\'' } else { one };
        let is_part = one.is_alphabetic() || is_combining_mark(one) || " '-.".contains(one);
        let is_doubled = one == ' ' && (kept.is_empty() || kept.ends_with(' '));
        if !is_part || is_doubled {
            continue;
        }
        // `evil.com` is an address; `evil. com` is none.
        if kept.ends_with('.') && one != ' ' {
            kept.push(' ');
        }
        kept.push(one);
    }
    let kept: String = kept.chars().take(MAX_GREETING_LEN).collect();
    let kept = kept.trim_matches([' ', '-', '.', '\'']);
    kept.chars().any(char::is_alphabetic).then(|| kept.to_owned())
}

/// How a try ended, and what came before it.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub outcome: Outcome,
    /// This one included.
    pub tries: u32,
    /// Those of which nobody can tell whether the provider took the mail, this one included.
    pub unknowns: u32,
    /// Since the mail was queued.
    pub age: TimeDelta,
}

/// What becomes of a mail after a try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    Sent,
    /// Tried once more after that time.
    Again(TimeDelta),
    Failed,
    Unknown,
}

/// A mail of which nobody can tell whether it arrived is tried once more, and then left to a person; any other is tried until
/// `give_up`. `chance` is a random number from 0 to 1.
pub fn next(ended: Ended, give_up: TimeDelta, chance: f64) -> Next {
    let over = if ended.unknowns > 0 { Next::Unknown } else { Next::Failed };
    match ended.outcome {
        Outcome::Accepted => Next::Sent,
        Outcome::Refused => over,
        Outcome::Unknown if ended.unknowns > 1 => Next::Unknown,
        Outcome::PutOff | Outcome::Unknown if ended.age >= give_up => over,
        Outcome::PutOff | Outcome::Unknown => Next::Again(wait_after(ended.tries, chance)),
    }
}

/// What a mail that will not be tried again is shown with.
pub fn reason(outcome: Outcome, next: Next, give_up: TimeDelta, answer: &str) -> Option<String> {
    match (next, outcome) {
        (Next::Sent | Next::Again(_), _) => None,
        (Next::Failed, Outcome::PutOff) => Some(format!("Nobody took it for {} hours. {answer}", give_up.num_hours())),
        (Next::Failed, _) => Some(answer.to_owned()),
        (Next::Unknown, _) => Some(format!("It may have arrived: a try was cut off while it went out. {answer}")),
    }
}

/// The longest wait between two tries, in seconds.
const MAX_WAIT: u32 = 600;

/// One second after the first try, twice as long after each further one, up to ten minutes; up to a half of it is left to
/// chance, so that mails which were put off together do not come back together.
fn wait_after(tries: u32, chance: f64) -> TimeDelta {
    let seconds = 2_u32.checked_pow(tries.saturating_sub(1)).unwrap_or(MAX_WAIT).min(MAX_WAIT);
    let whole = TimeDelta::seconds(seconds.into());
    let kept = 1.0 - chance.clamp(0.0, 1.0) / 2.0;
    let milliseconds = (f64::from(seconds) * 1_000.0 * kept).round();
    #[expect(clippy::cast_possible_truncation, reason = "at most 600,000")]
    let wait = TimeDelta::milliseconds(milliseconds as i64);
    wait.clamp(TimeDelta::milliseconds(500), whole)
}

/// How long a mail counts against the limits.
pub const LIMITS_WINDOW: TimeDelta = TimeDelta::hours(1);
/// How long the same mail once more is taken for a second click.
pub const SAME_WITHIN: TimeDelta = TimeDelta::seconds(60);

/// When mails were queued within the last hour, the newest first.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    /// For the order, on somebody's request.
    pub of_order: Vec<NaiveDateTime>,
    /// By the member of staff, on request.
    pub by_member: Vec<NaiveDateTime>,
    /// By the member, to addresses that are not the order's.
    pub elsewhere: Vec<NaiveDateTime>,
}

/// Refuses a mail on request that is more than a limit allows.
pub fn check_limits(recent: &Recent, is_elsewhere: bool, limits: &Limits, now: NaiveDateTime) -> Result<()> {
    check_elsewhere(recent, is_elsewhere, limits, now)?;
    let order = "Many mails were sent for this order within the hour";
    check_one(&recent.of_order, limits.resends_per_order_and_hour, order, now)?;
    check_one(&recent.by_member, limits.mails_per_member_and_hour, "You sent many mails within the hour", now)
}

/// The part of [`check_limits`] that every mail must meet: strangers' addresses are few.
pub fn check_elsewhere(recent: &Recent, is_elsewhere: bool, limits: &Limits, now: NaiveDateTime) -> Result<()> {
    if !is_elsewhere {
        return Ok(());
    }
    let many = "You sent many mails to addresses that are not the orders' own within the hour";
    check_one(&recent.elsewhere, limits.mails_elsewhere_per_member_and_hour, many, now)
}

fn check_one(newest_first: &[NaiveDateTime], most: u32, what: &str, now: NaiveDateTime) -> Result<()> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if newest_first.len() < most {
        return Ok(());
    }
    // The last one that has to fall out of the hour before there is room.
    let frees = most.checked_sub(1).and_then(|place| newest_first.get(place));
    let wait = frees.map_or(LIMITS_WINDOW, |at| *at + LIMITS_WINDOW - now);
    let seconds = u64::try_from(wait.num_seconds()).unwrap_or(0).max(1);
    Err(Error::too_many(format!("{what}. Please wait {} minutes and try again", seconds.div_ceil(60)), seconds))
}

/// What is said of a mail that was queued. The same for a second click on the same.
pub fn on_its_way(address: &Address, provider: Provider) -> String {
    format!("The mail to {} is on its way through {provider}. Email History shows what became of it", address.as_str())
}

/// How the audit names a mail: by whom, to whom, and whether that is a stranger to the order.
pub fn audited(address: &Address, provider: Provider, is_elsewhere: bool) -> String {
    let remark = if is_elsewhere { " (not an address of the order)" } else { "" };
    format!("{provider}, to {}{remark}", address.as_str())
}

/// The applicant's number as `wa.me` wants it: digits with the country's prefix. None when they make no number.
pub fn whatsapp_number(country_code: Option<&str>, phone_number: Option<&str>) -> Option<String> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let typed = phone_number?.trim();
    let number = match (typed.strip_prefix('+').or_else(|| typed.strip_prefix("00")), country_code.map(digits)) {
        (Some(international), _) => digits(international),
        (None, Some(prefix)) if !prefix.is_empty() => {
            format!("{}{}", prefix.trim_start_matches('0'), digits(typed).trim_start_matches('0'))
        }
        _ => return None,
    };
    (8..=15).contains(&number.len()).then_some(number)
}

/// What staff may send by WhatsApp: the mail in two sentences.
pub fn whatsapp_text(full_name: &str, order_id: OrderId, is_issued: bool, track_url: &str) -> String {
    let hello = greeting(full_name).map_or_else(|| "Hello".to_owned(), |name| format!("Hello {name}"));
    let number = order_id.printed();
    let says = if is_issued {
        format!("your e-visa for order {number} is ready. Please download it here:")
    } else {
        format!("you can follow your e-visa application {number} here:")
    };
    format!("{hello}, {says} {track_url}")
}

#[cfg(test)]
mod tests;
