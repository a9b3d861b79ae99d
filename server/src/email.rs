//! Email addresses: the one reader of what people type and the one key by which addresses are compared (invariant 12). What mail servers
//! deliver is an address, also where a standard forbids it.

use std::borrow::Cow;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::characters::{is_ignorable, is_space};

/// The longest email address, in bytes (RFC 3696, erratum 1690), and the longest part of it before the `@` (RFC 5321, section 4.5.3.1.1).
const MAX_LEN: usize = 254;
const MAX_LOCAL_PART_LEN: usize = 64;

/// The characters of a name that needs no quotes, beside letters and digits (RFC 5322, section 3.2.3). Dots may stand anywhere: providers in
/// Japan gave out such addresses.
const OF_NAMES: &str = "!#$%&'*+-/=?^_`{|}~.’";

/// Exactly one email address, which can stand in a mail's head as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Email(String);

impl Email {
    /// Reads an address, also as `Ann Lee <ann@shop.example>` and as a link. None: it is not exactly one.
    pub fn parse(typed: &str) -> Option<Self> {
        // They show what follows in another order, so that another address was seen.
        if typed.contains(['\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}']) {
            return None;
        }
        let plain: String = typed.nfc().map(half_width).collect();
        let plain = plain.trim_matches(|one| is_space(one) || is_ignorable(one));
        let address = without_name(without_link(plain)?)?;
        let address = address.trim_end_matches(|one: char| ".,;".contains(one) || is_space(one));
        let (local, domain) = address.rsplit_once('@')?;
        let local = local_part(local)?;
        let domain = domain_of(domain)?;
        let email = format!("{local}@{domain}");
        (email.len() <= MAX_LEN).then_some(Self(email))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the `@`, and the domain.
    pub fn parts(&self) -> (&str, &str) {
        self.0.rsplit_once('@').unwrap_or((&self.0, ""))
    }

    /// Equal for two spellings of one address: the domain as servers know it (UTS 46), nothing about case.
    pub fn key(&self) -> String {
        let (local, domain) = self.parts();
        let local = local.replace('İ', "i").to_lowercase();
        format!("{local}@{}", ascii(domain).unwrap_or_else(|| domain.to_lowercase()))
    }
}

/// The character of ASCII that a full-width one is, and a full stop for that of Chinese and Japanese.
fn half_width(one: char) -> char {
    match one {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(one) - 0xfee0).unwrap_or(one),
        '。' | '｡' => '.',
        one => one,
    }
}

/// The address of a `mailto:` link. None: it names further recipients or headers than a subject and a text.
fn without_link(text: &str) -> Option<&str> {
    let Some(link) = text.get(..7).filter(|start| start.eq_ignore_ascii_case("mailto:")).and_then(|_| text.get(7..))
    else {
        return Some(text);
    };
    let (address, query) = link.split_once('?').unwrap_or((link, ""));
    let is_harmless =
        |field: &str| ["subject=", "body="].iter().any(|known| field.to_ascii_lowercase().starts_with(known));
    query.split('&').filter(|field| !field.is_empty()).all(is_harmless).then_some(address)
}

/// The address between angle brackets behind a name, or the text if it has none. None: the name is an address itself.
fn without_name(text: &str) -> Option<&str> {
    let Some((name, address)) = text.strip_suffix('>').and_then(|text| text.rsplit_once('<')) else {
        return Some(text);
    };
    (!name.contains('@')).then_some(address)
}

/// The part before the `@`, without quotes that it does not need.
fn local_part(typed: &str) -> Option<Cow<'_, str>> {
    let is_plain = |text: &str| {
        !text.is_empty() && text.chars().all(|one| one.is_alphanumeric() || OF_NAMES.contains(one) || is_mark(one))
    };
    let cleaned: String = typed.chars().filter(|one| !is_ignorable(*one)).collect();
    let local = match cleaned.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(quoted) if is_plain(quoted) => quoted.to_owned(),
        Some(quoted)
            if !quoted.is_empty() && !quoted.contains(|one: char| one.is_control() || "\"\\@<>,;".contains(one)) =>
        {
            cleaned
        }
        Some(_) => return None,
        None if is_plain(&cleaned) => cleaned,
        None => return None,
    };
    (local.len() <= MAX_LOCAL_PART_LEN).then_some(Cow::Owned(local))
}

fn is_mark(one: char) -> bool {
    unicode_normalization::char::is_combining_mark(one)
}

/// A domain that can have a mail server. Joiners where no script needs them are left out.
fn domain_of(typed: &str) -> Option<String> {
    let typed = typed.strip_suffix('.').unwrap_or(typed);
    let with_joiners: String =
        typed.chars().filter(|one| !is_ignorable(*one) || matches!(one, '\u{200c}' | '\u{200d}')).collect();
    let without: String = typed.chars().filter(|one| !is_ignorable(*one)).collect();
    [with_joiners, without].into_iter().find(|domain| ascii(domain).is_some())
}

/// The domain as servers know it: lower case, Punycode. None: it is none.
fn ascii(domain: &str) -> Option<String> {
    let deny = AsciiDenyList::new(true, "!\"$&'()*+,;=`{}~#%/:<>?@[\\]^|");
    let ascii = Uts46::new().to_ascii(domain.as_bytes(), deny, Hyphens::CheckFirstLast, DnsLength::Verify).ok()?;
    let last = ascii.rsplit('.').next()?;
    (ascii.contains('.') && !last.bytes().all(|byte| byte.is_ascii_digit())).then(|| ascii.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_is_exactly_one() {
        for good in ["ayu@desk.example", " Ayu.Lestari+visa@mail.desk.example ", "josé@пример.рф", "o'neil@x.co"]
        {
            assert!(Email::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "ayu",
            "ayu@",
            "@desk.example",
            "a@b@c.example",
            "a@b.example,c@d.example",
            "a@b.example;c@d.example",
            "a@b.example c@d.example",
            "a\r\nBcc: c@d.example",
            "a@b.example\r\nBcc: c@d.example",
            "a@b",
            "a@-b.example",
            "a@c..example",
            "a\u{202e}@c.example",
            &format!("{}@c.example", "a".repeat(65)),
            &format!("a@{}.example", "b".repeat(250)),
        ] {
            assert!(Email::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn case_does_not_matter_when_addresses_are_compared() {
        let key = |typed: &str| Email::parse(typed).map(|email| email.key());
        assert_eq!(key("Ayu@Desk.Example"), key("ayu@desk.example"));
    }
}
