//! The proxies that requests come through.

use std::net::IpAddr;

use ipnet::IpNet;

use crate::error::{Error, Result};

/// The proxies whose `X-Forwarded-For` counts.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads addresses and networks, separated by commas.
    pub fn parse(list: &str) -> Result<Self> {
        let read = |part: &str| {
            let network = part.parse::<IpNet>().ok().or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from));
            network
                .ok_or_else(|| Error::invalid(format!("trusted_proxies: {part} is neither an address nor a network")))
        };
        list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(read).collect::<Result<_>>().map(Self)
    }

    /// Whether `address` is one of them.
    pub fn hold(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}
