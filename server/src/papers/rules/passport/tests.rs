use super::*;
use crate::papers::reading::ReadFrom;
use crate::papers::rules::Finding;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn emily() -> TypedPassport {
    TypedPassport {
        full_name: "Emily Rose Clarke".into(),
        first_name: Some("Emily".into()),
        middle_name: Some("Rose".into()),
        last_name: Some("Clarke".into()),
        sex: Some("Female".into()),
        date_of_birth: Some(day("1990-04-12")),
        nationality: Some("Australia".into()),
        passport_from: Some("Australia".into()),
        document_number: Some("PX1204437".into()),
        date_of_expiry: Some(day("2033-05-06")),
        visa_type: Some("C1".into()),
        document_type: Some("Passport".into()),
        arrival_date: None,
    }
}

/// Two equal readings of a passport that says this.
fn reading(number: &str, names: &str) -> PassportReading {
    let digit = |field: &str| mrz::check_digit(field).unwrap();
    let number = format!("{number:<<9}");
    let head = format!("{number}{}AUS9004122F3305067", digit(&number));
    let head = format!("{}{}{}", &head[..19], digit("900412"), &head[20..27]) + &digit("330506").to_string();
    let composite = format!("{}{}{}<<<<<<<<<<<<<<0", &head[..10], &head[13..20], &head[21..28]);
    let lines = [
        Some(format!("{:<<44}", format!("P<AUS{names}"))),
        Some(format!("{head}<<<<<<<<<<<<<<0{}", digit(&composite))),
    ];
    PassportReading { from: ReadFrom::Tesseract, first: lines.clone(), second: Some(lines), crop: None }
}

fn says(reading: &PassportReading, typed: &TypedPassport, field: PaperField) -> Finding {
    let all = compare(reading, typed, day("2026-11-20"));
    all.iter().find(|finding| finding.field == field).unwrap_or_else(|| panic!("{field} is not in {all:?}")).finding()
}

const CLARKE: &str = "CLARKE<<EMILY<ROSE";

#[test]
fn everything_that_was_typed_as_it_is_printed_is_the_same() {
    let all = compare(&reading("PX1204437", CLARKE), &emily(), day("2026-11-20"));
    assert_eq!(all.len(), 9);
    assert!(all.iter().all(|finding| finding.finding() == Finding::Same), "{all:?}");
}

#[test]
fn one_letter_or_digit_that_differs_is_never_the_same() {
    let read = reading("PX1204437", CLARKE);
    type Change = (PaperField, fn(&mut TypedPassport));
    let changes: [Change; 9] = [
        (PaperField::Surname, |typed| typed.last_name = Some("Clark".into())),
        (PaperField::GivenNames, |typed| typed.first_name = Some("Emilie".into())),
        (PaperField::GivenNames, |typed| typed.middle_name = None),
        (PaperField::Number, |typed| typed.document_number = Some("PX1204431".into())),
        (PaperField::Nationality, |typed| typed.nationality = Some("Austria".into())),
        (PaperField::DateOfBirth, |typed| typed.date_of_birth = Some(day("1990-12-04"))),
        (PaperField::DateOfBirth, |typed| typed.date_of_birth = Some(day("1890-04-12"))),
        (PaperField::Sex, |typed| typed.sex = Some("Male".into())),
        (PaperField::Expiry, |typed| typed.date_of_expiry = Some(day("2033-06-05"))),
    ];
    for (field, change) in changes {
        let mut typed = emily();
        change(&mut typed);
        assert!(matches!(says(&read, &typed, field), Finding::Differs | Finding::Look), "{field} {typed:?}");
    }
}

#[test]
fn letters_that_no_check_digit_tells_apart_are_to_be_looked_at() {
    for (letter, _) in UNPROVED {
        let number = format!("P{letter}1204437");
        let typed = TypedPassport { document_number: Some(number.clone()), ..emily() };
        assert_eq!(says(&reading(&number, CLARKE), &typed, PaperField::Number), Finding::Look, "{letter}");
        assert!(mrz::collisions(letter).len() > 1, "{letter}");
    }
    assert!(mrz::blindspot('K', '<').is_blind() && mrz::blindspot('L', '1').is_blind());
}

#[test]
fn names_that_were_read_in_two_ways_are_to_be_looked_at() {
    let mut read = reading("PX1204437", CLARKE);
    read.second = Some(reading("PX1204437", "CLARKE<<EMILV<ROSE").first);
    assert_eq!(says(&read, &emily(), PaperField::GivenNames), Finding::Look);
}

#[test]
fn what_was_read_in_two_ways_proves_no_difference_either() {
    let mut read = reading("PX1204437", CLARKE);
    let [first, second] = read.first.clone().map(|line| line.unwrap());
    // The other reading has another given name, another sex and another nationality.
    let second = second.replacen("AUS", "AUT", 1).replacen('F', "M", 1);
    read.second = Some([Some(first.replacen("EMILY", "EMILV", 1)), Some(second)]);
    let typed = TypedPassport { first_name: Some("Emilie".into()), ..emily() };
    assert_eq!(says(&read, &typed, PaperField::GivenNames), Finding::Look);
    assert_eq!(says(&read, &TypedPassport { sex: Some("Male".into()), ..emily() }, PaperField::Sex), Finding::Look);
    let typed = TypedPassport { nationality: Some("Denmark".into()), ..emily() };
    assert_eq!(says(&read, &typed, PaperField::Nationality), Finding::Look);
}

#[test]
fn a_name_that_differs_by_a_k_alone_is_to_be_looked_at() {
    let read = reading("PX1204437", "CLARKE<<EMILYKROSE");
    assert_eq!(says(&read, &emily(), PaperField::GivenNames), Finding::Look);
}

#[test]
fn a_full_name_is_compared_in_both_orders_and_swapped_names_are_shown() {
    let read = reading("PX1204437", CLARKE);
    for name in ["Emily Rose Clarke", "CLARKE Emily Rose"] {
        let typed = TypedPassport { full_name: name.into(), last_name: None, ..emily() };
        assert_eq!(says(&read, &typed, PaperField::FullName), Finding::Same, "{name}");
    }
    let swapped = TypedPassport {
        first_name: Some("Clarke".into()),
        middle_name: None,
        last_name: Some("Emily Rose".into()),
        ..emily()
    };
    assert_eq!(says(&read, &swapped, PaperField::Surname), Finding::Look);
}

#[test]
fn a_passport_must_be_valid_for_the_months_of_the_code() {
    assert_eq!([months_needed("C1", None), months_needed("C1", Some("Travel document"))], [Some(6), Some(12)]);
    let read = reading("PX1204437", CLARKE);
    let late = TypedPassport { arrival_date: Some(day("2032-12-01")), ..emily() };
    assert_eq!(says(&read, &late, PaperField::Validity), Finding::Differs);
    assert_eq!(says(&read, &emily(), PaperField::Validity), Finding::Same);
    let unknown = TypedPassport { visa_type: None, ..emily() };
    assert!(compare(&read, &unknown, day("2026-11-20")).iter().all(|finding| finding.field != PaperField::Validity));
}

#[test]
fn nothing_typed_is_no_difference_and_nothing_read_is_none_either() {
    let read = reading("PX1204437", CLARKE);
    let typed = TypedPassport { document_number: None, sex: Some(String::new()), ..emily() };
    assert_eq!(says(&read, &typed, PaperField::Number), Finding::NotTyped);
    assert_eq!(says(&read, &typed, PaperField::Sex), Finding::NotTyped);
    let unread = PassportReading { first: [None, None], second: None, ..read };
    let all = compare(&unread, &emily(), day("2026-11-20"));
    assert!(all.iter().all(|finding| finding.finding() == Finding::NotReadable), "{all:?}");
}
