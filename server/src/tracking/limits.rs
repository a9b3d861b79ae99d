//! Limits public calls per minute, in separate shares. Each node counts its own calls and refuses them before any query.
//! `http/failed_attempts.rs` also counts wrong emails in the database.
//!
//! A call that needs a grant is counted once its token is verified, so calls without a grant take nothing from the share of grant
//! holders, and cost neither a query nor memory.
//!
//! Fixed windows rather than a leaky bucket (the crate `governor`): the refusal names the seconds until the next minute, one lock covers
//! all limits, and memory is bounded by the admitted calls without a sweep.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use super::errors::TrackingError;
use crate::config::Limits;
use crate::http::address::ClientAddress;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// A public call, by the share that it takes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Anonymous: confirms the email of an order.
    Track,
    /// Anonymous: asks for a code, or confirms one.
    Code,
    /// With a valid grant for this order.
    View(OrderId),
}

/// The public calls of the current minute.
#[derive(Debug, Default)]
pub struct PublicCalls(Mutex<PublicMinute>);

#[derive(Debug, Default)]
struct PublicMinute {
    /// Minutes since 1970.
    number: i64,
    tracks: Share,
    codes: Share,
    views: Share,
}

/// The calls that one limit covers in total.
#[derive(Debug, Default)]
struct Share {
    total: u32,
    /// Admitted calls only, so it never has more than two entries for each call of `total`.
    by_client: HashMap<Client, u32>,
}

/// A client that has a limit of its own within a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Client {
    Network(IpAddr),
    /// All grants of an order together, however many addresses use them.
    Order(OrderId),
}

impl Share {
    /// Counts a call of `clients`, unless one of them has made `each` or all have made `in_all`. Returns whether it was counted.
    fn admit(&mut self, clients: &[Client], each: u32, in_all: u32) -> bool {
        let is_used_up = |client| self.by_client.get(client).is_some_and(|calls| *calls >= each);
        // Refused calls are not counted, so a client over its limit takes nothing from the total.
        if self.total >= in_all || each == 0 || clients.iter().any(is_used_up) {
            return false;
        }
        self.total += 1;
        for client in clients {
            *self.by_client.entry(*client).or_default() += 1;
        }
        true
    }
}

impl PublicCalls {
    /// Counts a call.
    ///
    /// # Errors
    /// [`TrackingError::TooManyPublicCalls`] if the address, the order, or all callers of this share reached the limit of this minute.
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
            *minute = PublicMinute { number: now.div_euclid(60), ..PublicMinute::default() };
        }
        let network = Client::Network(address.network());
        let is_admitted = match call {
            Call::Track => minute.tracks.admit(&[network], limits.tracks_per_address, limits.tracks),
            Call::Code => minute.codes.admit(&[network], limits.tracks_per_address, limits.tracks),
            Call::View(order_id) => {
                let clients = [network, Client::Order(order_id)];
                minute.views.admit(&clients, limits.public_calls_per_address, limits.public_calls)
            }
        };
        let seconds = 60 - now.rem_euclid(60).unsigned_abs();
        if is_admitted { Ok(()) } else { Err(TrackingError::TooManyPublicCalls { seconds }) }
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

    /// A view of an order of its own, so that only the address is limited.
    fn view(number: u32) -> Call {
        Call::View(OrderId(number.into()))
    }

    #[test]
    fn each_address_has_its_own_limit_per_minute() {
        let (calls, one, other) = (PublicCalls::default(), Ipv4Addr::from(1).into(), Ipv4Addr::from(2).into());
        let admitted = (0..1_000).filter(|number| admits(&calls, one, view(*number), at(10))).count();
        assert_eq!(admitted, 300);
        let refused = calls.admit(ClientAddress(one), view(0), &limits(), at(10)).map_err(|error| error.to_string());
        assert_eq!(refused, Err("Too many tries. Please wait 50 seconds and try again".into()));
        assert!(admits(&calls, one, view(0), at(10) + chrono::TimeDelta::seconds(50)), "the next minute is another");

        let tracked = (0..100).filter(|_| admits(&calls, other, Call::Track, at(30))).count();
        assert_eq!(tracked, 30);
        assert!(admits(&calls, other, view(0), at(30)), "views are still admitted");
    }

    #[test]
    fn one_order_has_the_limit_of_one_address_however_many_addresses_use_its_grants() {
        let calls = PublicCalls::default();
        let from = |host: u32| IpAddr::from(Ipv4Addr::from(host));
        assert_eq!((0..10_000).filter(|host| admits(&calls, from(*host), view(1), at(10))).count(), 300);
        assert!(admits(&calls, from(0), view(2), at(10)), "grants for other orders are unaffected");
    }

    #[test]
    fn tracking_and_viewing_have_a_total_each() {
        let calls = PublicCalls::default();
        let from = |host: u32| IpAddr::from(Ipv4Addr::from(host));
        assert_eq!((0..10_000).filter(|host| admits(&calls, from(*host), Call::Track, at(10))).count(), 6_000);
        assert_eq!((0..10_000).filter(|host| admits(&calls, from(*host), view(*host), at(10))).count(), 6_000);
    }

    #[test]
    fn a_million_addresses_in_a_minute_need_memory_for_the_admitted_calls_only() {
        let calls = PublicCalls::default();
        let addresses = (0..500_000_u32).flat_map(|host| {
            let network = Ipv6Addr::from(u128::from(host) << 64 | 0x2001_0db8 << 96);
            [IpAddr::from(Ipv4Addr::from(host)), IpAddr::from(network)]
        });
        let admitted = addresses.filter(|address| admits(&calls, *address, Call::Track, at(10))).count();
        assert_eq!(admitted, 6_000, "in all");
        let minute = calls.0.lock().unwrap();
        assert_eq!(minute.tracks.by_client.len(), 6_000);
        let entry = size_of::<(Client, u32)>() + 1;
        let capacity = minute.tracks.by_client.capacity();
        assert!(capacity * entry < 1024 * 1024, "{capacity} entries");
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_share_a_limit() {
        let calls = PublicCalls::default();
        let hosts = (0..1_000_u128).map(|host| IpAddr::from(Ipv6Addr::from(0x2001_0db8 << 96 | host)));
        assert_eq!(hosts.filter(|host| admits(&calls, *host, Call::Track, at(10))).count(), 30);
        assert_eq!(calls.0.lock().unwrap().tracks.by_client.len(), 1);
    }
}
