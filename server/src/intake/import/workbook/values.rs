//! The text of a cell: what a person sees in it where the format matters, and otherwise its value. Pure.

use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};

/// The text that a spreadsheet shows in place of a date that cannot be.
const NO_DATE: &str = "########";

/// The day behind 31 December 9999, counted from 1900.
const END_OF_DATES: f64 = 2_958_466.0;

/// The days between the epochs of 1900 and 1904.
const FROM_1900_TO_1904: f64 = 1_462.0;

const DAY_SECONDS: f64 = 86_400.0;

/// The first number that has more digits than a spreadsheet remembers.
const MAX_EXACT: f64 = 1e15;

/// The text of a value. Dates are written as ISO 8601, times in UTC, as which all times without a zone are read.
pub fn text(value: &DataRef<'_>, mask: Option<&NumberMask>, is_1904: bool) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::Error(error) => error.to_string(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => {
            let number = number_text(*number);
            mask.and_then(|mask| mask.apply(&number)).unwrap_or(number)
        }
        DataRef::DateTime(at) if at.is_duration() => duration(at.as_f64()),
        DataRef::DateTime(at) => date(at.as_f64(), is_1904),
    }
}

/// A number with the 15 digits that a spreadsheet computes and shows: 49.800000000000004 is 49.8. One that has lost digits is written with
/// an exponent, as a spreadsheet does.
fn number_text(number: f64) -> String {
    // Minus zero is zero.
    let rounded = format!("{number:.14e}").parse().unwrap_or(number) + 0.0;
    if rounded.abs() < MAX_EXACT { rounded.to_string() } else { format!("{rounded:E}").replace('E', "E+") }
}

fn date(days: f64, is_1904: bool) -> String {
    let seconds = (days * DAY_SECONDS).round();
    let end = if is_1904 { END_OF_DATES - FROM_1900_TO_1904 } else { END_OF_DATES };
    if !(0.0..end * DAY_SECONDS).contains(&seconds) {
        return NO_DATE.to_owned();
    }
    let at = ExcelDateTime::new(seconds / DAY_SECONDS, ExcelDateTimeType::DateTime, is_1904);
    let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
    let date = if seconds < DAY_SECONDS && !is_1904 {
        // A formula over an empty cell, or a time of day.
        "1900-01-00".to_owned()
    } else {
        format!("{year:04}-{month:02}-{day:02}")
    };
    match (hour, minute, second) {
        (0, 0, 0) => date,
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}Z"),
    }
}

fn duration(days: f64) -> String {
    let seconds = (days * DAY_SECONDS).round();
    if seconds < 0.0 {
        return NO_DATE.to_owned();
    }
    let (minutes, hours) = ((seconds / 60.0).floor(), (seconds / 3_600.0).floor());
    format!("{hours:.0}:{:02.0}:{:02.0}", minutes % 60.0, seconds % 60.0)
}

/// A format that shows zeros before a number, or divides its digits: `00000000`, `000-00-0000`, `"P"0000000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberMask(Vec<MaskPart>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MaskPart {
    Digit,
    Shown(char),
}

impl NumberMask {
    /// The mask of a format (ECMA-376-1, 18.8.31). None for other formats, of which the number counts: `0.00`, `0" days"`.
    pub fn parse(code: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut code = code.chars();
        while let Some(one) = code.next() {
            match one {
                '0' => parts.push(MaskPart::Digit),
                '"' => parts.extend(code.by_ref().take_while(|one| *one != '"').map(MaskPart::Shown)),
                '\\' => parts.push(MaskPart::Shown(code.next()?)),
                ' ' | '-' | '+' | '(' | ')' => parts.push(MaskPart::Shown(one)),
                // A space as wide as the next character, and a character that fills the width of the cell.
                '_' | '*' => drop(code.next()?),
                // The format of negative numbers follows.
                ';' => break,
                _ => return None,
            }
        }
        let mask = Self(parts);
        (mask.places() >= 2).then_some(mask)
    }

    fn places(&self) -> usize {
        self.0.iter().filter(|part| **part == MaskPart::Digit).count()
    }

    /// The number as it is shown. None if it is no whole number.
    fn apply(&self, number: &str) -> Option<String> {
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let places = self.places();
        let padded = format!("{number:0>places$}");
        // Digits for which there is no place are shown with the first one.
        let mut first = padded.len() - places + 1;
        let (mut shown, mut digits) = (String::new(), padded.chars());
        for part in &self.0 {
            match part {
                MaskPart::Shown(one) => shown.push(*one),
                MaskPart::Digit => shown.extend(digits.by_ref().take(std::mem::replace(&mut first, 1))),
            }
        }
        Some(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::CellErrorType;

    #[test]
    fn a_number_has_the_digits_that_a_spreadsheet_shows() {
        for (number, shown) in [
            (1001.0, "1001"),
            (-0.0, "0"),
            (149.5, "149.5"),
            (49.800_000_000_000_004, "49.8"),
            (49.666_666_666_666_66, "49.6666666666667"),
            (447_700_900_411.0, "447700900411"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1E+15"),
            (1_234_567_890_123_456_789.0, "1.23456789012346E+18"),
            (0.000_01, "0.00001"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(text(&DataRef::Float(number), None, false), shown);
        }
    }

    #[test]
    fn a_format_of_zeros_shows_zeros() {
        for (code, number, expected) in [
            ("00000000", 1_234_567.0, "01234567"),
            ("00000000;[Red]-0", 1_234_567.0, "01234567"),
            ("00", 12_345.0, "12345"),
            ("000-00-0000", 12_345_678.0, "012-34-5678"),
            ("000-00-0000", 9_012_345_678.0, "9012-34-5678"),
            ("\"P\"\\ 0000000_)", 123.0, "P 0000123"),
            ("00000000", 0.5, "0.5"),
            ("0\" days\"", 30.0, "30"),
            ("\"$\"#,##0.00", 149.0, "149"),
            ("General", 7.0, "7"),
            ("[<=9]00;000", 7.0, "7"),
            ("00\\", 7.0, "7"),
        ] {
            let mask = NumberMask::parse(code);
            assert_eq!(text(&DataRef::Float(number), mask.as_ref(), false), expected, "{code}");
        }
    }

    #[test]
    fn a_date_is_counted_from_the_epoch_of_its_workbook() {
        for (days, is_1904, expected) in [
            (32_975.0, false, "1990-04-12"),
            (31_513.0, true, "1990-04-12"),
            (1.0, false, "1900-01-01"),
            (0.0, true, "1904-01-01"),
            (0.0, false, "1900-01-00"),
            (0.5, false, "1900-01-00T12:00:00Z"),
            (60.0, false, "1900-02-29"),
            (32_974.708_333_333_34, false, "1990-04-11T17:00:00Z"),
            (32_974.999_999_99, false, "1990-04-12"),
            (2_958_465.0, false, "9999-12-31"),
            (2_957_003.0, true, "9999-12-31"),
            (2_958_466.0, false, "########"),
            (2_957_004.0, true, "########"),
            (-1.0, false, "########"),
            (f64::NAN, false, "########"),
        ] {
            let at = ExcelDateTime::new(days, ExcelDateTimeType::DateTime, is_1904);
            assert_eq!(text(&DataRef::DateTime(at), None, is_1904), expected, "{days}");
        }
    }

    #[test]
    fn other_values_are_what_a_spreadsheet_shows() {
        let duration = |days| DataRef::DateTime(ExcelDateTime::new(days, ExcelDateTimeType::TimeDelta, false));
        for (value, shown) in [
            (DataRef::Bool(true), "TRUE"),
            (DataRef::Error(CellErrorType::NA), "#N/A"),
            (DataRef::SharedString("Ann"), "Ann"),
            (DataRef::DateTimeIso("1990-04-12".to_owned()), "1990-04-12"),
            (duration(1.5), "36:00:00"),
            (duration(0.75 / 86_400.0), "0:00:01"),
            (duration(-1.0), "########"),
        ] {
            assert_eq!(text(&value, None, false), shown);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_number_and_format_is_written(bits: u64, code in ".{0,12}", is_1904: bool) {
            let number = f64::from_bits(bits);
            let mask = NumberMask::parse(&code);
            for kind in [ExcelDateTimeType::DateTime, ExcelDateTimeType::TimeDelta] {
                text(&DataRef::DateTime(ExcelDateTime::new(number, kind, is_1904)), None, is_1904);
            }
            proptest::prop_assert!(text(&DataRef::Float(number), mask.as_ref(), is_1904).len() < 400);
        }
    }
}
