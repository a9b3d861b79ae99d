//! The rules of mail: provider and kind, the recipient, when an attempt is repeated, and how many mails staff may send. Pure.

use chrono::TimeDelta;
use unicode_normalization::char::is_combining_mark;
use url::Host;

use super::errors::{ElsewhereLimit, MailError, MailLimits};
use crate::characters::is_unseen;
use crate::config::{self, Limits};
use crate::email::Email;
use crate::error::Permission;
use crate::ids::OrderId;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The provider that delivers a mail. Staff choose it; the other provider never takes over by itself.
    pub enum Provider {
        Aws = "AWS",
        Sendgrid = "Sendgrid",
    }
}

impl Provider {
    /// The provider of mails for which none was chosen: AWS, unless only Sendgrid is configured.
    pub fn configured(mail: &config::MailSettings) -> Self {
        if Self::Aws.is_available(mail) { Self::Aws } else { Self::Sendgrid }
    }

    /// The provider of a mail that follows one through `former`: the same if it is still available.
    pub fn again(former: Option<Self>, mail: &config::MailSettings) -> Self {
        former.filter(|former| former.is_available(mail)).unwrap_or_else(|| Self::configured(mail))
    }

    /// Mails can be sent through it: it is configured, or none is, and mails are written to files.
    pub fn is_available(self, mail: &config::MailSettings) -> bool {
        let url = match self {
            Self::Aws => &mail.aws,
            Self::Sendgrid => &mail.sendgrid,
        };
        !url.is_empty() || (mail.aws.is_empty() && mail.sendgrid.is_empty())
    }

    /// Reads a provider's name, in any case. Empty: the configured one.
    ///
    /// # Errors
    /// If there is no such provider, or it is not configured while the other one is.
    pub fn read(typed: &str, mail: &config::MailSettings) -> Result<Self, MailError> {
        let name = typed.trim();
        if name.is_empty() {
            return Ok(Self::configured(mail));
        }
        let named = Self::ALL.iter().copied().find(|provider| provider.as_str().eq_ignore_ascii_case(name));
        let provider = named.ok_or(MailError::UnknownMailProvider)?;
        if provider.is_available(mail) {
            Ok(provider)
        } else {
            Err(MailError::MailProviderNotConfigured(provider.as_str()))
        }
    }
}

/// The actions that members cannot take because a provider is not configured, in a sentence for the operator; none if both are.
pub fn missing_provider(mail: &config::MailSettings) -> Option<String> {
    let missing = Provider::ALL.iter().find(|provider| !provider.is_available(mail));
    match missing {
        Some(provider) => Some(format!("{provider} is not set up, so members cannot send emails through it")),
        None if mail.aws.is_empty() => {
            Some("mail.aws and mail.sendgrid are empty, so emails are only written to files".to_owned())
        }
        None => None,
    }
}

text_enum! {
    /// The topic of a mail.
    pub enum MailKind {
        /// The visa has been issued.
        Approval = "approval",
        /// The approval once more, on request.
        Resend = "resend",
        /// Where the visa can be downloaded.
        DownloadLink = "download link",
        /// The money goes back.
        Refund = "refund",
        /// The mail about the refund was wrong.
        RefundCorrection = "refund correction",
        /// The order has another contact address now; this one is no longer used.
        AddressChanged = "address changed",
        /// The papers that the applicant has to send.
        PapersAsked = "papers asked",
        /// The same once more.
        PapersReminder = "papers reminder",
        /// A code that confirms the order, for its applicant.
        TrackingCode = "tracking code",
    }
}

impl MailKind {
    /// Returns true if the mail asks the applicant for papers, in the applicant's language.
    pub fn asks_for_papers(self) -> bool {
        matches!(self, Self::PapersAsked | Self::PapersReminder)
    }

    /// The mail leads to the order's page, which a deleted order does not have. The email about a refund is sent without the link then.
    pub fn links_to_order(self) -> bool {
        match self {
            Self::Approval
            | Self::Resend
            | Self::DownloadLink
            | Self::PapersAsked
            | Self::PapersReminder
            | Self::TrackingCode => true,
            Self::Refund | Self::RefundCorrection | Self::AddressChanged => false,
        }
    }

    /// Returns true if the mail is about the visa, and so may have it attached.
    pub fn is_about_visa(self) -> bool {
        matches!(self, Self::Approval | Self::Resend)
    }
}

text_enum! {
    /// The state of a mail.
    pub enum MailState {
        Queued = "queued",
        Sent = "sent",
        Failed = "failed",
        /// A provider may or may not have taken it. Staff decide whether to send it again.
        Unknown = "unknown",
    }
}

text_enum! {
    /// The state of a mail, as people see it.
    pub enum ShownState {
        Queued = "queued",
        Sent = "sent",
        Failed = "failed",
        Unknown = "unknown",
        /// It was stopped before it was sent. It is stored as failed, which releases before this one can read.
        Stopped = "stopped",
        /// It was written to a file, because no provider is configured. It is stored as sent, which releases before this one can read.
        Written = "written",
    }
}

impl ShownState {
    /// The state of a mail by what is stored of it.
    pub fn of(state: MailState, stopped_at: Option<Timestamp>, in_file: bool) -> Self {
        match state {
            MailState::Queued => Self::Queued,
            MailState::Sent if in_file => Self::Written,
            MailState::Sent => Self::Sent,
            MailState::Failed if stopped_at.is_some() => Self::Stopped,
            MailState::Failed => Self::Failed,
            MailState::Unknown => Self::Unknown,
        }
    }
}

text_enum! {
    /// The outcome of an attempt to send a mail.
    pub enum Outcome {
        Accepted = "accepted",
        PutOff = "put off",
        Refused = "refused",
        /// The connection broke after the text had begun to go out.
        Unknown = "unknown",
    }
}

/// The one recipient of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    email: Email,
    wire: lettre::Address,
}

impl Address {
    /// Parses exactly one address.
    pub fn parse(typed: &str) -> Result<Self, MailError> {
        if typed.trim().is_empty() {
            return Err(MailError::RecipientMissing);
        }
        let read = || {
            let email = Email::parse(typed).filter(|_| !typed.chars().any(is_unseen))?;
            let (local, domain) = email.parts();
            // A domain beyond ASCII has a form in ASCII, and only that one travels everywhere.
            let Host::Domain(domain) = Host::parse(domain).ok()? else { return None };
            // SMTP wants quotes around dots at places where docomo gave them out (RFC 5321, section 4.1.2).
            let quoted = || lettre::Address::new(format!("\"{local}\""), &domain);
            let wire = lettre::Address::new(local, &domain).or_else(|_| quoted()).ok()?;
            let is_short = <lettre::Address as AsRef<str>>::as_ref(&wire).len() <= 254;
            is_short.then_some(Self { email, wire })
        };
        read().ok_or(MailError::InvalidRecipient)
    }

    /// As a person writes it.
    pub fn as_str(&self) -> &str {
        self.email.as_str()
    }

    /// As it goes over the wire.
    pub fn wire(&self) -> &lettre::Address {
        &self.wire
    }

    /// Returns true if it is one of an order's own addresses.
    pub fn is_one_of<'a>(&self, own: impl IntoIterator<Item = &'a str>) -> bool {
        own.into_iter().filter_map(Email::parse).any(|own| own.key() == self.email.key())
    }
}

/// The most characters of a name in a greeting.
const MAX_GREETING_LEN: usize = 80;

/// The name as a greeting shows it: its letters, marks, spaces and `'-.`, and nothing that a mail program would turn into a link.
/// None if no letter is left.
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

/// The outcome of an attempt, and the attempts before it.
#[derive(Clone, Copy, Debug)]
pub struct EndedAttempt {
    pub outcome: Outcome,
    /// This one included.
    pub attempts: u32,
    /// Attempts after which the provider may or may not have taken the mail, this one included.
    pub unknowns: u32,
    /// Since the mail was queued.
    pub age: TimeDelta,
}

/// The step that follows an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    Sent,
    /// Another attempt follows after that time.
    Again(TimeDelta),
    Failed,
    Unknown,
}

/// Decides what follows an attempt. A mail that may have been delivered is attempted once more and then left to staff; any other is
/// attempted until `give_up`. `chance` is a random number from 0 to 1.
pub fn next(ended: EndedAttempt, give_up: TimeDelta, chance: f64) -> Next {
    let over = if ended.unknowns > 0 { Next::Unknown } else { Next::Failed };
    match ended.outcome {
        Outcome::Accepted => Next::Sent,
        Outcome::Refused => over,
        Outcome::Unknown if ended.unknowns > 1 => Next::Unknown,
        Outcome::PutOff | Outcome::Unknown if ended.age >= give_up => over,
        Outcome::PutOff | Outcome::Unknown => Next::Again(wait_after(ended.attempts, chance)),
    }
}

/// The text shown with a mail that will not be attempted again.
pub fn reason(outcome: Outcome, next: Next, give_up: TimeDelta, answer: &str) -> Option<String> {
    match (next, outcome) {
        (Next::Sent | Next::Again(_), _) => None,
        (Next::Failed, Outcome::PutOff) => Some(format!("Nobody took it for {} hours. {answer}", give_up.num_hours())),
        (Next::Failed, _) => Some(answer.to_owned()),
        (Next::Unknown, _) => Some(format!("It may have arrived: a try was cut off while it went out. {answer}")),
    }
}

/// The longest wait between two attempts, in seconds.
const MAX_WAIT: u32 = 600;

/// Returns the wait until the next attempt: one second after the first attempt, twice as long after each further one, up to ten minutes.
/// Up to half of it is random, so that mails that were postponed together are not attempted together again.
fn wait_after(attempts: u32, chance: f64) -> TimeDelta {
    let seconds = 2_u32.checked_pow(attempts.saturating_sub(1)).unwrap_or(MAX_WAIT).min(MAX_WAIT);
    let whole = TimeDelta::seconds(seconds.into());
    let kept = 1.0 - chance.clamp(0.0, 1.0) / 2.0;
    let milliseconds = (f64::from(seconds) * 1_000.0 * kept).round();
    #[expect(clippy::cast_possible_truncation, reason = "at most 600,000")]
    let wait = TimeDelta::milliseconds(milliseconds as i64);
    wait.clamp(TimeDelta::milliseconds(500), whole)
}

/// The time that a mail counts against the limits.
pub const LIMITS_WINDOW: TimeDelta = TimeDelta::hours(1);
/// The time within which a repeated mail counts as a second click.
pub const SAME_WITHIN: TimeDelta = TimeDelta::seconds(60);

/// When mails were queued within the last hour, newest first.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    /// For the order, on request.
    pub of_order: Vec<Timestamp>,
    /// By the member of staff, on request.
    pub by_member: Vec<Timestamp>,
    /// By the member, to addresses that are not the order's.
    pub elsewhere: Vec<Timestamp>,
}

/// Refuses a mail on request that exceeds a limit of its order or its member.
pub fn check_limits(
    _: Permission<MailLimits>,
    recent: &Recent,
    limits: &Limits,
    now: Timestamp,
) -> Result<(), MailError> {
    check_one(&recent.of_order, limits.resends_per_order_and_hour, now).map_err(MailError::TooManyMailsForOrder)?;
    check_one(&recent.by_member, limits.mails_per_member_and_hour, now).map_err(MailError::TooManyMailsByMember)
}

/// Refuses a mail that exceeds the limit of those to addresses that are not the order's.
pub fn check_elsewhere(
    _: Permission<ElsewhereLimit>,
    recent: &Recent,
    is_elsewhere: bool,
    limits: &Limits,
    now: Timestamp,
) -> Result<(), MailError> {
    if !is_elsewhere {
        return Ok(());
    }
    check_one(&recent.elsewhere, limits.mails_elsewhere_per_member_and_hour, now)
        .map_err(MailError::TooManyMailsElsewhere)
}

/// Returns the seconds to wait where the limit is reached.
fn check_one(newest_first: &[Timestamp], most: u32, now: Timestamp) -> Result<(), u64> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if newest_first.len() < most {
        return Ok(());
    }
    // The mail that must leave the window before another one is allowed.
    let frees = most.checked_sub(1).and_then(|place| newest_first.get(place));
    let wait = frees.map_or(LIMITS_WINDOW, |at| *at + LIMITS_WINDOW - now);
    Err(u64::try_from(wait.num_seconds()).unwrap_or(0).max(1))
}

/// The message after a mail was queued. A second click gets the same one.
pub fn queued_message(address: &Address, provider: Provider) -> String {
    format!("The mail to {} is on its way through {provider}. See Email History for delivery", address.as_str())
}

/// The message after the links in an order's mails were revoked.
pub fn revoked_message(links: usize) -> String {
    let (noun, verb) = if links == 1 { ("link", "opens") } else { ("links", "open") };
    format!("{links} {noun} in sent mails no longer {verb} this order. Visitors have to confirm its email again")
}

/// The mail in a line for the audit: provider, recipient, and whether the address is one of the order's.
pub fn audit_summary(address: &Address, provider: Provider, is_elsewhere: bool) -> String {
    let remark = if is_elsewhere { " (not an address of the order)" } else { "" };
    format!("{provider}, to {}{remark}", address.as_str())
}

/// The mail in two sentences, for WhatsApp.
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
