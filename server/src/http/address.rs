//! The address of the client. What a header says counts only from a trusted proxy.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::forwarded;
use super::kit::Kit;
use crate::config::proxies::{ClientSource, TrustedProxies};
use crate::error::{Error, Refusals, Result};

/// The peer of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The range of addresses that counts as one network of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientNetwork {
    /// A single IPv4 address, or the /64 of an IPv6 subscriber.
    Subscriber,
    /// A single IPv4 address, or the /48 of an IPv6 site, which has 65,536 networks to guess from.
    Site,
}

/// The client's address, without the `::ffff:` of IPv4 in IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The client's address: the peer's, or, behind trusted `proxies`, the right-most one that is not a trusted proxy.
    pub fn of(proxies: &TrustedProxies, source: ClientSource, peer: IpAddr, headers: &HeaderMap) -> Self {
        let mut client = peer.to_canonical();
        if !proxies.contain(client) {
            return Self(client);
        }
        for hop in forwarded::hops(source, headers).into_iter().rev() {
            let Some(address) = hop.filter(|_| proxies.contain(client)) else { break };
            client = address;
        }
        Self(client)
    }

    /// The network that limits count by: an IPv6 subscriber has a whole /64.
    pub fn network(self) -> IpAddr {
        match self.0 {
            IpAddr::V4(_) => self.0,
            IpAddr::V6(address) => Ipv6Addr::from(u128::from(address) & !u128::from(u64::MAX)).into(),
        }
    }

    /// The network as the name of a counter.
    pub fn bucket(self, of: ClientNetwork) -> String {
        match (self.0, of) {
            (IpAddr::V4(address), _) => address.to_string(),
            (IpAddr::V6(_), ClientNetwork::Subscriber) => format!("{}/64", self.network()),
            (IpAddr::V6(address), ClientNetwork::Site) => {
                format!("{}/48", Ipv6Addr::from(u128::from(address) >> 80 << 80))
            }
        }
    }
}

impl std::fmt::Display for ClientAddress {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(to)
    }
}

/// Adds the client's address to the request.
pub fn note(kit: &Kit, request: &mut Request) -> Result<()> {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    let peer = peer.ok_or_else(|| Error::internal("the listener did not name the peer"))?.to_canonical();
    if kit.proxies.contain(peer)
        && let Some(fault) = forwarded::fault(kit.config.client_source, request.headers())
    {
        kit.header_faults.report(peer, fault);
        request.extensions_mut().insert(fault);
    }
    let address = ClientAddress::of(&kit.proxies, kit.config.client_source, peer, request.headers());
    request.extensions_mut().insert(address);
    Ok(())
}

impl Refusals for ClientAddress {}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().copied().ok_or_else(|| Error::internal("the client's address was not noted"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, forwarded: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", forwarded.parse().ok()?);
        let trusted = trusted.parse::<TrustedProxies>().ok()?;
        Some(ClientAddress::of(&trusted, ClientSource::XForwardedFor, peer.parse().ok()?, &headers).to_string())
    }

    #[test]
    fn nobody_is_believed_by_default() {
        assert_eq!(client("", "203.0.113.9", "198.51.100.1").as_deref(), Some("203.0.113.9"));
    }

    #[test]
    fn behind_a_trusted_proxy_the_right_most_stranger_counts() {
        assert_eq!(client("127.0.0.1", "127.0.0.1", "1.2.3.4, 198.51.100.1").as_deref(), Some("198.51.100.1"));
        assert_eq!(
            client("127.0.0.0/8, 10.0.0.0/8", "127.0.0.1", "6.6.6.6, 198.51.100.1, 10.1.2.3").as_deref(),
            Some("198.51.100.1")
        );
        assert_eq!(client("127.0.0.1", "127.0.0.1", "garbage").as_deref(), Some("127.0.0.1"));
    }

    #[test]
    fn an_ipv4_address_in_ipv6_is_shown_plain_and_ipv6_is_counted_by_network() {
        assert_eq!(client("", "::ffff:203.0.113.9", "-").as_deref(), Some("203.0.113.9"));
        let address = ClientAddress("2001:db8:1:2:3::4".parse().unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)));
        assert_eq!(address.bucket(ClientNetwork::Subscriber), "2001:db8:1:2::/64");
        assert_eq!(address.bucket(ClientNetwork::Site), "2001:db8:1::/48");
    }
}
