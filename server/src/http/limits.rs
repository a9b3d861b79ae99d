//! Limits of one request: its declared size, its encoding and its time.

use std::time::Duration;

use axum::extract::Request;
use axum::http::header;
use axum::response::Response;

use super::errors::HttpError;
use super::json::{self, JsonBytes};
use crate::config::Limits;
use crate::error::Result;

/// Refuses oversized bodies before they are read, and compressed ones.
pub fn check(limits: &Limits, request: &mut Request) -> Result<()> {
    if json::declared_bytes(request.headers()).is_some_and(|bytes| bytes > limits.upload_bytes as u64) {
        return Err(HttpError::RequestTooLarge(format!("{} MB", limits.upload_bytes / 1024 / 1024)).into());
    }
    // A few compressed bytes could expand to gigabytes.
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(HttpError::CompressedRequest.into());
    }
    request.extensions_mut().insert(JsonBytes(limits.json_bytes));
    Ok(())
}

/// Stops a request that takes too long.
pub async fn within_time(limits: &Limits, answering: impl Future<Output = Response>) -> Result<Response> {
    let answered = tokio::time::timeout(Duration::from_secs(limits.request_seconds), answering).await;
    answered.map_err(|_| HttpError::RequestTimedOut.into())
}
