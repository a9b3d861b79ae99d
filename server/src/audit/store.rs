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
