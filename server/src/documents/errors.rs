//! Why a file is not taken.

use strum::IntoStaticStr;

use super::inspection::outcome::Refusal;
use super::limits::{MAX_BYTES, MAX_PAGES, MAX_PIXELS, MAX_SIDE_LEN};
use crate::error::{Kind, Reason};

/// Why a file is not taken.
#[derive(Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DocumentError {
    #[error("This call takes multipart/form-data")]
    NotMultipart,
    #[error("The form cannot be read")]
    MalformedForm,
    #[error("The form has too many parts")]
    TooManyFormParts,
    #[error("{0} was sent twice")]
    RepeatedFormPart(String),
    #[error("{name} is longer than {max} bytes")]
    FormTextTooLong { name: String, max: usize },
    #[error("Only PDF or image files are allowed")]
    NotPdfOrImage,
    #[error(
        "Only PDF or image files are allowed. This is a HEIC photo: please save or share it as JPEG and upload that"
    )]
    HeicPhoto,
    #[error("The file is larger than {} MB", MAX_BYTES / 1024 / 1024)]
    FileTooLarge,
    /// With the name in the PDF that gave it away.
    #[error(
        "This PDF holds scripts, actions or other files (/{0}), which are not taken. Please print it to a new PDF and upload that"
    )]
    ActivePdf(String),
    #[error("This PDF is protected by a password. Please save it without one and upload that")]
    EncryptedPdf,
    #[error("This PDF has more than {MAX_PAGES} pages. Please upload only those that are needed")]
    TooManyPages,
    #[error(
        "This picture is too large: at most {} megapixels, and {MAX_SIDE_LEN} pixels on a side. Please make it smaller",
        MAX_PIXELS / 1_000_000
    )]
    TooManyPixels,
    #[error("Moving pictures are not taken. Please upload a still one")]
    AnimatedPicture,
    #[error(
        "This file is too complex to be checked. Please print it to a new PDF, or save it as a JPEG, and upload that"
    )]
    FileTooComplex,
    #[error("Too many files are being uploaded, nothing was saved. Please try again in a moment")]
    UploadsBusy,
    #[error("Too many files are being opened. Please try again in a moment")]
    DownloadsBusy,
    #[error(
        "The file arrived too slowly, nothing was saved. Please try again with a faster connection or a smaller file"
    )]
    UploadTooSlow,
    #[error("The file could not be checked in time, nothing was saved. Please try again")]
    FileCheckTimedOut,
    #[error("Too many files are being checked, nothing was saved. Please try again")]
    FileCheckBusy,
    #[error("The file could not be checked now, nothing was saved. Please try again")]
    FileCheckUnavailable,
    #[error("There is no document of that kind")]
    UnknownDocumentKind,
    #[error("An order may hold at most {0} files")]
    TooManyFilesInOrder(usize),
    /// With the most, in megabytes.
    #[error("The files of an order may hold at most {0} MB")]
    OrderFilesTooLarge(u64),
    #[error("You have uploaded {0} files in 24 hours, which is the most. Please go on tomorrow")]
    TooManyUploadsInDay(u32),
}

impl Reason for DocumentError {
    fn kind(&self) -> Kind {
        match self {
            Self::MalformedForm | Self::TooManyFormParts => Kind::Unreadable,
            Self::UploadTooSlow => Kind::TimedOut,
            Self::NotMultipart | Self::NotPdfOrImage | Self::HeicPhoto => Kind::Unsupported,
            Self::FormTextTooLong { .. }
            | Self::FileTooLarge
            | Self::TooManyFilesInOrder(_)
            | Self::OrderFilesTooLarge(_) => Kind::TooLarge,
            Self::TooManyUploadsInDay(_) => Kind::TooMany,
            Self::RepeatedFormPart(_)
            | Self::ActivePdf(_)
            | Self::EncryptedPdf
            | Self::TooManyPages
            | Self::TooManyPixels
            | Self::AnimatedPicture
            | Self::FileTooComplex => Kind::Invalid,
            Self::UploadsBusy
            | Self::DownloadsBusy
            | Self::FileCheckTimedOut
            | Self::FileCheckBusy
            | Self::FileCheckUnavailable => Kind::Unavailable,
            Self::UnknownDocumentKind => Kind::NotFound,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self.kind() {
            Kind::Unavailable => Some(1),
            // Its window of a day moves on with each upload.
            Kind::TooMany => Some(3_600),
            _ => None,
        }
    }
}

impl From<Refusal> for DocumentError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unreadable => Self::NotPdfOrImage,
            Refusal::Active(name) => Self::ActivePdf(name),
            Refusal::Encrypted => Self::EncryptedPdf,
            Refusal::TooManyPages => Self::TooManyPages,
            Refusal::TooManyPixels => Self::TooManyPixels,
            Refusal::Animated => Self::AnimatedPicture,
            Refusal::Inflates => Self::FileTooComplex,
        }
    }
}
