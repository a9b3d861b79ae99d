//! Decides whether the text of an issued visa is that of an order. Pure.
//!
//! The values of the order are searched in the text, never its labels: forms of the government change. A value must be in the text by
//! itself, not as a part of a longer word or number.

pub mod scan;

use chrono::{Datelike, NaiveDate};

use super::errors::DeliveryError;
use crate::config::DeliveryCheck;
use crate::orders::rules::personal_name::{PersonalName, plain_words};
use crate::papers::rules::zone;
use crate::text::is_unseen;
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
    /// A value that is searched.
    pub enum VisaField {
        Number = "document_number",
        Name = "full_name",
        Birth = "date_of_birth",
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

impl VisaField {
    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Number => "passport number",
            Self::Name => "name",
            Self::Birth => "date of birth",
        }
    }
}

/// The values of an order that stand on its visa. What the order does not have is not compared.
#[derive(Clone, Debug, Default)]
pub struct ExpectedVisa {
    pub document_number: Option<String>,
    /// Names in any spelling: the visa has one of them. A name in another script cannot stand on it.
    pub names: Vec<PersonalName>,
    pub date_of_birth: Option<NaiveDate>,
}

impl ExpectedVisa {
    /// Returns true if there is nothing to compare.
    pub fn is_empty(&self) -> bool {
        search("", self).iter().all(|(_, found)| found.is_none())
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

/// Compares the text of a visa with what the order says.
pub fn compare(text: &str, expected: &ExpectedVisa) -> Comparison {
    let compared = search(text, expected);
    if !has_text(text) || compared.iter().all(|(_, found)| found.is_none()) {
        return Comparison::not_read();
    }
    let faults = zone_faults(text, expected);
    let is_wrong = |(field, found): &(VisaField, Option<bool>)| *found == Some(false) || faults.contains(field);
    let differing: Vec<VisaField> = compared.iter().filter(|found| is_wrong(found)).map(|(field, _)| *field).collect();
    let outcome = if differing.is_empty() { VisaOutcome::Same } else { VisaOutcome::Differs };
    Comparison { outcome, differing }
}

/// Searches the text for each value of the order. None: the order has no such value.
fn search(text: &str, expected: &ExpectedVisa) -> [(VisaField, Option<bool>); 3] {
    let words = plain_words(text);
    let number = expected.document_number.as_deref().map(|number| has_number(text, &words, number));
    let names: Vec<Vec<String>> = expected.names.iter().filter(|name| name.is_latin()).flat_map(pieces).collect();
    let name = (!names.is_empty()).then(|| names.iter().any(|name| has_name(&words, name)));
    let birth = expected.date_of_birth.map(|date| has_date(text, date));
    [(VisaField::Number, number), (VisaField::Name, name), (VisaField::Birth, birth)]
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

/// A text without what divides its words.
fn joined(text: &str) -> String {
    plain_words(text).concat()
}

/// The pieces of each spelling of a name: without accents, or as a passport spells it.
fn pieces(name: &PersonalName) -> Vec<Vec<String>> {
    let spellings = name.spellings().unwrap_or_default().into_iter().chain([name.shown().to_owned()]);
    let pieces = |name: String| name.split_whitespace().map(joined).filter(|piece| !piece.is_empty()).collect();
    spellings.map(pieces).filter(|pieces: &Vec<String>| !pieces.is_empty()).collect()
}

/// Returns true if a number is in the text: as a word, as neighbouring words, or in the second line of a machine-readable zone (ICAO Doc
/// 9303 part 4, nine cells and their check digit).
fn has_number(text: &str, words: &[String], number: &str) -> bool {
    let wanted = joined(number);
    let in_zone = || text.split_whitespace().any(|line| zone_number(line) == Some(wanted.as_str()));
    !wanted.is_empty() && (count(words, &wanted) > 0 || in_zone())
}

/// The number of the document in the second line of a zone of 44 cells.
fn zone_number(line: &str) -> Option<&str> {
    let is_zone =
        line.len() == 44 && line.bytes().all(|one| one.is_ascii_digit() || one.is_ascii_uppercase() || one == b'<');
    is_zone.then(|| line[..9].trim_end_matches('<'))
}

/// Returns true if all pieces of a name are in the text, as often as in the name.
fn has_name(words: &[String], name: &[String]) -> bool {
    name.iter().all(|piece| count(words, piece) >= name.iter().filter(|other| *other == piece).count())
}

/// Counts how often a piece is in the text, as a word or as neighbouring words: `OCLARKE` also in `O'CLARKE`.
fn count(words: &[String], piece: &str) -> usize {
    (0..words.len()).filter(|start| begin_with(&words[*start..], piece)).count()
}

/// Returns true if the first words are the piece, cut anywhere.
fn begin_with(words: &[String], piece: &str) -> bool {
    let mut rest = piece;
    for word in words {
        match rest.strip_prefix(word.as_str()) {
            Some("") => return true,
            Some(left) => rest = left,
            None => return false,
        }
    }
    false
}

/// English and Indonesian months, by their first letters.
const MONTHS: [&[&str]; 12] = [
    &["JAN"],
    &["FEB", "PEB"],
    &["MAR"],
    &["APR"],
    &["MAY", "MEI"],
    &["JUN"],
    &["JUL"],
    &["AUG", "AGU", "AGT"],
    &["SEP"],
    &["OCT", "OKT"],
    &["NOV", "NOP"],
    &["DEC", "DES"],
];

/// Returns true if a date is in the text: day, month and year in this order or the other way round, the month as a number or a word.
fn has_date(text: &str, date: NaiveDate) -> bool {
    let words = plain_words(text);
    let is_number = |word: &str, number: u32| word.len() <= 4 && word.parse::<u32>() == Ok(number);
    let is_month = |word: &str| {
        let names = usize::try_from(date.month0()).ok().and_then(|month| MONTHS.get(month));
        is_number(word, date.month()) || names.is_some_and(|names| names.iter().any(|name| word.starts_with(name)))
    };
    let is_year = |word: &str| word.len() == 4 && u32::try_from(date.year()).is_ok_and(|year| is_number(word, year));
    // Also with each digit at a place of its own.
    let digits = ["%d%m%Y", "%Y%m%d"].map(|format| date.format(format).to_string());
    let by_digits = || digits.iter().any(|digits| count(&words, digits) > 0);
    let by_words = words.windows(3).any(|three| {
        let [first, month, last] = [&three[0], &three[1], &three[2]];
        let is_day = |word: &str| word.len() <= 2 && is_number(word, date.day());
        is_month(month) && ((is_day(first) && is_year(last)) || (is_year(first) && is_day(last)))
    });
    by_words || by_digits()
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
        VisaOutcome::NotRead => Some("nothing in it could be compared with the order".to_owned()),
        VisaOutcome::Differs => labels(&comparison.differing).map(|(labels, is)| format!("{labels} {is} not on it")),
    };
    with_use(differs, used_by)
}

/// The text that staff read about a visa without a text until Tesseract has read it.
pub const BEING_READ: &str = "nothing in it could be compared with the order yet: Tesseract is reading it";

/// Describes for staff a visa that Tesseract read.
pub fn describe_scan(comparison: &Comparison) -> String {
    let fields = labels(&comparison.differing);
    match (comparison.outcome, fields) {
        (VisaOutcome::Same, _) => "Tesseract read the values of the order on it".to_owned(),
        (VisaOutcome::Differs, Some((labels, is))) => format!("Tesseract read that {labels} {is} not on it"),
        (VisaOutcome::NotRead, Some((labels, _))) => format!("Tesseract did not read {labels} on it. Please look"),
        (VisaOutcome::Differs | VisaOutcome::NotRead, None) => "Tesseract could not read it. Please look".to_owned(),
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
