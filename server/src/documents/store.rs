//! The rows that name stored files. A row comes after its file, and no file is named twice.

use diesel::connection::SimpleConnection;
use diesel::dsl::max;
use diesel::prelude::*;
use std::collections::{HashMap, HashSet};

use super::kinds::{VISA, WAITING_VISA, WITHDRAWN_VISA};
use super::links::Links;
use super::owners::{FileOwner, NamedFile};
use super::rules::{MediaType, StoredFile, Usage};
use crate::add_rows;
use crate::audit::store::{self as audit, Actor, Change, FILE_REWRITTEN};
use crate::db::schema::documents;
use crate::db::{Conn, advisory_lock};
use crate::error::{Error, Result};
use crate::files::StoredContent;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::orders::dialect::lock_orders;
use crate::orders::errors::OrderError;
use crate::orders::store as orders;
use crate::timestamp::Timestamp;

/// A new file of an order.
#[derive(Clone, Debug)]
pub struct NewDocument {
    pub order_id: OrderId,
    pub kind: String,
    pub file: StoredFile,
    /// The member of staff; none when it came from the applicant.
    pub uploaded_by: Option<StaffId>,
}

/// Adds the row, and one to the audit if the file was rewritten. Returns its id.
pub fn add(tx: &mut Conn, new: &NewDocument, by: &Actor, now: Timestamp) -> Result<i64> {
    if let Some(original) = &new.file.original_sha256 {
        let change = Change::of(FILE_REWRITTEN).order(new.order_id);
        let digests = change.before(format!("SHA-256 {original}")).after(format!("SHA-256 {}", new.file.stored.sha256));
        audit::add(tx, by, &[digests], now)?;
    }
    Ok(diesel::insert_into(documents::table)
        .values((
            documents::order_id.eq(new.order_id),
            documents::kind.eq(&new.kind),
            documents::file1.eq(&new.file.stored.key),
            documents::original_name.eq(&new.file.original_name),
            documents::media_type.eq(new.file.media_type),
            documents::size_bytes.eq(new.file.stored.size_bytes),
            documents::sha256.eq(&new.file.stored.sha256),
            documents::original_sha256.eq(&new.file.original_sha256),
            documents::uploaded_by.eq(new.uploaded_by),
            documents::created_at.eq(now),
        ))
        .returning(documents::document_id)
        .get_result(tx)?)
}

/// The number and size of an order's files. Locks the order, so that two uploads cannot both take the last place.
pub fn usage(tx: &mut Conn, order_id: OrderId) -> Result<Usage> {
    lock_orders(tx, &[order_id])?;
    find_usage(tx, order_id)
}

/// [`usage`] without the lock, to refuse early.
pub fn find_usage(conn: &mut Conn, order_id: OrderId) -> Result<Usage> {
    if !orders::exists(conn, order_id)? {
        return Err(Error::from(OrderError::OrderNotFound));
    }
    let sizes: Vec<i64> =
        documents::table.filter(documents::order_id.eq(order_id)).select(documents::size_bytes).load(conn)?;
    Ok(Usage { files: i64::try_from(sizes.len()).unwrap_or(i64::MAX), bytes: sizes.iter().sum() })
}

/// This table, as an owner of stored files.
pub const OWNER: FileOwner = FileOwner { find, named_among, list_after, count };

type NamedRow = (i64, OrderId, String, String, MediaType, String, i64, String);

const NAMED: (
    documents::document_id,
    documents::order_id,
    documents::kind,
    documents::original_name,
    documents::media_type,
    documents::file1,
    documents::size_bytes,
    documents::sha256,
) = (
    documents::document_id,
    documents::order_id,
    documents::kind,
    documents::original_name,
    documents::media_type,
    documents::file1,
    documents::size_bytes,
    documents::sha256,
);

fn named((row_id, order_id, kind, original_name, media_type, key, size_bytes, sha256): NamedRow) -> NamedFile {
    NamedFile { row_id, order_id, kind, original_name, media_type, stored: StoredContent { key, size_bytes, sha256 } }
}

fn find(conn: &mut Conn, key: &str) -> Result<Option<NamedFile>> {
    let found = documents::table.filter(documents::file1.eq(key)).select(NAMED).first::<NamedRow>(conn);
    Ok(found.optional()?.map(named))
}

fn named_among(conn: &mut Conn, keys: &[String]) -> Result<Vec<String>> {
    Ok(documents::table.filter(documents::file1.eq_any(keys)).select(documents::file1).load(conn)?)
}

fn list_after(conn: &mut Conn, document_id: i64, most: i64) -> Result<Vec<NamedFile>> {
    let next = documents::table.filter(documents::document_id.gt(document_id)).order(documents::document_id);
    Ok(next.limit(most).select(NAMED).load::<NamedRow>(conn)?.into_iter().map(named).collect())
}

fn count(conn: &mut Conn) -> Result<i64> {
    Ok(documents::table.count().get_result(conn)?)
}

/// A file of an order.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct Document {
    pub document_id: i64,
    pub kind: String,
    pub file1: String,
    pub original_name: String,
    pub media_type: MediaType,
    pub size_bytes: i64,
    pub sha256: String,
    pub created_at: Timestamp,
}

/// The files of an order, the oldest first.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<Document>> {
    let files = documents::table.filter(documents::order_id.eq(order_id)).order(documents::document_id);
    Ok(on_either!(conn => files.select(Document::as_select()).load(conn))?)
}

/// The kinds of files that an order has.
pub fn list_kinds(conn: &mut Conn, order_id: OrderId) -> Result<HashSet<String>> {
    let kinds = documents::table.filter(documents::order_id.eq(order_id)).select(documents::kind).distinct();
    Ok(kinds.load(conn)?.into_iter().collect())
}

/// An issued visa.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct Visa {
    pub document_id: i64,
    pub file1: String,
    pub media_type: MediaType,
    pub created_at: Timestamp,
}

/// The newest visa of an order.
pub fn find_visa(conn: &mut Conn, order_id: OrderId) -> Result<Option<Visa>> {
    let visas = documents::table.filter(documents::order_id.eq(order_id)).filter(documents::kind.eq(VISA));
    Ok(visas.order(documents::document_id.desc()).select(Visa::as_select()).first(conn).optional()?)
}

/// When the first visa of an order was uploaded, of those that were not withdrawn.
pub fn first_visa_at(conn: &mut Conn, order_id: OrderId) -> Result<Option<Timestamp>> {
    let visas = documents::table.filter(documents::order_id.eq(order_id)).filter(documents::kind.eq(VISA));
    Ok(visas.order(documents::document_id).select(documents::created_at).first(conn).optional()?)
}

/// The newest visas of those of at most 500 orders that have one: their ids, by order.
pub fn newest_visas(conn: &mut Conn, order_ids: &[OrderId]) -> Result<HashMap<OrderId, i64>> {
    let visas = documents::table
        .filter(documents::order_id.eq_any(order_ids))
        .filter(documents::kind.eq(VISA))
        .group_by(documents::order_id)
        .select((documents::order_id, max(documents::document_id)))
        .load::<(OrderId, Option<i64>)>(conn)?;
    Ok(visas.into_iter().filter_map(|(order_id, visa)| Some((order_id, visa?))).collect())
}

/// The visa of an order by its own id, as it is stored.
pub fn find_stored_visa(
    conn: &mut Conn,
    order_id: OrderId,
    document_id: i64,
) -> Result<Option<(StoredContent, MediaType)>> {
    let found = documents::table
        .find(document_id)
        .filter(documents::order_id.eq(order_id))
        .filter(documents::kind.eq(VISA))
        .select(NAMED)
        .first::<NamedRow>(conn)
        .optional()?;
    Ok(found.map(named).map(|visa| (visa.stored, visa.media_type)))
}

/// Finds another order whose visa is this very file, as it came or as it is stored, the newest first; also if it is not delivered yet.
pub fn find_visa_elsewhere(conn: &mut Conn, order_id: OrderId, digests: &[String]) -> Result<Option<OrderId>> {
    // One query for each kind and digest: each has an index of its own.
    for kind in [VISA, WAITING_VISA] {
        let visas = documents::table
            .filter(documents::kind.eq(kind))
            .filter(documents::order_id.ne(order_id))
            .order(documents::document_id.desc())
            .select(documents::order_id);
        let stored = visas.filter(documents::sha256.eq_any(digests)).first(conn).optional()?;
        let found: Option<OrderId> = match stored {
            Some(found) => Some(found),
            None => visas.filter(documents::original_sha256.eq_any(digests)).first(conn).optional()?,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Delivers a visa that waited: applicants, mails and defence packs have it from now on.
pub fn deliver_visa(tx: &mut Conn, document_id: i64, now: Timestamp) -> Result<()> {
    let visa = documents::table.find(document_id).filter(documents::kind.eq(WAITING_VISA));
    // What is said about a visa begins with its delivery; the audit keeps when it was uploaded.
    diesel::update(visa).set((documents::kind.eq(VISA), documents::created_at.eq(now))).execute(tx)?;
    Ok(())
}

/// Withdraws an issued visa: it stays among the order's files, and applicants, mails and defence packs do not have it.
pub fn withdraw_visa(tx: &mut Conn, document_id: i64) -> Result<()> {
    let visa = documents::table.find(document_id).filter(documents::kind.eq_any([VISA, WAITING_VISA]));
    diesel::update(visa).set(documents::kind.eq(WITHDRAWN_VISA)).execute(tx)?;
    Ok(())
}

/// A file by its id, as it is stored.
pub fn find_stored(conn: &mut Conn, document_id: i64) -> Result<Option<(StoredContent, MediaType)>> {
    let found = documents::table.find(document_id).select(NAMED).first::<NamedRow>(conn).optional()?;
    Ok(found.map(named).map(|file| (file.stored, file.media_type)))
}

/// A file that another row refers to, as far as linking to it goes.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct LinkedFile {
    pub kind: String,
    pub file1: String,
    pub media_type: MediaType,
    pub sha256: String,
    pub created_at: Timestamp,
}

impl LinkedFile {
    /// The link that opens it.
    pub fn link(&self, links: &Links) -> String {
        links.to(&self.kind, &self.file1, self.media_type)
    }
}

/// Adds to a query the file that its rows refer to, if any. Select it as `Option<LinkedFile>`.
#[macro_export]
macro_rules! with_file {
    ($query:expr) => {
        diesel::QueryDsl::left_join($query, $crate::db::schema::documents::table)
    };
}

/// [`count_by`] or [`count_to_add`].
pub type CountFiles = fn(&mut Conn, StaffId, Timestamp) -> Result<i64>;

/// Returns the number of files that the member of staff has added since then.
pub fn count_by(conn: &mut Conn, staff_id: StaffId, since: Timestamp) -> Result<i64> {
    let own = documents::table.filter(documents::uploaded_by.eq(staff_id)).filter(documents::created_at.gt(since));
    Ok(own.count().get_result(conn)?)
}

/// [`count_by`] in the transaction that adds a file: no other one counts the member's files until it ends, so that files which are added at once
/// do not exceed a limit. Locked after the order.
pub fn count_to_add(tx: &mut Conn, staff_id: StaffId, since: Timestamp) -> Result<i64> {
    advisory_lock(tx, &format!("files of member {staff_id}"))?;
    count_by(tx, staff_id, since)
}

/// A file with its id, as it is loaded in bulk.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = documents, treat_none_as_default_value = false)]
pub struct DocumentRow {
    pub document_id: i64,
    pub order_id: OrderId,
    pub kind: &'static str,
    pub file1: String,
    pub original_name: String,
    pub media_type: &'static str,
    pub size_bytes: i64,
    pub sha256: String,
    pub uploaded_by: Option<StaffId>,
    pub created_at: Timestamp,
}

/// Loads files into an empty database.
pub fn load(tx: &mut Conn, rows: impl Iterator<Item = DocumentRow>) -> Result<()> {
    add_rows!(tx, documents::table, rows);
    Ok(())
}

/// Ends a bulk load: the ids of later files go on after the loaded ones.
pub fn end_bulk(tx: &mut Conn) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        tx.batch_execute(
            "SELECT setval(pg_get_serial_sequence('documents', 'document_id'), max(document_id)) FROM documents",
        )?;
    }
    Ok(())
}
