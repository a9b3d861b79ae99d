//! What a passport's machine-readable zone says, beside what was typed.

use toml::{Table, Value};
use visadesk::papers::reading::{PassportReading, ReadFrom, ReadLines};
use visadesk::papers::rules::passport::{TypedPassport, compare};
use visadesk::papers::rules::{FieldFinding, Finding};

use super::Case;

const TODAY: &str = "2026-11-20";

pub fn faults(case: &Case) -> Vec<String> {
    let today = case.given.get("today").and_then(Value::as_str).unwrap_or(TODAY).parse().expect("a day");
    let typed = typed(case.given["typed"].as_table().expect("fields"));
    let findings = compare(&reading(case), &typed, today);
    case.expected
        .iter()
        .filter_map(|(field, expected)| fault(&findings, field, expected.as_str().expect("a finding")))
        .collect()
}

/// A finding that is not the expected one, which may be a range.
pub fn fault(findings: &[FieldFinding], field: &str, expected: &str) -> Option<String> {
    let Some(found) = findings.iter().find(|finding| finding.field.as_str() == field) else {
        // What is not compared is not the same.
        return (expected != "not same").then(|| format!("{field} is not compared"));
    };
    let is_right = match expected {
        "not same" => found.finding() != Finding::Same,
        "not differs" => found.finding() != Finding::Differs,
        expected => found.finding().as_str() == expected,
    };
    (!is_right).then(|| format!("{field} is {} instead of {expected}", found.finding().as_str()))
}

fn typed(fields: &Table) -> TypedPassport {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let date = |name: &str| text(name).map(|date| date.parse().expect("a date"));
    let parts = ["first_name", "middle_name", "last_name"].map(text);
    let joined = parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let [first_name, middle_name, last_name] = parts;
    TypedPassport {
        full_name: text("full_name").unwrap_or(joined),
        first_name,
        middle_name,
        last_name,
        sex: text("sex"),
        date_of_birth: date("date_of_birth"),
        nationality: text("nationality"),
        passport_from: text("passport_from"),
        document_number: text("document_number"),
        date_of_expiry: date("date_of_expiry"),
        visa_type: text("visa_type"),
        document_type: text("document_type"),
        arrival_date: date("arrival_date"),
    }
}

fn reading(case: &Case) -> PassportReading {
    let lines = |name: &str| -> Option<ReadLines> {
        let lines = case.given.get(name)?.as_array().expect("two lines");
        let line = |at: usize| lines[at].as_str().map(str::to_owned);
        Some([line(0), line(1)])
    };
    let first = lines("lines").unwrap_or_else(|| [format!("{:<<44}", case.text("names")), second_line(case)].map(Some));
    let again = lines("again").unwrap_or_else(|| first.clone());
    PassportReading { from: ReadFrom::Tesseract, first, second: Some(again), crop: None }
}

/// The second line, with its check digits.
fn second_line(case: &Case) -> String {
    let checked = |text: String| {
        let digit = mrz::check_digit(&text).expect("letters of a zone");
        text + &digit.to_string()
    };
    let number = checked(format!("{:<<9}", case.text("number")));
    let [birth, expiry] = ["birth", "expiry"].map(|name| checked(case.text(name).to_owned()));
    let optional = case.text("optional");
    let optional = if optional.is_empty() { "<<<<<<<<<<<<<<0".to_owned() } else { checked(format!("{optional:<<14}")) };
    let all = mrz::check_digit(&format!("{number}{birth}{expiry}{optional}")).expect("letters of a zone");
    format!("{number}{:<<3}{birth}{}{expiry}{optional}{all}", case.text("nationality"), case.text("sex"))
}
