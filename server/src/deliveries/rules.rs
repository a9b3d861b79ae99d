//! Decides whether the text of an issued visa is that of an order. Pure.
//!
//! The values of the order are searched in the text, never its labels: forms of the government change. A value must be in the text by
//! itself, not as a part of a longer word or number.

pub mod on_visa;
pub mod scan;

pub use self::on_visa::{ExpectedVisa, VisaField};
use self::on_visa::{OnVisa, joined, search};
use super::errors::DeliveryError;
use crate::characters::is_unseen;
use crate::config::DeliveryCheck;
use crate::orders::rules::personal_name::plain_words;
use crate::papers::rules::zone;
use crate::text_enum;

/// The fewest letters and digits of a text that can be compared.
const MIN_TEXT: usize = 40;

/// The length of a reason, in characters.
const REASON: std::ops::RangeInclusive<usize> = 5..=500;

text_enum! {
    /// The outcome of a comparison.
    pub enum VisaOutcome {
        Same = "same",
        Differs = "differs",
        NotRead = "not_read",
    }
}

text_enum! {
    /// The problem of an issued visa, in a list.
    pub enum VisaProblem {
        Differs = "differs",
        Used = "used",
    }
}

text_enum! {
    /// The state of the reading of a visa without a text.
    pub enum ReadingState {
        Pending = "pending",
        Done = "done",
    }
}

/// The comparison of a visa with its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub outcome: VisaOutcome,
    /// The fields of the order that are not on the visa.
    pub differing: Vec<VisaField>,
}

impl Comparison {
    /// A visa in which nothing can be read.
    pub fn not_read() -> Self {
        Self { outcome: VisaOutcome::NotRead, differing: Vec::new() }
    }
}

/// Returns true if a text is long enough to be compared.
pub fn has_text(text: &str) -> bool {
    plain_words(text).iter().map(String::len).sum::<usize>() >= MIN_TEXT
}

/// Compares the text of a visa with what the order says. It is the same only if everything that the order has was compared.
pub fn compare(text: &str, expected: &ExpectedVisa) -> Comparison {
    let compared = search(text, expected);
    if !has_text(text) || expected.is_empty() {
        return Comparison::not_read();
    }
    let faults = zone_faults(text, expected);
    let having = |wanted: fn(&OnVisa) -> bool| -> Vec<VisaField> {
        compared.iter().filter(|(_, found)| wanted(found)).map(|(field, _)| *field).collect()
    };
    let mut differing = having(|found| *found == OnVisa::Missing);
    differing.extend(faults.into_iter().filter(|fault| !differing.contains(fault)).collect::<Vec<_>>());
    let unread = having(|found| *found == OnVisa::Unclear);
    match (differing.is_empty(), unread.is_empty()) {
        (false, _) => Comparison { outcome: VisaOutcome::Differs, differing },
        (true, false) => Comparison { outcome: VisaOutcome::NotRead, differing: unread },
        (true, true) => Comparison { outcome: VisaOutcome::Same, differing },
    }
}

/// The values of the order that differ from the machine-readable zone of a passport in the text, if there is one whose check digits are all
/// right. Its names are not compared: it spells them in its own way.
fn zone_faults(text: &str, expected: &ExpectedVisa) -> Vec<VisaField> {
    let Some([_, second]) = zone::find_in_text(text) else { return Vec::new() };
    let number = expected.document_number.as_deref().map(joined).filter(|number| !number.is_empty());
    let is_other = number.is_some_and(|number| second[..9].trim_end_matches('<') != number.get(..9).unwrap_or(&number));
    let birth = expected.date_of_birth.map(zone::six_digits);
    let is_born_otherwise = birth.is_some_and(|birth| second[13..19] != birth);
    [(VisaField::Number, is_other), (VisaField::Birth, is_born_otherwise)]
        .into_iter()
        .filter_map(|(field, differs)| differs.then_some(field))
        .collect()
}

/// Returns true if a member has to review a visa: it differs from its order, or was the visa of another one.
pub fn is_wrong(outcome: VisaOutcome, is_used: bool) -> bool {
    outcome == VisaOutcome::Differs || is_used
}

/// Returns true if a visa with these findings is delivered only with a reason. `is_used`: its file is the visa of another order.
pub fn is_refused(check: DeliveryCheck, comparison: &Comparison, is_used: bool) -> bool {
    let differs = comparison.outcome == VisaOutcome::Differs;
    match check {
        DeliveryCheck::Off | DeliveryCheck::Warn => false,
        DeliveryCheck::Refuse => is_used || (differs && comparison.differing.contains(&VisaField::Number)),
        DeliveryCheck::Hold => is_used || differs,
    }
}

/// Returns true if a scan is read before its visa is delivered, not after it.
pub fn is_read_first(check: DeliveryCheck) -> bool {
    match check {
        DeliveryCheck::Off | DeliveryCheck::Warn => false,
        DeliveryCheck::Refuse | DeliveryCheck::Hold => true,
    }
}

/// Describes a comparison for staff.
pub fn describe(comparison: &Comparison, used_by: Option<&str>) -> Option<String> {
    let differs = match comparison.outcome {
        VisaOutcome::Same => None,
        VisaOutcome::NotRead => Some(match labels(&comparison.differing) {
            Some((labels, _)) => format!("{labels} could not be compared with it. Please check"),
            None => "nothing in it could be compared with the order".to_owned(),
        }),
        VisaOutcome::Differs => labels(&comparison.differing).map(|(labels, is)| format!("{labels} {is} not on it")),
    };
    with_use(differs, used_by)
}

/// The text that staff read about a visa without a text until Tesseract has read it.
pub const BEING_READ: &str = "the visa is being read";

/// Describes for staff a visa that Tesseract read.
pub fn describe_scan(comparison: &Comparison) -> String {
    let fields = labels(&comparison.differing);
    match (comparison.outcome, fields) {
        (VisaOutcome::Same, _) => "the values of the order are on it".to_owned(),
        (VisaOutcome::Differs, Some((labels, is))) => format!("{labels} {is} not on it"),
        (VisaOutcome::NotRead, Some((labels, _))) => format!("{labels} could not be read on it. Please check"),
        (VisaOutcome::Differs | VisaOutcome::NotRead, None) => "it could not be read. Please check".to_owned(),
    }
}

/// Puts the order that has had the same file as its visa before the findings.
pub fn with_use(found: Option<String>, used_by: Option<&str>) -> Option<String> {
    let used = used_by.map(|order| format!("this file is the visa of order {order}"));
    let all: Vec<String> = [used, found].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", and "))
}

/// The fields as a text, and the verb that goes with it.
fn labels(fields: &[VisaField]) -> Option<(String, &'static str)> {
    let labels: Vec<&str> = fields.iter().map(|field| field.label()).collect();
    match labels.as_slice() {
        [] => None,
        [one] => Some((format!("the {one} of the order"), "is")),
        [first @ .., last] => Some((format!("the {} and {last} of the order", first.join(", ")), "are")),
    }
}

/// Reads the reason for delivering a visa that differs.
///
/// # Errors
/// [`DeliveryError::InvalidReason`]
pub fn read_reason(given: &str) -> Result<Option<String>, DeliveryError> {
    let given = given.trim();
    if given.is_empty() {
        return Ok(None);
    }
    if !REASON.contains(&given.chars().count()) || given.chars().any(is_unseen) {
        return Err(DeliveryError::InvalidReason);
    }
    Ok(Some(given.to_owned()))
}

#[cfg(test)]
mod tests;
