//! An order's number. It is a name, never a right.

use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::coded::{self, Forms};

/// An order's number, read plain (`100001`), printed (`VD-100001`) or encoded: base64 of the decimal text of its double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[schema(value_type = i64)]
pub struct OrderId(pub i64);

impl OrderId {
    /// Reads any of the three forms; none when it is not exactly one of them.
    pub fn parse(text: &str) -> Option<Self> {
        Self::number(text).map(Self)
    }

    fn number(text: &str) -> Option<i64> {
        match text.strip_prefix("VD-") {
            Some(digits) => coded::parse_plain(digits),
            None => coded::parse(text),
        }
    }

    /// `VD-100001`.
    pub fn printed(self) -> String {
        format!("VD-{}", self.0)
    }

    /// The form in routes and links.
    pub fn encoded(self) -> String {
        coded::encode(self.0)
    }
}

impl<'de> Deserialize<'de> for OrderId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms { what: "an order id", parse: Self::number }).map(Self)
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
        fn what_is_encoded_reads_back(number in 1..=coded::LARGEST) {
            proptest::prop_assert_eq!(OrderId::parse(&OrderId(number).encoded()), Some(OrderId(number)));
            proptest::prop_assert_eq!(OrderId::parse(&OrderId(number).printed()), Some(OrderId(number)));
        }
    }
}
