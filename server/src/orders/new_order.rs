//! Creates orders: the order itself, its application, the checkout evidence, the payment, and an audit row.

use chrono::NaiveDate;
use diesel::prelude::*;

use super::facts::{Application, Checkout, Payment, Transaction};
use super::grams::grams;
use super::rules::ProcessingMode;
use super::rules::entered::EnteredOrder;
use super::rules::fields::KeptValue;
use super::search::{self, SearchedFields};
use super::status::ProcessStatus;
use super::{dialect, kept};
use crate::add_rows;
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::db::schema::{applications, checkouts, order_sources, orders, payments, search_texts, transactions};
use crate::error::Result;
use crate::ids::{OrderId, SourceId, StaffId};
use crate::timestamp::Timestamp;

/// A validated order that has no id yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    /// The source that it belongs to. None: every sales site may add to it.
    pub source_id: Option<SourceId>,
    /// The sales site's own number. No two orders of one source share one.
    pub external_reference: Option<String>,
    pub process_status: ProcessStatus,
    /// With the status `Deleted`: the status that restoring returns to.
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    pub full_name: String,
    pub contact_email_address: String,
    /// Digits, without a plus sign.
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    /// A code of the catalogue.
    pub visa_type: Option<String>,
    /// The id of its owner.
    pub assign_to: Option<StaffId>,
    /// The member of staff who completed it, and when.
    pub processed_by: Option<StaffId>,
    pub processed_at: Option<Timestamp>,
    pub refund_date: Option<Timestamp>,
    pub created_at: Timestamp,
    pub application: Application,
    pub checkout: Option<Checkout>,
    pub payment: Option<Payment>,
    pub transaction: Option<Transaction>,
    /// Values that are not understood, and evidence as it was sent.
    pub kept: Vec<KeptValue>,
}

impl NewOrder {
    /// The values that the customer entered.
    pub fn entered(&self) -> EnteredOrder {
        EnteredOrder {
            full_name: Some(self.full_name.clone()),
            contact_email_address: Some(self.contact_email_address.clone()),
            country_code: self.country_code.clone(),
            phone_number: self.phone_number.clone(),
            nationality: self.nationality.clone(),
            visa_type: self.visa_type.clone(),
            application: self.application.clone(),
        }
    }
}

/// Adds one order. Returns its id.
pub fn add(tx: &mut Conn, order: &NewOrder, by: &Actor, now: Timestamp) -> Result<OrderId> {
    let ids = add_all(tx, std::slice::from_ref(order), by, now)?;
    ids.first().copied().ok_or_else(|| crate::error::Error::internal("an order got no id"))
}

/// Adds orders. Returns their ids in the same sequence.
pub fn add_all(tx: &mut Conn, new: &[NewOrder], by: &Actor, now: Timestamp) -> Result<Vec<OrderId>> {
    let ids = dialect::allocate_order_ids(tx, i64::try_from(new.len()).unwrap_or(i64::MAX))?;
    let texts: Vec<SearchTexts> = new.iter().zip(&ids).map(|(order, id)| SearchTexts::of(*id, order)).collect();
    let orders: Vec<NumberedOrder<'_>> = new
        .iter()
        .zip(&ids)
        .zip(&texts)
        .map(|((order, order_id), texts)| NumberedOrder { order_id: *order_id, order, texts, at: now })
        .collect();
    insert(tx, &orders, by)?;
    Ok(ids)
}

/// The search texts of an order.
pub struct SearchTexts {
    search_text: String,
    grams: String,
}

impl SearchTexts {
    /// Normalizes the searched fields of `order`.
    pub fn of(order_id: OrderId, order: &NewOrder) -> Self {
        let search_text = search::search_text(
            order_id,
            SearchedFields {
                full_name: &order.full_name,
                contact_email_address: &order.contact_email_address,
                account_email: order.application.account_email.as_deref(),
                country_code: order.country_code.as_deref(),
                phone_number: order.phone_number.as_deref(),
                document_number: order.application.document_number.as_deref(),
            },
        );
        Self { grams: grams(&search_text), search_text }
    }
}

/// A new order with its assigned id.
#[derive(Clone, Copy)]
pub struct NumberedOrder<'a> {
    pub order_id: OrderId,
    pub order: &'a NewOrder,
    pub texts: &'a SearchTexts,
    /// When it was added to this database.
    pub at: Timestamp,
}

impl NumberedOrder<'_> {
    fn change(&self) -> Change {
        let after = Some(self.order.process_status.as_str().to_owned());
        Change { action: "order.arrive", order_id: Some(self.order_id), before: None, after }
    }
}

/// Inserts the orders, whose ids are free, into the tables, the search indexes and the audit.
pub fn insert(tx: &mut Conn, new: &[NumberedOrder<'_>], by: &Actor) -> Result<()> {
    add_rows!(tx, orders::table, new.iter().map(NewOrderRow::of));
    add_rows!(tx, search_texts::table, new.iter().map(SearchTextRow::of));
    add_rows!(tx, order_sources::table, new.iter().filter_map(SourceRow::of));
    let applications =
        new.iter().map(|new| ApplicationRow { order_id: new.order_id, facts: new.order.application.clone() });
    add_rows!(tx, applications::table, applications);
    let checkouts = new.iter().filter_map(|new| Some((new.order_id, new.order.checkout.clone()?)));
    add_rows!(tx, checkouts::table, checkouts.map(|(order_id, facts)| CheckoutRow { order_id, facts }));
    let payments = new.iter().filter_map(|new| Some((new.order_id, new.order.payment.clone()?)));
    add_rows!(tx, payments::table, payments.map(|(order_id, facts)| PaymentRow { order_id, facts }));
    let transactions = new.iter().filter_map(|new| Some((new.order_id, new.order.transaction.clone()?)));
    add_rows!(tx, transactions::table, transactions.map(|(order_id, facts)| TransactionRow { order_id, facts }));
    kept::add(tx, new.iter().flat_map(|new| new.order.kept.iter().map(|kept| (new.order_id, kept))))?;
    let changes: Vec<(Timestamp, Change)> = new.iter().map(|one| (one.at, one.change())).collect();
    audit::add_at(tx, by, &changes)?;
    for one in new {
        dialect::index_for_search(tx, one.order_id, &one.texts.search_text, &one.texts.grams)?;
    }
    Ok(())
}

#[derive(Insertable)]
#[diesel(table_name = orders, treat_none_as_default_value = false)]
struct NewOrderRow<'a> {
    order_id: OrderId,
    external_reference: Option<&'a str>,
    process_status: ProcessStatus,
    status_before_deletion: Option<ProcessStatus>,
    processing_mode: ProcessingMode,
    processing_date: Option<NaiveDate>,
    full_name: &'a str,
    contact_email_address: &'a str,
    country_code: Option<&'a str>,
    phone_number: Option<&'a str>,
    nationality: Option<&'a str>,
    visa_type: Option<&'a str>,
    assign_to: Option<StaffId>,
    processed_by: Option<StaffId>,
    processed_at: Option<Timestamp>,
    refund_date: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> NewOrderRow<'a> {
    fn of(new: &NumberedOrder<'a>) -> Self {
        let order = new.order;
        Self {
            order_id: new.order_id,
            // The reference of an order with a source is in `order_sources`.
            external_reference: order.external_reference.as_deref().filter(|_| order.source_id.is_none()),
            process_status: order.process_status,
            status_before_deletion: order.status_before_deletion,
            processing_mode: order.processing_mode,
            processing_date: order.processing_date,
            full_name: &order.full_name,
            contact_email_address: &order.contact_email_address,
            country_code: order.country_code.as_deref(),
            phone_number: order.phone_number.as_deref(),
            nationality: order.nationality.as_deref(),
            visa_type: order.visa_type.as_deref(),
            assign_to: order.assign_to,
            processed_by: order.processed_by,
            processed_at: order.processed_at,
            refund_date: order.refund_date,
            created_at: order.created_at,
            updated_at: new.at,
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = search_texts)]
struct SearchTextRow<'a> {
    order_id: OrderId,
    created_at: Timestamp,
    search_text: &'a str,
    search_version: i32,
}

impl<'a> SearchTextRow<'a> {
    fn of(new: &NumberedOrder<'a>) -> Self {
        Self {
            order_id: new.order_id,
            created_at: new.order.created_at,
            search_text: &new.texts.search_text,
            search_version: search::VERSION,
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = order_sources, treat_none_as_default_value = false)]
struct SourceRow<'a> {
    order_id: OrderId,
    source_id: SourceId,
    external_reference: Option<&'a str>,
}

impl<'a> SourceRow<'a> {
    fn of(new: &NumberedOrder<'a>) -> Option<Self> {
        let external_reference = new.order.external_reference.as_deref();
        new.order.source_id.map(|source_id| Self { order_id: new.order_id, source_id, external_reference })
    }
}

#[derive(Insertable)]
#[diesel(table_name = applications, treat_none_as_default_value = false)]
struct ApplicationRow {
    order_id: OrderId,
    #[diesel(embed)]
    facts: Application,
}

#[derive(Insertable)]
#[diesel(table_name = checkouts, treat_none_as_default_value = false)]
struct CheckoutRow {
    order_id: OrderId,
    #[diesel(embed)]
    facts: Checkout,
}

#[derive(Insertable)]
#[diesel(table_name = payments, treat_none_as_default_value = false)]
struct PaymentRow {
    order_id: OrderId,
    #[diesel(embed)]
    facts: Payment,
}

#[derive(Insertable)]
#[diesel(table_name = transactions, treat_none_as_default_value = false)]
struct TransactionRow {
    order_id: OrderId,
    #[diesel(embed)]
    facts: Transaction,
}

/// Adds the payment of an order that has none.
pub fn add_payment(tx: &mut Conn, order_id: OrderId, payment: &Payment) -> Result<()> {
    diesel::insert_into(payments::table).values(PaymentRow { order_id, facts: payment.clone() }).execute(tx)?;
    Ok(())
}
