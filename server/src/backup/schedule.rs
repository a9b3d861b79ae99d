//! When and where backups are made by themselves.

use chrono::TimeDelta;

use super::packing::Packer;
use crate::config::Config;
use crate::error::Result;

/// The backups that the configuration asks for.
pub struct Schedule {
    /// A folder, or `s3://BUCKET/PREFIX`.
    pub place: String,
    pub packer: Packer,
    pub every: TimeDelta,
}

impl Schedule {
    /// The schedule of the configuration, if there is one.
    ///
    /// # Errors
    /// If `backups.recipient` is not a public key.
    pub fn of(config: &Config) -> Result<Option<Self>> {
        let settings = &config.backups;
        if settings.place.is_empty() {
            return Ok(None);
        }
        let packer = match settings.recipient.as_str() {
            "" => Packer::plain(),
            recipient => Packer::for_recipient(recipient)?,
        };
        let every = TimeDelta::hours(settings.every_hours.into());
        Ok(Some(Self { place: settings.place.clone(), packer, every }))
    }
}
