//! Names of people: the one reader of what is typed, and the one speller of what passports, the portal, packs and comparisons need
//! (invariant 12). In the machine-readable zone (ICAO Doc 9303, part 3, section 6) a letter may have several spellings: Ä is AE in most
//! passports, and A in some.

use mrz::CyrillicLanguage::{Belarusian, Bulgarian, Macedonian, Russian, Serbian, Ukrainian};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::orders::search::normalize;
use crate::text::is_unseen;

/// The most spellings of one name. A name with more counts as one that cannot be spelled.
const MAX_SPELLINGS: usize = 512;

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

    /// Its spellings in a passport: upper-case words. None if a letter of it has no spelling, as in scripts that passports transcribe
    /// freely.
    pub fn spellings(&self) -> Option<Vec<String>> {
        let mut spelled = vec![String::new()];
        for letter in self.0.chars().flat_map(char::to_uppercase) {
            let choices = spellings_of(letter)?;
            if spelled.len() * choices.len() > MAX_SPELLINGS {
                return None;
            }
            spelled =
                spelled.iter().flat_map(|begun| choices.iter().map(move |choice| format!("{begun}{choice}"))).collect();
        }
        let words = |name: &String| name.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut spelled: Vec<String> = spelled.iter().map(words).collect();
        spelled.sort();
        spelled.dedup();
        Some(spelled)
    }

    /// Compares the name with one that was read in a passport. `is_cut` if the passport's field is full to its end.
    pub fn compare(&self, read: &str, is_cut: bool) -> Match {
        let Some(spelled) = self.spellings() else { return Match::OtherScript };
        let joined = |name: &str| name.replace(' ', "");
        if spelled.iter().any(|typed| typed == read) {
            // A name that ends with the field may go on.
            if is_cut { Match::CutOff } else { Match::Equal }
        } else if spelled.iter().any(|typed| joined(typed) == joined(read)) {
            Match::Spaces
        } else if is_cut && spelled.iter().any(|typed| is_abridged(typed, read)) {
            Match::CutOff
        } else if spelled.iter().any(|typed| fillers_for_k(typed) == fillers_for_k(read)) {
            Match::Filler
        } else {
            Match::No
        }
    }
}

/// Underscores are spaces in names of older orders.
fn is_between_words(one: char) -> bool {
    one.is_whitespace() || one == '_'
}

/// The Latin letter without its accents and strokes, as a capital. None: it is of another script, or two letters in one, such as `Ĳ`.
fn base(letter: char) -> Option<char> {
    match letter {
        'ı' => Some('I'),
        'ø' | 'Ø' => Some('O'),
        'ł' | 'Ł' => Some('L'),
        'đ' | 'Đ' => Some('D'),
        letter => {
            let mut letters = letter.nfkd().filter(|one| !is_combining_mark(*one));
            let first = letters.next().filter(char::is_ascii_alphabetic)?;
            letters.next().is_none().then(|| first.to_ascii_uppercase())
        }
    }
}

/// The words of a text, in Latin capitals and digits without accents.
pub fn plain_words(text: &str) -> Vec<String> {
    let plain: String =
        text.nfkd().filter(|one| !is_combining_mark(*one)).map(|one| base(one).unwrap_or(one)).collect();
    plain.split(|one: char| !one.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the ways in which a letter may be spelled.
fn spellings_of(letter: char) -> Option<Vec<String>> {
    if letter.is_ascii_alphabetic() {
        return Some(vec![letter.to_string()]);
    }
    if letter.is_whitespace() || matches!(letter, '-' | '‐' | '‑' | '–' | ',' | '.' | '/') {
        return Some(vec![" ".to_owned()]);
    }
    if matches!(letter, '\'' | '’' | '‘' | '`' | 'ʼ' | 'ʻ' | '´') {
        return Some(vec![String::new()]);
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
pub enum Match {
    Equal,
    /// Only the spaces differ.
    Spaces,
    /// The passport has no room for the rest of the name.
    CutOff,
    /// They differ by a K where the other one has none: `<` fills a passport's lines, and one is easily read as the other.
    Filler,
    /// The typed name is in a script that passports transcribe freely.
    OtherScript,
    No,
}

/// The name, as if each K were a filler.
fn fillers_for_k(name: &str) -> String {
    name.replace('K', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if `read` is `typed` cut off, or with words of it cut off.
fn is_abridged(typed: &str, read: &str) -> bool {
    let (typed, read): (Vec<&str>, Vec<&str>) = (typed.split(' ').collect(), read.split(' ').collect());
    !read.is_empty()
        && read.len() <= typed.len()
        && read.iter().zip(&typed).all(|(read, typed)| typed.starts_with(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(typed: &str, read: &str, is_cut: bool) -> Match {
        PersonalName::read(typed).expect("a name").compare(read, is_cut)
    }

    #[test]
    fn a_letter_with_several_spellings_matches_each() {
        for (typed, read) in [
            ("Müller", "MUELLER"),
            ("Müller", "MULLER"),
            ("Strauß", "STRAUSS"),
            ("Øyvind Åse", "OEYVIND AASE"),
            ("O’Connor-Smith", "OCONNOR SMITH"),
            ("Núñez", "NUNEZ"),
            ("Иванов", "IVANOV"),
        ] {
            assert_eq!(compare(typed, read, false), Match::Equal, "{typed} {read}");
        }
    }

    #[test]
    fn another_letter_is_never_equal() {
        assert_eq!(compare("Emilie Rose", "EMILY ROSE", false), Match::No);
        assert_eq!(compare("Clarke", "CLARK", false), Match::No);
        assert_eq!(compare("van Dĳk", "VAN DIK", false), Match::No);
        assert_eq!(compare("van Dĳk", "VAN DIJK", false), Match::Equal);
        assert_eq!(compare("Anna Maria", "ANNAMARIA", false), Match::Spaces);
        assert_eq!(compare("王小明", "WANG XIAOMING", false), Match::OtherScript);
    }

    #[test]
    fn a_k_that_may_be_a_filler_is_neither_equal_nor_another_letter() {
        assert_eq!(compare("Jürgen", "JUERGENK", false), Match::Filler);
        assert_eq!(compare("Emily Rose", "EMILYKROSE", false), Match::Filler);
        assert_eq!(compare("Patrick", "PATRIC", false), Match::Filler);
        assert_eq!(compare("Patrick", "PATRICE", false), Match::No);
        assert_eq!(compare("Kim", "TIM", false), Match::No);
    }

    #[test]
    fn a_full_field_is_never_equal_because_the_name_may_go_on() {
        assert_eq!(compare("Anna Maria Theodora", "ANNA MARIA THEO", true), Match::CutOff);
        assert_eq!(compare("Anna Maria Theodora", "ANNA MARIA THEO", false), Match::No);
        assert_eq!(compare("Anna", "ANNA", true), Match::CutOff);
        assert_eq!(compare("Anna Berta", "ANNA MARIA", true), Match::No);
    }
}
