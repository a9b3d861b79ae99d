//! Corrects what a customer entered. What was sent at intake is kept: one row for each corrected field, written at its first correction
//! and never changed.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use diesel::prelude::*;

use super::dialect;
use super::facts::{self, Application, OrderFacts};
use super::grams::grams;
use super::rules::corrections::{self as rules, ChangedField};
use super::rules::entered::EnteredOrder;
use super::search::{self, SearchedFields};
use crate::add_rows;
use crate::audit::store::Change;
use crate::db::Conn;
use crate::db::schema::{applications, order_originals, orders, search_texts};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::timestamp::Timestamp;

/// The values that a customer sent in the fields that were corrected.
pub type Originals = BTreeMap<String, Option<String>>;

/// Locks the order until the transaction ends, and finds it with what the customer entered.
pub fn lock(tx: &mut Conn, order_id: OrderId) -> Result<Option<(OrderFacts, EnteredOrder)>> {
    dialect::lock_orders(tx, &[order_id])?;
    let Some((order, _)) = facts::find(tx, order_id)? else { return Ok(None) };
    let entered = EnteredOrder::of(&order, facts::find_application(tx, order_id)?);
    Ok(Some((order, entered)))
}

#[derive(AsChangeset)]
#[diesel(table_name = orders, treat_none_as_null = true)]
struct OrderColumns<'a> {
    country_code: Option<&'a str>,
    phone_number: Option<&'a str>,
    nationality: Option<&'a str>,
    visa_type: Option<&'a str>,
    updated_at: Timestamp,
}

/// A correction that is written.
pub struct WrittenCorrection {
    /// The rows of the audit, which the caller adds.
    pub changes: Vec<Change>,
    /// The other day for which the order waits now.
    pub waits_for: Option<NaiveDate>,
}

/// Writes the corrected order, which the caller has locked with `current`, and makes the search find it. `codes` are released by their window.
pub fn write(
    tx: &mut Conn,
    (order, current): (&OrderFacts, &EnteredOrder),
    corrected: &EnteredOrder,
    changed: &[ChangedField],
    codes: &[String],
    now: Timestamp,
) -> Result<WrittenCorrection> {
    write_columns(tx, order.order_id, corrected, now)?;
    let mut changes: Vec<Change> = changed.iter().map(|change| audited(order.order_id, change)).collect();
    let waits_for = rules::new_release_day(order, corrected, changed, codes);
    if let Some(date) = waits_for {
        diesel::update(orders::table.find(order.order_id)).set(orders::processing_date.eq(date)).execute(tx)?;
        changes.push(audited_wait(order, date));
    }
    let account = |entered: &EnteredOrder| entered.application.account_email.clone();
    if account(corrected) != account(current) {
        let account = ChangedField { field: "account_email", before: account(current), after: account(corrected) };
        changes.push(audited(order.order_id, &account));
    }
    Ok(WrittenCorrection { changes, waits_for })
}

/// The audit row of a corrected field. Its values are masked: the originals are kept with the order.
fn audited(order_id: OrderId, ChangedField { field, before, after }: &ChangedField) -> Change {
    Change::of("order.correct")
        .order(order_id)
        .before(rules::noted(field, before.as_deref()))
        .after(rules::noted(field, after.as_deref()))
}

/// The audit row of the day for which an order waits. It says nothing about a person.
fn audited_wait(order: &OrderFacts, date: NaiveDate) -> Change {
    let before = order.processing_date.map_or_else(|| "none".to_owned(), |date| date.to_string());
    Change::of("order.correct")
        .order(order.order_id)
        .before(format!("processing_date: {before}"))
        .after(format!("processing_date: {date}"))
}

fn write_columns(tx: &mut Conn, order_id: OrderId, corrected: &EnteredOrder, now: Timestamp) -> Result<()> {
    let columns = OrderColumns {
        country_code: corrected.country_code.as_deref(),
        phone_number: corrected.phone_number.as_deref(),
        nationality: corrected.nationality.as_deref(),
        visa_type: corrected.visa_type.as_deref(),
        updated_at: now,
    };
    let (name, contact) = (corrected.full_name.as_deref(), corrected.contact_email_address.as_deref());
    let (name, contact) = (name.unwrap_or_default(), contact.unwrap_or_default());
    let set = (orders::full_name.eq(name), orders::contact_email_address.eq(contact), columns);
    diesel::update(orders::table.find(order_id)).set(set).execute(tx)?;
    write_application(tx, order_id, &corrected.application)?;
    let searched = SearchedFields {
        full_name: name,
        contact_email_address: contact,
        account_email: corrected.application.account_email.as_deref(),
        country_code: corrected.country_code.as_deref(),
        phone_number: corrected.phone_number.as_deref(),
        document_number: corrected.application.document_number.as_deref(),
    };
    write_search_text(tx, order_id, &search::search_text(order_id, searched))
}

fn write_application(tx: &mut Conn, order_id: OrderId, application: &Application) -> Result<()> {
    let row = applications::table.find(order_id);
    if diesel::update(row).set(application).execute(tx)? == 0 {
        diesel::insert_into(applications::table).values(applications::order_id.eq(order_id)).execute(tx)?;
        diesel::update(row).set(application).execute(tx)?;
    }
    Ok(())
}

fn write_search_text(tx: &mut Conn, order_id: OrderId, text: &str) -> Result<()> {
    let before: String = search_texts::table.find(order_id).select(search_texts::search_text).first(tx)?;
    if before == text {
        return Ok(());
    }
    replace_search_text(tx, order_id, &before, text)
}

/// Writes the search text of an order, which the caller has locked, and indexes it instead of the one before.
pub fn replace_search_text(tx: &mut Conn, order_id: OrderId, before: &str, after: &str) -> Result<()> {
    let columns = (search_texts::search_text.eq(after), search_texts::search_version.eq(search::VERSION));
    diesel::update(search_texts::table.find(order_id)).set(columns).execute(tx)?;
    dialect::remove_from_search(tx, order_id, before, &grams(before))?;
    dialect::index_for_search(tx, order_id, after, &grams(after))
}

#[derive(Insertable)]
#[diesel(table_name = order_originals, treat_none_as_default_value = false)]
struct OriginalRow<'a> {
    order_id: OrderId,
    field: &'a str,
    original: Option<&'a str>,
    corrected_by: StaffId,
    corrected_at: Timestamp,
}

/// Keeps what the customer sent in those of the fields that were never corrected before. The caller has locked the order.
pub fn keep_originals(
    tx: &mut Conn,
    order_id: OrderId,
    changed: &[ChangedField],
    corrected_by: StaffId,
    corrected_at: Timestamp,
) -> Result<()> {
    let known = list_originals(tx, order_id)?;
    let first = changed.iter().filter(|change| !known.contains_key(change.field));
    let rows = first.map(|ChangedField { field, before, .. }| {
        let original = before.as_deref();
        OriginalRow { order_id, field, original, corrected_by, corrected_at }
    });
    add_rows!(tx, order_originals::table, rows);
    Ok(())
}

/// Lists the values that the customer sent in the fields that were corrected, by field.
pub fn list_originals(conn: &mut Conn, order_id: OrderId) -> Result<Originals> {
    let rows = order_originals::table.filter(order_originals::order_id.eq(order_id));
    let rows = rows.select((order_originals::field, order_originals::original));
    let rows: Vec<(String, Option<String>)> = on_either!(conn => rows.load(conn))?;
    Ok(rows.into_iter().collect())
}

/// Lists the same of at most 500 orders. Those without corrections are absent.
pub fn list_originals_of(conn: &mut Conn, order_ids: &[OrderId]) -> Result<HashMap<OrderId, Originals>> {
    let rows = order_originals::table.filter(order_originals::order_id.eq_any(order_ids));
    let rows = rows.select((order_originals::order_id, order_originals::field, order_originals::original));
    let rows: Vec<(OrderId, String, Option<String>)> = rows.load(conn)?;
    let mut found: HashMap<OrderId, Originals> = HashMap::new();
    for (order_id, field, original) in rows {
        found.entry(order_id).or_default().insert(field, original);
    }
    Ok(found)
}

/// Lists at most 500 orders with what the customers entered.
pub fn list_entered(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<(OrderFacts, EnteredOrder)>> {
    let rows = orders::table.left_join(applications::table).filter(orders::order_id.eq_any(order_ids));
    let rows = rows.select((OrderFacts::as_select(), Option::<Application>::as_select()));
    let rows: Vec<(OrderFacts, Option<Application>)> = rows.load(conn)?;
    let entered = rows.into_iter().map(|(order, application)| {
        let entered = EnteredOrder::of(&order, application.unwrap_or_default());
        (order, entered)
    });
    Ok(entered.collect())
}
