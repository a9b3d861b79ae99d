//! Choosing: numbers, words, addresses and browsers from a random source.

use rand::{Rng, RngExt};

/// Any of them, all alike.
pub fn one_of<T: Copy>(rng: &mut impl Rng, of: &[T]) -> T {
    of[rng.random_range(0..of.len())]
}

/// Chooses an item, more often the heavier it is.
pub fn weighted<'a, T>(rng: &mut impl Rng, of: &'a [T], weight: impl Fn(&T) -> u32) -> &'a T {
    let mut left = rng.random_range(0..of.iter().map(&weight).sum());
    for one in of {
        match u32::checked_sub(left, weight(one)) {
            Some(rest) => left = rest,
            None => return one,
        }
    }
    &of[0]
}

/// So many digits, the first not 0.
pub fn digits(rng: &mut impl Rng, how_many: usize) -> String {
    (0..how_many).map(|place| char::from(b'0' + rng.random_range(u8::from(place == 0)..10))).collect()
}

/// True in so many of a hundred cases.
pub fn in_percent(rng: &mut impl Rng, share: u32) -> bool {
    rng.random_range(0..100) < share
}

/// An address of the networks reserved for documentation and for private use.
pub fn address(rng: &mut impl Rng) -> String {
    let network = one_of(rng, &["192.0.2", "198.51.100", "203.0.113"]);
    format!("{network}.{}", rng.random_range(1..255))
}

/// A browser on a device.
#[derive(Clone, Copy)]
pub struct Agent {
    pub user_agent: &'static str,
    pub device: &'static str,
    pub device_type: &'static str,
    pub browser: &'static str,
    pub os: &'static str,
}

pub const AGENTS: &[Agent] = &[
    Agent {
        user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
        device: "iPhone",
        device_type: "Mobile",
        browser: "Mobile Safari 18.5",
        os: "iOS 18.5",
    },
    Agent {
        user_agent: "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
        device: "Pixel 9",
        device_type: "Mobile",
        browser: "Chrome Mobile 138",
        os: "Android 15",
    },
    Agent {
        user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
        device: "Other",
        device_type: "Desktop",
        browser: "Chrome 138",
        os: "Windows 10",
    },
    Agent {
        user_agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
        device: "Mac",
        device_type: "Desktop",
        browser: "Firefox 140",
        os: "Mac OS X 10.15",
    },
];
