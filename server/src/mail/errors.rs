//! Why a mail is not queued or sent, and what is wrong with the settings of mail.

use std::io;
use std::path::PathBuf;

use lettre::transport::smtp::Error as SmtpError;
use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

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
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MailError {
    #[error("mail.from must be one email address, with or without a name: Visa desk <visa@agency.example>")]
    InvalidMailSender,
    #[error("{key} {error}")]
    InvalidMailProvider { key: &'static str, error: SmtpUrlError },
    #[error("mail.templates_dir: there is no folder {}", .0.display())]
    MailTemplatesFolderMissing(PathBuf),
    #[error("The mail template {} cannot be read: {error}", .file.display())]
    MailTemplateUnreadable { file: PathBuf, error: io::Error },
    #[error("A mail template is broken: {0}")]
    BrokenMailTemplate(minijinja::Error),
    #[error(
        "The mail template {file} must begin with one line `Subject: …` of at most {max} letters, then an empty line, \
         then the text"
    )]
    MailTemplateWithoutSubject { file: String, max: usize },
    #[error("There is no such mail provider. Please choose AWS or Sendgrid")]
    UnknownMailProvider,
    #[error("{0} is not set up here. Please choose the other provider, or ask an Admin to configure it")]
    MailProviderNotConfigured(&'static str),
    #[error("Please enter your email")]
    RecipientMissing,
    #[error("This is not one valid email address. Please check it")]
    InvalidRecipient,
    #[error("This order is deleted. Restore it before mails are sent about it")]
    MailAboutDeletedOrder,
    /// Between rendering the mail and queueing it.
    #[error("The order was changed at the same moment, nothing was saved. Please try again")]
    MailFactsChanged,
    /// The limits, each with the seconds to wait.
    #[error("Many mails were sent for this order within the hour. {}", please_wait(.0))]
    TooManyMailsForOrder(u64),
    #[error("You sent many mails within the hour. {}", please_wait(.0))]
    TooManyMailsByMember(u64),
    #[error(
        "You sent many mails to addresses that are not the orders' own within the hour. {}",
        please_wait(.0)
    )]
    TooManyMailsElsewhere(u64),
    #[error("The provider was still busy with another mail")]
    MailProviderBusy,
    #[error("The code expired before it could be sent")]
    MailedCodeExpired,
}

fn please_wait(seconds: &u64) -> String {
    format!("Please wait {} minutes and try again", seconds.div_ceil(60))
}

impl Reason for MailError {
    fn kind(&self) -> Kind {
        match self {
            Self::InvalidMailSender
            | Self::InvalidMailProvider { .. }
            | Self::MailTemplatesFolderMissing(_)
            | Self::MailTemplateUnreadable { .. }
            | Self::BrokenMailTemplate(_)
            | Self::MailTemplateWithoutSubject { .. }
            | Self::UnknownMailProvider
            | Self::MailProviderNotConfigured(_)
            | Self::RecipientMissing
            | Self::InvalidRecipient => Kind::Invalid,
            Self::MailAboutDeletedOrder | Self::MailFactsChanged | Self::MailedCodeExpired => Kind::Conflict,
            Self::TooManyMailsForOrder(_) | Self::TooManyMailsByMember(_) | Self::TooManyMailsElsewhere(_) => {
                Kind::TooMany
            }
            Self::MailProviderBusy => Kind::Unavailable,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::TooManyMailsForOrder(seconds)
            | Self::TooManyMailsByMember(seconds)
            | Self::TooManyMailsElsewhere(seconds) => Some(*seconds),
            Self::MailProviderBusy => Some(1),
            _ => None,
        }
    }
}
