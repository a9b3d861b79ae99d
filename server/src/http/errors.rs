//! Turns errors into responses: the kind into a status, the code and the text into the body, the cause into a log line. And the
//! errors of HTTP itself.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use derive::Reason;
use serde_json::json;

use crate::error::{Error, Kind};

/// A fault of a request that is found before any room processes it.
#[derive(Debug, thiserror::Error, Reason)]
pub enum HttpError {
    #[error("Please sign in again")]
    #[reason(SignedOut)]
    SignedOut,
    #[error("There is nothing at this address")]
    #[reason(NotFound)]
    NoSuchAddress,
    #[error("This address does not accept that method")]
    #[reason(WrongMethod)]
    MethodNotAllowed,
    #[error("This call accepts only application/json")]
    #[reason(Unsupported)]
    NotJsonMediaType,
    #[error("This server does not accept compressed requests")]
    #[reason(Unsupported)]
    CompressedRequest,
    #[error("The request is larger than {0}")]
    #[reason(TooLarge)]
    RequestTooLarge(String),
    #[error("The request did not arrive in full. Please send it again")]
    #[reason(TimedOut)]
    RequestIncomplete,
    #[error("The request took too long and was stopped")]
    #[reason(TimedOut)]
    RequestTimedOut,
    /// Not UTF-8, a NUL, or half of a surrogate pair: no database could store it.
    #[error("Invalid characters")]
    #[reason(Unreadable)]
    InvalidCharacters,
    #[error("The request is not JSON")]
    #[reason(Unreadable)]
    NotJson,
    #[error("The request is nested too deeply")]
    #[reason(Unreadable)]
    NestedTooDeep,
    #[error("The request is not valid: {0}")]
    #[reason(Invalid)]
    WrongShape(String),
    #[error("The address is not valid: {0}")]
    #[reason(Unreadable)]
    WrongQuery(String),
    #[error("Idempotency-Key must be one text of at most 255 letters")]
    #[reason(Unreadable)]
    InvalidIdempotencyKey,
    #[error("This Idempotency-Key belongs to another request. Please use a new key")]
    #[reason(Invalid)]
    IdempotencyKeyReused,
    #[error("The same request is still being processed. Please wait for its response")]
    #[reason(Conflict)]
    RequestInProgress,
    #[error("The database cannot be reached yet. Please try again in a moment")]
    #[reason(Unavailable)]
    NotReady,
}

/// The code of an error, left on its response for the layers around it.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCode(pub &'static str);

/// The HTTP status of a kind of failure.
pub fn status_of(kind: Kind) -> StatusCode {
    match kind {
        Kind::Unreadable => StatusCode::BAD_REQUEST,
        Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::SignedOut => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
        Kind::TimedOut => StatusCode::REQUEST_TIMEOUT,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Damaged | Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = status_of(self.kind());
        let mut message = self.message();
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            let incident = format!("{:08x}", rand::random::<u32>());
            tracing::error!(incident, cause = self.cause(), "a request failed");
            message = format!("{message}. Please tell an Admin the incident number {incident}");
        } else if status.is_server_error() {
            let (status, code) = (status.as_u16(), self.code());
            tracing::warn!(status, code, cause = self.cause(), "a request was refused for now");
        }
        let mut body = json!({ "status": 0, "code": self.code(), "message": message });
        if let (Some(data), Some(fields)) = (self.data(), body.as_object_mut()) {
            fields.insert("data".into(), data);
        }
        let mut response = (status, axum::Json(body)).into_response();
        response.extensions_mut().insert(ErrorCode(self.code()));
        if let Some(seconds) = self.retry_after_seconds() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
