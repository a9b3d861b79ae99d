//! Limits of one request: its declared size, its encoding and its time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;

use super::errors::HttpError;
use super::json::{self, JsonBytes};
use super::kit::Kit;
use crate::error::Result;

/// The layer: refuses oversized bodies before they are read, refuses compressed ones, and stops requests that take too long.
pub async fn check(State(kit): State<Arc<Kit>>, mut request: Request, next: Next) -> Result<Response> {
    let limits = &kit.config.limits;
    if json::declared_bytes(request.headers()).is_some_and(|bytes| bytes > limits.upload_bytes as u64) {
        return Err(HttpError::RequestTooLarge(format!("{} MB", limits.upload_bytes / 1024 / 1024)).into());
    }
    // A few compressed bytes could expand to gigabytes.
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(HttpError::CompressedRequest.into());
    }
    request.extensions_mut().insert(JsonBytes(limits.json_bytes));
    let response = tokio::time::timeout(Duration::from_secs(limits.request_seconds), next.run(request)).await;
    response.map_err(|_| HttpError::RequestTimedOut.into())
}
