//! The machine-readable zone of a passport against what was typed. A field is "same" only where the zone proves it.

use chrono::{Datelike, Months, NaiveDate};

use super::zone::{self, FieldValue, Names, ZoneFields};
use super::{FieldFinding, Finding, PaperField};
use crate::documents::rules::needed_documents;
use crate::orders::rules::country::Country;
use crate::orders::rules::personal_name::{Match, PersonalName};
use crate::papers::reading::PassportReading;
use crate::text::{format_day, without_case};
use crate::visas::catalogue;

/// Letters that look like one another and give the same check digit: no reading of a number proves them. `mrz::blindspot` lists all
/// pairs with the same check digit; these are those that are mistaken for each other.
const UNPROVED: [(char, &str); 6] = [
    ('K', "K and < give the same check digit"),
    ('A', "A and K give the same check digit"),
    ('I', "I and S give the same check digit"),
    ('S', "S and I give the same check digit"),
    ('B', "B and L give the same check digit"),
    ('L', "L and B give the same check digit"),
];

/// The values typed for the applicant and the passport.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedPassport {
    pub full_name: String,
    pub first_name: Option<String>,
    pub middle_name: Option<String>,
    pub last_name: Option<String>,
    pub sex: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub nationality: Option<String>,
    pub passport_from: Option<String>,
    pub document_number: Option<String>,
    pub date_of_expiry: Option<NaiveDate>,
    pub visa_type: Option<String>,
    /// Such as `Passport`.
    pub document_type: Option<String>,
    /// The day of arrival, or the earliest one that is possible.
    pub arrival_date: Option<NaiveDate>,
}

/// Compares what was read with what was typed, on that day.
pub fn compare(reading: &PassportReading, typed: &TypedPassport, today: NaiveDate) -> Vec<FieldFinding> {
    let zone = zone::fields(reading);
    let mut findings = of_names(&zone, typed);
    findings.push(of_number(&zone.number, typed.document_number.as_deref()));
    findings.push(of_state(PaperField::Nationality, &zone.nationality, typed.nationality.as_deref()));
    findings.push(of_date(PaperField::DateOfBirth, &zone.birth, typed.date_of_birth, |date| born(date, today)));
    findings.push(of_sex(&zone.sex, typed.sex.as_deref()));
    findings.push(of_date(PaperField::Expiry, &zone.expiry, typed.date_of_expiry, expires));
    findings.push(of_state(PaperField::IssuingState, &zone.issuing_state, typed.passport_from.as_deref()));
    findings.extend(of_validity(&zone.expiry, typed, today));
    findings
}

fn finding(
    field: PaperField,
    typed: Option<String>,
    read: Option<&str>,
    finding: Finding,
    note: Option<&str>,
) -> FieldFinding {
    // Nothing to compare with.
    let is_typed = typed.as_deref().is_some_and(|typed| !typed.trim().is_empty());
    let finding = match finding {
        Finding::NotReadable => Finding::NotReadable,
        _ if !is_typed => Finding::NotTyped,
        finding => finding,
    };
    FieldFinding { field, typed, read: read.map(str::to_owned), finding, note: note.map(str::to_owned) }
}

/// Returns the result of the comparison if the field was read for sure; else a member must review it, because the reading proves neither
/// that they are the same nor that they differ.
fn if_sure(says: Finding, is_sure: bool) -> (Finding, Option<&'static str>) {
    if is_sure { (says, None) } else { (Finding::Look, Some("It was not read clearly")) }
}

fn of_names(zone: &ZoneFields, typed: &TypedPassport) -> Vec<FieldFinding> {
    let given = PersonalName::of_parts([typed.first_name.as_deref(), typed.middle_name.as_deref()]);
    let (Some(given), Some(surname)) = (given, PersonalName::of_parts([typed.last_name.as_deref()])) else {
        return vec![of_full_name(zone, typed)];
    };
    let Some(names) = &zone.names else {
        return [(PaperField::Surname, surname), (PaperField::GivenNames, given)]
            .map(|(field, typed)| finding(field, Some(typed.shown().to_owned()), None, Finding::NotReadable, None))
            .into();
    };
    let is_swapped = surname.compare(&names.given, names.is_cut) == Match::Equal
        && given.compare(&names.surname, false) == Match::Equal;
    let one = |field, typed: PersonalName, read: &str, is_cut: bool| {
        let (says, note) = if is_swapped && names.surname != names.given {
            (Finding::Look, Some("Surname and given names are the other way round in the passport"))
        } else {
            of_match(typed.compare(read, is_cut), zone.names_are_sure)
        };
        finding(field, Some(typed.shown().to_owned()), Some(read), says, note)
    };
    vec![
        one(PaperField::Surname, surname, &names.surname, names.is_cut && names.given.is_empty()),
        one(PaperField::GivenNames, given, &names.given, names.is_cut),
    ]
}

/// The whole name in either order.
fn of_full_name(zone: &ZoneFields, typed: &TypedPassport) -> FieldFinding {
    let Some(typed) = PersonalName::read(&typed.full_name) else {
        return finding(PaperField::FullName, None, None, Finding::NotTyped, None);
    };
    let typed_text = Some(typed.shown().to_owned());
    let Some(Names { surname, given, is_cut, .. }) = &zone.names else {
        return finding(PaperField::FullName, typed_text, None, Finding::NotReadable, None);
    };
    let orders = [format!("{given} {surname}"), format!("{surname} {given}")].map(|name| name.trim().to_owned());
    let matches = orders.each_ref().map(|name| typed.compare(name, *is_cut));
    let best = [Match::Equal, Match::CutOff, Match::Spaces, Match::Filler, Match::OtherScript];
    let best = best.into_iter().find(|wanted| matches.contains(wanted)).unwrap_or(Match::No);
    let (says, note) = of_match(best, zone.names_are_sure);
    finding(PaperField::FullName, typed_text, Some(&orders[0]), says, note)
}

fn of_match(found: Match, is_sure: bool) -> (Finding, Option<&'static str>) {
    match found {
        Match::Equal => if_sure(Finding::Same, is_sure),
        Match::Spaces => (Finding::Look, Some("Only spaces differ")),
        Match::CutOff => (Finding::Look, Some("The passport has no room for longer names")),
        Match::Filler => (Finding::Look, Some("K and the filler < look alike")),
        Match::OtherScript => (Finding::Look, Some("It was typed in another script")),
        Match::No => if_sure(Finding::Differs, is_sure),
    }
}

fn of_number(read: &FieldValue, typed: Option<&str>) -> FieldFinding {
    let Some(number) = read.text() else {
        return finding(PaperField::Number, typed.map(str::to_owned), None, Finding::NotReadable, None);
    };
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let unproved = UNPROVED.iter().find(|(letter, _)| number.contains(*letter)).map(|(_, note)| *note);
    let (says, note) = match (typed.map(plain), unproved) {
        (Some(typed), _) if typed != plain(number) => if_sure(Finding::Differs, read.is_sure()),
        (_, Some(note)) => (Finding::Look, Some(note)),
        _ => if_sure(Finding::Same, read.is_sure()),
    };
    finding(PaperField::Number, typed.map(str::to_owned), Some(number), says, note)
}

fn of_state(field: PaperField, read: &FieldValue, typed: Option<&str>) -> FieldFinding {
    let typed_text = typed.map(str::to_owned);
    let country = |text: Option<&str>| Country::read(text).and_then(|country| country.code());
    let Some(code) = country(read.text()) else {
        return finding(field, typed_text, None, Finding::NotReadable, None);
    };
    let (says, note) = match country(typed) {
        None => (Finding::Look, Some("The country is spelled in another way")),
        Some(typed) if typed == code => if_sure(Finding::Same, read.is_sure()),
        Some(_) => if_sure(Finding::Differs, read.is_sure()),
    };
    finding(field, typed_text, read.text(), says, note)
}

fn of_sex(read: &FieldValue, typed: Option<&str>) -> FieldFinding {
    let typed_text = typed.map(str::to_owned);
    let letter = typed.and_then(|typed| typed.trim().chars().next()).map(|first| first.to_ascii_uppercase());
    let (says, note) = match (read.text(), letter) {
        (Some("<"), _) => (Finding::Look, Some("The passport does not say")),
        (Some("M"), Some('M')) | (Some("F"), Some('F')) => if_sure(Finding::Same, read.is_sure()),
        (Some("M" | "F"), Some('M' | 'F')) => if_sure(Finding::Differs, read.is_sure()),
        (Some("M" | "F"), _) => (Finding::Look, Some("It is spelled in another way")),
        _ => (Finding::NotReadable, None),
    };
    finding(PaperField::Sex, typed_text, read.text().filter(|_| says != Finding::NotReadable), says, note)
}

fn of_date(
    field: PaperField,
    read: &FieldValue,
    typed: Option<NaiveDate>,
    full: impl Fn(&str) -> Option<NaiveDate>,
) -> FieldFinding {
    let typed_text = typed.map(|date| date.to_string());
    let Some(date) = read.text().and_then(full) else {
        return finding(field, typed_text, None, Finding::NotReadable, None);
    };
    let (says, note) = match typed {
        Some(typed) if typed == date => if_sure(Finding::Same, read.is_sure()),
        // The passport says two digits of the year.
        Some(typed) if zone::six_digits(typed) == zone::six_digits(date) => {
            (Finding::Look, Some("The passport does not say which century"))
        }
        _ => if_sure(Finding::Differs, read.is_sure()),
    };
    finding(field, typed_text, Some(&date.to_string()), says, note)
}

/// YYMMDD in a century.
fn in_century(digits: &str, century: i32) -> Option<NaiveDate> {
    let part = |from: usize| digits.get(from..from + 2)?.parse::<u32>().ok();
    let year = i32::try_from(part(0)?).ok()? + century;
    NaiveDate::from_ymd_opt(year, part(2)?, part(4)?)
}

/// A date of birth: the newest one that is not in the future.
fn born(digits: &str, today: NaiveDate) -> Option<NaiveDate> {
    let this = today.year() / 100 * 100;
    let of = |century| in_century(digits, century).filter(|date| *date <= today);
    of(this).or_else(|| of(this - 100))
}

/// An expiry: passports are valid for some ten years.
fn expires(digits: &str) -> Option<NaiveDate> {
    in_century(digits, 2_000)
}

/// Returns the number of months that a travel document of that type must be valid on arrival, by the catalogue. None: the visa type needs
/// none.
pub fn months_needed(visa_type: &str, document_type: Option<&str>) -> Option<u32> {
    needed_documents(visa_type).iter().find(|document| document.key == "passport")?;
    let months = catalogue::document("passport")?.valid_months?;
    let is_passport = document_type.is_none_or(|named| without_case(named).contains("passport"));
    Some(if is_passport { months.passport } else { months.other })
}

/// The travel document is valid long enough: from the arrival, or from today.
fn of_validity(expiry: &FieldValue, typed: &TypedPassport, today: NaiveDate) -> Option<FieldFinding> {
    let months = months_needed(typed.visa_type.as_deref()?, typed.document_type.as_deref())?;
    let arrival = typed.arrival_date.filter(|date| *date > today).unwrap_or(today);
    let until = arrival.checked_add_months(Months::new(months))?;
    let expiry = match expiry {
        FieldValue::Sure(digits) => expires(digits)?,
        FieldValue::Unsure(_) | FieldValue::Not => return None,
    };
    let says = if expiry >= until { Finding::Same } else { Finding::Differs };
    let note = format!("{months} months from {} end on {}", format_day(arrival), format_day(until));
    Some(FieldFinding {
        field: PaperField::Validity,
        typed: Some(until.to_string()),
        read: Some(expiry.to_string()),
        finding: says,
        note: Some(note),
    })
}

#[cfg(test)]
mod tests;
