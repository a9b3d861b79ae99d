//! The machine-readable zone of a passport against what was typed. A field is "same" only where the zone proves it.

use chrono::{Datelike, Months, NaiveDate};

use super::zone::{self, FieldValue, Names, ZoneFields};
use super::{FieldFinding, PaperField};
use crate::characters::plain_number;
use crate::documents::rules::needed_documents;
use crate::orders::rules::comparison::{Equal, Likeness};
use crate::orders::rules::country::Country;
use crate::orders::rules::personal_name::left_out::is_placeholder;
use crate::orders::rules::personal_name::{NameMatch, PersonalName};
use crate::orders::rules::sex::Sex;
use crate::papers::reading::PassportReading;
use crate::text::{format_day, without_case};
use crate::visas::catalogue;

/// Letters that look like a digit, or like the filler, and give the same check digit: no reading of a number proves them.
const UNPROVED: [(char, &str); 5] = [
    ('K', "K and < are easily confused here. Compare with the passport"),
    ('A', "A and K are easily confused here. Compare with the passport"),
    ('S', "S and 8 are easily confused here. Compare with the passport"),
    ('L', "L and 1 are easily confused here. Compare with the passport"),
    ('G', "G and 6 are easily confused here. Compare with the passport"),
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
    findings.push(of_date(PaperField::Expiry, &zone.expiry, typed.date_of_expiry, |date| expires(date, today)));
    findings.push(of_state(PaperField::IssuingState, &zone.issuing_state, typed.passport_from.as_deref()));
    findings.extend(of_validity(&zone.expiry, typed, today));
    findings
}

/// A finding about a value that was read, or could not be. `verdict` is asked if both sides have one.
fn finding(
    field: PaperField,
    typed: Option<String>,
    read: Option<&str>,
    verdict: impl FnOnce(&str, &str) -> Likeness,
) -> FieldFinding {
    match (typed, read) {
        (typed, None) => FieldFinding::not_readable(field, typed),
        (Some(typed), Some(read)) if !typed.trim().is_empty() => {
            let verdict = verdict(&typed, read);
            FieldFinding::compared(field, typed, read, verdict)
        }
        (typed, Some(read)) => FieldFinding::not_typed(field, typed, read),
    }
}

fn of_names(zone: &ZoneFields, typed: &TypedPassport) -> Vec<FieldFinding> {
    let part = |part: &Option<String>| part.clone().filter(|part| !is_placeholder(part) || is_printed(part, zone));
    let [first, middle, last] = [&typed.first_name, &typed.middle_name, &typed.last_name].map(part);
    let given = PersonalName::of_parts([first.as_deref(), middle.as_deref()]);
    let (Some(given), Some(surname)) = (given, PersonalName::of_parts([last.as_deref()])) else {
        return vec![of_full_name(zone, typed)];
    };
    let fields = [(PaperField::Surname, &surname), (PaperField::GivenNames, &given)];
    let Some(names) = &zone.names else {
        return fields.map(|(field, typed)| FieldFinding::not_readable(field, Some(typed.shown().to_owned()))).into();
    };
    let is = |typed: &PersonalName, read: &str| matches!(typed.compare(read, false), NameMatch::Equal(_));
    let verdicts = if names.surname.is_empty() || names.given.is_empty() {
        of_one_name(&surname, &given, names)
    } else if is(&surname, &names.given) && is(&given, &names.surname) && names.surname != names.given {
        [Likeness::Look("Surname and given names are the other way round in the passport"); 2]
    } else {
        let surname_found = match surname.compare(&names.surname, false) {
            // Where there is no room, both names are cut.
            NameMatch::No => surname.compare(&names.surname, names.is_cut),
            found => found,
        };
        [surname_found, given.compare(&names.given, names.is_cut)].map(|found| of_match(found, zone.names_are_sure))
    };
    let compared = fields.into_iter().zip([&names.surname, &names.given]).zip(verdicts);
    compared
        .map(|(((field, typed), read), verdict)| FieldFinding::compared(field, typed.shown().to_owned(), read, verdict))
        .collect()
}

/// A part of the typed name is one of the names in the zone.
fn is_printed(part: &str, zone: &ZoneFields) -> bool {
    let (Some(part), Some(names)) = (PersonalName::read(part), &zone.names) else { return false };
    [&names.surname, &names.given].iter().any(|read| matches!(part.compare(read, false), NameMatch::Equal(_)))
}

/// The verdicts about both parts of a typed name, where the passport has one: forms force two.
fn of_one_name(surname: &PersonalName, given: &PersonalName, names: &Names) -> [Likeness; 2] {
    let read = format!("{}{}", names.surname, names.given);
    let is =
        |typed: Option<PersonalName>| typed.is_some_and(|typed| typed.compare(&read, names.is_cut) != NameMatch::No);
    let orders = [[given, surname], [surname, given]];
    let is_typed_twice = given.key() == surname.key() && is(Some(given.clone()));
    if is_typed_twice
        || orders.into_iter().any(|parts| is(PersonalName::of_parts(parts.map(|part| Some(part.shown())))))
    {
        [Likeness::Look("The passport has one name"); 2]
    } else {
        [Likeness::Differs; 2]
    }
}

/// The whole name in either order.
fn of_full_name(zone: &ZoneFields, typed: &TypedPassport) -> FieldFinding {
    let read = zone.names.as_ref().map(|names| {
        let Names { surname, given, .. } = names;
        [format!("{given} {surname}"), format!("{surname} {given}")].map(|name| name.trim().to_owned())
    });
    let is_cut = zone.names.as_ref().is_some_and(|names| names.is_cut);
    let typed = PersonalName::read(&typed.full_name);
    let shown = typed.as_ref().map(|typed| typed.shown().to_owned());
    finding(PaperField::FullName, shown, read.as_ref().map(|orders| orders[0].as_str()), |_, _| {
        let matches =
            typed.iter().zip(&read).flat_map(|(typed, orders)| orders.iter().map(|name| typed.compare(name, is_cut)));
        let best = matches.min_by_key(|found| rank(*found)).unwrap_or(NameMatch::No);
        of_match(best, zone.names_are_sure)
    })
}

/// Which of two results counts, where a name is compared in two orders: the lower one.
fn rank(found: NameMatch) -> u8 {
    match found {
        NameMatch::Equal(_) => 0,
        NameMatch::CutOff => 1,
        NameMatch::Spaces => 2,
        NameMatch::Filler => 3,
        NameMatch::Umlaut => 4,
        NameMatch::Title => 5,
        NameMatch::OtherScript => 6,
        NameMatch::No => 7,
    }
}

fn of_match(found: NameMatch, is_sure: bool) -> Likeness {
    match found {
        NameMatch::Equal(equal) => Likeness::Same(equal).if_sure(is_sure),
        NameMatch::Spaces => Likeness::Look("Only spaces differ"),
        NameMatch::CutOff => Likeness::Look("The passport has no room for longer names"),
        NameMatch::Filler => Likeness::Look("K and the filler < look alike"),
        NameMatch::Umlaut => Likeness::Look("Two vowels may stand for one, such as UE for Ü"),
        NameMatch::Title => Likeness::Look("A title or a placeholder was left out"),
        NameMatch::OtherScript => Likeness::Look("It was typed in another script"),
        NameMatch::No => Likeness::Differs.if_sure(is_sure),
    }
}

fn of_number(read: &FieldValue, typed: Option<&str>) -> FieldFinding {
    let plain =
        |text: &str| plain_number(text).to_ascii_uppercase().replace(|one: char| !one.is_ascii_alphanumeric(), "");
    finding(PaperField::Number, typed.map(str::to_owned), read.text(), |typed, number| {
        let unproved = UNPROVED.iter().find(|(letter, _)| number.contains(*letter)).map(|(_, note)| *note);
        let (typed, number) = (plain(typed), plain(number));
        match (Equal::between(&typed, &number), unproved) {
            (Some(_), Some(note)) => Likeness::Look(note),
            (None, _) if differ_by_twins(&typed, &number) => {
                Likeness::Look("They differ by characters that look alike and give the same check digit")
            }
            (equal, _) => Likeness::of(equal).if_sure(read.is_sure()),
        }
    })
}

/// Two numbers differ only by characters that are read for each other, and that no check digit tells apart; the filler is one.
fn differ_by_twins(typed: &str, read: &str) -> bool {
    let [typed, read] = [typed, read].map(|number| format!("{number:<<9}"));
    let mut pairs = typed.chars().zip(read.chars());
    typed.len() == read.len() && pairs.all(|(one, other)| one == other || zone::are_twins(one, other))
}

fn of_state(field: PaperField, read: &FieldValue, typed: Option<&str>) -> FieldFinding {
    let printed = Country::read(read.text()).filter(|country| country.code().is_some());
    let code = read.text().filter(|_| printed.is_some());
    finding(field, typed.map(str::to_owned), code, |typed, _| {
        let compared = Country::read(Some(typed)).zip(printed).and_then(|(typed, printed)| typed.compare(&printed));
        compared.map_or(Likeness::Look("The country is spelled in another way"), |says| says.if_sure(read.is_sure()))
    })
}

fn of_sex(read: &FieldValue, typed: Option<&str>) -> FieldFinding {
    let text = read.text().filter(|text| matches!(*text, "M" | "F" | "<"));
    finding(PaperField::Sex, typed.map(str::to_owned), text, |typed, text| {
        match (Sex::read(typed), Sex::of_zone(text)) {
            (Some(typed), Some(read_sex)) => Likeness::of(Equal::between(&typed, &read_sex)).if_sure(read.is_sure()),
            (_, None) => Likeness::Look("The passport does not say"),
            (None, _) => Likeness::Look("It is spelled in another way"),
        }
    })
}

fn of_date(
    field: PaperField,
    read: &FieldValue,
    typed: Option<NaiveDate>,
    full: impl Fn(&str) -> Option<NaiveDate>,
) -> FieldFinding {
    let date = read.text().and_then(full);
    let shown = |date: NaiveDate| date.to_string();
    finding(field, typed.map(shown), date.map(shown).as_deref(), |_, _| {
        let (Some(typed), Some(date)) = (typed, date) else { return Likeness::Differs };
        match Equal::between(&typed, &date) {
            // The passport says two digits of the year.
            None if zone::six_digits(typed) == zone::six_digits(date) => {
                Likeness::Look("The passport does not say which century")
            }
            equal => Likeness::of(equal).if_sure(read.is_sure()),
        }
    })
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

/// An expiry: at most fifteen years ahead, because passports are valid for some ten.
fn expires(digits: &str, today: NaiveDate) -> Option<NaiveDate> {
    let latest = today.checked_add_months(Months::new(15 * 12))?;
    let of = |century| in_century(digits, century).filter(|date| *date <= latest);
    let this = today.year() / 100 * 100;
    [this + 100, this, this - 100].into_iter().find_map(of)
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
        FieldValue::Sure(digits) => expires(digits, today)?,
        FieldValue::Unsure(_) | FieldValue::Not => return None,
    };
    let is_long_enough = Equal::by(&expiry, &until, |expiry, until| expiry >= until);
    let note = format!("{months} months from {} end on {}", format_day(arrival), format_day(until));
    let (until, expiry) = (until.to_string(), expiry.to_string());
    Some(FieldFinding::compared(PaperField::Validity, until, &expiry, Likeness::of(is_long_enough)).with_note(note))
}

#[cfg(test)]
mod tests;
