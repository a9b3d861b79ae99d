//! The parts of texts and terms that the search indexes hold: single and neighbouring characters, trigrams, and runs of five digits.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::search::Term;

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
    /// Trigrams of the term and of what is around its accented letters; none if both are too short.
    Accented(Vec<Trigram>),
}

/// Returns true if the term is a gram itself, because it is too short for a trigram.
pub fn is_gram(term: &str) -> bool {
    term.chars().nth(2).is_none()
}

/// SQLite's MATCH expression for texts with all of `grams`, of one or two characters each.
pub fn match_grams<'a>(grams: impl IntoIterator<Item = &'a str>) -> String {
    let mut expression = String::new();
    for gram in grams {
        expression.push_str(if expression.is_empty() { "\"" } else { " AND \"" });
        let mut chars = gram.chars();
        if let Some(first) = chars.next() {
            push_gram(&mut expression, first, chars.next());
        }
        expression.push('"');
    }
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
    fn the_index_is_asked_for_trigrams_runs_of_digits_or_the_one_gram() {
        let expression = |term: &str| match_trigrams(&trigrams(term));
        assert_eq!(expression("anna"), "\"ann\" AND \"nna\"");
        assert_eq!(expression("a\"b"), "\"a\"\"b\"");
        assert_eq!(match_grams(["王明"]), "\"738bg660e\"");
        assert_eq!(match_grams(["x"]), "\"78\"");
        assert_eq!(match_digit_runs(&digit_runs("vd-150777")), "n15077 AND n50777");
        assert_eq!(trigrams("aaaa"), [['a', 'a', 'a']]);
        assert_eq!(match_grams(["é", "sé"]), "\"e9\" AND \"73ge9\"");
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
