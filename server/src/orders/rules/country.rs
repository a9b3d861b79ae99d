//! Countries: the one reader of what sales sites and customers type, and the one speller of what checks, the portal, comparisons and
//! reports need (invariant 12).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::comparison::{Equal, Likeness};
use super::known_words::{by_word, key, rows};
use crate::text::without_case;

/// A state, or what ICAO Doc 9303 gives a code without its being one.
#[derive(Debug)]
struct State {
    code: &'static str,
    /// Its code of two letters; empty for what is no state.
    alpha_2: &'static str,
    name: &'static str,
}

struct States {
    /// By codes, and those of two letters.
    by_code: HashMap<&'static str, State>,
    /// The codes by the keys of names.
    by_name: HashMap<String, &'static str>,
    /// Codes of which neither is proved by the other.
    related: HashSet<(&'static str, &'static str)>,
}

static STATES: LazyLock<States> = LazyLock::new(|| {
    let all: Vec<Vec<&str>> = rows(include_str!("data/states.tsv")).collect();
    let names: HashMap<&str, &str> = all.iter().map(|cells| (cells[0], cells[2])).collect();
    let mut by_code = HashMap::new();
    for cells in &all {
        let code = if cells[4].is_empty() { cells[0] } else { cells[4] };
        for spelled in [cells[0], cells[1]].into_iter().filter(|spelled| !spelled.is_empty()) {
            by_code.insert(spelled, State { code, alpha_2: cells[1], name: names[code] });
        }
    }
    let mut by_name = by_word(include_str!("data/usual_names.tsv"));
    by_name.extend(by_word(include_str!("data/demonyms.tsv")));
    for cells in rows(include_str!("data/country_names.tsv")) {
        by_name.extend(cells[1].split('|').filter_map(|name| Some((key(name)?, cells[0]))));
    }
    let related = rows(include_str!("data/related_states.tsv")).map(|cells| (cells[0], cells[1])).collect();
    States { by_code, by_name, related }
});

/// The country of a nationality or of the office that issued a passport.
#[derive(Clone, Debug)]
pub struct Country {
    typed: String,
    /// None: not known.
    state: Option<&'static State>,
}

impl Country {
    /// Reads a name in any of the languages of `data/README.md`, or a code. None: nothing was typed.
    pub fn read(typed: Option<&str>) -> Option<Self> {
        let typed = typed?.trim();
        let code = |text: &str| STATES.by_code.get(text.to_uppercase().as_str());
        let named = || key(typed).and_then(|key| code(&key).or_else(|| code(STATES.by_name.get(&key)?)));
        (!typed.is_empty()).then(|| Self { typed: typed.to_owned(), state: code(typed).or_else(named) })
    }

    /// Its code of three letters (ISO 3166-1, ICAO Doc 9303). None: the country is not known.
    pub fn code(&self) -> Option<&'static str> {
        self.state.map(|state| state.code)
    }

    /// Its code of two letters (ISO 3166-1). None: the country is not known.
    pub fn alpha_2(&self) -> Option<&'static str> {
        self.state.map(|state| state.alpha_2).filter(|code| !code.is_empty())
    }

    /// Its name in English as ICAO has it; as it was typed if the country is not known.
    pub fn name(&self) -> &str {
        self.state.map_or(&self.typed, |state| state.name)
    }

    /// Equal for two spellings of one country.
    pub fn key(&self) -> String {
        without_case(self.name())
    }

    /// Compares it with one that was read in a document. None: one of the two is not known.
    pub fn compare(&self, read: &Self) -> Option<Likeness> {
        let (typed, read) = (self.code()?, read.code()?);
        let is_related = [(typed, read), (read, typed)].iter().any(|pair| STATES.related.contains(pair));
        Some(match Equal::between(typed, read) {
            None if is_related => Likeness::Look("The passports of one name the other"),
            equal => Likeness::of(equal),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Country {
        Country::read(Some(typed)).expect("a country")
    }

    #[test]
    fn a_name_and_a_code_of_a_country_are_the_same_country() {
        for typed in [
            "South Korea",
            "KOR",
            "kor ",
            "Korea, Republic of",
            "REPUBLIC OF KOREA",
            "Südkorea",
            "한국",
            "KR",
            "South Korean",
        ] {
            assert_eq!(read(typed).code(), Some("KOR"), "{typed}");
            assert_eq!(read(typed).key(), read("KOR").key(), "{typed}");
        }
        for typed in ["Germany", "DEU", "D", "Deutschland", "Alemania", "German"] {
            assert_eq!(read(typed).code(), Some("DEU"), "{typed}");
        }
    }

    #[test]
    fn countries_of_which_one_names_the_other_are_neither_equal_nor_different() {
        let compare = |typed: &str, zone: &str| read(typed).compare(&read(zone));
        assert!(matches!(compare("Australia", "AUS"), Some(Likeness::Same(_))));
        assert_eq!(compare("Austria", "AUS"), Some(Likeness::Differs));
        assert!(matches!(compare("Hong Kong", "CHN"), Some(Likeness::Look(_))));
        assert_eq!(compare("Congo", "COG"), None, "two countries have the name");
    }

    #[test]
    fn a_country_that_is_not_known_stays_as_it_was_typed() {
        let country = read(" Ruritania ");
        assert_eq!((country.code(), country.name(), country.key().as_str()), (None, "Ruritania", "ruritania"));
        assert!(Country::read(Some("  ")).is_none());
        assert!(Country::read(None).is_none());
    }

    #[test]
    fn every_code_of_a_name_is_that_of_a_state() {
        for code in STATES.by_name.values() {
            assert!(STATES.by_code.contains_key(code), "{code}");
        }
        for code in STATES.related.iter().flat_map(|(one, other)| [one, other]) {
            assert!(STATES.by_code.contains_key(code), "{code}");
        }
    }
}
