//! The findings of a check of a paper, and their meaning. Pure.
//!
//! - `rules/zone.rs`: the fields of the machine-readable zone.
//! - `rules/faults.rs`: what another file would put right.
//! - `rules/passport.rs`: the zone against what was typed; `photograph.rs`: a photograph against the limits of the portal.

pub mod faults;
pub mod passport;
pub mod photograph;
pub mod zone;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::orders::rules::comparison::Likeness;
use crate::text_enum;

text_enum! {
    /// A paper that is checked.
    pub enum Paper {
        /// The data page of the passport.
        Passport = "passport",
        /// The photograph of the applicant.
        Photograph = "photograph",
    }
}

impl Paper {
    /// The paper that a kind of document is; none: it is not checked.
    pub fn of_kind(kind: &str) -> Option<Self> {
        match kind {
            "passport_picture" | "passport" => Some(Self::Passport),
            "upload_picture" | "recent_photo" => Some(Self::Photograph),
            _ => None,
        }
    }
}

text_enum! {
    /// The state of the check of a paper.
    pub enum CheckState {
        /// It waits for its turn, or runs.
        Pending = "pending",
        /// It is done.
        Done = "done",
        /// The paper could not be checked.
        NotChecked = "not_checked",
    }
}

text_enum! {
    /// Why a paper could not be checked.
    pub enum NotChecked {
        /// The checks are switched off.
        SwitchedOff = "switched_off",
        /// Tesseract is not installed.
        NoTesseract = "no_tesseract",
        /// No machine-readable lines were found.
        NoLines = "no_lines",
        /// The file is damaged or locked.
        Unreadable = "unreadable",
        /// It took too much memory or time.
        TooComplex = "too_complex",
        /// The program was still being built.
        NotBuilt = "not_built",
        /// The check was begun several times and never ended.
        GivenUp = "given_up",
    }
}

impl NotChecked {
    /// The reason for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::SwitchedOff => "the checks are switched off",
            Self::NoTesseract => "tesseract is not installed on the server",
            Self::NoLines => "no machine-readable lines were found in it",
            Self::Unreadable => "the file cannot be read",
            Self::TooComplex => "reading it takes too much memory or time",
            Self::NotBuilt => "the part of the program that reads pages was still being built",
            Self::GivenUp => "the check was interrupted too often",
        }
    }
}

text_enum! {
    /// A field that a check compares.
    pub enum PaperField {
        FullName = "full_name",
        Surname = "surname",
        GivenNames = "given_names",
        Number = "document_number",
        Nationality = "nationality",
        DateOfBirth = "date_of_birth",
        Sex = "sex",
        Expiry = "date_of_expiry",
        IssuingState = "passport_from",
        /// The time for which the passport is valid after the arrival.
        Validity = "validity",
        Format = "format",
        Pixels = "pixels",
        FileSize = "file_size",
        /// The ratio of width and height.
        Aspect = "aspect",
        Colour = "colour",
        Sharpness = "sharpness",
        Border = "border",
    }
}

impl PaperField {
    /// Returns true if the order has the field; the others are compared with a limit.
    pub fn is_typed(self) -> bool {
        use PaperField::{Aspect, Border, Colour, FileSize, Format, Pixels, Sharpness, Validity};
        !matches!(self, Validity | Format | Pixels | FileSize | Aspect | Colour | Sharpness | Border)
    }

    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::FullName => "Full name",
            Self::Surname => "Surname",
            Self::GivenNames => "Given names",
            Self::Number => "Number",
            Self::Nationality => "Nationality",
            Self::DateOfBirth => "Date of birth",
            Self::Sex => "Sex",
            Self::Expiry => "Expiry",
            Self::IssuingState => "Issuing state",
            Self::Validity => "Valid long enough",
            Self::Format => "Format",
            Self::Pixels => "Pixels",
            Self::FileSize => "Size",
            Self::Aspect => "Sides",
            Self::Colour => "Colour",
            Self::Sharpness => "Sharpness",
            Self::Border => "Background",
        }
    }
}

text_enum! {
    /// The result of the comparison of a field.
    pub enum Finding {
        /// Both say the same.
        Same = "same",
        /// They say different things.
        Differs = "differs",
        /// A person must look: they seem to say the same, which cannot be proved.
        Look = "look",
        /// The passport's side could not be read.
        NotReadable = "not_readable",
        /// Nothing was typed.
        NotTyped = "not_typed",
    }
}

/// A compared field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldFinding {
    /// The field.
    pub field: PaperField,
    /// The typed value, as the order has it, or the limit; null: none.
    pub typed: Option<String>,
    /// The value on the paper; null: not readable.
    pub read: Option<String>,
    /// The result of the comparison.
    finding: Finding,
    /// Why a person must look, for people; null: there is nothing to say.
    pub note: Option<String>,
}

impl FieldFinding {
    /// The finding about two values that were compared.
    pub fn compared(field: PaperField, typed: String, read: &str, result: Likeness) -> Self {
        let (finding, note) = match result {
            Likeness::Same(_) => (Finding::Same, None),
            Likeness::Look(note) => (Finding::Look, Some(note.to_owned())),
            Likeness::Differs => (Finding::Differs, None),
        };
        Self { field, typed: Some(typed), read: Some(read.to_owned()), finding, note }
    }

    /// The finding about a value that could not be read.
    pub fn not_readable(field: PaperField, typed: Option<String>) -> Self {
        Self { field, typed, read: None, finding: Finding::NotReadable, note: None }
    }

    /// The finding about a value that the order does not have.
    pub fn not_typed(field: PaperField, typed: Option<String>, read: &str) -> Self {
        Self { field, typed, read: Some(read.to_owned()), finding: Finding::NotTyped, note: None }
    }

    /// The result of the comparison.
    pub fn finding(&self) -> Finding {
        self.finding
    }

    /// The finding with a note for people.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }

    /// The text that a person's look refers to. A look at other values counts no more.
    pub fn values(&self) -> String {
        format!("{}\n{}", self.typed.as_deref().unwrap_or_default(), self.read.as_deref().unwrap_or_default())
    }

    /// Returns true if a member should review it.
    pub fn is_open(&self) -> bool {
        matches!(self.finding, Finding::Differs | Finding::Look)
    }
}

text_enum! {
    /// The problem of a paper, the worst first in the alphabet.
    pub enum PaperProblem {
        /// A field differs.
        Differs = "differs",
        /// It breaks a rule, such as a passport that expires too early, or a limit of the government's portal.
        Fault = "fault",
    }
}

/// The problem that lists show: that of the findings at which nobody has looked.
pub fn problem<'a>(open: impl Iterator<Item = &'a FieldFinding>) -> Option<PaperProblem> {
    let wrong = open.filter(|finding| finding.finding == Finding::Differs);
    let problems =
        wrong.map(|finding| if finding.field.is_typed() { PaperProblem::Differs } else { PaperProblem::Fault });
    problems.min()
}

/// A summary of the findings for the timeline, without what they say: `1 differs, 2 to check`.
pub fn summary(findings: &[FieldFinding]) -> String {
    let counted = [
        (Finding::Same, "same"),
        (Finding::Differs, "differs"),
        (Finding::Look, "to check"),
        (Finding::NotReadable, "not readable"),
    ];
    let count = |wanted| findings.iter().filter(|finding| finding.finding == wanted).count();
    let parts = counted.into_iter().map(|(wanted, word)| (count(wanted), word)).filter(|(count, _)| *count > 0);
    parts.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}
