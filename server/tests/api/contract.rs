//! The HTTP contract: committed, fresh, and complete.

use std::collections::HashSet;

use visadesk::http;

/// Where it is committed. `VISADESK_TEST_UPDATE=1` writes it anew, as `cargo xtask gen` does.
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../contract/openapi.json");

#[test]
fn the_committed_contract_is_what_the_handlers_say() {
    let said = http::contract().to_pretty_json().expect("the contract is JSON") + "\n";
    if std::env::var_os("VISADESK_TEST_UPDATE").is_some() {
        std::fs::write(COMMITTED, &said).expect("the contract can be written");
    }
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(said == committed, "contract/openapi.json is stale: run `cargo xtask gen` and commit the result");
}

#[test]
fn every_call_has_a_name_of_its_own_says_what_it_does_and_how_it_refuses() {
    let contract = serde_json::to_value(http::contract()).expect("the contract is JSON");
    let mut names = HashSet::new();
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let name = operation["operationId"].as_str().unwrap_or_default();
            assert!(!name.is_empty() && names.insert(name.to_owned()), "{method} {path}: its name is not its own");
            assert!(operation["summary"].is_string(), "{name} does not say what it does");
            for refusal in ["400", "401", "403", "404", "422", "429", "503"] {
                assert!(operation["responses"][refusal].is_object(), "{name} does not say when it answers {refusal}");
            }
        }
    }
}
