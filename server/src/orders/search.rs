//! Normalizes stored text and search terms in the same way.

use std::collections::BTreeSet;
use std::fmt::Write;

use unicode_normalization::UnicodeNormalization;

use crate::ids::{OrderId, parse_plain};

/// The longest term that a search takes, in characters.
pub const MAX_TERM_LEN: usize = 100;

/// The fewest digits of a term that can only be a telephone number: order and passport numbers have fewer.
const MIN_LONG_NUMBER: usize = 10;

/// The digits at the end of a long number that are searched. Before them, spellings differ by the country's prefix and by zeros.
const DIGITS_OF_LONG_NUMBER: usize = 8;

/// Separates the fields of an order's search text. No term can contain it, so none matches across two fields.
const BETWEEN_FIELDS: char = '\n';

/// Normalizes to compatibility forms, lower case and single spaces: `ＡＢＣ`, `abc` and `Abc` become the same, and so does `é` in both
/// spellings.
pub fn normalize(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The fields of an order that are searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchedFields<'a> {
    pub full_name: &'a str,
    pub contact_email_address: &'a str,
    pub account_email: Option<&'a str>,
    pub country_code: Option<&'a str>,
    pub phone_number: Option<&'a str>,
    pub document_number: Option<&'a str>,
}

/// The search text of an order: name, emails, phone digits, order id, passport number.
pub fn search_text(order_id: OrderId, order: SearchedFields<'_>) -> String {
    let digits = |text: Option<&str>| text.unwrap_or("").chars().filter(char::is_ascii_digit).collect::<String>();
    let account = order.account_email.filter(|email| *email != order.contact_email_address).unwrap_or("");
    let fields = [
        normalize(order.full_name),
        normalize(order.contact_email_address),
        normalize(account),
        digits(order.country_code) + &digits(order.phone_number),
        order_id.printed().to_lowercase(),
        normalize(order.document_number.unwrap_or("")),
    ];
    let mut text = String::new();
    for field in fields.into_iter().filter(|field| !field.is_empty()) {
        text.push_str(&field);
        text.push(BETWEEN_FIELDS);
    }
    text
}

/// The words of SQLite's index for a normalized text: its distinct single characters, pairs, and runs of five digits.
pub fn grams(normalized: &str) -> String {
    let singles = normalized.chars().map(|one| (one, None));
    let pairs = normalized.chars().zip(normalized.chars().skip(1).map(Some));
    let distinct: BTreeSet<(char, Option<char>)> = singles.chain(pairs).collect();
    let mut words = String::with_capacity(distinct.len() * 6);
    for (first, second) in distinct {
        push_gram(&mut words, first, second);
        words.push(' ');
    }
    for run in digit_runs(normalized) {
        push_digit_run(&mut words, run);
        words.push(' ');
    }
    words
}

fn push_gram(to: &mut String, first: char, second: Option<char>) {
    // Writing to a String cannot fail.
    let _ = match second {
        Some(second) => write!(to, "{:x}g{:x}", u32::from(first), u32::from(second)),
        None => write!(to, "{:x}", u32::from(first)),
    };
}

/// The `n` is no hexadecimal digit, so the word is not that of a character.
fn push_digit_run(to: &mut String, run: DigitRun) {
    to.push('n');
    to.extend(run);
}

/// A normalized search term, in the forms that the queries take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Normalized.
    pub text: String,
    /// As a LIKE pattern in which `\` escapes `%`, `_` and `\`.
    pub like: String,
}

impl Term {
    /// Parses a typed term; none if it is empty. A phone number may contain spaces, dots and brackets, and of a long one only the last
    /// digits are searched: `+62 812…` and `0812…` are one number.
    pub fn parse(typed: &str) -> Option<Self> {
        let normalized = normalize(typed);
        let mut text =
            if is_phone(&normalized) { normalized.chars().filter(char::is_ascii_digit).collect() } else { normalized };
        if text.len() >= MIN_LONG_NUMBER && text.bytes().all(|byte| byte.is_ascii_digit()) {
            text.drain(..text.len() - DIGITS_OF_LONG_NUMBER);
        }
        if text.is_empty() {
            return None;
        }
        let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        Some(Self { like: format!("%{escaped}%"), text })
    }
}

/// The order number that is all of the typed text: `100234`, `#100234` or `VD-100234`, ignoring case.
pub fn typed_number(typed: &str) -> Option<OrderId> {
    let typed = typed.trim();
    let after = match typed.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("VD-") => typed.get(3..),
        _ => typed.strip_prefix('#'),
    };
    parse_plain(after.unwrap_or(typed)).map(OrderId)
}

/// The term for text that may be the beginning of an order number: `#1002` finds what `VD-1002` does.
pub fn number_or_term(typed: &str) -> Option<Term> {
    match typed.trim().strip_prefix('#') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit()) => {
            Term::parse(&format!("VD-{digits}"))
        }
        _ => Term::parse(typed),
    }
}

/// Returns true if the text is a phone number with separators: at least five digits and one separator.
fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits >= 5
        && digits < text.chars().count()
        && text.chars().all(|one| one.is_ascii_digit() || " +-().".contains(one))
}

/// Three neighbouring characters.
pub type Trigram = [char; 3];

/// The distinct trigrams of a normalized text, ordered; none if it is shorter.
pub fn trigrams(text: &str) -> Vec<Trigram> {
    let (second, third) = (text.chars().skip(1), text.chars().skip(2));
    let all = text.chars().zip(second).zip(third).map(|((first, second), third)| [first, second, third]);
    let mut distinct: Vec<Trigram> = all.collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Five neighbouring digits.
pub type DigitRun = [char; 5];

/// The distinct runs of five digits in a normalized text, ordered. Only 1,000 trigrams have three digits, so each is in many numbers of orders,
/// phones and passports; a run of five is in few.
pub fn digit_runs(text: &str) -> Vec<DigitRun> {
    let chars: Vec<char> = text.chars().collect();
    let all = chars.windows(5).filter_map(|of| DigitRun::try_from(of).ok());
    let mut distinct: Vec<DigitRun> = all.filter(|run| run.iter().all(char::is_ascii_digit)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// The parts of a term that an index is asked for. All texts with the term have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermParts {
    /// The whole term. One of one or two characters is a gram.
    Whole,
    Trigrams(Vec<Trigram>),
    DigitRuns(Vec<DigitRun>),
}

/// Returns true if the term is a gram itself, because it is too short for a trigram.
pub fn is_gram(term: &str) -> bool {
    term.chars().nth(2).is_none()
}

/// SQLite's MATCH expression for texts with the gram that a term of one or two characters is.
pub fn match_gram(term: &str) -> String {
    let mut expression = String::from("\"");
    let mut chars = term.chars();
    if let Some(first) = chars.next() {
        push_gram(&mut expression, first, chars.next());
    }
    expression.push('"');
    expression
}

/// SQLite's MATCH expression for texts with all of `runs`.
pub fn match_digit_runs(runs: &[DigitRun]) -> String {
    let mut expression = String::new();
    for (place, run) in runs.iter().enumerate() {
        expression.push_str(if place == 0 { "" } else { " AND " });
        push_digit_run(&mut expression, *run);
    }
    expression
}

/// SQLite's MATCH expression for texts with all of `trigrams`.
pub fn match_trigrams(trigrams: &[Trigram]) -> String {
    let mut expression = String::new();
    for (place, trigram) in trigrams.iter().enumerate() {
        expression.push_str(if place == 0 { "\"" } else { " AND \"" });
        for one in trigram {
            expression.extend(std::iter::repeat_n(*one, if *one == '"' { 2 } else { 1 }));
        }
        expression.push('"');
    }
    expression
}

/// LIKE patterns for texts that may contain a term: the term, or those of `trigrams` that `pg_trgm` indexes as they are, which it does with
/// letters and digits. Fewer than three might leave out the rare ones, such as those around the `@` of an email address.
pub fn like_patterns(term: &Term, trigrams: &[Trigram]) -> Vec<String> {
    let indexed = trigrams.iter().filter(|one| one.iter().all(char::is_ascii_alphanumeric));
    let patterns: Vec<String> = indexed.map(|[first, second, third]| format!("%{first}{second}{third}%")).collect();
    if patterns.len() < 3 { vec![term.like.clone()] } else { patterns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_width_and_composition_do_not_matter() {
        assert_eq!(normalize("ＪＯＳＥ\u{301}  García"), normalize("josé garcía"));
        assert_eq!(normalize("STRASSE"), "strasse");
    }

    #[test]
    fn a_phone_number_is_found_however_it_is_typed() {
        let text = search_text(
            OrderId(100_001),
            SearchedFields { country_code: Some("62"), phone_number: Some("0812-3456"), ..SearchedFields::default() },
        );
        for typed in ["+62 0812 3456", "0812-3456", "(0812) 3456", "08123456"] {
            let term = Term::parse(typed).map(|term| term.text).unwrap_or_default();
            assert!(text.contains(&term), "{typed}");
        }
    }

    #[test]
    fn a_long_phone_number_is_found_with_and_without_its_prefix_and_zero() {
        for (code, number, typed) in [
            ("62", "0812 3456 7890", "6281234567890"),
            ("62", "+62 812 3456 7890", "081234567890"),
            ("", "0062 812-3456-7890", "+62 (0)812 3456 7890"),
            ("32", "02 123 45 67", "+32 2 123 45 67"),
            ("39", "06 6982 1234", "+390669821234"),
        ] {
            let searched =
                SearchedFields { country_code: Some(code), phone_number: Some(number), ..SearchedFields::default() };
            let text = search_text(OrderId(100_001), searched);
            let term = Term::parse(typed).map(|term| term.text).unwrap_or_default();
            assert!(term.len() >= 8 && text.contains(&term), "{typed} of {number}");
        }
    }

    #[test]
    fn an_order_number_is_read_in_each_of_its_spellings() {
        for typed in ["100234", " #100234 ", "VD-100234", "vd-100234"] {
            assert_eq!(typed_number(typed), Some(OrderId(100_234)), "{typed}");
        }
        for typed in ["", "#", "VD-", "0100234", "100234a", "-100234", "##100234", "MjAwNDY4", "王小明", "VD-VD-1"] {
            assert_eq!(typed_number(typed), None, "{typed}");
        }
        let term = |typed| number_or_term(typed).map(|term| term.text);
        assert_eq!(term("#1002").as_deref(), Some("vd-1002"));
        assert_eq!(term("#1 in line").as_deref(), Some("#1 in line"));
        assert_eq!(term("Ana").as_deref(), Some("ana"));
    }

    #[test]
    fn percent_and_underscore_are_plain_characters() {
        assert_eq!(Term::parse("50%_\\").map(|term| term.like), Some("%50\\%\\_\\\\%".into()));
    }

    #[test]
    fn the_index_is_asked_for_trigrams_runs_of_digits_or_the_one_gram() {
        let expression = |term: &str| match_trigrams(&trigrams(term));
        assert_eq!(expression("anna"), "\"ann\" AND \"nna\"");
        assert_eq!(expression("a\"b"), "\"a\"\"b\"");
        assert_eq!(match_gram("王明"), "\"738bg660e\"");
        assert_eq!(match_gram("x"), "\"78\"");
        assert_eq!(match_digit_runs(&digit_runs("vd-150777")), "n15077 AND n50777");
        assert_eq!(trigrams("aaaa"), [['a', 'a', 'a']]);
        assert_eq!(Term::parse("  "), None);
    }

    #[test]
    fn a_run_is_of_five_digits_without_anything_between_them() {
        let runs = |text: &str| digit_runs(text).into_iter().map(String::from_iter).collect::<Vec<_>>();
        assert_eq!(runs("vd-150777\n6281\n1111111"), ["11111", "15077", "50777"]);
        assert_eq!(runs("1234 5678"), Vec::<String>::new());
        assert_eq!(runs("١٢٣٤٥"), Vec::<String>::new(), "no digits of ASCII");
        assert_eq!(grams("x12345"), "31 31g32 32 32g33 33 33g34 34 34g35 35 78 78g31 n12345 ");
    }

    #[test]
    fn patterns_are_made_of_the_trigrams_that_are_indexed_as_they_are() {
        let patterns = |typed: &str| {
            let term = Term::parse(typed).expect("a term");
            like_patterns(&term, &trigrams(&term.text))
        };
        assert_eq!(patterns("VD-15077"), ["%077%", "%150%", "%507%"]);
        assert_eq!(patterns("VD-1507"), ["%vd-1507%"]);
        assert_eq!(patterns("a_b"), ["%a\\_b%"]);
        assert_eq!(patterns("王小明"), ["%王小明%"]);
    }
}
