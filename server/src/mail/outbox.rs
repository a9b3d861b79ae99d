//! The queue of mails. A mail is queued in the transaction of the change that it reports, and is sent only after its commit.

use diesel::dsl::exists;
use diesel::prelude::*;
use std::collections::HashMap;

use super::rules::{Address, MailKind, MailState, Provider};
use super::secrets::{self, NewSecret};
use super::templates::ComposedMail;
use crate::add_rows;
use crate::config::Config;
use crate::db::schema::{mail_texts, mails};
use crate::db::{Conn, MAX_IDS};
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// A mail about to be queued, which [`super::prepared::PreparedMail::ready`] gives.
#[derive(Clone, Debug)]
pub struct NewMail {
    pub order_id: OrderId,
    /// The issued visa that it is about.
    pub document_id: Option<i64>,
    /// The member of staff who requested it.
    pub staff_id: Option<StaffId>,
    pub kind: MailKind,
    pub recipient: Address,
    pub provider: Provider,
    pub message: ComposedMail,
    /// The same in each attempt: receivers recognize a second copy by it.
    pub message_id: String,
    /// The secret that the worker fills into the text when it sends the mail. A link's only in mails to the order's own addresses.
    pub secret: Option<NewSecret>,
}

impl NewMail {
    /// A mail through the configured provider, without a requesting member, a file or a secret.
    pub fn new(config: &Config, order_id: OrderId, kind: MailKind, recipient: Address, message: ComposedMail) -> Self {
        Self {
            order_id,
            document_id: None,
            staff_id: None,
            kind,
            recipient,
            provider: Provider::configured(&config.mail),
            message,
            message_id: message_id(&format!("{:032x}", rand::random::<u128>()), &config.public_url),
            secret: None,
        }
    }
}

/// The Message-ID with that unique part.
pub fn message_id(unique: &str, public_url: &str) -> String {
    let host = url::Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    format!("<{unique}@{}>", host.as_deref().unwrap_or("localhost"))
}

/// Queues a mail that is due at once. Returns its id. After the commit, wake the workers with [`super::notify::MailNotify`].
pub fn queue(tx: &mut Conn, mail: &NewMail, now: Timestamp) -> Result<i64> {
    queue_at(tx, mail, now, now)
}

/// Queues a mail that is due at `due_at`, as [`queue`] does.
pub fn queue_at(tx: &mut Conn, mail: &NewMail, due_at: Timestamp, now: Timestamp) -> Result<i64> {
    let mail_id: i64 = diesel::insert_into(mails::table)
        .values((
            mails::order_id.eq(mail.order_id),
            mails::document_id.eq(mail.document_id),
            mails::staff_id.eq(mail.staff_id),
            mails::kind.eq(mail.kind),
            mails::recipient.eq(mail.recipient.as_str()),
            mails::provider.eq(mail.provider),
            mails::state.eq(MailState::Queued),
            mails::message_id.eq(&mail.message_id),
            mails::due_at.eq(due_at),
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
    if let Some(secret) = &mail.secret {
        secrets::add(tx, mail_id, secret)?;
    }
    Ok(mail_id)
}

/// A queued mail, as a row.
#[derive(Insertable)]
#[diesel(table_name = mails, treat_none_as_default_value = false)]
struct QueuedMail<'a> {
    order_id: OrderId,
    document_id: Option<i64>,
    staff_id: Option<StaffId>,
    kind: MailKind,
    recipient: &'a str,
    provider: Provider,
    state: MailState,
    message_id: &'a str,
    due_at: Timestamp,
    created_at: Timestamp,
}

/// The texts of a queued mail, as a row.
#[derive(Insertable)]
#[diesel(table_name = mail_texts, treat_none_as_default_value = false)]
struct QueuedTexts<'a> {
    mail_id: i64,
    subject: &'a str,
    text_body: &'a str,
    html_body: &'a str,
}

/// Queues mails that are due at `due_at`, as [`queue`] does, with three statements for each [`MAX_IDS`] of them. Returns their ids in the order given.
pub fn queue_all(tx: &mut Conn, new: &[&NewMail], due_at: Timestamp, now: Timestamp) -> Result<Vec<i64>> {
    add_rows!(
        tx,
        mails::table,
        new.iter().map(|mail| QueuedMail {
            order_id: mail.order_id,
            document_id: mail.document_id,
            staff_id: mail.staff_id,
            kind: mail.kind,
            recipient: mail.recipient.as_str(),
            provider: mail.provider,
            state: MailState::Queued,
            message_id: &mail.message_id,
            due_at,
            created_at: now,
        })
    );
    let mut ids: HashMap<String, i64> = HashMap::with_capacity(new.len());
    for new in new.chunks(MAX_IDS) {
        let queued = mails::table
            .filter(mails::order_id.eq_any(new.iter().map(|mail| mail.order_id)))
            .filter(mails::message_id.eq_any(new.iter().map(|mail| mail.message_id.as_str())))
            .select((mails::message_id.assume_not_null(), mails::mail_id));
        ids.extend(queued.load::<(String, i64)>(tx)?);
    }
    let ids: Option<Vec<i64>> = new.iter().map(|mail| ids.get(&mail.message_id).copied()).collect();
    let ids = ids.ok_or_else(|| Error::internal("a queued mail without a row"))?;
    add_rows!(
        tx,
        mail_texts::table,
        new.iter().zip(&ids).map(|(mail, mail_id)| QueuedTexts {
            mail_id: *mail_id,
            subject: &mail.message.subject,
            text_body: &mail.message.text,
            html_body: &mail.message.html,
        })
    );
    let new_secrets = new.iter().zip(&ids).filter_map(|(mail, mail_id)| Some((*mail_id, mail.secret.as_ref()?)));
    secrets::add_all(tx, &new_secrets.collect::<Vec<_>>())?;
    Ok(ids)
}

/// Gives a mail that was not sent yet another text.
pub fn reword(tx: &mut Conn, mail_id: i64, text: &ComposedMail) -> Result<()> {
    diesel::update(mail_texts::table.find(mail_id))
        .set((
            mail_texts::subject.eq(&text.subject),
            mail_texts::text_body.eq(&text.text),
            mail_texts::html_body.eq(&text.html),
        ))
        .execute(tx)?;
    Ok(())
}

/// Returns true if a mail of the provider is due. Only the claim decides: this check avoids most claims that would find nothing.
pub fn is_due(conn: &mut Conn, provider: Provider, now: Timestamp) -> Result<bool> {
    let due = mails::table
        .filter(mails::due_at.le(now))
        .filter(mails::provider.eq(provider))
        .filter(mails::leased_until.is_null().or(mails::leased_until.lt(now)));
    Ok(diesel::select(exists(due)).get_result(conn)?)
}
