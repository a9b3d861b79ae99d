//! The sender of mails.

use lettre::message::Mailbox;

use super::errors::MailError;
use crate::config::Config;
use crate::error::Result;

/// Parses the sender of mails.
pub fn sender(config: &Config) -> Result<Mailbox> {
    Ok(config.mail.from.parse().map_err(|_| MailError::InvalidMailSender)?)
}
