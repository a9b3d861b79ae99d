//! Limits public calls per minute: from one address, and in total. Each node counts its own calls and refuses them before any query.
//! `http/failed_attempts.rs` also counts wrong emails in the database.
//!
//! Fixed windows rather than a leaky bucket (the crate `governor`): the refusal names the seconds until the next minute, one lock covers
//! both limits of an address and the total, and memory is bounded by the admitted calls without a sweep.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use super::errors::TrackingError;
use crate::config::Limits;
use crate::http::address::ClientAddress;
use crate::timestamp::Timestamp;

/// The kind of a public call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Confirms the email of an order.
    Track,
    /// Reads an order with a grant.
    View,
}

/// The public calls of the current minute.
#[derive(Debug, Default)]
pub struct PublicCalls(Mutex<Minute>);

#[derive(Debug, Default)]
struct Minute {
    /// Minutes since 1970.
    number: i64,
    total: u32,
    /// Admitted calls only, so it never has more entries than `total`.
    by_address: HashMap<IpAddr, Counted>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    calls: u32,
    tracks: u32,
}

impl PublicCalls {
    /// Counts a call.
    ///
    /// # Errors
    /// [`TrackingError::TooManyPublicCalls`] if the address, or all addresses together, reached the limit of this minute.
    pub fn admit(
        &self,
        address: ClientAddress,
        call: Call,
        limits: &Limits,
        now: Timestamp,
    ) -> Result<(), TrackingError> {
        let now = now.timestamp();
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minute.number != now.div_euclid(60) {
            *minute = Minute { number: now.div_euclid(60), ..Minute::default() };
        }
        let address = address.network();
        let mut counted = minute.by_address.get(&address).copied().unwrap_or_default();
        counted.calls += 1;
        counted.tracks += u32::from(call == Call::Track);
        // Refused calls are not counted, so an address over its limit takes nothing from the total.
        let over = counted.calls > limits.public_calls_per_address
            || counted.tracks > limits.tracks_per_address
            || minute.total >= limits.public_calls;
        if over {
            let seconds = 60 - now.rem_euclid(60).unsigned_abs();
            return Err(TrackingError::TooManyPublicCalls { seconds });
        }
        minute.total += 1;
        minute.by_address.insert(address, counted);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;
    use crate::config::Config;

    fn limits() -> Limits {
        Config::default().limits
    }

    fn at(second: u32) -> Timestamp {
        format!("2026-05-01T09:00:{second:02}Z").parse().unwrap()
    }

    fn admits(calls: &PublicCalls, address: IpAddr, call: Call, now: Timestamp) -> bool {
        calls.admit(ClientAddress(address), call, &limits(), now).is_ok()
    }

    #[test]
    fn each_address_has_its_own_limit_per_minute() {
        let (calls, one, other) = (PublicCalls::default(), Ipv4Addr::from(1).into(), Ipv4Addr::from(2).into());
        let admitted = (0..1_000).filter(|_| admits(&calls, one, Call::View, at(10))).count();
        assert_eq!(admitted, 300);
        assert!(!admits(&calls, one, Call::Track, at(59)) && admits(&calls, other, Call::Track, at(59)));
        let refused = calls.admit(ClientAddress(one), Call::View, &limits(), at(10)).map_err(|error| error.to_string());
        assert_eq!(refused, Err("Too many tries. Please wait 50 seconds and try again".into()));
        assert!(admits(&calls, one, Call::View, at(10) + chrono::TimeDelta::seconds(50)), "the next minute is another");

        let tracked = (0..100).filter(|_| admits(&calls, other, Call::Track, at(30))).count();
        assert_eq!(tracked, 30);
        assert!(admits(&calls, other, Call::View, at(30)), "views are still admitted");
    }

    #[test]
    fn a_million_addresses_in_a_minute_need_memory_for_the_admitted_calls_only() {
        let calls = PublicCalls::default();
        let addresses = (0..500_000_u32).flat_map(|host| {
            let network = Ipv6Addr::from(u128::from(host) << 64 | 0x2001_0db8 << 96);
            [IpAddr::from(Ipv4Addr::from(host)), IpAddr::from(network)]
        });
        let admitted = addresses.filter(|address| admits(&calls, *address, Call::View, at(10))).count();
        assert_eq!(admitted, 6_000, "in all");
        let minute = calls.0.lock().unwrap();
        assert_eq!(minute.by_address.len(), 6_000);
        let entry = size_of::<(IpAddr, Counted)>() + 1;
        assert!(minute.by_address.capacity() * entry < 1024 * 1024, "{} entries", minute.by_address.capacity());
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_share_a_limit() {
        let calls = PublicCalls::default();
        let hosts = (0..1_000_u128).map(|host| IpAddr::from(Ipv6Addr::from(0x2001_0db8 << 96 | host)));
        assert_eq!(hosts.filter(|host| admits(&calls, *host, Call::View, at(10))).count(), 300);
        assert_eq!(calls.0.lock().unwrap().by_address.len(), 1);
    }
}
