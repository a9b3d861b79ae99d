//! Mails that are composed before the transaction that queues them.

use serde_json::json;
use visadesk::error::Permission;
use visadesk::ids::OrderId;
use visadesk::mail::errors::MailError;
use visadesk::mail::outbox::NewMail;
use visadesk::mail::prepared::PreparedMail;
use visadesk::mail::rules::{Address, MailKind};
use visadesk::mail::store::{MailFacts, find_facts};
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Manager;

use crate::support::TestApp;

async fn facts(test: &TestApp, order: i64) -> MailFacts {
    test.read(move |conn| find_facts(conn, OrderId(order))).await.expect("an order")
}

/// A mail with a link to that address, composed now.
async fn compose(test: &TestApp, order: i64, address: &str) -> PreparedMail {
    let (facts, recipient) = (facts(test, order).await, Address::parse(address).expect("an address"));
    let letter = facts.letter(OrderId(order));
    let mail = PreparedMail::compose(
        &test.app.mail,
        Permission::in_background(),
        MailKind::DownloadLink,
        recipient,
        &facts,
        letter,
    );
    mail.expect("a text").with_link(test.clock.now())
}

/// Returns whether the mail that is queued now has the key of its link; none if it is not queued, because its order has changed.
async fn has_key(test: &TestApp, order: i64, prepared: &PreparedMail) -> Option<bool> {
    match prepared.ready(&facts(test, order).await, None) {
        Ok(NewMail { secret, .. }) => Some(secret.is_some()),
        Err(MailError::MailFactsChanged) => None,
        Err(error) => panic!("{error}"),
    }
}

async fn correct(test: &TestApp, order: i64, field: &str, before: &str, after: &str) {
    let fields = json!({ field: { "before": before, "after": after } });
    let made = test.as_staff(Manager, "Made");
    let corrected = made.put("/admin/correct-order", json!({ "orderId": order, "fields": fields })).await;
    assert_eq!(corrected.status, 200, "{corrected}");
}

#[tokio::test]
async fn a_mail_never_goes_to_an_address_that_was_corrected_after_it_was_composed() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (to_owner, to_friend) =
        (compose(&test, order, "ana@post.example").await, compose(&test, order, "friend@post.example").await);
    assert_eq!(has_key(&test, order, &to_owner).await, Some(true));
    assert_eq!(has_key(&test, order, &to_friend).await, Some(false), "the key opens the page of another person");
    correct(&test, order, "contact_email_address", "ana@post.example", "ana.putri@post.example").await;
    assert_eq!(has_key(&test, order, &to_owner).await, None);
    assert_eq!(has_key(&test, order, &to_friend).await, Some(false));
}

#[tokio::test]
async fn a_mail_says_nothing_that_has_changed_since_it_was_composed() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let mail = compose(&test, order, "ana@post.example").await;
    correct(&test, order, "full_name", "Ana Putri", "Ana Dewi Putri").await;
    assert_eq!(has_key(&test, order, &mail).await, None);
    let mail = compose(&test, order, "ana@post.example").await;
    assert_eq!(has_key(&test, order, &mail).await, Some(true));
}
