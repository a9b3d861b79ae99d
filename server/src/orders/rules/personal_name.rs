//! Names of people: the one reader of what is typed, and the one speller of what passports, visas, the portal, packs and comparisons need
//! (invariant 12). In the machine-readable zone (ICAO Doc 9303, part 3, section 6) a letter may have several spellings: Ä is AE in most
//! passports, and A in some.

use mrz::CyrillicLanguage::{Belarusian, Bulgarian, Macedonian, Russian, Serbian, Ukrainian};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::comparison::Equal;
use super::spelling::{LetterSpellings, begins_with, have_common};
use crate::characters::folding::plain_letters;
use crate::characters::{is_apostrophe, is_ignorable, is_unseen, normalize};

pub mod left_out;

/// The name of a person: NFC, with single spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalName(String);

impl PersonalName {
    /// Reads a name as it was typed, without characters that cannot be seen. None: nothing is left.
    pub fn read(typed: &str) -> Option<Self> {
        let composed: String = typed.nfc().filter(|one| !is_unseen(*one)).collect();
        let words: Vec<&str> = composed.split(is_between_words).filter(|word| !word.is_empty()).collect();
        (!words.is_empty()).then(|| Self(words.join(" ")))
    }

    /// Reads the parts of a name, in the order in which they are written.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = Option<&'a str>>) -> Option<Self> {
        Self::read(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }

    /// As people read it.
    pub fn shown(&self) -> &str {
        &self.0
    }

    /// As the government's portal spells it.
    pub fn capitals(&self) -> String {
        self.0.to_uppercase()
    }

    /// Equal for two spellings of one name that differ by case, spaces or width alone.
    pub fn key(&self) -> String {
        normalize(&self.0)
    }

    /// Returns true if every letter is one of the Latin alphabet, with or without accents.
    pub fn is_latin(&self) -> bool {
        let is_latin = |one| matches!(one, 'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
        self.0.nfc().filter(|one| one.is_alphabetic()).all(is_latin)
    }

    /// The spellings of its letters in documents. None: a letter has none, as in scripts that passports transcribe freely, or it mixes scripts
    /// whose letters look alike.
    pub fn spellings(&self) -> Option<Vec<LetterSpellings>> {
        let (mut has_latin, mut has_cyrillic) = (false, false);
        let mut letters = Vec::new();
        for letter in self.0.nfkc().filter(|one| !is_ignorable(*one)).flat_map(char::to_uppercase) {
            has_latin |= base(letter).is_some();
            has_cyrillic |= matches!(letter, '\u{400}'..='\u{52f}');
            letters.push(spellings_of(letter)?);
        }
        (!(has_latin && has_cyrillic)).then(|| single_spaces(letters))
    }

    /// Compares the name with one that was read in a document. `is_cut` if the passport's field is full to its end.
    pub fn compare(&self, read: &str, is_cut: bool) -> NameMatch {
        let read = Self(read.to_owned());
        match self.compare_as_written(&read, is_cut) {
            NameMatch::No => {}
            found => return found,
        }
        let shorter = [self, &read].map(Self::without_titles);
        if shorter.iter().all(Option::is_none) {
            return NameMatch::No;
        }
        let [typed, read] = [shorter[0].as_ref().unwrap_or(self), shorter[1].as_ref().unwrap_or(&read)];
        match typed.compare_as_written(read, is_cut) {
            NameMatch::No => NameMatch::No,
            _ => NameMatch::Title,
        }
    }

    /// The name without titles and placeholders. Returns none if it has none of them, or consists of them.
    pub fn without_titles(&self) -> Option<Self> {
        left_out::without_titles(&self.0).and_then(|name| Self::read(&name))
    }

    fn compare_as_written(&self, read: &Self, is_cut: bool) -> NameMatch {
        let (Some(typed), Some(read)) = (self.spellings(), read.spellings()) else { return NameMatch::OtherScript };
        if typed.is_empty() || read.is_empty() {
            return NameMatch::No;
        }
        if let Some(equal) = Equal::by(&*typed, &*read, have_common) {
            // A name that ends with the field may go on.
            return if is_cut { NameMatch::CutOff } else { NameMatch::Equal(equal) };
        }
        let is_either =
            |change: fn(&[LetterSpellings]) -> Vec<LetterSpellings>| have_common(&change(&typed), &change(&read));
        if is_either(without_spaces) {
            NameMatch::Spaces
        } else if is_cut && is_abridged(&typed, &read) {
            NameMatch::CutOff
        } else if is_either(with_fillers_for_k) {
            NameMatch::Filler
        } else if is_either(with_one_vowel_for_two) {
            NameMatch::Umlaut
        } else {
            NameMatch::No
        }
    }
}

/// Underscores are spaces in names of older orders.
fn is_between_words(one: char) -> bool {
    one.is_whitespace() || one == '_'
}

/// The Latin letter without its accents and strokes, as a capital. None: it is of another script, or two letters in one, such as `Ĳ`.
fn base(letter: char) -> Option<char> {
    let lower = letter.to_lowercase().next().and_then(plain_letters);
    let plain: String = match lower {
        Some(plain) => plain.to_owned(),
        None => letter.nfkd().filter(|one| !is_combining_mark(*one)).collect(),
    };
    let mut letters = plain.chars();
    let first = letters.next().filter(char::is_ascii_alphabetic)?;
    letters.next().is_none().then(|| first.to_ascii_uppercase())
}

/// The words of a text, in Latin capitals and digits without accents.
pub fn plain_words(text: &str) -> Vec<String> {
    let plain: String =
        text.nfkd().filter(|one| !is_combining_mark(*one)).map(|one| base(one).unwrap_or(one)).collect();
    plain.split(|one: char| !one.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the ways in which a capital may be spelled; a space between words, and nothing for an apostrophe.
fn spellings_of(letter: char) -> Option<LetterSpellings> {
    let one = |text: &str| Some(vec![text.to_owned()]);
    match letter {
        'A'..='Z' | '0'..='9' => return Some(vec![letter.to_string()]),
        '-' | '‐' | '‑' | '‒' | '–' | '—' | '−' | ',' | '.' | '/' | '(' | ')' | '"' | '“' | '”' | '·' =>
        {
            return one(" ");
        }
        letter if is_apostrophe(letter) => return one(""),
        // ICAO has no rule. Azerbaijan writes A, and others E.
        'Ə' => return Some(vec!["A".to_owned(), "E".to_owned()]),
        letter if letter.is_whitespace() || letter == '<' => return one(" "),
        // What is left of a mark that composes with no letter.
        letter if is_combining_mark(letter) => return one(""),
        _ => {}
    }
    let mut choices: Vec<String> = mrz::transliterations(letter).iter().map(|&choice| choice.to_owned()).collect();
    // Cyrillic letters differ by language, and some at the start of a name.
    for language in [Russian, Belarusian, Bulgarian, Serbian, Ukrainian, Macedonian] {
        let both = [true, false].map(|is_first| mrz::transliterate_cyrillic_char(letter, language, is_first));
        choices.extend(both.into_iter().flatten().map(str::to_owned));
    }
    choices.extend(base(letter).map(String::from));
    choices.sort();
    choices.dedup();
    (!choices.is_empty()).then_some(choices)
}

/// The result of the comparison of a typed name with one that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameMatch {
    Equal(Equal),
    /// Only the spaces differ.
    Spaces,
    /// The passport has no room for the rest of the name.
    CutOff,
    /// They differ by a K where the other one has none: `<` fills a passport's lines, and one is easily read as the other.
    Filler,
    /// Two vowels stand where the other name has one: `UE` may stand for `Ü`, which some passports spell `U`.
    Umlaut,
    /// They are equal without titles and placeholders.
    Title,
    /// The typed name is in a script that passports transcribe freely.
    OtherScript,
    No,
}

/// Returns true if it stands between words.
pub fn is_space(letter: &LetterSpellings) -> bool {
    letter.first().is_some_and(|choice| choice == " ")
}

/// The letters with one space between words, and none at the ends.
fn single_spaces(letters: Vec<LetterSpellings>) -> Vec<LetterSpellings> {
    let mut single: Vec<LetterSpellings> = Vec::with_capacity(letters.len());
    for letter in letters {
        if !is_space(&letter) || single.last().is_some_and(|last| !is_space(last)) {
            single.push(letter);
        }
    }
    if single.last().is_some_and(is_space) {
        single.pop();
    }
    single
}

/// The letters of a name in one word.
pub fn without_spaces(letters: &[LetterSpellings]) -> Vec<LetterSpellings> {
    letters.iter().filter(|letter| !is_space(letter)).cloned().collect()
}

/// The letters, with nothing for each K and each filler.
fn with_fillers_for_k(letters: &[LetterSpellings]) -> Vec<LetterSpellings> {
    let blank =
        |letter: &LetterSpellings| if letter.contains(&"K".to_owned()) { vec![" ".to_owned()] } else { letter.clone() };
    single_spaces(letters.iter().map(blank).collect())
}

/// The letters, in which an E behind A, O or U may be missing.
fn with_one_vowel_for_two(letters: &[LetterSpellings]) -> Vec<LetterSpellings> {
    let is = |letter: &LetterSpellings, one: &[&str]| letter.iter().any(|choice| one.contains(&choice.as_str()));
    let mut changed: Vec<LetterSpellings> = letters.to_vec();
    for place in 1..letters.len() {
        if is(&letters[place], &["E"]) && is(&letters[place - 1], &["A", "O", "U"]) {
            changed[place].push(String::new());
        }
    }
    changed
}

/// Returns true if `read` is `typed` cut off, or with words of it cut off or left out: each of its words begins another word of the typed
/// name.
fn is_abridged(typed: &[LetterSpellings], read: &[LetterSpellings]) -> bool {
    let mut typed: Vec<&[LetterSpellings]> = typed.split(is_space).collect();
    let read: Vec<&[LetterSpellings]> = read.split(is_space).filter(|word| !word.is_empty()).collect();
    // Longer words first: a letter may be the beginning of several.
    let mut by_length = read.clone();
    by_length.sort_by_key(|word| std::cmp::Reverse(word.len()));
    !read.is_empty()
        && by_length.into_iter().all(|word| {
            let place = typed.iter().position(|whole| begins_with(whole, word));
            place.map(|place| typed.remove(place)).is_some()
        })
}

#[cfg(test)]
mod tests;
