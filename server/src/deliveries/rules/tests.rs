use chrono::NaiveDate;

use super::*;
use crate::orders::rules::personal_name::PersonalName;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn order() -> ExpectedVisa {
    ExpectedVisa {
        document_number: Some("PB1204417".to_owned()),
        names: names(&["Emilie Rose O'Clarke"]),
        date_of_birth: Some(day("1990-04-12")),
    }
}

/// A visa of other values, in the way that the government's portal writes it.
fn visa(number: &str, name: &str, birth: &str) -> String {
    format!(
        "REPUBLIK INDONESIA\nVISA ELEKTRONIK / ELECTRONIC VISA\nNo. 2A13EH4471-W Index C1\nNama / Name: {name}\n\
         Nomor Paspor / Passport No: {number}\nTanggal Lahir / Date of Birth: {birth}\nBerlaku sampai 14/03/2027"
    )
}

fn differing(text: &str, expected: &ExpectedVisa) -> Vec<VisaField> {
    compare(text, expected).differing
}

fn names(typed: &[&str]) -> Vec<PersonalName> {
    typed.iter().filter_map(|name| PersonalName::read(name)).collect()
}

#[test]
fn a_visa_with_the_values_of_the_order_is_the_same() {
    for (number, name, birth) in [
        ("PB1204417", "EMILIE ROSE OCLARKE", "12/04/1990"),
        ("PB 1204417", "O’CLARKE, EMILIE ROSE", "12-04-1990"),
        ("pb1204417", "Émilie Rose O'Clarke", "1990-04-12"),
        ("PB-1204417", "EMILIE ROSE O CLARKE", "12 APR 1990"),
        ("PB1204417", "ROSE EMILIE O'CLARKE", "12 April 1990"),
        ("P B 1 2 0 4 4 1 7", "E M I L I E  R O S E  O C L A R K E", "1 2 / 0 4 / 1 9 9 0"),
    ] {
        let found = compare(&visa(number, name, birth), &order());
        assert_eq!(found.outcome, VisaOutcome::Same, "{number} {name} {birth}: {found:?}");
    }
}

#[test]
fn one_wrong_letter_digit_or_day_differs() {
    let right = ("PB1204417", "EMILIE ROSE OCLARKE", "12/04/1990");
    for number in ["PB1204418", "PB120441", "PB12044170", "PL1204417", "APB1204417"] {
        assert_eq!(differing(&visa(number, right.1, right.2), &order()), [VisaField::Number], "{number}");
    }
    for name in ["EMILY ROSE OCLARKE", "EMILIE OCLARKE", "EMILIE ROSE OCLARKES"] {
        assert_eq!(differing(&visa(right.0, name, right.2), &order()), [VisaField::Name], "{name}");
    }
    for birth in ["13/04/1990", "12/05/1990", "12/04/1991", "04/12/1990", "12 APR 90"] {
        assert_eq!(differing(&visa(right.0, right.1, birth), &order()), [VisaField::Birth], "{birth}");
    }
}

#[test]
fn the_number_may_stand_in_a_machine_readable_zone_alone() {
    let zone = "P<AUSOCLARKE<<EMILIE<ROSE<<<<<<<<<<<<<<<<<<\nPB12044175AUS9004126F3305061<<<<<<<<<<<<<<<0";
    let text = format!("{zone}\nEMILIE ROSE OCLARKE 12/04/1990 ELECTRONIC VISA OF THE REPUBLIC");
    assert_eq!(compare(&text, &order()).outcome, VisaOutcome::Same);
    let other = text.replace("PB1204417", "PB1204471");
    assert_eq!(differing(&other, &order()), [VisaField::Number]);
}

#[test]
fn what_the_order_does_not_have_and_names_in_other_scripts_are_not_compared() {
    let chinese = ExpectedVisa { names: names(&["王小明", "Xiaoming Wang"]), ..order() };
    assert_eq!(compare(&visa("PB1204417", "WANG XIAOMING", "12/04/1990"), &chinese).outcome, VisaOutcome::Same);
    assert_eq!(differing(&visa("PB1204417", "WANG XIAOMIN", "12/04/1990"), &chinese), [VisaField::Name]);
    // Nothing is the same without a comparison.
    let native = ExpectedVisa { names: names(&["王小明", ""]), ..order() };
    assert_eq!(compare(&visa("PB1204417", "WANG XIAOMIN", "12/04/1990"), &native).outcome, VisaOutcome::NotRead);
    let empty = ExpectedVisa { names: names(&["王小明"]), ..ExpectedVisa::default() };
    assert_eq!(compare(&visa("PB1204417", "WANG", "12/04/1990"), &empty), Comparison::not_read());
}

/// In every order there are 10^16 ways to find it.
#[test]
fn a_name_whose_words_have_common_spellings_is_searched_at_once() {
    let long = ["Ü UE"; 15].join(" ");
    let expected = ExpectedVisa { names: names(&[&long, &format!("{long} X")]), ..order() };
    let printed = ["UE"; 30].join(" ");
    assert_eq!(compare(&visa("PB1204417", &printed, "12/04/1990"), &expected).outcome, VisaOutcome::Same);
}

#[test]
fn a_text_that_is_too_short_is_not_read() {
    assert_eq!(compare("", &order()), Comparison::not_read());
    assert_eq!(compare("Scanned with a telephone, page 1", &order()), Comparison::not_read());
}

#[test]
fn what_differs_is_said_in_one_sentence() {
    let differs = |differing: &[VisaField]| Comparison { outcome: VisaOutcome::Differs, differing: differing.to_vec() };
    let said = |differing: &[VisaField], used_by| describe(&differs(differing), used_by).unwrap();
    assert_eq!(said(&[VisaField::Number], None), "the passport number of the order is not on it");
    assert_eq!(
        said(&[VisaField::Number, VisaField::Name, VisaField::Birth], Some("VD-100007")),
        "this file is the visa of order VD-100007, and the passport number, name and date of birth of the order are not on it"
    );
    assert_eq!(describe(&Comparison { outcome: VisaOutcome::Same, differing: Vec::new() }, None), None);
}

#[test]
fn a_reason_is_short_and_visible() {
    assert_eq!(read_reason("  ").unwrap(), None);
    assert_eq!(read_reason(" renewed passport ").unwrap().as_deref(), Some("renewed passport"));
    for wrong in ["abcd", "hidden\u{202e}text", &"x".repeat(501)] {
        assert!(matches!(read_reason(wrong), Err(DeliveryError::InvalidReason)), "{wrong}");
    }
}

#[test]
fn a_name_is_on_the_visa_with_its_accents_without_them_or_as_a_passport_spells_it() {
    let text = "REPUBLIC OF INDONESIA electronic visa for the bearer of passport PB1204417";
    for (typed, shown) in [
        ("Jürgen Groß", "JUERGEN GROSS"),
        ("Jürgen Groß", "JURGEN GROSS"),
        ("Jürgen Groß", "Jürgen Groß"),
        ("Søren Ørsted", "SOEREN OERSTED"),
        ("Søren Ørsted", "SOREN ORSTED"),
        ("soren_orsted", "Søren Ørsted"),
    ] {
        let expected = ExpectedVisa { names: names(&[typed]), ..ExpectedVisa::default() };
        assert_eq!(compare(&format!("{text} {shown}"), &expected).outcome, VisaOutcome::Same, "{typed} {shown}");
        assert_eq!(compare(&format!("{text} JURGA GROS"), &expected).outcome, VisaOutcome::Differs, "{typed}");
    }
}
