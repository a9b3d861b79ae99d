//! The sales site's documents: a file of an applicant, stored before its row.

use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::header;
use bytes::{Bytes, BytesMut};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::http::{TakenIn, taken_in};
use super::keys::SalesSite;
use crate::app::App;
use crate::audit::store::{self as audit, Actor, Change};
use crate::documents::rules::{self, MediaType};
use crate::documents::store::{self, NewDocument};
use crate::error::{Error, Result};
use crate::http::answer::{Found, Kept, Refusals};
use crate::http::idempotency::Once;
use crate::http::json::Path;
use crate::orders::id::OrderId;

/// The parts of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the contract reads it")]
pub struct TakeInDocument {
    /// A PDF, or a JPEG, PNG, WEBP or GIF image of at most 20 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// The most parts of an upload.
const MOST_PARTS: usize = 20;

/// Takes a document in. Its kind is `passport_picture`, `upload_picture` or a document of the catalogue.
#[utoipa::path(
    post, path = "/intake/orders/{id}/documents/{kind}", params(("id" = OrderId, Path), ("kind" = String, Path)),
    request_body(content = TakeInDocument, content_type = "multipart/form-data"),
    responses((status = 200, body = Found<TakenIn>), Refusals)
)]
pub async fn take_in_document(
    State(app): State<App>,
    site: SalesSite,
    once: Once,
    Path((order_id, kind)): Path<(OrderId, String)>,
    request: Request,
) -> Result<Kept> {
    let kind = rules::applicants_kind(&kind)?.to_owned();
    let file = read_file(&app, request).await?;
    rules::check_size(file.content.len())?;
    let media_type = MediaType::of(&file.content)?;
    let original_name = rules::shown_name(&file.name, media_type);
    let now = app.clock.now();
    let limits = app.config.limits.clone();
    let bytes = i64::try_from(file.content.len()).unwrap_or(i64::MAX);

    let once = once.of_content(
        &Sha256::new().chain_update(order_id.encoded()).chain_update(&kind).chain_update(&file.content).finalize(),
    );
    app.db.read(move |conn| store::find_usage(conn, order_id)).await?;
    let stored = app.files.put(file.content).await?;
    let key = stored.key.clone();
    let new = NewDocument { order_id, kind, stored, original_name, media_type, uploaded_by: None };
    let by = Actor::from(&site);
    let outcome = once
        .write(&app.db, move |tx| {
            rules::check_quota(store::usage(tx, order_id)?, bytes, &limits)?;
            store::add(tx, &new, now)?;
            let change = Change {
                action: "document.take-in",
                order_id: Some(order_id.0),
                after: Some(new.kind.clone()),
                ..Change::default()
            };
            audit::add(tx, &by, &[change], now)?;
            Ok(taken_in(order_id, "The document has been taken in"))
        })
        .await;
    remove_unnamed(&app, key).await;
    outcome
}

/// Removes a file that got no row: its request was refused, or was a repetition whose answer is kept. When that cannot be told
/// now, the file stays, unnamed.
async fn remove_unnamed(app: &App, key: String) {
    let asked = key.clone();
    if let Ok(false) = app.db.read(move |conn| store::is_named(conn, &asked)).await
        && let Err(error) = app.files.delete(&key).await
    {
        tracing::warn!(%error, "a file without a row could not be removed");
    }
}

struct File {
    name: String,
    content: Bytes,
}

/// The part `file` of the request; every fault of the form is the sender's.
async fn read_file(app: &App, request: Request) -> Result<File> {
    let declared =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > app.config.limits.upload_bytes as u64) {
        return Err(rules::too_large());
    }
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if !content_type.to_ascii_lowercase().starts_with("multipart/form-data") {
        return Err(Error::unsupported("This call takes multipart/form-data"));
    }
    let mut form = Multipart::from_request(request, app).await.map_err(|_| malformed())?;
    let mut found = None;
    for _ in 0..MOST_PARTS {
        let Some(mut part) = form.next_field().await.map_err(refused)? else {
            return found.ok_or_else(|| Error::invalid("file is missing"));
        };
        if part.name() != Some("file") {
            continue;
        }
        if found.is_some() {
            return Err(Error::invalid("file was sent twice"));
        }
        let name = part.file_name().unwrap_or("").to_owned();
        let mut content = BytesMut::new();
        while let Some(chunk) = part.chunk().await.map_err(refused)? {
            if content.len() + chunk.len() > rules::MOST_BYTES {
                return Err(rules::too_large());
            }
            content.extend_from_slice(&chunk);
        }
        found = Some(File { name, content: content.freeze() });
    }
    Err(Error::unreadable("The form has too many parts"))
}

fn refused(error: axum::extract::multipart::MultipartError) -> Error {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE { rules::too_large() } else { malformed() }
}

fn malformed() -> Error {
    Error::unreadable("The form cannot be read")
}
