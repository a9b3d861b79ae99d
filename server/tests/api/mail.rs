//! Mails: requests of staff, sending, faults of providers, and crashes.

mod calls;
mod crashes;
mod encryption;
mod facts;
mod faults;
mod page;
mod prepared;
mod sending;
mod to_members;
use diesel::prelude::*;
use serde_json::json;
use visadesk::config::Config;
use visadesk::db::schema::{mail_attempts, mails};
use visadesk::ids::OrderId;
use visadesk::mail::outbox::{self, NewMail};
use visadesk::mail::rules::{Address, MailKind, MailState, Outcome, Provider};
use visadesk::mail::templates::{ComposedMail, Letter};
use visadesk::mail::worker;
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use crate::support::TestApp;

/// Sends the mails of both providers to `url`, with a timeout of two seconds.
fn to_server(config: &mut Config, url: &str) {
    config.mail.aws = url.to_owned();
    config.mail.sendgrid = url.to_owned();
    config.mail.from = "Visa Desk <visa@desk.example>".into();
    config.mail.agree_seconds = 2;
    config.mail.answer_seconds = 2;
    config.public_url = "https://desk.example".into();
}

/// The mail that the upload of a visa queues for the order.
fn new_mail(test: &TestApp, order: i64, recipient: &str, provider: Provider) -> NewMail {
    let letter = Letter {
        order_id: OrderId(order),
        full_name: "Ana Putri".into(),
        visa_type: Some("C1".into()),
        is_issued: true,
        has_page: true,
    };
    let message: ComposedMail =
        test.app.mail.templates.compose(MailKind::Approval, &letter).expect("the templates are valid");
    let recipient = Address::parse(recipient).expect("an address");
    NewMail { provider, ..NewMail::new(&test.app.mail.config, OrderId(order), MailKind::Approval, recipient, message) }
}

/// Queues the mail and returns its id.
async fn queue(test: &TestApp, mail: NewMail) -> i64 {
    let now = test.clock.now();
    test.write(move |tx| outbox::queue(tx, &mail, now)).await
}

/// Queues a mail to the applicant of a new order.
async fn queue_one(test: &TestApp, provider: Provider) -> i64 {
    let order = test.add_order(visadesk::orders::status::ProcessStatus::Completed).await;
    queue(test, new_mail(test, order, "ana@post.example", provider)).await
}

/// Sends the mails that are due and returns the number of attempts.
async fn send_due(test: &TestApp) -> usize {
    worker::send_due(&test.app.mail).await.expect("the mails are sent")
}

/// The state of a mail, and the reason of its failure.
async fn state(test: &TestApp, mail_id: i64) -> (MailState, Option<String>) {
    let row = mails::table.find(mail_id).select((mails::state, mails::failure));
    test.read(move |conn| Ok(row.first(conn)?)).await
}

/// The outcome of each attempt to send a mail, and the provider's reply.
async fn attempts(test: &TestApp, mail_id: i64) -> Vec<(Option<Outcome>, String)> {
    let rows = mail_attempts::table
        .filter(mail_attempts::mail_id.eq(mail_id))
        .order(mail_attempts::attempt)
        .select((mail_attempts::outcome, mail_attempts::answer));
    let rows: Vec<(Option<Outcome>, Option<String>)> = test.read(move |conn| Ok(rows.load(conn)?)).await;
    rows.into_iter().map(|(outcome, answer)| (outcome, answer.unwrap_or_default())).collect()
}

/// The time of the next attempt.
async fn due_at(test: &TestApp, mail_id: i64) -> Option<Timestamp> {
    let row = mails::table.find(mail_id).select(mails::due_at);
    test.read(move |conn| Ok(row.first(conn)?)).await
}

/// Expires every lease, as if the processes that held them had crashed long ago.
async fn expire_leases(test: &TestApp) {
    let past = "2000-01-01T00:00:00Z".parse::<Timestamp>().expect("an instant");
    test.write(move |tx| {
        let leased = mails::table.filter(mails::leased_until.is_not_null());
        diesel::update(leased).set(mails::leased_until.eq(past)).execute(tx)?;
        Ok(())
    })
    .await;
}

/// Recipient, provider and kind of every mail.
async fn all(test: &TestApp) -> Vec<(String, Provider, MailKind)> {
    let rows = mails::table.order(mails::mail_id).select((mails::recipient, mails::provider, mails::kind));
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

/// Requests the mail about the order again, as Budi.
async fn resend(test: &TestApp, order: i64, email: &str, provider: &str) -> crate::support::Answer {
    let body = json!({ "orderId": order, "email": email, "mailServiceProvider": provider });
    test.as_staff(Team, "Budi").post("/admin/resend-mail", body).await
}
