//! The call behind the home screen: the orders that need a member of staff, the last 30 days, and the caller's own day.

use std::sync::Arc;

use axum::extract::State;
use chrono::NaiveDate;
use compact_str::CompactString;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::HomeRoom;
use super::attention::{self, Moment, NeedingGroup, NeedingOrder};
use super::first_run::{self, FirstRunStep};
use super::numbers::{self as home_numbers, Numbers};
use super::rules::{Group, folder_of_group, may_see_numbers, may_see_sums};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::calendar;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::money::Money;
use crate::orders::days;
use crate::orders::rules::{Folder, may_list};
use crate::orders::status::ProcessStatus;
use crate::staff::rules::{Staff, StaffType};
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<HomeRoom>> {
    OpenApiRouter::new().routes(call!(home))
}

/// The home screen below its tiles.
#[derive(Serialize, ToSchema)]
pub struct Home {
    /// When the groups were read: at most a minute ago.
    #[schema(value_type = String, format = DateTime)]
    pub as_of: Timestamp,
    /// The orders that need a member of staff.
    pub groups: Vec<HomeGroup>,
    /// The last 30 days; null for telecallers, who may not list all orders.
    pub numbers: Option<HomeNumbers>,
    /// The caller's own day.
    pub my_day: MyDay,
    /// The steps that the installation still lacks; empty for everybody but Admins.
    pub first_run: Vec<FirstRunStep>,
}

/// Orders that need a member of staff for the same reason.
#[derive(Serialize, ToSchema)]
pub struct HomeGroup {
    /// The reason.
    pub group: Group,
    /// The number of orders: as many as the list of `folder` shows to the caller with `needs`, which for `priority` it shows without.
    pub total: i64,
    /// There may be more than `total`.
    pub more: bool,
    /// The folder that shows them, such as `priorityOrder`.
    pub folder: &'static str,
    /// The first three, the most urgent first.
    pub orders: Vec<HomeOrder>,
}

impl HomeGroup {
    fn new(known: &NeedingGroup, who: StaffType) -> Self {
        Self {
            group: known.group,
            total: known.total,
            more: known.more,
            folder: folder_of_group(known.group, who).as_str(),
            orders: known.orders.iter().map(HomeOrder::new).collect(),
        }
    }
}

/// An order that needs a member of staff.
#[derive(Serialize, ToSchema)]
pub struct HomeOrder {
    /// The order's id.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// The applicant's full name.
    #[schema(value_type = String)]
    pub full_name: CompactString,
    /// The order's status.
    pub process_status: ProcessStatus,
    /// The owner's name; null: unassigned.
    #[schema(value_type = Option<String>)]
    pub assign_to: Option<CompactString>,
    /// Why it is listed, for people: `2 days left`.
    pub reason: String,
    /// The order is urgent.
    pub is_urgent: bool,
}

impl HomeOrder {
    fn new(((row, owner), reason): &NeedingOrder) -> Self {
        Self {
            order_id: row.order_id,
            order_number: row.order_id.printed(),
            full_name: row.full_name.clone(),
            process_status: row.process_status,
            assign_to: owner.clone(),
            reason: reason.text.clone(),
            is_urgent: reason.is_urgent,
        }
    }
}

/// The numbers of the last 30 days, in the agency's time zone.
#[derive(Serialize, ToSchema)]
pub struct HomeNumbers {
    /// The oldest first; the last is today so far.
    pub days: Vec<HomeDay>,
    /// Orders received on these days, without unpaid and deleted ones.
    pub received: i64,
    /// Orders completed on these days. Each counts on the day on which it was last completed.
    pub completed: i64,
    /// The payments of the received orders, one sum for each currency; null for types of staff other than Admin and Manager.
    pub paid: Option<Vec<PaidSum>>,
    /// The median of the minutes from payment to completion, of the newest 5,000 orders completed on these days; null without one.
    pub median_minutes: Option<i64>,
    /// The same, of orders with priority processing.
    pub priority_median_minutes: Option<i64>,
}

impl HomeNumbers {
    fn new(numbers: &Numbers, who: StaffType) -> Self {
        let sum = |money: &Money| PaidSum { currency: money.currency.code().to_owned(), amount: money.decimal() };
        Self {
            days: numbers
                .days
                .iter()
                .map(|day| HomeDay { day: day.day, received: day.received, completed: day.completed })
                .collect(),
            received: numbers.days.iter().map(|day| day.received).sum(),
            completed: numbers.days.iter().map(|day| day.completed).sum(),
            paid: may_see_sums(who).then(|| numbers.paid.iter().map(sum).collect()),
            median_minutes: numbers.median_minutes,
            priority_median_minutes: numbers.priority_median_minutes,
        }
    }
}

/// A day of the agency.
#[derive(Serialize, ToSchema)]
pub struct HomeDay {
    /// The calendar day.
    #[schema(value_type = String, format = Date)]
    pub day: NaiveDate,
    /// Orders received on it.
    pub received: i64,
    /// Orders completed on it.
    pub completed: i64,
}

/// The sum of payments in one currency.
#[derive(Serialize, ToSchema)]
pub struct PaidSum {
    /// ISO 4217.
    pub currency: String,
    /// A decimal number: `1190.00`.
    pub amount: String,
}

/// The day of a member of staff.
#[derive(Serialize, ToSchema)]
pub struct MyDay {
    /// Open orders of the member.
    pub open: i64,
    /// Orders that the member completed today, in the agency's time zone.
    pub completed_today: i64,
}

/// Get what the home screen shows below its tiles, at most a minute old. The access is logged.
#[utoipa::path(get, path = "/admin/home", responses((status = 200, body = Found<Home>)))]
pub async fn home(State(room): State<Arc<HomeRoom>>, staff: Staff, reader: Reader) -> Result<Found<Home>> {
    let (zone, now) = (room.config.time_zone, room.clock.now());
    let today = now.with_timezone(&zone).date_naive();
    let who = staff.staff_type;
    let key = (who, (!may_list(who, Folder::All)).then_some(staff.id));
    let (as_of, groups) = room.cache.groups.get(key, now, read_groups(&room, &staff, Moment { now, today })).await?;
    let numbers = match may_see_numbers(who) {
        true => {
            let read = room.db.read(move |conn| home_numbers::read(conn, today, zone));
            let (_, numbers) = room.cache.numbers.get(today, now, read).await?;
            Some(HomeNumbers::new(&numbers, who))
        }
        false => None,
    };
    let me = staff.id;
    let instants = (calendar::start(today, zone), calendar::end(today, zone));
    let config = room.config.clone();
    let ((open, completed_today), first_run) = room
        .db
        .read(move |conn| {
            let first_run = match who {
                StaffType::Admin => first_run::open_steps(conn, &config, me)?,
                StaffType::Manager | StaffType::Team | StaffType::Telecaller | StaffType::NightStaff => Vec::new(),
            };
            Ok((days::count_own(conn, me, instants)?, first_run))
        })
        .await?;
    let my_day = MyDay { open, completed_today };
    let groups: Vec<HomeGroup> = groups.iter().map(|group| HomeGroup::new(group, who)).collect();
    let rows = groups.iter().map(|group| group.orders.len()).sum();
    reader.note(SeenData::orders("home.view", rows)).await?;
    Ok(found(Home { as_of, groups, numbers, my_day, first_run }))
}

async fn read_groups(room: &HomeRoom, staff: &Staff, at: Moment) -> Result<Vec<NeedingGroup>> {
    let (staff, terms) = (staff.clone(), room.config.clone());
    room.db.read(move |conn| attention::read(conn, &staff, at, &terms.chargebacks)).await
}
