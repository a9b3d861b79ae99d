//! An order's number. It is a name, never a right.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The largest number that a browser holds exactly.
const LARGEST: i64 = (1 << 53) - 1;

/// An order's number, read plain (`100001`), printed (`VD-100001`) or encoded: base64 of the decimal text of its double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[schema(value_type = i64)]
pub struct OrderId(pub i64);

impl OrderId {
    /// Reads any of the three forms; none when it is not exactly one of them.
    pub fn parse(text: &str) -> Option<Self> {
        let number = match text.strip_prefix("VD-") {
            Some(digits) => canonical(digits)?,
            None if text.starts_with(|first: char| first.is_ascii_digit()) => canonical(text)?,
            None => {
                let doubled = BASE64_STANDARD.decode(text).ok()?;
                let doubled = canonical(std::str::from_utf8(&doubled).ok()?)?;
                (doubled % 2 == 0).then_some(doubled / 2)?
            }
        };
        Self::from_number(number)
    }

    fn from_number(number: i64) -> Option<Self> {
        (1..=LARGEST).contains(&number).then_some(Self(number))
    }

    /// `VD-100001`.
    pub fn printed(self) -> String {
        format!("VD-{}", self.0)
    }

    /// The form in routes and links.
    pub fn encoded(self) -> String {
        BASE64_STANDARD.encode((self.0 * 2).to_string())
    }
}

/// Digits without a sign, a leading zero or anything else.
fn canonical(digits: &str) -> Option<i64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if plain { digits.parse().ok() } else { None }
}

impl<'de> Deserialize<'de> for OrderId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms;
        impl Visitor<'_> for Forms {
            type Value = OrderId;
            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an order id")
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<OrderId, E> {
                let number = i64::try_from(number).ok().and_then(OrderId::from_number);
                number.ok_or_else(|| E::custom("an order id is a whole number above zero"))
            }
            fn visit_i64<E: de::Error>(self, _: i64) -> Result<OrderId, E> {
                Err(E::custom("an order id is a whole number above zero"))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<OrderId, E> {
                OrderId::parse(text).ok_or_else(|| E::custom("this is no order id"))
            }
        }
        deserializer.deserialize_any(Forms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_id_is_read_plain_printed_and_encoded() {
        for text in ["100001", "VD-100001", "MjAwMDAy"] {
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
            " 1",
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
        fn what_is_encoded_reads_back(number in 1..=LARGEST) {
            proptest::prop_assert_eq!(OrderId::parse(&OrderId(number).encoded()), Some(OrderId(number)));
            proptest::prop_assert_eq!(OrderId::parse(&OrderId(number).printed()), Some(OrderId(number)));
        }
    }
}
