//! Request bodies, paths and queries, read strictly: bad input is a clear 4xx, never a 5xx.

use axum::body::Bytes;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::errors::HttpError;
use crate::error::{Error, Reason, Refusals, Result};

/// The depth to which a body may nest.
const MAX_DEPTH: usize = 32;

/// The most bytes that a JSON body may have, as a layer leaves it for the handlers behind it.
#[derive(Clone, Copy, Debug)]
pub struct JsonBytes(pub usize);

/// A JSON body.
pub struct Json<T>(pub T);

impl<T> Refusals for Json<T> {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![
            Box::new(HttpError::RequestTooLarge("256 KB".into())),
            Box::new(HttpError::RequestIncomplete),
            Box::new(HttpError::NotJsonMediaType),
            Box::new(HttpError::InvalidCharacters),
            Box::new(HttpError::NotJson),
            Box::new(HttpError::NestedTooDeep),
            Box::new(HttpError::WrongShape("invalid type: integer `7`, expected a string at line 1 column 8".into())),
        ]
    }
}

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        Ok(Self(parse(&read_json(request).await?)?))
    }
}

/// A JSON object whose fields are read one by one. An escaped NUL stays in its text: it costs at most the field that it is in.
pub struct JsonFields(pub Map<String, Value>);

impl Refusals for JsonFields {
    fn refusals() -> Vec<Box<dyn Reason>> {
        Json::<Map<String, Value>>::refusals()
    }
}

impl<S: Sync> FromRequest<S> for JsonFields {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        Ok(Self(parse_with(&read_json(request).await?, EscapedNul::Stays)?))
    }
}

/// Reads the body of a request that says that it is JSON.
async fn read_json(request: Request) -> Result<Bytes> {
    let max = request.extensions().get::<JsonBytes>().map_or(0, |max| max.0);
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = content_type.split(';').next().unwrap_or("").trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(HttpError::NotJsonMediaType.into());
    }
    read_whole(request, max).await
}

/// The `Content-Length` of a request, if it has one.
pub fn declared_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a body of at most `max` bytes.
///
/// # Errors
/// [`HttpError::RequestTooLarge`] or [`HttpError::RequestIncomplete`].
pub async fn read_whole(request: Request, max: usize) -> Result<Bytes> {
    let too_large = || HttpError::RequestTooLarge(format!("{} KB", max / 1024));
    if declared_bytes(request.headers()).is_some_and(|bytes| bytes > max as u64) {
        return Err(too_large().into());
    }
    axum::body::to_bytes(request.into_body(), max).await.map_err(|error| {
        let over = std::error::Error::source(&error)
            .is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>);
        if over { too_large() } else { HttpError::RequestIncomplete }.into()
    })
}

/// Reads JSON text: UTF-8, no NUL, at most 32 levels deep, in the shape of `T`.
///
/// # Errors
/// [`HttpError`], with where the text differs from `T`.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    parse_with(body, EscapedNul::IsRefused)
}

/// The treatment of an escaped NUL, which becomes a character of some string. PostgreSQL stores none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EscapedNul {
    IsRefused,
    Stays,
}

fn parse_with<T: DeserializeOwned>(body: &[u8], escaped_nul: EscapedNul) -> Result<T> {
    // Programs must not begin a text of JSON with a byte order mark, and some do (RFC 8259, section 8.1).
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    let text = std::str::from_utf8(body).map_err(|_| HttpError::InvalidCharacters)?;
    check_depth_and_nul(text, escaped_nul)?;
    serde_json::from_str(text).map_err(|error| {
        match error.classify() {
            serde_json::error::Category::Data => HttpError::WrongShape(error.to_string()),
            _ if error.to_string().contains("surrogate") => HttpError::InvalidCharacters,
            _ => HttpError::NotJson,
        }
        .into()
    })
}

fn check_depth_and_nul(text: &str, escaped_nul: EscapedNul) -> Result<(), HttpError> {
    let refuses = escaped_nul == EscapedNul::IsRefused;
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            0 => return Err(HttpError::InvalidCharacters),
            b'u' if escaped && refuses && text.as_bytes()[at..].starts_with(b"u0000") => {
                return Err(HttpError::InvalidCharacters);
            }
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(HttpError::NestedTooDeep);
                }
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// The parameters of the path.
pub struct Path<T>(pub T);

impl<T> Refusals for Path<T> {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![Box::new(HttpError::NoSuchAddress)]
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Self(value)).map_err(|rejection| match rejection {
            PathRejection::FailedToDeserializePathParams(_) => HttpError::NoSuchAddress.into(),
            _ => Error::internal(rejection),
        })
    }
}

/// The parameters of the query.
pub struct Query<T>(pub T);

impl<T> Refusals for Query<T> {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![
            Box::new(HttpError::WrongQuery("invalid digit found in string".into())),
            Box::new(HttpError::InvalidCharacters),
        ]
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let given = percent_decode_str(parts.uri.query().unwrap_or("")).decode_utf8();
        if !given.is_ok_and(|text| !text.contains('\0')) {
            return Err(HttpError::InvalidCharacters.into());
        }
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query.map(|axum::extract::Query(value)| Self(value)).map_err(|rejection: QueryRejection| {
            HttpError::WrongQuery(rejection.body_text().replace("Failed to deserialize query string: ", "")).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_backslash_before_u0000_is_no_nul() {
        assert_eq!(parse::<String>(br#""C:\\u0000""#).unwrap(), r"C:\u0000");
        for nul in [&br#""\u0000""#[..], br#""\\\u0000""#, b"\"\0\""] {
            assert_eq!(parse::<String>(nul).unwrap_err().code(), "invalid_characters");
        }
    }
}
