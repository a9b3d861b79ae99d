//! The sales site's call for an applicant's document. The file is stored before its row.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::{Request, State};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::Intake;
use super::authentication::SalesSite;
use super::errors::IntakeError;
use super::wire::{DocumentReference, document_reference};
use crate::audit::store::{self as audit, Actor, Change};
use crate::documents::store::{self, NewDocument};
use crate::documents::storing::{self, remove_unnamed};
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
    request: Request,
) -> Result<StoredResponse> {
    let kind = rules::applicants_kind(&kind)?.to_owned();
    let form = forms::read(&room.documents, request, "file", &[]).await?;
    let file = form.file.ok_or(IntakeError::DocumentFileMissing)?;
    let (now, limits, source) = (room.clock.now(), room.config.limits.clone(), site.source_id);

    let idempotent = idempotent.with_content(
        &Sha256::new().chain_update(order_id.encoded()).chain_update(&kind).chain_update(file.sha256).finalize(),
    );
    let prepared = idempotent.prepare(&room.db, move |conn| {
        sources::check_visible(conn, order_id, source)?;
        store::find_usage(conn, order_id)
    });
    if let ControlFlow::Break(response) = prepared.await? {
        return Ok(response);
    }
    let stored = storing::store_file(&room.documents, &file).await?;
    drop(file);
    let (key, bytes) = (stored.stored.key.clone(), stored.stored.size_bytes);
    let new = NewDocument { order_id, kind, file: stored, uploaded_by: None };
    let by = Actor::from(&site);
    let outcome = idempotent
        .write(&room.db, move |tx| {
            rules::check_quota(store::usage(tx, order_id)?, bytes, &limits)?;
            let document_id = store::add(tx, &new, now)?;
            let is_checked = papers::request(tx, order_id, document_id, &new.kind, now)?;
            let change = Change {
                action: "document.take-in",
                order_id: Some(order_id),
                after: Some(new.kind.clone()),
                ..Change::default()
            };
            audit::add(tx, &by, &[change], now)?;
            Ok(document_reference(order_id, is_checked))
        })
        .await;
    room.papers.notify.notify_one();
    remove_unnamed(&room.documents, key).await;
    outcome
}
