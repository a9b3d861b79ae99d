//! The files for the portal as one ZIP: the passport page as an image, the photograph, the other papers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;

use super::FilingRoom;
use super::archive::Archive;
use super::errors::FilingError;
use super::rules::kit::{self, KitFile};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::documents::links::OpenedBy;
use crate::documents::page_images::ImageSize;
use crate::documents::sending::FileBody;
use crate::documents::store as documents;
use crate::error::{Error, Permission, Result};
use crate::files::StoredContent;
use crate::files::errors::ReadErrors;
use crate::http::json::Path;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::store as orders;
use crate::visas::portal;

/// The most bytes of the image of a page, which has two million pixels.
const MAX_IMAGE_BYTES: usize = 4 * 1024 * 1024;

pub fn endpoints() -> OpenApiRouter<Arc<FilingRoom>> {
    OpenApiRouter::new().routes(call!(filing_kit))
}

/// Download the files of an order that the portal takes, as one ZIP. Each opened file is in the access log.
#[utoipa::path(get, path = "/admin/filing-kit/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, description = "The files", body = Vec<u8>, content_type = "application/zip")))]
pub async fn filing_kit(
    State(room): State<Arc<FilingRoom>>,
    reader: Reader,
    reading: Permission<ReadErrors>,
    Path(id): Path<String>,
) -> Result<Response> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let found = room.db.read(move |conn| {
        if !orders::exists(conn, id)? {
            return Err(OrderError::OrderNotFound.into());
        }
        let files = kit::files(id, &documents::list(conn, id)?, portal::get());
        let taken = files.into_iter().filter(|file| file.problem.is_none()).map(|file| {
            let stored = documents::find_stored(conn, file.document_id)?;
            Ok(stored.map(|(stored, _)| (file, stored)))
        });
        Ok(taken.collect::<Result<Vec<Option<(KitFile, StoredContent)>>>>()?.into_iter().flatten().collect::<Vec<_>>())
    });
    let files = found.await?;
    if files.is_empty() {
        return Err(FilingError::EmptyFilingKit.into());
    }
    let bytes = files.iter().map(|(file, stored)| packed_bytes(file, stored)).sum::<Result<usize>>()?;
    // Any one file is in memory beside the ZIP.
    let largest = files.iter().filter_map(|(_, stored)| usize::try_from(stored.size_bytes).ok()).max();
    let reserved = bytes.saturating_add(largest.unwrap_or_default());
    if reserved > room.config.limits.download_bytes_in_flight / 2 {
        return Err(FilingError::FilingKitTooLarge.into());
    }
    for _ in &files {
        reader.note(SeenData::order("file.view", id)).await?;
    }
    let permit = room.documents.reserve(&OpenedBy::Staff(reader), reserved).await?;
    let mut archive = Archive::with_capacity(bytes);
    for (file, stored) in &files {
        let content = room.documents.files.get(stored, reading);
        if file.is_from_pdf {
            let image = room.documents.pages.render(1, ImageSize::Upload, content).await?;
            archive.add(&file.name, &image.content)?;
        } else {
            archive.add(&file.name, &content.await?)?;
        }
    }
    let head = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{id}-filing-kit.zip\"")),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    let pace = room.config.limits.download_bytes_per_second;
    Ok((head, FileBody::new(archive.finish()?, permit, pace)).into_response())
}

/// Returns the number of bytes of the ZIP that the file may take.
fn packed_bytes(file: &KitFile, stored: &StoredContent) -> Result<usize> {
    if file.is_from_pdf { Ok(MAX_IMAGE_BYTES) } else { usize::try_from(stored.size_bytes).map_err(Error::internal) }
}
