//! Counts of orders by folder and by month of processing.

use std::sync::Arc;

use axum::extract::State;
use chrono::Datelike;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::Reports;
use super::errors::ReportError;
use crate::calendar::MONTHS;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Query;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::orders::counters::FolderCounters;
use crate::orders::find;
use crate::orders::rules::Folder;
use crate::orders::store::counts_by_key;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Reports>> {
    OpenApiRouter::new().routes(call!(folder_counts)).routes(call!(future_order_counts))
}

/// The number of orders in each folder (spec §3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderCounts {
    /// Open orders of the caller, or of the person in `userName`.
    pub my_orders_count: i64,
    /// Orders in New Orders.
    pub new_orders_count: i64,
    /// Orders in Priority Orders.
    pub priority_orders_count: i64,
    /// Orders in Pending Orders.
    pub pending_orders_count: i64,
    /// Orders in Completed Orders.
    pub completed_orders_count: i64,
    /// Orders in Awaiting Orders.
    pub awaiting_orders_count: i64,
    /// Orders in Awaiting Govt.
    pub awaiting_govt_count: i64,
    /// Orders in Customer Called.
    pub customer_called_count: i64,
    /// Orders in Contact Customer.
    pub contact_customer_orders_count: i64,
    /// Orders in Deleted Orders.
    pub deleted_orders_count: i64,
    /// Orders of every status.
    pub all_orders_count: i64,
    /// Orders in Refund Orders.
    pub refund_orders_count: i64,
    /// Orders in ChargeBack.
    pub charge_back_count: i64,
    /// Orders in Future Orders.
    pub future_orders_count: i64,
}

impl FolderCounts {
    fn read(conn: &mut Conn, staff_id: StaffId) -> Result<Self> {
        let counters = FolderCounters::read_of(conn, staff_id)?;
        let holds = |folder: Folder| counters.count(folder, staff_id);
        Ok(Self {
            my_orders_count: holds(Folder::My),
            new_orders_count: holds(Folder::New),
            priority_orders_count: holds(Folder::Priority),
            pending_orders_count: holds(Folder::Pending),
            completed_orders_count: holds(Folder::Completed),
            awaiting_orders_count: holds(Folder::Awaiting),
            awaiting_govt_count: holds(Folder::AwaitingGovt),
            customer_called_count: holds(Folder::CustomerCalled),
            contact_customer_orders_count: holds(Folder::ContactCustomer),
            deleted_orders_count: holds(Folder::Deleted),
            all_orders_count: holds(Folder::All),
            refund_orders_count: holds(Folder::Refund),
            charge_back_count: holds(Folder::ChargeBack),
            future_orders_count: holds(Folder::Future),
        })
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CountFolders {
    /// Whose own orders to count; respected for Admin and Manager.
    #[serde(rename = "userName")]
    user_name: Option<String>,
}

/// Count the orders of each folder.
#[utoipa::path(get, path = "/admin/get-all-folder-count", params(CountFolders),
    responses((status = 200, body = Found<FolderCounts>)))]
pub async fn folder_counts(
    State(room): State<Arc<Reports>>,
    staff: Staff,
    Query(query): Query<CountFolders>,
) -> Result<Found<FolderCounts>> {
    let read = move |conn: &mut Conn| {
        let person = find::person(conn, &staff, query.user_name.as_deref())?;
        FolderCounts::read(conn, person)
    };
    Ok(found(room.db.look_up(read).await?))
}

/// A month, and how many orders have their processing date in it.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MonthCount {
    /// `January` … `December`.
    pub month: &'static str,
    /// The number of Future orders.
    pub count: i64,
}

impl MonthCount {
    /// The twelve months of `year`.
    pub async fn read(room: &Reports, year: i32) -> Result<Vec<Self>> {
        let counts = room.db.look_up(|conn| counts_by_key(conn, "month")).await?;
        let of_month = |number: usize| {
            let key = format!("{year}-{number:02}");
            counts.iter().find(|(month, _)| *month == key).map_or(0, |(_, count)| *count)
        };
        let months = MONTHS.iter().enumerate();
        Ok(months.map(|(place, &month)| Self { month, count: of_month(place + 1) }).collect())
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CountMonths {
    /// This year by default, in the agency's time zone.
    year: Option<i32>,
}

impl CountMonths {
    /// The requested year.
    pub fn year(&self, room: &Reports) -> Result<i32> {
        let year = self.year.unwrap_or_else(|| room.clock.today(room.config.time_zone).year());
        if (1970..=9999).contains(&year) { Ok(year) } else { Err(ReportError::InvalidReportYear.into()) }
    }
}

/// Count the Future orders by month of processing.
#[utoipa::path(get, path = "/admin/get-future-order-counts", params(CountMonths),
    responses((status = 200, body = Found<Vec<MonthCount>>)))]
pub async fn future_order_counts(
    State(room): State<Arc<Reports>>,
    Query(query): Query<CountMonths>,
) -> Result<Found<Vec<MonthCount>>> {
    let year = query.year(&room)?;
    Ok(found(MonthCount::read(&room, year).await?))
}
