//! The applicant sends the papers that staff asked for. Each place takes one kind of paper, and only while it is asked for.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::{Request, State};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Public;
use super::errors::PublicError;
use super::http::own_order;
use super::orders;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::documents::forms;
use crate::documents::rules::{check_quota, stored_kind};
use crate::documents::store::{self as documents, NewDocument};
use crate::documents::storing::{self, remove_unnamed};
use crate::error::Result;
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::paper_requests::errors::PaperRequestError;
use crate::paper_requests::returning::{self, return_if_complete};
use crate::paper_requests::rules::{ItemState, MAX_UPLOADS};
use crate::paper_requests::store::{self, Item};
use crate::papers::store as papers;
use crate::tracking::grants::Visitor;

pub fn endpoints() -> OpenApiRouter<Arc<Public>> {
    OpenApiRouter::new().routes(routes!(upload_paper)).routes(routes!(send_paper_anyway))
}

/// The name in the audit of those who send papers.
const ACTOR: &str = "applicant";

/// The open item of that kind, while the order waits for its applicant.
fn find_item(conn: &mut Conn, order_id: OrderId, kind: &str) -> Result<Item> {
    let (order, _) = orders::find(conn, order_id)?.ok_or(PublicError::ApplicationNotFound)?;
    let open = store::find_open(conn, order_id)?.filter(|_| order.process_status.waits_for_applicant());
    let item = open.and_then(|(_, items)| items.into_iter().find(|item| item.kind == kind));
    item.ok_or_else(|| PaperRequestError::PaperNotAskedFor.into())
}

/// [`find_item`], if another file may be sent for it.
fn find_place(conn: &mut Conn, order_id: OrderId, kind: &str) -> Result<Item> {
    let item = find_item(conn, order_id, kind)?;
    if item.uploads >= MAX_UPLOADS {
        return Err(PaperRequestError::TooManyUploads(MAX_UPLOADS).into());
    }
    Ok(item)
}

/// A paper that was asked for.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "only the contract uses it")]
pub struct UploadPaper {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: OrderId,
    /// The document of the catalogue that was asked for, such as `recent_photo`.
    kind: String,
    /// A PDF, or a JPEG, PNG, WEBP or GIF image of at most 20 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Send a paper that was asked for. It is checked at once; the history says what the check finds.
#[utoipa::path(post, path = "/front/upload-paper",
    request_body(content = UploadPaper, content_type = "multipart/form-data"),
    responses((status = 200, body = Done)))]
pub async fn upload_paper(
    State(room): State<Arc<Public>>,
    visitor: Visitor,
    idempotent: IdempotentRequest,
    request: Request,
) -> Result<StoredResponse> {
    let form = forms::read(&room.documents, request, "file", &["orderId", "kind"]).await?;
    let order_id = own_order(&visitor, Some(&Value::from(form.text("orderId"))))?;
    let kind = form.text("kind").to_owned();
    let file = form.file.ok_or(PaperRequestError::PaperFileMissing)?;
    let (lifecycle, limits) = (room.lifecycle.clone(), room.config.limits.clone());
    let cause = lifecycle.cause(Actor::program(returning::ACTOR), "order.move");
    let now = cause.now;
    let digest = Sha256::new().chain_update(order_id.encoded()).chain_update(&kind).chain_update(file.sha256);
    let idempotent = idempotent.with_content(&digest.finalize());
    // Before the file is inspected: refused uploads must not use up the inspection's capacity.
    let wanted = kind.clone();
    let prepared = idempotent.prepare(&room.db, move |conn| find_place(conn, order_id, &wanted));
    if let ControlFlow::Break(response) = prepared.await? {
        return Ok(response);
    }
    let stored = storing::store_file(&room.documents, &file).await?;
    drop(file);
    let (key, bytes) = (stored.stored.key.clone(), stored.stored.size_bytes);
    let new = NewDocument { order_id, kind: stored_kind(&kind).to_owned(), file: stored, uploaded_by: None };
    let outcome = idempotent
        .write(&room.db, move |tx| {
            check_quota(documents::usage(tx, order_id)?, bytes, &limits)?;
            let item = find_place(tx, order_id, &kind)?;
            let document_id = documents::add(tx, &new, now)?;
            let is_checked = papers::request(tx, order_id, document_id, &new.kind, now)?;
            store::note_upload(tx, &item, document_id, is_checked, now)?;
            let change =
                Change { action: "paper.send", order_id: Some(order_id), before: None, after: Some(kind.clone()) };
            add(tx, &Actor::program(ACTOR), &[change], now)?;
            return_if_complete(tx, &lifecycle, order_id, &cause)?;
            Ok(done("We have received your file"))
        })
        .await;
    room.papers.notify.notify_one();
    remove_unnamed(&room.documents, key).await;
    outcome
}

/// A paper that is to be taken as it was sent.
#[derive(Deserialize, ToSchema)]
pub struct SendPaperAnyway {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
    /// The document of the catalogue, such as `recent_photo`.
    kind: String,
}

/// Send a paper all the same, in which the check found faults. Staff will look at it.
#[utoipa::path(post, path = "/front/send-paper-anyway", request_body = SendPaperAnyway, responses((status = 200, body = Done)))]
pub async fn send_paper_anyway(
    State(room): State<Arc<Public>>,
    visitor: Visitor,
    idempotent: IdempotentRequest,
    Json(body): Json<SendPaperAnyway>,
) -> Result<StoredResponse> {
    let (order_id, lifecycle) = (own_order(&visitor, body.order_id.as_ref())?, room.lifecycle.clone());
    let cause = lifecycle.cause(Actor::program(returning::ACTOR), "order.move");
    let now = cause.now;
    idempotent
        .write(&room.db, move |tx| {
            lock_orders(tx, &[order_id])?;
            let item = find_item(tx, order_id, &body.kind)?;
            if item.state == ItemState::Asked {
                return Err(PaperRequestError::PaperFileMissing.into());
            }
            if item.state != ItemState::In {
                store::accept(tx, &item, now)?;
                let change = Change {
                    action: "paper.send_anyway",
                    order_id: Some(order_id),
                    before: None,
                    after: Some(body.kind.clone()),
                };
                add(tx, &Actor::program(ACTOR), &[change], now)?;
                return_if_complete(tx, &lifecycle, order_id, &cause)?;
            }
            Ok(done("We have received your file"))
        })
        .await
}
