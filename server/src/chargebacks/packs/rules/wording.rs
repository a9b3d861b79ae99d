//! The wording of instants, money, names and texts in a pack.

use chrono::{NaiveDate, TimeDelta};
use serde::Serialize;

use super::RenderContext;
use crate::characters::is_unseen;
use crate::orders::facts::Application;
use crate::orders::rules::personal_name::PersonalName;
use crate::timestamp::Timestamp;

/// Replaces characters that no font has.
const NOT_SHOWN: &str = "[characters that cannot be shown]";

/// Replaces a name that no font has, and that has no Latin spelling on file.
const NAME_NOT_SHOWN: &str = "as in the passport, in a script that cannot be shown here";

/// An instant in both zones, each named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct At {
    pub utc: String,
    pub est: String,
}

/// EST in this product: five hours behind UTC all year.
const EST: TimeDelta = TimeDelta::hours(-5);

fn in_est(at: Timestamp) -> Timestamp {
    at + EST
}

/// `5 Oct 2026 03:12:44 UTC`, and the same as EST.
pub fn at(at: Timestamp) -> At {
    At { utc: utc(at), est: in_est(at).format("%-d %b %Y %H:%M:%S EST").to_string() }
}

/// A day without a time.
pub fn on(day: NaiveDate) -> At {
    At { utc: day.format("%-d %b %Y").to_string(), est: String::new() }
}

/// `5 Oct 2026 03:12:44 UTC (4 Oct 22:12:44 EST)`.
pub fn both(at: Timestamp) -> String {
    let there = in_est(at);
    let form = if there.date_naive() == at.date_naive() { "%H:%M:%S" } else { "%-d %b %H:%M:%S" };
    format!("{} ({} EST)", utc(at), there.format(form))
}

/// `5 Oct 2026 03:12:44 UTC`.
pub fn utc(at: Timestamp) -> String {
    at.format("%-d %b %Y %H:%M:%S UTC").to_string()
}

/// `5 October 2026`.
pub fn day(day: NaiveDate) -> String {
    day.format("%-d %B %Y").to_string()
}

/// A passport number masked to its last three characters.
pub fn masked(number: &str) -> String {
    let kept: Vec<char> = number.trim().chars().collect();
    match kept.len() {
        0..=3 => "on file".to_owned(),
        length => format!("ending in {}", kept[length - 3..].iter().collect::<String>()),
    }
}

/// A shorter number is too likely to be a time, a year or a price.
const MIN_NUMBER_LEN: usize = 6;

/// Returns true if this looks like a document number (ICAO Doc 9303 allows letters and digits): a word entered instead of a number must
/// not be masked wherever it occurs.
fn is_number(text: &str) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    text.len() >= MIN_NUMBER_LEN && has_digit && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Masks a passport number wherever it is a word of its own, in any case.
fn without_number(text: &str, number: &str) -> String {
    let number = number.trim();
    if !is_number(number) {
        return text.to_owned();
    }
    // ASCII lower-casing keeps byte offsets.
    let (small, sought) = (text.to_ascii_lowercase(), number.to_ascii_lowercase());
    let goes_on = |next: Option<char>| next.is_some_and(|next| next.is_ascii_alphanumeric());
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (start, found) in small.match_indices(&sought) {
        let end = start + found.len();
        if !goes_on(text[..start].chars().next_back()) && !goes_on(text[end..].chars().next()) {
            out += &format!("{}[{}]", &text[from..start], masked(number));
            from = end;
        }
    }
    out + &text[from..]
}

/// At most `most` characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

impl RenderContext {
    /// The agency's calendar day of an instant: `5 October 2026`.
    pub fn day(&self, at: Timestamp) -> String {
        day(at.with_timezone(&self.zone).date_naive())
    }

    /// Says which calendar the days of a pack follow.
    pub fn calendar(&self) -> String {
        format!("Days without a time are calendar days in {}.", self.zone)
    }

    /// A fact of one line.
    pub fn line(&self, text: &str) -> String {
        self.shown(text, self.limits.line)
    }

    /// A fact that may be longer.
    pub fn long(&self, text: &str) -> String {
        self.shown(text, self.limits.long)
    }

    fn shown(&self, text: &str, most: usize) -> String {
        let flat: Vec<&str> = text.split(|one: char| one.is_whitespace() || one.is_control()).collect();
        let flat = flat.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        cut(&self.replaced(&flat), most)
    }

    /// A text of several paragraphs, without links: the reader cannot open them.
    pub fn paragraphs(&self, text: &str, most: usize) -> Vec<String> {
        let is_link = |word: &str| word.contains("://");
        let line = |line: &str| {
            let words = line.split(' ').map(|word| if is_link(word) { "[link to the order’s page]" } else { word });
            words.collect::<Vec<_>>().join(" ")
        };
        let text: Vec<String> = text.replace('\r', "").lines().map(line).collect();
        let text = cut(&self.replaced(text.join("\n").trim()), most);
        let paragraphs = text.split("\n\n").map(|paragraph| paragraph.trim().to_owned());
        paragraphs.filter(|paragraph| !paragraph.is_empty()).collect()
    }

    /// Removes invisible characters, masks the passport number, and replaces what the fonts do not have.
    fn replaced(&self, text: &str) -> String {
        const MARK: char = '\u{fdd0}';
        let seen = |one: &char| *one == '\n' || !(is_unseen(*one) || ('\u{fdd0}'..='\u{fdef}').contains(one));
        let text: String = text.chars().filter(seen).collect();
        let mut text = without_number(&text, &self.document_number);
        if self.not_shown.is_empty() {
            return text;
        }
        for piece in self.not_shown.iter().filter(|piece| !piece.is_empty()) {
            text = text.replace(piece.as_str(), &MARK.to_string());
        }
        let (mut out, mut rest) = (String::new(), text.as_str());
        while let Some(start) = rest.find(MARK) {
            out.push_str(&rest[..start]);
            out.push_str(NOT_SHOWN);
            let after = rest[start..].trim_start_matches([MARK, ' ']);
            if rest[start..].len() > after.len() + MARK.len_utf8() && rest[..rest.len() - after.len()].ends_with(' ') {
                out.push(' ');
            }
            rest = after;
        }
        out + rest
    }

    fn is_shown(&self, text: &str) -> bool {
        !self.not_shown.iter().any(|piece| text.contains(piece.as_str()))
    }

    /// The applicant's name in its own script, without what is no letter of it; the Latin spelling of the form or of the passport if no font has that script.
    pub fn name(&self, full_name: &str, form: &Application, passport_name: Option<&str>) -> String {
        let own = PersonalName::read(full_name);
        let without_signs = own.as_ref().and_then(|own| PersonalName::read(&self.without_signs(own.shown())));
        let Application { first_name, middle_name, last_name, .. } = form;
        let of_form = PersonalName::of_parts([first_name, middle_name, last_name].map(Option::as_deref));
        let of_passport = passport_name.and_then(PersonalName::read);
        let latin = of_form.into_iter().chain(of_passport).filter(PersonalName::is_latin);
        let mut names = own.into_iter().chain(without_signs).chain(latin);
        match names.find(|name| self.is_shown(name.shown())) {
            Some(name) => self.line(name.shown()),
            None => NAME_NOT_SHOWN.to_owned(),
        }
    }

    /// The text without those pieces that no font has and that are no letters, such as pictures.
    fn without_signs(&self, text: &str) -> String {
        let signs = self.not_shown.iter().filter(|piece| !piece.chars().any(char::is_alphabetic));
        signs.fold(text.to_owned(), |text, sign| text.replace(sign.as_str(), " "))
    }
}

#[cfg(test)]
mod tests;
