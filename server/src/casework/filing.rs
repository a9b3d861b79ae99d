//! Files an order's application: records the portal's number and moves the order to Awaiting Govt. Records that the portal refused it.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::{Request, State};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Casework;
use super::selection::find_all;
use super::undo::{OrdersChanged, record};
use crate::audit::store::{Change, add};
use crate::db::Conn;
use crate::documents::forms::{self, Form};
use crate::documents::kinds::FILING_RECEIPT;
use crate::documents::rules as documents_rules;
use crate::documents::store::{self as documents, NewDocument};
use crate::documents::storing::{remove_unnamed, store_file};
use crate::error::Result;
use crate::filing::attached;
use crate::filing::errors::FilingError;
use crate::filing::rules::{self, AfterRefusal, FilingOutcome};
use crate::filing::store::{self, Closed, NewFiling};
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::ids::OrderId;
use crate::lifecycle::change::To;
use crate::money::Money;
use crate::orders::errors::OrderError;
use crate::orders::moves;
use crate::orders::rules::changes::check_status;
use crate::orders::rules::remarks::reason_text;
use crate::orders::rules::undo::ChangeKind;
use crate::orders::status::ProcessStatus;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(routes!(file_application)).routes(routes!(refuse_application))
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
    /// The receipt of the fee: a PDF or an image of at most 20 MB.
    #[schema(value_type = Option<String>, format = Binary)]
    receipt: Option<Vec<u8>>,
}

/// The text fields of the form.
const TEXTS: [&str; 4] = ["orderId", "applicationNumber", "feeAmount", "feeCurrency"];

struct Fields {
    order_id: OrderId,
    number: String,
    fee: Option<Money>,
}

impl Fields {
    fn read(form: &Form) -> Result<Self> {
        Ok(Self {
            order_id: OrderId::parse(form.text("orderId")).ok_or(OrderError::OrderNotFound)?,
            number: rules::read_number(form.text("applicationNumber"))?,
            fee: rules::read_fee(form.text("feeAmount"), form.text("feeCurrency"))?,
        })
    }

    /// Equal for two forms with the same content.
    fn digest(&self, receipt: &[u8]) -> Vec<u8> {
        let fee = self.fee.map(|fee| fee.to_string()).unwrap_or_default();
        let texts = [self.order_id.encoded(), self.number.clone(), fee].join("\n");
        Sha256::new().chain_update(texts).chain_update("\n").chain_update(receipt).finalize().to_vec()
    }
}

/// Record that an application was filed, and move its order to Awaiting Govt. All or nothing.
///
/// With the portal's number, and the fee and its receipt if they are known. An order that was moved back and is filed under another number
/// has only the new one.
#[utoipa::path(post, path = "/admin/file-application",
    request_body(content = FileApplication, content_type = "multipart/form-data"),
    responses((status = 200, body = OrdersChanged)))]
pub async fn file_application(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    request: Request,
) -> Result<StoredResponse> {
    let form = forms::read(&room.documents, request, "receipt", &TEXTS).await?;
    let fields = Fields::read(&form)?;
    let (lifecycle, limits) = (room.lifecycle.clone(), room.config.limits.clone());
    let cause = lifecycle.cause(&staff, "order.move");
    let (now, today) = (cause.now, cause.today);
    let file = form.file;
    let digest = fields.digest(file.as_ref().map_or(&[][..], |file| &file.sha256));
    let idempotent = idempotent.with_content(&digest);

    // Before the receipt is inspected: refused requests must not use up the inspection's capacity.
    let (order_id, staff_id, early, has_file) = (fields.order_id, staff.id, limits.clone(), file.is_some());
    let number = fields.number.clone();
    let prepared = idempotent.prepare(&room.db, move |conn| {
        if has_file {
            let uploaded = documents::count_by(conn, staff_id, now - documents_rules::MEMBERS_DAY)?;
            documents_rules::check_member(uploaded, &early)?;
        }
        let states = moves::list(conn, &[order_id])?;
        let state = states.first().ok_or(OrderError::OrderNotFound)?;
        let open = store::find_open(conn, order_id)?;
        rules::check_file(state, open.as_ref().map(|open| open.application_number.as_str()))?;
        check_number(conn, &number, order_id)
    });
    if let ControlFlow::Break(response) = prepared.await? {
        return Ok(response);
    }
    let receipt = match &file {
        Some(file) => Some(store_file(&room.documents, file).await?),
        None => None,
    };
    drop(file);
    let key = receipt.as_ref().map(|receipt| receipt.stored.key.clone());
    let outcome = idempotent
        .write(&room.db, move |tx| {
            let orders = find_all(tx, &[order_id])?;
            let state = orders.first().ok_or(OrderError::OrderNotFound)?;
            let open = store::find_open(tx, order_id)?;
            rules::check_file(state, open.as_ref().map(|open| open.application_number.as_str()))?;
            check_status(&staff, ProcessStatus::AwaitingGovt, None, today, state)?;
            check_number(tx, &fields.number, order_id)?;
            let receipt_id = match &receipt {
                Some(file) => {
                    documents_rules::check_quota(documents::usage(tx, order_id)?, file.stored.size_bytes, &limits)?;
                    let uploaded = documents::count_by(tx, staff.id, now - documents_rules::MEMBERS_DAY)?;
                    documents_rules::check_member(uploaded, &limits)?;
                    let kind = FILING_RECEIPT.to_owned();
                    let new = NewDocument { order_id, kind, file: file.clone(), uploaded_by: Some(staff.id) };
                    Some(documents::add(tx, &new, now)?)
                }
                None => None,
            };
            if let Some(open) = &open {
                let replaced = Closed { outcome: FilingOutcome::Replaced, reason: None, by: staff.id };
                store::close(tx, open.filing_id, &replaced, now)?;
            }
            let new = NewFiling {
                order_id,
                application_number: fields.number.clone(),
                fee: fields.fee,
                receipt_id,
                filed_by: staff.id,
            };
            let taken = || FilingError::ApplicationNumberTaken { number: fields.number.clone(), order_id: None };
            let filed_id = store::add(tx, &new, now)?.ok_or_else(taken)?;
            // Before the move, which is undone only while it is the last change of the order.
            let filed = Change {
                action: "filing.file",
                order_id: Some(order_id),
                before: open.as_ref().map(|open| open.application_number.clone()),
                after: Some(described(&fields)),
            };
            add(tx, &cause.by, &[filed], now)?;
            let (changed, undo) = if state.process_status == ProcessStatus::AwaitingGovt {
                (0, None)
            } else {
                let mut made = lifecycle.change(tx, &orders, |_| To::Status(ProcessStatus::AwaitingGovt), &cause)?;
                let replaced_id = open.map(|open| open.filing_id);
                made.keep(order_id, attached::NAME, attached::kept(filed_id, replaced_id));
                record(tx, &staff, ChangeKind::Status, &made, &orders, &cause)?
            };
            let message = format!("Order {order_id} has been filed as application {}", fields.number);
            Ok(OrdersChanged { status: 1, message, changed, undo })
        })
        .await;
    if let Some(key) = key {
        remove_unnamed(&room.documents, key).await;
    }
    outcome
}

/// Refuses a number that another order has.
fn check_number(conn: &mut Conn, number: &str, order_id: OrderId) -> Result<()> {
    match store::find_elsewhere(conn, number, order_id)? {
        None => Ok(()),
        other => Err(FilingError::ApplicationNumberTaken { number: number.to_owned(), order_id: other }.into()),
    }
}

fn described(Fields { number, fee, .. }: &Fields) -> String {
    match fee {
        Some(fee) => format!("{number}, {fee}"),
        None => number.clone(),
    }
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
}

/// Record that the portal refused the open application of an order, and move the order: to New, to be filed again, or to Refunds.
#[utoipa::path(post, path = "/admin/refuse-application", request_body = RefuseApplication,
    responses((status = 200, body = Done)))]
pub async fn refuse_application(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<RefuseApplication>,
) -> Result<StoredResponse> {
    let RefuseApplication { order_id, reason, then } = body;
    let reason = reason_text(&reason)?;
    let lifecycle = room.lifecycle.clone();
    let cause = lifecycle.cause(&staff, "order.move");
    let (now, today) = (cause.now, cause.today);
    idempotent
        .write(&room.db, move |tx| {
            let states = find_all(tx, &[order_id])?;
            let state = states.first().ok_or(OrderError::OrderNotFound)?;
            let open = store::find_open(tx, order_id)?;
            rules::check_refuse(state, open.is_some())?;
            let open = open.ok_or(FilingError::NoOpenApplication { order_id })?;
            let to = then.status();
            check_status(&staff, to, None, today, state)?;
            let closed = Closed { outcome: then.into(), reason: Some(reason.clone()), by: staff.id };
            store::close(tx, open.filing_id, &closed, now)?;
            let refused = Change {
                action: "filing.refuse",
                order_id: Some(order_id),
                before: Some(open.application_number),
                after: Some(format!("{then}: {reason}")),
            };
            // Without an undo: a closed application does not open again.
            add(tx, &cause.by, &[refused], now)?;
            lifecycle.change(tx, &states, |_| To::Status(to), &cause)?;
            Ok(done(format!("Order {order_id} has been moved to {} successfully", to.label())))
        })
        .await
}
