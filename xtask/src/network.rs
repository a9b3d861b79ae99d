//! Networks that answer late, never, or through a proxy.

use std::collections::HashSet;
use std::env;

use xshell::Shell;

/// The addresses of the tests' own servers, which no proxy reaches.
const OWN_ADDRESSES: [&str; 2] = ["127.0.0.1", "localhost"];

/// The longest that a question to a database of advisories may take, in seconds, for coreutils' timeout.
pub const QUESTION_SECONDS: &str = "60";

/// npm's own limits for each request, in place of five minutes and two more tries.
pub const NPM_LIMITS: [&str; 2] = ["--fetch-timeout=60000", "--fetch-retries=2"];

/// Makes every command of `shell` reach the tests' own servers directly. Behind a proxy, HTTP clients would ask it for them.
pub fn keep_proxies_away(shell: &Shell) {
    // Some clients read the one spelling, some the other.
    let spellings = ["NO_PROXY", "no_proxy"];
    let excepted = spellings.map(|name| env::var(name).unwrap_or_default()).join(",");
    for name in spellings {
        shell.set_var(name, with_own_addresses(&excepted));
    }
}

fn with_own_addresses(excepted: &str) -> String {
    let mut hosts: Vec<&str> = excepted.split(',').map(str::trim).filter(|host| !host.is_empty()).collect();
    for own in OWN_ADDRESSES {
        hosts.push(own);
    }
    let mut seen = HashSet::new();
    hosts.retain(|host| seen.insert(*host));
    hosts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_are_added_to_those_that_the_user_excepts() {
        assert_eq!(with_own_addresses(""), "127.0.0.1,localhost");
        assert_eq!(with_own_addresses("registry.example, localhost"), "registry.example,localhost,127.0.0.1");
        assert_eq!(with_own_addresses("127.0.0.1,localhost"), "127.0.0.1,localhost");
    }
}
