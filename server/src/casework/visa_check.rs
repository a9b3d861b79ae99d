//! The check that an issued visa is that of its order: compared as it is uploaded, and reviewed by staff.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Casework;
use crate::audit::store::{self as audit, Actor, Change};
use crate::config::DeliveryCheck;
use crate::db::Conn;
use crate::deliveries::errors::DeliveryError;
use crate::deliveries::rules::{self, Comparison, VisaField, VisaOutcome};
use crate::deliveries::store::{self, Delivery, NewDelivery};
use crate::documents::rules::{MediaType, StoredFile};
use crate::documents::store as documents;
use crate::error::Result;
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::papers::ocr;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(routes!(look_at_visa))
}

/// The findings of the check of an issued visa.
#[derive(Serialize, ToSchema)]
pub struct VisaCheck {
    /// The visa's number, to note that somebody has looked.
    pub document_id: i64,
    /// `same`, `differs`, or `not_read` if nothing in the file could be compared.
    pub outcome: VisaOutcome,
    /// The fields of the order that are not on the visa; of a visa that Tesseract did not read, those that it did not read.
    pub fields: Vec<VisaField>,
    /// The order that has had the same file as its visa; null: none.
    pub used_by: Option<OrderId>,
    /// The findings, as a text that continues a sentence; null: there are none.
    pub said: Option<String>,
    /// Why it was delivered all the same; null: no reason was asked for.
    pub reason: Option<String>,
    /// Needs a review that no member has made yet.
    pub is_open: bool,
    /// Tesseract is still reading its pages, because it has no text. Then this is completed soon.
    pub is_being_read: bool,
}

impl VisaCheck {
    /// Returns the check of a stored visa. `reading` is the result of Tesseract: `None` if the visa has a text, `Some(None)` if it is not read yet.
    pub fn stored(delivery: Delivery, reading: Option<Option<Comparison>>) -> Self {
        let (is_looked_at, comparison) = (delivery.looked_at.is_some(), delivery.comparison());
        Self::new(delivery.document_id, comparison, reading, delivery.used_by, delivery.reason, is_looked_at)
    }

    /// Returns the check of a visa that is being stored.
    pub fn of_new(document_id: i64, found: &NewDelivery) -> Self {
        let reading = found.is_to_be_read.then_some(None);
        Self::new(document_id, found.comparison.clone(), reading, found.used_by, found.reason.clone(), false)
    }

    fn new(
        document_id: i64,
        comparison: Comparison,
        reading: Option<Option<Comparison>>,
        used_by: Option<OrderId>,
        reason: Option<String>,
        is_looked_at: bool,
    ) -> Self {
        let order = used_by.map(OrderId::printed);
        let said = match &reading {
            None => rules::describe(&comparison, order.as_deref()),
            Some(None) => rules::with_use(Some(rules::BEING_READ.to_owned()), order.as_deref()),
            Some(Some(read)) => rules::with_use(Some(rules::describe_scan(read)), order.as_deref()),
        };
        let is_being_read = reading == Some(None);
        let comparison = reading.flatten().unwrap_or(comparison);
        let is_wrong = rules::is_wrong(comparison.outcome, used_by.is_some());
        Self {
            document_id,
            outcome: comparison.outcome,
            said,
            fields: comparison.differing,
            used_by,
            // A member who gave a reason has reviewed the visa.
            is_open: is_wrong && !is_looked_at && reason.is_none(),
            reason,
            is_being_read,
        }
    }
}

fn say(comparison: &Comparison, used_by: Option<OrderId>) -> Option<String> {
    rules::describe(comparison, used_by.map(OrderId::printed).as_deref())
}

/// An uploaded visa, before its transaction.
#[derive(Clone)]
pub struct Uploaded {
    pub order_id: OrderId,
    /// Its digest, in hexadecimal digits.
    pub sha256: String,
    /// Its text; empty if it has none.
    pub text: String,
    /// The reason to deliver it although it differs.
    pub reason: Option<String>,
    /// Its pages can be read if it has no text.
    pub is_readable: bool,
}

impl Uploaded {
    /// Reads the text of a visa that was just stored. None: visas are not compared.
    pub async fn read(
        room: &Casework,
        order_id: OrderId,
        stored: &StoredFile,
        content: bytes::Bytes,
        reason: Option<String>,
    ) -> Result<Option<Self>> {
        if room.config.delivery.check == DeliveryCheck::Off {
            return Ok(None);
        }
        let text = match stored.media_type {
            MediaType::Pdf => room.texts.read(content).await?,
            MediaType::Jpeg | MediaType::Png | MediaType::Webp | MediaType::Gif => String::new(),
        };
        let is_readable = room.config.checks.enabled && ocr::find(&room.config.checks.tesseract).is_some();
        Ok(Some(Self { order_id, sha256: stored.stored.sha256.clone(), text, reason, is_readable }))
    }

    /// Compares it with its order.
    pub fn compare(&self, conn: &mut Conn) -> Result<NewDelivery> {
        let expected = store::find_expected(conn, self.order_id)?;
        Ok(NewDelivery {
            order_id: self.order_id,
            comparison: rules::compare(&self.text, &expected),
            used_by: documents::find_visa_elsewhere(conn, self.order_id, &self.sha256)?,
            reason: self.reason.clone(),
            is_to_be_read: self.is_readable && !rules::has_text(&self.text) && !expected.is_empty(),
        })
    }
}

/// Holds a visa back that differs, if the settings say so and no reason is good enough.
///
/// # Errors
/// [`DeliveryError::VisaDiffers`] or [`DeliveryError::VisaNeedsSecondPerson`]
pub async fn hold(room: &Casework, uploaded: &Uploaded, staff: &Staff, now: Timestamp) -> Result<()> {
    if room.config.delivery.check != DeliveryCheck::Hold {
        return Ok(());
    }
    let (uploaded, second_person) = (uploaded.clone(), room.config.delivery.second_person);
    let (staff, by) = (staff.id, Actor::from(staff));
    let held = room.db.write(move |tx| {
        let found = uploaded.compare(tx)?;
        if !found.is_wrong() {
            return Ok(None);
        }
        let said = say(&found.comparison, found.used_by).unwrap_or_default();
        let fields = found.comparison.differing.iter().map(|field| field.as_str()).collect();
        let used_by = found.used_by.map(|order| order.0);
        let is_second = !second_person || store::was_held_from_another(tx, uploaded.order_id, &uploaded.sha256, staff)?;
        let refusal = match (&uploaded.reason, is_second) {
            (Some(_), true) => return Ok(None),
            (None, _) => DeliveryError::VisaDiffers { said: said.clone(), fields, used_by },
            (Some(_), false) => DeliveryError::VisaNeedsSecondPerson { said: said.clone(), fields, used_by },
        };
        store::hold(tx, uploaded.order_id, &uploaded.sha256, staff, now)?;
        let change = Change { action: "visa.hold", order_id: Some(uploaded.order_id), before: None, after: Some(said) };
        audit::add(tx, &by, &[change], now)?;
        Ok(Some(refusal))
    });
    held.await?.map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// The audit row about a visa at which somebody has to look, or had to.
pub fn noted(found: &NewDelivery) -> Option<Change> {
    let said = say(&found.comparison, found.used_by).filter(|_| found.is_wrong())?;
    let after = match &found.reason {
        Some(reason) => format!("{said}. Reason: {reason}"),
        None => said,
    };
    Some(Change { action: "visa.check", order_id: Some(found.order_id), before: None, after: Some(after) })
}

/// The visa that somebody has looked at.
#[derive(Deserialize, ToSchema)]
pub struct LookAtVisa {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The visa's number, as the details list it.
    document_id: i64,
}

/// Note that a member has looked at what the check of a visa found
#[utoipa::path(post, path = "/admin/look-at-visa", request_body = LookAtVisa, responses((status = 200, body = Done)))]
pub async fn look_at_visa(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(LookAtVisa { order_id, document_id }): Json<LookAtVisa>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    idempotent
        .write(&room.db, move |tx| {
            lock_orders(tx, &[order_id])?;
            if !store::look(tx, order_id, document_id, staff.id, now)? {
                return Err(DeliveryError::NothingToLookAt.into());
            }
            let change = Change { action: "visa.look", order_id: Some(order_id), before: None, after: None };
            audit::add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done("Noted that you have looked at the visa"))
        })
        .await
}
