//! Files an order's application: records the portal's number and moves the order to Awaiting Govt. Records that the portal refused it.

use std::sync::Arc;

use axum::extract::State;
use chrono_tz::Tz;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::FilingRoom;
use super::attached;
use super::claims;
use super::errors::FilingError;
use super::rules::{self, AfterRefusal, FilingOutcome};
use super::store::{self, Filing, FilingEnd, NewFiling};
use crate::audit::store::{Change, add};
use crate::config::Limits;
use crate::db::Conn;
use crate::documents::errors::MemberUploadLimit;
use crate::documents::forms::UploadRequest;
use crate::documents::forms::{self, Form};
use crate::documents::kinds::FILING_RECEIPT;
use crate::documents::rules::{self as documents_rules, StoredFile};
use crate::documents::store::{self as documents, CountFiles, NewDocument};
use crate::documents::storing::{Upload, as_it_is};
use crate::error::{Permission, Result};
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::lifecycle::undoable::{OrdersChanged, record};
use crate::money::Money;
use crate::orders::errors::OrderError;
use crate::orders::moves;
use crate::orders::rules::OrderState;
use crate::orders::rules::changes::check_status;
use crate::orders::rules::remarks::reason_text;
use crate::orders::rules::undo::ChangeKind;
use crate::orders::selected::find_all;
use crate::orders::status::ProcessStatus;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<FilingRoom>> {
    OpenApiRouter::new().routes(call!(file_application)).routes(call!(refuse_application))
}

/// The parts of the portal's answer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the contract reads it")]
pub struct FileApplication {
    /// Plain, printed or encoded.
    #[schema(rename = "orderId")]
    order_id: String,
    /// The number that the portal gave the application: 3 to 40 letters, digits, dashes, slashes or dots.
    #[schema(rename = "applicationNumber")]
    application_number: String,
    /// The fee that was paid, as a decimal number such as 1500000.00; empty: not known.
    #[schema(rename = "feeAmount")]
    fee_amount: Option<String>,
    /// The currency of the fee, such as IDR.
    #[schema(rename = "feeCurrency")]
    fee_currency: Option<String>,
    /// `true`: the order is filed already, and this application was filed and paid as well. Absent or empty: it is the only one.
    #[schema(rename = "isSecond")]
    is_second: Option<String>,
    /// `true`: the caller has claimed the order with `claim-filing`; refused if that is no longer so. Absent or empty: not checked.
    #[schema(rename = "isClaimed")]
    is_claimed: Option<String>,
    /// The receipt of the fee: a PDF or an image of at most 20 MB.
    #[schema(value_type = Option<String>, format = Binary)]
    receipt: Option<Vec<u8>>,
}

/// The text fields of the form.
const TEXTS: [&str; 6] = ["orderId", "applicationNumber", "feeAmount", "feeCurrency", "isSecond", "isClaimed"];

#[derive(Clone)]
struct PortalAnswer {
    order_id: OrderId,
    number: String,
    fee: Option<Money>,
    is_second: bool,
    is_claimed: bool,
}

impl PortalAnswer {
    fn read(form: &Form) -> Result<Self> {
        Ok(Self {
            order_id: OrderId::parse(form.text("orderId")).ok_or(OrderError::OrderNotFound)?,
            number: rules::read_number(form.text("applicationNumber"))?,
            fee: rules::read_fee(form.text("feeAmount"), form.text("feeCurrency"))?,
            is_second: rules::read_flag(form.text("isSecond"), FilingError::InvalidSecond)?,
            is_claimed: rules::read_flag(form.text("isClaimed"), FilingError::InvalidClaim)?,
        })
    }

    /// Refuses an order that takes no such application, and a number that another application has. `filed`: those of the order.
    fn check(&self, conn: &mut Conn, state: &OrderState, filed: &[Filing]) -> Result<()> {
        let current = store::current(filed).map(|current| current.application_number.as_str());
        rules::check_file(state, current, self.is_second)?;
        let has_number = |filing: &Filing| filing.is_open() && filing.application_number == self.number;
        let is_own = self.is_second && filed.iter().any(has_number);
        let elsewhere = store::find_elsewhere(conn, &self.number, self.order_id)?;
        match elsewhere.or(is_own.then_some(self.order_id)) {
            None => Ok(()),
            Some(order_id) => Err(FilingError::ApplicationNumberTaken { number: self.number.clone(), order_id }.into()),
        }
    }

    /// Equal for two forms with the same content.
    fn digest(&self, receipt: &[u8]) -> Vec<u8> {
        let fee = self.fee.map(|fee| fee.to_string()).unwrap_or_default();
        let second = if self.is_second { "\nsecond" } else { "" };
        let texts = [self.order_id.encoded(), self.number.clone(), fee].join("\n") + second;
        Sha256::new().chain_update(texts).chain_update("\n").chain_update(receipt).finalize().to_vec()
    }
}

/// Record that an application was filed, and move its order to Awaiting Govt. All or nothing.
///
/// With the portal's number, and the fee and its receipt if they are known. An order that was moved back and is filed under another number
/// has only the new one. An order that a colleague filed in the meantime is refused with 409 `order_filed_already`: if this application is
/// filed and paid as well, it is recorded with `isSecond`.
#[utoipa::path(post, path = "/admin/file-application",
    request_body(content = FileApplication, content_type = "multipart/form-data"),
    responses((status = 200, body = OrdersChanged)))]
pub async fn file_application(
    State(room): State<Arc<FilingRoom>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    limit: Permission<MemberUploadLimit>,
    request: UploadRequest,
) -> Result<StoredResponse> {
    let form = forms::read(&room.documents, request, "receipt", &TEXTS).await?;
    let fields = PortalAnswer::read(&form)?;
    let (lifecycle, limits) = (room.lifecycle.clone(), room.config.limits.clone());
    let cause = lifecycle.cause(&staff, "order.move");
    let file = form.file;
    let digest = fields.digest(file.as_ref().map_or(&[][..], |file| &file.sha256));
    let idempotent = idempotent.with_content(&digest);
    let filer = Filer { fields, staff, lifecycle, limits, limit, cause, zone: room.config.time_zone };
    let Some(file) = file else {
        return idempotent.write(&room.db, move |tx| filer.file(tx, None)).await;
    };
    let upload = Upload { documents: &room.documents, db: &room.db, idempotent, file };
    let early = filer.clone();
    let prepare = move |conn: &mut Conn| {
        early.check_uploads(conn, documents::count_by)?;
        let states = moves::list(conn, &[early.fields.order_id])?;
        let state = states.first().ok_or(OrderError::OrderNotFound)?;
        let filed = store::list(conn, state.order_id)?;
        early.fields.check(conn, state, &filed)
    };
    upload.take(prepare, as_it_is, move |tx, receipt, ()| filer.file(tx, Some(receipt))).await
}

/// A member who records an application.
#[derive(Clone)]
struct Filer {
    fields: PortalAnswer,
    staff: Staff,
    lifecycle: Arc<Lifecycle>,
    limits: Limits,
    limit: Permission<MemberUploadLimit>,
    cause: Cause,
    /// For the words of a refusal.
    zone: Tz,
}

impl Filer {
    /// Refuses a receipt of a member who has uploaded too many files today. `count` counts them.
    fn check_uploads(&self, conn: &mut Conn, count: CountFiles) -> Result<()> {
        let uploaded = count(conn, self.staff.id, self.cause.now - documents_rules::MEMBERS_DAY)?;
        Ok(documents_rules::check_member(self.limit, uploaded, &self.limits)?)
    }

    /// Records the application and moves its order, which may be there already.
    fn file(&self, tx: &mut Conn, receipt: Option<&StoredFile>) -> Result<OrdersChanged> {
        let Self { fields, staff, lifecycle, cause, .. } = self;
        let (order_id, now) = (fields.order_id, cause.now);
        let orders = moves::lock(tx, &[order_id])?;
        let state = orders.first().ok_or(OrderError::OrderNotFound)?;
        let filed = store::list(tx, order_id)?;
        fields.check(tx, state, &filed)?;
        claims::check_own(tx, order_id, staff, fields.is_claimed, self.zone)?;
        check_status(staff, ProcessStatus::AwaitingGovt, None, cause.today, state)?;
        let receipt_id = receipt.map(|receipt| self.add_receipt(tx, receipt)).transpose()?;
        let current = store::current(&filed);
        let replaced = current.filter(|_| !fields.is_second);
        if let Some(replaced) = replaced {
            let closed = FilingEnd { outcome: FilingOutcome::Replaced, reason: None, by: staff.id };
            store::close(tx, replaced.filing_id, &closed, now)?;
        }
        let new = NewFiling {
            order_id,
            application_number: fields.number.clone(),
            fee: fields.fee,
            receipt_id,
            filed_by: staff.id,
            is_second: fields.is_second,
        };
        let taken = || FilingError::ApplicationNumberTakenNow { number: fields.number.clone() };
        let filed_id = store::add(tx, &new, now)?.ok_or_else(taken)?;
        // Before the move, which is undone only while it is the last change of the order.
        let change = Change::of("filing.file")
            .order(order_id)
            .before(replaced.map(|replaced| replaced.application_number.clone()))
            .after(described(fields));
        add(tx, &cause.by, &[change], now)?;
        if fields.is_second {
            // Counts as a change of the order: the filing of the first application can no longer be undone.
            lifecycle.change(tx, &orders, |order| To::Status(order.process_status), cause)?;
        }
        let (changed, undo) = if state.process_status == ProcessStatus::AwaitingGovt {
            (0, None)
        } else {
            let mut made = lifecycle.change(tx, &orders, |_| To::Status(ProcessStatus::AwaitingGovt), cause)?;
            made.keep(order_id, attached::NAME, attached::kept(filed_id, replaced.map(|replaced| replaced.filing_id)));
            record(tx, staff, ChangeKind::Status, &made, &orders, cause)?
        };
        claims::release(tx, order_id, staff.id)?;
        let message = match current.filter(|_| fields.is_second) {
            Some(current) => format!(
                "Application {} of order {order_id} has been recorded beside {}",
                fields.number, current.application_number
            ),
            None => format!("Order {order_id} has been filed as application {}", fields.number),
        };
        Ok(OrdersChanged { status: 1, message, changed, undo })
    }

    fn add_receipt(&self, tx: &mut Conn, receipt: &StoredFile) -> Result<i64> {
        let order_id = self.fields.order_id;
        let usage = documents::usage(tx, order_id)?;
        documents_rules::check_quota(usage, receipt.stored.size_bytes, &self.limits)?;
        self.check_uploads(tx, documents::count_to_add)?;
        let kind = FILING_RECEIPT.to_owned();
        let new = NewDocument { order_id, kind, file: receipt.clone(), uploaded_by: Some(self.staff.id) };
        documents::add(tx, &new, &self.cause.by, self.cause.now)
    }
}

fn described(PortalAnswer { number, fee, is_second, .. }: &PortalAnswer) -> String {
    let fee = fee.map(|fee| format!(", {fee}")).unwrap_or_default();
    let second = if *is_second { ", as a second application" } else { "" };
    format!("{number}{fee}{second}")
}

/// An application that the portal refused.
#[derive(Deserialize, ToSchema)]
pub struct RefuseApplication {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// Why the portal refused it.
    reason: String,
    /// The next step for the order.
    then: AfterRefusal,
    /// The number of the application that was refused; null: the current one.
    #[serde(rename = "applicationNumber")]
    application_number: Option<String>,
}

/// Record that the portal refused an open application of an order, and move the order: to New, to be filed again, or to Refunds. While
/// another application of it is open, an order that is to be filed again stays in Awaiting Govt.
#[utoipa::path(post, path = "/admin/refuse-application", request_body = RefuseApplication,
    responses((status = 200, body = Done)))]
pub async fn refuse_application(
    State(room): State<Arc<FilingRoom>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<RefuseApplication>,
) -> Result<StoredResponse> {
    let RefuseApplication { order_id, reason, then, application_number } = body;
    let reason = reason_text(&reason)?;
    let lifecycle = room.lifecycle.clone();
    let cause = lifecycle.cause(&staff, "order.move");
    let (now, today) = (cause.now, cause.today);
    idempotent
        .write(&room.db, move |tx| {
            let states = find_all(tx, &[order_id])?;
            let state = states.first().ok_or(OrderError::OrderNotFound)?;
            let filed = store::list(tx, order_id)?;
            let refused = match &application_number {
                Some(number) => filed.iter().find(|one| one.is_open() && one.application_number == *number),
                None => store::current(&filed),
            };
            rules::check_refuse(state, refused.is_some())?;
            let refused = refused.ok_or(FilingError::NoOpenApplication { order_id })?;
            let other = filed.iter().find(|one| one.is_open() && one.filing_id != refused.filing_id);
            let to = rules::status_after_refusal(then, other.is_some());
            check_status(&staff, to, None, today, state)?;
            let closed = FilingEnd { outcome: then.into(), reason: Some(reason.clone()), by: staff.id };
            store::close(tx, refused.filing_id, &closed, now)?;
            let change = Change::of("filing.refuse")
                .order(order_id)
                .before(refused.application_number.clone())
                .after(format!("{then}: {reason}"));
            // Without an undo: a closed application does not open again.
            add(tx, &cause.by, &[change], now)?;
            lifecycle.change(tx, &states, |_| To::Status(to), &cause)?;
            Ok(done(match other.filter(|_| to == state.process_status) {
                Some(other) => format!(
                    "Order {order_id} stays in {}: its application {} is open",
                    to.label(),
                    other.application_number
                ),
                None => format!("Order {order_id} has been moved to {} successfully", to.label()),
            }))
        })
        .await
}
