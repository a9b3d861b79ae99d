//! Folder counts, pages of Order History, and searches in it.

use std::collections::HashMap;

use memchr::memmem::{Finder, find};
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, Params, Result, Row, params};

use crate::{catalogue, json};

/// Up to this row, reading the skipped rows costs less than reading the ids first.
const MAX_BUFFERED_READ: i64 = 200;

/// Up to this many hits, the trigram index finds them and they are counted.
const MAX_CANDIDATES: i64 = 1_000;

/// The columns of a row, by the places that `write_row` reads. The total follows them.
const COLUMNS: &str = "SELECT o.order_id, o.process_status, o.processing_mode, o.full_name, o.contact_email_address, o.country_code,
    o.phone_number, o.nationality, o.created_at, o.updated_at, o.refund_date, o.processing_date, s.name, o.visa_type,
    CASE WHEN NOT o.had_visa_or_dispute AND o.process_status IN ('New', 'Future', 'Awaiting', 'Contact Customer', 'Customer Called')
         THEN coalesce(o.document_kinds, '') END,
    CASE WHEN o.process_status <> 'Deleted' THEN o.mail_problem END,
    c.respond_by, c.outcome,
    CASE WHEN NOT o.had_visa_or_dispute AND o.process_status IN ('New', 'Future', 'Awaiting', 'Contact Customer', 'Customer Called')
         THEN o.papers_problem END,
    o.visa_problem";
const TOTAL_AT: usize = 20;
const RELATED: &str = "LEFT JOIN staff s ON s.staff_id = o.assign_to
    LEFT JOIN chargebacks c ON o.process_status = 'ChargeBack' AND c.order_id = o.order_id";
const TOTAL: &str = "SELECT sum(order_count) FROM folder_counters WHERE kind = 'queue'";

/// The statements, written once.
pub struct Lists {
    page: String,
    deep_page: String,
    common: String,
    by_ids: String,
    member: i64,
    /// The search texts of the newest orders, from which a search estimates how common its term is.
    newest: Vec<String>,
    orders: i64,
}

/// A window of a list.
#[derive(Clone, Copy)]
pub struct Window {
    pub start: i64,
    pub length: i64,
}

impl Lists {
    /// `member` is the email address of the member whose own orders are counted.
    pub fn new(connection: &Connection, member: &str) -> Result<Lists> {
        let newest = "ORDER BY created_at DESC, order_id DESC LIMIT ?1 OFFSET ?2";
        let mut texts = connection
            .prepare("SELECT search_text FROM search_texts ORDER BY created_at DESC, order_id DESC LIMIT 1000")?;
        let sample = texts.query_map([], |row| row.get(0))?.collect::<Result<_>>()?;
        let member = connection.query_row("SELECT staff_id FROM staff WHERE email = ?1", [member], |row| row.get(0))?;
        Ok(Lists {
            page: format!(
                "{COLUMNS}, ({TOTAL}) FROM orders o {RELATED} ORDER BY o.created_at DESC, o.order_id DESC LIMIT ?1 OFFSET ?2"
            ),
            deep_page: format!(
                "{COLUMNS}, ({TOTAL}) FROM (SELECT order_id FROM orders {newest}) page
                 CROSS JOIN orders o ON o.order_id = page.order_id {RELATED} ORDER BY o.created_at DESC, o.order_id DESC"
            ),
            common: format!(
                "{COLUMNS} FROM (SELECT order_id FROM search_texts WHERE instr(search_text, ?3) {newest}) page
                 CROSS JOIN orders o ON o.order_id = page.order_id {RELATED} ORDER BY o.created_at DESC, o.order_id DESC"
            ),
            by_ids: format!(
                "{COLUMNS} FROM json_each(?1) wanted CROSS JOIN orders o ON o.order_id = wanted.value {RELATED}
                 ORDER BY wanted.key"
            ),
            member,
            newest: sample,
            orders: connection.query_row(TOTAL, [], |row| row.get(0))?,
        })
    }

    pub fn counts(&self, connection: &Connection) -> Result<Vec<u8>> {
        const FOLDERS: [(&str, &str); 12] = [
            ("newOrdersCount", "New"),
            ("priorityOrdersCount", "Priority"),
            ("pendingOrdersCount", "Pending"),
            ("completedOrdersCount", "Completed"),
            ("awaitingOrdersCount", "Awaiting"),
            ("awaitingGovtCount", "AwaitingGovt"),
            ("customerCalledCount", "Customer Called"),
            ("contactCustomerOrdersCount", "Contact Customer"),
            ("deletedOrdersCount", "Deleted"),
            ("refundOrdersCount", "Refunds"),
            ("chargeBackCount", "ChargeBack"),
            ("futureOrdersCount", "Future"),
        ];
        let mut statement = connection.prepare_cached(
            "SELECT kind, key, order_count FROM folder_counters WHERE kind = 'queue' OR kind = 'owner' AND key = ?1",
        )?;
        let (mut mine, mut all, mut by_queue) = (0, 0, HashMap::with_capacity(16));
        let mut rows = statement.query([self.member.to_string()])?;
        while let Some(row) = rows.next()? {
            let (kind, count): (String, i64) = (row.get(0)?, row.get(2)?);
            if kind == "owner" {
                mine = count;
            } else {
                all += count;
                by_queue.insert(row.get::<_, String>(1)?, count);
            }
        }
        let mut out = b"{\"status\":1,\"message\":\"\",\"data\":{\"myOrdersCount\":".to_vec();
        json::integer(&mut out, mine);
        out.extend_from_slice(b",\"allOrdersCount\":");
        json::integer(&mut out, all);
        for (name, queue) in FOLDERS {
            out.push(b',');
            json::text(&mut out, name.as_bytes());
            out.push(b':');
            json::integer(&mut out, by_queue.get(queue).copied().unwrap_or(0));
        }
        out.extend_from_slice(b"}}");
        Ok(out)
    }

    pub fn page(&self, connection: &Connection, window: Window) -> Result<Vec<u8>> {
        let sql = if window.start > MAX_BUFFERED_READ { &self.deep_page } else { &self.page };
        let mut page = Page::new(window);
        page.read(connection.prepare_cached(sql)?, params![window.length, window.start])?;
        Ok(page.end(false))
    }

    pub fn search(&self, connection: &Connection, term: &str, window: Window) -> Result<Vec<u8>> {
        let mut page = Page::new(window);
        if !self.is_common(term)
            && let Some(hits) = hits_in_index(connection, term)?
        {
            page.total = i64::try_from(hits.len()).unwrap_or(i64::MAX);
            let (start, length) =
                (usize::try_from(window.start).unwrap_or(usize::MAX), usize::try_from(window.length).unwrap_or(0));
            let ids: Vec<i64> = hits.into_iter().skip(start).take(length).collect();
            let ids = serde_json::to_string(&ids).unwrap_or_default();
            let total = page.total;
            page.read(connection.prepare_cached(&self.by_ids)?, params![ids])?;
            page.total = total;
            return Ok(page.end(false));
        }
        page.read(connection.prepare_cached(&self.common)?, params![window.length + 1, window.start, term])?;
        let more = page.rows > window.length;
        page.total = window.start + page.rows.min(window.length);
        Ok(page.end(more))
    }

    /// Whether the newest orders suggest that many contain the term.
    fn is_common(&self, term: &str) -> bool {
        let finder = Finder::new(term);
        let holding = self.newest.iter().filter(|text| finder.find(text.as_bytes()).is_some());
        let enough = MAX_CANDIDATES * 1_000 / self.orders.max(1) + 1;
        holding.take(usize::try_from(enough).unwrap_or(usize::MAX)).count() as i64 >= enough
    }
}

/// The orders whose text contains the term, the newest first. None: they are too many.
fn hits_in_index(connection: &Connection, term: &str) -> Result<Option<Vec<i64>>> {
    let characters: Vec<char> = term.chars().collect();
    let mut trigrams: Vec<String> = characters.windows(3).map(|three| three.iter().collect()).collect();
    if trigrams.is_empty() {
        return Ok(None);
    }
    trigrams.sort_unstable();
    trigrams.dedup();
    let question: Vec<String> = trigrams.iter().map(|one| format!("\"{}\"", one.replace('"', "\"\""))).collect();
    let mut statement = connection.prepare_cached(
        "SELECT s.order_id, s.created_at, s.search_text
         FROM (SELECT rowid FROM order_trigrams WHERE order_trigrams MATCH ?1 LIMIT ?2) hit
         CROSS JOIN search_texts s ON s.order_id = hit.rowid ORDER BY s.created_at DESC, s.order_id DESC",
    )?;
    let mut rows = statement.query(params![question.join(" AND "), MAX_CANDIDATES + 1])?;
    let (mut candidates, mut hits) = (0, Vec::new());
    while let Some(row) = rows.next()? {
        candidates += 1;
        if find(row.get_ref(2)?.as_bytes().unwrap_or_default(), term.as_bytes()).is_some() {
            hits.push(row.get(0)?);
        }
    }
    Ok((candidates <= MAX_CANDIDATES).then_some(hits))
}

/// A page as it is written.
struct Page {
    out: Vec<u8>,
    window: Window,
    rows: i64,
    total: i64,
}

impl Page {
    fn new(window: Window) -> Page {
        let rows = usize::try_from(window.length).unwrap_or(0);
        let mut out = Vec::with_capacity(128 + rows * 800);
        out.extend_from_slice(b"{\"status\":1,\"message\":\"\",\"data\":[");
        Page { out, window, rows: 0, total: 0 }
    }

    fn read(&mut self, mut statement: CachedStatement<'_>, parameters: impl Params) -> Result<()> {
        let has_total = statement.column_count() > TOTAL_AT;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            self.rows += 1;
            if self.rows > self.window.length {
                break;
            }
            if has_total && self.rows == 1 {
                self.total = row.get(TOTAL_AT)?;
            }
            write_row(&mut self.out, row)?;
        }
        Ok(())
    }

    fn end(mut self, more: bool) -> Vec<u8> {
        let Window { start, length } = self.window;
        self.out.extend_from_slice(b"],\"total\":");
        json::integer(&mut self.out, self.total);
        self.out.extend_from_slice(b",\"more\":");
        json::boolean(&mut self.out, more);
        self.out.extend_from_slice(b",\"page\":");
        json::integer(&mut self.out, start / length + 1);
        self.out.extend_from_slice(b",\"limit\":");
        json::integer(&mut self.out, length);
        self.out.push(b'}');
        self.out
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The name of the month of a date, `2026-11-24`.
pub fn month_of(date: &[u8]) -> &'static str {
    let digit = |at: usize| date.get(at).map_or(0, |digit| usize::from(digit.wrapping_sub(b'0')));
    MONTHS.get((digit(5) * 10 + digit(6)).wrapping_sub(1)).copied().unwrap_or_default()
}

fn write_row(out: &mut Vec<u8>, row: &Row<'_>) -> Result<()> {
    json::comma(out);
    let order_id: i64 = row.get(0)?;
    let status = row.get_ref(1)?.as_str()?;
    out.extend_from_slice(b"{\"order_id\":");
    json::integer(out, order_id);
    out.extend_from_slice(b",\"order_number\":\"VD-");
    json::integer(out, order_id);
    out.extend_from_slice(b"\",\"process_status\":");
    json::text(out, status.as_bytes());
    const PLAIN: [(&[u8], usize); 6] = [
        (b",\"processing_mode\":", 2),
        (b",\"full_name\":", 3),
        (b",\"contact_email_address\":", 4),
        (b",\"country_code\":", 5),
        (b",\"phone_number\":", 6),
        (b",\"nationality\":", 7),
    ];
    for (name, column) in PLAIN {
        out.extend_from_slice(name);
        json::plain(out, row.get_ref(column)?);
    }
    const INSTANTS: [(&[u8], usize); 3] =
        [(b",\"created_at\":", 8), (b",\"updated_at\":", 9), (b",\"refund_date\":", 10)];
    for (name, column) in INSTANTS {
        out.extend_from_slice(name);
        json::instant(out, row.get_ref(column)?);
    }
    out.extend_from_slice(b",\"processing_date\":");
    let date = row.get_ref(11)?;
    json::plain(out, date);
    out.extend_from_slice(b",\"process_month\":");
    match date {
        ValueRef::Text(date) => json::text(out, month_of(date).as_bytes()),
        other => json::plain(out, other),
    }
    let owner = row.get_ref(12)?;
    out.extend_from_slice(b",\"assign_to\":");
    json::plain(out, owner);
    out.extend_from_slice(b",\"missing_documents\":");
    match row.get_ref(14)? {
        ValueRef::Text(kinds) => {
            let kinds = str::from_utf8(kinds).unwrap_or_default();
            json::integer(out, catalogue::count_missing(row.get_ref(13)?.as_str().unwrap_or_default(), kinds));
        }
        other => json::plain(out, other),
    }
    out.extend_from_slice(b",\"mail_problem\":");
    json::plain(out, row.get_ref(15)?);
    out.extend_from_slice(b",\"papers_problem\":");
    json::plain(out, row.get_ref(18)?);
    out.extend_from_slice(b",\"papers_returned\":false,\"visa_problem\":");
    json::plain(out, row.get_ref(19)?);
    out.extend_from_slice(b",\"chargeback\":");
    match row.get_ref(16)? {
        ValueRef::Null => out.extend_from_slice(b"null"),
        respond_by => {
            out.extend_from_slice(b"{\"respond_by\":");
            json::plain(out, respond_by);
            out.extend_from_slice(b",\"outcome\":");
            json::plain(out, row.get_ref(17)?);
            out.push(b'}');
        }
    }
    // What an Admin may do.
    let (is_owned, is_deleted) = (owner != ValueRef::Null, status == "Deleted");
    let is_refund_due = status == "Refunds" && row.get_ref(10)? == ValueRef::Null;
    let allowed: [(&[u8], bool); 6] = [
        (b",\"allowed\":{\"assign_to_me\":", !is_owned),
        (b",\"assign_to_others\":", !is_owned),
        (b",\"unassign\":", is_owned),
        (b",\"delete\":", !is_deleted),
        (b",\"restore\":", is_deleted),
        (b",\"refund\":", is_refund_due),
    ];
    for (name, is_allowed) in allowed {
        out.extend_from_slice(name);
        json::boolean(out, is_allowed);
    }
    out.extend_from_slice(b"}}");
    Ok(())
}
