//! Words that mean one thing in all languages of `data/README.md`: names of states, words for a sex, kinds of documents. A word that is in no
//! file is unknown.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::characters::folding::plain_letters;

/// The rows of a file: cells between tabs, below a line that names them.
pub fn rows(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines().skip(1).map(|line| line.split('\t').collect())
}

/// The second cells of a file, by the keys of the first.
pub fn by_word(file: &'static str) -> HashMap<String, &'static str> {
    rows(file).filter_map(|cells| Some((key(cells.first()?)?, *cells.get(1)?))).collect()
}

/// The letters and digits of a value, without case, marks and "the". None: there are none, or it is several values, as `Male / Female`.
pub fn key(value: &str) -> Option<String> {
    if value.contains(['/', '\\', '|', ';']) {
        return None;
    }
    let mut folded = String::new();
    for one in value.nfkd().flat_map(char::to_lowercase).filter(|one| !is_combining_mark(*one)) {
        match (plain_letters(one), one) {
            (Some(plain), _) => folded.push_str(plain),
            (None, 'ς') => folded.push('σ'),
            (None, 'ʻ' | 'ʼ') => {}
            (None, one) if one.is_alphanumeric() => folded.push(one),
            (None, _) => folded.push(' '),
        }
    }
    let words: String = folded.split(' ').filter(|word| *word != "the").collect();
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_marks_punctuation_and_the_article_do_not_matter() {
        for (one, other) in [
            ("U.A.E.", "uae"),
            ("The Netherlands", "netherlands"),
            ("KADIN", "kadın"),
            ("Straße", "STRASSE"),
            ("Côte d’Ivoire", "cote d'ivoire"),
        ] {
            assert_eq!(key(one), key(other), "{one}");
        }
        for several in ["Male / Female", "m|w", "...", ""] {
            assert_eq!(key(several), None, "{several}");
        }
    }

    /// A word with two meanings would have that of the last file.
    #[test]
    fn no_word_of_a_file_has_two_meanings() {
        for file in [
            include_str!("data/usual_names.tsv"),
            include_str!("data/demonyms.tsv"),
            include_str!("data/sex_words.tsv"),
            include_str!("data/document_types.tsv"),
        ] {
            let known = by_word(file);
            for cells in rows(file) {
                let key = key(cells[0]).unwrap_or_else(|| panic!("{cells:?} has no key"));
                assert_eq!(known.get(&key).copied(), cells.get(1).copied(), "{cells:?}");
            }
        }
    }
}
