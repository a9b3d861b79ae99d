//! Money: whole minor units of a currency. Never a float.

use std::fmt;

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Text;
use serde::{Deserialize, Serialize};

/// The most digits before the decimal point.
const MAX_DIGITS: usize = 12;

/// A currency of ISO 4217, stored as its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
#[diesel(sql_type = Text)]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// The one with the most digits after the decimal point, four: to check the form of an amount without a valid currency.
    pub const WIDEST: Self = Self(iso_currency::Currency::CLF);

    /// Parses a code such as USD, in either case.
    ///
    /// # Errors
    /// The end of a sentence about the field, for an unknown code and for what has no minor units, such as gold.
    pub fn parse(code: &str) -> Result<Self, String> {
        let known = iso_currency::Currency::from_code(&code.to_ascii_uppercase());
        let usable = known.filter(|currency| currency.exponent().is_some()).map(Self);
        usable.ok_or_else(|| "must be a currency of ISO 4217, such as USD".to_owned())
    }

    /// The code in capitals.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The digits after the decimal point: two for USD, none for JPY.
    pub fn digits(self) -> usize {
        self.0.exponent().map_or(2, usize::from)
    }
}

impl From<Currency> for &'static str {
    fn from(currency: Currency) -> Self {
        currency.code()
    }
}

impl TryFrom<String> for Currency {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::parse(&code)
    }
}

impl<DB> ToSql<Text, DB> for Currency
where
    DB: Backend,
    str: ToSql<Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.code().to_sql(out)
    }
}

impl<DB> FromSql<Text, DB> for Currency
where
    DB: Backend,
    String: FromSql<Text, DB>,
{
    fn from_sql(raw: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let code = String::from_sql(raw)?;
        Ok(Self::parse(&code).map_err(|reason| format!("{code} {reason}"))?)
    }
}

/// An amount of money. As text: `USD 149.00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    /// In the currency's smallest unit.
    pub minor: i64,
    pub currency: Currency,
}

impl Money {
    /// Parses decimal text: `149.00` of USD is 14,900 cents.
    ///
    /// # Errors
    /// The end of a sentence about the field, for text that is no plain decimal number, or has more digits than the currency.
    pub fn parse(amount: &str, currency: Currency) -> Result<Self, String> {
        let (refuse, digits) = (|| "must be a decimal number such as 149.00".to_owned(), currency.digits());
        let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let pointed = amount.contains('.') && fraction.is_empty();
        if whole.is_empty() || whole.len() > MAX_DIGITS || pointed || !plain(whole) || !plain(fraction) {
            return Err(refuse());
        }
        if fraction.len() > digits {
            return Err(format!("has more than {digits} digits after the point"));
        }
        let minor = format!("{whole}{fraction:0<digits$}").parse().map_err(|_| refuse())?;
        Ok(Self { minor, currency })
    }

    /// The amount without its currency: `149.00`.
    pub fn decimal(self) -> String {
        let digits = self.currency.digits();
        let sign = if self.minor < 0 { "-" } else { "" };
        let all = format!("{:0>1$}", self.minor.unsigned_abs(), digits + 1);
        let (whole, fraction) = all.split_at(all.len() - digits);
        if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} {}", self.currency.code(), self.decimal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    #[test]
    fn each_currency_has_its_own_digits() {
        for (code, amount, minor) in [
            ("USD", "149", 14_900),
            ("USD", "149.5", 14_950),
            ("usd", "0.01", 1),
            ("JPY", "100", 100),
            ("IDR", "2500000", 250_000_000),
            ("KWD", "1.234", 1_234),
            ("EUR", "999999999999.99", 99_999_999_999_999),
        ] {
            assert_eq!(Money::parse(amount, currency(code)).map(|money| money.minor), Ok(minor), "{amount} {code}");
        }
    }

    #[test]
    fn an_amount_is_written_with_its_currency_s_digits() {
        for (minor, code, text) in [
            (14_900, "USD", "USD 149.00"),
            (7, "usd", "USD 0.07"),
            (-7, "USD", "USD -0.07"),
            (100, "JPY", "JPY 100"),
            (1_234, "KWD", "KWD 1.234"),
        ] {
            assert_eq!(Money { minor, currency: currency(code) }.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        let refused = |amount, code| Money::parse(amount, currency(code)).unwrap_err();
        for odd in ["", "-1", "+1", "1,5", "1.", ".5", "1e3", "NaN", "0x10", "１", "9999999999999", "1.2.3", " 1"] {
            assert_eq!(refused(odd, "USD"), "must be a decimal number such as 149.00", "{odd}");
        }
        assert_eq!(refused("1.005", "USD"), "has more than 2 digits after the point");
        assert_eq!(refused("100.5", "JPY"), "has more than 0 digits after the point");
        for odd in ["", "US", "USDT", "XAU", "XXX", "dollars"] {
            assert_eq!(Currency::parse(odd), Err("must be a currency of ISO 4217, such as USD".into()), "{odd}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_reads_back(minor in 0..1_000_000_000_000_i64, code in "USD|JPY|KWD|IDR") {
            let money = Money { minor, currency: currency(&code) };
            proptest::prop_assert_eq!(Money::parse(&money.decimal(), money.currency), Ok(money));
        }

        #[test]
        fn reading_an_amount_never_panics(amount in ".*", code in "USD|JPY|KWD") {
            let _ = Money::parse(&amount, currency(&code));
        }
    }
}
