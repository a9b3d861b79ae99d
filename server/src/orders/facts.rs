//! What is known of an order beyond what lists show, as it is written when the order comes in and read with its detail.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use crate::db::schema::{applications, checkouts, payments, transactions};

/// What the applicant filled in, beyond what lists show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = applications)]
pub struct Application {
    pub account_email: Option<String>,
    pub first_name: Option<String>,
    pub middle_name: Option<String>,
    pub last_name: Option<String>,
    pub sex: Option<String>,
    pub place_of_birth: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub passport_from: Option<String>,
    pub main_purpose_of_visit: Option<String>,
    pub sub_purpose_of_visit: Option<String>,
    pub stay_day: Option<i32>,
    pub document_type: Option<String>,
    pub document_number: Option<String>,
    pub date_of_expiry: Option<NaiveDate>,
    pub issuing_place: Option<String>,
    pub residence_type: Option<String>,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    pub province: Option<String>,
    pub city: Option<String>,
    pub district: Option<String>,
    pub village: Option<String>,
    pub immigration_office: Option<String>,
    pub signature_name: Option<String>,
}

/// What the sales site knew at checkout. It cannot be rebuilt later and decides disputes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = checkouts)]
pub struct Checkout {
    pub purchase_ip: Option<String>,
    pub user_agent: Option<String>,
    pub device_id: Option<String>,
    pub three_d_secure: Option<String>,
    pub terms_version: Option<String>,
    pub terms_accepted_at: Option<NaiveDateTime>,
}

/// The payment, as the gateway confirmed it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = payments)]
pub struct Payment {
    pub gateway: String,
    pub payment_reference: String,
    /// In the currency's smallest unit.
    pub amount_minor: i64,
    /// ISO 4217.
    pub currency: String,
    pub card_brand: Option<String>,
    pub card_last_four: Option<String>,
    pub paid_at: NaiveDateTime,
}

/// The transaction at the gateway, as staff or an older system entered it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = transactions)]
pub struct Transaction {
    pub transaction_id: String,
    /// As it stands on the customer's statement.
    pub merchant_name: String,
}
