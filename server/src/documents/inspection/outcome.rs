//! The child's reply.

use serde::{Deserialize, Serialize};

/// Why the child refuses a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Damaged, cut off, or of another kind than it looks.
    Unreadable,
    /// A picture of which data is missing or damaged.
    DamagedPicture,
    /// A PDF with active content, by the name that was found.
    Active(String),
    /// A PDF that needs a password.
    Encrypted,
    /// A PDF that is encrypted for a certificate, or by a program of its own.
    UnknownProtection,
    /// A PDF that is cut off, or that only some readers would open.
    DamagedPdf,
    /// A PDF without a page that can be shown.
    NoPages,
    TooManyPages,
    /// Too many pixels.
    TooManyPixels,
    Animated,
    /// It would unpack to too many bytes.
    Inflates,
}

/// The child's reply: one line of JSON, followed by the new content if it changed.
#[derive(Debug, Serialize, Deserialize)]
pub enum InspectionOutcome {
    Unchanged,
    Changed,
    Refused(Refusal),
}
