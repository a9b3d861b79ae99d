//! Sex, as people type it and as documents say it. Only a known word counts: the first letter of "Mujer" is an M.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::known_words::{by_word, key};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sex {
    Female,
    Male,
    /// Neither, as a passport with an X says.
    Other,
}

static KNOWN: LazyLock<HashMap<String, &str>> = LazyLock::new(|| by_word(include_str!("data/sex_words.tsv")));

impl Sex {
    /// Reads a word in any case. None: it is not known, or blank.
    pub fn read(typed: &str) -> Option<Self> {
        Self::of_letter(KNOWN.get(&key(typed)?)?)
    }

    /// Reads the cell of a machine-readable zone (ICAO Doc 9303, part 4, section 4.2.2). None: it does not say.
    pub fn of_zone(cell: &str) -> Option<Self> {
        Self::of_letter(cell)
    }

    /// The normal form of the sales site.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Female => "Female",
            Self::Male => "Male",
            Self::Other => "Other",
        }
    }

    fn of_letter(letter: &str) -> Option<Self> {
        match letter {
            "F" => Some(Self::Female),
            "M" => Some(Self::Male),
            "X" => Some(Self::Other),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_and_its_first_letter_is_not() {
        for (word, sex) in [
            ("Female", Sex::Female),
            ("MUJER", Sex::Female),
            (" m. ", Sex::Male),
            ("男", Sex::Male),
            ("Mrs", Sex::Female),
        ] {
            assert_eq!(Sex::read(word), Some(sex), "{word}");
        }
        for unknown in ["", "Moteri", "F/M", "mystery", "H"] {
            assert_eq!(Sex::read(unknown), None, "{unknown}");
        }
    }
}
