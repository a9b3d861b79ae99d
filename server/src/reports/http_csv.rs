//! The reports as CSV files. Each export is recorded in the audit and in the access log.

use std::sync::Arc;

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use super::Reports;
use super::http::{CountMonths, MonthCount};
use super::http_days::{CountryOrders, ProcessedBy, ReportDays};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store::{Change, add};
use crate::calendar::Days;
use crate::csv;
use crate::error::Result;
use crate::http::answer::CsvFile;
use crate::http::json::Query;
use crate::http::routes::call;

pub fn endpoints() -> OpenApiRouter<Arc<Reports>> {
    OpenApiRouter::new()
        .routes(call!(country_orders_csv))
        .routes(call!(processed_by_csv))
        .routes(call!(future_orders_csv))
}

/// Export the orders by country.
#[utoipa::path(get, path = "/admin/country-orders-csv", params(ReportDays),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub async fn country_orders_csv(
    State(room): State<Arc<Reports>>,
    reader: Reader,
    Query(query): Query<ReportDays>,
) -> Result<CsvFile> {
    let days = query.check()?;
    let mut rows = vec![row(["Country", "Order", "Standard Orders", "Priority Orders", "Future Orders"])];
    for country in CountryOrders::read(&room, days).await? {
        let counts = [country.count, country.standard_count, country.priority_count, country.future_count];
        rows.push([country.nationality].into_iter().chain(counts.map(|count| count.to_string())).collect());
    }
    export(&room, &reader, "country_orders.export", "country-orders.csv", &span(days), &rows).await
}

/// Export the completed orders by member of staff.
#[utoipa::path(get, path = "/admin/processed-by-csv", params(ReportDays),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub async fn processed_by_csv(
    State(room): State<Arc<Reports>>,
    reader: Reader,
    Query(query): Query<ReportDays>,
) -> Result<CsvFile> {
    let days = query.check()?;
    let mut rows = vec![row(["Serial Number", "Name", "Order Count"])];
    for (place, member) in ProcessedBy::read(&room, days).await?.into_iter().enumerate() {
        rows.push(vec![(place + 1).to_string(), member.processed_by, member.count.to_string()]);
    }
    export(&room, &reader, "processed_by.export", "processed-by.csv", &span(days), &rows).await
}

/// Export the Future orders by month of processing.
#[utoipa::path(get, path = "/admin/future-orders-csv", params(CountMonths),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub async fn future_orders_csv(
    State(room): State<Arc<Reports>>,
    reader: Reader,
    Query(query): Query<CountMonths>,
) -> Result<CsvFile> {
    let year = query.year(&room)?;
    let mut rows = vec![row(["Year", "Month", "Order Count"])];
    for month in MonthCount::read(&room, year).await? {
        rows.push(vec![year.to_string(), month.month.to_owned(), month.count.to_string()]);
    }
    export(&room, &reader, "future_orders.export", "future-orders.csv", &year.to_string(), &rows).await
}

fn row<const CELLS: usize>(cells: [&str; CELLS]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn span(days: Days) -> String {
    format!("{} to {}", days.from, days.to)
}

/// Records the export in the access log and in the audit, then returns the file.
async fn export(
    room: &Reports,
    reader: &Reader,
    action: &'static str,
    name: &'static str,
    about: &str,
    rows: &[Vec<String>],
) -> Result<CsvFile> {
    // The first row is the head of the table.
    reader.note(SeenData::report(action, rows.len() - 1)).await?;
    let (by, now, after) = (reader.by.clone(), room.clock.now(), Some(format!("{name} {about}")));
    let change = Change::of("report.export").after(after);
    room.db.write(move |tx| add(tx, &by, std::slice::from_ref(&change), now)).await?;
    Ok(CsvFile { name, bytes: csv::write(rows)? })
}
