//! One module decides what a status means, one function changes it, and one way leads to a mail.

use super::{assert_none, server_sources};

/// Words of a list of statuses that no other list has.
const STATUSES: [&str; 9] = [
    "Pending",
    "AwaitingGovt",
    "ContactCustomer",
    "CustomerCalled",
    "Completed",
    "Refunds",
    "ChargeBack",
    "Deleted",
    "ProcessStatus::",
];

#[test]
fn only_the_lifecycle_changes_the_status_or_the_owner_of_an_order() {
    let others = server_sources().into_iter().filter(|source| source.room() != Some("lifecycle"));
    let calls = others.flat_map(|source| source.lines_with(&["moves::set_", "undo::restore("]));
    assert_none(&calls.collect::<Vec<_>>(), "Change orders by `Lifecycle::change` or `Lifecycle::undo`:");
}

#[test]
fn only_the_room_of_mail_makes_a_mail() {
    let others = server_sources().into_iter().filter(|source| source.room() != Some("mail"));
    let made = others.flat_map(|source| source.lines_with(&["NewMail::new(", "NewMail {"]));
    assert_none(&made.collect::<Vec<_>>(), "Compose mails with `mail::prepared::Prepared`:");
}

#[test]
fn a_list_of_statuses_is_a_method_that_decides_about_all_of_them() {
    let others = server_sources().into_iter().filter(|source| source.in_server() != Some("orders/status.rs"));
    let lists = others.flat_map(|source| source.lines_with(&["matches!("])).filter(|line| {
        !line.contains("Folder::") && line.contains('|') && STATUSES.iter().any(|status| line.contains(status))
    });
    assert_none(&lists.collect::<Vec<_>>(), "Make it a method of `ProcessStatus` with a match over all statuses:");
}
