//! What one request may cost: the size it declares, how it is packed, and its time.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;

use super::json::{self, JsonBytes};
use super::kit::Kit;
use crate::error::{Error, Kind, Result};

/// The layer: refuses what is too large before it is read and what is compressed, and ends what takes too long.
pub async fn check(State(kit): State<Kit>, mut request: Request, next: Next) -> Result<Response> {
    let limits = &kit.config.limits;
    if json::declared_bytes(request.headers()).is_some_and(|bytes| bytes > limits.upload_bytes as u64) {
        return Err(Error::too_large(format!("The request is larger than {} MB", limits.upload_bytes / 1024 / 1024)));
    }
    // A few packed bytes could unpack to gigabytes.
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Error::unsupported("This server takes no compressed requests"));
    }
    request.extensions_mut().insert(JsonBytes(limits.json_bytes));
    let answer = tokio::time::timeout(Duration::from_secs(limits.request_seconds), next.run(request)).await;
    answer.map_err(|_| Error::new(Kind::TimedOut, "The request took too long and was given up"))
}
