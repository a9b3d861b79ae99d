//! Corrects what a customer entered. What was sent at intake is kept: one row for each corrected field, written at its first correction
//! and never changed.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use diesel::prelude::*;

use super::dialect;
use super::facts::{self, Application, OrderFacts};
use super::grams::grams;
use super::rules::corrections::ChangedField;
use super::rules::entered::EnteredOrder;
use super::search::{self, SearchedFields};
use crate::add_rows;
use crate::db::Conn;
use crate::db::schema::{applications, order_originals, orders, search_texts};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::timestamp::Timestamp;

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

/// Writes the corrected order, which the caller has locked, and makes the search find it.
pub fn write(tx: &mut Conn, order_id: OrderId, corrected: &EnteredOrder, now: Timestamp) -> Result<()> {
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

/// Makes the order, which the caller has locked, wait for another day.
pub fn set_processing_date(tx: &mut Conn, order_id: OrderId, date: NaiveDate) -> Result<()> {
    diesel::update(orders::table.find(order_id)).set(orders::processing_date.eq(date)).execute(tx)?;
    Ok(())
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
pub fn list_originals(conn: &mut Conn, order_id: OrderId) -> Result<BTreeMap<String, Option<String>>> {
    let rows = order_originals::table.filter(order_originals::order_id.eq(order_id));
    let rows = rows.select((order_originals::field, order_originals::original));
    let rows: Vec<(String, Option<String>)> = on_either!(conn => rows.load(conn))?;
    Ok(rows.into_iter().collect())
}
