//! The hops that proxies note in a header: `X-Forwarded-For`, or `Forwarded` (RFC 7239). Pure.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;

use crate::config::proxies::ClientSource;

/// The addresses of the header that counts, from the client's side to the server's. None in place of one: it is not understood. Further headers of
/// other names are ignored, because they come from the client.
pub fn hops(source: ClientSource, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let (name, read): (&str, fn(&str) -> Option<IpAddr>) = match source {
        ClientSource::XForwardedFor => ("x-forwarded-for", |item| address(&unquoted(item)?)),
        ClientSource::Forwarded => ("forwarded", forwarded_for),
        ClientSource::ProxyProtocol => return Vec::new(),
    };
    let mut hops = Vec::new();
    for value in headers.get_all(name) {
        // A proxy appends its entry, so bytes that are not text may stand to the left of it.
        let value = String::from_utf8_lossy(value.as_bytes());
        match split(&value, ',') {
            Some(items) => hops.extend(items.into_iter().filter(|item| !item.is_empty()).map(read)),
            // Behind a quote that never closes nothing can be told apart.
            None => hops.push(None),
        }
    }
    hops
}

/// The reason why the header of a trusted proxy does not name the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderFault {
    #[error("the last entry of the header {0} of a trusted proxy is not understood")]
    NotUnderstood(&'static str),
    #[error("a trusted proxy sends the header {sent}, but client_source is {chosen}")]
    Other { sent: &'static str, chosen: &'static str },
}

/// Finds out why the header does not name the client. None: it does, or there is none, as in the proxy's own requests.
pub fn fault(source: ClientSource, headers: &HeaderMap) -> Option<HeaderFault> {
    let (chosen, other) = match source {
        ClientSource::XForwardedFor => ("x-forwarded-for", "forwarded"),
        ClientSource::Forwarded => ("forwarded", "x-forwarded-for"),
        ClientSource::ProxyProtocol => return None,
    };
    if headers.contains_key(chosen) {
        let is_understood = hops(source, headers).last().is_some_and(Option::is_some);
        return (!is_understood).then_some(HeaderFault::NotUnderstood(chosen));
    }
    headers.contains_key(other).then_some(HeaderFault::Other { sent: other, chosen })
}

/// Reports headers of trusted proxies that are not understood: at once, and then at most once a minute, however many requests come.
#[derive(Default)]
pub struct HeaderFaults(Mutex<Option<Instant>>);

impl HeaderFaults {
    const PAUSE: Duration = Duration::from_secs(60);

    /// Reports one.
    pub fn report(&self, proxy: IpAddr, fault: HeaderFault) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|at| at.elapsed() >= Self::PAUSE) {
            *last = Some(Instant::now());
            tracing::warn!(%proxy, "{fault}. The proxy's address counts as the client's, also in evidence");
        }
    }
}

/// The parts of a text between separators outside of quotes (RFC 9110, section 5.6.4). None: a quote does not close.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (place, one) in text.char_indices() {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            one if one == separator && !is_quoted => {
                parts.push(text[start..place].trim());
                start = place + one.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    (!is_quoted).then_some(parts)
}

/// The address of an element of `Forwarded`: that of its one `for`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = split(element, ';')?;
    let mut named = pairs.into_iter().filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then(|| value.trim())
    });
    let value = named.next().filter(|_| named.next().is_none())?;
    address(&unquoted(value)?)
}

/// A token as it is, or the text of a quoted string.
fn unquoted(value: &str) -> Option<String> {
    let Some(inside) = value.strip_prefix('"') else { return Some(value.to_owned()) };
    let mut text = String::new();
    let mut chars = inside.strip_suffix('"')?.chars();
    while let Some(one) = chars.next() {
        text.push(if one == '\\' { chars.next()? } else { one });
    }
    Some(text)
}

/// Reads an address, also with a port or a zone: `203.0.113.7:17085`, `[2001:db8::7]:443`, `fe80::7%eth0`.
pub fn address(text: &str) -> Option<IpAddr> {
    let without_zone = |text: &str| text.split('%').next().unwrap_or(text).parse::<IpAddr>().ok();
    let found = match text.strip_prefix('[') {
        Some(bracketed) => {
            let (inside, port) = bracketed.split_once(']')?;
            let address = without_zone(inside).filter(IpAddr::is_ipv6)?;
            (port.is_empty() || is_port(port.strip_prefix(':')?)).then_some(address)
        }
        None => match text.split_once(':') {
            // One colon: IPv6 has two at least.
            Some((address, port)) if !port.contains(':') => {
                address.parse().ok().filter(|address: &IpAddr| address.is_ipv4() && is_port(port))
            }
            _ => without_zone(text),
        },
    };
    found.map(|address| address.to_canonical())
}

/// A port, or the name of a hidden one (RFC 7239, section 6).
fn is_port(text: &str) -> bool {
    let is_number = || text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok();
    let is_hidden = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    is_number() || text.strip_prefix('_').is_some_and(is_hidden)
}
