//! What a mail draws on, and the history of mails.

use std::collections::HashMap;

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::outbox::NewMail;
use super::rules::{Address, LIMITS_WINDOW, MailKind, MailState, Outcome, Recent};
use crate::db::schema::{applications, documents, mail_attempts, mail_texts, mails, orders, staff};
use crate::db::{self, Conn};
use crate::documents::rules::{MediaType, VISA};
use crate::error::Result;
use crate::files::Stored;
use crate::orders::details::LinkedFile;
use crate::orders::rules::ProcessStatus;

/// What a mail about an order draws on.
#[derive(Clone, Debug)]
pub struct Facts {
    pub full_name: String,
    pub contact_email_address: String,
    pub account_email: Option<String>,
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub visa_type: Option<String>,
    pub process_status: ProcessStatus,
    /// The newest issued visa.
    pub visa: Option<i64>,
}

impl Facts {
    /// The order's own addresses.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.contact_email_address).chain(self.account_email.as_deref())
    }
}

/// The facts of the order.
pub fn find_facts(conn: &mut Conn, order_id: i64) -> Result<Option<Facts>> {
    Ok(list_facts(conn, &[order_id])?.pop().map(|(_, facts)| facts))
}

/// The facts of those of the orders that there are, by the order's id.
pub fn list_facts(conn: &mut Conn, order_ids: &[i64]) -> Result<Vec<(i64, Facts)>> {
    type Row = (i64, String, String, Option<String>, Option<String>, Option<String>, Option<String>, ProcessStatus);
    let rows: Vec<Row> = orders::table
        .left_join(applications::table)
        .filter(orders::order_id.eq_any(order_ids))
        .select((
            orders::order_id,
            orders::full_name,
            orders::contact_email_address,
            applications::account_email.nullable(),
            orders::country_code,
            orders::phone_number,
            orders::visa_type,
            orders::process_status,
        ))
        .load(conn)?;
    let visas: HashMap<i64, Option<i64>> = documents::table
        .filter(documents::order_id.eq_any(order_ids))
        .filter(documents::kind.eq(VISA))
        .group_by(documents::order_id)
        .select((documents::order_id, diesel::dsl::max(documents::document_id)))
        .load::<(i64, Option<i64>)>(conn)?
        .into_iter()
        .collect();
    let facts = rows.into_iter().map(|row| {
        let (order_id, full_name, contact_email_address, account_email, country_code, phone_number, visa_type, status) =
            row;
        let visa = visas.get(&order_id).copied().flatten();
        let facts = Facts {
            full_name,
            contact_email_address,
            account_email,
            country_code,
            phone_number,
            visa_type,
            process_status: status,
            visa,
        };
        (order_id, facts)
    });
    Ok(facts.collect())
}

/// An issued visa of the order, as a file.
pub fn find_visa(conn: &mut Conn, order_id: i64, document_id: i64) -> Result<Option<(Stored, MediaType)>> {
    let found = documents::table
        .find(document_id)
        .filter(documents::order_id.eq(order_id))
        .filter(documents::kind.eq(VISA))
        .select((documents::file1, documents::size_bytes, documents::sha256, documents::media_type))
        .first::<(String, i64, String, MediaType)>(conn)
        .optional()?;
    Ok(found.map(|(key, size_bytes, sha256, media_type)| (Stored { key, size_bytes, sha256 }, media_type)))
}

/// What staff ask for by itself, and so is limited.
const ON_REQUEST: [MailKind; 2] = [MailKind::Resend, MailKind::DownloadLink];

/// The mails of the last hour that limits count, for the order and the member of staff. Locks both, so that requests at the
/// same time are counted one after the other.
pub fn recent(tx: &mut Conn, order_id: i64, staff_id: i64, now: NaiveDateTime) -> Result<Recent> {
    db::lock_orders(tx, &[order_id])?;
    db::take_turns(tx, &format!("mails of member {staff_id}"))?;
    let since = now - LIMITS_WINDOW;
    let of_order = mails::table
        .filter(mails::order_id.eq(order_id))
        .filter(mails::created_at.gt(since))
        .filter(mails::kind.eq_any(ON_REQUEST))
        .order(mails::created_at.desc())
        .select(mails::created_at)
        .load(tx)?;
    let of_member: Vec<(NaiveDateTime, MailKind, String, String, Option<String>)> = mails::table
        .inner_join(orders::table.left_join(applications::table))
        .filter(mails::staff_id.eq(staff_id))
        .filter(mails::created_at.gt(since))
        .order(mails::created_at.desc())
        .select((
            mails::created_at,
            mails::kind,
            mails::recipient,
            orders::contact_email_address,
            applications::account_email.nullable(),
        ))
        .load(tx)?;
    let mut recent = Recent { of_order, ..Recent::default() };
    for (at, kind, recipient, contact, account) in of_member {
        let own = std::iter::once(&*contact).chain(account.as_deref());
        if !Address::parse(&recipient).is_ok_and(|address| address.is_one_of(own)) {
            recent.elsewhere.push(at);
        }
        if ON_REQUEST.contains(&kind) {
            recent.by_member.push(at);
        }
    }
    Ok(recent)
}

/// Whether the same mail was queued since then, and may still arrive.
pub fn is_repeated(tx: &mut Conn, mail: &NewMail, since: NaiveDateTime) -> Result<bool> {
    let same = mails::table
        .inner_join(mail_texts::table)
        .filter(mails::order_id.eq(mail.order_id.0))
        .filter(mails::created_at.gt(since))
        .filter(mails::kind.eq(mail.kind))
        .filter(mails::recipient.eq(mail.recipient.as_str()))
        .filter(mails::provider.eq(mail.provider))
        .filter(mails::state.eq_any([MailState::Queued, MailState::Sent]))
        .filter(mail_texts::text_body.eq(&mail.message.text))
        .select(mails::document_id)
        .load::<Option<i64>>(tx)?;
    Ok(same.contains(&mail.document_id))
}

/// A mail that tells of the visa, as it was sent.
#[derive(Clone, Debug, Queryable)]
pub struct Told {
    pub mail_id: i64,
    pub recipient: String,
    pub state: MailState,
    pub sent_at: Option<NaiveDateTime>,
    /// Mails of an older system have no text.
    pub subject: Option<String>,
    pub html: Option<String>,
}

/// The newest mail that tells of the order's visa.
pub fn newest_telling(conn: &mut Conn, order_id: i64) -> Result<Option<Told>> {
    let told = mails::table
        .left_join(mail_texts::table)
        .filter(mails::order_id.eq(order_id))
        .filter(mails::kind.eq_any([MailKind::Approval, MailKind::Resend]))
        .order(mails::mail_id.desc())
        .select((
            mails::mail_id,
            mails::recipient,
            mails::state,
            mails::sent_at,
            mail_texts::subject.nullable(),
            mail_texts::html_body.nullable(),
        ))
        .first(conn);
    Ok(told.optional()?)
}

/// A mail in its order's history.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mails)]
pub struct Listed {
    pub mail_id: i64,
    pub kind: String,
    pub recipient: String,
    pub provider: String,
    pub state: String,
    pub failure: Option<String>,
    /// Mails of an older system have none.
    pub message_id: Option<String>,
    pub created_at: NaiveDateTime,
    pub sent_at: Option<NaiveDateTime>,
}

/// A try to hand a mail over.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mail_attempts)]
pub struct Tried {
    pub mail_id: i64,
    pub started_at: NaiveDateTime,
    pub ended_at: Option<NaiveDateTime>,
    pub outcome: Option<Outcome>,
    pub answer: Option<String>,
}

/// A mail, and what belongs to it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub mail: Listed,
    /// The visa that it was about.
    pub file: Option<LinkedFile>,
    /// The name of whoever asked for it.
    pub sent_by: Option<String>,
    pub subject: Option<String>,
    /// The first one first.
    pub tries: Vec<Tried>,
}

/// Every mail about the order, the first one first.
pub fn list(conn: &mut Conn, order_id: i64) -> Result<Vec<Entry>> {
    type Row = (Listed, Option<LinkedFile>, Option<String>, Option<String>);
    let rows: Vec<Row> = mails::table
        .left_join(documents::table)
        .left_join(staff::table)
        .left_join(mail_texts::table)
        .filter(mails::order_id.eq(order_id))
        .order(mails::mail_id)
        .select((
            Listed::as_select(),
            Option::<LinkedFile>::as_select(),
            staff::name.nullable(),
            mail_texts::subject.nullable(),
        ))
        .load(conn)?;
    let tries: Vec<Tried> = mail_attempts::table
        .inner_join(mails::table)
        .filter(mails::order_id.eq(order_id))
        .order((mail_attempts::mail_id, mail_attempts::attempt))
        .select(Tried::as_select())
        .load(conn)?;
    let entries = rows.into_iter().map(|(mail, file, sent_by, subject)| Entry {
        tries: tries.iter().filter(|tried| tried.mail_id == mail.mail_id).cloned().collect(),
        mail,
        file,
        sent_by,
        subject,
    });
    Ok(entries.collect())
}
