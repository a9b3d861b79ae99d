//! Reads canned texts as members write them. Pure.

use std::collections::BTreeMap;

use super::errors::CannedTextError;
use crate::characters::one_line;
use crate::orders::rules::remarks::typed_lines;
use crate::paper_requests::rules::Language;
use crate::text_enum;

/// The most texts of one member, and the most that everybody has.
pub const MAX_TEXTS: i64 = 200;

/// The most characters of a title.
const MAX_TITLE_LEN: usize = 60;

/// The most characters of a text in one language. Longer messages are cut off by what opens a WhatsApp chat.
const MAX_TEXT_LEN: usize = 1_500;

/// The names that a text writes in braces, and that the order's own values replace.
const PLACEHOLDERS: [&str; 4] = ["name", "order", "visa", "arrival"];

text_enum! {
    /// The place where a text is used.
    pub enum TextPurpose {
        /// In a remark, which colleagues read.
        Comment = "comment",
        /// In a message to the applicant.
        Whatsapp = "whatsapp",
    }
}

/// The text by language. English is always there.
pub type TextByLanguage = BTreeMap<String, String>;

/// A text as a member wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewText {
    pub purpose: TextPurpose,
    pub title: String,
    pub texts: TextByLanguage,
}

/// Reads what a member typed: one line for the title, and texts without those that are empty.
///
/// # Errors
/// [`CannedTextError`]
pub fn read(purpose: TextPurpose, title: &str, texts: TextByLanguage) -> Result<NewText, CannedTextError> {
    let title = one_line(title).filter(|title| !title.is_empty() && title.chars().count() <= MAX_TITLE_LEN);
    let title = title.ok_or(CannedTextError::CannedTextTitle(MAX_TITLE_LEN))?;
    let unknown: Vec<&str> = texts.keys().map(String::as_str).filter(|code| Language::parse(code).is_none()).collect();
    if !unknown.is_empty() {
        return Err(CannedTextError::UnknownTextLanguage(unknown.join(", ")));
    }
    let typed = texts.into_iter().map(|(language, text)| (language, typed_lines(&text)));
    let texts: TextByLanguage = typed.filter(|(_, text)| !text.is_empty()).collect();
    let is_long = |text: &String| text.chars().count() > MAX_TEXT_LEN;
    if !texts.contains_key(Language::English.as_str()) || texts.values().any(is_long) {
        return Err(CannedTextError::CannedTextLength { max: MAX_TEXT_LEN });
    }
    if purpose == TextPurpose::Comment && texts.len() > 1 {
        return Err(CannedTextError::CannedCommentLanguage);
    }
    if let Some(unknown) = texts.values().find_map(|text| unknown_placeholder(text)) {
        let known = PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ");
        return Err(CannedTextError::UnknownPlaceholder { unknown: unknown.to_owned(), known });
    }
    Ok(NewText { purpose, title, texts })
}

/// The first name in braces that no value replaces. Braces around anything but a word are text.
fn unknown_placeholder(text: &str) -> Option<&str> {
    let named = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    let mut words = named.filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric));
    words.find(|name| !PLACEHOLDERS.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> TextByLanguage {
        pairs.iter().map(|(language, text)| ((*language).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_text_keeps_its_lines_and_names_what_is_known() {
        let read = |texts| read(TextPurpose::Whatsapp, " No  answer ", texts);
        let kept = of(&[("en", "Dear {name},\nyour {visa} {} {a b} waits."), ("ar", "مرحبا {name}")]);
        let typed = of(&[("en", " Dear {name},\r\nyour {visa} {} {a b} waits. "), ("ar", "مرحبا {name}"), ("de", " ")]);
        let new = NewText { purpose: TextPurpose::Whatsapp, title: "No answer".into(), texts: kept };
        assert_eq!(read(typed), Ok(new));
        let unknown = |name: &str| {
            let known = "{name}, {order}, {visa}, {arrival}".to_owned();
            Err(CannedTextError::UnknownPlaceholder { unknown: name.to_owned(), known })
        };
        assert_eq!(read(of(&[("en", "{order}"), ("fr", "{ordre}")])), unknown("ordre"));
        assert_eq!(read(of(&[("en", "{Name}")])), unknown("Name"));
        let length = Err(CannedTextError::CannedTextLength { max: MAX_TEXT_LEN });
        assert_eq!(read(of(&[("de", "Hallo")])), length);
        assert_eq!(read(of(&[("en", &"é".repeat(MAX_TEXT_LEN + 1))])), length);
        assert_eq!(read(of(&[("tlh", "…")])), Err(CannedTextError::UnknownTextLanguage("tlh".into())));
    }

    #[test]
    fn a_comment_is_in_english_and_a_title_is_one_line() {
        let comment = |title: &str, texts| read(TextPurpose::Comment, title, texts);
        assert!(comment("Called", of(&[("en", "Called, no answer")])).is_ok());
        let two = comment("Called", of(&[("en", "Called"), ("de", "Angerufen")]));
        assert_eq!(two, Err(CannedTextError::CannedCommentLanguage));
        for title in ["", "  ", &"x".repeat(MAX_TITLE_LEN + 1)] {
            let refused = comment(title, of(&[("en", "Called")]));
            assert_eq!(refused, Err(CannedTextError::CannedTextTitle(MAX_TITLE_LEN)), "{title:?}");
        }
    }
}
