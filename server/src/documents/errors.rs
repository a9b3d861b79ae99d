//! Why a file is not taken.

use derive::Reason;

use crate::error::{Reason, Refusals};

use super::inspection::outcome::Refusal;
use super::limits::{MAX_BYTES, MAX_PAGES, MAX_PIXELS, MAX_SIDE_LEN};

/// Why a file is not taken.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum DocumentError {
    #[error("This call accepts only multipart/form-data")]
    #[reason(Unsupported)]
    NotMultipart,
    #[error("The form cannot be read")]
    #[reason(Unreadable)]
    MalformedForm,
    #[error("The form has too many parts")]
    #[reason(Unreadable)]
    TooManyFormParts,
    #[error("{0} was sent twice")]
    #[reason(Invalid)]
    RepeatedFormPart(String),
    #[error("{name} is longer than {max} bytes")]
    #[reason(TooLarge)]
    FormTextTooLong { name: String, max: usize },
    #[error(
        "Only PDF or image files are allowed. Please take a photo of the document, or print it to a new PDF, and upload that"
    )]
    #[reason(Unsupported)]
    NotPdfOrImage,
    #[error("The file is empty. Please choose it again, or save it again first")]
    #[reason(Invalid)]
    EmptyFile,
    #[error("Pictures of this kind are not accepted. Please save or share it as JPEG and upload that")]
    #[reason(Unsupported)]
    UnsupportedPicture,
    #[error(
        "A part of this picture is missing or damaged. Please upload it again, or save it as a JPEG and upload that"
    )]
    #[reason(Invalid)]
    DamagedPicture,
    #[error(
        "Only PDF or image files are allowed. This is a HEIC photo: please save or share it as JPEG and upload that"
    )]
    #[reason(Unsupported)]
    HeicPhoto,
    #[error("The file is larger than {} MB", MAX_BYTES / 1024 / 1024)]
    #[reason(TooLarge)]
    FileTooLarge,
    /// With the name in the PDF that gave it away.
    #[error(
        "This PDF holds scripts, actions or other files (/{0}), which are not taken. Please print it to a new PDF and upload that"
    )]
    #[reason(Invalid)]
    ActivePdf(String),
    #[error("This PDF is protected by a password. Please save it without one and upload that")]
    #[reason(Invalid)]
    EncryptedPdf,
    #[error("This PDF is protected in a way that cannot be read here. Please print it to a new PDF and upload that")]
    #[reason(Invalid)]
    UnsupportedPdfProtection,
    #[error("This PDF is damaged or was cut off. Please save or download it again, and upload that")]
    #[reason(Invalid)]
    DamagedPdf,
    #[error("This PDF has no page that can be shown. Please save it again, look at it, and upload that")]
    #[reason(Invalid)]
    PdfWithoutPages,
    #[error("This PDF has more than {MAX_PAGES} pages. Please upload only those that are needed")]
    #[reason(Invalid)]
    TooManyPages,
    #[error(
        "This picture is too large: at most {} megapixels, and {MAX_SIDE_LEN} pixels on a side. Please make it smaller",
        MAX_PIXELS / 1_000_000
    )]
    #[reason(Invalid)]
    TooManyPixels,
    #[error("Animated pictures are not accepted. Please upload a still picture")]
    #[reason(Invalid)]
    AnimatedPicture,
    #[error(
        "This file is too complex to be checked. Please print it to a new PDF, or save it as a JPEG, and upload that"
    )]
    #[reason(Invalid)]
    FileTooComplex,
    #[error("Too many files are being uploaded, nothing was saved. Please try again in a moment")]
    #[reason(Unavailable)]
    UploadsBusy,
    #[error("Too many files are being opened. Please try again in a moment")]
    #[reason(Unavailable)]
    DownloadsBusy,
    #[error(
        "The file arrived too slowly, nothing was saved. Please try again with a faster connection or a smaller file"
    )]
    #[reason(TimedOut)]
    UploadTooSlow,
    #[error("The file could not be checked in time, nothing was saved. Please try again")]
    #[reason(Unavailable)]
    FileCheckTimedOut,
    #[error("Too many files are being checked, nothing was saved. Please try again")]
    #[reason(Unavailable)]
    FileCheckBusy,
    #[error("The file could not be checked now, nothing was saved. Please try again")]
    #[reason(Unavailable)]
    FileCheckUnavailable,
    #[error("There is no document of that kind")]
    #[reason(NotFound)]
    UnknownDocumentKind,
    #[error("An order may have at most {0} files")]
    #[reason(TooLarge)]
    TooManyFilesInOrder(usize),
    /// With the most, in megabytes.
    #[error("The files of an order may have at most {0} MB in total")]
    #[reason(TooLarge)]
    OrderFilesTooLarge(u64),
    #[error("You have uploaded {0} files in 24 hours, which is the limit. Please continue tomorrow")]
    /// The window of a day moves on with each upload.
    #[reason(TooMany, retry_after = 3_600)]
    TooManyUploadsInDay(u32),
}

impl From<Refusal> for DocumentError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unreadable => Self::NotPdfOrImage,
            Refusal::DamagedPicture => Self::DamagedPicture,
            Refusal::Active(name) => Self::ActivePdf(name),
            Refusal::Encrypted => Self::EncryptedPdf,
            Refusal::UnknownProtection => Self::UnsupportedPdfProtection,
            Refusal::DamagedPdf => Self::DamagedPdf,
            Refusal::NoPages => Self::PdfWithoutPages,
            Refusal::TooManyPages => Self::TooManyPages,
            Refusal::TooManyPixels => Self::TooManyPixels,
            Refusal::Animated => Self::AnimatedPicture,
            Refusal::Inflates => Self::FileTooComplex,
        }
    }
}

/// The limit of the files that a member uploads in a day.
#[derive(Debug)]
pub struct MemberUploadLimit;

impl Refusals for MemberUploadLimit {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![Box::new(DocumentError::TooManyUploadsInDay(1_000))]
    }
}
