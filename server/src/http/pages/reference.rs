//! The reference of the API for people, at `/api/docs`. `cargo xtask gen` makes it from the contract.

use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};
use tower_http::compression::CompressionLayer;

use crate::http::etag;

const PAGE: &str = include_str!("../../../../contract/reference.html");

/// Weak, because the page may be sent compressed.
static ETAG: LazyLock<String> = LazyLock::new(|| format!("W/\"{}\"", hex::encode(&Sha256::digest(PAGE)[..16])));

/// Allows the page's own style, by its hash, and nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = PAGE.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>"));
    let hash = BASE64_STANDARD.encode(Sha256::digest(style.map_or("", |(style, _)| style)));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'"
    )
});

/// The page's route.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/api/docs", get(serve).layer(CompressionLayer::new()))
}

async fn serve(request: HeaderMap) -> Response {
    let mut response = if etag::is_known(&request, &ETAG) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        axum::response::Html(PAGE).into_response()
    };
    let fixed = [(header::CACHE_CONTROL, "public, max-age=300"), (header::ETAG, &ETAG)];
    for (name, value) in fixed.into_iter().chain([(header::CONTENT_SECURITY_POLICY, POLICY.as_str())]) {
        // Hexadecimal digits, base64 and fixed text: always a valid header.
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
