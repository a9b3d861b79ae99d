//! The facts that a mail needs, and the history of mails.

use diesel::dsl::exists;
use diesel::prelude::*;
use std::collections::HashMap;

use super::outbox::NewMail;
use super::rules::{Address, LIMITS_WINDOW, MailKind, MailState, Outcome, Provider, Recent, ShownState};
use super::templates::Letter;
use crate::add_rows;
use crate::db::history::{Before, HistoryPart};
use crate::db::schema::{mail_attempts, mail_texts, mails};
use crate::db::{self, Conn};
use crate::documents::store::{self as documents, LinkedFile};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::orders::dialect::lock_orders;
use crate::orders::facts::{self as orders, Applicant};
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::with_file;
use crate::with_member;

/// The facts that a mail about an order needs.
#[derive(Clone, Debug)]
pub struct MailFacts {
    pub applicant: Applicant,
    /// The newest issued visa.
    pub visa: Option<i64>,
}

impl MailFacts {
    /// The order's own addresses.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        addresses_of(&self.applicant)
    }

    /// The facts that a mail is rendered from.
    pub fn letter(&self, order_id: OrderId) -> Letter {
        Letter {
            order_id,
            full_name: self.applicant.full_name.clone(),
            visa_type: self.applicant.visa_type.clone(),
            is_issued: self.visa.is_some(),
            has_page: !self.applicant.process_status.is_hidden(),
        }
    }
}

fn addresses_of(applicant: &Applicant) -> impl Iterator<Item = &str> {
    std::iter::once(&*applicant.contact_email_address).chain(applicant.account_email.as_deref())
}

/// The facts of the order.
pub fn find_facts(conn: &mut Conn, order_id: OrderId) -> Result<Option<MailFacts>> {
    Ok(list_facts(conn, &[order_id])?.pop().map(|(_, facts)| facts))
}

/// The facts of those orders that exist, by id.
pub fn list_facts(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<(OrderId, MailFacts)>> {
    let applicants = orders::list_applicants(conn, order_ids)?;
    let visas = documents::newest_visas(conn, order_ids)?;
    let facts = applicants.into_iter().map(|applicant| {
        let visa = visas.get(&applicant.order_id).copied();
        (applicant.order_id, MailFacts { applicant, visa })
    });
    Ok(facts.collect())
}

/// The kinds that staff request, which are limited.
const ON_REQUEST: [MailKind; 3] = [MailKind::Resend, MailKind::DownloadLink, MailKind::PapersAsked];

/// The mails of the last hour that limits count, for the order and the member of staff. Locks both, so that concurrent requests are
/// counted one after the other.
pub fn recent(tx: &mut Conn, order_id: OrderId, staff_id: StaffId, now: Timestamp) -> Result<Recent> {
    lock_orders(tx, &[order_id])?;
    db::advisory_lock(tx, &format!("mails of member {staff_id}"))?;
    let since = now - LIMITS_WINDOW;
    let of_order = mails::table
        .filter(mails::order_id.eq(order_id))
        .filter(mails::created_at.gt(since))
        .filter(mails::kind.eq_any(ON_REQUEST))
        .order(mails::created_at.desc())
        .select(mails::created_at)
        .load(tx)?;
    let of_member: Vec<(Timestamp, MailKind, String, OrderId)> = mails::table
        .filter(mails::staff_id.eq(staff_id))
        .filter(mails::created_at.gt(since))
        .order(mails::created_at.desc())
        .select((mails::created_at, mails::kind, mails::recipient, mails::order_id))
        .load(tx)?;
    let mut order_ids: Vec<OrderId> = of_member.iter().map(|(.., order_id)| *order_id).collect();
    order_ids.sort_unstable();
    order_ids.dedup();
    let applicants: HashMap<OrderId, Applicant> =
        orders::list_applicants(tx, &order_ids)?.into_iter().map(|one| (one.order_id, one)).collect();
    let mut recent = Recent { of_order, ..Recent::default() };
    for (at, kind, recipient, order_id) in of_member {
        let own = applicants.get(&order_id).into_iter().flat_map(addresses_of);
        if !Address::parse(&recipient).is_ok_and(|address| address.is_one_of(own)) {
            recent.elsewhere.push(at);
        }
        if ON_REQUEST.contains(&kind) {
            recent.by_member.push(at);
        }
    }
    Ok(recent)
}

/// Returns true if the same mail was queued since then and may still arrive.
pub fn is_repeated(tx: &mut Conn, mail: &NewMail, since: Timestamp) -> Result<bool> {
    let same = mails::table
        .inner_join(mail_texts::table)
        .filter(mails::order_id.eq(mail.order_id))
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

/// The first of the orders with a mail that left at `since` or later, or that was queued then and may leave: the order, and the member
/// who requested the mail. The codes that applicants request do not count.
pub fn find_left_since(
    conn: &mut Conn,
    order_ids: &[OrderId],
    since: Timestamp,
) -> Result<Option<(OrderId, Option<StaffId>)>> {
    let begun = mail_attempts::table
        .filter(mail_attempts::mail_id.eq(mails::mail_id))
        .filter(mail_attempts::text_at.ge(since))
        .filter(mail_attempts::outcome.is_null().or(mail_attempts::outcome.eq(Outcome::Unknown)));
    let may_leave = mails::state.ne(MailState::Failed).and(mails::created_at.ge(since));
    let left = mails::table
        .filter(mails::order_id.eq_any(order_ids))
        .filter(mails::kind.ne(MailKind::TrackingCode))
        .filter(may_leave.or(mails::sent_at.ge(since)).or(exists(begun)))
        .order((mails::order_id, mails::mail_id))
        .select((mails::order_id, mails::staff_id));
    Ok(left.first(conn).optional()?)
}

/// The provider of the newest mail about the order.
pub fn find_newest_provider(conn: &mut Conn, order_id: OrderId) -> Result<Option<Provider>> {
    let of_order = mails::table.filter(mails::order_id.eq(order_id)).order(mails::mail_id.desc());
    Ok(of_order.select(mails::provider).first(conn).optional()?)
}

/// When the newest mail to an address was queued; of the mails about `orders`, those count that spell it in another case. Codes that
/// applicants request do not count.
pub fn find_newest_to(conn: &mut Conn, recipient: &Address, orders: &[OrderId]) -> Result<Option<Timestamp>> {
    let counted = || mails::table.filter(mails::kind.ne(MailKind::TrackingCode)).order(mails::created_at.desc());
    let to = counted().filter(mails::recipient.eq(recipient.as_str()));
    let newest: Option<Timestamp> = to.select(mails::created_at).first(conn).optional()?;
    let about = counted().filter(mails::order_id.eq_any(orders)).select((mails::recipient, mails::created_at));
    let about: Vec<(String, Timestamp)> = about.load(conn)?;
    let spelled = recipient.as_str().to_lowercase();
    let same = about.into_iter().find(|(to, _)| to.to_lowercase() == spelled).map(|(_, at)| at);
    Ok(newest.max(same))
}

/// A mail about the visa.
#[derive(Clone, Debug, Queryable)]
pub struct VisaMail {
    pub mail_id: i64,
    pub recipient: String,
    pub state: MailState,
    pub sent_at: Option<Timestamp>,
    pub stopped_at: Option<Timestamp>,
    pub in_file: bool,
    /// Mails imported from an older system have no text.
    pub subject: Option<String>,
    pub html: Option<String>,
}

impl VisaMail {
    /// The state as people see it.
    pub fn shown_state(&self) -> ShownState {
        ShownState::of(self.state, self.stopped_at, self.in_file)
    }
}

/// The newest mail about the order's visa.
pub fn find_newest_visa_mail(conn: &mut Conn, order_id: OrderId) -> Result<Option<VisaMail>> {
    let found = mails::table
        .left_join(mail_texts::table)
        .filter(mails::order_id.eq(order_id))
        .filter(mails::kind.eq_any([MailKind::Approval, MailKind::Resend]))
        .order(mails::mail_id.desc())
        .select((
            mails::mail_id,
            mails::recipient,
            mails::state,
            mails::sent_at,
            mails::stopped_at,
            mails::in_file,
            mail_texts::subject.nullable(),
            mail_texts::html_body.nullable(),
        ))
        .first(conn);
    Ok(found.optional()?)
}

/// A mail in its order's history.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mails)]
pub struct ListedMail {
    pub mail_id: i64,
    pub kind: String,
    pub recipient: String,
    pub provider: String,
    pub state: MailState,
    pub failure: Option<String>,
    pub due_at: Option<Timestamp>,
    /// Mails imported from an older system have none.
    pub message_id: Option<String>,
    pub created_at: Timestamp,
    pub sent_at: Option<Timestamp>,
    pub stopped_at: Option<Timestamp>,
    pub in_file: bool,
}

impl ListedMail {
    /// The state as people see it.
    pub fn shown_state(&self) -> ShownState {
        ShownState::of(self.state, self.stopped_at, self.in_file)
    }
}

/// An attempt to send a mail.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mail_attempts)]
pub struct AttemptRecord {
    pub mail_id: i64,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub outcome: Option<Outcome>,
    pub answer: Option<String>,
}

/// A mail with its file, subject and attempts.
#[derive(Clone, Debug)]
pub struct MailEntry {
    pub mail: ListedMail,
    /// The visa that it was about.
    pub file: Option<LinkedFile>,
    /// The name of the member who requested it.
    pub sent_by: Option<String>,
    pub subject: Option<String>,
    /// Oldest first.
    pub attempts: Vec<AttemptRecord>,
}

/// Every mail about the order, oldest first.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<MailEntry>> {
    Ok(list_before(conn, order_id, Before::ALL)?.rows)
}

/// A part of the mails about the order.
pub fn list_before(conn: &mut Conn, order_id: OrderId, before: Before) -> Result<HistoryPart<MailEntry>> {
    type Row = (ListedMail, Option<LinkedFile>, Option<String>, Option<String>);
    let rows = with_member!(with_file!(mails::table)).left_join(mail_texts::table);
    let rows = rows.filter(mails::order_id.eq(order_id)).filter(mails::mail_id.lt(before.id));
    let rows = rows.order(mails::mail_id.desc()).limit(before.limit());
    let rows: Vec<Row> = on_either!(conn => {
        let (mail, file, subject) =
            (ListedMail::as_select(), Option::<LinkedFile>::as_select(), mail_texts::subject.nullable());
        rows.select((mail, file, staff::name(), subject)).load(conn)
    })?;
    // Does not depend on the rows, so that PostgreSQL gets both statements together.
    let newest = mails::table.filter(mails::order_id.eq(order_id)).filter(mails::mail_id.lt(before.id));
    let newest = newest.order(mails::mail_id.desc()).limit(before.max).select(mails::mail_id);
    let tried = mail_attempts::table.filter(mail_attempts::mail_id.eq_any(newest));
    let tried = tried.order((mail_attempts::mail_id, mail_attempts::attempt));
    let tried: Vec<AttemptRecord> = on_either!(conn => tried.select(AttemptRecord::as_select()).load(conn))?;
    let mut attempts: HashMap<i64, Vec<AttemptRecord>> = HashMap::new();
    for attempt in tried {
        attempts.entry(attempt.mail_id).or_default().push(attempt);
    }
    let entries = rows.into_iter().map(|(mail, file, sent_by, subject)| {
        let attempts = attempts.remove(&mail.mail_id).unwrap_or_default();
        MailEntry { mail, file, sent_by, subject, attempts }
    });
    HistoryPart::of(entries.collect(), before.max, || {
        let all = mails::table.filter(mails::order_id.eq(order_id)).filter(mails::mail_id.lt(before.id));
        Ok(all.count().get_result(conn)?)
    })
}

/// The texts of those mails, by id.
pub fn texts(conn: &mut Conn, mail_ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let wanted = mail_texts::table.filter(mail_texts::mail_id.eq_any(mail_ids));
    Ok(wanted.select((mail_texts::mail_id, mail_texts::text_body)).load(conn)?)
}

/// A sent or failed mail of a bulk load.
#[derive(Insertable)]
#[diesel(table_name = mails, treat_none_as_default_value = false)]
pub struct MailRow<'a> {
    pub order_id: OrderId,
    pub document_id: Option<i64>,
    pub kind: &'static str,
    pub recipient: &'a str,
    pub provider: &'static str,
    pub state: &'static str,
    pub failure: Option<&'static str>,
    pub created_at: Timestamp,
    pub sent_at: Option<Timestamp>,
}

/// Loads mails into an empty database.
pub fn load<'a>(tx: &mut Conn, rows: impl Iterator<Item = MailRow<'a>>) -> Result<()> {
    add_rows!(tx, mails::table, rows);
    Ok(())
}
