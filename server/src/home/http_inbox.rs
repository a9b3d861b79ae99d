//! The inbox of a member: mentions, orders that they got and lost.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::HomeRoom;
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::rules::may_find;
use crate::orders::{moves, remarks};
use crate::staff::inbox::{self, InboxKind};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The most entries of a response.
const MAX_ENTRIES: i64 = 50;

pub fn endpoints() -> OpenApiRouter<Arc<HomeRoom>> {
    OpenApiRouter::new().routes(call!(list_inbox)).routes(call!(count_inbox)).routes(call!(mark_inbox_read))
}

/// An entry of the inbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct InboxItem {
    /// The entry's id.
    pub inbox_id: i64,
    /// The order.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// Why the member is told.
    pub kind: InboxKind,
    /// The person who did it.
    pub by: String,
    /// The remark that mentions the member or says why; null: there is none, or the order is in no folder that the member may list.
    pub remark: Option<String>,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// The member has read it.
    pub is_read: bool,
}

/// The newest entries of the inbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct Inbox {
    /// 1.
    pub status: u8,
    /// A text for people; empty if there is nothing to say.
    pub message: String,
    /// At most 50, the newest first.
    pub data: Vec<InboxItem>,
    /// The number of entries that the member has not read.
    pub unread: i64,
}

/// List what the caller is told: mentions, orders that they got, and those that were given to others.
#[utoipa::path(get, path = "/admin/inbox", responses((status = 200, body = Inbox)))]
pub async fn list_inbox(State(room): State<Arc<HomeRoom>>, staff: Staff, reader: Reader) -> Result<axum::Json<Inbox>> {
    let read = move |conn: &mut Conn| {
        let entries = inbox::list(conn, staff.id, MAX_ENTRIES)?;
        let ids: Vec<OrderId> = entries.iter().map(|entry| entry.order_id).collect();
        let orders = moves::list(conn, &ids)?;
        let open: Vec<OrderId> =
            orders.iter().filter(|order| may_find(&staff, order)).map(|order| order.order_id).collect();
        let remark_ids: Vec<i64> =
            entries.iter().filter(|entry| open.contains(&entry.order_id)).filter_map(|entry| entry.remark_id).collect();
        let texts: HashMap<i64, String> = remarks::texts(conn, &remark_ids)?.into_iter().collect();
        let item = |entry: inbox::InboxEntry| InboxItem {
            inbox_id: entry.inbox_id,
            order_id: entry.order_id,
            order_number: entry.order_id.printed(),
            kind: entry.kind,
            by: entry.by_name,
            remark: entry.remark_id.and_then(|id| texts.get(&id).cloned()),
            created_at: entry.created_at,
            is_read: entry.read_at.is_some(),
        };
        let data = entries.into_iter().map(item).collect();
        Ok(Inbox { status: 1, message: String::new(), data, unread: inbox::count_unread(conn, staff.id)? })
    };
    let inbox = room.db.read_briefly(read).await?;
    reader.note(SeenData::orders("inbox.list", inbox.data.len())).await?;
    Ok(axum::Json(inbox))
}

/// The unread part of an inbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnreadInbox {
    /// The number of entries that the member has not read.
    pub unread: i64,
    /// The newest of them; null: there is none.
    pub newest: Option<UnreadItem>,
}

/// An unread entry as a notification of the browser shows it, on a screen that others may see: nothing about the applicant.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnreadItem {
    /// The order.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// Why the member is told.
    pub kind: InboxKind,
    /// The person who did it.
    pub by: String,
}

/// Count what the caller has not read.
#[utoipa::path(get, path = "/admin/count-inbox", responses((status = 200, body = Found<UnreadInbox>)))]
pub async fn count_inbox(State(room): State<Arc<HomeRoom>>, staff: Staff) -> Result<Found<UnreadInbox>> {
    let read = move |conn: &mut Conn| Ok((inbox::count_unread(conn, staff.id)?, inbox::newest_unread(conn, staff.id)?));
    let (unread, newest) = room.db.look_up(read).await?;
    let newest = newest.map(|entry| UnreadItem {
        order_id: entry.order_id,
        order_number: entry.order_id.printed(),
        kind: entry.kind,
        by: entry.by_name,
    });
    Ok(found(UnreadInbox { unread, newest }))
}

/// The entries that were read.
#[derive(Deserialize, ToSchema)]
pub struct MarkInboxRead {
    /// The newest entry that the caller has seen; it and all older ones are read.
    #[serde(rename = "inboxId")]
    inbox_id: i64,
}

/// Mark the caller's entries as read, up to one.
#[utoipa::path(put, path = "/admin/read-inbox", request_body = MarkInboxRead, responses((status = 200, body = Done)))]
pub async fn mark_inbox_read(
    State(room): State<Arc<HomeRoom>>,
    staff: Staff,
    Json(body): Json<MarkInboxRead>,
) -> Result<Done> {
    let now = room.clock.now();
    room.db.write(move |tx| inbox::mark_read(tx, staff.id, body.inbox_id, now)).await?;
    Ok(done("Your inbox is read"))
}
