//! The packs made so far. A row is added after its file and never changed.

use diesel::prelude::*;

use super::rules::{self, PackType};
use crate::db::schema::defence_packs;
use crate::db::{Conn, advisory_lock};
use crate::documents::owners::{FileOwner, NamedFile};
use crate::documents::rules::MediaType;
use crate::error::Result;
use crate::files::StoredContent;
use crate::ids::{OrderId, StaffId};
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::with_member;

/// A pack about to be stored.
#[derive(Clone, Debug)]
pub struct NewPack {
    pub order_id: OrderId,
    pub pack_type: PackType,
    pub stored: StoredContent,
    pub pages: i32,
    /// The facts that it was typeset from, as JSON text. The footer shows their SHA-256.
    pub facts: String,
    /// The digest of what it says, without the day of its making and its maker.
    pub content_digest: String,
    pub staff_id: StaffId,
}

/// Locks the packs of an order until the transaction ends.
pub fn lock(tx: &mut Conn, order_id: OrderId) -> Result<()> {
    advisory_lock(tx, &format!("packs of order {order_id}"))
}

/// The newest pack of the order that says the same, if it is newer than the pack `after`.
pub fn find_same(
    conn: &mut Conn,
    order_id: OrderId,
    pack_type: PackType,
    content_digest: &str,
    after: i64,
) -> Result<Option<Pack>> {
    let same = defence_packs::table
        .filter(defence_packs::order_id.eq(order_id))
        .filter(defence_packs::pack_type.eq(pack_type.number()))
        .filter(defence_packs::content_digest.eq(content_digest))
        .filter(defence_packs::pack_id.gt(after));
    Ok(same.order(defence_packs::pack_id.desc()).select(Pack::as_select()).first(conn).optional()?)
}

/// When the last `most` packs of the order were made, newest first.
pub fn list_times(conn: &mut Conn, order_id: OrderId, most: u32) -> Result<Vec<Timestamp>> {
    let made = defence_packs::table.filter(defence_packs::order_id.eq(order_id));
    let newest = made.order(defence_packs::pack_id.desc()).limit(most.into());
    Ok(newest.select(defence_packs::made_at).load(conn)?)
}

/// Adds the row and returns its id.
pub fn add(tx: &mut Conn, new: &NewPack, now: Timestamp) -> Result<i64> {
    let pack_id = diesel::insert_into(defence_packs::table)
        .values((
            defence_packs::order_id.eq(new.order_id),
            defence_packs::pack_type.eq(new.pack_type.number()),
            defence_packs::file1.eq(&new.stored.key),
            defence_packs::pages.eq(new.pages),
            defence_packs::size_bytes.eq(new.stored.size_bytes),
            defence_packs::sha256.eq(&new.stored.sha256),
            defence_packs::facts.eq(&new.facts),
            defence_packs::content_digest.eq(&new.content_digest),
            defence_packs::staff_id.eq(new.staff_id),
            defence_packs::made_at.eq(now),
        ))
        .returning(defence_packs::pack_id)
        .get_result(tx)?;
    Ok(pack_id)
}

/// A stored pack.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = defence_packs)]
pub struct Pack {
    pub pack_id: i64,
    pub order_id: OrderId,
    pub pack_type: i32,
    pub file1: String,
    pub pages: i32,
    pub size_bytes: i64,
    pub sha256: String,
    pub made_at: Timestamp,
}

impl Pack {
    /// Its file name.
    pub fn file_name(&self) -> String {
        let pack_type = PackType::of(self.pack_type).unwrap_or(PackType::Letter);
        rules::file_name(pack_type, self.order_id)
    }
}

impl From<Pack> for StoredContent {
    fn from(pack: Pack) -> Self {
        Self { key: pack.file1, size_bytes: pack.size_bytes, sha256: pack.sha256 }
    }
}

/// The packs of an order, newest first, each with the name of the member who made it.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<(Pack, String)>> {
    let made = with_member!(defence_packs::table).filter(defence_packs::order_id.eq(order_id));
    let made = made.order(defence_packs::pack_id.desc()).select((Pack::as_select(), staff::name()));
    let rows: Vec<(Pack, Option<String>)> = made.load(conn)?;
    Ok(rows.into_iter().map(|(pack, name)| (pack, name.unwrap_or_default())).collect())
}

/// This table, as an owner of stored files.
pub const OWNER: FileOwner = FileOwner { find, named_among, list_after, count };

impl From<Pack> for NamedFile {
    fn from(pack: Pack) -> Self {
        Self {
            row_id: pack.pack_id,
            order_id: pack.order_id,
            kind: format!("defence pack {}", pack.pack_type),
            original_name: pack.file_name(),
            media_type: MediaType::Pdf,
            stored: pack.into(),
        }
    }
}

fn find(conn: &mut Conn, key: &str) -> Result<Option<NamedFile>> {
    let found = defence_packs::table.filter(defence_packs::file1.eq(key)).select(Pack::as_select());
    Ok(found.first(conn).optional()?.map(NamedFile::from))
}

fn named_among(conn: &mut Conn, keys: &[String]) -> Result<Vec<String>> {
    let named = defence_packs::table.filter(defence_packs::file1.eq_any(keys));
    Ok(named.select(defence_packs::file1).load(conn)?)
}

fn list_after(conn: &mut Conn, pack_id: i64, most: i64) -> Result<Vec<NamedFile>> {
    let next = defence_packs::table.filter(defence_packs::pack_id.gt(pack_id)).order(defence_packs::pack_id);
    Ok(next.limit(most).select(Pack::as_select()).load(conn)?.into_iter().map(NamedFile::from).collect())
}

fn count(conn: &mut Conn) -> Result<i64> {
    Ok(defence_packs::table.count().get_result(conn)?)
}
