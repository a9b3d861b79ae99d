//! Why the program does not start with a configuration.

use std::io;
use std::path::PathBuf;

use derive::Reason;

/// An error in a configuration.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum ConfigError {
    #[error("The configuration file {} does not exist", .0.display())]
    ConfigFileMissing(PathBuf),
    #[error("The configuration cannot be read: {0}")]
    ConfigUnreadable(Box<figment::Error>),
    #[error("The configuration key {key} is not known. Did you mean {nearest}?")]
    UnknownConfigKey { key: String, nearest: String },
    #[error("The configuration key {0} must be at least 1")]
    ConfigValueZero(&'static str),
    #[error("The configuration key passwords.min_length must be at least {0}")]
    PasswordsTooShort(u32),
    #[error("The configuration key delivery.undo_seconds must be at most {0}")]
    UndoTooLong(u32),
    #[error("The configuration key orders.overdue_hours must be at most {0}")]
    OverdueTooLate(u32),
    #[error("The configuration key papers.reminder_days must be ascending days from 1 to {0}, such as [2, 5, 10]")]
    InvalidReminderDays(u32),
    #[error("The configuration key {0} must be at least limits.upload_bytes")]
    FilesDoNotFit(&'static str),
    #[error("The configuration key gateways names at least one payment gateway, such as Stripe, Adyen")]
    NoGateways,
    #[error("The configuration key gateways names {0} twice")]
    DuplicateGateway(String),
    #[error("{0} is neither an address nor a network")]
    InvalidProxy(String),
    #[error("The configuration key metrics.listen is an address such as 127.0.0.1:9090, not {0}")]
    InvalidMetricsAddress(String),
    #[error("The data folder {} cannot be created: {error}", .folder.display())]
    DataFolder { folder: PathBuf, error: io::Error },
}
