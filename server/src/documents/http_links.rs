//! Serves files by their signed links. They are not in the contract and its table: the link grants access, and without one the
//! address does not exist.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Documents;
use super::kinds::Origin;
use super::links::{OpenedBy, path_of};
use super::owners::NamedFile;
use super::rules::MediaType;
use super::sending::FileBody;
use crate::audit::seen::SeenData;
use crate::config::Config;
use crate::error::{Error, Permission, Result};
use crate::files::errors::ReadErrors;
use crate::http::errors::HttpError;

/// Serves a file to the viewer whom its link was signed for.
pub async fn serve(
    State(room): State<Arc<Documents>>,
    opened: OpenedBy,
    reading: Permission<ReadErrors>,
    request: Request,
) -> Result<Response> {
    let named = room.find_by_path(request.uri().path().strip_prefix('/').unwrap_or_default()).await?;
    match &opened {
        OpenedBy::Staff(reader) => reader.note(SeenData::order("file.view", named.order_id)).await?,
        // Links are signed for their own visa only; checked again in case one is ever signed for something else.
        OpenedBy::Visitor(order_id) if *order_id == named.order_id && Origin::of(&named.kind).is_delivered() => {}
        OpenedBy::Visitor(_) => return Err(HttpError::NoSuchAddress.into()),
    }
    // Before the file is read: its bytes stay in memory until the reader has taken them.
    let permit = room.reserve(&opened, usize::try_from(named.stored.size_bytes).map_err(Error::internal)?).await?;
    let content = room.files.get(&named.stored, reading).await?;
    let bytes_per_second = room.config.limits.download_bytes_per_second;
    Ok((head(&room.config, &named), FileBody::new(content, permit, bytes_per_second)).into_response())
}

impl Documents {
    /// The file of that path, as links name it.
    ///
    /// # Errors
    /// [`HttpError::NoSuchAddress`].
    pub(super) async fn find_by_path(&self, path: &str) -> Result<NamedFile> {
        let name = path.rsplit('/').next().unwrap_or_default();
        let key = name.split_once('.').map_or("", |(key, _)| key).to_owned();
        let owners = self.owners;
        let named = self.db.look_up(move |conn| owners.find(conn, &key)).await?.ok_or(HttpError::NoSuchAddress)?;
        let is_its_path = path_of(&named.stored.key, named.media_type) == path;
        is_its_path.then_some(named).ok_or_else(|| HttpError::NoSuchAddress.into())
    }
}

/// The response to every other method.
pub async fn refuse() -> Error {
    HttpError::NoSuchAddress.into()
}

/// The headers by which a browser shows the file on its own and stores nothing.
fn head(config: &Config, file: &NamedFile) -> [(HeaderName, HeaderValue); 8] {
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

/// Pictures are shown in a sandbox, in which browsers style the page around them. Chromium's PDF viewer does not work in a sandbox, so
/// PDFs get only a policy that allows nothing.
fn policy(config: &Config, media_type: MediaType) -> HeaderValue {
    let (sandbox, style) = match media_type {
        MediaType::Pdf => ("", ""),
        _ => ("sandbox; ", "style-src 'unsafe-inline'; "),
    };
    // The staff app frames files, also if another host serves them.
    let elsewhere = !(config.admin_uploads_url.is_empty() && config.customer_uploads_url.is_empty());
    let staff_app = if elsewhere { format!(" {}", config.public_url.trim_end_matches('/')) } else { String::new() };
    let policy = format!("{sandbox}default-src 'none'; {style}frame-ancestors 'self'{staff_app}");
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("sandbox; default-src 'none'"))
}

/// The characters that RFC 8187 leaves unescaped.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Shown inline, and saved under its own name, in the one form that the name needs.
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
