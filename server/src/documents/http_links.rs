//! Files by their signed links. Outside the contract and its table: the link is the right, and without one nothing is here.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Documents;
use super::links::{Opened, nothing_here, path_of};
use super::owners::Named;
use super::rules::{MediaType, VISA};
use crate::audit::store::Actor;
use crate::config::Config;
use crate::error::{Error, Result};

/// Serves a file to the one for whom its link was made.
pub async fn serve(State(room): State<Documents>, opened: Opened, request: Request) -> Result<Response> {
    let path = request.uri().path().strip_prefix('/').unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let key = name.split_once('.').map_or("", |(key, _)| key).to_owned();
    let owners = room.owners;
    let named = room.db.look_up(move |conn| owners.find(conn, &key)).await?.ok_or_else(nothing_here)?;
    if path_of(&named.stored.key, named.media_type) != path {
        return Err(nothing_here());
    }
    match &opened {
        Opened::Staff(staff) => room.access_log.note(&Actor::from(staff), "file.view", Some(named.order_id)),
        // Made for their own visa alone; looked at once more, should a link ever be made for something else.
        Opened::Visitor(order_id) if order_id.0 == named.order_id && named.kind == VISA => {}
        Opened::Visitor(_) => return Err(nothing_here()),
    }
    let content = room.files.get(&named.stored).await?;
    Ok((head(&room.config, &named), content).into_response())
}

/// What every other request is answered with.
pub async fn refuse() -> Error {
    nothing_here()
}

/// What a browser may do with the file: show it by itself, to this person, now.
fn head(config: &Config, file: &Named) -> [(HeaderName, HeaderValue); 8] {
    let fixed = HeaderValue::from_static;
    [
        (header::CONTENT_TYPE, fixed(file.media_type.as_str())),
        (header::CONTENT_DISPOSITION, disposition(&file.original_name)),
        (header::CONTENT_SECURITY_POLICY, policy(config, file.media_type)),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-site")),
        (header::CACHE_CONTROL, fixed("private, no-store")),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (header::X_FRAME_OPTIONS, fixed("SAMEORIGIN")),
    ]
}

/// Pictures are shown in a sandbox, where browsers style the page around them. Chromium's viewer of PDFs refuses to work in
/// one, so theirs is only an empty room.
fn policy(config: &Config, media_type: MediaType) -> HeaderValue {
    let (sandbox, style) = match media_type {
        MediaType::Pdf => ("", ""),
        _ => ("sandbox; ", "style-src 'unsafe-inline'; "),
    };
    // The desk frames files, also when they come from a host of their own.
    let elsewhere = !(config.admin_uploads_url.is_empty() && config.customer_uploads_url.is_empty());
    let desk = if elsewhere { format!(" {}", config.public_url.trim_end_matches('/')) } else { String::new() };
    let policy = format!("{sandbox}default-src 'none'; {style}frame-ancestors 'self'{desk}");
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("sandbox; default-src 'none'"))
}

/// What RFC 8187 lets stand as it is.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Shown in the page, and saved under its own name: one name, in the form that it needs.
fn disposition(name: &str) -> HeaderValue {
    let is_plain = name.bytes().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\%".contains(&byte));
    let value = if is_plain {
        format!("inline; filename=\"{name}\"")
    } else {
        format!("inline; filename*=UTF-8''{}", utf8_percent_encode(name, &PLAIN))
    };
    HeaderValue::from_str(&value).unwrap_or(HeaderValue::from_static("inline"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_once_and_cannot_end_its_header() {
        for (name, value) in [
            ("passport.pdf", "inline; filename=\"passport.pdf\""),
            ("my scan (2).pdf", "inline; filename=\"my scan (2).pdf\""),
            ("паспорт.pdf", "inline; filename*=UTF-8''%D0%BF%D0%B0%D1%81%D0%BF%D0%BE%D1%80%D1%82.pdf"),
            ("a\"; filename=evil.html", "inline; filename*=UTF-8''a%22%3B%20filename%3Devil.html"),
            ("a\r\nSet-Cookie: x", "inline; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x"),
        ] {
            assert_eq!(disposition(name), value, "{name}");
        }
    }
}
