//! The page that shows a mail, by its signed link. It is not in the contract and its table, as links to files are not.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::Mail;
use super::preview;
use crate::audit::seen::SeenData;
use crate::documents::links::OpenedBy;
use crate::error::Result;
use crate::http::errors::HttpError;
use crate::ids::OrderId;

/// Nothing in a mail may run, load or navigate, and only the staff app may frame it.
const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/// The path of an order's mail, as links name it.
pub fn path_of(id: OrderId) -> String {
    format!("uploads/mails/{id}.html")
}

/// Shows the mail to the member of staff whom its link was signed for.
pub async fn serve(State(room): State<Arc<Mail>>, opened: OpenedBy, request: Request) -> Result<Response> {
    let path = request.uri().path().strip_prefix('/').unwrap_or_default();
    let name = path.rsplit('/').next().and_then(|name| name.strip_suffix(".html")).unwrap_or_default();
    let id = OrderId::parse(name).filter(|id| path_of(*id) == path).ok_or(HttpError::NoSuchAddress)?;
    // Links to mails are signed for staff only; checked again in case one is ever signed for a visitor.
    let OpenedBy::Staff(reader) = opened else { return Err(HttpError::NoSuchAddress.into()) };
    let shown = preview::find(&room, id).await?;
    reader.note(SeenData::order("mail.open", id)).await?;
    let fixed = HeaderValue::from_static;
    let head = [
        (header::CONTENT_TYPE, fixed("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, fixed(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-site")),
        (header::CACHE_CONTROL, fixed("private, no-store")),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (header::X_FRAME_OPTIONS, fixed("SAMEORIGIN")),
    ];
    Ok((head, shown.html).into_response())
}
