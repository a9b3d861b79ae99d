//! The tables that the bench prints: Markdown with aligned columns, to be read in a terminal and to be copied to `docs/benchmarks.md`.

use std::fmt::{self, Display, Formatter};

/// Rows of cells. The first column is text; the others are aligned to the right, so that digits stand below digits.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these names of columns.
    pub fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|&name| name.to_owned()).collect()] }
    }

    /// Adds a row with a cell for each column.
    pub fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl Display for Table {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Some((head, rows)) = self.rows.split_first() else { return Ok(()) };
        let widest = |at: usize| self.rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max();
        let widths: Vec<usize> = (0..head.len()).map(|at| widest(at).unwrap_or(0).max(3)).collect();
        let line = |out: &mut Formatter<'_>, row: &[String]| {
            for (at, (cell, wide)) in row.iter().zip(&widths).enumerate() {
                let space = " ".repeat(wide.saturating_sub(width(cell)));
                match at {
                    0 => write!(out, "| {cell}{space} ")?,
                    _ => write!(out, "| {space}{cell} ")?,
                }
            }
            writeln!(out, "|")
        };
        line(out, head)?;
        for (at, wide) in widths.iter().enumerate() {
            write!(out, "|{}{}", "-".repeat(wide + 1), if at == 0 { "-" } else { ":" })?;
        }
        writeln!(out, "|")?;
        rows.iter().try_for_each(|row| line(out, row))
    }
}

/// The columns that a text takes in a terminal, where Chinese and Japanese characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|character| if character >= '\u{2e80}' { 2 } else { 1 }).sum()
}

/// Whether a ratio is what was wanted.
pub fn verdict(is_met: bool) -> &'static str {
    if is_met { "ok" } else { "**MISSED**" }
}

/// A whole number with commas between groups of three digits.
pub fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_below_digits() {
        let mut table = Table::new(&["call", "requests/s"]);
        table.add(vec!["小明".to_owned(), thousands(1_234_567.4)]);
        table.add(vec!["counts".to_owned(), thousands(12.0)]);
        let expected = "\
| call   | requests/s |
|--------|-----------:|
| 小明   |  1,234,567 |
| counts |         12 |
";
        assert_eq!(table.to_string(), expected);
    }
}
