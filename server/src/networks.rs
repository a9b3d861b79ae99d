//! Lists of networks, as operators write them.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// Addresses and networks. As text they are separated by commas: `203.0.113.7, 2001:db8::/32`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

/// A part of a list that is neither an address nor a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidNetwork(pub String);

impl FromStr for Networks {
    type Err = InvalidNetwork;

    fn from_str(list: &str) -> Result<Self, InvalidNetwork> {
        let read = |part: &str| {
            let network = part.parse::<IpNet>().ok().or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from));
            network.map(|network| network.trunc()).ok_or_else(|| InvalidNetwork(part.to_owned()))
        };
        list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, network) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            if network.prefix_len() == network.max_prefix_len() {
                write!(to, "{comma}{}", network.addr())?;
            } else {
                write!(to, "{comma}{network}")?;
            }
        }
        Ok(())
    }
}

impl Networks {
    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of networks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if `address` is in one of them.
    pub fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_shown_as_it_can_be_typed_again() {
        let list = " 203.0.113.7,10.1.2.3/8 ,2001:db8::1/32,";
        let networks = list.parse::<Networks>().expect("networks");
        assert_eq!(networks.to_string(), "203.0.113.7, 10.0.0.0/8, 2001:db8::/32");
        assert_eq!(networks.to_string().parse(), Ok(networks));
        assert_eq!("".parse(), Ok(Networks::default()));
        assert_eq!("10.0.0.0/8, shop".parse::<Networks>(), Err(InvalidNetwork("shop".into())));
    }

    #[test]
    fn an_address_is_in_the_list_if_one_network_contains_it() {
        let networks = "203.0.113.7, 10.0.0.0/8".parse::<Networks>().expect("networks");
        let contains = |address: &str| networks.contain(address.parse().expect("an address"));
        assert!(contains("203.0.113.7") && contains("10.255.0.1"));
        assert!(!contains("203.0.113.8") && !contains("11.0.0.1") && !contains("2001:db8::1"));
    }
}
