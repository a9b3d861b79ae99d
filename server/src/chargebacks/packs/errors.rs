//! Why a defence pack is not made.

use std::io;
use std::path::PathBuf;

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a defence pack is not made.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PackError {
    #[error("There is no such defence pack. Please choose 1 or 2")]
    UnknownPackType,
    #[error("A template of defence packs is broken. Please tell an Admin")]
    BrokenPackTemplate,
    /// With the most pages.
    #[error("With the templates of this installation the pack does not fit {0} pages. Please tell an Admin")]
    PackTooLong(usize),
    #[error("Your previous defence pack is still being made. Please wait until it is ready")]
    PackInProgress,
    #[error(
        "{most} defence packs of this order were made within 24 hours, which is the most. The ones made so far are in the \
         order's details. Please wait {} minutes for a new one",
        .seconds.div_ceil(60)
    )]
    TooManyPacksForOrder { most: u32, seconds: u64 },
    #[error("chargebacks.templates_dir: there is no folder {}", .0.display())]
    PackTemplatesFolderMissing(PathBuf),
    #[error("The pack template {} cannot be read: {error}", .file.display())]
    PackTemplateUnreadable { file: PathBuf, error: io::Error },
    #[error("chargebacks.templates_dir: {0}")]
    InvalidPackTemplate(String),
}

impl Reason for PackError {
    fn kind(&self) -> Kind {
        match self {
            Self::UnknownPackType
            | Self::PackTemplatesFolderMissing(_)
            | Self::PackTemplateUnreadable { .. }
            | Self::InvalidPackTemplate(_) => Kind::Invalid,
            Self::PackInProgress => Kind::Conflict,
            Self::TooManyPacksForOrder { .. } => Kind::TooMany,
            Self::BrokenPackTemplate | Self::PackTooLong(_) => Kind::Unavailable,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::TooManyPacksForOrder { seconds, .. } => Some(*seconds),
            Self::BrokenPackTemplate | Self::PackTooLong(_) => Some(1),
            _ => None,
        }
    }
}
