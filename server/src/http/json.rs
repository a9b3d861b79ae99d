//! Request bodies, paths and queries, read strictly: a clear 400, 413, 415 or 422, never a 5xx.

use axum::body::Bytes;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use crate::error::{Error, Kind, Result};

/// How deep a body may nest.
const DEEPEST: usize = 32;

const INVALID_CHARACTERS: &str = "Invalid characters";

/// The most bytes of a JSON body, as a layer notes it for the handlers behind it.
#[derive(Clone, Copy, Debug)]
pub struct JsonBytes(pub usize);

/// A JSON body.
pub struct Json<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let most = request.extensions().get::<JsonBytes>().map_or(0, |most| most.0);
        let content_type =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let essence = content_type.split(';').next().unwrap_or("").trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            return Err(Error::unsupported("This call takes application/json"));
        }
        let body = read_whole(request, most).await?;
        Ok(Self(parse(&body)?))
    }
}

/// How many bytes of body the head announces; none when it does not say.
pub fn declared_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a body of at most `most` bytes.
pub async fn read_whole(request: Request, most: usize) -> Result<Bytes> {
    let too_large = || Error::too_large(format!("The request is larger than {} KB", most / 1024));
    if declared_bytes(request.headers()).is_some_and(|bytes| bytes > most as u64) {
        return Err(too_large());
    }
    axum::body::to_bytes(request.into_body(), most).await.map_err(|error| {
        let over = std::error::Error::source(&error)
            .is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>);
        if over { too_large() } else { Error::new(Kind::TimedOut, "The request did not arrive whole") }
    })
}

/// Reads JSON text: UTF-8, no NUL, at most 32 levels deep, of the wanted shape.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    let text = std::str::from_utf8(body).map_err(|_| Error::unreadable(INVALID_CHARACTERS))?;
    check_depth_and_nul(text)?;
    serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => Error::invalid(format!("The request does not fit: {error}")),
        _ if error.to_string().contains("surrogate") => Error::unreadable(INVALID_CHARACTERS),
        _ => Error::unreadable("The request is not JSON"),
    })
}

fn check_depth_and_nul(text: &str) -> Result<()> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for byte in text.bytes() {
        match byte {
            0 => return Err(Error::unreadable(INVALID_CHARACTERS)),
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Error::unreadable("The request nests too deep"));
                }
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // An escaped NUL becomes a character of some string, where PostgreSQL would refuse it.
    if text.contains("\\u0000") { Err(Error::unreadable(INVALID_CHARACTERS)) } else { Ok(()) }
}

/// The parameters of the path.
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Self(value)).map_err(|rejection| match rejection {
            PathRejection::FailedToDeserializePathParams(_) => Error::not_found("There is nothing at this address"),
            _ => Error::internal(rejection),
        })
    }
}

/// The parameters of the query.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let given = percent_decode_str(parts.uri.query().unwrap_or("")).decode_utf8();
        if !given.is_ok_and(|text| !text.contains('\0')) {
            return Err(Error::unreadable(INVALID_CHARACTERS));
        }
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query.map(|axum::extract::Query(value)| Self(value)).map_err(|rejection: QueryRejection| {
            Error::unreadable(format!(
                "The address does not fit: {}",
                rejection.body_text().replace("Failed to deserialize query string: ", "")
            ))
        })
    }
}
