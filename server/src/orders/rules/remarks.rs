//! Reads remarks as staff type them. Pure.

use crate::orders::errors::OrderError;

/// The longest remark, in characters.
const MAX_REMARK_LEN: usize = 5_000;

/// A remark before it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRemark {
    pub text: String,
    pub whatsapp: bool,
    pub telephone: bool,
    pub status_refund: bool,
    pub voided: bool,
    pub chargeback: bool,
}

impl NewRemark {
    /// A remark without flags.
    pub fn of(text: String) -> Self {
        let (whatsapp, telephone, status_refund, voided, chargeback) = (false, false, false, false, false);
        Self { text, whatsapp, telephone, status_refund, voided, chargeback }
    }
}

/// Normalizes the text of a remark as [`typed_lines`] does.
///
/// # Errors
/// [`OrderError::EmptyRemark`] or [`OrderError::RemarkTooLong`].
pub fn remark_text(typed: &str) -> Result<String, OrderError> {
    check_text(typed, OrderError::EmptyRemark, OrderError::RemarkTooLong)
}

/// Normalizes the reason of a change, as [`remark_text`] does with a remark.
///
/// # Errors
/// [`OrderError::EmptyReason`] or [`OrderError::ReasonTooLong`].
pub fn reason_text(typed: &str) -> Result<String, OrderError> {
    check_text(typed, OrderError::EmptyReason, OrderError::ReasonTooLong)
}

/// Normalizes the note of a decision, as [`remark_text`] does with a remark; none if nothing was typed.
///
/// # Errors
/// [`OrderError::NoteTooLong`].
pub fn note_text(typed: &str) -> Result<Option<String>, OrderError> {
    match check_text(typed, OrderError::EmptyReason, OrderError::NoteTooLong) {
        Err(OrderError::EmptyReason) => Ok(None),
        checked => checked.map(Some),
    }
}

/// Normalizes several lines as they were typed: with `\n` at their ends, without space around it, and without control characters that could reorder
/// or break the text around it.
pub fn typed_lines(typed: &str) -> String {
    let is_kept = |one: &char| match one {
        '\n' | '\t' => true,
        '\u{202a}'..='\u{202e}' => false,
        one => !one.is_control(),
    };
    let text: String = typed.replace("\r\n", "\n").replace('\r', "\n").chars().filter(is_kept).collect();
    text.trim().to_owned()
}

fn check_text(typed: &str, empty: OrderError, too_long: fn(usize) -> OrderError) -> Result<String, OrderError> {
    let text = typed_lines(typed);
    if text.is_empty() {
        return Err(empty);
    }
    if text.chars().count() > MAX_REMARK_LEN {
        return Err(too_long(MAX_REMARK_LEN));
    }
    Ok(text)
}

/// Reads a checkbox of the remark form: `Y`, or empty when it is not ticked.
///
/// # Errors
/// [`OrderError::InvalidRemarkFlag`].
pub fn remark_flag(name: &'static str, given: &str) -> Result<bool, OrderError> {
    match given {
        "Y" => Ok(true),
        "" => Ok(false),
        _ => Err(OrderError::InvalidRemarkFlag(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_keeps_its_lines_and_its_letters() {
        let read = |typed: &str| remark_text(typed);
        assert_eq!(read("  called,\r\nno answer\r\tagain \n"), Ok("called,\nno answer\n\tagain".into()));
        assert_eq!(read("客户 \u{202e}اتصل\u{7}"), Ok("客户 اتصل".into()));
        for empty in ["", " \r\n\t ", "\u{202e}"] {
            assert_eq!(read(empty), Err(OrderError::EmptyRemark));
        }
        assert_eq!(read(&"é".repeat(5_000)), Ok("é".repeat(5_000)));
        assert_eq!(read(&"x".repeat(5_001)), Err(OrderError::RemarkTooLong(5_000)));
    }

    #[test]
    fn a_checkbox_is_y_or_empty() {
        assert_eq!(remark_flag("voided", "Y"), Ok(true));
        assert_eq!(remark_flag("voided", ""), Ok(false));
        for other in ["y", "N", "1", "true", " Y"] {
            assert_eq!(remark_flag("voided", other), Err(OrderError::InvalidRemarkFlag("voided")));
        }
    }
}
