//! Countries: the one reader of what sales sites and customers type, and the one speller of what checks, the portal, comparisons and
//! reports need (invariant 12).

use crate::text::without_case;

/// Usual English names that the tables of ICAO Doc 9303 spell in another way, with their codes (part 3, section 5).
const USUAL_NAMES: [(&str, &str); 16] = [
    ("Bolivia, Plurinational State of", "BOL"),
    ("Brunei", "BRN"),
    ("Iran, Islamic Republic of", "IRN"),
    ("Ivory Coast", "CIV"),
    ("Korea, Republic of", "KOR"),
    ("Laos", "LAO"),
    ("Macau", "MAC"),
    ("North Korea", "PRK"),
    ("Russia", "RUS"),
    ("South Korea", "KOR"),
    ("Swaziland", "SWZ"),
    ("Syria", "SYR"),
    ("United States", "USA"),
    ("Vatican City", "VAT"),
    ("Venezuela, Bolivarian Republic of", "VEN"),
    ("Vietnam", "VNM"),
];

/// The country of a nationality or of the office that issued a passport.
#[derive(Clone, Debug)]
pub struct Country {
    typed: String,
    /// Its name in the tables of ICAO. None: not known.
    known: Option<&'static str>,
}

impl Country {
    /// Reads a name in English or a code of ICAO Doc 9303. None: nothing was typed.
    pub fn read(typed: Option<&str>) -> Option<Self> {
        let typed = typed?.trim();
        let usual = || USUAL_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(typed)).map(|(_, code)| *code);
        let known = mrz::code_for_name(typed).or_else(usual).and_then(mrz::country_name);
        let known = known.or_else(|| mrz::country_name(&typed.to_ascii_uppercase()));
        (!typed.is_empty()).then(|| Self { typed: typed.to_owned(), known })
    }

    /// Its code in ICAO Doc 9303. None: the country is not known.
    pub fn code(&self) -> Option<&'static str> {
        mrz::code_for_name(self.known?)
    }

    /// Its name in the tables of ICAO; as it was typed if the country is not known.
    pub fn name(&self) -> &str {
        self.known.unwrap_or(&self.typed)
    }

    /// Equal for two spellings of one country.
    pub fn key(&self) -> String {
        without_case(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_code_of_a_country_are_the_same_country() {
        let spellings = ["South Korea", "KOR", "kor ", "Korea, Republic of", "REPUBLIC OF KOREA"];
        for typed in spellings {
            let country = Country::read(Some(typed)).expect("a country");
            assert_eq!((country.code(), country.key().as_str()), (Some("KOR"), "korea (republic of)"), "{typed}");
        }
        let german = ["Germany", "DEU", "D"].map(|typed| Country::read(Some(typed)).expect("a country").key());
        assert_eq!(german, ["germany"; 3].map(str::to_owned));
    }

    #[test]
    fn every_usual_name_is_a_country_of_the_tables() {
        for (name, code) in USUAL_NAMES {
            assert_eq!(Country::read(Some(name)).expect("a country").code(), Some(code), "{name}");
        }
    }

    #[test]
    fn a_country_that_is_not_known_stays_as_it_was_typed() {
        let country = Country::read(Some(" British ")).expect("a country");
        assert_eq!((country.code(), country.name(), country.key().as_str()), (None, "British", "british"));
        assert!(Country::read(Some("  ")).is_none());
        assert!(Country::read(None).is_none());
    }
}
