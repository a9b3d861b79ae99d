//! Audit rows. Written in the transaction of the change they tell of; the database refuses to alter them.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use crate::add_rows;
use crate::db::Conn;
use crate::db::schema::{access_log, audit, audit_seals};
use crate::error::Result;

/// Who did it: a person, or a part of the program by its name. Handlers get it from the request.
#[derive(Clone, Debug)]
pub struct Actor {
    pub staff_id: Option<i64>,
    /// The person's name, or `sales site …`, `import`, `scheduler`, `command line`.
    pub name: String,
    pub address: Option<String>,
}

impl Actor {
    /// A part of the program.
    pub fn program(name: impl Into<String>) -> Self {
        Self { staff_id: None, name: name.into(), address: None }
    }
}

/// One change.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// What was done, as a verb and a noun: `order.assign`, `team.add`.
    pub action: &'static str,
    pub order_id: Option<i64>,
    pub before: Option<String>,
    pub after: Option<String>,
}

#[derive(Insertable)]
#[diesel(table_name = audit, treat_none_as_default_value = false)]
struct NewRow<'a> {
    at: NaiveDateTime,
    staff_id: Option<i64>,
    actor: &'a str,
    action: &'a str,
    order_id: Option<i64>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    ip: Option<&'a str>,
}

impl<'a> NewRow<'a> {
    fn new(by: &'a Actor, change: &'a Change, at: NaiveDateTime) -> Self {
        Self {
            at,
            staff_id: by.staff_id,
            actor: &by.name,
            action: change.action,
            order_id: change.order_id,
            before: change.before.as_deref(),
            after: change.after.as_deref(),
            ip: by.address.as_deref(),
        }
    }
}

/// A row as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = audit)]
pub struct Record {
    pub audit_id: i64,
    pub at: NaiveDateTime,
    pub staff_id: Option<i64>,
    pub actor: String,
    pub action: String,
    pub order_id: Option<i64>,
    pub before: Option<String>,
    pub after: Option<String>,
    pub ip: Option<String>,
}

/// Which rows are wanted.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub actor: Option<String>,
    pub order_id: Option<i64>,
    pub action: Option<String>,
    pub from: Option<NaiveDateTime>,
    /// Not included.
    pub until: Option<NaiveDateTime>,
    /// The row after which to go on.
    pub older_than: Option<i64>,
}

/// At most `most` rows that pass the filter, the newest first. Each filter has an index in this order.
pub fn list(conn: &mut Conn, filter: &Filter, most: i64) -> Result<Vec<Record>> {
    let mut rows = audit::table.select(Record::as_select()).into_boxed();
    if let Some(audit_id) = filter.older_than {
        let at = audit::table.find(audit_id).select(audit::at).first::<NaiveDateTime>(conn).optional()?;
        let Some(at) = at else { return Ok(Vec::new()) };
        rows = rows.filter(audit::at.le(at)).filter(audit::at.lt(at).or(audit::audit_id.lt(audit_id)));
    }
    if let Some(actor) = &filter.actor {
        rows = rows.filter(audit::actor.eq(actor.clone()));
    }
    if let Some(order_id) = filter.order_id {
        rows = rows.filter(audit::order_id.eq(order_id));
    }
    if let Some(action) = &filter.action {
        rows = rows.filter(audit::action.eq(action.clone()));
    }
    if let Some(from) = filter.from {
        rows = rows.filter(audit::at.ge(from));
    }
    if let Some(until) = filter.until {
        rows = rows.filter(audit::at.lt(until));
    }
    Ok(rows.order((audit::at.desc(), audit::audit_id.desc())).limit(most).load(conn)?)
}

/// The newest `most` rows about an order, the newest first.
pub fn timeline(conn: &mut Conn, order_id: i64, most: i64) -> Result<Vec<Record>> {
    let rows = audit::table.filter(audit::order_id.eq(order_id)).order(audit::audit_id.desc()).limit(most);
    Ok(rows.select(Record::as_select()).load(conn)?)
}

/// At most `most` rows with ids from the first to the last given, in their order.
pub fn range(conn: &mut Conn, first_id: i64, last_id: i64, most: i64) -> Result<Vec<Record>> {
    let rows = audit::table.filter(audit::audit_id.between(first_id, last_id)).order(audit::audit_id).limit(most);
    Ok(rows.select(Record::as_select()).load(conn)?)
}

/// Adds a row for each change.
pub fn add(tx: &mut Conn, by: &Actor, changes: &[Change], now: NaiveDateTime) -> Result<()> {
    add_rows!(tx, audit::table, changes.iter().map(|change| NewRow::new(by, change, now)));
    Ok(())
}

/// Adds a row for each change, each at an instant of its own.
pub fn add_at(tx: &mut Conn, by: &Actor, changes: &[(NaiveDateTime, Change)]) -> Result<()> {
    add_rows!(tx, audit::table, changes.iter().map(|(at, change)| NewRow::new(by, change, *at)));
    Ok(())
}

/// Who changed the order itself last. Remarks, files and transaction details are about the order, and leave it as it is.
pub fn last_actor(conn: &mut Conn, order_id: i64) -> Result<Option<String>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::action.like("order.%"))
        .filter(audit::action.ne("order.transaction"));
    Ok(changes.order(audit::audit_id.desc()).select(audit::actor).first(conn).optional()?)
}

/// What changed the order's status, the oldest first: when, and to what.
pub fn status_changes(conn: &mut Conn, order_id: i64) -> Result<Vec<(NaiveDateTime, Option<String>)>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::action.like("order.%"))
        // The one names a member, the other says when an older system's orders were read in, not what happened to them then.
        .filter(audit::action.ne_all(["order.assign", "order.arrive"]))
        .order(audit::audit_id)
        .select((audit::at, audit::after));
    Ok(changes.load(conn)?)
}

/// The addresses from which staff changed the order or looked at it.
pub fn staff_addresses(conn: &mut Conn, order_id: i64) -> Result<Vec<String>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::staff_id.is_not_null())
        .select(audit::ip)
        .distinct();
    let looks = access_log::table.filter(access_log::order_id.eq(order_id)).select(access_log::ip).distinct();
    let (changes, looks): (Vec<Option<String>>, Vec<Option<String>>) = (changes.load(conn)?, looks.load(conn)?);
    Ok(changes.into_iter().chain(looks).flatten().collect())
}

/// A sealed range.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = audit_seals)]
pub struct Seal {
    pub seal_id: i64,
    pub first_id: i64,
    pub last_id: i64,
    /// Fewer than the range has ids where a transaction was undone.
    pub row_count: i64,
    pub rows_hash: String,
    /// The digest of the seal before; empty in the first.
    pub before_hash: String,
}

/// Adds a seal; its id is given by the table.
pub fn add_seal(tx: &mut Conn, seal: &Seal, now: NaiveDateTime) -> Result<()> {
    diesel::insert_into(audit_seals::table)
        .values((
            audit_seals::first_id.eq(seal.first_id),
            audit_seals::last_id.eq(seal.last_id),
            audit_seals::row_count.eq(seal.row_count),
            audit_seals::rows_hash.eq(&seal.rows_hash),
            audit_seals::before_hash.eq(&seal.before_hash),
            audit_seals::sealed_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// The newest seal.
pub fn last_seal(conn: &mut Conn) -> Result<Option<Seal>> {
    let seals = audit_seals::table.order(audit_seals::seal_id.desc()).select(Seal::as_select());
    Ok(seals.first(conn).optional()?)
}

/// The seal that follows `seal_id`.
pub fn seal_after(conn: &mut Conn, seal_id: i64) -> Result<Option<Seal>> {
    let seals = audit_seals::table.filter(audit_seals::seal_id.gt(seal_id)).order(audit_seals::seal_id);
    Ok(seals.select(Seal::as_select()).first(conn).optional()?)
}

/// The rows after `audit_id`: how many there are, the first and the last; none when there are none.
pub fn tail(conn: &mut Conn, audit_id: i64) -> Result<Option<(i64, i64, i64)>> {
    let tail = audit::table.filter(audit::audit_id.gt(audit_id));
    let (count, first, last): (i64, Option<i64>, Option<i64>) = tail
        .select((diesel::dsl::count_star(), diesel::dsl::min(audit::audit_id), diesel::dsl::max(audit::audit_id)))
        .first(conn)?;
    Ok(first.zip(last).map(|(first, last)| (count, first, last)))
}
