//! Reports over a range of days in the agency's time zone, both ends included: by country, and by the member who completed them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::Reports;
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::calendar::Days;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::orders::numbers::{self, NationalityOrders};
use crate::orders::rules::country::Country;
use crate::staff::store as staff;

pub fn endpoints() -> OpenApiRouter<Arc<Reports>> {
    OpenApiRouter::new().routes(call!(country_orders)).routes(call!(processed_by_counts))
}

/// The days of a report, both included: YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY, at most ten years apart.
#[derive(Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub struct ReportDays {
    /// The first day.
    #[serde(rename = "fromDate")]
    #[schema(required, nullable = false)]
    #[param(required, nullable = false)]
    from_date: Option<String>,
    /// The last day, included.
    #[serde(rename = "toDate")]
    #[schema(required, nullable = false)]
    #[param(required, nullable = false)]
    to_date: Option<String>,
}

impl ReportDays {
    /// Parses the days.
    pub fn check(&self) -> Result<Days> {
        Days::read(self.from_date.as_deref(), self.to_date.as_deref())
    }
}

/// Orders of one nationality (spec §3). The three parts add up to the count.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountryOrders {
    /// `Not given` if the order has none.
    pub nationality: String,
    /// All orders of the nationality.
    pub count: i64,
    /// Orders with regular processing that are not Future.
    pub standard_count: i64,
    /// Orders with priority processing that are not Future.
    pub priority_count: i64,
    /// In status Future, whatever their mode.
    pub future_count: i64,
}

impl CountryOrders {
    /// Reads the counts of the days, the most frequent nationality first. Spellings of one country count together, under the most frequent.
    pub async fn read(room: &Reports, days: Days) -> Result<Vec<Self>> {
        let instants = days.instants(room.config.time_zone);
        let mut counts = room.db.read(move |conn| numbers::nationalities(conn, instants)).await?;
        let most = |rows: &mut Vec<NationalityOrders>| {
            rows.sort_by(|one, other| {
                other.count.cmp(&one.count).then_with(|| one.nationality.cmp(&other.nationality))
            });
        };
        most(&mut counts);
        let mut merged: HashMap<Option<String>, NationalityOrders> = HashMap::new();
        for row in counts {
            let key = Country::read(row.nationality.as_deref()).map(|country| country.key());
            match merged.entry(key) {
                Entry::Vacant(place) => _ = place.insert(row),
                Entry::Occupied(mut place) => place.get_mut().add(&row),
            }
        }
        let mut rows = merged.into_values().collect();
        most(&mut rows);
        Ok(rows.into_iter().map(Self::from).collect())
    }
}

impl From<NationalityOrders> for CountryOrders {
    fn from(country: NationalityOrders) -> Self {
        Self {
            nationality: country.nationality.unwrap_or_else(|| "Not given".into()),
            count: country.count,
            standard_count: country.standard,
            priority_count: country.priority,
            future_count: country.future,
        }
    }
}

/// Count the orders received on these days by nationality, without unpaid and deleted ones.
#[utoipa::path(post, path = "/admin/get-country-order-list", request_body = ReportDays,
    responses((status = 200, body = Found<Vec<CountryOrders>>)))]
pub async fn country_orders(
    State(room): State<Arc<Reports>>,
    reader: Reader,
    Json(body): Json<ReportDays>,
) -> Result<Found<Vec<CountryOrders>>> {
    let countries = CountryOrders::read(&room, body.check()?).await?;
    reader.note(SeenData::report("country_orders.view", countries.len())).await?;
    Ok(found(countries))
}

/// The number of orders that a member of staff completed (spec §3).
#[derive(Debug, Serialize, ToSchema)]
pub struct ProcessedBy {
    /// The member's name.
    pub processed_by: String,
    /// The number of orders that they completed.
    pub count: i64,
}

impl ProcessedBy {
    /// Reads the counts of the days, the busiest member first.
    pub async fn read(room: &Reports, days: Days) -> Result<Vec<Self>> {
        let instants = days.instants(room.config.time_zone);
        let read = move |conn: &mut Conn| {
            let counts = numbers::processed_by(conn, instants)?;
            let staff_ids: Vec<StaffId> = counts.iter().map(|(staff_id, _)| *staff_id).collect();
            Ok((counts, staff::names(conn, &staff_ids)?))
        };
        let (mut counts, names) = room.db.read(read).await?;
        let name = |staff_id: &StaffId| names.get(staff_id).cloned().unwrap_or_default();
        counts.sort_by(|(id, count), (other_id, other_count)| {
            other_count.cmp(count).then_with(|| (name(id), id).cmp(&(name(other_id), other_id)))
        });
        Ok(counts.into_iter().map(|(id, count)| Self { processed_by: name(&id), count }).collect())
    }
}

/// Count the orders completed on these days by member of staff. An order counts once, for the member who completed it last.
#[utoipa::path(post, path = "/admin/get-processed-by-count", request_body = ReportDays,
    responses((status = 200, body = Found<Vec<ProcessedBy>>)))]
pub async fn processed_by_counts(
    State(room): State<Arc<Reports>>,
    reader: Reader,
    Json(body): Json<ReportDays>,
) -> Result<Found<Vec<ProcessedBy>>> {
    let data = ProcessedBy::read(&room, body.check()?).await?;
    reader.note(SeenData::report("processed_by.view", data.len())).await?;
    let orders: i64 = data.iter().map(|row| row.count).sum();
    let message = match orders {
        0 => "No order was processed on these days".to_owned(),
        1 => "1 order was processed on these days".to_owned(),
        orders => format!("{orders} orders were processed on these days"),
    };
    Ok(Found { status: 1, message, data })
}
