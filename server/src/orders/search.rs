//! Folds stored text and search terms in the same way, and says where a term is in an order.

use std::collections::BTreeSet;

use serde::Serialize;
use utoipa::ToSchema;

use super::rules::phone::Phone;
use crate::characters::folding::{FoldedLetter, accented_parts, contains, letters, plain};
use crate::characters::{digit, normalize};
use crate::ids::OrderId;

/// The version of the rules by which [`search_text`] writes. Whoever changes the rules increases it, and `rewriting.rs` rewrites the stored texts.
pub const VERSION: i32 = 1;

/// The longest term that a search takes, in characters.
pub const MAX_TERM_LEN: usize = 100;

/// The fewest digits of a term that can only be a telephone number: order and passport numbers have fewer.
const MIN_LONG_NUMBER: usize = 10;

/// The digits at the end of a long number that are searched. Before them, spellings differ by the country's prefix and by zeros.
const DIGITS_OF_LONG_NUMBER: usize = 8;

/// The fewest digits of a document's number that is typed in groups.
const MIN_GROUPED_DIGITS: usize = 3;

/// The most letters before a number, as in `PA 123 4567`.
const MAX_LETTERS_OF_NUMBER: usize = 3;

/// The most accented letters by which texts are read; the look at their orders takes all.
const MAX_ACCENTED: usize = 3;

/// The longest prefix of a country, in digits.
const MAX_PREFIX: usize = 3;

/// Separates the fields of an order's search text. No term can contain it, so none matches across two fields.
const BETWEEN_FIELDS: char = '\n';

/// The place of an order that contains a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundIn {
    Name,
    Email,
    /// The email address of the customer's account.
    AccountEmail,
    OrderNumber,
    Telephone,
    PassportNumber,
    Comment,
}

impl FoundIn {
    /// Returns true if the columns of each list show it.
    pub fn is_shown_in_lists(self) -> bool {
        match self {
            Self::Name | Self::Email | Self::OrderNumber => true,
            Self::AccountEmail | Self::Telephone | Self::PassportNumber | Self::Comment => false,
        }
    }
}

/// The fields of an order that are searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchedFields<'a> {
    pub full_name: &'a str,
    pub contact_email_address: &'a str,
    pub account_email: Option<&'a str>,
    pub country_code: Option<&'a str>,
    pub phone_number: Option<&'a str>,
    pub document_number: Option<&'a str>,
}

impl SearchedFields<'_> {
    /// Name, emails, phone digits, order id, passport number; a passport number with separators also without them.
    fn lines(&self, order_id: OrderId) -> Vec<(FoundIn, Vec<FoldedLetter>)> {
        let account = self.account_email.filter(|email| *email != self.contact_email_address).unwrap_or("");
        let document = letters(self.document_number.unwrap_or(""));
        let is_of_number = |letter: &&FoldedLetter| letter.plain.is_alphanumeric();
        let unbroken: Vec<FoldedLetter> = document.iter().filter(is_of_number).cloned().collect();
        let unbroken = if unbroken.len() == document.len() { Vec::new() } else { unbroken };
        let fields = [
            (FoundIn::Name, letters(self.full_name)),
            (FoundIn::Email, letters(self.contact_email_address)),
            (FoundIn::AccountEmail, letters(account)),
            (FoundIn::Telephone, letters(&self.phone_digits())),
            (FoundIn::OrderNumber, letters(&order_id.printed())),
            (FoundIn::PassportNumber, document),
            (FoundIn::PassportNumber, unbroken),
        ];
        fields.into_iter().filter(|(_, field)| !field.is_empty()).collect()
    }

    fn phone_digits(&self) -> String {
        let typed = self.country_code.unwrap_or("").chars().chain(self.phone_number.unwrap_or("").chars());
        typed.filter_map(digit).map(|value| char::from(b'0' + value)).collect()
    }
}

/// The search text of an order: its fields in plain letters, and what is around each accented letter of them.
pub fn search_text(order_id: OrderId, order: SearchedFields<'_>) -> String {
    let lines: Vec<_> = order.lines(order_id).into_iter().map(|(_, line)| line).collect();
    let accented: BTreeSet<String> = lines.iter().flat_map(|line| accented_parts(line)).collect();
    let plain = lines.iter().map(|line| plain(line));
    let mut text = String::new();
    for line in plain.chain(accented) {
        text.push_str(&line);
        text.push(BETWEEN_FIELDS);
    }
    text
}

/// A text in plain letters, in which a term is looked up as it is.
pub fn plain_text(text: &str) -> String {
    plain(&letters(text))
}

/// A folded search term, in the forms that the queries take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// In plain letters.
    pub text: String,
    /// As a LIKE pattern in which `\` escapes `%`, `_` and `\`.
    pub like: String,
    /// Its accented letters and their neighbours. Every search text with the term contains these parts, and so may others.
    pub accented: Vec<String>,
    letters: Vec<FoldedLetter>,
    /// The digits of a telephone number with its country's prefix.
    phone: Option<String>,
    /// The term of texts that older rules wrote, if it differs.
    pub older: Option<Box<Term>>,
}

impl Term {
    /// Parses a typed term; none if it is empty. A number may contain spaces, a phone number also dots and brackets, and of a long one only the last
    /// digits are looked up: `+62 812…` and `0812…` are one number. An order number is one in each of its spellings.
    pub fn parse(typed: &str) -> Option<Self> {
        let folded = letters(typed);
        let text = plain(&folded);
        let is_phone = text.chars().all(|one| one.is_ascii_digit() || " +-().".contains(one)) && has_digits(&text, 5);
        let number = match OrderId::parse(typed) {
            Some(order_id) if !is_phone && !has_only_digits(&text) => Some(order_id.printed().to_lowercase()),
            _ if is_phone => Some(end_of_number(text.chars().filter(char::is_ascii_digit).collect())),
            _ => is_grouped(&text).then(|| text.replace(' ', "")),
        };
        let mut term = match number {
            Some(number) => Self::of(letters(&number)),
            None => Self::of(folded),
        }?;
        term.phone = if is_phone { international(&text) } else { None };
        let older = older_text(typed).filter(|older| *older != term.text);
        term.older = older.map(|text| {
            let (like, accented, letters) = (like(&text), Vec::new(), Vec::new());
            Box::new(Self { text, like, accented, letters, phone: None, older: None })
        });
        Some(term)
    }

    fn of(letters: Vec<FoldedLetter>) -> Option<Self> {
        let text = plain(&letters);
        let (like, accented) = (like(&text), accented_parts(&letters));
        (!text.is_empty()).then_some(Self { text, like, accented, letters, phone: None, older: None })
    }

    /// LIKE patterns, all of which a search text with the term matches.
    pub fn patterns(&self) -> Vec<String> {
        let accented = self.accented.iter().take(MAX_ACCENTED).map(|part| like(part));
        std::iter::once(self.like.clone()).chain(accented).collect()
    }

    /// The term of the present rules alone.
    pub fn without_older(self) -> Self {
        Self { older: None, ..self }
    }

    /// Returns true if a search text with the plain term may be of an order without the term.
    pub fn needs_second_look(&self) -> bool {
        !self.accented.is_empty() || self.phone.is_some() || self.older.is_some()
    }

    /// Returns true if the text has the term.
    pub fn is_in_text(&self, text: &str) -> bool {
        contains(&letters(text), &self.letters)
    }

    /// Returns true if the order has the term, whatever its search text is.
    pub fn is_in(&self, order_id: OrderId, order: &SearchedFields<'_>) -> bool {
        self.place_in(order_id, order).is_some()
    }

    /// The first field of the order that has the term.
    pub fn place_in(&self, order_id: OrderId, order: &SearchedFields<'_>) -> Option<FoundIn> {
        let Some(typed) = &self.phone else {
            let lines = order.lines(order_id);
            return lines.iter().find(|(_, line)| contains(line, &self.letters)).map(|(place, _)| *place);
        };
        let phone = Phone::read(order.country_code, order.phone_number);
        let is_theirs = match phone.and_then(|phone| phone.digits()) {
            Some(digits) => is_same_number(&digits, typed),
            None => order.phone_digits().contains(&self.text),
        };
        is_theirs.then_some(FoundIn::Telephone)
    }
}

fn like(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

fn has_digits(text: &str, least: usize) -> bool {
    text.chars().filter(char::is_ascii_digit).count() >= least
}

fn has_only_digits(text: &str) -> bool {
    text.bytes().all(|one| one.is_ascii_digit() || one == b' ')
}

fn end_of_number(mut digits: String) -> String {
    if digits.len() >= MIN_LONG_NUMBER {
        digits.drain(..digits.len() - DIGITS_OF_LONG_NUMBER);
    }
    digits
}

/// The digits of a long number that begins with a plus sign or two zeros.
fn international(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['(', ' ']);
    let is_international = (text.starts_with('+') || text.starts_with("00")) && has_digits(text, MIN_LONG_NUMBER);
    is_international.then(|| Phone::read(None, Some(text))?.digits()).flatten()
}

/// Returns true for two numbers that differ by zeros behind their country's prefix alone.
fn is_same_number(one: &str, other: &str) -> bool {
    let without_zeros = |number: &str, prefix: usize| {
        let (country, national) = number.split_at_checked(prefix)?;
        Some(format!("{country}{}", national.trim_start_matches('0')))
    };
    (1..=MAX_PREFIX)
        .any(|prefix| without_zeros(one, prefix).is_some_and(|one| Some(one) == without_zeros(other, prefix)))
}

/// Returns true for a number in groups, such as `a 123 4567`: of its words, one at most has no digit. No name has that many digits.
fn is_grouped(text: &str) -> bool {
    let is_of_number = |word: &str| word.bytes().all(|one| one.is_ascii_alphanumeric());
    let (numbers, letters): (Vec<&str>, Vec<&str>) =
        text.split(' ').partition(|word| word.bytes().any(|one| one.is_ascii_digit()));
    text.contains(' ')
        && has_digits(text, MIN_GROUPED_DIGITS)
        && numbers.iter().chain(&letters).all(|word| is_of_number(word))
        && letters.len() <= 1
        && letters.iter().all(|word| word.len() <= MAX_LETTERS_OF_NUMBER)
}

/// The term as the rules of version 0 read it, for texts that are not rewritten yet.
fn older_text(typed: &str) -> Option<String> {
    let normalized = normalize(typed);
    let digits: String = normalized.chars().filter(char::is_ascii_digit).collect();
    let is_phone = digits.len() >= 5
        && digits.len() < normalized.chars().count()
        && normalized.chars().all(|one| one.is_ascii_digit() || " +-().".contains(one));
    let text = if is_phone { digits } else { normalized };
    let text = if text.bytes().all(|one| one.is_ascii_digit()) { end_of_number(text) } else { text };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
