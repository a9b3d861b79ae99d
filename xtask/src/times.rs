//! Reads the output of libtest (with `--report-time`) and Playwright: how long each test took, and which failed.

use std::time::Duration;

/// A test as its runner printed it.
#[derive(Debug, PartialEq, Eq)]
pub struct TestLine {
    pub name: String,
    pub took: Duration,
    pub has_failed: bool,
}

/// The tests in the output of a step, in its order.
pub fn tests_in(output: &str) -> Vec<TestLine> {
    output.lines().filter_map(|line| of_libtest(line).or_else(|| of_playwright(line))).collect()
}

/// `test refunds::kills::one ... ok <1.234s>`
fn of_libtest(line: &str) -> Option<TestLine> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let (result, took) = result.split_once(" <")?;
    let seconds: f64 = took.strip_suffix("s>")?.parse().ok()?;
    Some(TestLine { name: name.to_owned(), took: Duration::from_secs_f64(seconds), has_failed: result == "FAILED" })
}

/// `  ✓   12 [sqlite] › tests/home.spec.ts:10:1 › a title (1.2s)`; a failed test has ✘.
fn of_playwright(line: &str) -> Option<TestLine> {
    let line = without_colours(line);
    let line = line.trim();
    let (mark, rest) = ["✓", "✘"].into_iter().find_map(|mark| Some((mark, line.strip_prefix(mark)?)))?;
    let (title, took) = rest.rsplit_once(" (")?;
    let (_, title) = title.split_once('[')?;
    Some(TestLine {
        name: format!("[{title}"),
        took: playwright_time(took.strip_suffix(')')?)?,
        has_failed: mark == "✘",
    })
}

/// `345ms`, `1.2s` or `1.5m`
fn playwright_time(text: &str) -> Option<Duration> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    let (number, seconds) =
        units.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?.parse::<f64>().ok()?, seconds)))?;
    Some(Duration::from_secs_f64(number * seconds))
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(['m', 'K']).map_or("", |(_, text)| text));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runners_are_read() {
        let output = "\
running 3 tests
test refunds::kills::a_killed_refund ... ok <12.345s>
test tidy::a_file_is_short ... FAILED <0.010s>
test filtered ... ignored
  \u{1b}[32m✓\u{1b}[39m   2 [sqlite] › tests/home.spec.ts:10:1 › counts (of folders) \u{1b}[2m(1.5m)\u{1b}[22m
  ✘  13 [postgres] › tests/audit.spec.ts:3:1 › shows a change (870ms)
";
        let line = |name: &str, millis, has_failed| TestLine {
            name: name.to_owned(),
            took: Duration::from_millis(millis),
            has_failed,
        };
        assert_eq!(
            tests_in(output),
            [
                line("refunds::kills::a_killed_refund", 12_345, false),
                line("tidy::a_file_is_short", 10, true),
                line("[sqlite] › tests/home.spec.ts:10:1 › counts (of folders)", 90_000, false),
                line("[postgres] › tests/audit.spec.ts:3:1 › shows a change", 870, true),
            ]
        );
    }
}
