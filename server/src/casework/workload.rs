//! The workload of the team: how many open orders each member has, and which of them are the oldest.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Casework;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::orders::counters::FolderCounters;
use crate::orders::rules::{Folder, ProcessingMode};
use crate::orders::status::ProcessStatus;
use crate::orders::workload::{self, OwnedOrders};
use crate::staff::rules::{Member, Staff, StaffType};
use crate::staff::store as staff_store;
use crate::timestamp::Timestamp;

/// The most orders of a member that are listed.
const MAX_OLDEST: i64 = 100;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(call!(list_workload))
}

/// The open orders of an active member, or the New orders that have no owner.
#[derive(Debug, Serialize, ToSchema)]
pub struct Workload {
    /// The member's id; null: the orders have no owner.
    pub staff_id: Option<StaffId>,
    /// The member's name; null without a member.
    pub name: Option<String>,
    /// The member's type; null without a member.
    #[serde(rename = "type")]
    pub staff_type: Option<StaffType>,
    /// The number of orders.
    pub total: i64,
    /// The number of New orders with priority processing. `statuses` counts them as New.
    pub priority: i64,
    /// The number of orders in each status, by its name; without those that have none.
    #[schema(value_type = BTreeMap<String, i64>)]
    pub statuses: BTreeMap<&'static str, i64>,
    /// When the oldest of them was received; null without orders.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub oldest_at: Option<Timestamp>,
    /// The ids of the oldest, at most 100.
    pub oldest: Vec<OrderId>,
}

/// List how many open orders each active member has, by name, and last the New orders without an owner.
#[utoipa::path(get, path = "/admin/workload", responses((status = 200, body = Found<Vec<Workload>>)))]
pub async fn list_workload(State(room): State<Arc<Casework>>, staff: Staff) -> Result<Found<Vec<Workload>>> {
    let read = move |conn: &mut Conn| {
        let owned = workload::count_owned(conn)?;
        let mut all = Vec::new();
        for member in staff_store::list(conn)? {
            let oldest = workload::list_oldest(conn, member.staff_id, MAX_OLDEST)?;
            all.push(of_member(member, &owned, oldest));
        }
        all.push(unassigned(conn, staff.id)?);
        Ok(all)
    };
    Ok(found(room.db.read(read).await?))
}

fn of_member(member: Member, owned: &[OwnedOrders], oldest: Vec<OrderId>) -> Workload {
    let own = || owned.iter().filter(|one| one.owner_id == member.staff_id);
    let is_priority = |one: &&OwnedOrders| one.status == ProcessStatus::New && one.mode == ProcessingMode::Priority;
    let mut statuses = BTreeMap::new();
    for one in own() {
        *statuses.entry(one.status.as_str()).or_default() += one.count;
    }
    Workload {
        staff_id: Some(member.staff_id),
        name: Some(member.name),
        staff_type: Some(member.staff_type),
        total: statuses.values().sum(),
        priority: own().filter(is_priority).map(|one| one.count).sum(),
        oldest_at: own().map(|one| one.oldest_at).min(),
        statuses,
        oldest,
    }
}

fn unassigned(conn: &mut Conn, caller: StaffId) -> Result<Workload> {
    let counters = FolderCounters::read_of(conn, caller)?;
    let priority = counters.count(Folder::Priority, caller);
    let total = counters.count(Folder::New, caller) + priority;
    let oldest = workload::list_oldest_unassigned(conn, MAX_OLDEST)?;
    Ok(Workload {
        staff_id: None,
        name: None,
        staff_type: None,
        total,
        priority,
        statuses: Some((ProcessStatus::New.as_str(), total)).filter(|_| total > 0).into_iter().collect(),
        oldest_at: oldest.first().map(|(received_at, _)| *received_at),
        oldest: oldest.into_iter().map(|(_, order_id)| order_id).collect(),
    })
}
