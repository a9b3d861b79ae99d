//! Who looks at a file: whoever the request's cookies or token say it is, and whether the link was made for them.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::Cookie;

use super::links::{self, Viewer};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::address::ClientAddress;
use crate::staff::rules::Staff;
use crate::staff::{sessions, uploads_cookie};
use crate::tracking::grants::{self, Visitor};

/// What follows the path of a signed link.
#[derive(Debug)]
pub struct Seal {
    /// Until when it opens, in seconds since 1970.
    expiry: i64,
    seal: String,
}

impl Seal {
    /// Reads a link's query: exactly what was signed, in its order.
    pub fn parse(query: &str) -> Option<Self> {
        let (expiry, seal) = query.strip_prefix("e=")?.split_once("&s=")?;
        // As it was written: `+5` and `05` are numbers too.
        let number = expiry.parse::<i64>().ok().filter(|number| number.to_string() == expiry)?;
        Some(Self { expiry: number, seal: seal.to_owned() })
    }
}

/// For whom a link opened.
#[derive(Debug)]
pub enum Opened {
    Staff(Staff),
    Visitor(Visitor),
}

/// Whoever makes the request, if the link to `path` (`uploads/…`) was made for them and still opens.
///
/// The seal is looked at first, so that guessing costs no query.
pub async fn open(
    app: &App,
    headers: &HeaderMap,
    address: ClientAddress,
    path: &str,
    seal: &Seal,
) -> Result<Option<Opened>> {
    let now = app.clock.now();
    let opens = |viewer: &Viewer| links::opens(&app.secret, path, seal.expiry, &seal.seal, viewer, now);
    let cookies = CookieJar::from_headers(headers);
    let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());

    let by_token = token.and_then(|token| sessions::named_by(app, token).ok());
    for session_hash in uploads_cookie::session_of(app, &cookies).into_iter().chain(by_token) {
        if opens(&Viewer::Staff(session_hash.clone())) {
            return only_found(sessions::find_staff(app, session_hash, address).await)
                .map(|staff| staff.map(Opened::Staff));
        }
    }
    let by_cookie = cookies.get(grants::cookie_name(&app.config.public_url)).map(Cookie::value);
    for token in by_cookie.into_iter().chain(token) {
        if grants::named_by(token).is_some_and(|grant_hash| opens(&Viewer::Visitor(grant_hash))) {
            return Ok(grants::authenticate(app, &[token.to_owned()]).await?.map(Opened::Visitor));
        }
    }
    Ok(None)
}

/// Nobody, where the session has ended; a fault of the database stays one.
fn only_found(found: Result<Staff>) -> Result<Option<Staff>> {
    match found {
        Ok(staff) => Ok(Some(staff)),
        Err(error) if error.status() == Error::signed_out().status() => Ok(None),
        Err(error) => Err(error),
    }
}
