//! A sample of the orders, from which a search estimates how common its term is.

use std::collections::HashMap;

use memchr::memmem::Finder;

use super::search::{Trigram, trigrams};
use super::selection::Selection;
use super::store;
use crate::db::Conn;
use crate::error::Result;

/// How many of the newest orders are sampled.
const SIZE: i64 = 1_000;

/// How many of all orders are sampled.
const SIZE_THROUGHOUT: i64 = 500;

/// How many trigrams of a term the index is asked for.
const MAX_TRIGRAMS: usize = 4;

/// The search texts of the newest orders, how common trigrams are in all of them, and how many orders there are.
pub struct Sample {
    texts: Vec<String>,
    /// Which texts hold each trigram, ordered.
    trigrams: Vec<(Trigram, u16)>,
    /// How many texts from the whole register hold each trigram. The numbers of the newest orders begin alike, so they would not say it.
    throughout: HashMap<Trigram, u16>,
    orders: i64,
}

/// How many orders contain a term, by the sample.
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
        let (newest, throughout) = (store::newest_texts(conn, SIZE)?, store::texts_throughout(conn, SIZE_THROUGHOUT)?);
        Ok(Self::of(newest, &throughout, store::count(conn, &Selection::Everything)?))
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
        Self { texts, trigrams, throughout, orders }
    }

    /// The texts that hold the trigram, by place.
    fn holding(&self, trigram: Trigram) -> &[(Trigram, u16)] {
        let begin = self.trigrams.partition_point(|(one, _)| *one < trigram);
        let length = self.trigrams[begin..].partition_point(|(one, _)| *one == trigram);
        &self.trigrams[begin..begin + length]
    }

    /// Estimates whether more than `many` orders contain the normalized `term`.
    pub fn estimate(&self, term: &str, many: usize) -> Estimate {
        let finder = Finder::new(term);
        let holds = |text: &String| finder.find(text.as_bytes()).is_some();
        // The fewest texts of a sample which suggest that many.
        let enough = usize::try_from(many as i64 * SIZE / self.orders.max(1) + 1).unwrap_or(usize::MAX);
        let rarest = trigrams(term).into_iter().map(|one| self.holding(one)).min_by_key(|texts| texts.len());
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

    /// The trigrams of the normalized `term` that fewest orders hold. With them an index yields few candidates, and need not read the long
    /// list of a trigram that most orders hold.
    pub fn rarest_trigrams(&self, term: &str) -> Vec<Trigram> {
        let mut trigrams = trigrams(term);
        trigrams.sort_by_key(|one| self.throughout.get(one).copied());
        trigrams.truncate(MAX_TRIGRAMS);
        trigrams
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_common_if_its_share_of_the_sample_suggests_so() {
        let texts = (0..1_000).map(|place| if place % 500 == 0 { "rare" } else { "other" }.to_owned());
        let sample = Sample::of(texts.collect(), &[], 1_000_000);
        assert_eq!(sample.estimate("other", 2_000), Estimate::Many);
        assert_eq!(sample.estimate("rare", 2_000), Estimate::Few, "exactly 2,000 of 1,000,000");
        assert_eq!(sample.estimate("rare", 1_999), Estimate::Many);
        assert_eq!(sample.estimate("none", 2_000), Estimate::Unseen);
        assert_eq!(sample.estimate("o", 2_000), Estimate::Many, "too short for a trigram");
        let empty = Sample::of(Vec::new(), &[], 0);
        assert_eq!(empty.estimate("a", 2_000), Estimate::Unseen);
    }

    #[test]
    fn the_rarest_trigrams_of_a_term_come_first() {
        let texts: Vec<String> =
            (0..10).map(|place| format!("vd-10{place}{}", if place == 3 { "7" } else { "" })).collect();
        let sample = Sample::of(vec!["vd-999".into()], &texts, 10);
        let rarest = |term: &str| sample.rarest_trigrams(term).into_iter().map(String::from_iter).collect::<Vec<_>>();
        assert_eq!(rarest("vd-1037"), ["037", "103", "-10", "d-1"], "and not `vd-`, which as many hold");
        assert_eq!(rarest("vd-1"), ["d-1", "vd-"]);
        assert_eq!(rarest("vd"), Vec::<String>::new());
    }
}
