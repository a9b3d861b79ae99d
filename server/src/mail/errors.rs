//! Why a mail is not queued or sent, and what is wrong with the settings of mail.

use std::io;
use std::path::PathBuf;

use derive::Reason;

use crate::error::{Includes, Reason, Refusals};
use crate::text::counted;
use lettre::transport::smtp::Error as SmtpError;

/// Why the address of a server is refused. It never shows the password. The name of the setting stands before it.
#[derive(Debug, thiserror::Error)]
pub enum SmtpUrlError {
    #[error("must be smtps://name:password@host:465 or smtp://name:password@host:587?tls=required")]
    Malformed,
    #[error("would send mails in the clear. Add ?tls=required, or use smtps://")]
    WithoutTls,
    #[error("TLS is not available: {0}")]
    NoTls(SmtpError),
}

/// Why a mail is not queued or sent.
#[derive(Debug, thiserror::Error, Reason)]
pub enum MailError {
    #[error("mail.from must be one email address, with or without a name: Visa desk <visa@agency.example>")]
    #[reason(Invalid)]
    InvalidMailSender,
    #[error("{key} {error}")]
    #[reason(Invalid)]
    InvalidMailProvider { key: &'static str, error: SmtpUrlError },
    #[error("mail.templates_dir: there is no folder {}", .0.display())]
    #[reason(Invalid)]
    MailTemplatesFolderMissing(PathBuf),
    #[error("The mail template {} cannot be read: {error}", .file.display())]
    #[reason(Invalid)]
    MailTemplateUnreadable { file: PathBuf, error: io::Error },
    #[error("A mail template is broken: {0}")]
    #[reason(Invalid)]
    BrokenMailTemplate(minijinja::Error),
    #[error(
        "The mail template {file} must begin with one line `Subject: …` of at most {max} letters, then an empty line, \
         then the text"
    )]
    #[reason(Invalid)]
    MailTemplateWithoutSubject { file: String, max: usize },
    #[error("There is no such mail provider. Please choose AWS or Sendgrid")]
    #[reason(Invalid)]
    UnknownMailProvider,
    #[error("{0} is not set up here. Please choose the other provider, or ask an Admin to configure it")]
    #[reason(Invalid)]
    MailProviderNotConfigured(&'static str),
    #[error("Please enter your email")]
    #[reason(Invalid)]
    RecipientMissing,
    #[error("This is not one valid email address. Please check it")]
    #[reason(Invalid)]
    InvalidRecipient,
    #[error("This order is deleted. Restore it before mails are sent about it")]
    #[reason(Conflict)]
    MailAboutDeletedOrder,
    /// Between rendering the mail and queueing it.
    #[error("The order was changed at the same moment, nothing was saved. Please try again")]
    #[reason(Conflict)]
    MailFactsChanged,
    /// The limits, each with the seconds to wait.
    #[error("Many mails were sent for this order within the hour. {}", please_wait(.0))]
    #[reason(TooMany, retry_after = *_0)]
    TooManyMailsForOrder(u64),
    #[error("You sent many mails within the hour. {}", please_wait(.0))]
    #[reason(TooMany, retry_after = *_0)]
    TooManyMailsByMember(u64),
    #[error(
        "You sent many mails to addresses that are not the orders' own within the hour. {}",
        please_wait(.0)
    )]
    #[reason(TooMany, retry_after = *_0)]
    TooManyMailsElsewhere(u64),
    #[error("The provider was still busy with another mail")]
    #[reason(Unavailable)]
    MailProviderBusy,
    #[error("The code expired before it could be sent")]
    #[reason(Conflict)]
    MailedCodeExpired,
}

fn please_wait(seconds: &u64) -> String {
    format!("Please wait {} and try again", counted(seconds.div_ceil(60), "minute"))
}

/// The error of a mail whose order was changed after the mail was composed.
#[derive(Debug)]
pub struct ChangedFacts;

impl Refusals for ChangedFacts {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![Box::new(MailError::MailFactsChanged)]
    }
}

/// The limits of the mails of an order and of a member.
#[derive(Debug)]
pub struct MailLimits;

impl Refusals for MailLimits {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![Box::new(MailError::TooManyMailsForOrder(60)), Box::new(MailError::TooManyMailsByMember(60))]
    }
}

/// The limit of the mails that a member sends to other addresses than the orders' own.
#[derive(Debug)]
pub struct ElsewhereLimit;

impl Refusals for ElsewhereLimit {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![Box::new(MailError::TooManyMailsElsewhere(60))]
    }
}

/// The errors of a mail that a member sends to an address of their choice.
#[derive(Debug)]
pub struct MemberMail;

impl Refusals for MemberMail {
    fn refusals() -> Vec<Box<dyn Reason>> {
        [ChangedFacts::refusals(), MailLimits::refusals(), ElsewhereLimit::refusals()].into_iter().flatten().collect()
    }
}

impl Includes<ChangedFacts> for MemberMail {}
impl Includes<MailLimits> for MemberMail {}
impl Includes<ElsewhereLimit> for MemberMail {}
