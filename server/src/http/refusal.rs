//! Turns errors into answers: each kind into a status, its text into the body, its cause into a line of the log.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::{Error, Kind};

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
        let mut message = self.message().to_owned();
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            let incident = format!("{:08x}", rand::random::<u32>());
            tracing::error!(incident, cause = self.cause(), "a request failed");
            message = format!("{message}. Please tell an Admin the incident number {incident}");
        } else if status.is_server_error() {
            tracing::warn!(status = status.as_u16(), cause = self.cause(), "a request was put off");
        }
        let mut body = json!({ "status": 0, "message": message });
        if let (Some(data), Some(fields)) = (self.data(), body.as_object_mut()) {
            fields.insert("data".into(), data.clone());
        }
        let mut response = (status, axum::Json(body)).into_response();
        if let Some(seconds) = self.retry_after_seconds() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
