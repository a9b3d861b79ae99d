//! A sample of the orders, from which a search estimates how common its term is.

use memchr::memmem::Finder;

use super::selection::Selection;
use super::store;
use crate::db::Conn;
use crate::error::Result;

/// How many of the newest orders are sampled.
const SIZE: i64 = 1_000;

/// The search texts of the newest orders, and how many orders there are.
pub struct Sample {
    texts: Vec<String>,
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
        Ok(Self { texts: store::newest_texts(conn, SIZE)?, orders: store::count(conn, &Selection::Everything)? })
    }

    /// Estimates whether more than `many` orders contain the normalized `term`.
    pub fn estimate(&self, term: &str, many: usize) -> Estimate {
        let finder = Finder::new(term);
        let holding = self.texts.iter().filter(|text| finder.find(text.as_bytes()).is_some());
        // The fewest texts of a sample which suggest that many.
        let enough = many as i64 * SIZE / self.orders.max(1) + 1;
        match holding.take(usize::try_from(enough).unwrap_or(usize::MAX)).count() as i64 {
            0 => Estimate::Unseen,
            seen if seen < enough => Estimate::Few,
            _ => Estimate::Many,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_common_if_its_share_of_the_sample_suggests_so() {
        let texts = (0..1_000).map(|place| if place % 500 == 0 { "rare" } else { "other" }.to_owned());
        let sample = Sample { texts: texts.collect(), orders: 1_000_000 };
        assert_eq!(sample.estimate("other", 2_000), Estimate::Many);
        assert_eq!(sample.estimate("rare", 2_000), Estimate::Few, "exactly 2,000 of 1,000,000");
        assert_eq!(sample.estimate("rare", 1_999), Estimate::Many);
        assert_eq!(sample.estimate("none", 2_000), Estimate::Unseen);
        let empty = Sample { texts: Vec::new(), orders: 0 };
        assert_eq!(empty.estimate("a", 2_000), Estimate::Unseen);
    }
}
