//! The trusted proxies in front of the server.

use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::errors::ConfigError;
use crate::networks::{InvalidNetwork, Networks};

/// The one source from which a trusted proxy's client is known. All others come from the client, and are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientSource {
    /// The header `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// The header `Forwarded` (RFC 7239).
    Forwarded,
    /// The first bytes of each connection (HAProxy, The PROXY protocol, versions 1 and 2).
    ProxyProtocol,
}

/// The proxies whose word about their clients is trusted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TrustedProxies(Networks);

impl FromStr for TrustedProxies {
    type Err = ConfigError;

    fn from_str(list: &str) -> Result<Self, ConfigError> {
        list.parse().map(Self).map_err(|invalid: InvalidNetwork| ConfigError::InvalidProxy(invalid.0))
    }
}

impl TryFrom<String> for TrustedProxies {
    type Error = ConfigError;

    fn try_from(list: String) -> Result<Self, ConfigError> {
        list.parse()
    }
}

impl From<TrustedProxies> for String {
    fn from(proxies: TrustedProxies) -> Self {
        proxies.0.to_string()
    }
}

impl TrustedProxies {
    /// Returns true if no proxy is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if `address` is one of the trusted proxies.
    pub fn contain(&self, address: IpAddr) -> bool {
        self.0.contain(address)
    }
}
