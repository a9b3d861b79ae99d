//! Serves images of the pages of a stored PDF, by the link of the file: `uploads/{name}/pages/{size}/{page}?e={until}&s={signature}`.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Documents;
use super::limits::MAX_PAGES;
use super::links::{OpenedBy, SignedQuery, signed_path};
use super::owners::NamedFile;
use super::page_images::ImageSize;
use super::rules::MediaType;
use super::sending::FileBody;
use crate::audit::seen::SeenData;
use crate::error::{Permission, Result};
use crate::files::errors::ReadErrors;
use crate::http::errors::HttpError;
use crate::http::etag;

/// The number of pages of the whole PDF.
const PAGES: HeaderName = HeaderName::from_static("x-pages");

/// Serves the image of a page to the member of staff whom the file's link was signed for. Opening a file is noted once for each link.
pub async fn serve(
    State(room): State<Arc<Documents>>,
    opened: OpenedBy,
    reading: Permission<ReadErrors>,
    Path((_, size, page)): Path<(String, String, String)>,
    request: Request,
) -> Result<Response> {
    // Applicants open their visa itself.
    let OpenedBy::Staff(reader) = &opened else { return Err(HttpError::NoSuchAddress.into()) };
    let link = SignedQuery::parse(request.uri().query().unwrap_or_default()).ok_or(HttpError::NoSuchAddress)?;
    let size = ImageSize::parse(&size).ok_or(HttpError::NoSuchAddress)?;
    // Only one spelling, so that one page has one address.
    let number = page.parse::<usize>().ok().filter(|number| number.to_string() == page);
    let number = number.filter(|number| (1..=MAX_PAGES).contains(number)).ok_or(HttpError::NoSuchAddress)?;
    let path = signed_path(request.uri().path().strip_prefix('/').unwrap_or_default());
    let named = room.find_by_path(path).await?;
    if named.media_type != MediaType::Pdf {
        return Err(HttpError::NoSuchAddress.into());
    }
    let now = room.clock.now();
    let note = async || reader.note(SeenData::order("file.view", named.order_id)).await;
    room.noted_links.once(&link.signature, link.expiry, now, note).await?;
    let seconds = (link.expiry - now.timestamp()).max(0);
    let kept = [
        (header::CACHE_CONTROL, format!("private, max-age={seconds}, immutable")),
        (header::ETAG, tag(&named, size, number)),
    ];
    if etag::is_known(request.headers(), &kept[1].1) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let image = room.pages.render(number, size, room.files.get(&named.stored, reading)).await?;
    let fixed = HeaderValue::from_static;
    let head = [
        (header::CONTENT_TYPE, fixed(image.media_type.as_str())),
        (header::CONTENT_SECURITY_POLICY, fixed("sandbox; default-src 'none'; frame-ancestors 'none'")),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (PAGES, HeaderValue::from(image.pages)),
    ];
    let permit = room.reserve(&opened, image.content.len()).await?;
    let bytes_per_second = room.config.limits.download_bytes_per_second;
    Ok((kept, head, FileBody::new(image.content, permit, bytes_per_second)).into_response())
}

/// The entity tag of a page: the file never changes, but another version may render it differently.
fn tag(file: &NamedFile, size: ImageSize, page: usize) -> String {
    let digest = file.stored.sha256.get(..32).unwrap_or_default();
    format!("\"{digest}-{page}-{size:?}-{}\"", env!("CARGO_PKG_VERSION"))
}
