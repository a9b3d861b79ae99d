//! Letters as people compare them: without case, width, composition and keyboards, and apart from that, with or without accents.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

use icu_properties::CodePointMapData;
use icu_properties::props::JoiningType;

use super::{digit, is_apostrophe, is_dash, is_ignorable, is_space};

/// The plain letters of one that Unicode does not decompose: it has a stroke, or is two letters in one. In lower case.
pub fn plain_letters(letter: char) -> Option<&'static str> {
    Some(match letter {
        'æ' => "ae",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'ø' => "o",
        'œ' => "oe",
        'ß' => "ss",
        'ŧ' => "t",
        'þ' => "th",
        _ => return None,
    })
}

/// The plain letter of a letter of Arabic that people write for it, or it for them. `ة` has two dots, `ٱ` a small mark.
fn plain_arabic(letter: char) -> Option<char> {
    match letter {
        'ة' => Some('ه'),
        'ٱ' => Some('ا'),
        _ => None,
    }
}

/// The one of several letters that look the same, of which each keyboard has another: those of Persian and Urdu are those of Arabic.
fn one_of_a_look(letter: char) -> char {
    match letter {
        'ی' | 'ى' => 'ي',
        'ک' => 'ك',
        'ہ' | 'ھ' | 'ە' => 'ه',
        letter => letter,
    }
}

/// Returns true for a mark that people leave out: an accent, a point of Hebrew, a vowel or a doubling of Arabic, a dot below a letter of an Indian script.
/// Vowels and tones of other scripts, and the voicing marks of Japanese, are letters of their own.
pub fn is_accent(one: char) -> bool {
    matches!(canonical_combining_class(one), 1..=7 | 10..=36 | 200..=240)
}

/// Returns true for what only stretches a line, as the tatweel of Arabic does.
fn is_stretch(one: char) -> bool {
    CodePointMapData::<JoiningType>::new().get(one) == JoiningType::JoinCausing
}

/// The case folding of Unicode, in which `ß` is `ss` and a sigma is the same everywhere. `ı` is `i`: both are `I`.
fn without_case(one: char) -> impl Iterator<Item = char> {
    // In lower case first, because `ẞ` has no other capital; `SS` is the capital of `ß`.
    one.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// A letter of a folded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedLetter {
    pub plain: char,
    /// The letter with its accents. None: it has none.
    pub accented: Option<String>,
}

impl FoldedLetter {
    /// Returns true if a text with `other` in the place of this letter has what was typed: a plain letter is any of its kind, an accented one
    /// only itself.
    fn is_in(&self, other: &Self) -> bool {
        self.plain == other.plain && (self.accented.is_none() || self.accented == other.accented)
    }
}

/// The letters of a text, with single spaces, without what is not drawn. Dashes are hyphens, apostrophes and digits those of ASCII.
pub fn letters(text: &str) -> Vec<FoldedLetter> {
    let mut folded = FoldedText::default();
    if text.is_ascii() {
        text.chars().map(|one| one.to_ascii_lowercase()).for_each(|one| folded.push(one));
    } else {
        let drawn = text.chars().filter(|one| !is_ignorable(*one) && !is_stretch(*one));
        // Compatibility would take an acute accent for a space and a mark.
        let typed = drawn.map(|one| if is_apostrophe(one) { '\'' } else { one });
        typed.nfkc().flat_map(without_case).nfkc().for_each(|one| folded.push(one));
    }
    folded.end()
}

/// The plain letters of a text: see [`letters`].
pub fn plain(letters: &[FoldedLetter]) -> String {
    letters.iter().map(|letter| letter.plain).collect()
}

#[derive(Default)]
struct FoldedText {
    /// Their accented forms are decomposed until the end.
    letters: Vec<FoldedLetter>,
}

impl FoldedText {
    fn push(&mut self, one: char) {
        match one {
            one if is_space(one) => {
                if self.letters.last().is_some_and(|last| last.plain != ' ') {
                    self.letters.push(FoldedLetter { plain: ' ', accented: None });
                }
            }
            one if one.is_ascii() => self.push_letter(if is_apostrophe(one) { '\'' } else { one }, ""),
            one if is_apostrophe(one) => self.push_letter('\'', ""),
            one if is_dash(one) => self.push_letter('-', ""),
            one if is_accent(one) => self.push_mark(one),
            one => match digit(one) {
                Some(value) => self.push_letter(char::from(b'0' + value), ""),
                None => self.push_composed(one),
            },
        }
    }

    /// Adds a mark to the letter before it. There may be none, or a space.
    fn push_mark(&mut self, mark: char) {
        if let Some(FoldedLetter { plain, accented }) = self.letters.last_mut().filter(|last| last.plain != ' ') {
            accented.get_or_insert_with(|| plain.to_string()).push(mark);
        }
    }

    fn push_composed(&mut self, one: char) {
        let (mut stem, mut marks) = (String::new(), String::new());
        decompose_canonical(one, |part| if is_accent(part) { marks.push(part) } else { stem.push(part) });
        if marks.is_empty() {
            self.push_letter(one, "");
            return;
        }
        let mut stem = stem.nfc().peekable();
        while let Some(letter) = stem.next() {
            self.push_letter(letter, if stem.peek().is_none() { &marks } else { "" });
        }
    }

    fn push_letter(&mut self, letter: char, marks: &str) {
        let letter = one_of_a_look(letter);
        let own = || Some(format!("{letter}{marks}"));
        match (plain_letters(letter), plain_arabic(letter)) {
            (Some(plain), _) => {
                let mut plain = plain.chars();
                self.letters.extend(plain.next().map(|plain| FoldedLetter { plain, accented: own() }));
                self.letters.extend(plain.map(|plain| FoldedLetter { plain, accented: None }));
            }
            (None, Some(plain)) => self.letters.push(FoldedLetter { plain, accented: own() }),
            (None, None) if marks.is_empty() => self.letters.push(FoldedLetter { plain: letter, accented: None }),
            (None, None) => self.letters.push(FoldedLetter { plain: letter, accented: own() }),
        }
    }

    fn end(mut self) -> Vec<FoldedLetter> {
        self.letters.pop_if(|last| last.plain == ' ');
        for accented in self.letters.iter_mut().filter_map(|letter| letter.accented.as_mut()) {
            *accented = accented.nfc().collect();
        }
        self.letters
    }
}

/// Returns true if `text` has the letters of `part` in their order, without others between them.
pub fn contains(text: &[FoldedLetter], part: &[FoldedLetter]) -> bool {
    part.is_empty()
        || text.windows(part.len()).any(|place| part.iter().zip(place).all(|(letter, other)| letter.is_in(other)))
}

/// The plain letters on each side of an accented one that stand with it in an index.
const NEIGHBOURS: usize = 2;

/// The accented letters of a text, each between its plain neighbours: of `José García` they are `osé g` and `rcía`. The parts of a text contain those of
/// all that it contains.
pub fn accented_parts(letters: &[FoldedLetter]) -> Vec<String> {
    let around = |(place, letter): (usize, &FoldedLetter)| {
        let accented = letter.accented.as_deref()?;
        let before = plain(&letters[place.saturating_sub(NEIGHBOURS)..place]);
        let after = plain(&letters[place + 1..letters.len().min(place + 1 + NEIGHBOURS)]);
        Some(format!("{before}{accented}{after}"))
    };
    letters.iter().enumerate().filter_map(around).collect()
}

#[cfg(test)]
mod tests;
