//! Why there is no image of a page.

use derive::Reason;

/// Why there is no image of a page.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum PageImageError {
    #[error("This PDF has only {pages} pages")]
    #[reason(NotFound)]
    NoSuchPage { pages: usize },
    /// Damaged, locked by a password, or without pages.
    #[error("The pages of this PDF cannot be read. Please open the file itself")]
    #[reason(Invalid)]
    UnreadablePdf,
    /// Rendering it took too much memory or time.
    #[error("This page is too complex to be shown here. Please open the file itself")]
    #[reason(Invalid)]
    PageTooComplex,
    #[error("Too many pages are being shown. Please try again")]
    #[reason(Unavailable)]
    PagesBusy,
    #[error("The page could not be shown now. Please try again")]
    #[reason(Unavailable)]
    PagesUnavailable,
    #[error("The part of the program that shows pages is still being built. Please try again in a few minutes")]
    #[reason(Unavailable, retry_after = 30)]
    PagesNotBuilt,
}
