//! A sample of the orders, from which a search estimates how common its term is.

use std::collections::HashMap;

use memchr::memmem::Finder;

use super::grams::{DigitRun, TermParts, Trigram, digit_runs, trigrams};
use super::remarks;
use super::rewriting::has_older_texts;
use super::search::Term;
use super::search_texts::{newest_texts, texts_throughout};
use super::selection::Selection;
use super::store;
use crate::db::Conn;
use crate::error::Result;

/// The number of the newest orders that are sampled.
const SIZE: i64 = 1_000;

/// The number of orders that are sampled from all orders.
const SIZE_THROUGHOUT: i64 = 500;

/// The maximum number of trigrams of a term for which an index is queried.
const MAX_TRIGRAMS: usize = 4;

/// The maximum number of runs of five digits for which an index is queried. Two leave a few candidates among 200,000 orders.
const MAX_DIGIT_RUNS: usize = 2;

/// The remarks of [`SIZE`] from which on a term is common in them.
const MANY_REMARKS: usize = 10;

/// The search texts of the newest orders, how common trigrams are in all of them, and how many orders there are.
pub struct Sample {
    texts: Vec<String>,
    /// Which texts hold each trigram, ordered.
    trigrams: Vec<(Trigram, u16)>,
    /// The number of texts from the whole register that contain each trigram. The numbers of the newest orders begin alike, so these orders
    /// are not representative.
    throughout: HashMap<Trigram, u16>,
    /// The number of them that contain each run of five digits.
    digit_runs: HashMap<DigitRun, u16>,
    orders: i64,
    /// The texts of the newest remarks.
    remarks: Vec<String>,
    /// True if older rules wrote some of the texts.
    pub has_older_texts: bool,
}

/// The number of orders that contain a term, estimated from the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// None of the sample.
    Unseen,
    /// Fewer than was asked.
    Few,
    /// More than was asked.
    Many,
}

impl Sample {
    pub fn read(conn: &mut Conn) -> Result<Self> {
        let (newest, throughout) = (newest_texts(conn, SIZE)?, texts_throughout(conn, SIZE_THROUGHOUT)?);
        let sample = Self::of(newest, &throughout, store::count(conn, &Selection::Everything)?);
        let remarks = remarks::newest_texts(conn, SIZE)?;
        Ok(Self { remarks, has_older_texts: has_older_texts(conn)?, ..sample })
    }

    fn of(texts: Vec<String>, from_all: &[String], orders: i64) -> Self {
        let held =
            texts.iter().zip(0..).flat_map(|(text, place)| trigrams(text).into_iter().map(move |one| (one, place)));
        let mut trigrams: Vec<(Trigram, u16)> = held.collect();
        trigrams.sort_unstable();
        let mut throughout = HashMap::new();
        for one in from_all.iter().flat_map(|text| self::trigrams(text)) {
            *throughout.entry(one).or_default() += 1;
        }
        let mut digit_runs = HashMap::new();
        for run in from_all.iter().flat_map(|text| self::digit_runs(text)) {
            *digit_runs.entry(run).or_default() += 1;
        }
        Self { texts, trigrams, throughout, digit_runs, orders, remarks: Vec::new(), has_older_texts: false }
    }

    /// Returns true if so many of the newest remarks contain the term that an index would yield too many.
    pub fn is_common_in_remarks(&self, term: &Term) -> bool {
        let finder = Finder::new(&term.text);
        let holding = self.remarks.iter().filter(|text| finder.find(text.as_bytes()).is_some());
        holding.take(MANY_REMARKS).count() == MANY_REMARKS
    }

    /// The texts that hold the trigram, by place.
    fn holding(&self, trigram: Trigram) -> &[(Trigram, u16)] {
        let begin = self.trigrams.partition_point(|(one, _)| *one < trigram);
        let length = self.trigrams[begin..].partition_point(|(one, _)| *one == trigram);
        &self.trigrams[begin..begin + length]
    }

    /// Estimates whether more than `many` orders contain the term.
    pub fn estimate(&self, term: &Term, many: usize) -> Estimate {
        let finder = Finder::new(&term.text);
        let holds = |text: &String| {
            finder.find(text.as_bytes()).is_some() && term.accented.iter().all(|part| text.contains(part))
        };
        // The fewest texts of a sample which suggest that many.
        let enough = usize::try_from(many as i64 * SIZE / self.orders.max(1) + 1).unwrap_or(usize::MAX);
        let rarest = trigrams(&term.text).into_iter().map(|one| self.holding(one)).min_by_key(|texts| texts.len());
        let holding = match rarest {
            Some(texts) => {
                texts.iter().filter(|(_, place)| holds(&self.texts[usize::from(*place)])).take(enough).count()
            }
            None => self.texts.iter().filter(|text| holds(text)).take(enough).count(),
        };
        match holding {
            0 => Estimate::Unseen,
            seen if seen < enough => Estimate::Few,
            _ => Estimate::Many,
        }
    }

    /// Those parts of a term to ask the index for that answer soonest.
    pub fn parts_to_ask(&self, term: &Term) -> TermParts {
        if !term.accented.is_empty() {
            let around = term.accented.iter().flat_map(|part| trigrams(part));
            return TermParts::Accented(self.rarest(trigrams(&term.text).into_iter().chain(around).collect()));
        }
        let runs = self.rarest_digit_runs(&term.text);
        if !runs.is_empty() {
            return TermParts::DigitRuns(runs);
        }
        let all = trigrams(&term.text);
        let asked = self.rarest(all.clone());
        if asked.len() == all.len() { TermParts::Whole } else { TermParts::Trigrams(asked) }
    }

    /// Those of the trigrams of a term that fewest orders hold. With them an index yields few candidates, and need not read the long list of a
    /// trigram that most orders hold.
    fn rarest(&self, mut trigrams: Vec<Trigram>) -> Vec<Trigram> {
        trigrams.sort_by_key(|one| self.throughout.get(one).copied());
        trigrams.truncate(MAX_TRIGRAMS);
        trigrams
    }

    /// The runs of five digits in the folded `term` that fewest orders hold; none if it has none. A phone number's first digits are in
    /// many, so not just any will do.
    fn rarest_digit_runs(&self, term: &str) -> Vec<DigitRun> {
        let mut runs = digit_runs(term);
        runs.sort_by_key(|run| self.digit_runs.get(run).copied());
        runs.truncate(MAX_DIGIT_RUNS);
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(sample: &Sample, typed: &str, many: usize) -> Estimate {
        sample.estimate(&Term::parse(typed).expect("a term"), many)
    }

    #[test]
    fn a_term_is_common_if_its_share_of_the_sample_suggests_so() {
        let texts = (0..1_000).map(|place| if place % 500 == 0 { "rare" } else { "other" }.to_owned());
        let sample = Sample::of(texts.collect(), &[], 1_000_000);
        assert_eq!(estimate(&sample, "other", 2_000), Estimate::Many);
        assert_eq!(estimate(&sample, "rare", 2_000), Estimate::Few, "exactly 2,000 of 1,000,000");
        assert_eq!(estimate(&sample, "rare", 1_999), Estimate::Many);
        assert_eq!(estimate(&sample, "none", 2_000), Estimate::Unseen);
        assert_eq!(estimate(&sample, "o", 2_000), Estimate::Many, "too short for a trigram");
        let empty = Sample::of(Vec::new(), &[], 0);
        assert_eq!(estimate(&empty, "a", 2_000), Estimate::Unseen);
    }

    #[test]
    fn the_rarest_trigrams_of_a_term_come_first() {
        let texts: Vec<String> =
            (0..10).map(|place| format!("vd-10{place}{}", if place == 3 { "7" } else { "" })).collect();
        let sample = Sample::of(vec!["vd-999".into()], &texts, 10);
        let rarest = |term: &str| sample.rarest(trigrams(term)).into_iter().map(String::from_iter).collect::<Vec<_>>();
        assert_eq!(rarest("vd-1037"), ["037", "103", "-10", "d-1"], "and not `vd-`, which as many hold");
        assert_eq!(rarest("vd-1"), ["d-1", "vd-"]);
        assert_eq!(rarest("vd"), Vec::<String>::new());
    }

    #[test]
    fn the_rarest_runs_of_digits_come_first() {
        let texts: Vec<String> = (0..10).map(|place| format!("62812{}", 345_000 + place)).collect();
        let sample = Sample::of(Vec::new(), &texts, 10);
        let rarest = |term: &str| sample.rarest_digit_runs(term).into_iter().map(String::from_iter).collect::<Vec<_>>();
        assert_eq!(rarest("628123450077"), ["50077", "45007"], "and not `62812`, which all hold");
        assert_eq!(rarest("vd-100"), Vec::<String>::new());
    }
}
