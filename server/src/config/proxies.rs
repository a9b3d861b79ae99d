//! The trusted proxies in front of the server.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::errors::ConfigError;

/// The proxies whose `X-Forwarded-For` is trusted. As text: addresses and networks, separated by commas.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TrustedProxies(Vec<IpNet>);

impl FromStr for TrustedProxies {
    type Err = ConfigError;

    fn from_str(list: &str) -> Result<Self, ConfigError> {
        let read = |part: &str| {
            let network = part.parse::<IpNet>().ok().or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from));
            network.ok_or_else(|| ConfigError::InvalidProxy(part.to_owned()))
        };
        list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(read).collect::<Result<_, _>>().map(Self)
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
        let networks: Vec<String> = proxies.0.iter().map(IpNet::to_string).collect();
        networks.join(", ")
    }
}

impl TrustedProxies {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `address` is one of them.
    pub fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}
