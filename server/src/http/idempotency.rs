//! `Idempotency-Key` on every POST: a repeated request gets the response of the first one, and its effect happens once.
//!
//! [`claim`] reads the key before the handler runs; the handler writes through [`IdempotentRequest`], which stores the response in the
//! transaction of the effect, for 24 hours. A request without a key is simply executed.

use std::ops::ControlFlow;

use axum::extract::{FromRequestParts, MatchedPath, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use chrono::TimeDelta;
use diesel::prelude::*;
use serde::Serialize;

use super::answer::StoredResponse;
use super::errors::HttpError;
use super::json;
use super::kit::Kit;
use crate::db::schema::idempotency;
use crate::db::{Conn, Db, MAX_IDS};
use crate::error::{Error, Refusals, Result};
use crate::timestamp::Timestamp;
use hex::encode as hex;

/// The time that a response is stored.
pub const STORED_FOR: TimeDelta = TimeDelta::hours(24);

/// The caller that makes a request, as a text that no two callers share.
#[derive(Clone, Debug)]
pub struct Caller(pub String);

/// The key of a request, and what identifies the request itself.
#[derive(Clone, Debug)]
struct Claim {
    caller: String,
    route: String,
    key: String,
    request_hash: String,
    made_at: Timestamp,
}

/// Reads the key, refuses a second request while the first is in flight, and hands the claim to [`IdempotentRequest`].
pub async fn claim(kit: &Kit, request: Request, next: Next) -> Result<Response> {
    if request.method() != Method::POST || !request.headers().contains_key("idempotency-key") {
        return Ok(next.run(request).await);
    }
    let key = read_key(request.headers())?;
    let extension = request.extensions();
    let route = extension.get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    let caller = extension.get::<Caller>().map(|caller| caller.0.clone()).unwrap_or_default();
    let entry = kit.in_flight.enter((caller.clone(), route.clone(), key.clone()));
    let _entry = entry.ok_or(HttpError::RequestInProgress)?;

    // The handler hashes the parts of an upload: their boundary differs each time.
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let (mut request, request_hash) = if content_type.starts_with("multipart/") {
        (request, String::new())
    } else {
        let (parts, body) = request.into_parts();
        let body = json::read_whole(Request::from_parts(parts.clone(), body), kit.config.limits.json_bytes).await?;
        // An HMAC, because a body may hold a password, and the table must not help to guess it.
        let content = [parts.uri.path().as_bytes(), b"\n", &body].concat();
        let hash = hex(kit.secret.sign("request bodies", &content));
        (Request::from_parts(parts, body.into()), hash)
    };
    request.extensions_mut().insert(Claim { caller, route, key, request_hash, made_at: kit.clock.now() });
    Ok(next.run(request).await)
}

fn read_key(headers: &HeaderMap) -> Result<String> {
    let mut keys = headers.get_all("idempotency-key").iter();
    match (keys.next().map(|key| key.to_str()), keys.next()) {
        (Some(Ok(key)), None) if (1..=255).contains(&key.len()) => Ok(key.to_owned()),
        _ => Err(HttpError::InvalidIdempotencyKey.into()),
    }
}

/// A POST whose work is done at most once for each key.
pub struct IdempotentRequest {
    claim: Option<Claim>,
}

impl Refusals for IdempotentRequest {}

impl<S: Sync> FromRequestParts<S> for IdempotentRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self> {
        Ok(Self { claim: parts.extensions.get().cloned() })
    }
}

impl IdempotentRequest {
    /// Sets the digest that identifies an upload, whose body cannot be compared.
    pub fn with_content(mut self, digest: &[u8]) -> Self {
        if let Some(claim) = &mut self.claim {
            claim.request_hash = hex(digest);
        }
        self
    }

    /// Reads what the work needs, off the transaction: [`Continue`]. [`Break`] with the stored response of the same request, for which
    /// nothing needs to be prepared, and which must not be refused for what changed since.
    ///
    /// [`Continue`]: ControlFlow::Continue
    /// [`Break`]: ControlFlow::Break
    ///
    /// # Errors
    /// Those of `work`, and [`HttpError::IdempotencyKeyReused`] for another request under the same key.
    pub async fn prepare<T: Send + 'static>(
        &self,
        db: &Db,
        work: impl FnOnce(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<ControlFlow<StoredResponse, T>> {
        let claim = self.claim.clone();
        db.read(move |conn| match claim.map(|claim| find(conn, &claim)).transpose()?.flatten() {
            Some(stored) => stored.map(ControlFlow::Break),
            None => work(conn).map(ControlFlow::Continue),
        })
        .await
    }

    /// Runs `work` as one transaction that also stores the response, or returns the stored response of the same request.
    ///
    /// # Errors
    /// Those of `work`, and [`HttpError::IdempotencyKeyReused`] for another request under the same key.
    pub async fn write<T: Serialize>(
        self,
        db: &Db,
        work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<StoredResponse> {
        db.write(move |tx| {
            let Some(claim) = &self.claim else { return response(&work(tx)?) };
            if let Some(stored) = find(tx, claim)? {
                return stored;
            }
            let response = response(&work(tx)?)?;
            store(tx, claim, &response)?;
            Ok(response)
        })
        .await
    }
}

impl IdempotentRequest {
    /// [`Self::write`] for a response with a secret, which must be stored nowhere: `reveal` adds it to the first response, and a
    /// repeated request gets the response without it.
    ///
    /// # Errors
    /// Those of [`Self::write`].
    pub async fn write_with_secret<T: Serialize + Send + 'static>(
        self,
        db: &Db,
        work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
        reveal: impl FnOnce(&mut T),
    ) -> Result<StoredResponse> {
        let written = db.write(move |tx| {
            let Some(claim) = &self.claim else { return work(tx).map(ControlFlow::Continue) };
            if let Some(stored) = find(tx, claim)? {
                return stored.map(ControlFlow::Break);
            }
            let body = work(tx)?;
            store(tx, claim, &response(&body)?)?;
            Ok(ControlFlow::Continue(body))
        });
        match written.await? {
            ControlFlow::Break(stored) => Ok(stored),
            ControlFlow::Continue(mut body) => {
                reveal(&mut body);
                response(&body)
            }
        }
    }
}

fn response(body: &impl Serialize) -> Result<StoredResponse> {
    Ok(StoredResponse { status: StatusCode::OK, json: serde_json::to_string(body).map_err(Error::internal)? })
}

/// The stored response of the same request, or the refusal of another one; none if the key is new.
fn find(tx: &mut Conn, claim: &Claim) -> Result<Option<Result<StoredResponse>>> {
    let row = idempotency::table
        .find((&claim.caller, &claim.route, &claim.key))
        .filter(idempotency::created_at.gt(claim.made_at - STORED_FOR))
        .select((idempotency::request_hash, idempotency::status_code, idempotency::answer))
        .first::<(String, i32, String)>(tx)
        .optional()?;
    Ok(row.map(|(request_hash, status_code, json)| {
        if request_hash != claim.request_hash {
            return Err(HttpError::IdempotencyKeyReused.into());
        }
        let status = u16::try_from(status_code).ok().and_then(|code| StatusCode::from_u16(code).ok());
        Ok(StoredResponse { status: status.unwrap_or(StatusCode::OK), json })
    }))
}

fn store(tx: &mut Conn, claim: &Claim, response: &StoredResponse) -> Result<()> {
    // An expired row under the same key makes room.
    let same = idempotency::table.find((&claim.caller, &claim.route, &claim.key));
    diesel::delete(same.filter(idempotency::created_at.le(claim.made_at - STORED_FOR))).execute(tx)?;
    let added = diesel::insert_into(idempotency::table)
        .values((
            idempotency::caller.eq(&claim.caller),
            idempotency::route.eq(&claim.route),
            idempotency::key.eq(&claim.key),
            idempotency::request_hash.eq(&claim.request_hash),
            idempotency::status_code.eq(i32::from(response.status.as_u16())),
            idempotency::answer.eq(&response.json),
            idempotency::created_at.eq(claim.made_at),
        ))
        .execute(tx);
    match added.map_err(Error::from) {
        // Another node was faster with the same key: this transaction is rolled back, and the client asks again.
        Err(error) if error.is_duplicate("idempotency_pkey", "idempotency.key") => {
            Err(HttpError::RequestInProgress.into())
        }
        outcome => outcome.map(|_| ()),
    }
}

/// Deletes about [`MAX_IDS`] responses older than 24 hours, the oldest first. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let expired = now - STORED_FOR;
    let by_age = idempotency::table.select(idempotency::created_at).order(idempotency::created_at);
    let last: Option<Timestamp> = by_age.offset(MAX_IDS as i64 - 1).first(tx).optional()?;
    let until = last.map_or(expired, |last| last.min(expired));
    Ok(diesel::delete(idempotency::table.filter(idempotency::created_at.le(until))).execute(tx)?)
}
