//! Ids on the wire: plain, or encoded as in routes and links. Knowing an id gives no right to anything.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use diesel_derive_newtype::DieselNewType;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::characters::plain_number;

/// The largest number that a browser holds exactly.
pub const LARGEST: i64 = (1 << 53) - 1;

/// Parses a positive number, plain or encoded.
pub fn parse(text: &str) -> Option<i64> {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return parse_plain(text);
    }
    let doubled = BASE64_STANDARD.decode(text).ok()?;
    let doubled = digits(std::str::from_utf8(&doubled).ok()?)?;
    (doubled % 2 == 0).then_some(doubled / 2).filter(is_name)
}

/// Parses plain digits: no sign, no leading zero.
pub fn parse_plain(text: &str) -> Option<i64> {
    digits(text).filter(is_name)
}

fn digits(text: &str) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if plain { text.parse().ok() } else { None }
}

fn is_name(number: &i64) -> bool {
    (1..=LARGEST).contains(number)
}

fn is_digit(one: char) -> bool {
    one.is_ascii_digit()
}

/// The digits of a number whose thousands may be separated by spaces or commas.
fn without_separators(text: &str) -> Option<String> {
    let groups: Vec<&str> = text.split([' ', ',']).collect();
    let is_grouped = groups.len() == 1 || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
    is_grouped.then(|| groups.concat())
}

/// The encoded form: base64 of the decimal text of the double.
pub fn encode(number: i64) -> String {
    BASE64_STANDARD.encode((number * 2).to_string())
}

/// Reads an id from JSON or a path, as a number or as text.
struct IdVisitor {
    /// The name of what the id identifies, with its article.
    what: &'static str,
    /// The function that reads its texts.
    parse: fn(&str) -> Option<i64>,
}

impl Visitor<'_> for IdVisitor {
    type Value = i64;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.what)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        let number = i64::try_from(number).ok().filter(is_name);
        number.ok_or_else(|| E::custom(format!("{} is a whole number above zero", self.what)))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<i64, E> {
        Err(E::custom(format!("{} is a whole number above zero", self.what)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<i64, E> {
        (self.parse)(text).ok_or_else(|| E::custom(format!("this is not {}", self.what)))
    }
}

/// An order's id, read plain (`100001`), printed (`VD-100001`) or encoded: base64 of the decimal text of its double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema, DieselNewType)]
#[schema(value_type = i64)]
pub struct OrderId(pub i64);

impl OrderId {
    /// Parses any of the three forms, and what people make of the printed one: `#100001`, `vd 100 001.`, in any digits.
    pub fn parse(text: &str) -> Option<Self> {
        Self::number(text).map(Self)
    }

    fn number(text: &str) -> Option<i64> {
        parse(text).or_else(|| {
            let plain = plain_number(text).to_ascii_uppercase();
            let printed = match plain.split_once("VD") {
                // A word before it, which belongs to no other number.
                Some((before, after)) if !before.ends_with(char::is_alphanumeric) && !before.contains(is_digit) => {
                    after.trim_start_matches([' ', '-', '#'])
                }
                Some(_) => return None,
                None => plain.trim_start_matches(['#', ' ']),
            };
            parse_plain(&without_separators(printed.trim_end_matches(['.', ' ']))?)
        })
    }

    /// `VD-100001`.
    pub fn printed(self) -> String {
        format!("VD-{}", self.0)
    }

    /// The form in routes and links.
    pub fn encoded(self) -> String {
        encode(self.0)
    }
}

impl From<OrderId> for i64 {
    fn from(id: OrderId) -> Self {
        id.0
    }
}

impl fmt::Display for OrderId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

impl<'de> Deserialize<'de> for OrderId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor { what: "an order id", parse: Self::number }).map(Self)
    }
}

/// The id of a source of orders, such as a sales site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, DieselNewType)]
pub struct SourceId(pub i64);

/// A member's id, read plain or encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema, DieselNewType)]
#[schema(value_type = i64)]
pub struct StaffId(pub i64);

impl fmt::Display for StaffId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

impl<'de> Deserialize<'de> for StaffId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor { what: "a team member's id", parse }).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_plain_and_encoded() {
        assert_eq!(parse("7"), Some(7));
        assert_eq!(parse("MTQ="), Some(7));
        assert_eq!(encode(7), "MTQ=");
    }

    #[test]
    fn what_is_not_exactly_a_number_is_none() {
        for text in ["", "0", "-1", "+1", "007", "1.0", " 1", "MTU=", "MTQ", "MA==", "9007199254740992", "abc", "1;--"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_encoded_reads_back(number in 1..=LARGEST) {
            proptest::prop_assert_eq!(parse(&encode(number)), Some(number));
        }
    }

    #[test]
    fn an_order_id_is_read_plain_printed_and_encoded() {
        for text in ["100001", "VD-100001", "MjAwMDAy", " vd 100,001.", "# 100 001", "Order VD–١٠٠٠٠١"] {
            assert_eq!(OrderId::parse(text), Some(OrderId(100_001)), "{text}");
        }
        assert_eq!(OrderId(100_001).encoded(), "MjAwMDAy");
    }

    #[test]
    fn what_is_not_exactly_an_order_id_is_none() {
        for text in [
            "",
            "0",
            "-1",
            "+1",
            "007",
            "1.0",
            "VD-",
            "VD-0",
            "MjAwMDAx",
            "MjAwMDAy=",
            "9007199254740992",
            "99999999999999999999",
            "abc",
            "MjAw MDAy",
        ] {
            assert_eq!(OrderId::parse(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn an_encoded_order_id_reads_back(number in 1..=LARGEST) {
            proptest::prop_assert_eq!(OrderId::parse(&OrderId(number).encoded()), Some(OrderId(number)));
            proptest::prop_assert_eq!(OrderId::parse(&OrderId(number).printed()), Some(OrderId(number)));
        }
    }
}
