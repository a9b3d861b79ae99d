//! Telephone numbers: the one reader of what customers type, and the one speller of what portals, packs, lists and searches need (invariant 12).

/// Numbers of Italy keep their leading zero abroad; those of all other countries lose it (ITU-T E.164, national numbering plans).
const ITALY: &str = "39";

/// The telephone number of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    /// The digits of the country's prefix. None: not known.
    prefix: Option<String>,
    /// As it was typed.
    typed: String,
}

impl Phone {
    /// Reads a number and its country's prefix. None: no number was given.
    pub fn read(country_code: Option<&str>, phone_number: Option<&str>) -> Option<Self> {
        let typed = phone_number?.trim().to_owned();
        let prefix = country_code.map(|code| digits_of(code).trim_start_matches('0').to_owned());
        (!typed.is_empty()).then_some(Self { prefix: prefix.filter(|prefix| !prefix.is_empty()), typed })
    }

    /// The number was typed with its country's prefix, after a plus sign or two zeros.
    fn is_international(&self) -> bool {
        self.typed.starts_with('+') || self.typed.starts_with("00")
    }

    /// The zero that is dialled within the country precedes the number.
    fn has_trunk_zero(&self) -> bool {
        self.prefix.as_deref() != Some(ITALY)
    }

    /// All digits with the country's prefix, such as `447700900411`: E.164 without its plus sign. None: the country is not known, or the
    /// number has not 8 to 15 digits.
    pub fn digits(&self) -> Option<String> {
        // `+44 (0)7700` is a usual spelling.
        let typed = digits_of(&self.typed.replace("(0)", ""));
        let digits = if self.is_international() {
            let typed = typed.trim_start_matches('0');
            let national = self.prefix.as_deref().and_then(|prefix| Some((prefix, typed.strip_prefix(prefix)?)));
            match national {
                Some((prefix, national)) => format!("{prefix}{}", self.without_zero(national)),
                None => typed.to_owned(),
            }
        } else {
            format!("{}{}", self.prefix.as_ref()?, self.without_zero(&typed))
        };
        (8..=15).contains(&digits.len()).then_some(digits)
    }

    /// As it is dialled from everywhere, such as `+447700900411`; as it was typed if its country is not known.
    pub fn international(&self) -> String {
        self.digits().map_or_else(|| self.typed.clone(), |digits| format!("+{digits}"))
    }

    /// As people read it, such as `+44 7700 900411`; as it was typed if its country is not known.
    pub fn shown(&self) -> String {
        match (&self.prefix, self.typed.strip_prefix("00")) {
            (_, Some(international)) => format!("+{international}"),
            (Some(prefix), None) if !self.is_international() => format!("+{prefix} {}", self.without_zero(&self.typed)),
            (_, None) => self.typed.clone(),
        }
    }

    /// Equal for two spellings of one number. None: it has too few digits to tell people apart.
    pub fn key(&self, least: usize) -> Option<String> {
        let national = digits_of(&self.typed).trim_start_matches('0').to_owned();
        (national.len() >= least).then(|| self.digits().unwrap_or(national))
    }

    fn without_zero<'a>(&self, national: &'a str) -> &'a str {
        if self.has_trunk_zero() { national.trim_start_matches('0') } else { national }
    }
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
    }

    #[test]
    fn people_read_a_number_with_its_country_once() {
        assert_eq!(phone("62", "0812 3456 7890").shown(), "+62 812 3456 7890");
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
}
