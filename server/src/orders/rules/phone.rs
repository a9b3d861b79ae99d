//! Telephone numbers: the one reader of what customers type, and the one speller of what portals, packs, lists and searches need (invariant 12).
//! The numbering plans are those of libphonenumber.

use std::sync::{Once, PoisonError};

use phonenumber::metadata::DATABASE;
use phonenumber::{Mode, PhoneNumber, country};
use regex_cache::RegexCache;

use super::country::Country;
use crate::characters::plain_number;

/// Longer texts hold more than a number.
const MAX_CHARS: usize = 60;

/// Words before an extension, in lower case.
const EXTENSION_WORDS: [&str; 4] = ["x", "ext", "extn", "extension"];

/// Letters that stand for digits, as on the keys of American telephones, are at least so many.
const MIN_VANITY_LETTERS: usize = 4;

/// The expressions of numbering plans that stay compiled: those of some forty countries, in about 30 MB. By itself the library keeps 100, and
/// numbers of many countries, as in a file of orders, would compile theirs again each time, which takes two hundred times as long.
const KEPT_EXPRESSIONS: usize = 500;

fn keep_expressions() {
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        *DATABASE.cache().lock().unwrap_or_else(PoisonError::into_inner) = RegexCache::new(KEPT_EXPRESSIONS);
    });
}

/// The telephone number of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    /// As it was typed, in plain characters.
    typed: String,
    /// None: its country is not known, or the country has no such numbers.
    number: Option<PhoneNumber>,
}

impl Phone {
    /// Reads a number and its country: a prefix, a code or a name. None: no number was given.
    pub fn read(country_code: Option<&str>, phone_number: Option<&str>) -> Option<Self> {
        keep_expressions();
        let typed = plain_number(phone_number?);
        let number = PhoneOrigin::read(country_code.unwrap_or_default()).and_then(|origin| understood(&typed, &origin));
        (!typed.is_empty()).then_some(Self { typed, number })
    }

    /// All digits with the country's prefix, such as `447700900411`: E.164 without its plus sign. None: the country is not known, or has
    /// no such numbers.
    pub fn digits(&self) -> Option<String> {
        self.number.as_ref().map(digits_with_prefix)
    }

    /// As it is dialled from everywhere, such as `+447700900411`; as it was typed if its country is not known.
    pub fn international(&self) -> String {
        self.digits().map_or_else(|| self.typed.clone(), |digits| format!("+{digits}"))
    }

    /// As people read it, such as `+44 7700 900411` or `+1 201-555-0123 ext. 12`; as it was typed if its country is not known.
    pub fn shown(&self) -> String {
        let number = self.number.as_ref();
        number.map_or_else(|| self.typed.clone(), |number| number.format().mode(Mode::International).to_string())
    }

    /// Equal for two spellings of one number. None: it has too few digits to tell people apart.
    pub fn key(&self, least: usize) -> Option<String> {
        let national = digits_of(&self.typed).trim_start_matches('0').to_owned();
        (national.len() >= least).then(|| self.digits().unwrap_or(national))
    }
}

/// Returns the digits of the prefix that a country code means, which may be typed as a prefix, as a code of letters, as a name, or as several of these. None: it is
/// not known, or its parts contradict each other.
pub fn calling_prefix(typed: &str) -> Option<String> {
    PhoneOrigin::read(typed)?.prefix
}

/// The country that was given beside a number.
struct PhoneOrigin {
    /// The digits of its prefix, perhaps with an area code, such as `1876`.
    prefix: Option<String>,
    region: Option<country::Id>,
}

impl PhoneOrigin {
    /// None: a country and a prefix that is not its own.
    fn read(typed: &str) -> Option<Self> {
        let typed = plain_number(typed);
        let digits = digits_of(&typed).trim_start_matches('0').to_owned();
        let name: String = typed.chars().filter(|one| !one.is_ascii_digit() && !"+()".contains(*one)).collect();
        let country = Country::read(Some(name.trim_matches([' ', '-'])));
        let named = country.and_then(|country| DATABASE.by_id(country.alpha_2()?));
        let typed_prefix = Some(digits).filter(|digits| !digits.is_empty());
        let prefix = match (named.map(|named| named.country_code().to_string()), typed_prefix) {
            (Some(own), Some(typed)) if !typed.starts_with(&own) => return None,
            (own, typed) => typed.or(own),
        };
        let region = named.or_else(|| {
            let prefix = prefix.as_deref()?;
            let regions = (1..=3).filter_map(|length| DATABASE.by_code(&prefix.get(..length)?.parse::<u16>().ok()?));
            // The first of a shared prefix is its main country.
            regions.into_iter().flatten().next()
        });
        Some(Self { prefix, region: region.and_then(|region| region.id().parse().ok()) })
    }
}

/// The number that the text means: one that its country assigns, or else one of a length that its country has.
fn understood(typed: &str, origin: &PhoneOrigin) -> Option<PhoneNumber> {
    let typed = without_note(typed);
    if typed.chars().count() > MAX_CHARS || !typed.is_ascii() || has_other_letters(typed) {
        return None;
    }
    // Two zeros are the prefix for calls abroad that most countries share.
    let from_zeros = typed.strip_prefix("00").map(|number| format!("+{number}"));
    let is_complete = typed.starts_with('+') || from_zeros.is_some() || typed.to_ascii_lowercase().starts_with("tel:");
    let from_prefix = origin.prefix.as_deref().filter(|_| !is_complete).map(|prefix| format!("+{prefix} {typed}"));
    let readings: Vec<PhoneNumber> = [
        from_zeros.as_deref().and_then(|typed| phonenumber::parse(None, typed).ok()),
        phonenumber::parse(origin.region, typed).ok(),
        from_prefix.and_then(|typed| phonenumber::parse(None, typed).ok()),
    ]
    .into_iter()
    .flatten()
    .collect();
    readings
        .iter()
        .find(|number| number.is_valid())
        .or_else(|| readings.iter().find(|number| is_possible(number)))
        .cloned()
}

/// Returns true if a country of that prefix has telephones with numbers of that length. Ranges that are not assigned yet may be.
fn is_possible(number: &PhoneNumber) -> bool {
    let code = number.code().value();
    let length = digits_with_prefix(number).len().checked_sub(code.to_string().len());
    let Some(length) = length.and_then(|length| u16::try_from(length).ok()) else { return false };
    let plans = DATABASE.by_code(&code).unwrap_or_default();
    let telephones = plans.iter().flat_map(|plan| [plan.descriptors().mobile(), plan.descriptors().fixed_line()]);
    telephones.flatten().any(|telephone| telephone.possible_length().contains(&length))
}

fn digits_with_prefix(number: &PhoneNumber) -> String {
    digits_of(&number.format().mode(Mode::E164).to_string())
}

/// The text without words in brackets at its end, such as `(WA)`, and without a word for an extension that has no number.
fn without_note(typed: &str) -> &str {
    let noted = typed.strip_suffix(')').and_then(|inner| inner.rsplit_once('('));
    let typed = match noted {
        Some((before, note)) if !note.contains(|one: char| one.is_ascii_digit()) => before.trim_end(),
        _ => typed,
    };
    let bare = typed.trim_end_matches(['.', ':', ' ']);
    let word_at = bare.rfind(|one: char| !one.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let is_extension =
        bare.is_char_boundary(word_at) && EXTENSION_WORDS.contains(&bare[word_at..].to_ascii_lowercase().as_str());
    if is_extension { bare[..word_at].trim_end() } else { typed }
}

/// Returns true if there are letters that are neither a word before an extension nor digits by their keys: an O for a zero, a remark, or another
/// number in words.
fn has_other_letters(typed: &str) -> bool {
    let lower = typed.to_ascii_lowercase();
    if lower.starts_with("tel:") {
        return false;
    }
    let mut words = lower.split(|one: char| !one.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let vanity =
        |word: &str| word.len() >= MIN_VANITY_LETTERS && lower.ends_with(word) && lower.starts_with(['+', '1']);
    words.any(|word| !EXTENSION_WORDS.contains(&word) && !vanity(word))
}

fn digits_of(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phone(code: &str, typed: &str) -> Phone {
        Phone::read(Some(code), Some(typed)).expect("a number")
    }

    #[test]
    fn every_spelling_of_a_number_is_the_same_number() {
        let spellings = [
            ("44", "07700 900411"),
            ("+44", "7700 900411"),
            ("44", "+44 7700 900411"),
            ("0044", "0044 7700-900411"),
            ("44", "+44 (0)7700 900411"),
            ("44", "+4407700900411"),
            ("", "+44 7700 900411"),
        ];
        for (code, typed) in spellings {
            assert_eq!(phone(code, typed).international(), "+447700900411", "{code} {typed}");
            assert_eq!(phone(code, typed).key(6).as_deref(), Some("447700900411"), "{code} {typed}");
        }
    }

    #[test]
    fn italian_numbers_keep_their_zero() {
        assert_eq!(phone("39", "06 6982 1234").digits().as_deref(), Some("390669821234"));
        assert_eq!(phone("39", "+390669821234").digits().as_deref(), Some("390669821234"));
        assert_eq!(phone("39", "06 6982 1234").shown(), "+39 06 6982 1234");
        assert_eq!(phone("39", "393 123 4567").digits().as_deref(), Some("393931234567"), "that begins as its prefix");
    }

    #[test]
    fn people_read_a_number_with_its_country_once() {
        assert_eq!(phone("62", "0812 3456 7890").shown(), "+62 812-3456-7890");
        assert_eq!(phone("1", "201-555-0123 x12").shown(), "+1 201-555-0123 ext. 12");
        assert_eq!(phone("44", "+44 7700 900411").shown(), "+44 7700 900411");
        assert_eq!(phone("44", "0044 7700 900411").shown(), "+44 7700 900411");
        assert_eq!(phone("", "0812 3456 7890").shown(), "0812 3456 7890");
    }

    #[test]
    fn a_number_whose_country_is_not_known_stays_as_it_was_typed() {
        assert_eq!(phone("", "0812 3456 7890").digits(), None);
        assert_eq!(phone("", "0812 3456 7890").international(), "0812 3456 7890");
        assert_eq!(phone("44", "123").digits(), None);
        assert_eq!(Phone::read(Some("44"), Some("  ")), None);
        assert_eq!(Phone::read(Some("44"), None), None);
        assert_eq!(phone("44", "0123").key(6), None);
    }

    #[test]
    fn a_country_is_a_prefix_a_code_or_a_name_and_no_two_that_differ() {
        for (typed, prefix) in [
            ("62", Some("62")),
            ("+62", Some("62")),
            ("0062", Some("62")),
            ("ID", Some("62")),
            ("IDN", Some("62")),
            ("Indonesia", Some("62")),
            ("Indonesia (+62)", Some("62")),
            ("1-876", Some("1876")),
            ("Jamaica (+1876)", Some("1876")),
            ("Indonesia (+44)", None),
            ("Atlantis", None),
            ("", None),
        ] {
            assert_eq!(calling_prefix(typed).as_deref(), prefix, "{typed}");
        }
    }

    #[test]
    fn what_may_mean_something_else_is_no_number() {
        for (code, typed) in [
            ("62", "O812 3456 789O"),
            ("62", "call 0812 3456 7890 after six"),
            ("62", "0812 3456 7890 / 0813 9876 5432"),
            ("1", "555-0123"),
            ("44", "62 812 3456 7890"),
            ("62", "+62 812 3456 7890 1234"),
            ("62", "\u{4e00}\u{4e8c}0812 3456 7890"),
        ] {
            assert_eq!(phone(code, typed).digits(), None, "{typed}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(code in "\\PC{0,12}", typed in "\\PC{0,70}") {
            let _ = Phone::read(Some(&code), Some(&typed)).map(|phone| (phone.shown(), phone.key(6)));
        }

        #[test]
        fn what_resembles_a_number_is_read_without_a_panic(typed in "(tel:)?[+0-9;=.ext() a-z#/-]{0,60}") {
            for code in ["", "1", "44", "62", "800"] {
                let _ = Phone::read(Some(code), Some(&typed)).map(|phone| (phone.shown(), phone.digits()));
            }
        }
    }
}
