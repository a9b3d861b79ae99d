//! Serves the catalogue. It never changes while the program runs, so browsers cache it and revalidate with its ETag.

use std::sync::LazyLock;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use utoipa_axum::router::OpenApiRouter;

use super::catalogue::{self, Catalogue};
use crate::error::{Error, Result};
use crate::files::sha256;
use crate::http::answer::{Found, found};
use crate::http::etag;
use crate::http::routes::call;

/// The calls of the visas.
pub fn endpoints() -> OpenApiRouter {
    OpenApiRouter::new().routes(call!(visa_catalogue))
}

/// The response and its ETag.
static RESPONSE: LazyLock<Option<(Bytes, String)>> = LazyLock::new(|| {
    let json = serde_json::to_vec(&found(catalogue::get())).ok()?;
    let tag = format!("\"{}\"", sha256(&json));
    Some((Bytes::from(json), tag))
});

/// Get the visa catalogue: purposes, sub-purposes, visa types, and their documents.
#[utoipa::path(get, path = "/visa-catalogue", responses((status = 200, body = Found<Catalogue>)))]
pub async fn visa_catalogue(headers: HeaderMap) -> Result<Response> {
    let (json, tag) = RESPONSE.as_ref().ok_or_else(|| Error::internal("the catalogue cannot be written as JSON"))?;
    let kept = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "private, max-age=0, must-revalidate")];
    if etag::is_known(&headers, tag) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    Ok((kept, [(header::CONTENT_TYPE, "application/json")], json.clone()).into_response())
}
