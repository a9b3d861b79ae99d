//! The conclusions about a visa that Tesseract read twice, from pictures of two sizes. Pure.
//!
//! Tesseract misreads letters, so that a value that it did not read may well stand on the visa: only what stands there clearly differs.

use super::on_visa::{OnVisa, search};
use super::{Comparison, ExpectedVisa, VisaField, VisaOutcome, has_text, joined, zone_faults};
use crate::orders::rules::personal_name::plain_words;

/// Letters and digits that Tesseract takes for each other.
const ALIKE: [&str; 9] = ["0ODQ", "1ILJT7", "2Z", "5S", "8B", "6GC", "4A", "MN", "UV"];

/// The shortest number that can be told from other numbers on a visa.
const MIN_NUMBER: usize = 7;

/// The most letters by which another number differs that stands in the place of the order's.
const MAX_CHANGES: usize = 2;

/// Compares both readings with the order.
///
/// - A value is the same if both readings have it.
/// - The number differs if both readings have one that is like it and not the same, and the difference is none that Tesseract makes.
/// - Number and birth differ from a passport's machine-readable zone if its check digits are right.
/// - Everything else was not read.
pub fn compare(readings: [&str; 2], expected: &ExpectedVisa) -> Comparison {
    let [first, second] = readings.map(|text| search(text, expected));
    let mut differing = zone_faults(readings[0], expected);
    for field in zone_faults(readings[1], expected) {
        if !differing.contains(&field) {
            differing.push(field);
        }
    }
    let mut unread = Vec::new();
    for (one, other) in first.iter().zip(&second) {
        let (field, is_found) = (one.0, are_found(one.1, other.1));
        if one.1 == OnVisa::NotTyped || is_found || differing.contains(&field) {
            continue;
        }
        if field == VisaField::Number && has_another_number(readings, expected) {
            differing.push(field);
        } else {
            unread.push(field);
        }
    }
    if !differing.is_empty() {
        return Comparison { outcome: VisaOutcome::Differs, differing };
    }
    let is_whole = unread.is_empty() && first.iter().any(|(_, found)| *found != OnVisa::NotTyped);
    if is_whole && readings.iter().all(|text| has_text(text)) {
        return Comparison { outcome: VisaOutcome::Same, differing };
    }
    Comparison { outcome: VisaOutcome::NotRead, differing: unread }
}

fn are_found(one: OnVisa, other: OnVisa) -> bool {
    matches!((one, other), (OnVisa::Found(_), OnVisa::Found(_)))
}

/// Returns true if both readings contain a value of the order, or another value is clearly printed. If not, the pages may lie on their side.
pub fn has_found_any(readings: [&str; 2], expected: &ExpectedVisa) -> bool {
    let [first, second] = readings.map(|text| search(text, expected));
    let is_found = first.iter().zip(&second).any(|(one, other)| are_found(one.1, other.1));
    is_found || compare(readings, expected).outcome == VisaOutcome::Differs
}

/// Returns true if both readings have the same number that is like the order's and clearly another one.
fn has_another_number([first, second]: [&str; 2], expected: &ExpectedVisa) -> bool {
    let Some(wanted) = expected.document_number.as_deref().map(joined).filter(|wanted| wanted.len() >= MIN_NUMBER)
    else {
        return false;
    };
    let other = plain_words(second);
    plain_words(first).iter().any(|word| is_another(word, &wanted) && other.contains(word))
}

/// Returns true if a word differs from the number in one or two places, in a way that Tesseract does not misread.
fn is_another(word: &str, wanted: &str) -> bool {
    if word.len() != wanted.len() {
        return false;
    }
    let changed: Vec<(char, char)> = word.chars().zip(wanted.chars()).filter(|(one, other)| one != other).collect();
    let is_misread = |(one, other): &(char, char)| ALIKE.iter().any(|set| set.contains(*one) && set.contains(*other));
    (1..=MAX_CHANGES).contains(&changed.len()) && !changed.iter().any(is_misread)
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::orders::rules::personal_name::PersonalName;

    fn expected() -> ExpectedVisa {
        ExpectedVisa {
            document_number: Some("PA1234567".into()),
            names: PersonalName::read("Ann Mary Lee").into_iter().collect(),
            date_of_birth: NaiveDate::from_ymd_opt(1990, 5, 17),
        }
    }

    fn text(number: &str, name: &str, birth: &str) -> String {
        format!("REPUBLIK INDONESIA ELECTRONIC VISA No. 2A13EH4471-W\nName {name}\nPassport {number}\nBorn {birth}\n")
    }

    fn found(first: &str, second: &str) -> (VisaOutcome, Vec<VisaField>) {
        let Comparison { outcome, differing } = compare([first, second], &expected());
        (outcome, differing)
    }

    #[test]
    fn what_both_readings_have_is_the_same() {
        let right = text("PA1234567", "ANN MARY LEE", "17/05/1990");
        assert_eq!(found(&right, &right), (VisaOutcome::Same, Vec::new()));
        let once = text("PA1Z34567", "ANN MARY LEE", "17/05/1990");
        assert_eq!(found(&right, &once), (VisaOutcome::NotRead, vec![VisaField::Number]));
    }

    #[test]
    fn one_value_in_both_readings_shows_that_the_page_lies_upright() {
        let any = |first: &str, second: &str| has_found_any([first, second], &expected());
        let read = text("PAI2E4567", "ANM MARV LEE", "17/05/1990");
        assert!(any(&read, &read));
        let another = text("PA1234569", "ANM MARV LEE", "17/05/199O");
        assert!(any(&another, &another));
        assert!(!any(&read, "LLI -- il"));
        assert!(!any("", ""));
    }

    #[test]
    fn a_number_that_is_clearly_another_one_differs_and_a_misread_one_does_not() {
        let with = |number| text(number, "ANN MARY LEE", "17/05/1990");
        for number in ["PA1234569", "PA1239567", "PX1234567", "PA1234539"] {
            assert_eq!(
                found(&with(number), &with(number)),
                (VisaOutcome::Differs, vec![VisaField::Number]),
                "{number}"
            );
        }
        for number in ["PAI234567", "PA12345G7", "PA123456", "XX9999999", "PA1Z34569"] {
            assert_eq!(
                found(&with(number), &with(number)),
                (VisaOutcome::NotRead, vec![VisaField::Number]),
                "{number}"
            );
        }
        assert_eq!(found(&with("PA1234569"), &with("PA1234589")).0, VisaOutcome::NotRead, "the readings disagree");
    }

    #[test]
    fn names_and_dates_that_were_not_read_do_not_differ() {
        let other = text("PA1234567", "BEA OTHER", "18/05/1990");
        assert_eq!(found(&other, &other), (VisaOutcome::NotRead, vec![VisaField::Name, VisaField::Birth]));
        assert_eq!(found("", ""), (VisaOutcome::NotRead, VisaField::ALL.to_vec()));
    }

    #[test]
    fn a_zone_with_right_check_digits_is_believed() {
        let digit = |field: &str| mrz::check_digit(field).expect("cells of a zone");
        let (birth, expiry, personal) = ("900517", "330506", "<<<<<<<<<<<<<<0");
        let zone = |number: &str| {
            let head = format!("{number}{}AUS{birth}{}F{expiry}{}", digit(number), digit(birth), digit(expiry));
            let all = format!("{}{}{}{personal}", &head[..10], &head[13..20], &head[21..28]);
            format!("{:<<44}\n{head}{personal}{}\n", "P<AUSLEE<<ANN<MARY", digit(&all))
        };
        let right = text("PA1234567", "ANN MARY LEE", "17/05/1990");
        let (same, other) = (right.clone() + &zone("PA1234567"), right + &zone("PX9876543"));
        assert_eq!(found(&same, &same), (VisaOutcome::Same, Vec::new()));
        assert_eq!(found(&other, &other), (VisaOutcome::Differs, vec![VisaField::Number]));
        assert_eq!(
            super::super::compare(&other, &expected()).differing,
            [VisaField::Number],
            "in the text of a PDF, too"
        );
    }
}
