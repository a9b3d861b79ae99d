//! Why a defence pack is not made.

use std::io;
use std::path::PathBuf;

use derive::Reason;

use crate::error::{Includes, Reason, Refusals};
use crate::files::errors::{ReadErrors, StorageErrors};
use crate::text::counted;

/// Why a defence pack is not made.
#[derive(Debug, thiserror::Error, Reason)]
pub enum PackError {
    #[error("There is no such defence pack. Please choose 1 or 2")]
    #[reason(Invalid)]
    UnknownPackType,
    #[error("A template of defence packs is broken. Please tell an Admin")]
    #[reason(Unavailable)]
    BrokenPackTemplate,
    /// With the most pages.
    #[error("With the templates of this installation the pack does not fit {0} pages. Please tell an Admin")]
    #[reason(Unavailable)]
    PackTooLong(usize),
    #[error("Your previous defence pack is still being made. Please wait until it is ready")]
    #[reason(Conflict)]
    PackInProgress,
    #[error(
        "{most} defence packs of this order were made within 24 hours, which is the most. The ones made so far are in the \
         order's details. Please wait {} for a new one",
        counted(seconds.div_ceil(60), "minute")
    )]
    #[reason(TooMany, retry_after = *seconds)]
    TooManyPacksForOrder { most: u32, seconds: u64 },
    #[error("chargebacks.templates_dir: there is no folder {}", .0.display())]
    #[reason(Invalid)]
    PackTemplatesFolderMissing(PathBuf),
    #[error("The pack template {} cannot be read: {error}", .file.display())]
    #[reason(Invalid)]
    PackTemplateUnreadable { file: PathBuf, error: io::Error },
    #[error("chargebacks.templates_dir: {0}")]
    #[reason(Invalid)]
    InvalidPackTemplate(String),
}

/// The errors of making a pack with the templates of the installation, of storing it and of reading it again.
#[derive(Debug)]
pub struct PackErrors;

impl Refusals for PackErrors {
    fn refusals() -> Vec<Box<dyn Reason>> {
        let mut reasons: Vec<Box<dyn Reason>> =
            vec![Box::new(PackError::BrokenPackTemplate), Box::new(PackError::PackTooLong(1))];
        reasons.extend(StorageErrors::refusals());
        reasons.extend(ReadErrors::refusals());
        reasons
    }
}

impl Includes<StorageErrors> for PackErrors {}
impl Includes<ReadErrors> for PackErrors {}
