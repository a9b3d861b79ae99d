//! The queue of mails. A mail is queued in the transaction of the change that it reports, and is sent only after its commit.

use chrono::NaiveDateTime;
use diesel::dsl::exists;
use diesel::prelude::*;

use super::rules::{Address, MailKind, MailState, Provider};
use super::templates::Composed;
use crate::db::Conn;
use crate::db::schema::{mail_texts, mails};
use crate::error::Result;
use crate::ids::OrderId;

/// A mail about to be queued. It is rendered before the transaction, which must not wait for templates.
#[derive(Clone, Debug)]
pub struct NewMail {
    pub order_id: OrderId,
    /// The issued visa that it is about.
    pub document_id: Option<i64>,
    /// The member of staff who requested it.
    pub staff_id: Option<i64>,
    pub kind: MailKind,
    pub recipient: Address,
    pub provider: Provider,
    pub message: Composed,
    /// From [`draw_message_id`].
    pub message_id: String,
}

/// Draws the Message-ID of a mail, the same in each attempt: receivers recognize a second copy by it.
pub fn draw_message_id(public_url: &str) -> String {
    let host = url::Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    format!("<{:032x}@{}>", rand::random::<u128>(), host.as_deref().unwrap_or("localhost"))
}

/// Queues a mail that is due at once. Returns its id. After the commit, wake the workers with [`super::notify::MailNotify`].
pub fn queue(tx: &mut Conn, mail: &NewMail, now: NaiveDateTime) -> Result<i64> {
    let mail_id: i64 = diesel::insert_into(mails::table)
        .values((
            mails::order_id.eq(mail.order_id.0),
            mails::document_id.eq(mail.document_id),
            mails::staff_id.eq(mail.staff_id),
            mails::kind.eq(mail.kind),
            mails::recipient.eq(mail.recipient.as_str()),
            mails::provider.eq(mail.provider),
            mails::state.eq(MailState::Queued),
            mails::message_id.eq(&mail.message_id),
            mails::due_at.eq(now),
            mails::created_at.eq(now),
        ))
        .returning(mails::mail_id)
        .get_result(tx)?;
    diesel::insert_into(mail_texts::table)
        .values((
            mail_texts::mail_id.eq(mail_id),
            mail_texts::subject.eq(&mail.message.subject),
            mail_texts::text_body.eq(&mail.message.text),
            mail_texts::html_body.eq(&mail.message.html),
        ))
        .execute(tx)?;
    Ok(mail_id)
}

/// Whether a mail of the provider is due. Only the claim decides: this check avoids most claims that would find nothing.
pub fn is_due(conn: &mut Conn, provider: Provider, now: NaiveDateTime) -> Result<bool> {
    let due = mails::table
        .filter(mails::due_at.le(now))
        .filter(mails::provider.eq(provider))
        .filter(mails::leased_until.is_null().or(mails::leased_until.lt(now)));
    Ok(diesel::select(exists(due)).get_result(conn)?)
}
