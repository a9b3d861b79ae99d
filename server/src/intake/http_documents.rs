//! The sales site's call for an applicant's document. The file is stored before its row.

use std::sync::Arc;

use axum::extract::State;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::Intake;
use super::authentication::SalesSite;
use super::errors::IntakeError;
use super::wire::{DocumentReference, document_reference};
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::documents::forms::UploadRequest;
use crate::documents::store::{self, NewDocument};
use crate::documents::storing::{Upload, as_it_is};
use crate::documents::{forms, rules};
use crate::error::Result;
use crate::http::answer::{Found, StoredResponse};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Path;
use crate::ids::OrderId;
use crate::orders::sources;
use crate::papers::store as papers;

/// The parts of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the contract uses it")]
pub struct AddDocument {
    /// A PDF, or a JPEG, PNG, WEBP or GIF image of at most 20 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Add a document to an order. The kind is `passport_picture`, `upload_picture` or a document of the catalogue.
#[utoipa::path(
    post, path = "/intake/orders/{id}/documents/{kind}",
    params(
        ("id" = OrderId, Path, description = "The order: plain, printed or encoded"),
        ("kind" = String, Path, description = "What the file is, such as `bank_statement`"),
    ),
    request_body(content = AddDocument, content_type = "multipart/form-data"),
    responses((status = 200, body = Found<DocumentReference>))
)]
pub async fn add_document(
    State(room): State<Arc<Intake>>,
    site: SalesSite,
    idempotent: IdempotentRequest,
    Path((order_id, kind)): Path<(OrderId, String)>,
    request: UploadRequest,
) -> Result<StoredResponse> {
    let kind = rules::applicants_kind(&kind)?.to_owned();
    let form = forms::read(&room.documents, request, "file", &[]).await?;
    let file = form.file.ok_or(IntakeError::DocumentFileMissing)?;
    let (now, limits, source) = (room.clock.now(), room.config.limits.clone(), site.source_id);

    let idempotent = idempotent.with_content(
        &Sha256::new().chain_update(order_id.encoded()).chain_update(&kind).chain_update(file.sha256).finalize(),
    );
    let upload = Upload { documents: &room.documents, db: &room.db, idempotent, file };
    let by = Actor::from(&site);
    let prepare = move |conn: &mut Conn| {
        sources::check_visible(conn, order_id, source)?;
        store::find_usage(conn, order_id).map(drop)
    };
    let outcome = upload.take(prepare, as_it_is, move |tx, file, ()| {
        rules::check_quota(store::usage(tx, order_id)?, file.stored.size_bytes, &limits)?;
        let new = NewDocument { order_id, kind: kind.clone(), file: file.clone(), uploaded_by: None };
        let document_id = store::add(tx, &new, &by, now)?;
        let is_checked = papers::request(tx, order_id, document_id, &kind, now)?;
        let change = Change::of("document.take-in").order(order_id).after(kind.clone());
        audit::add(tx, &by, &[change], now)?;
        Ok(document_reference(order_id, is_checked))
    });
    let outcome = outcome.await;
    room.papers.notify.notify_one();
    outcome
}
