//! How many public calls there may be in a minute: from one address, and in all. Counted by each node for itself, and
//! refused before anything is looked up. Wrong emails are counted in the database besides, by `http/failed_attempts.rs`.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use chrono::NaiveDateTime;

use crate::config::Limits;
use crate::error::{Error, Result};
use crate::http::address::ClientAddress;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// To be let in.
    Track,
    /// Something of an order.
    Look,
}

/// The public calls of the present minute.
#[derive(Debug, Default)]
pub struct PublicCalls(Mutex<Minute>);

#[derive(Debug, Default)]
struct Minute {
    /// Minutes since 1970.
    number: i64,
    in_all: u32,
    /// Only of calls that were let through, so there are never more of them than calls in all.
    by_address: HashMap<IpAddr, Counted>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    calls: u32,
    tracks: u32,
}

impl PublicCalls {
    /// Counts a call, or refuses it when its address or all of them together have had their share of this minute.
    pub fn admit(&self, address: ClientAddress, call: Call, limits: &Limits, now: NaiveDateTime) -> Result<()> {
        let now = now.and_utc().timestamp();
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minute.number != now.div_euclid(60) {
            *minute = Minute { number: now.div_euclid(60), ..Minute::default() };
        }
        let address = address.network();
        let mut counted = minute.by_address.get(&address).copied().unwrap_or_default();
        counted.calls += 1;
        counted.tracks += u32::from(call == Call::Track);
        // An address that has had its share takes none of the others'.
        let over = counted.calls > limits.public_calls_per_address
            || counted.tracks > limits.tracks_per_address
            || minute.in_all >= limits.public_calls;
        if over {
            let seconds = 60 - now.rem_euclid(60).unsigned_abs();
            return Err(Error::too_many(
                format!("Too many tries. Please wait {seconds} seconds and try again"),
                seconds,
            ));
        }
        minute.in_all += 1;
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

    fn at(second: u32) -> NaiveDateTime {
        chrono::NaiveDate::from_ymd_opt(2026, 5, 1).and_then(|day| day.and_hms_opt(9, 0, second)).unwrap()
    }

    fn admits(calls: &PublicCalls, address: IpAddr, call: Call, now: NaiveDateTime) -> bool {
        calls.admit(ClientAddress(address), call, &limits(), now).is_ok()
    }

    #[test]
    fn an_address_has_its_share_of_each_minute_and_another_address_its_own() {
        let (calls, one, other) = (PublicCalls::default(), Ipv4Addr::from(1).into(), Ipv4Addr::from(2).into());
        let admitted = (0..1_000).filter(|_| admits(&calls, one, Call::Look, at(10))).count();
        assert_eq!(admitted, 300);
        assert!(!admits(&calls, one, Call::Track, at(59)) && admits(&calls, other, Call::Track, at(59)));
        let refused =
            calls.admit(ClientAddress(one), Call::Look, &limits(), at(10)).map_err(|error| error.message().to_owned());
        assert_eq!(refused, Err("Too many tries. Please wait 50 seconds and try again".into()));
        assert!(admits(&calls, one, Call::Look, at(10) + chrono::TimeDelta::seconds(50)), "the next minute is another");

        let tracked = (0..100).filter(|_| admits(&calls, other, Call::Track, at(30))).count();
        assert_eq!(tracked, 30);
        assert!(admits(&calls, other, Call::Look, at(30)), "who may track no more may still look");
    }

    #[test]
    fn a_million_addresses_in_a_minute_take_no_more_room_than_the_calls_that_are_let_through() {
        let calls = PublicCalls::default();
        let addresses = (0..500_000_u32).flat_map(|host| {
            let network = Ipv6Addr::from(u128::from(host) << 64 | 0x2001_0db8 << 96);
            [IpAddr::from(Ipv4Addr::from(host)), IpAddr::from(network)]
        });
        let admitted = addresses.filter(|address| admits(&calls, *address, Call::Look, at(10))).count();
        assert_eq!(admitted, 6_000, "in all");
        let minute = calls.0.lock().unwrap();
        assert_eq!(minute.by_address.len(), 6_000);
        let entry = size_of::<(IpAddr, Counted)>() + 1;
        assert!(minute.by_address.capacity() * entry < 1024 * 1024, "{} entries", minute.by_address.capacity());
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_are_one() {
        let calls = PublicCalls::default();
        let hosts = (0..1_000_u128).map(|host| IpAddr::from(Ipv6Addr::from(0x2001_0db8 << 96 | host)));
        assert_eq!(hosts.filter(|host| admits(&calls, *host, Call::Look, at(10))).count(), 300);
        assert_eq!(calls.0.lock().unwrap().by_address.len(), 1);
    }
}
