//! Audit rows. Written in the transaction of the change they tell of; the database refuses to alter them.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use crate::db::Conn;
use crate::db::schema::audit;
use crate::error::Result;
use crate::staff::rules::Staff;

/// Who did it: a person, or a part of the program by its name.
#[derive(Clone, Debug)]
pub struct Actor {
    pub staff_id: Option<i64>,
    /// The person's name, or `sales site …`, `import`, `scheduler`, `command line`.
    pub name: String,
    pub address: Option<String>,
}

impl From<&Staff> for Actor {
    fn from(staff: &Staff) -> Self {
        Self { staff_id: Some(staff.id), name: staff.name.clone(), address: Some(staff.address.clone()) }
    }
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
#[diesel(table_name = audit)]
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
    for change in changes {
        diesel::insert_into(audit::table)
            .values(NewRow {
                at: now,
                staff_id: by.staff_id,
                actor: &by.name,
                action: change.action,
                order_id: change.order_id,
                before: change.before.as_deref(),
                after: change.after.as_deref(),
                ip: by.address.as_deref(),
            })
            .execute(tx)?;
    }
    Ok(())
}
