//! The visitor's download of the visa.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Public;
use super::errors::PublicError;
use super::http::own_order;
use super::orders;
use crate::devices::{self, Device};
use crate::documents::kinds::VISA;
use crate::documents::links::{Links, VALID_FOR_SECONDS, Viewer};
use crate::error::{Error, Result};
use crate::http::address::ClientAddress;
use crate::http::answer::StoredResponse;
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::places::{self, Place};
use crate::tracking::grants::Visitor;
use crate::tracking::store::{self, Download};

pub fn endpoints() -> OpenApiRouter<Arc<Public>> {
    OpenApiRouter::new().routes(call!(download_visa))
}

/// The visitor's order, and the visa to download.
#[derive(Deserialize, ToSchema)]
pub struct DownloadVisa {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
    /// Always `customer`; ignored.
    #[expect(dead_code, reason = "the wire carries it")]
    #[schema(value_type = String)]
    customername: Option<Value>,
    /// The visa's `file1` in the history.
    #[schema(value_type = String)]
    file1: Option<Value>,
}

/// A link to the visa.
#[derive(Serialize, ToSchema)]
pub struct VisaLink {
    /// 1.
    status: u8,
    /// A text for people.
    message: String,
    /// A link to the visa, valid for this visitor only.
    path: String,
    /// The time that it opens the visa, in seconds.
    valid_for_seconds: u32,
}

/// Get a link to the visa, and record the download.
#[utoipa::path(post, path = "/front/download-passport-doc-pdf", request_body = DownloadVisa,
    responses((status = 200, body = VisaLink)))]
pub async fn download_visa(
    State(room): State<Arc<Public>>,
    visitor: Visitor,
    address: ClientAddress,
    headers: HeaderMap,
    idempotent: IdempotentRequest,
    Json(body): Json<DownloadVisa>,
) -> Result<StoredResponse> {
    let id = own_order(&visitor, body.order_id.as_ref())?;
    let file1 = body.file1.as_ref().and_then(Value::as_str).ok_or(PublicError::VisaNotFound)?.to_owned();
    let download = describe(&room, address, &headers).await?;
    let links = Links::new(&room.documents, Viewer::Visitor(visitor.grant_hash));
    idempotent
        .write(&room.db, move |tx| {
            let (_, visa) = orders::find(tx, id)?.ok_or(PublicError::ApplicationNotFound)?;
            let visa = visa.filter(|visa| visa.file1 == file1).ok_or(PublicError::VisaNotFound)?;
            store::add_download(tx, id, visa.document_id, &download)?;
            let path = links.to(VISA, &visa.file1, visa.media_type);
            Ok(VisaLink { status: 1, message: "Your visa is ready".into(), path, valid_for_seconds: VALID_FOR_SECONDS })
        })
        .await
}

/// The recorded facts of a download: the address that the listener or a trusted proxy saw, and the device by its user agent.
async fn describe(room: &Public, address: ClientAddress, headers: &HeaderMap) -> Result<Download> {
    let text = |name: &str| {
        headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default()
    };
    let user_agent = devices::clean(&text(header::USER_AGENT.as_str()));
    let purpose = ["purpose", "sec-purpose", "x-purpose", "x-moz"].map(text).join(" ");
    let created_at = room.clock.now();
    let read = tokio::task::spawn_blocking(move || {
        let Device { device, device_type, browser, os, automated } =
            devices::describe(user_agent.as_deref().unwrap_or_default(), &purpose);
        let place = places::find(address.0);
        let (location, as_of) = place.map_or(("-".into(), None), |Place { country, as_of }| (country, Some(as_of)));
        Download {
            ip: address.to_string(),
            device,
            device_type: device_type.to_owned(),
            browser,
            os,
            location,
            location_as_of: as_of,
            user_agent,
            automated,
            created_at,
        }
    });
    read.await.map_err(Error::internal)
}
