//! Every table that refers to an order follows its status, or is here with the reason why not.

use std::collections::BTreeSet;

use crate::support::TestApp;

/// The tables whose rows stay as they are whatever becomes of their order.
const NOT_FOLLOWING: &[(&str, &str)] = &[
    ("orders", "it is the order"),
    ("search_texts", "every order is found"),
    ("applications", "what the customer entered"),
    ("checkouts", "what the customer did before"),
    ("payments", "what was paid"),
    ("transactions", "how the payment appears to the bank"),
    ("order_sources", "where the order came from"),
    ("order_originals", "what the customer sent"),
    ("kept_values", "what the customer sent"),
    ("remarks", "what staff noted"),
    ("refunds", "a refund in force stays in force; it is taken back by a call of its own"),
    ("refund_approval_orders", "an approval looks at the status once more"),
    ("undo_records", "an undo looks whether its order was changed since"),
    ("audit", "the past"),
    ("access_log", "the past"),
    ("documents", "a file stays; the undo of a delivery withdraws its visa"),
    ("paper_states", "what staff said about files"),
    ("paper_checks", "what a check read from a file"),
    ("paper_request_items", "with their request"),
    ("unasked_papers", "the page takes a document by the status of its order, at each call"),
    ("deliveries", "how a visa compared with its order"),
    ("held_visas", "a visa that was not stored"),
    (
        "waiting_visas",
        "it is delivered in every status but Deleted, where it waits for a decision after the order is restored",
    ),
    ("visa_readings", "the reading of a visa ends by itself"),
    ("visitor_grants", "a grant opens nothing of a hidden order: each call looks at the status"),
    ("tracking_codes", "a code opens nothing of a hidden order"),
    ("failed_tracks", "the past"),
    ("downloads", "the past"),
    ("new_orders", "triggers keep it"),
    ("filing_claims", "a claim ends by itself"),
    ("presences", "a hint that ends by itself"),
    ("inbox", "what a member was told"),
    ("defence_packs", "what a bank got"),
];

#[tokio::test]
async fn every_table_that_refers_to_an_order_follows_it_or_is_listed_with_a_reason() {
    let test = TestApp::start().await;
    let following: BTreeSet<&str> = test.app.lifecycle.attached.iter().flat_map(|one| one.tables()).copied().collect();
    let mut decided: BTreeSet<String> = following.iter().map(|table| (*table).to_owned()).collect();
    for (table, reason) in NOT_FOLLOWING {
        assert!(!reason.is_empty() && (*table == "paper_request_items" || !following.contains(table)), "{table}");
        decided.insert((*table).to_owned());
    }
    let schema = concat!(
        include_str!("../../src/db/schema.rs"),
        include_str!("../../src/db/schema/members.rs"),
        include_str!("../../src/db/schema/standalone.rs")
    );
    let tables = schema.split("table! { ").skip(1).filter_map(|rest| rest.split_once("\n} }"));
    let referring: BTreeSet<String> = tables
        .filter(|(table, _)| table.contains(" order_id -> "))
        .filter_map(|(table, _)| Some(table.split_once(' ')?.0.to_owned()))
        .chain(["paper_request_items".to_owned()])
        .collect();
    assert!(referring.len() > 20, "{referring:?}");
    let undecided: Vec<_> = referring.difference(&decided).collect();
    assert!(undecided.is_empty(), "decide what follows: {undecided:?}");
    let gone: Vec<_> = decided.difference(&referring).collect();
    assert!(gone.is_empty(), "no such table refers to an order: {gone:?}");
}
