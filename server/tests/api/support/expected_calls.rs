//! `server/tests/calls.txt`: what is expected of each call, apart from the code that decides it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use visadesk::access::Access;
use visadesk::staff::rules::StaffType;

/// The table, for messages.
pub const FILE: &str = "server/tests/calls.txt";

const TABLE: &str = include_str!("../../calls.txt");

/// What is expected of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Expected {
    /// The types of staff, or the kind of other callers.
    pub callers: &'static str,
    /// `noted`, `free` or `-`.
    pub shows: &'static str,
    /// How it answers the values of `calls.rs`: `ok`, `file` or `refused`.
    pub sample: &'static str,
}

/// The rows of the table, by operation id.
pub fn expected_calls() -> &'static BTreeMap<&'static str, Expected> {
    static ROWS: LazyLock<BTreeMap<&str, Expected>> = LazyLock::new(read);
    &ROWS
}

fn read() -> BTreeMap<&'static str, Expected> {
    let mut rows = BTreeMap::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [name, callers, shows, sample] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{FILE}: a row has four words: {line}");
        };
        let is_known = ["noted", "free", "-"].contains(&shows) && ["ok", "file", "refused"].contains(&sample);
        assert!(is_known, "{FILE}: {line}");
        let twice = rows.insert(name, Expected { callers, shows, sample });
        assert_eq!(twice, None, "{FILE} has {name} twice");
    }
    rows
}

/// The calls that show this, in the order of their ids.
pub fn calls_that_show(what: &str) -> Vec<&'static str> {
    expected_calls().iter().filter(|(_, row)| row.shows == what).map(|(name, _)| *name).collect()
}

/// The callers of a call, as the table spells them.
pub fn spelled(access: Access) -> String {
    match access {
        Access::Public => "anyone".to_owned(),
        Access::RateLimited(_) => "limited".to_owned(),
        Access::Visitor => "visitor".to_owned(),
        Access::SalesSite(right) => format!("key:{right}"),
        Access::Staff(types) => StaffType::ALL.iter().map(|one| if types.contains(one) { 'Y' } else { '-' }).collect(),
    }
}
