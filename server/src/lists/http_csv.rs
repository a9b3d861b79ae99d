//! A list as a CSV file, written while it is downloaded.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use bytes::Bytes;
use chrono::NaiveDate;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::mpsc;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::Lists;
use super::filters::SentFilter;
use super::requests::{ListRequest, Needs, SentValues, Sort};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store::{Change, add};
use crate::calendar::month_name;
use crate::csv;
use crate::error::Result;
use crate::http::answer::CsvDownload;
use crate::http::json::{Path, Query};
use crate::http::routes::call;
use crate::orders::rules::Folder;
use crate::orders::rules::columns::{Column, columns};
use crate::orders::rules::phone::Phone;
use crate::orders::store::ListedOrder;
use crate::orders::walk::Walk;
use crate::staff::rules::Staff;
use crate::text::{format_day, format_instant};

/// The most rows that are open in memory: one batch is sent while the next one waits.
const WAITING_BATCHES: usize = 1;

pub fn endpoints() -> OpenApiRouter<Arc<Lists>> {
    OpenApiRouter::new().routes(call!(orders_csv))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportOrders {
    /// Matched as in a search. Empty: every order.
    search: Option<String>,
    /// Whose own list.
    #[serde(rename = "userName")]
    user_name: Option<String>,
    /// Of the future folder: the year of processing.
    year: Option<i32>,
    /// Of the future folder: the month of processing, as in its list.
    month: Option<String>,
    /// The order of the rows, if not the list's own.
    #[param(inline)]
    sort: Option<Sort>,
    /// Only orders that need a member of staff.
    #[param(inline)]
    needs: Option<Needs>,
}

/// Export the orders of a folder as its list shows them, searched and filtered or not. The rows are recorded in the access log before they are
/// sent, the export in the audit. The response breaks off when an error or the row budget stops it.
#[utoipa::path(get, path = "/admin/orders-csv/{orderName}",
    params(("orderName" = String, Path, description = "The folder, such as `newOrder`"), ExportOrders, SentFilter),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub async fn orders_csv(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    reader: Reader,
    Path(folder): Path<String>,
    Query(query): Query<ExportOrders>,
    Query(filter): Query<SentFilter>,
) -> Result<CsvDownload> {
    let ExportOrders { search, user_name, year, month, sort, needs } = query;
    let typed = SentValues { folder, user_name, year, month, search, sort, needs, filter };
    let request = ListRequest::check(typed, &staff, &room).await?;
    let name = file_name(request.folder, room.clock.today(room.config.time_zone));
    let mut export = ListExport::begin(room, staff, reader, request, name.clone()).await?;
    let head = export.head()?;
    // Refusals come before the head of the response; afterwards it can only break off.
    let first = export.next().await?;
    export.record("order.export", export.about.clone()).await?;
    let (sender, mut receiver) = mpsc::channel(WAITING_BATCHES);
    // A task of its own, which records the end of the export also when the client is gone.
    tokio::spawn(export.run(sender, head, first));
    let batches = stream::poll_fn(move |context| receiver.poll_recv(context));
    Ok(CsvDownload { name, body: Body::from_stream(batches) })
}

/// `new-order-2026-11-23.csv`: the folder and the agency's calendar day.
fn file_name(folder: Folder, today: NaiveDate) -> String {
    let mut name = String::new();
    for one in folder.as_str().chars() {
        if one.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(one.to_ascii_lowercase());
    }
    format!("{name}-{today}.csv")
}

/// An export in progress.
struct ListExport {
    room: Arc<Lists>,
    reader: Reader,
    request: ListRequest,
    walk: Option<Walk>,
    /// The rows that were noted.
    rows: usize,
    /// The file and what it holds, for the audit.
    about: String,
}

impl ListExport {
    async fn begin(room: Arc<Lists>, staff: Staff, reader: Reader, request: ListRequest, name: String) -> Result<Self> {
        let (work, wanted) = (Arc::clone(&room), request.clone());
        let walk = Some(room.db.read(move |conn| wanted.walk(conn, &work, &staff)).await?);
        let searched = if request.is_searched() { ", searched" } else { "" };
        let filtered = if request.is_filtered() { ", filtered" } else { "" };
        let about = format!("{name}{searched}{filtered}");
        Ok(Self { room, reader, request, walk, rows: 0, about })
    }

    /// The titles of the columns.
    fn head(&self) -> Result<Bytes> {
        let titles = columns(self.request.folder).iter().map(|(_, title)| (*title).to_owned()).collect();
        Ok(csv::write(&[titles])?.into())
    }

    /// Reads and notes the next rows; none at the end. No transaction stays open.
    async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            let Some(mut walk) = self.walk.take() else { return Ok(None) };
            let (folder, zone) = (self.request.folder, self.room.config.time_zone);
            let read = self.room.db.read_in_background(move |conn| {
                let Some(rows) = walk.next(conn)? else { return Ok(None) };
                // Written here, because a thousand rows would hold up the other requests of an async thread.
                Ok(Some((walk, rows.len(), lines(folder, &rows, zone)?)))
            });
            let Some((walk, rows, lines)) = read.await? else { return Ok(None) };
            self.walk = Some(walk);
            if rows == 0 {
                continue;
            }
            let seen = SeenData::folder("order.export", folder.as_str(), self.request.searched(), rows);
            self.reader.note(seen).await?;
            self.rows += rows;
            return Ok(Some(lines));
        }
    }

    /// Sends the batches, and records how many rows they were.
    async fn run(mut self, sender: mpsc::Sender<io::Result<Bytes>>, head: Bytes, first: Option<Bytes>) {
        let ended = self.send(&sender, head, first).await;
        let rows = self.rows;
        let how = if matches!(ended, Ok(SentPart::Whole)) { "" } else { ", broken off" };
        if let Err(error) = self.record("order.export_end", format!("{}: {rows} rows{how}", self.about)).await {
            tracing::error!(%error, rows, "the end of an export could not be recorded");
        }
        if let Err(error) = ended {
            tracing::warn!(%error, rows, "an export has broken off");
            // The client takes a response that ends like this as incomplete. It may be gone.
            let _ = sender.send(Err(io::Error::other("the export has broken off"))).await;
        }
    }

    async fn send(
        &mut self,
        sender: &mpsc::Sender<io::Result<Bytes>>,
        head: Bytes,
        first: Option<Bytes>,
    ) -> Result<SentPart> {
        let mut next = first;
        let mut batch = head;
        loop {
            if sender.send(Ok(batch)).await.is_err() {
                return Ok(SentPart::UntilClientLeft);
            }
            match next.take() {
                Some(first) => batch = first,
                None => match self.next().await? {
                    Some(rows) => batch = rows,
                    None => return Ok(SentPart::Whole),
                },
            }
        }
    }

    /// Records a step of the export in the audit.
    async fn record(&self, action: &'static str, after: String) -> Result<()> {
        let (by, now) = (self.reader.by.clone(), self.room.clock.now());
        let change = Change::of(action).after(after);
        self.room.db.write(move |tx| add(tx, &by, std::slice::from_ref(&change), now)).await
    }
}

/// The part of an export that was sent.
enum SentPart {
    Whole,
    UntilClientLeft,
}

/// The rows as lines of the file.
fn lines(folder: Folder, rows: &[ListedOrder], zone: chrono_tz::Tz) -> Result<Bytes> {
    let cells = |row: &ListedOrder| columns(folder).iter().map(|(column, _)| cell(*column, row, zone)).collect();
    let lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
    Ok(csv::write(&lines)?.into())
}

/// A cell as the list shows it.
fn cell(column: Column, (row, owner): &ListedOrder, zone: chrono_tz::Tz) -> String {
    match column {
        Column::OrderId => row.order_id.to_string(),
        Column::Name => row.full_name.to_string(),
        Column::Email => row.contact_email_address.to_string(),
        Column::Telephone => Phone::read(row.country_code.as_deref(), row.phone_number.as_deref())
            .map(|phone| phone.shown())
            .unwrap_or_default(),
        Column::CreatedAt => format_instant(row.created_at, zone),
        Column::RefundDate => row.refund_date.map(|at| format_instant(at, zone)).unwrap_or_default(),
        Column::ProcessingDate => row.processing_date.map(format_day).unwrap_or_default(),
        Column::ProcessMonth => row.processing_date.map(month_name).unwrap_or_default().to_owned(),
        Column::Owner => owner.as_deref().unwrap_or_default().to_owned(),
        Column::Status => row.process_status.label().to_owned(),
    }
}
