//! The calls of the public pages: track, history.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Public;
use super::asked::{AskedPapers, MissingPaper};
use super::errors::PublicError;
use super::orders;
use super::rules::{self, Need, NeedCode, StageStart};
use crate::db::history::Before;
use crate::db::{Conn, advisory_lock};
use crate::documents::store as documents;
use crate::error::{Error, Refusals, Result};
use crate::http::address::ClientAddress;
use crate::http::failed_attempts::{self, Attempt};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::moves;
use crate::orders::status::Stage;
use crate::paper_requests::store as paper_requests;
use crate::text::without_case;
use crate::timestamp::Timestamp;
use crate::tracking::errors::TrackingError;
use crate::tracking::failed_tracks;
use crate::tracking::grants::{self, NewGrant, Visitor, cookie_name};
use crate::tracking::rules as tracking_rules;
use crate::tracking::store::{self, Download};

pub fn endpoints() -> OpenApiRouter<Arc<Public>> {
    OpenApiRouter::new().routes(call!(track_order)).routes(call!(download_history))
}

/// The most downloads of a response.
const MAX_DOWNLOADS: i64 = 200;

/// An id that no order has.
pub const NO_ORDER: OrderId = OrderId(0);

/// The order that a visitor names. A value that is no order's number is treated like the number of an order that does not exist.
pub fn parse_order(order_id: Option<&Value>) -> Result<Option<OrderId>, PublicError> {
    match order_id {
        None | Some(Value::Null) => Err(PublicError::TrackedOrderMissing),
        Some(Value::String(text)) if text.trim().is_empty() => Err(PublicError::TrackedOrderMissing),
        Some(Value::String(text)) => Ok(OrderId::parse(text.trim())),
        Some(Value::Number(number)) => Ok(OrderId::parse(&number.to_string())),
        Some(_) => Ok(None),
    }
}

/// The order of a request, which must be the visitor's.
pub fn own_order(visitor: &Visitor, order_id: Option<&Value>) -> Result<OrderId, PublicError> {
    let id = parse_order(order_id)?;
    id.filter(|id| *id == visitor.order_id).ok_or(PublicError::ApplicationNotFound)
}

/// An order, and the email that confirms it.
#[derive(Deserialize, ToSchema)]
pub struct TrackOrder {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
    /// The email used on the application.
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// A grant for one order.
#[derive(Serialize, ToSchema)]
pub struct Tracked {
    /// 1.
    status: u8,
    /// A text for people.
    message: String,
    /// Grants access to the order for 30 minutes. Send it as the header `Authorization`, without a prefix, or use the cookie, which
    /// holds the same token.
    #[serde(rename = "visitorToken")]
    token: String,
}

impl Refusals for Visitor {}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| TrackingError::EmailNotConfirmed.into())
    }
}

/// Confirm the email of an order to see that order for half an hour.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and a second grant does no harm.
#[utoipa::path(post, path = "/front/track-order", request_body = TrackOrder,
    responses((status = 200, body = Tracked)))]
pub async fn track_order(
    State(room): State<Arc<Public>>,
    address: ClientAddress,
    Json(body): Json<TrackOrder>,
) -> Result<(CookieJar, axum::Json<Tracked>)> {
    let (id, target) = (parse_order(body.order_id.as_ref())?, body.order_id.as_ref());
    let email = body.email.unwrap_or_default();
    if email.trim().is_empty() {
        return Err(PublicError::TrackedEmailMissing.into());
    }
    // A value that is no order's number costs the same queries and counters as an order that does not exist.
    let target = id.map_or_else(|| target.map(Value::to_string).unwrap_or_default(), |id| id.to_string());
    let id = id.unwrap_or(NO_ORDER);
    let limits = &room.config.limits;
    let attempts = [
        Attempt::new(tracking_rules::tracking_limit(limits), &room.secret, address, &target),
        Attempt::new(tracking_rules::email_limit(limits), &room.secret, address, &without_case(email.trim())),
    ];
    let now = room.clock.now();
    let grant = NewGrant::draw(&room.secret, id, now);
    {
        let attempts = attempts.clone();
        room.db.read(move |conn| check_all(conn, &attempts, now)).await?;
    }
    let (secret, new) = (room.secret.clone(), grant.clone());
    let confirmed = room.db.write(move |tx| {
        // Serialises parallel guesses, the right one included, so that each is counted before the next is checked.
        attempts.iter().try_for_each(|attempt| advisory_lock(tx, &attempt.target))?;
        check_all(tx, &attempts, now)?;
        let known = orders::find_emails(tx, id)?;
        let confirms = rules::confirms(&email, known.as_ref(), |email| secret.sign("order emails", email.as_bytes()));
        if confirms {
            attempts.iter().try_for_each(|attempt| failed_attempts::add_success(tx, attempt, now))?;
            grants::add(tx, &new)?;
        } else {
            attempts.iter().try_for_each(|attempt| failed_attempts::add_failure(tx, attempt, now))?;
            failed_tracks::add(tx, known.map_or(NO_ORDER, |_| id), address, now)?;
        }
        Ok(confirms)
    });
    if !confirmed.await? {
        return Err(PublicError::ApplicationNotFound.into());
    }
    Ok(granted(&room, grant))
}

/// The response to a visitor who confirmed an order.
pub fn granted(room: &Public, grant: NewGrant) -> (CookieJar, axum::Json<Tracked>) {
    let tracked = Tracked { status: 1, message: "We found your application".into(), token: grant.token.clone() };
    (CookieJar::new().add(cookie(room, grant.token)), axum::Json(tracked))
}

/// Refuses a try that has to wait for its order or its email.
fn check_all(conn: &mut Conn, attempts: &[Attempt], now: Timestamp) -> Result<()> {
    attempts.iter().try_for_each(|attempt| failed_attempts::check(conn, attempt, now))
}

/// The HttpOnly session cookie of a grant.
fn cookie(room: &Public, token: String) -> Cookie<'static> {
    Cookie::build((cookie_name(&room.config), token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(room.config.is_https())
        .build()
}

/// The visitor's order.
#[derive(Deserialize, ToSchema)]
pub struct FindDownloads {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
}

/// An order as its applicant sees it.
#[derive(Serialize, ToSchema)]
pub struct DownloadHistory {
    /// 1.
    status: u8,
    /// A text for people; empty if there is nothing to say.
    message: String,
    /// The newest 200 downloads, the oldest of them first.
    data: Vec<DownloadEntry>,
    /// The number of all downloads.
    total: i64,
    /// The progress of the order.
    #[serde(rename = "mainResult")]
    main_result: TrackedOrder,
    /// The visa; null while there is none.
    path: Option<VisaFile>,
}

/// A download of the visa.
#[derive(Serialize, ToSchema)]
pub struct DownloadEntry {
    /// The order's id.
    order_id: OrderId,
    /// When the visa was downloaded.
    #[schema(value_type = String, format = DateTime)]
    create_ts: Timestamp,
    /// The visitor's IP address.
    ip: String,
    /// The device, `Unknown` if unknown.
    device: String,
    /// `Mobile`, `Tablet`, `Desktop`, `Bot` or `Unknown`.
    device_type: String,
    /// The browser, `Unknown` if unknown.
    browser: String,
    /// The operating system, `Unknown` if unknown.
    os: String,
    /// The country, `-` if unknown.
    location: String,
    /// The request came from a mail scanner or link preview, by its user agent or headers.
    automated: bool,
}

/// The progress of an order.
#[derive(Serialize, ToSchema)]
pub struct TrackedOrder {
    /// The order's id.
    order_id: OrderId,
    /// The printed form, `VD-100001`.
    order_number: String,
    /// The applicant's full name.
    full_name: String,
    /// The current stage.
    stage: Stage,
    /// The stages so far, the current one last.
    timeline: Vec<TimelineStep>,
    /// The items that the applicant still has to provide.
    needs: Vec<NeedEntry>,
    /// The papers that the applicant was asked for; null: none.
    asked: Option<AskedPapers>,
    /// The documents that the page takes without a request, because they are missing.
    missing: Vec<MissingPaper>,
    /// Everything that the applicant was asked for last is there. False after staff took the request back.
    papers_complete: bool,
}

/// A stage that the order reached.
#[derive(Serialize, ToSchema)]
pub struct TimelineStep {
    /// The stage.
    stage: Stage,
    /// When it was reached.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

/// Something that the applicant still has to provide.
#[derive(Serialize, ToSchema)]
pub struct NeedEntry {
    /// The code of the item.
    code: NeedCode,
    /// The document's name.
    label: Option<&'static str>,
}

/// The name of a file.
#[derive(Serialize, ToSchema)]
pub struct VisaFile {
    /// Sent back to download the file.
    file1: String,
}

/// Get the progress of the visitor's order and the downloads of its visa.
// Without `IdempotentRequest`: it changes nothing.
#[utoipa::path(post, path = "/front/get-download-history", request_body = FindDownloads,
    responses((status = 200, body = DownloadHistory)))]
pub async fn download_history(
    State(room): State<Arc<Public>>,
    visitor: Visitor,
    Json(body): Json<FindDownloads>,
) -> Result<axum::Json<DownloadHistory>> {
    let id = own_order(&visitor, body.order_id.as_ref())?;
    let history = room.db.read(move |conn| {
        let (order, visa) = orders::find(conn, id)?.ok_or(PublicError::ApplicationNotFound)?;
        let steps = rules::timeline(&order, &moves::status_changes(conn, id)?);
        let given = documents::list_kinds(conn, id)?;
        let needs = rules::needs(&order, &given);
        let asked = AskedPapers::find(conn, &order)?;
        let missing = MissingPaper::list(conn, &order, &given, asked.as_ref())?;
        let papers_complete = asked.is_none() && paper_requests::is_complete(conn, id)?;
        let downloads = store::list_downloads(conn, id, Before::newest(MAX_DOWNLOADS))?;
        let step = |step: StageStart| TimelineStep { stage: step.stage, at: step.at };
        let need = |need: Need| NeedEntry { code: need.code, label: need.label };
        Ok(DownloadHistory {
            status: 1,
            message: String::new(),
            total: downloads.total,
            data: downloads.rows.into_iter().map(|listed| entry(id, listed.download)).collect(),
            main_result: TrackedOrder {
                order_id: id,
                order_number: id.printed(),
                stage: rules::stage(&order),
                full_name: order.full_name,
                timeline: steps.into_iter().map(step).collect(),
                needs: needs.into_iter().map(need).collect(),
                asked,
                missing,
                papers_complete,
            },
            path: visa.map(|visa| VisaFile { file1: visa.file1 }),
        })
    });
    Ok(axum::Json(history.await?))
}

fn entry(order_id: OrderId, download: Download) -> DownloadEntry {
    DownloadEntry {
        order_id,
        create_ts: download.created_at,
        ip: download.ip,
        device: download.device,
        device_type: download.device_type,
        browser: download.browser,
        os: download.os,
        location: download.location,
        automated: download.automated,
    }
}
