//! The trusted proxies in front of the server.

use std::net::IpAddr;

use ipnet::IpNet;

use super::errors::ConfigError;
use crate::error::Result;

/// The proxies whose `X-Forwarded-For` is trusted.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads addresses and networks, separated by commas.
    pub fn parse(list: &str) -> Result<Self> {
        let read = |part: &str| {
            let network = part.parse::<IpNet>().ok().or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from));
            network.ok_or_else(|| ConfigError::InvalidProxy(part.to_owned()))
        };
        list.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(read)
            .collect::<Result<_, _>>()
            .map(Self)
            .map_err(Into::into)
    }

    /// Whether `address` is one of them.
    pub fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}
