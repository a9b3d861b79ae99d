//! The checkout and payment in an order's details.

use serde::Serialize;
use utoipa::ToSchema;

use crate::orders::facts;
use crate::timestamp::Timestamp;

/// The payment of the order.
#[derive(Serialize, ToSchema)]
#[schema(as = Payment)]
pub struct PaymentDetails {
    /// The name of the gateway.
    pub gateway: String,
    /// The gateway's reference of the payment.
    pub payment_reference: String,
    /// In whole minor units of the currency.
    pub amount_minor: i64,
    /// ISO 4217.
    pub currency: String,
    /// The brand, such as `Visa`; null: unknown.
    pub card_brand: Option<String>,
    /// Four digits; null: unknown.
    pub card_last_four: Option<String>,
    /// When the payment was confirmed.
    #[schema(value_type = String, format = DateTime)]
    pub paid_at: Timestamp,
}

/// The data that the sales site recorded at checkout.
#[derive(Serialize, ToSchema)]
#[schema(as = Checkout)]
pub struct CheckoutDetails {
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

impl From<facts::Payment> for PaymentDetails {
    fn from(payment: facts::Payment) -> Self {
        Self {
            gateway: payment.gateway,
            payment_reference: payment.payment_reference,
            amount_minor: payment.amount_minor,
            currency: payment.currency.code().to_owned(),
            card_brand: payment.card_brand,
            card_last_four: payment.card_last_four,
            paid_at: payment.paid_at,
        }
    }
}

impl From<facts::Checkout> for CheckoutDetails {
    fn from(checkout: facts::Checkout) -> Self {
        Self {
            purchase_ip: checkout.purchase_ip,
            user_agent: checkout.user_agent,
            device_id: checkout.device_id,
            three_d_secure: checkout.three_d_secure,
            terms_version: checkout.terms_version,
            terms_accepted_at: checkout.terms_accepted_at,
        }
    }
}
