//! The call that lists older rows of an order's histories.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::DetailsRoom;
use super::histories::{self as histories, FailedTries, OrderEvent, SentMail, VisaDownload};
use super::whole::NEWEST;
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store as audit;
use crate::db::Conn;
use crate::db::history::{Before, HistoryPart};
use crate::documents::links::{Links, Viewer};
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::{Path, Query};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lists::errors::ListError;
use crate::mail::store as mail;
use crate::orders::errors::OrderError;
use crate::orders::{remarks, store};
use crate::remarks::entry::RemarkEntry;
use crate::staff::rules::{Staff, may_see_failed_tries};
use crate::tracking::failed_tracks::{self, TryKey};
use crate::tracking::store::list_downloads;

/// The most rows of a response.
const MAX_ROWS: i64 = 200;

pub fn endpoints() -> OpenApiRouter<Arc<DetailsRoom>> {
    OpenApiRouter::new().routes(call!(order_history))
}

/// A history of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum History {
    /// Mails about the order.
    Mails,
    /// Downloads of the visa.
    Downloads,
    /// Remarks of staff.
    Remarks,
    /// Audit events.
    Timeline,
    /// Wrong tries to open the order on the public pages. Empty for types of staff other than Admin and Manager.
    Tries,
}

/// Which rows of which history.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// The history.
    #[param(inline)]
    history: History,
    /// The position that the details or the previous response named as older; the newest rows without it.
    before: Option<String>,
    /// Rows of one response, 1 to 200; 50 by default.
    limit: Option<i64>,
}

/// A part of a history.
enum HistoryName {
    Mails(Before),
    Downloads(Before),
    Remarks(Before),
    Timeline(Before),
    /// The row that it ends before, and the most rows.
    Tries(Option<TryKey>, i64),
}

impl HistoryQuery {
    fn check(self) -> Result<HistoryName, ListError> {
        let Self { history, before, limit } = self;
        let max = limit.unwrap_or(NEWEST);
        if !(1..=MAX_ROWS).contains(&max) {
            return Err(ListError::InvalidPageLimit(MAX_ROWS));
        }
        if history == History::Tries {
            let key = before.map(|text| histories::parse_try_key(&text).ok_or(ListError::InvalidHistoryPosition));
            return Ok(HistoryName::Tries(key.transpose()?, max));
        }
        let id = before.map_or(Ok(i64::MAX), |text| text.parse().map_err(|_| ListError::InvalidHistoryPosition))?;
        let before = Before { id, max };
        Ok(match history {
            History::Mails => HistoryName::Mails(before),
            History::Downloads => HistoryName::Downloads(before),
            History::Remarks => HistoryName::Remarks(before),
            History::Timeline | History::Tries => HistoryName::Timeline(before),
        })
    }
}

/// Rows of one history, in the field and the order of the details. The fields of other histories are absent.
#[derive(Default, Serialize, ToSchema)]
pub struct OrderHistory {
    /// Mails, the oldest first.
    #[serde(rename = "mailHistory", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mail_history: Option<Vec<SentMail>>,
    /// Downloads, the oldest first.
    #[serde(rename = "downloadHistory", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    download_history: Option<Vec<VisaDownload>>,
    /// Remarks, the oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    remark: Option<Vec<RemarkEntry>>,
    /// Audit events, the newest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    timeline: Option<Vec<OrderEvent>>,
    /// Wrong tries by hour and network, the oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    failed_tries: Option<Vec<FailedTries>>,
    /// The `before` of the next older rows; null: there are none.
    older: Option<String>,
}

/// List older rows of a history of an order. The access is logged.
#[utoipa::path(get, path = "/admin/get-order-history/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded"), HistoryQuery),
    responses((status = 200, body = Found<OrderHistory>)))]
pub async fn order_history(
    State(room): State<Arc<DetailsRoom>>,
    staff: Staff,
    reader: Reader,
    Path(id): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> Result<Found<OrderHistory>> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let part = query.check()?;
    let texts = room.clone();
    let history = room.db.read(move |conn| {
        let links = Links::new(&texts.documents, Viewer::Staff(staff.session_hash));
        let exists = store::exists(conn, id)?;
        Ok(if exists { Some(find(conn, id, part, &links, may_see_failed_tries(staff.staff_type))?) } else { None })
    });
    let history = history.await?.ok_or(OrderError::OrderNotFound)?;
    reader.note(SeenData::order("order.view", id)).await?;
    Ok(found(history))
}

/// The part of the history. Wrong tries are read only for those who may see them.
fn find(conn: &mut Conn, id: OrderId, part: HistoryName, links: &Links, with_tries: bool) -> Result<OrderHistory> {
    let none = OrderHistory::default();
    Ok(match part {
        HistoryName::Mails(before) => {
            let (rows, older) = histories::mails(id, mail::list_before(conn, id, before)?, links);
            OrderHistory { mail_history: Some(rows), older, ..none }
        }
        HistoryName::Downloads(before) => {
            let (rows, older) = histories::downloads(id, list_downloads(conn, id, before)?, links);
            OrderHistory { download_history: Some(rows), older, ..none }
        }
        HistoryName::Remarks(before) => {
            let (rows, older) = histories::remarks(id, remarks::list(conn, id, before)?);
            OrderHistory { remark: Some(rows), older, ..none }
        }
        HistoryName::Timeline(before) => {
            let (rows, older) = histories::timeline(audit::timeline(conn, id, before)?);
            OrderHistory { timeline: Some(rows), older, ..none }
        }
        HistoryName::Tries(before, max) => {
            let part = if with_tries { failed_tracks::list(conn, id, before, max)? } else { HistoryPart::default() };
            let (rows, older) = histories::tries(part);
            OrderHistory { failed_tries: Some(rows), older, ..none }
        }
    })
}
