//! The name of a file, as browsers and programs send it in a form.

use std::borrow::Cow;

use axum::http::{HeaderMap, header};
use encoding_rs::{Encoding, WINDOWS_1252};
use percent_encoding::percent_decode_str;

/// The name in the `Content-Disposition` of a part: that of `filename*` (RFC 8187) if it can be read, else of `filename`. Empty if there is
/// none.
pub fn given_name(headers: &HeaderMap) -> String {
    let Some(header) = headers.get(header::CONTENT_DISPOSITION) else { return String::new() };
    let bytes = header.as_bytes();
    let header =
        str::from_utf8(bytes).map_or_else(|_| WINDOWS_1252.decode_without_bom_handling(bytes).0, Cow::Borrowed);
    let parameters = parameters(&header);
    let find = |name: &str| parameters.iter().find(|(one, _)| one == name).map(|(_, value)| value);
    let extended = find("filename*").and_then(|value| extended_value(value));
    extended.or_else(|| find("filename").map(|value| browsers_value(value))).unwrap_or_default()
}

/// The parameters of a header: their names in lower case, and their values without quotes.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = header.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, behind)) = rest.split_once('=') {
        let behind = behind.trim_start();
        let (value, behind) = match behind.strip_prefix('"') {
            Some(quoted) => quoted_value(quoted),
            None => {
                let (value, behind) = behind.split_once(';').unwrap_or((behind, ""));
                (value.trim_end().to_owned(), behind)
            }
        };
        found.push((name.trim().to_ascii_lowercase(), value));
        rest = behind;
    }
    found
}

/// The value up to its closing quote, and what is behind the next semicolon. Backslashes escape quotes only: before other characters they
/// are a part of names of Windows.
fn quoted_value(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = quoted.char_indices().peekable();
    while let Some((at, one)) = characters.next() {
        match one {
            '\\' if characters.next_if(|(_, next)| *next == '"').is_some() => value.push('"'),
            '"' => return (value, quoted[at + 1..].split_once(';').map_or("", |(_, behind)| behind)),
            one => value.push(one),
        }
    }
    (value, "")
}

/// The value of an extended parameter (RFC 8187, 3.2): encoding, language, and the percent-encoded text. None if it cannot be read.
fn extended_value(value: &str) -> Option<String> {
    let (encoding, rest) = value.split_once('\'')?;
    let (_, text) = rest.split_once('\'')?;
    let bytes: Vec<u8> = percent_decode_str(text).collect();
    let text = Encoding::for_label(encoding.as_bytes())?.decode_without_bom_handling_and_without_replacement(&bytes)?;
    Some(text.into_owned())
}

/// The value of a parameter of a browser, which encodes three characters, and not the percent sign (WHATWG HTML,
/// "multipart/form-data encoding algorithm").
fn browsers_value(value: &str) -> String {
    value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn name(header: &[u8]) -> String {
        given_name(&HeaderMap::from_iter([(header::CONTENT_DISPOSITION, HeaderValue::from_bytes(header).unwrap())]))
    }

    #[test]
    fn a_name_is_read_as_it_was_given() {
        for (header, given) in [
            ("form-data; name=\"file\"; filename=\"passport.jpg\"", "passport.jpg"),
            ("form-data; NAME=file; FileName = my scan.jpg ; size=3", "my scan.jpg"),
            ("form-data; filename=\"a;b=c.jpg\"; name=\"file\"", "a;b=c.jpg"),
            ("form-data; name=\"filename=x\"; filename=\"y\"", "y"),
            ("form-data; filename=\"my \\\"new\\\" C:\\dir\\a.jpg\"", "my \"new\" C:\\dir\\a.jpg"),
            ("form-data; filename=\"%22a%22%0D%0A%2522 100%.jpg\"", "\"a\"\r\n%2522 100%.jpg"),
            ("form-data; filename=\"a.jpg\"; filename*=iso-8859-1'de'%FCber.jpg", "über.jpg"),
            ("form-data; filename=\"a.jpg\"; filename*=UTF-8''%FF", "a.jpg"),
            ("form-data; filename=\"a.jpg\"; filename*=%FF", "a.jpg"),
            ("form-data; filename=\"never closed", "never closed"),
            ("form-data; name=\"file\"", ""),
            ("", ""),
        ] {
            assert_eq!(name(header.as_bytes()), given, "{header}");
        }
        assert_eq!(name(b"form-data; filename=\"caf\xe9.jpg\""), "café.jpg", "an old program of Windows");
    }

    proptest::proptest! {
        #[test]
        fn any_header_is_read_without_a_panic(header in "[ -~\u{80}-\u{fff}]{0,80}", quoted in "[;=\"\\\\%*'a-c ]{0,40}") {
            let _ = name(header.as_bytes());
            let _ = name(format!("form-data; filename=\"{quoted}").as_bytes());
            let _ = name(format!("form-data; filename*=utf-8'{quoted}").as_bytes());
        }
    }
}
