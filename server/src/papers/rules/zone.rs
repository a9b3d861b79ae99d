//! The fields of a passport's machine-readable zone (ICAO Doc 9303, part 4: two lines of 44). What was read is never repaired, except a
//! letter that looks like a digit where only one of them fits the check digit.

use chrono::NaiveDate;

use crate::papers::reading::{PassportReading, ReadLines};

/// The letters of a line.
pub const LINE: usize = 44;

/// Letters and digits that look alike, which a check digit tells apart.
const ALIKE: [(char, char); 5] = [('O', '0'), ('I', '1'), ('Z', '2'), ('S', '5'), ('B', '8')];

/// The most spellings of a number that are tried.
const MAX_SPELLINGS: usize = 256;

/// The value read from a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Proved by its check digit, or read twice in the same way.
    Sure(String),
    /// Read once, or differently the second time.
    Unsure(String),
    Not,
}

impl FieldValue {
    /// The text, if there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Sure(text) | Self::Unsure(text) => Some(text),
            Self::Not => None,
        }
    }

    /// Returns true if it is proved.
    pub fn is_sure(&self) -> bool {
        matches!(self, Self::Sure(_))
    }
}

/// The names, as they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub surname: String,
    pub given: String,
    /// The field is full to its end, so that they may go on.
    pub is_cut: bool,
    /// Something follows the fillers after the names, where passports have nothing: a filler that was taken for a letter.
    pub has_rest: bool,
}

/// The fields of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneFields {
    pub names: Option<Names>,
    /// True if both readings have the same names.
    pub names_are_sure: bool,
    pub issuing_state: FieldValue,
    pub number: FieldValue,
    pub nationality: FieldValue,
    /// YYMMDD.
    pub birth: FieldValue,
    pub sex: FieldValue,
    /// YYMMDD.
    pub expiry: FieldValue,
}

/// The fields of a reading.
pub fn fields(reading: &PassportReading) -> ZoneFields {
    let second = reading.second.as_ref().unwrap_or(&reading.first);
    let both = [&reading.first, second];
    let names = both.map(|lines| line(lines, 0).and_then(names));
    let [first, other] = names;
    let names_are_sure = first.as_ref().is_some_and(|names| !names.has_rest) && first == other;
    ZoneFields {
        names_are_sure,
        names: first.or(other),
        issuing_state: twice(both.map(|lines| line(lines, 0).map(|line| code(&line[2..5])))),
        nationality: twice(both.map(|lines| line(lines, 1).map(|line| code(&line[10..13])))),
        sex: twice(both.map(|lines| line(lines, 1).map(|line| line[20..21].to_owned()))),
        number: checked(both.map(|lines| line(lines, 1).map(number).unwrap_or(FieldValue::Not))),
        birth: checked(both.map(|lines| line(lines, 1).map_or(FieldValue::Not, |line| date(&line[13..20])))),
        expiry: checked(both.map(|lines| line(lines, 1).map_or(FieldValue::Not, |line| date(&line[21..28])))),
    }
}

/// A line of the right length.
fn line(lines: &ReadLines, which: usize) -> Option<&str> {
    lines[which].as_deref().filter(|line| line.len() == LINE && line.bytes().all(is_of_zone))
}

fn is_of_zone(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'<'
}

/// A field that no check digit covers: sure if it was read twice in the same way.
fn twice(read: [Option<String>; 2]) -> FieldValue {
    match read {
        [Some(first), Some(second)] if first == second => FieldValue::Sure(first),
        [Some(text), _] | [None, Some(text)] => FieldValue::Unsure(text),
        [None, None] => FieldValue::Not,
    }
}

/// A field with a check digit, which one reading proves unless the other proves something else.
fn checked(read: [FieldValue; 2]) -> FieldValue {
    match read {
        [FieldValue::Sure(first), FieldValue::Sure(second)] if first == second => FieldValue::Sure(first),
        [FieldValue::Sure(first), FieldValue::Not] => FieldValue::Sure(first),
        [FieldValue::Not, FieldValue::Sure(second)] => FieldValue::Sure(second),
        [FieldValue::Sure(text) | FieldValue::Unsure(text), _] | [FieldValue::Not, FieldValue::Unsure(text)] => {
            FieldValue::Unsure(text)
        }
        [FieldValue::Not, FieldValue::Not] => FieldValue::Not,
    }
}

/// Letters where there are no digits.
fn letters(text: &str) -> String {
    let letter = |seen: char| ALIKE.iter().find(|(_, digit)| *digit == seen).map_or(seen, |(letter, _)| *letter);
    text.chars().map(letter).collect()
}

/// The code of a state.
fn code(text: &str) -> String {
    letters(text).trim_end_matches('<').to_owned()
}

fn names(line: &str) -> Option<Names> {
    if !line.starts_with('P') {
        return None;
    }
    let field = letters(&line[5..]);
    let is_cut = !field.ends_with('<');
    let (surname, given) = field.split_once("<<").unwrap_or((&field, ""));
    let (given, rest) = given.split_once("<<").unwrap_or((given, ""));
    let has_rest = rest.contains(|letter| letter != '<');
    let words = |text: &str| text.split('<').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let (surname, given) = (words(surname), words(given));
    let is_name = |text: &str| text.chars().all(|letter| letter.is_ascii_uppercase() || letter == ' ');
    (!surname.is_empty() && is_name(&surname) && is_name(&given)).then_some(Names { surname, given, is_cut, has_rest })
}

/// The number of the passport.
fn number(line: &str) -> FieldValue {
    let Some(digit) = as_digit(&line[9..10]) else { return FieldValue::Not };
    let mut spelled = vec![String::new()];
    for seen in line[..9].chars() {
        let alike = ALIKE.iter().find(|(letter, digit)| *letter == seen || *digit == seen);
        let choices = alike.map_or(vec![seen], |(letter, digit)| vec![*letter, *digit]);
        if spelled.len() * choices.len() > MAX_SPELLINGS {
            return FieldValue::Not;
        }
        spelled = spelled.iter().flat_map(|begun| choices.iter().map(move |one| format!("{begun}{one}"))).collect();
    }
    spelled.retain(|number| mrz::verify(number, digit));
    let plain = |number: &str| number.trim_end_matches('<').to_owned();
    let changes = |number: &str| number.chars().zip(line.chars()).filter(|(one, other)| one != other).count();
    let as_read = spelled.iter().find(|number| changes(number) == 0);
    // O and 0 are the same shape to Tesseract, so that two of them may both be wrong.
    let other_zeros = |number: &&String| {
        let mut pairs = number.chars().zip(line.chars());
        pairs.all(|(one, other)| one == other || matches!((one, other), ('O', '0') | ('0', 'O')))
    };
    match (as_read, spelled.as_slice()) {
        (_, []) => FieldValue::Not,
        (Some(number), all) if all.iter().filter(other_zeros).count() == 1 => FieldValue::Sure(plain(number)),
        (None, all) if all.iter().filter(|number| changes(number) == 1).count() == 1 => {
            let put_right = all.iter().find(|number| changes(number) == 1);
            put_right.map_or(FieldValue::Not, |number| FieldValue::Sure(plain(number)))
        }
        (Some(number), _) => FieldValue::Unsure(plain(number)),
        (None, _) => FieldValue::Not,
    }
}

/// A date of six digits and its check digit.
fn date(text: &str) -> FieldValue {
    let digits: Option<String> = text.chars().map(|seen| as_digit(&seen.to_string())).collect();
    match digits {
        Some(digits) if digits[6..].starts_with(|digit| mrz::verify(&digits[..6], digit)) => {
            FieldValue::Sure(digits[..6].to_owned())
        }
        _ => FieldValue::Not,
    }
}

/// A digit, or the digit that a letter looks like.
fn as_digit(text: &str) -> Option<char> {
    let seen = text.chars().next()?;
    let alike = ALIKE.iter().find(|(letter, _)| *letter == seen).map_or(seen, |(_, digit)| *digit);
    alike.is_ascii_digit().then_some(alike)
}

/// A date as the zone has it: YYMMDD.
pub fn six_digits(date: NaiveDate) -> String {
    date.format("%y%m%d").to_string()
}

/// Finds both lines in the text of a PDF. Only lines whose check digits are all right count.
pub fn find_in_text(text: &str) -> Option<[String; 2]> {
    let text: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let starts = text.iter().enumerate().filter(|(_, letter)| **letter == 'P').map(|(at, _)| at);
    starts.filter_map(|at| text.get(at..at + 2 * LINE)).find_map(|both| {
        let both: String = both.iter().collect();
        if !both.bytes().all(is_of_zone) {
            return None;
        }
        let (first, second) = both.split_at(LINE);
        mrz::parse_td3(first, second).is_ok_and(|read| read.valid()).then(|| [first.to_owned(), second.to_owned()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::reading::ReadFrom;

    const FIRST: &str = "P<AUSCLARKE<<EMILY<ROSE<<<<<<<<<<<<<<<<<<<<<";

    fn second() -> String {
        let digit = |field: &str| mrz::check_digit(field).unwrap();
        let (number, birth, expiry) = ("PX1204437", "900412", "330506");
        let head = format!("{number}{}AUS{birth}{}F{expiry}{}", digit(number), digit(birth), digit(expiry));
        let all = format!("{}{}{}", &head[..10], &head[13..20], &head[21..28]);
        format!("{head}<<<<<<<<<<<<<<0{}", digit(&format!("{all}<<<<<<<<<<<<<<0")))
    }

    fn read(first: &str, second: &str) -> ZoneFields {
        let lines: ReadLines = [Some(first.to_owned()), Some(second.to_owned())];
        fields(&PassportReading { from: ReadFrom::Tesseract, first: lines.clone(), second: Some(lines), crop: None })
    }

    #[test]
    fn both_lines_are_found_in_the_text_of_a_page() {
        let text = format!("PASSPORT\nAustralia\n{FIRST}\n{}\nSample", second());
        assert_eq!(find_in_text(&text), Some([FIRST.to_owned(), second()]));
        assert_eq!(find_in_text(&text.replace("PX12044", "PX12045")), None, "a check digit is wrong");
    }

    #[test]
    fn a_letter_for_a_digit_is_put_right_where_the_check_digit_proves_it() {
        let zone = read(FIRST, &second().replace("1204437", "12O4437"));
        assert_eq!(zone.number, FieldValue::Sure("PX1204437".to_owned()));
        assert_eq!(zone.birth, FieldValue::Sure("900412".to_owned()));
        let wrong = read(FIRST, &second().replace("1204437", "1204737"));
        assert_eq!(wrong.number, FieldValue::Not);
    }

    #[test]
    fn a_letter_behind_the_names_is_left_out_and_makes_them_unsure() {
        let zone = read(&FIRST.replace("ROSE<<<", "ROSE<<K"), &second());
        assert_eq!(zone.names.map(|names| names.given), Some("EMILY ROSE".to_owned()));
        assert!(!zone.names_are_sure);
        assert!(read(FIRST, &second()).names_are_sure);
    }

    #[test]
    fn letters_that_cancel_out_are_not_sure() {
        let digit = mrz::check_digit("PX1004437").unwrap();
        let line = format!("PX1004437{digit}{}", &second()[10..]);
        assert_eq!(read(FIRST, &line).number, FieldValue::Unsure("PX1004437".to_owned()));
    }

    #[test]
    fn two_readings_that_differ_are_not_sure() {
        let mut reading = PassportReading {
            from: ReadFrom::Tesseract,
            first: [Some(FIRST.to_owned()), Some(second())],
            second: Some([Some(FIRST.replace("EMILY", "EMILV")), None]),
            crop: None,
        };
        let zone = fields(&reading);
        assert!(!zone.names_are_sure && zone.nationality == FieldValue::Unsure("AUS".to_owned()));
        assert_eq!(zone.number, FieldValue::Sure("PX1204437".to_owned()));
        reading.second = None;
        assert!(fields(&reading).names_are_sure, "the text of a PDF is read once");
    }
}
