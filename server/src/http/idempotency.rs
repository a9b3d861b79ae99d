//! `Idempotency-Key` on every POST: a repeated request gets the first one's answer, and its effect happens once.
//!
//! The layer claims the key; the handler writes through [`Once`], which keeps the answer in the transaction of the effect.
//! A request without a key is simply done. Kept for 24 hours.

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::Serialize;

use super::answer::Kept;
use super::json;
use super::kit::Kit;
use crate::db::schema::idempotency;
use crate::db::{Conn, Db};
use crate::error::{Error, Result};
use hex::encode as hex;

/// How long an answer is kept.
pub const KEPT: TimeDelta = TimeDelta::hours(24);

/// On whose behalf a request is made, as far as repeating it goes: a text that no other caller has.
#[derive(Clone, Debug)]
pub struct Caller(pub String);

/// What a request claims with its key.
#[derive(Clone, Debug)]
struct Claim {
    caller: String,
    route: String,
    key: String,
    request_hash: String,
    made_at: NaiveDateTime,
}

/// The layer: reads the key, refuses a second request while the first is in flight, and hands the claim to [`Once`].
pub async fn claim(State(kit): State<Kit>, request: Request, next: Next) -> Result<Response> {
    if request.method() != Method::POST || !request.headers().contains_key("idempotency-key") {
        return Ok(next.run(request).await);
    }
    let key = read_key(request.headers())?;
    let extension = request.extensions();
    let route = extension.get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    let caller = extension.get::<Caller>().map(|caller| caller.0.clone()).unwrap_or_default();
    let busy = || Error::conflict("The same request is still being worked on. Please wait for its answer");
    let _held = kit.in_flight.enter((caller.clone(), route.clone(), key.clone())).ok_or_else(busy)?;

    // An upload's parts are hashed by its handler: the boundary between them differs each time.
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let (mut request, request_hash) = if content_type.starts_with("multipart/") {
        (request, String::new())
    } else {
        let (parts, body) = request.into_parts();
        let body = json::read_whole(Request::from_parts(parts.clone(), body), kit.config.limits.json_bytes).await?;
        // Sealed, not only hashed: a body may hold a password, and the table must not help to guess it.
        let content = [parts.uri.path().as_bytes(), b"\n", &body].concat();
        let hash = hex(kit.secret.seal("request bodies", &content));
        (Request::from_parts(parts, body.into()), hash)
    };
    request.extensions_mut().insert(Claim { caller, route, key, request_hash, made_at: kit.clock.now() });
    Ok(next.run(request).await)
}

fn read_key(headers: &HeaderMap) -> Result<String> {
    let mut keys = headers.get_all("idempotency-key").iter();
    match (keys.next().map(|key| key.to_str()), keys.next()) {
        (Some(Ok(key)), None) if (1..=255).contains(&key.len()) => Ok(key.to_owned()),
        _ => Err(Error::unreadable("Idempotency-Key must be one text of at most 255 letters")),
    }
}

/// Does a POST's work at most once for each key.
pub struct Once {
    claim: Option<Claim>,
}

impl<S: Sync> FromRequestParts<S> for Once {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Self> {
        Ok(Self { claim: parts.extensions.get().cloned() })
    }
}

impl Once {
    /// Tells what an upload holds, for it has no body that could be compared.
    pub fn of_content(mut self, digest: &[u8]) -> Self {
        if let Some(claim) = &mut self.claim {
            claim.request_hash = hex(digest);
        }
        self
    }

    /// Runs `work` as one transaction, with its answer kept in it; or gives the kept answer of the same request.
    ///
    /// Another request under the same key is refused with 422.
    pub async fn write<T: Serialize>(
        self,
        db: &Db,
        work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<Kept> {
        db.write(move |tx| {
            let Some(claim) = &self.claim else { return keep(&work(tx)?) };
            if let Some(kept) = find(tx, claim)? {
                return kept;
            }
            let answer = keep(&work(tx)?)?;
            remember(tx, claim, &answer)?;
            Ok(answer)
        })
        .await
    }
}

fn keep(answer: &impl Serialize) -> Result<Kept> {
    Ok(Kept { status: StatusCode::OK, json: serde_json::to_string(answer).map_err(Error::internal)? })
}

/// The answer to the same request, or the refusal of another one; none when the key is new.
fn find(tx: &mut Conn, claim: &Claim) -> Result<Option<Result<Kept>>> {
    let row = idempotency::table
        .find((&claim.caller, &claim.route, &claim.key))
        .filter(idempotency::created_at.gt(claim.made_at - KEPT))
        .select((idempotency::request_hash, idempotency::status_code, idempotency::answer))
        .first::<(String, i32, String)>(tx)
        .optional()?;
    Ok(row.map(|(request_hash, status_code, json)| {
        if request_hash != claim.request_hash {
            return Err(Error::invalid("This Idempotency-Key belongs to another request. Please use a new key"));
        }
        let status = u16::try_from(status_code).ok().and_then(|code| StatusCode::from_u16(code).ok());
        Ok(Kept { status: status.unwrap_or(StatusCode::OK), json })
    }))
}

fn remember(tx: &mut Conn, claim: &Claim, answer: &Kept) -> Result<()> {
    // One that has outlived its 24 hours makes room.
    let same = idempotency::table.find((&claim.caller, &claim.route, &claim.key));
    diesel::delete(same.filter(idempotency::created_at.le(claim.made_at - KEPT))).execute(tx)?;
    let added = diesel::insert_into(idempotency::table)
        .values((
            idempotency::caller.eq(&claim.caller),
            idempotency::route.eq(&claim.route),
            idempotency::key.eq(&claim.key),
            idempotency::request_hash.eq(&claim.request_hash),
            idempotency::status_code.eq(i32::from(answer.status.as_u16())),
            idempotency::answer.eq(&answer.json),
            idempotency::created_at.eq(claim.made_at),
        ))
        .execute(tx);
    match added.map_err(Error::from) {
        // Another node was faster with the same key: this one's effect is undone, and the client asks again.
        Err(error) if error.is_duplicate("idempotency_pkey", "idempotency.key") => {
            Err(Error::conflict("The same request is still being worked on. Please wait for its answer"))
        }
        outcome => outcome.map(|_| ()),
    }
}

/// Forgets answers older than 24 hours; answers how many.
pub fn forget_old(tx: &mut Conn, now: NaiveDateTime) -> Result<usize> {
    Ok(diesel::delete(idempotency::table.filter(idempotency::created_at.le(now - KEPT))).execute(tx)?)
}
