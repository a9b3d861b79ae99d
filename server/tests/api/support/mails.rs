//! Mails of an order's past, for tests.

use diesel::prelude::*;
use visadesk::db::schema::mails;
use visadesk::ids::OrderId;
use visadesk::mail::store::MailRow;
use visadesk::timestamp::Timestamp;

use super::TestApp;

/// A mail to Ana Putri about an order, without a stored text. It was sent when it was made, if its state says so.
pub fn past_mail(order: i64, kind: &'static str, state: &'static str, at: Timestamp) -> MailRow<'static> {
    MailRow {
        order_id: OrderId(order),
        document_id: None,
        kind,
        recipient: "ana@post.example",
        provider: "AWS",
        state,
        failure: None,
        created_at: at,
        sent_at: (state == "sent").then_some(at),
    }
}

impl TestApp {
    /// Adds a mail. Returns its id.
    pub async fn add_mail(&self, mail: MailRow<'static>) -> i64 {
        self.write(move |tx| {
            Ok(diesel::insert_into(mails::table).values(&mail).returning(mails::mail_id).get_result(tx)?)
        })
        .await
    }
}
