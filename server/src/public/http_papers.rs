//! The applicant sends the papers that staff asked for, and those that are missing. Each place takes one kind of paper, and only while it is
//! asked for or missing (decision 32).

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Public;
use super::errors::PublicError;
use super::http::own_order;
use super::orders;
use super::rules::taken_unasked;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::documents::forms;
use crate::documents::forms::UploadRequest;
use crate::documents::rules::{check_quota, stored_kind};
use crate::documents::store::{self as documents, NewDocument};
use crate::documents::storing::{Upload, as_it_is};
use crate::error::Result;
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::paper_requests::errors::PaperRequestError;
use crate::paper_requests::returning::{self, return_if_complete};
use crate::paper_requests::rules::{ItemState, MAX_UPLOADS};
use crate::paper_requests::store::{self, Item};
use crate::paper_requests::unasked::{self, UnaskedDocument};
use crate::papers::store as papers;
use crate::tracking::grants::Visitor;

pub fn endpoints() -> OpenApiRouter<Arc<Public>> {
    OpenApiRouter::new().routes(call!(upload_paper)).routes(call!(send_paper_anyway))
}

/// The name in the audit of those who send papers.
const ACTOR: &str = "applicant";

/// The purpose of a document that an applicant sends.
enum PaperPlace {
    /// A member asked for it.
    Asked(Item),
    /// The page says that it is missing. None: nothing was sent yet.
    Missing(Option<UnaskedDocument>),
}

impl PaperPlace {
    /// The place for a document of that kind.
    fn find(conn: &mut Conn, order_id: OrderId, kind: &str) -> Result<Self> {
        let (order, _) = orders::find(conn, order_id)?.ok_or(PublicError::ApplicationNotFound)?;
        let open = store::find_open(conn, order_id)?.filter(|_| order.process_status.waits_for_applicant());
        if let Some(item) = open.and_then(|(_, items)| items.into_iter().find(|item| item.kind == kind)) {
            return Ok(Self::Asked(item));
        }
        let not_asked = PaperRequestError::PaperNotAskedFor;
        let document = taken_unasked(&order).find(|document| document.key == kind).ok_or(not_asked)?;
        match unasked::list(conn, order_id)?.into_iter().find(|sent| sent.kind == kind) {
            Some(sent) => Ok(Self::Missing(Some(sent))),
            None if document.is_missing(&documents::list_kinds(conn, order_id)?) => Ok(Self::Missing(None)),
            None => Err(PaperRequestError::PaperNotAskedFor.into()),
        }
    }

    /// [`PaperPlace::find`], if another file may be sent there.
    fn find_open(conn: &mut Conn, order_id: OrderId, kind: &str) -> Result<Self> {
        let place = Self::find(conn, order_id, kind)?;
        let uploads = match &place {
            Self::Asked(item) => item.uploads,
            // It was received, and is not missing any more.
            Self::Missing(Some(sent)) if sent.state == ItemState::In => {
                return Err(PaperRequestError::PaperNotAskedFor.into());
            }
            Self::Missing(sent) => sent.as_ref().map_or(0, |sent| sent.uploads),
        };
        if uploads >= MAX_UPLOADS {
            return Err(PaperRequestError::TooManyUploads(MAX_UPLOADS).into());
        }
        Ok(place)
    }

    fn state(&self) -> ItemState {
        match self {
            Self::Asked(item) => item.state,
            Self::Missing(sent) => sent.as_ref().map_or(ItemState::Asked, |sent| sent.state),
        }
    }
}

/// A paper of the applicant.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "only the contract uses it")]
pub struct UploadPaper {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: OrderId,
    /// The document of the catalogue that was asked for or is missing, such as `recent_photo`.
    kind: String,
    /// A PDF, or a JPEG, PNG, WEBP or GIF image of at most 20 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Send a paper that was asked for, or that the page says is missing. It is checked at once; the history says what the check finds.
///
/// An order that does not wait for its applicant stays where it is.
#[utoipa::path(post, path = "/front/upload-paper",
    request_body(content = UploadPaper, content_type = "multipart/form-data"),
    responses((status = 200, body = Done)))]
pub async fn upload_paper(
    State(room): State<Arc<Public>>,
    visitor: Visitor,
    idempotent: IdempotentRequest,
    request: UploadRequest,
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
    let upload = Upload { documents: &room.documents, db: &room.db, idempotent, file };
    let wanted = kind.clone();
    let prepare = move |conn: &mut Conn| PaperPlace::find_open(conn, order_id, &wanted).map(drop);
    let outcome = upload.take(prepare, as_it_is, move |tx, file, ()| {
        check_quota(documents::usage(tx, order_id)?, file.stored.size_bytes, &limits)?;
        let (by, place) = (Actor::program(ACTOR), PaperPlace::find_open(tx, order_id, &kind)?);
        let stored_kind = stored_kind(&kind).to_owned();
        let new = NewDocument { order_id, kind: stored_kind, file: file.clone(), uploaded_by: None };
        let document_id = documents::add(tx, &new, &by, now)?;
        let is_checked = papers::request(tx, order_id, document_id, &new.kind, now)?;
        let change = Change::of("paper.send").order(order_id).after(kind.clone());
        add(tx, &by, &[change], now)?;
        match place {
            PaperPlace::Asked(item) => {
                store::note_upload(tx, &item, document_id, is_checked, now)?;
                return_if_complete(tx, &lifecycle, order_id, &cause)?;
            }
            // The order stays as it is: what a member has just done to it can still be undone.
            PaperPlace::Missing(_) => unasked::note_upload(tx, order_id, &kind, document_id, is_checked, now)?,
        }
        Ok(done("We have received your file"))
    });
    let outcome = outcome.await;
    room.papers.notify.notify_one();
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
            let place = PaperPlace::find(tx, order_id, &body.kind)?;
            if place.state() == ItemState::Asked {
                return Err(PaperRequestError::PaperFileMissing.into());
            }
            if place.state() != ItemState::In {
                match &place {
                    PaperPlace::Asked(item) => store::accept(tx, item, now)?,
                    PaperPlace::Missing(_) => unasked::accept(tx, order_id, &body.kind)?,
                }
                let change = Change::of("paper.send_anyway").order(order_id).after(body.kind.clone());
                add(tx, &Actor::program(ACTOR), &[change], now)?;
                return_if_complete(tx, &lifecycle, order_id, &cause)?;
            }
            Ok(done("We have received your file"))
        })
        .await
}
