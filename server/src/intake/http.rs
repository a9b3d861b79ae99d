//! The sales site's calls: an order and its payment. Field names are those of the order detail (spec §3).

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Intake;
use super::authentication::{SalesSite, require_right};
use super::errors::IntakeError;
use super::rules::keys::KeyRight;
use super::rules::{self, IntakeMoment, Source};
use super::wire::{OrderReference, TakenOrder, order_reference};
use super::{http_documents, http_papers, payments};
use crate::db;
use crate::error::{Error, Refusals, Result};
use crate::http::answer::{Found, StoredResponse};
use crate::http::errors::HttpError;
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::{Json, JsonFields, Path};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::orders::errors::OrderError;
use crate::orders::new_order::NewOrder;
use crate::orders::sources::ReferencedOrder;
use crate::orders::{facts, new_order, sources};
use crate::text::without_case;

/// The sales site's calls.
pub fn endpoints() -> OpenApiRouter<Arc<Intake>> {
    OpenApiRouter::new()
        .routes(call!(create_order))
        .routes(call!(add_payment))
        .routes(call!(http_documents::add_document))
        .routes(call!(http_papers::find_order))
}

/// A new order. Required: an email, a name, `processing_mode`. Unlisted fields are ignored.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only the contract uses it; `rules` reads the fields from the JSON and reports every invalid one"
)]
pub struct CreateOrder {
    /// The sales site's own number, unique within the source of the key. A repeated number returns the existing order.
    external_reference: Option<String>,
    /// Alternatively `first_name`, `middle_name` and `last_name`.
    full_name: Option<String>,
    /// The first name, if `full_name` is absent.
    first_name: Option<String>,
    /// The middle name, if `full_name` is absent.
    middle_name: Option<String>,
    /// The last name, if `full_name` is absent.
    last_name: Option<String>,
    /// Alternatively the account's email in `user`.
    contact_email_address: Option<String>,
    /// The customer's account.
    user: Option<Account>,
    /// `Regular Processing` or `Priority Processing`.
    processing_mode: String,
    /// The day on which to process the order, if it lies in the future.
    #[schema(format = Date)]
    processing_date: Option<String>,
    /// The country's prefix for telephones, its code or its name.
    country_code: Option<String>,
    /// The telephone number as the customer typed it, with or without the country's prefix.
    phone_number: Option<String>,
    /// The nationality, as a country's name.
    nationality: Option<String>,
    /// A code from the catalogue.
    visa_type: Option<String>,
    /// The applicant's sex.
    sex: Option<String>,
    /// The place of birth.
    place_of_birth: Option<String>,
    /// YYYY-MM-DD.
    #[schema(format = Date)]
    date_of_birth: Option<String>,
    /// The country that issued the passport.
    passport_from: Option<String>,
    /// Code or label.
    main_purpose_of_visit: Option<String>,
    /// Code or label.
    sub_purpose_of_visit: Option<String>,
    /// The length of the stay in days.
    stay_day: Option<i32>,
    /// The day of arrival in Indonesia, YYYY-MM-DD.
    #[schema(format = Date)]
    arrival_date: Option<String>,
    /// The type of the travel document, such as `Passport`.
    document_type: Option<String>,
    /// The number of the travel document.
    document_number: Option<String>,
    /// The last day of the travel document, YYYY-MM-DD.
    #[schema(format = Date)]
    date_of_expiry: Option<String>,
    /// Where the travel document was issued.
    issuing_place: Option<String>,
    /// The kind of residence in Indonesia, such as `Hotel`.
    residence_type: Option<String>,
    /// The street in Indonesia.
    address: Option<String>,
    /// The postal code.
    postal_code: Option<String>,
    /// The province.
    province: Option<String>,
    /// The city.
    city: Option<String>,
    /// The district.
    district: Option<String>,
    /// The village.
    village: Option<String>,
    /// The immigration office for that address.
    immigration_office: Option<String>,
    /// The name that the applicant signed with.
    signature_name: Option<String>,
    /// The gateway's id of the transaction, for disputes.
    transaction_id: Option<String>,
    /// The name on the customer's statement.
    merchant_name: Option<String>,
    /// The customer's IP address, for disputes.
    purchase_ip: Option<String>,
    /// The browser's `User-Agent`, for disputes.
    user_agent: Option<String>,
    /// The sales site's id of the device, for disputes.
    device_id: Option<String>,
    /// The result of 3-D Secure, for disputes.
    three_d_secure: Option<String>,
    /// The version of the terms that the customer accepted.
    terms_version: Option<String>,
    /// When the customer accepted the terms: ISO 8601, in UTC if it names no zone.
    #[schema(format = DateTime)]
    terms_accepted_at: Option<String>,
    /// The confirmed payment, from a key with the right `payments`. Its fields may also stand at the top level.
    payment: Option<AddPayment>,
}

/// The customer's account on the sales site.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the contract uses it")]
pub struct Account {
    /// The account's email address.
    email: Option<String>,
}

/// A confirmed payment.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the contract uses it")]
pub struct AddPayment {
    /// The gateway's name.
    gateway: String,
    /// The gateway's reference of the payment.
    payment_reference: String,
    /// A decimal number as text: `149.00`.
    amount: String,
    /// ISO 4217.
    currency: String,
    /// The brand, such as `Visa`.
    card_brand: Option<String>,
    /// Four digits.
    card_last_four: Option<String>,
    /// Default: now.
    #[schema(format = DateTime)]
    paid_at: Option<String>,
}

impl Refusals for SalesSite {}

impl<S: Sync> FromRequestParts<S> for SalesSite {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| HttpError::SignedOut.into())
    }
}

fn context(room: &Intake) -> IntakeMoment {
    IntakeMoment { now: room.clock.now(), today: room.clock.today(room.config.time_zone) }
}

/// Create an order: Pending without a payment, Future until its processing date, else New.
#[utoipa::path(post, path = "/intake/orders", request_body = CreateOrder, responses((status = 200, body = Found<TakenOrder>)))]
pub async fn create_order(
    State(room): State<Arc<Intake>>,
    site: SalesSite,
    idempotent: IdempotentRequest,
    JsonFields(body): JsonFields,
) -> Result<StoredResponse> {
    let context = context(&room);
    let mut order = rules::check(&body, context, Source::SalesSite { is_strict: site.is_strict() })
        .map_err(IntakeError::InvalidFields)?;
    if order.payment.is_some() {
        require_right(&room, &site, KeyRight::Payments).await?;
    }
    rules::release_by_window(&mut order, &room.config.release_by_window, context.today);
    order.source_id = site.source_id;
    let lifecycle = room.lifecycle.clone();
    let cause = lifecycle.cause(&site, "order.pay");
    idempotent
        .write(&room.db, move |tx| {
            let known = match &order.external_reference {
                Some(reference) => {
                    db::advisory_lock(tx, &format!("order reference {reference}"))?;
                    sources::find_by_reference(tx, reference, order.source_id)?
                }
                None => None,
            };
            if let Some(known) = known {
                let Found { status, message, data } = repeated(tx, &lifecycle, known, &order, &cause)?;
                return Ok(Found { status, message, data: TakenOrder::new(data, &[]) });
            }
            let order_id = new_order::add(tx, &order, &cause.by, context.now)?;
            let Found { status, message, data } = order_reference(order_id, "The order has been taken in");
            Ok(Found { status, message, data: TakenOrder::new(data, &order.kept) })
        })
        .await
}

/// Answers a request to create an order whose reference is known, and takes in the payment that it may bring (invariant 14).
///
/// # Errors
/// [`IntakeError::ReferenceOfAnotherOrder`] if the known order has no source and is that of another person or day;
/// [`IntakeError::OrderAlreadyPaid`] if it has another payment.
fn repeated(
    tx: &mut db::Conn,
    lifecycle: &Lifecycle,
    known: ReferencedOrder,
    order: &NewOrder,
    cause: &Cause,
) -> Result<Found<OrderReference>> {
    let ReferencedOrder { order_id, is_of_source } = known;
    let (there, _) = facts::find(tx, order_id)?.ok_or(OrderError::OrderNotFound)?;
    let is_same = without_case(&there.contact_email_address) == without_case(&order.contact_email_address)
        && there.processing_date == order.processing_date;
    if !is_of_source && !is_same {
        return Err(IntakeError::ReferenceOfAnotherOrder.into());
    }
    let Some(payment) = &order.payment else { return Ok(order_reference(order_id, "The order is here already")) };
    let was_paid = facts::find_payment(tx, order_id)?.is_some();
    payments::add(tx, lifecycle, order_id, payment, cause)?;
    Ok(order_reference(
        order_id,
        match was_paid {
            true => "The order is here already",
            false => "The order is here already. Its payment has been taken in",
        },
    ))
}

/// Add the payment of an order. A Pending order becomes New, or Future until its processing date.
#[utoipa::path(
    post, path = "/intake/orders/{id}/payment",
    params(("id" = OrderId, Path, description = "The order: plain, printed or encoded")),
    request_body = AddPayment, responses((status = 200, body = Found<OrderReference>))
)]
pub async fn add_payment(
    State(room): State<Arc<Intake>>,
    site: SalesSite,
    idempotent: IdempotentRequest,
    Path(order_id): Path<OrderId>,
    Json(body): Json<Map<String, Value>>,
) -> Result<StoredResponse> {
    let context = context(&room);
    let payment = rules::check_payment(&body, context).map_err(IntakeError::InvalidFields)?;
    let lifecycle = room.lifecycle.clone();
    let cause = lifecycle.cause(&site, "order.pay");
    idempotent
        .write(&room.db, move |tx| {
            sources::check_visible(tx, order_id, site.source_id)?;
            payments::add(tx, &lifecycle, order_id, &payment, &cause)?;
            Ok(order_reference(order_id, "The payment has been taken in"))
        })
        .await
}
