//! The table that a bench prints: a figure at few orders and one at many, or of another binary and of this one, and beside them what
//! was wanted.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::table::{Table, verdict};

/// Pairs are always in the order of the columns.
type Pair<T> = [T; 2];

pub struct Figures {
    columns: Pair<String>,
    lines: Vec<Line>,
}

struct Line {
    what: String,
    at: Pair<String>,
    wanted: String,
    /// None: nothing was wanted.
    is_met: Option<bool>,
}

/// How long the same request took, each time.
#[derive(Clone, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    pub fn together<'a>(all: impl Iterator<Item = &'a Times>) -> Times {
        Times(all.flat_map(|times| &times.0).copied().collect())
    }

    /// The time that `percent` of the requests did not exceed.
    fn at(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(place).copied().unwrap_or_default()
    }
}

impl Figures {
    pub fn new(columns: Pair<String>) -> Figures {
        Figures { columns, lines: Vec::new() }
    }

    pub fn cpu(&mut self, what: &str, spent: Pair<Duration>) {
        self.line(what, spent.map(microseconds), String::new(), None);
    }

    /// CPU that must not grow with the orders.
    pub fn cpu_ratio_to_few(&mut self, what: &str, spent: Pair<Duration>, most: f64) {
        let ratio = ratio(spent[1], spent[0]);
        self.line(what, spent.map(microseconds), format!("grew {ratio:.2} times, < {most}"), Some(ratio < most));
    }

    /// CPU that must not be more than the other binary's.
    pub fn cpu_ratio_to_other(&mut self, what: &str, spent: Pair<Duration>, most: f64) {
        let ratio = ratio(spent[1], spent[0]);
        self.line(what, spent.map(microseconds), beside(ratio, most), Some(ratio < most));
    }

    /// Times whose median must not be longer than the other binary's.
    pub fn times_ratio_to_other(&mut self, what: &str, times: &Pair<Times>, most: f64) {
        let ratio = ratio(times[1].at(50), times[0].at(50));
        self.line(what, times.each_ref().map(milliseconds), beside(ratio, most), Some(ratio < most));
    }

    /// CPU beside that of a handler that answers a constant.
    pub fn cpu_ratio_to_constant(&mut self, what: &str, spent: Pair<Duration>, constant: Pair<Duration>, most: f64) {
        let ratios = [0, 1].map(|at| ratio(spent[at], constant[at]));
        let at = [0, 1].map(|at| format!("{} = {:.1} x", microseconds(spent[at]), ratios[at]));
        self.line(what, at, format!("<= {most} x the constant"), Some(ratios[1] <= most));
    }

    /// Times that 95 of 100 requests should stay under, if `most` says so.
    pub fn times(&mut self, what: &str, times: &Pair<Times>, most: Option<Duration>) {
        let wanted = most.map(|most| format!("p95 < {} ms", most.as_millis())).unwrap_or_default();
        let is_met = most.map(|most| times[1].at(95) < most);
        self.line(what, times.each_ref().map(milliseconds), wanted, is_met);
    }

    /// Times whose median must not grow with the orders.
    pub fn times_ratio_to_few(&mut self, what: &str, times: &Pair<Times>, most: f64) {
        let ratio = ratio(times[1].at(50), times[0].at(50));
        let wanted = format!("p50 grew {ratio:.2} times, < {most}");
        self.line(what, times.each_ref().map(milliseconds), wanted, Some(ratio < most));
    }

    /// Times whose median, over many orders, must not be longer than that of the first page.
    pub fn times_ratio_to_first(&mut self, what: &str, times: &Pair<Times>, first: &Pair<Times>, most: f64) {
        let ratio = ratio(times[1].at(50), first[1].at(50));
        let wanted = format!("p50 is {ratio:.2} of page 1, < {most}");
        self.line(what, times.each_ref().map(milliseconds), wanted, Some(ratio < most));
    }

    fn line(&mut self, what: &str, at: Pair<String>, wanted: String, is_met: Option<bool>) {
        self.lines.push(Line { what: what.to_owned(), at, wanted, is_met });
    }
}

impl Display for Figures {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.columns;
        let mut table = Table::new(&["what", first, second, "wanted", ""]);
        for Line { what, at: [first, second], wanted, is_met } in &self.lines {
            let verdict = is_met.map(verdict).unwrap_or_default();
            table.add([what, first, second, wanted, verdict].map(ToOwned::to_owned).to_vec());
        }
        let missed = self.lines.iter().filter(|line| line.is_met == Some(false)).count();
        write!(out, "{table}\ntimes are p50 / p95; targets missed: {missed}")
    }
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn beside(ratio: f64, most: f64) -> String {
    format!("{ratio:.2} of the other, < {most}")
}

fn microseconds(spent: Duration) -> String {
    format!("{} us", spent.as_micros())
}

fn milliseconds(times: &Times) -> String {
    let [half, most] = [50, 95].map(|percent| times.at(percent).as_secs_f64() * 1_000.0);
    format!("{half:.2} / {most:.2} ms")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds_1_to(most: u64) -> Times {
        Times((1..=most).rev().map(Duration::from_millis).collect())
    }

    #[test]
    fn ninety_five_of_a_hundred_requests_took_no_longer_than_p95() {
        assert_eq!(milliseconds_1_to(100).at(95), Duration::from_millis(95));
        assert_eq!(milliseconds_1_to(100).at(50), Duration::from_millis(50));
        assert_eq!(milliseconds_1_to(1).at(95), Duration::from_millis(1));
        assert_eq!(Times::default().at(95), Duration::ZERO);
    }

    #[test]
    fn a_table_says_which_targets_were_missed() {
        let mut figures = Figures::new(["10 orders", "1000 orders"].map(str::to_owned));
        let micros = |few, many| [few, many].map(Duration::from_micros);
        figures.cpu("constant", micros(20, 20));
        figures.cpu_ratio_to_few("counts", micros(100, 120), 1.3);
        figures.cpu_ratio_to_constant("list", micros(150, 170), micros(20, 20), 8.0);
        figures.times("page", &[milliseconds_1_to(2), milliseconds_1_to(9)], Some(Duration::from_millis(5)));
        let expected = "\
| what     |      10 orders |    1000 orders |                 wanted |            |
|----------|---------------:|---------------:|-----------------------:|-----------:|
| constant |          20 us |          20 us |                        |            |
| counts   |         100 us |         120 us | grew 1.20 times, < 1.3 |         ok |
| list     | 150 us = 7.5 x | 170 us = 8.5 x |    <= 8 x the constant | **MISSED** |
| page     | 1.00 / 2.00 ms | 5.00 / 9.00 ms |             p95 < 5 ms | **MISSED** |

times are p50 / p95; targets missed: 2";
        assert_eq!(figures.to_string(), expected);
    }
}
