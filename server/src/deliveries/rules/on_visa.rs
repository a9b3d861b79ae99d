//! Searches the text of a visa for the values of an order. Pure.

use std::collections::HashSet;

use chrono::{Datelike, NaiveDate};
use unicode_normalization::char::is_combining_mark;

use crate::orders::rules::comparison::Equal;
use crate::orders::rules::personal_name::{PersonalName, is_space, plain_words, without_spaces};
use crate::orders::rules::spelling::{LetterSpellings, begins_with, have_common};
use crate::text_enum;

text_enum! {
    /// A value that is searched.
    pub enum VisaField {
        Number = "document_number",
        Name = "full_name",
        Birth = "date_of_birth",
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
        search("", self).iter().all(|(_, found)| matches!(found, OnVisa::NotTyped | OnVisa::Unclear))
    }
}

/// The result of the search for a value of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnVisa {
    Found(Equal),
    /// Something like it is there, or it cannot stand on a visa as it was typed.
    Unclear,
    Missing,
    /// The order has no such value.
    NotTyped,
}

impl OnVisa {
    fn of(equal: Option<Equal>) -> Self {
        equal.map_or(Self::Missing, Self::Found)
    }

    /// The better of two results.
    fn or(self, other: impl FnOnce() -> Self) -> Self {
        match (self, other) {
            (Self::Found(_), _) => self,
            (_, other) => match other() {
                Self::Missing | Self::NotTyped => self,
                found => found,
            },
        }
    }
}

/// Searches the text for each value of the order.
pub fn search(text: &str, expected: &ExpectedVisa) -> [(VisaField, OnVisa); 3] {
    let number = expected.document_number.as_deref().map_or(OnVisa::NotTyped, |number| {
        OnVisa::of(Equal::by(number, text, |number, text| has_number(text, &plain_words(text), number)))
    });
    let birth = expected.date_of_birth.map_or(OnVisa::NotTyped, |date| search_birth(text, date));
    [(VisaField::Number, number), (VisaField::Name, search_name(text, &expected.names)), (VisaField::Birth, birth)]
}

/// Words that stand beside a name, and belong to no name.
const LABELS: [&str; 34] = [
    "NAMA",
    "NAME",
    "NAMES",
    "FULL",
    "LENGKAP",
    "GIVEN",
    "FIRST",
    "MIDDLE",
    "LAST",
    "FAMILY",
    "SURNAME",
    "HOLDER",
    "OF",
    "PEMEGANG",
    "APPLICANT",
    "PEMOHON",
    "VISA",
    "PASSPORT",
    "PASPOR",
    "NO",
    "NOMOR",
    "NUMBER",
    "DATE",
    "TANGGAL",
    "BIRTH",
    "LAHIR",
    "SEX",
    "KELAMIN",
    "NATIONALITY",
    "KEWARGANEGARAAN",
    "INDEX",
    "MR",
    "MRS",
    "MS",
];

/// The longest name that has room on some visas, in characters.
const ROOM: usize = 39;

/// A word of a text.
struct VisaWord {
    plain: String,
    letters: Vec<LetterSpellings>,
    line: usize,
}

/// The words of a text. Those of other scripts are left out.
fn visa_words(text: &str) -> Vec<VisaWord> {
    let is_between = |one: char| !(one.is_alphanumeric() || is_combining_mark(one));
    let mut words = Vec::new();
    for (line, row) in text.lines().enumerate() {
        for word in row.split(is_between).filter_map(PersonalName::read) {
            if let Some(letters) = word.spellings().filter(|letters| !letters.is_empty()) {
                words.push(VisaWord { plain: joined(word.shown()), letters, line });
            }
        }
    }
    words
}

/// Searches the text for one of the names. Its words stand together, in any order, and beside no other word that might be a name.
fn search_name(text: &str, names: &[PersonalName]) -> OnVisa {
    if names.is_empty() {
        return OnVisa::NotTyped;
    }
    let words = visa_words(text);
    let mut found = OnVisa::Missing;
    let mut is_spelled = false;
    for name in names {
        let Some(letters) = name.spellings().filter(|letters| !letters.is_empty()) else { continue };
        is_spelled = true;
        found = found.or(|| search_spelled(&words, &letters));
        found = found.or(|| {
            let shorter = name.without_titles().and_then(|name| name.spellings());
            let is_there = shorter.is_some_and(|letters| search_spelled(&words, &letters) != OnVisa::Missing);
            if is_there { OnVisa::Unclear } else { OnVisa::Missing }
        });
    }
    if is_spelled { found } else { OnVisa::Unclear }
}

fn search_spelled(words: &[VisaWord], name: &[LetterSpellings]) -> OnVisa {
    let pieces: Vec<&[LetterSpellings]> = name.split(is_space).collect();
    let is_alone = |name: &[LetterSpellings], words: &[VisaWord]| {
        let pieces: Vec<&[LetterSpellings]> = name.split(is_space).collect();
        (0..words.len())
            .any(|start| ends_of(words, start, &pieces).into_iter().any(|end| stands_alone(words, start..end, &pieces)))
    };
    let equal = Equal::by(name, words, is_alone);
    let is_scattered =
        || pieces.iter().all(|piece| count(words, piece) >= pieces.iter().filter(|other| *other == piece).count());
    let is_joined = || words.iter().any(|word| have_common(&without_spaces(name), &word.letters));
    let is_cut = || {
        let cut: Vec<&[LetterSpellings]> = name.get(..ROOM).into_iter().flat_map(|cut| cut.split(is_space)).collect();
        !cut.is_empty() && (0..words.len()).any(|start| !ends_of(words, start, &cut).is_empty())
    };
    match equal {
        Some(equal) => OnVisa::Found(equal),
        None if is_scattered() || is_joined() || is_cut() => OnVisa::Unclear,
        None => OnVisa::Missing,
    }
}

/// The places behind the words that are all pieces of a name, in any order, from a word on. A piece may be cut into several words.
fn ends_of(words: &[VisaWord], start: usize, pieces: &[&[LetterSpellings]]) -> Vec<usize> {
    let mut open = vec![(start, (0..pieces.len()).collect::<Vec<usize>>())];
    // Without it, a name whose pieces have common spellings would be tried in every order.
    let mut seen = HashSet::new();
    let mut ends = Vec::new();
    while let Some((place, left)) = open.pop() {
        if left.is_empty() {
            ends.push(place);
        }
        for (at, piece) in left.iter().enumerate() {
            if left[..at].iter().any(|other| pieces[*other] == pieces[*piece]) {
                continue;
            }
            let Some(end) = end_of_piece(words, place, pieces[*piece]) else { continue };
            let mut others = left.clone();
            others.remove(at);
            if seen.insert((end, others.clone())) {
                open.push((end, others));
            }
        }
    }
    ends
}

/// The place behind the words that are a piece of a name.
fn end_of_piece(words: &[VisaWord], start: usize, piece: &[LetterSpellings]) -> Option<usize> {
    let mut read: Vec<LetterSpellings> = Vec::new();
    for (place, word) in words.iter().enumerate().skip(start) {
        read.extend(word.letters.iter().cloned());
        if !begins_with(piece, &read) {
            return None;
        }
        if have_common(piece, &read) {
            return Some(place + 1);
        }
    }
    None
}

/// No word beside the name, on its lines, might be another name. The name itself may stand there again.
fn stands_alone(words: &[VisaWord], name: std::ops::Range<usize>, pieces: &[&[LetterSpellings]]) -> bool {
    let is_harmless = |word: &VisaWord| {
        LABELS.contains(&word.plain.as_str()) || word.plain.contains(|one: char| one.is_ascii_digit())
    };
    let before = words.get(name.start.wrapping_sub(1)).filter(|word| word.line == words[name.start].line);
    let after = words.get(name.end).filter(|word| word.line == words[name.end - 1].line);
    let is_again = ends_of(words, name.end, pieces).contains(&(name.end + name.len()))
        || name.start.checked_sub(name.len()).is_some_and(|start| ends_of(words, start, pieces).contains(&name.start));
    is_again || before.into_iter().chain(after).all(is_harmless)
}

/// Counts how often a piece of a name is in the text, as a word or as neighbouring words: `OCLARKE` also in `O'CLARKE`.
fn count(words: &[VisaWord], piece: &[LetterSpellings]) -> usize {
    (0..words.len()).filter(|start| end_of_piece(words, *start, piece).is_some()).count()
}

/// Returns true if a number is in the text: as a word, as neighbouring words, or in the second line of a machine-readable zone (ICAO Doc
/// 9303 part 4, nine cells and their check digit).
fn has_number(text: &str, words: &[String], number: &str) -> bool {
    let wanted = joined(number);
    let in_zone = || text.split_whitespace().any(|line| zone_number(line) == Some(wanted.as_str()));
    !wanted.is_empty() && (has_joined(words, &wanted) || in_zone())
}

/// The number of the document in the second line of a zone of 44 cells.
fn zone_number(line: &str) -> Option<&str> {
    let is_zone =
        line.len() == 44 && line.bytes().all(|one| one.is_ascii_digit() || one.is_ascii_uppercase() || one == b'<');
    is_zone.then(|| line[..9].trim_end_matches('<'))
}

/// Returns true if neighbouring words are the text, cut anywhere.
fn has_joined(words: &[String], text: &str) -> bool {
    (0..words.len()).any(|start| {
        let mut rest = text;
        for word in &words[start..] {
            match rest.strip_prefix(word.as_str()) {
                Some("") => return true,
                Some(left) => rest = left,
                None => return false,
            }
        }
        false
    })
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

/// Words beside dates that are not those of a birth, and those beside a birth.
const OTHER_DATES: [&str; 10] =
    ["ISSUE", "ISSUED", "TERBIT", "VALID", "UNTIL", "BERLAKU", "SAMPAI", "EXPIRY", "EXPIRES", "ENTRY"];
const BIRTHS: [&str; 3] = ["BIRTH", "BORN", "LAHIR"];

/// Searches the text for a date of birth, which does not stand on a line about another date.
fn search_birth(text: &str, date: NaiveDate) -> OnVisa {
    let whole = search_date(text, date);
    let OnVisa::Found(_) = whole else { return whole };
    let has = |line: &str, labels: &[&str]| plain_words(line).iter().any(|word| labels.contains(&word.as_str()));
    let is_other = |line: &str| has(line, &OTHER_DATES) && !has(line, &BIRTHS);
    let own: Vec<&str> = text.lines().filter(|line| !is_other(line)).collect();
    match search_date(&own.join("\n"), date) {
        OnVisa::Found(equal) => OnVisa::Found(equal),
        _ => OnVisa::Unclear,
    }
}

/// Searches for day, month and year in this order, the other way round, or with a month in words before the day. With numbers for both, the
/// month does not come first: then it may be another day.
fn search_date(text: &str, date: NaiveDate) -> OnVisa {
    let words = plain_words(text);
    let is_number = |word: &str, number: u32| word.len() <= 4 && word.parse::<u32>() == Ok(number);
    let is_named = |word: &str| {
        let names = usize::try_from(date.month0()).ok().and_then(|month| MONTHS.get(month));
        names.is_some_and(|names| names.iter().any(|name| word.starts_with(name)))
    };
    let is_day = |word: &str| word.len() <= 2 && is_number(word, date.day());
    let is_month = |word: &str| is_number(word, date.month()) || is_named(word);
    let year = u32::try_from(date.year()).unwrap_or_default();
    let is_year = |word: &str| word.len() == 4 && is_number(word, year);
    let is_short_year = |word: &str| word.len() == 2 && is_number(word, year % 100);
    // Also with each digit at a place of its own.
    let digits = ["%d%m%Y", "%Y%m%d"].map(|format| date.format(format).to_string());
    let in_three =
        |is: &dyn Fn(&str, &str, &str) -> bool| words.windows(3).any(|three| is(&three[0], &three[1], &three[2]));
    let is_there = |words: &[String], _: &NaiveDate| {
        digits.iter().any(|digits| has_joined(words, digits))
            || in_three(&|first, second, third| {
                (is_day(first) && is_month(second) && is_year(third))
                    || (is_year(first) && is_month(second) && is_day(third))
                    || (is_named(first) && is_day(second) && is_year(third))
            })
    };
    let may_be_there = || {
        in_three(&|first, second, third| {
            (is_month(first) && is_day(second) && (is_year(third) || is_short_year(third)))
                || (is_day(first) && is_month(second) && is_short_year(third))
        })
    };
    match Equal::by(&*words, &date, is_there) {
        Some(equal) => OnVisa::Found(equal),
        None if may_be_there() => OnVisa::Unclear,
        None => OnVisa::Missing,
    }
}

/// A text without what divides its words.
pub fn joined(text: &str) -> String {
    plain_words(text).concat()
}
