//! The fields of a passport's machine-readable zone (ICAO Doc 9303, part 4: two lines of 44). What was read is never repaired, except a
//! letter that looks like a digit where only one of them fits the check digit.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::papers::reading::{PassportReading, ReadLines};

/// The letters of a line.
pub const LINE: usize = 44;

/// A letter that looks like a digit, where a field has only one of the two kinds.
const ALIKE: [(char, char); 5] = [('O', '0'), ('I', '1'), ('Z', '2'), ('S', '5'), ('B', '8')];

/// Characters of a number that are read for each other.
const SIMILAR: [(char, char); 18] = [
    ('0', 'O'),
    ('0', 'Q'),
    ('0', 'D'),
    ('O', 'Q'),
    ('O', 'D'),
    ('1', 'I'),
    ('1', 'L'),
    ('I', 'L'),
    ('2', 'Z'),
    ('5', 'S'),
    ('8', 'S'),
    ('8', 'B'),
    ('6', 'G'),
    ('M', 'W'),
    ('F', 'P'),
    ('K', '<'),
    ('A', 'K'),
    ('A', '4'),
];

/// Returns true if one character is read for the other, and no check digit tells them apart.
pub fn are_twins(one: char, other: char) -> bool {
    SIMILAR.iter().any(|pair| *pair == (one, other) || *pair == (other, one)) && mrz::blindspot(one, other).is_blind()
}

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

/// The names, as they were read. Either may be empty: passports of India and Indonesia have people with one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub surname: String,
    pub given: String,
    /// The field is full to its end, so that they may go on.
    pub is_cut: bool,
    /// Something follows the fillers after the names, where passports have nothing: a filler that was taken for a letter. Or a digit was read
    /// among them.
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
    // The sticker of a visa has the same lines (ICAO Doc 9303, part 7), with a number of its own.
    let nothing: &ReadLines = &[None, None];
    let both = [&reading.first, second].map(|lines| if is_of_visa(lines) { nothing } else { lines });
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

fn is_of_visa(lines: &ReadLines) -> bool {
    lines[0].as_deref().is_some_and(|line| line.starts_with('V'))
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
    // A digit may stand for several letters.
    let has_rest = rest.contains(|letter| letter != '<') || line[5..].contains(|letter: char| letter.is_ascii_digit());
    let words = |text: &str| text.split('<').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let (surname, given) = (words(surname), words(given));
    let is_name = |text: &str| text.chars().all(|letter| letter.is_ascii_uppercase() || letter == ' ');
    let is_there = !(surname.is_empty() && given.is_empty());
    (is_there && is_name(&surname) && is_name(&given)).then_some(Names { surname, given, is_cut, has_rest })
}

/// The number of the passport.
fn number(line: &str) -> FieldValue {
    let Some(digit) = as_digit(&line[9..10]) else { return FieldValue::Not };
    let cells = &line[..9];
    let plain = |number: &str| number.trim_end_matches('<').to_owned();
    if mrz::verify(cells, digit) {
        // O and 0 are the same shape to Tesseract, so that two of them may both be wrong.
        let zeros = readings(cells, digit, |seen| if matches!(seen, 'O' | '0') { similar(seen) } else { vec![seen] });
        return if zeros.len() == 1 { FieldValue::Sure(plain(cells)) } else { FieldValue::Unsure(plain(cells)) };
    }
    match readings(cells, digit, similar).as_slice() {
        [] => FieldValue::Not,
        [only] => FieldValue::Sure(plain(only)),
        [first, ..] => FieldValue::Unsure(plain(first)),
    }
}

/// A character and those that are read for it.
fn similar(seen: char) -> Vec<char> {
    let other = |&(one, other): &(char, char)| match seen {
        _ if seen == one => Some(other),
        _ if seen == other => Some(one),
        _ => None,
    };
    std::iter::once(seen).chain(SIMILAR.iter().filter_map(other)).collect()
}

/// At most two of the numbers that fit the check digit, where each cell has one of its choices, of which the first is what was read; those with
/// the fewest changes first. Two are enough to know that the check digit does not prove one.
fn readings(cells: &str, digit: char, choices: impl Fn(char) -> Vec<char>) -> Vec<String> {
    const WEIGHTS: [u32; 3] = [7, 3, 1];
    const ENOUGH: usize = 2;
    // The beginnings of numbers with their changes, by the remainder of their weighted sum.
    let mut begun: BTreeMap<u32, Vec<(usize, String)>> = BTreeMap::from([(0, vec![(0, String::new())])]);
    for (cell, weight) in cells.chars().zip(WEIGHTS.into_iter().cycle()) {
        let mut longer: BTreeMap<u32, Vec<(usize, String)>> = BTreeMap::new();
        for (place, choice) in choices(cell).into_iter().enumerate() {
            let Ok(value) = mrz::check_digit(&choice.to_string()).map(|seven_times| seven_times * 3 % 10) else {
                continue;
            };
            for (sum, numbers) in &begun {
                let found = longer.entry((sum + value * weight) % 10).or_default();
                let changed = usize::from(place > 0);
                found.extend(numbers.iter().map(|(changes, number)| (changes + changed, format!("{number}{choice}"))));
                found.sort_by_key(|(changes, _)| *changes);
                found.truncate(ENOUGH);
            }
        }
        begun = longer;
    }
    let fitting = digit.to_digit(10).and_then(|sum| begun.remove(&sum)).unwrap_or_default();
    fitting.into_iter().map(|(_, number)| number).collect()
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
    fn a_letter_for_a_digit_is_put_right_and_certain_only_if_no_other_number_fits() {
        let zone = read(FIRST, &second().replace("1204437", "12O4437"));
        // PXIZO4437 fits too.
        assert_eq!(zone.number, FieldValue::Unsure("PX1204437".to_owned()));
        assert_eq!(zone.birth, FieldValue::Sure("900412".to_owned()));
        let digit = mrz::check_digit("NX5739393").unwrap();
        let line = format!("NXS739393{digit}{}", &second()[10..]);
        assert_eq!(read(FIRST, &line).number, FieldValue::Sure("NX5739393".to_owned()));
        let digit = mrz::check_digit("NX7739393").unwrap();
        let line = format!("NX7793393{digit}{}", &second()[10..]);
        assert_eq!(read(FIRST, &line).number, FieldValue::Not, "none of its characters is read for another");
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
