//! The response envelope: every JSON body has `status` (1 or 0) and `message`.

use axum::body::Body;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Error;

/// A success without data.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// 1.
    pub status: u8,
    /// A text for people: what was done.
    pub message: String,
}

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        axum::Json(self).into_response()
    }
}

/// A success with `message`.
pub fn done(message: impl Into<String>) -> Done {
    Done { status: 1, message: message.into() }
}

/// A success with data.
#[derive(Debug, Serialize, ToSchema)]
pub struct Found<T> {
    /// 1.
    pub status: u8,
    /// A text for people; empty if there is nothing to say.
    pub message: String,
    /// The result.
    pub data: T,
}

impl<T: Serialize> IntoResponse for Found<T> {
    fn into_response(self) -> Response {
        axum::Json(self).into_response()
    }
}

/// A success with `data`.
pub fn found<T>(data: T) -> Found<T> {
    Found { status: 1, message: String::new(), data }
}

/// The body of every error.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// 0.
    status: u8,
    /// A stable name for programs, such as `order_not_found`.
    code: String,
    /// A text for people: what happened and what to do next.
    message: String,
    /// Facts to act on, such as the order that stopped a bulk call.
    data: Option<serde_json::Value>,
}

/// A response as text, so that it can be stored and sent again to a repeated request.
#[derive(Clone, Debug)]
pub struct StoredResponse {
    pub status: StatusCode,
    pub json: String,
}

impl IntoResponse for StoredResponse {
    fn into_response(self) -> Response {
        (self.status, [(header::CONTENT_TYPE, "application/json")], self.json).into_response()
    }
}

/// A long JSON body, written into memory that was reserved for it: a body that grows is copied each time.
#[derive(Debug)]
pub struct LongJson<T> {
    pub body: T,
    /// About how many bytes it has.
    pub bytes: usize,
}

impl<T: Serialize> IntoResponse for LongJson<T> {
    fn into_response(self) -> Response {
        let mut json = Vec::with_capacity(self.bytes);
        match serde_json::to_writer(&mut json, &self.body) {
            Ok(()) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
            Err(error) => Error::internal(error).into_response(),
        }
    }
}

/// A PDF, shown inline.
pub struct PdfFile<Content> {
    /// Letters, digits and a dot.
    pub name: String,
    pub content: Content,
}

impl<Content: IntoResponse> IntoResponse for PdfFile<Content> {
    fn into_response(self) -> Response {
        let head = [
            (header::CONTENT_TYPE, "application/pdf".to_owned()),
            (header::CONTENT_DISPOSITION, format!("inline; filename=\"{}\"", self.name)),
            (header::CACHE_CONTROL, "private, no-store".to_owned()),
        ];
        (head, self.content).into_response()
    }
}

/// A CSV file that is written while it is downloaded under its name.
#[derive(Debug)]
pub struct CsvDownload {
    /// Letters, digits, dashes and dots.
    pub name: String,
    pub body: Body,
}

impl IntoResponse for CsvDownload {
    fn into_response(self) -> Response {
        (csv_headers(&self.name), self.body).into_response()
    }
}

fn csv_headers(name: &str) -> [(HeaderName, String); 2] {
    let disposition = format!("attachment; filename=\"{name}\"");
    [(header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, disposition)]
}

/// A CSV file, downloaded under its name.
#[derive(Debug)]
pub struct CsvFile {
    pub name: &'static str,
    pub bytes: Vec<u8>,
}

impl IntoResponse for CsvFile {
    fn into_response(self) -> Response {
        (csv_headers(self.name), self.bytes).into_response()
    }
}
