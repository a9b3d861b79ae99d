//! The check that an issued visa is that of its order, as it is uploaded.

use serde::Serialize;
use utoipa::ToSchema;

use super::Deliveries;
use super::errors::{DeliveryError, Differences};
use super::rules::{self, Comparison, VisaField, VisaOutcome};
use super::store::{self, Delivery, NewDelivery};
use crate::audit::store::{self as audit, Actor, Change};
use crate::config::{self, DeliveryCheck};
use crate::db::Conn;
use crate::documents::inspection::InspectedFile;
use crate::documents::rules::MediaType;
use crate::documents::store as documents;
use crate::error::Result;
use crate::files::sha256;
use crate::ids::OrderId;
use crate::orders::facts;
use crate::papers::ocr;
use crate::process;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The findings of the check of an issued visa.
#[derive(Serialize, ToSchema)]
pub struct VisaCheck {
    /// The visa's number, to note that a member has checked it.
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
    /// It is not delivered yet: it is being read, or a member has to decide about it.
    pub is_waiting: bool,
}

impl VisaCheck {
    /// Returns the check of a stored visa. `reading` is the result of Tesseract: `None` if the visa has a text, `Some(None)` if it is not read yet.
    pub fn stored(delivery: Delivery, reading: Option<Option<Comparison>>, is_waiting: bool) -> Self {
        let (is_looked_at, comparison) = (delivery.looked_at.is_some(), delivery.comparison());
        let check =
            Self::new(delivery.document_id, comparison, reading, delivery.used_by, delivery.reason, is_looked_at);
        Self { is_waiting, ..check }
    }

    /// Returns the check of a visa that is being stored.
    pub fn of_new(document_id: i64, found: &NewDelivery, is_waiting: bool) -> Self {
        let reading = found.is_to_be_read.then_some(None);
        let check =
            Self::new(document_id, found.comparison.clone(), reading, found.used_by, found.reason.clone(), false);
        Self { is_waiting, ..check }
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
            is_waiting: false,
        }
    }
}

fn say(comparison: &Comparison, used_by: Option<OrderId>) -> Option<String> {
    rules::describe(comparison, used_by.map(OrderId::printed).as_deref())
}

/// An uploaded visa, before its transaction.
#[derive(Clone)]
pub struct UploadedFile {
    order_id: OrderId,
    /// The digests of its content as it is stored and as it came, in hexadecimal digits.
    sha256: String,
    original_sha256: String,
    /// Its text; empty if it has none.
    text: String,
    /// The reason to deliver it although it differs.
    reason: Option<String>,
    /// Its pages can be read if it has no text.
    is_readable: bool,
    check: DeliveryCheck,
    /// The reason of one member is not enough.
    second_person: bool,
}

impl UploadedFile {
    /// Reads the text of a visa. None: visas are not compared.
    pub async fn read(
        room: &Deliveries,
        order_id: OrderId,
        (inspected, original): (&InspectedFile, [u8; 32]),
        reason: Option<String>,
    ) -> Result<Option<Self>> {
        let config::DeliverySettings { check, second_person, .. } = room.config.delivery;
        if check == DeliveryCheck::Off {
            return Ok(None);
        }
        let content = inspected.content.clone();
        let text = match inspected.media_type {
            MediaType::Pdf => room.texts.read(content.clone()).await?,
            MediaType::Jpeg | MediaType::Png | MediaType::Webp | MediaType::Gif => String::new(),
        };
        let sha256 = process::in_background("digest", move || Ok(sha256(&content))).await?;
        let is_readable = room.config.checks.enabled && ocr::find(&room.config.checks.tesseract).is_some();
        let original_sha256 = hex::encode(original);
        Ok(Some(Self { order_id, sha256, original_sha256, text, reason, is_readable, check, second_person }))
    }

    /// Compares it with its order, in the transaction that stores it.
    ///
    /// # Errors
    /// [`DeliveryError::VisaDiffers`], if it became another order's visa since [`refuse`] looked.
    pub fn check(&self, tx: &mut Conn) -> Result<NewDelivery> {
        let found = self.compare(tx)?;
        if self.reason.is_none() && self.is_refused(&found) {
            return Err(DeliveryError::VisaDiffers(differences(tx, &found)?).into());
        }
        Ok(found)
    }

    /// Returns true if it is read before it is delivered. A member who gave a reason has reviewed it, where one person may decide.
    pub fn waits(&self, found: &NewDelivery) -> bool {
        let is_reviewed = self.reason.is_some() && !self.second_person;
        found.is_to_be_read && !is_reviewed && rules::is_read_first(self.check)
    }

    fn compare(&self, conn: &mut Conn) -> Result<NewDelivery> {
        let expected = store::find_expected(conn, self.order_id)?;
        let digests = [self.sha256.clone(), self.original_sha256.clone()];
        Ok(NewDelivery {
            order_id: self.order_id,
            comparison: rules::compare(&self.text, &expected),
            used_by: documents::find_visa_elsewhere(conn, self.order_id, &digests)?,
            reason: self.reason.clone(),
            is_to_be_read: self.is_readable && !rules::has_text(&self.text) && !expected.is_empty(),
        })
    }

    fn is_refused(&self, found: &NewDelivery) -> bool {
        rules::is_refused(self.check, &found.comparison, found.used_by.is_some())
    }
}

/// Describes what was found to differ.
fn differences(conn: &mut Conn, found: &NewDelivery) -> Result<Differences> {
    let other = match found.used_by {
        None => None,
        Some(order_id) => {
            let name = facts::find(conn, order_id)?.map(|(order, _)| order.full_name).unwrap_or_default();
            Some(format!("{} ({name})", order_id.printed()))
        }
    };
    Ok(Differences {
        said: rules::describe(&found.comparison, other.as_deref()).unwrap_or_default(),
        fields: found.comparison.differing.iter().map(|field| field.as_str()).collect(),
        used_by: found.used_by,
    })
}

/// Refuses a visa that differs, if the settings say so and no reason is good enough. What was refused is noted if all differences are, or
/// a second member has to decide.
///
/// # Errors
/// [`DeliveryError::VisaDiffers`] or [`DeliveryError::VisaNeedsSecondPerson`]
pub async fn refuse(room: &Deliveries, uploaded: &UploadedFile, staff: &Staff, now: Timestamp) -> Result<()> {
    let second_person = uploaded.second_person;
    let is_noted = second_person || uploaded.check == DeliveryCheck::Hold;
    let (uploaded, staff, by) = (uploaded.clone(), staff.id, Actor::from(staff));
    let examine = move |conn: &mut Conn| {
        let found = uploaded.compare(conn)?;
        if !uploaded.is_refused(&found) {
            return Ok(None);
        }
        let is_second =
            !second_person || store::was_held_from_another(conn, uploaded.order_id, &uploaded.sha256, staff)?;
        let refuse = match (&uploaded.reason, is_second) {
            (Some(_), true) => return Ok(None),
            (None, _) => DeliveryError::VisaDiffers,
            (Some(_), false) => DeliveryError::VisaNeedsSecondPerson,
        };
        let refusal = refuse(differences(conn, &found)?);
        if is_noted {
            store::hold(conn, uploaded.order_id, &uploaded.sha256, staff, now)?;
            let after = say(&found.comparison, found.used_by);
            let change = Change::of("visa.hold").order(uploaded.order_id).after(after);
            audit::add(conn, &by, &[change], now)?;
        }
        Ok(Some(refusal))
    };
    let refusal = if is_noted { room.db.write(examine).await? } else { room.db.read(examine).await? };
    refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// The audit row about a visa that a member has to check, or had to.
pub fn noted(found: &NewDelivery) -> Option<Change> {
    let said = say(&found.comparison, found.used_by).filter(|_| found.is_wrong())?;
    let after = match &found.reason {
        Some(reason) => format!("{said}. Reason: {reason}"),
        None => said,
    };
    Some(Change::of("visa.check").order(found.order_id).after(after))
}
