//! The cells of a spreadsheet, as Excel, LibreOffice, MySQL, Shopify and others write them. Pure.

/// The fields whose numbers are identifiers: a spreadsheet takes them for amounts, and adds a fraction or loses digits.
const IDENTIFIERS: [&str; 5] = ["document_number", "postal_code", "phone_number", "country_code", "external_reference"];

/// The results of broken formulas.
const ERRORS: [&str; 8] = ["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!"];

/// A cell, as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellText {
    Empty,
    Text(String),
    /// The text cannot be a value. The reason continues a sentence that begins with the field's name.
    Doubtful(String, &'static str),
}

/// Reads a cell of the column `field`.
pub fn read(field: &str, cell: &str) -> CellText {
    let text = cell.trim_matches(|one: char| one.is_whitespace() || one == '\0' || one == '\u{1a}');
    let text = without_quotes(text);
    if text.is_empty() || text == "\\N" {
        return CellText::Empty;
    }
    if let Some(inside) = text.strip_prefix("=\"").and_then(|inside| inside.strip_suffix('"')) {
        return of_text(field, &inside.replace("\"\"", "\""));
    }
    if text.starts_with('=') {
        return CellText::Doubtful(text.to_owned(), "is a formula, which nothing calculates here");
    }
    if ERRORS.contains(&text) || (text.len() >= 3 && text.bytes().all(|byte| byte == b'#')) {
        return CellText::Doubtful(text.to_owned(), "is an error of a spreadsheet");
    }
    of_text(field, without_guard(text))
}

/// The text within quotes that stand behind a space, where CSV does not know them.
fn without_quotes(text: &str) -> &str {
    let inside = text.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).map_or(text, str::trim)
}

/// The text behind an apostrophe that only keeps a spreadsheet from calculating it. The one in `'t Hooft` or `'80s` stays.
fn without_guard(text: &str) -> &str {
    let guarded = text.strip_prefix('\'');
    guarded.filter(|rest| rest.starts_with(['=', '+', '-', '@']) || is_digits(rest)).unwrap_or(text)
}

fn of_text(field: &str, text: &str) -> CellText {
    let as_it_is = || CellText::Text(text.to_owned());
    if ["amount", "payment.amount"].contains(&field) {
        // A spreadsheet drops the second zero.
        return match text.split_once('.') {
            Some((whole, tenth)) if is_digits(whole) && tenth.len() == 1 && is_digits(tenth) => {
                CellText::Text(format!("{text}0"))
            }
            _ => as_it_is(),
        };
    }
    if !IDENTIFIERS.contains(&field) {
        return as_it_is();
    }
    if ["TRUE", "FALSE"].contains(&text) {
        return CellText::Doubtful(text.to_owned(), "is the result of a comparison");
    }
    if let Some((mantissa, exponent)) = scientific(text) {
        return of_scientific(text, mantissa, exponent);
    }
    match text.split_once('.') {
        Some((whole, zeros)) if is_digits(whole) && is_digits(zeros) => match zeros.bytes().all(|zero| zero == b'0') {
            // WEB-1001.0 would be another order than 1001, and reading it as 1001 would be a guess.
            true if field != "external_reference" => CellText::Text(whole.to_owned()),
            _ => CellText::Doubtful(text.to_owned(), "is a number with a fraction, as a spreadsheet writes it"),
        },
        _ if field == "phone_number" && is_grouped(text) => CellText::Text(text.replace(',', "")),
        _ => as_it_is(),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Groups of three digits with commas between them: `600,000,001`.
fn is_grouped(text: &str) -> bool {
    let mut groups = text.split(',');
    let first = groups.next().is_some_and(|first| is_digits(first) && first.len() <= 3);
    let mut others = groups.peekable();
    first && others.peek().is_some() && others.all(|group| is_digits(group) && group.len() == 3)
}

/// The mantissa and the exponent of `1.23457E+11`. `12E4567` is a number of a passport.
fn scientific(text: &str) -> Option<(&str, usize)> {
    let (mantissa, exponent) = text.split_once("E+").or_else(|| text.split_once("e+"))?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.parse().ok().filter(|_| whole.len() == 1 && is_digits(whole) && is_digits(fraction))?;
    Some((mantissa, exponent))
}

fn of_scientific(text: &str, mantissa: &str, exponent: usize) -> CellText {
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if digits.len() == exponent + 1 {
        CellText::Text(digits)
    } else {
        CellText::Doubtful(text.to_owned(), "is a number of which a spreadsheet has lost digits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_what_a_person_reads() {
        for (field, cell, text) in [
            ("full_name", " Ann Lee ", "Ann Lee"),
            ("full_name", " \"Ann Lee\"", "Ann Lee"),
            ("address", "Villa \"Sunset\"", "Villa \"Sunset\""),
            ("postal_code", "=\"00123\"", "00123"),
            ("postal_code", "'00123", "00123"),
            ("phone_number", "'+62 812", "+62 812"),
            ("last_name", "'t Hooft", "'t Hooft"),
            ("address", "'80s Street", "'80s Street"),
            ("document_number", "1234567.0", "1234567"),
            ("document_number", "12E4567", "12E4567"),
            ("phone_number", "600,000,001", "600000001"),
            ("phone_number", "4.47700900411E+11", "447700900411"),
            ("amount", "149.0", "149.00"),
            ("amount", "1.49E+2", "1.49E+2"),
            ("full_name", "Null", "Null"),
        ] {
            assert_eq!(read(field, cell), CellText::Text(text.to_owned()), "{cell}");
        }
        for empty in ["", " \t", "\\N", "\u{1a}\0\0", "\"\""] {
            assert_eq!(read("address", empty), CellText::Empty, "{empty:?}");
        }
    }

    #[test]
    fn a_cell_without_a_value_is_doubtful() {
        for (field, cell) in [
            ("postal_code", "=CONCATENATE(\"00\",A2)"),
            ("nationality", "#N/A"),
            ("date_of_birth", "##########"),
            ("document_number", "1.23457E+11"),
            ("phone_number", "6.28123456789E+12"),
            ("phone_number", "600000001.5"),
            ("external_reference", "1001.0"),
            ("external_reference", "TRUE"),
        ] {
            assert!(matches!(read(field, cell), CellText::Doubtful(text, _) if text == cell), "{cell}");
        }
    }
}
