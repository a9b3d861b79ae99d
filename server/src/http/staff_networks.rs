//! The networks from which staff use the API, in memory: their connections are accepted when strangers have taken almost all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time that a network counts after the last request with a session of staff.
const KNOWN_FOR: Duration = Duration::from_hours(24);
/// The most networks. The one that was used longest ago makes room.
const MOST: usize = 1_000;

/// The networks of staff, as `ClientAddress::network` gives them. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct StaffNetworks(Arc<Mutex<HashMap<IpAddr, Instant>>>);

impl StaffNetworks {
    /// Notes a request with a session of staff.
    pub fn note(&self, network: IpAddr) {
        self.note_at(network, Instant::now());
    }

    /// Returns true if staff worked from this network recently.
    pub fn contain(&self, network: IpAddr) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&network).is_some_and(|last| last.elapsed() < KNOWN_FOR)
    }

    fn note_at(&self, network: IpAddr, at: Instant) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(network, at);
        if known.len() > MOST
            && let Some(oldest) = known.iter().min_by_key(|(_, last)| **last).map(|(network, _)| *network)
        {
            known.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn the_number_of_networks_is_limited_and_the_newest_are_kept() {
        let (networks, start) = (StaffNetworks::default(), Instant::now());
        let address = |number: u32| IpAddr::from(Ipv4Addr::from(number));
        for number in 0..1_100 {
            networks.note_at(address(number), start + Duration::from_millis(number.into()));
        }
        assert_eq!(networks.0.lock().unwrap().len(), MOST);
        assert!(!networks.contain(address(0)) && !networks.contain(address(99)));
        assert!(networks.contain(address(100)) && networks.contain(address(1_099)));
    }
}
