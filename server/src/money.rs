//! Money as decimal text (written) and in minor units of its currency (stored). Never a float.

use iso_currency::Currency;

/// The most digits before the decimal point.
const MAX_DIGITS: usize = 12;

/// The code of a currency, and its digits after the decimal point (ISO 4217).
pub fn currency(code: &str) -> Result<(&'static str, usize), String> {
    let currency = Currency::from_code(&code.to_ascii_uppercase());
    let known = currency.and_then(|currency| Some((currency.code(), usize::from(currency.exponent()?))));
    known.ok_or_else(|| "must be a currency of ISO 4217, such as USD".to_owned())
}

/// `149.00` with two digits after the point is 14,900.
pub fn minor_units(amount: &str, digits: usize) -> Result<i64, String> {
    let refuse = || "must be a decimal number such as 149.00".to_owned();
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let pointed = amount.contains('.') && fraction.is_empty();
    if whole.is_empty() || whole.len() > MAX_DIGITS || pointed || !plain(whole) || !plain(fraction) {
        return Err(refuse());
    }
    if fraction.len() > digits {
        return Err(format!("has more than {digits} digits after the point"));
    }
    format!("{whole}{fraction:0<digits$}").parse().map_err(|_| refuse())
}

/// Minor units as decimal text: 14,900 of USD is `149.00`.
pub fn written(minor: i64, code: &str) -> String {
    let digits = currency(code).map_or(2, |(_, digits)| digits);
    let (sign, all) = (if minor < 0 { "-" } else { "" }, format!("{:0>1$}", minor.unsigned_abs(), digits + 1));
    let (whole, fraction) = all.split_at(all.len() - digits);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let digits = currency(code).map(|(_, digits)| digits).unwrap();
            assert_eq!(minor_units(amount, digits), Ok(minor), "{amount} {code}");
        }
    }

    #[test]
    fn an_amount_is_written_with_its_currency_s_digits() {
        for (minor, code, text) in
            [(14_900, "USD", "149.00"), (7, "USD", "0.07"), (100, "JPY", "100"), (1_234, "KWD", "1.234")]
        {
            assert_eq!(written(minor, code), text);
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for odd in
            ["", "-1", "+1", "1,5", "1.", ".5", "1e3", "NaN", "1.005", "0x10", "１", "9999999999999", "1.2.3", " 1"]
        {
            assert!(minor_units(odd, 2).is_err(), "{odd}");
        }
        assert!(minor_units("100.5", 0).is_err());
        for odd in ["", "US", "USDT", "XAU", "XXX", "dollars"] {
            assert!(currency(odd).is_err(), "{odd}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_reads_back(minor in 0..1_000_000_000_000_i64, code in "USD|JPY|KWD|IDR") {
            let (_, digits) = currency(&code).unwrap();
            proptest::prop_assert_eq!(minor_units(&written(minor, &code), digits), Ok(minor));
        }

        #[test]
        fn reading_an_amount_never_panics(amount in ".*", digits in 0usize..5) {
            let _ = minor_units(&amount, digits);
        }
    }
}
