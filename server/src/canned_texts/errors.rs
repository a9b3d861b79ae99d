//! Why a call about canned texts is refused.

use derive::Reason;

/// Why a call about canned texts is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum CannedTextError {
    #[error("Please give the text a name of at most {0} characters in one line")]
    #[reason(Invalid)]
    CannedTextTitle(usize),
    #[error("Please write the text in English at least, with at most {max} characters in each language")]
    #[reason(Invalid)]
    CannedTextLength { max: usize },
    #[error("A comment is read by colleagues: please write it in English alone")]
    #[reason(Invalid)]
    CannedCommentLanguage,
    #[error("These languages are not known: {0}")]
    #[reason(Invalid)]
    UnknownTextLanguage(String),
    #[error("{{{unknown}}} is not known. A text can name {known}")]
    #[reason(Invalid)]
    UnknownPlaceholder { unknown: String, known: String },
    #[error("There are {0} texts already. Please delete one that is no longer used")]
    #[reason(Conflict)]
    TooManyCannedTexts(i64),
    #[error("This text is not there any more. Please reload the page")]
    #[reason(NotFound)]
    CannedTextNotFound,
    #[error("Only Admins and Managers change the texts that everybody has")]
    #[reason(Forbidden)]
    CannedTextShared,
}
