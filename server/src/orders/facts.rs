//! The facts about an order: written when the order is created, read with its details.

use chrono::NaiveDate;
use diesel::prelude::*;
use serde::Serialize;
use utoipa::ToSchema;

use super::rules::{OrderState, ProcessingMode};
use super::sources;
use super::status::ProcessStatus;
use crate::db::schema::{applications, checkouts, order_sources, orders, payments, transactions};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::money::{Currency, Money};
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::{on_either, with_member, with_processor};

/// The order itself.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct OrderFacts {
    pub order_id: OrderId,
    pub external_reference: Option<String>,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    pub full_name: String,
    pub contact_email_address: String,
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    pub visa_type: Option<String>,
    pub refund_date: Option<Timestamp>,
    pub assign_to: Option<StaffId>,
    pub processed_by: Option<StaffId>,
    pub processed_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub had_visa_or_dispute: bool,
}

impl OrderFacts {
    /// Returns the values of the order that the rules need.
    pub fn state(&self, owner_name: Option<&str>) -> OrderState {
        OrderState {
            order_id: self.order_id,
            process_status: self.process_status,
            status_before_deletion: self.status_before_deletion,
            processing_mode: self.processing_mode,
            processing_date: self.processing_date,
            refund_date: self.refund_date,
            updated_at: self.updated_at,
            had_visa_or_dispute: self.had_visa_or_dispute,
            owner_id: self.assign_to,
            owner_name: owner_name.map(str::to_owned),
        }
    }
}

/// The application form, except the fields that lists show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Queryable, Selectable, AsChangeset, Insertable, Serialize, ToSchema)]
#[diesel(table_name = applications, treat_none_as_null = true, treat_none_as_default_value = false)]
pub struct Application {
    /// The address of the account that ordered.
    #[serde(skip)]
    pub account_email: Option<String>,
    /// The first name; null: not given.
    pub first_name: Option<String>,
    /// The middle name; null: not given.
    pub middle_name: Option<String>,
    /// The last name; null: not given.
    pub last_name: Option<String>,
    /// The applicant's sex as given; null: not given.
    pub sex: Option<String>,
    /// The place of birth; null: not given.
    pub place_of_birth: Option<String>,
    /// The date of birth; null: not given.
    #[schema(value_type = Option<String>, format = Date)]
    pub date_of_birth: Option<NaiveDate>,
    /// The country that issued the passport; null: not given.
    pub passport_from: Option<String>,
    /// The label of the main purpose; null: not given.
    pub main_purpose_of_visit: Option<String>,
    /// The label of the sub-purpose; null: not given.
    pub sub_purpose_of_visit: Option<String>,
    /// Days.
    pub stay_day: Option<i32>,
    /// The day of arrival in Indonesia; null: not given.
    #[schema(value_type = Option<String>, format = Date)]
    pub arrival_date: Option<NaiveDate>,
    /// The type of the travel document; null: not given.
    pub document_type: Option<String>,
    /// The number of the travel document; null: not given.
    pub document_number: Option<String>,
    /// The last day of the travel document; null: not given.
    #[schema(value_type = Option<String>, format = Date)]
    pub date_of_expiry: Option<NaiveDate>,
    /// Where the travel document was issued; null: not given.
    pub issuing_place: Option<String>,
    /// The kind of residence in Indonesia, such as `Hotel`; null: not given.
    pub residence_type: Option<String>,
    /// The street in Indonesia; null: not given.
    pub address: Option<String>,
    /// The postal code; null: not given.
    pub postal_code: Option<String>,
    /// The province; null: not given.
    pub province: Option<String>,
    /// The city; null: not given.
    pub city: Option<String>,
    /// The district; null: not given.
    pub district: Option<String>,
    /// The village; null: not given.
    pub village: Option<String>,
    /// The immigration office for that address; null: not given.
    pub immigration_office: Option<String>,
    /// The name that the applicant signed with; null: not given.
    pub signature_name: Option<String>,
}

/// The data that the sales site recorded at checkout. It cannot be reconstructed later and decides disputes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Queryable, Selectable, Insertable, Serialize, ToSchema)]
#[diesel(table_name = checkouts, treat_none_as_default_value = false)]
pub struct Checkout {
    /// The customer's IP address; null: not recorded.
    pub purchase_ip: Option<String>,
    /// The browser's `User-Agent`; null: not recorded.
    pub user_agent: Option<String>,
    /// The sales site's id of the device; null: not recorded.
    pub device_id: Option<String>,
    /// The result of 3-D Secure; null: not recorded.
    pub three_d_secure: Option<String>,
    /// The version of the accepted terms; null: not recorded.
    pub terms_version: Option<String>,
    /// When the terms were accepted; null: not recorded.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub terms_accepted_at: Option<Timestamp>,
}

/// The payment as confirmed by the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, Serialize, ToSchema)]
#[diesel(table_name = payments, treat_none_as_default_value = false)]
pub struct Payment {
    /// The name of the gateway.
    pub gateway: String,
    /// The gateway's reference of the payment.
    pub payment_reference: String,
    /// In whole minor units of the currency.
    pub amount_minor: i64,
    /// ISO 4217.
    #[schema(value_type = String)]
    pub currency: Currency,
    /// The brand, such as `Visa`; null: unknown.
    pub card_brand: Option<String>,
    /// Four digits; null: unknown.
    pub card_last_four: Option<String>,
    /// When the payment was confirmed.
    #[schema(value_type = String, format = DateTime)]
    pub paid_at: Timestamp,
}

impl Payment {
    pub fn amount(&self) -> Money {
        Money { minor: self.amount_minor, currency: self.currency }
    }
}

/// The transaction at the gateway: staff enter both, the sales site and older systems may know only one.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = transactions, treat_none_as_default_value = false)]
pub struct Transaction {
    pub transaction_id: Option<String>,
    /// The name on the customer's statement.
    pub merchant_name: Option<String>,
}

/// An order with everything that is known of it once.
#[derive(Debug, Queryable)]
pub struct Whole {
    pub order: OrderFacts,
    pub owner: Option<String>,
    /// The member who last completed it.
    pub processed_by: Option<String>,
    pub application: Option<Application>,
    pub payment: Option<Payment>,
    pub transaction: Option<Transaction>,
    pub checkout: Option<Checkout>,
    /// The order again, if it has a checkout: each column of a checkout may be null, as if there were none.
    checked_out: Option<OrderId>,
    /// The sales site's own number, if the order came through an API key.
    reference: Option<String>,
}

/// Finds an order with everything that is known of it once, in one statement.
pub fn find_whole(conn: &mut Conn, order_id: OrderId) -> Result<Option<Whole>> {
    let order = with_member!(orders::table)
        .left_join(applications::table)
        .left_join(payments::table)
        .left_join(transactions::table)
        .left_join(checkouts::table)
        .left_join(order_sources::table);
    let order = with_processor!(order, orders::processed_by).filter(orders::order_id.eq(order_id));
    let mut found: Option<Whole> = on_either!(conn => {
        let columns = (
            OrderFacts::as_select(),
            staff::name(),
            staff::processor_name(),
            Option::<Application>::as_select(),
            Option::<Payment>::as_select(),
            Option::<Transaction>::as_select(),
            Option::<Checkout>::as_select(),
            checkouts::order_id.nullable(),
            order_sources::external_reference.nullable(),
        );
        order.select(columns).first(conn).optional()
    })?;
    if let Some(Whole { order, checkout, checked_out, reference, .. }) = &mut found {
        order.external_reference = order.external_reference.take().or_else(|| reference.take());
        *checkout = checkout.take().filter(|_| checked_out.is_some());
    }
    Ok(found)
}

/// Finds an order and its owner's name.
pub fn find(conn: &mut Conn, order_id: OrderId) -> Result<Option<(OrderFacts, Option<String>)>> {
    let order = with_member!(orders::table)
        .filter(orders::order_id.eq(order_id))
        .select((OrderFacts::as_select(), staff::name()));
    let mut order: Option<(OrderFacts, Option<String>)> = order.first(conn).optional()?;
    if let Some((facts, _)) = &mut order
        && facts.external_reference.is_none()
    {
        facts.external_reference = sources::find_reference(conn, order_id)?;
    }
    Ok(order)
}

/// Finds the application form of an order; empty if there is none.
pub fn find_application(conn: &mut Conn, order_id: OrderId) -> Result<Application> {
    let application = applications::table.find(order_id).select(Application::as_select()).first(conn).optional()?;
    Ok(application.unwrap_or_default())
}

/// Finds the checkout record of an order.
pub fn find_checkout(conn: &mut Conn, order_id: OrderId) -> Result<Option<Checkout>> {
    Ok(checkouts::table.find(order_id).select(Checkout::as_select()).first(conn).optional()?)
}

/// Finds the payment of an order.
pub fn find_payment(conn: &mut Conn, order_id: OrderId) -> Result<Option<Payment>> {
    Ok(payments::table.find(order_id).select(Payment::as_select()).first(conn).optional()?)
}

/// Lists the payments of the orders, each with its order id.
pub fn list_payments(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<(OrderId, Payment)>> {
    let mut found = Vec::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = payments::table.filter(payments::order_id.eq_any(ids));
        found.extend(rows.select((payments::order_id, Payment::as_select())).load::<(OrderId, Payment)>(conn)?);
    }
    Ok(found)
}

/// Finds the transaction details of an order.
pub fn find_transaction(conn: &mut Conn, order_id: OrderId) -> Result<Option<Transaction>> {
    Ok(transactions::table.find(order_id).select(Transaction::as_select()).first(conn).optional()?)
}

/// Inserts or replaces the transaction details of an order, which the caller has locked.
pub fn set_transaction(tx: &mut Conn, order_id: OrderId, transaction: &Transaction) -> Result<()> {
    let columns = (
        transactions::transaction_id.eq(&transaction.transaction_id),
        transactions::merchant_name.eq(&transaction.merchant_name),
    );
    if diesel::update(transactions::table.find(order_id)).set(columns).execute(tx)? == 0 {
        diesel::insert_into(transactions::table).values((transactions::order_id.eq(order_id), columns)).execute(tx)?;
    }
    Ok(())
}

/// The applicant and their contact details.
#[derive(Clone, Debug, Queryable)]
pub struct Applicant {
    pub order_id: OrderId,
    pub process_status: ProcessStatus,
    pub full_name: String,
    pub contact_email_address: String,
    /// Of the account that ordered.
    pub account_email: Option<String>,
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub visa_type: Option<String>,
}

/// Lists the applicants of the orders that exist.
pub fn list_applicants(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<Applicant>> {
    let mut found = Vec::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = orders::table.left_join(applications::table).filter(orders::order_id.eq_any(ids)).select((
            orders::order_id,
            orders::process_status,
            orders::full_name,
            orders::contact_email_address,
            applications::account_email.nullable(),
            orders::country_code,
            orders::phone_number,
            orders::visa_type,
        ));
        found.extend(rows.load::<Applicant>(conn)?);
    }
    Ok(found)
}
