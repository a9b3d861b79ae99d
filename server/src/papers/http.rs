//! The checks of an order's papers on the wire, and what staff do with their findings.

use std::sync::Arc;

use axum::extract::State;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Papers;
use super::desk::Desk;
use super::errors::PaperError;
use super::limits::{PortalLimits, portal};
use super::reading::{PaperReading, ReadFrom};
use super::rules::{CheckState, FieldFinding, NotChecked, Paper, PaperField};
use super::store::{self, Check, Context, Verdict};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::{Json, Path};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::orders::errors::OrderError;
use crate::orders::facts;
use crate::orders::store as orders;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Papers>> {
    OpenApiRouter::new().routes(call!(order_papers)).routes(call!(look_at_finding)).routes(call!(check_papers))
}

/// The papers of an order, with their checks.
#[derive(Serialize, ToSchema)]
pub struct OrderPapers {
    /// The check of the newest file of each paper; empty: none was requested.
    checks: Vec<PaperCheck>,
    #[serde(flatten)]
    desk: Desk,
}

/// The check of a paper.
#[derive(Serialize, ToSchema)]
struct PaperCheck {
    /// The id of the checked file.
    document_id: i64,
    /// Which paper it is.
    paper: Paper,
    /// The state of the check.
    state: CheckState,
    /// Why it was not checked; null: it was, or waits.
    reason: Option<NotChecked>,
    /// The same for people: "tesseract is not installed on the server".
    reason_text: Option<&'static str>,
    /// When the check ended; null: it waits.
    #[schema(value_type = Option<String>, format = DateTime)]
    checked_at: Option<Timestamp>,
    /// The source from which the lines were read; null: they were not.
    read_from: Option<ReadFrom>,
    /// The machine-readable lines as they were read, the upper one first; empty: they were not. Null: that line could not be read.
    lines: Vec<Option<String>>,
    /// The lines, cut out of the picture and straightened, as a `data:` address; null: there is no picture of them.
    crop: Option<String>,
    /// The compared fields, in the order of the passport.
    findings: Vec<PaperFinding>,
    /// Whose limits they were compared with; null: they were compared with the order.
    limits: Option<LimitsOf>,
    /// The number of fields that differ or need a review, and that no member has reviewed yet.
    open: usize,
}

/// Where the limits of the government's portal were read.
#[derive(Serialize, ToSchema)]
struct LimitsOf {
    /// The day on which they were read.
    #[schema(value_type = String, format = Date)]
    as_of: NaiveDate,
    /// Where they were read, for people.
    #[schema(value_type = String)]
    source: &'static str,
}

/// A compared field, and whether a person has looked at it.
#[derive(Serialize, ToSchema)]
struct PaperFinding {
    #[serde(flatten)]
    finding: FieldFinding,
    /// The name of the field for people.
    label: &'static str,
    /// A member's verdict on it; null: no member has reviewed these values.
    verdict: Option<Verdict>,
    /// Names both values: sent back with a look, so that it counts for nothing else.
    values_hash: String,
}

impl PaperCheck {
    fn read(conn: &mut Conn, order_id: OrderId, check: &Check, context: Context) -> Result<Self> {
        let reading = check.reading();
        let findings = match &reading {
            Some(reading) => store::findings(conn, order_id, reading, context)?,
            None => Vec::new(),
        };
        let looks = store::looks(conn, check.document_id)?;
        let open = store::open(&findings, &looks).count();
        let limits = matches!(reading, Some(PaperReading::Photograph(_))).then(|| {
            let PortalLimits { as_of, photograph } = portal();
            LimitsOf { as_of: *as_of, source: &photograph.source }
        });
        let passport = match reading {
            Some(PaperReading::Passport(passport)) => Some(passport),
            Some(PaperReading::Photograph(_)) | None => None,
        };
        let crop = passport.as_ref().and_then(|passport| passport.crop.as_ref());
        let with_look = |finding: FieldFinding| PaperFinding {
            label: finding.field.label(),
            verdict: store::look_at(&finding, &looks).map(|look| look.verdict),
            values_hash: store::values_hash(&finding),
            finding,
        };
        Ok(Self {
            document_id: check.document_id,
            paper: check.paper,
            state: check.shown_state(),
            reason: check.reason,
            reason_text: check.reason.map(NotChecked::text),
            checked_at: check.checked_at,
            read_from: passport.as_ref().map(|passport| passport.from),
            crop: crop.map(|crop| format!("data:image/jpeg;base64,{crop}")),
            lines: passport.map(|passport| passport.first.into()).unwrap_or_default(),
            findings: findings.into_iter().map(with_look).collect(),
            limits,
            open,
        })
    }
}

fn context(room: &Papers) -> Context {
    Context { now: room.clock.now(), today: room.clock.today(room.config.time_zone) }
}

/// Get the papers of an order, with their checks and what the applicant was asked for. The access is logged.
#[utoipa::path(get, path = "/admin/order-papers/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<OrderPapers>)))]
pub async fn order_papers(
    State(room): State<Arc<Papers>>,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Found<OrderPapers>> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let context = context(&room);
    let read = room.db.read(move |conn| {
        let Some((order, _)) = facts::find(conn, id)? else { return Ok(None) };
        let checks = store::list(conn, id)?;
        let desk = Desk::read(conn, &order, &checks, context)?;
        let checks = checks.iter().map(|check| PaperCheck::read(conn, id, check, context));
        Ok(Some(OrderPapers { checks: checks.collect::<Result<_>>()?, desk }))
    });
    let papers = read.await?.ok_or(OrderError::OrderNotFound)?;
    reader.note(SeenData::order("order.view", id)).await?;
    Ok(found(papers))
}

/// A look at a finding.
#[derive(Deserialize, ToSchema)]
pub struct LookAtFinding {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The checked file.
    #[serde(rename = "documentId")]
    document_id: i64,
    /// The compared field.
    field: PaperField,
    /// The `values_hash` of the finding that was looked at.
    #[serde(rename = "valuesHash")]
    values_hash: String,
    /// The member's verdict.
    verdict: Verdict,
}

/// Record that the caller has looked at a finding. It does not change the order.
#[utoipa::path(post, path = "/admin/look-at-finding", request_body = LookAtFinding, responses((status = 200, body = Done)))]
pub async fn look_at_finding(
    State(room): State<Arc<Papers>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<LookAtFinding>,
) -> Result<StoredResponse> {
    let context = context(&room);
    idempotent
        .write(&room.db, move |tx| {
            lock_orders(tx, &[body.order_id])?;
            if !orders::exists(tx, body.order_id)? {
                return Err(OrderError::OrderNotFound.into());
            }
            let checks = store::list(tx, body.order_id)?;
            let check = checks.iter().find(|check| check.document_id == body.document_id);
            let check = check.ok_or(PaperError::FindingChanged)?;
            let reading = check.reading().ok_or(PaperError::FindingChanged)?;
            let findings = store::findings(tx, body.order_id, &reading, context)?;
            let finding = findings.iter().find(|finding| finding.field == body.field && finding.is_open());
            let finding = finding.filter(|finding| store::values_hash(finding) == body.values_hash);
            let finding = finding.ok_or(PaperError::FindingChanged)?;
            if store::add_look(tx, check, &findings, finding, body.verdict, staff.id, context.now)? {
                let before = format!("{}: {}", check.paper, finding.finding());
                let change = Change::of("paper.look")
                    .order(body.order_id)
                    .before(before)
                    .after(format!("{}: {}", finding.field, body.verdict));
                add(tx, &Actor::from(&staff), &[change], context.now)?;
            }
            Ok(done(format!("{} has been checked", finding.field.label())))
        })
        .await
}

/// An order whose papers are to be checked again.
#[derive(Deserialize, ToSchema)]
pub struct CheckPapers {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
}

/// Check the newest papers of an order once more, such as those that arrived before the checks.
#[utoipa::path(post, path = "/admin/check-papers", request_body = CheckPapers, responses((status = 200, body = Done)))]
pub async fn check_papers(
    State(room): State<Arc<Papers>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<CheckPapers>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    let response = idempotent
        .write(&room.db, move |tx| {
            lock_orders(tx, &[body.order_id])?;
            if !orders::exists(tx, body.order_id)? {
                return Err(OrderError::OrderNotFound.into());
            }
            if store::request_again(tx, body.order_id, now)? == 0 {
                return Err(PaperError::NoPaperToCheck.into());
            }
            let change = Change::of("paper.request").order(body.order_id);
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done("The papers are being checked"))
        })
        .await;
    room.notify.notify_one();
    response
}
