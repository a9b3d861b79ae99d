//! New orders by phone: a member of staff enters what the customer says, by the rules of intake.

use std::sync::Arc;

use axum::extract::State;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Intake;
use super::errors::IntakeError;
use super::rules::{self, IntakeMoment, Source};
use super::wire::{OrderReference, order_reference};
use crate::audit::store::{Actor, Change, add};
use crate::error::Result;
use crate::http::answer::{Found, StoredResponse};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::orders::new_order;
use crate::orders::rules::corrections::FIELDS;
use crate::staff::rules::Staff;

/// The call for orders by phone.
pub fn endpoints() -> OpenApiRouter<Arc<Intake>> {
    OpenApiRouter::new().routes(call!(add_phone_order))
}

/// The fields of the order itself that a caller decides.
const OF_ORDER: [&str; 2] = ["processing_mode", "processing_date"];

/// The source of these orders, for the audit. They belong to no sales site, so that each may add the payment.
const SOURCE: &str = "phone";

/// An order by phone. Required: `contact_email_address`, `full_name`, `processing_mode`. All other fields of an order that staff may
/// correct are taken as well; payments, references and checkout evidence are not.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the contract uses it; `rules` reads the fields from the JSON")]
pub struct AddPhoneOrder {
    /// The applicant's full name.
    full_name: String,
    /// Where mails about the order go.
    contact_email_address: String,
    /// `Regular Processing` or `Priority Processing`.
    processing_mode: String,
    /// The day on which to process the order, if it lies in the future.
    #[schema(format = Date)]
    processing_date: Option<String>,
    /// Digits.
    country_code: Option<String>,
    /// Digits without the country's prefix.
    phone_number: Option<String>,
    /// The nationality, as a country's name.
    nationality: Option<String>,
    /// A code from the catalogue.
    visa_type: Option<String>,
    /// The number of the travel document.
    document_number: Option<String>,
    /// YYYY-MM-DD.
    #[schema(format = Date)]
    date_of_birth: Option<String>,
    /// The day of arrival in Indonesia, YYYY-MM-DD.
    #[schema(format = Date)]
    arrival_date: Option<String>,
}

/// Add an order that a customer makes by phone
///
/// It is Pending until its payment arrives, and its source in the audit is `phone`.
#[utoipa::path(post, path = "/admin/add-phone-order", request_body = AddPhoneOrder,
    responses((status = 200, body = Found<OrderReference>)))]
pub async fn add_phone_order(
    State(room): State<Arc<Intake>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(mut body): Json<Map<String, Value>>,
) -> Result<StoredResponse> {
    let context = IntakeMoment { now: room.clock.now(), today: room.clock.today(room.config.time_zone) };
    let is_taken = |name: &str| OF_ORDER.contains(&name) || FIELDS.iter().any(|field| field.name == name);
    body.retain(|name, _| is_taken(name));
    let mut order =
        rules::check(&body, context, Source::SalesSite { is_strict: true }).map_err(IntakeError::InvalidFields)?;
    rules::release_by_window(&mut order, &room.config.release_by_window, context.today);
    idempotent
        .write(&room.db, move |tx| {
            let by = Actor::from(&staff);
            let order_id = new_order::add(tx, &order, &by, context.now)?;
            let source = Change::of("order.source").order(order_id).after(SOURCE.to_owned());
            add(tx, &by, &[source], context.now)?;
            Ok(order_reference(order_id, "The order has been added. It is Pending until it is paid"))
        })
        .await
}
