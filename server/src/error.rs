//! The one error: its HTTP status, its text for a person, never its cause.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use serde_json::{Value, json};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call was refused. The message is fit to show; the cause goes to the log alone.
#[derive(Debug)]
pub struct Error {
    status: StatusCode,
    message: Cow<'static, str>,
    // Boxed, so that a Result stays small where nothing fails.
    data: Option<Box<Value>>,
    retry_after_seconds: Option<u64>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), data: None, retry_after_seconds: None, cause: None }
    }

    /// 400: the request cannot be read.
    pub fn unreadable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 422: the request can be read, and a rule refuses what it says.
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// 401: nobody is signed in, or not any more.
    pub fn signed_out() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Please sign in again")
    }

    /// 401 with a text of its own.
    pub fn unauthorized(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// 403: signed in, and not allowed.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// 404: not there, or not the caller's to know of.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 409: somebody else was first.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// 413: more than a limit allows.
    pub fn too_large(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// 415: a kind of content that the call does not take.
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// 429: too many tries.
    pub fn too_many(message: impl Into<Cow<'static, str>>, retry_after_seconds: u64) -> Self {
        Self {
            retry_after_seconds: Some(retry_after_seconds.max(1)),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, message)
        }
    }

    /// 503: not now; nothing was saved.
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self { retry_after_seconds: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, message) }
    }

    /// 500: our own mistake, or a broken part beneath us. The cause is logged under an incident id.
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side")
        }
    }

    /// Any status, as a layer beneath the handlers decided it.
    pub fn with_status(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(status, message)
    }

    /// Adds facts that the client acts on, such as the order that stopped a bulk call.
    pub fn with_data(self, data: Value) -> Self {
        Self { data: Some(Box::new(data)), ..self }
    }

    /// The same refusal, for one more caller.
    pub fn for_another(&self) -> Self {
        Self {
            status: self.status,
            message: self.message.clone(),
            data: self.data.clone(),
            retry_after_seconds: self.retry_after_seconds,
            cause: self.cause.as_ref().map(|cause| cause.to_string().into()),
        }
    }

    /// Adds what lies beneath it, for the log.
    pub fn caused_by(self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// The HTTP status that the call answers with.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The text for a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the same work may succeed at once: the database chose another transaction over this one.
    pub fn is_worth_retrying(&self) -> bool {
        matches!(
            self.cause.as_deref().and_then(|cause| cause.downcast_ref::<DieselError>()),
            Some(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _))
        )
    }

    /// Whether a unique index refused the row. `constraint` is its name on PostgreSQL; SQLite names `table.column` instead.
    pub fn is_duplicate(&self, postgres_constraint: &str, sqlite_columns: &str) -> bool {
        match self.cause.as_deref().and_then(|cause| cause.downcast_ref::<DieselError>()) {
            Some(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, info)) => {
                info.constraint_name() == Some(postgres_constraint) || info.message().contains(sqlite_columns)
            }
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)?;
        match &self.cause {
            Some(cause) => write!(to, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut message = self.message.clone();
        if self.status.is_server_error() {
            let cause = self.cause.as_ref().map(ToString::to_string);
            if self.status == StatusCode::INTERNAL_SERVER_ERROR {
                let incident = format!("{:08x}", rand::random::<u32>());
                tracing::error!(incident, cause, "a request failed");
                message = format!("{message}. Please tell an Admin the incident number {incident}").into();
            } else {
                tracing::warn!(status = self.status.as_u16(), cause, "a request was put off");
            }
        }
        let mut body = json!({ "status": 0, "message": message });
        if let (Some(data), Some(fields)) = (self.data, body.as_object_mut()) {
            fields.insert("data".into(), *data);
        }
        let mut response = (self.status, axum::Json(body)).into_response();
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
