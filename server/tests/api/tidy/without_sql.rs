//! The list of the tests that run on one database only.

use std::fs;

use super::{assert_none, root};

/// The tests and modules that `cargo xtask test` leaves out on PostgreSQL.
const LIST: &str = "server/tests/without_sql.txt";

#[test]
fn every_test_that_is_left_out_on_postgresql_exists_and_has_a_reason() {
    let list = fs::read_to_string(root().join(LIST)).expect("the list");
    let api = root().join("server/tests/api");
    let mut faults = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, _reason)) = line.split_once("  ") else {
            faults.push(format!("{line} has no reason"));
            continue;
        };
        let is_module = api.join(format!("{}.rs", name.replace("::", "/"))).exists();
        let is_test = name.rsplit_once("::").is_some_and(|(module, test)| {
            let source = fs::read_to_string(api.join(format!("{}.rs", module.replace("::", "/")))).unwrap_or_default();
            source.contains(&format!("fn {test}("))
        });
        if !is_module && !is_test {
            faults.push(format!("{name} is neither a module nor a test"));
        }
    }
    assert_none(&faults, LIST);
}
