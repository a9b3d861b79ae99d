//! The address that mails come from.

use lettre::message::Mailbox;

use crate::config::Config;
use crate::error::{Error, Result};

/// Reads the address that mails come from.
pub fn sender(config: &Config) -> Result<Mailbox> {
    config.mail.from.parse().map_err(|_| {
        Error::invalid("mail.from must be one email address, with or without a name: Visa desk <visa@agency.example>")
    })
}
