//! Why there is no image of a page.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why there is no image of a page.
#[derive(Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PageImageError {
    #[error("This PDF has only {pages} pages")]
    NoSuchPage { pages: usize },
    /// Damaged, locked by a password, or without pages.
    #[error("The pages of this PDF cannot be read. Please open the file itself")]
    UnreadablePdf,
    /// Rendering it took too much memory or time.
    #[error("This page is too complex to be shown here. Please open the file itself")]
    PageTooComplex,
    #[error("Too many pages are being shown. Please try again")]
    PagesBusy,
    #[error("The page could not be shown now. Please try again")]
    PagesUnavailable,
    #[error("The part of the program that shows pages is still being built. Please try again in a few minutes")]
    PagesNotBuilt,
}

impl Reason for PageImageError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoSuchPage { .. } => Kind::NotFound,
            Self::UnreadablePdf | Self::PageTooComplex => Kind::Invalid,
            Self::PagesBusy | Self::PagesUnavailable | Self::PagesNotBuilt => Kind::Unavailable,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::PagesNotBuilt => Some(30),
            Self::PagesBusy | Self::PagesUnavailable => Some(1),
            Self::NoSuchPage { .. } | Self::UnreadablePdf | Self::PageTooComplex => None,
        }
    }
}
