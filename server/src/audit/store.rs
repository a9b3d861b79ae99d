//! Audit rows, written in the transaction of the change that they record. The database refuses to update or delete them.

use diesel::dsl::exists;
use diesel::prelude::*;

use crate::add_rows;
use crate::db::Conn;
use crate::db::history::Before;
use crate::db::schema::{access_log, audit, audit_chain};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::timestamp::Timestamp;

/// A person or a named part of the program. Handlers extract it from the request.
#[derive(Clone, Debug)]
pub struct Actor {
    pub staff_id: Option<StaffId>,
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

/// A change, as a row of the audit records it.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// A noun and a verb: `order.assign`, `team.add`.
    pub action: &'static str,
    pub order_id: Option<OrderId>,
    pub before: Option<String>,
    pub after: Option<String>,
}

impl Change {
    /// A change that is not of an order, without values.
    pub fn of(action: &'static str) -> Self {
        Self { action, ..Self::default() }
    }

    /// The order that was changed.
    pub fn order(self, order_id: impl Into<Option<OrderId>>) -> Self {
        Self { order_id: order_id.into(), ..self }
    }

    /// The former value.
    pub fn before(self, before: impl Into<Option<String>>) -> Self {
        Self { before: before.into(), ..self }
    }

    /// The new value.
    pub fn after(self, after: impl Into<Option<String>>) -> Self {
        Self { after: after.into(), ..self }
    }
}

#[derive(Insertable)]
#[diesel(table_name = audit, treat_none_as_default_value = false)]
struct NewEventRow<'a> {
    at: Timestamp,
    staff_id: Option<StaffId>,
    actor: &'a str,
    action: &'a str,
    order_id: Option<OrderId>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    ip: Option<&'a str>,
}

impl<'a> NewEventRow<'a> {
    fn new(by: &'a Actor, change: &'a Change, at: Timestamp) -> Self {
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

/// A stored row.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = audit)]
pub struct Record {
    pub audit_id: i64,
    pub at: Timestamp,
    pub staff_id: Option<StaffId>,
    pub actor: String,
    pub action: String,
    pub order_id: Option<OrderId>,
    pub before: Option<String>,
    pub after: Option<String>,
    pub ip: Option<String>,
}

/// Which rows to list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub actor: Option<String>,
    pub order_id: Option<OrderId>,
    pub action: Option<String>,
    pub from: Option<Timestamp>,
    /// Exclusive.
    pub until: Option<Timestamp>,
    /// The last row of the previous page.
    pub older_than: Option<i64>,
}

/// Returns true if the audit has a row of this action by `by` since `instant`, from the same address.
pub fn is_noted_since(conn: &mut Conn, by: &Actor, action: &str, instant: Timestamp) -> Result<bool> {
    let rows = audit::table.filter(audit::action.eq(action)).filter(audit::at.gt(instant));
    let same = rows.filter(audit::staff_id.eq(by.staff_id)).filter(audit::ip.eq(&by.address));
    Ok(diesel::select(exists(same)).get_result(conn)?)
}

/// At most `max` rows that pass the filter, the newest first. Each filter has an index in this order.
pub fn list(conn: &mut Conn, filter: &Filter, max: i64) -> Result<Vec<Record>> {
    let mut rows = audit::table.select(Record::as_select()).into_boxed();
    if let Some(audit_id) = filter.older_than {
        let at = audit::table.find(audit_id).select(audit::at).first::<Timestamp>(conn).optional()?;
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
    Ok(rows.order((audit::at.desc(), audit::audit_id.desc())).limit(max).load(conn)?)
}

/// The event of a file that was not stored as it came: its digests before and after.
pub const FILE_REWRITTEN: &str = "document.rewrite";

/// At most `max` rows about an order that are older than `before.id`, the newest first, and whether older ones exist.
pub fn timeline(conn: &mut Conn, order_id: OrderId, before: Before) -> Result<(Vec<Record>, bool)> {
    // How a file is stored is no event of the order.
    let rows = audit::table.filter(audit::order_id.eq(order_id)).filter(audit::action.ne(FILE_REWRITTEN));
    let rows = rows.filter(audit::audit_id.lt(before.id));
    // One more row shows whether older ones exist.
    let rows = rows.order(audit::audit_id.desc()).limit(before.max + 1);
    let mut rows: Vec<Record> = on_either!(conn => rows.select(Record::as_select()).load(conn))?;
    let has_older = rows.len() as i64 > before.max;
    if has_older {
        rows.pop();
    }
    Ok((rows, has_older))
}

/// At most `max` rows with ids from `first_id` to `last_id`, in ascending order.
pub fn range(conn: &mut Conn, first_id: i64, last_id: i64, max: i64) -> Result<Vec<Record>> {
    let rows = audit::table.filter(audit::audit_id.between(first_id, last_id)).order(audit::audit_id).limit(max);
    Ok(rows.select(Record::as_select()).load(conn)?)
}

/// Adds a row for each change.
pub fn add(tx: &mut Conn, by: &Actor, changes: &[Change], now: Timestamp) -> Result<()> {
    add_rows!(tx, audit::table, changes.iter().map(|change| NewEventRow::new(by, change, now)));
    Ok(())
}

/// Adds a row for each change, each with its own instant.
pub fn add_at(tx: &mut Conn, by: &Actor, changes: &[(Timestamp, Change)]) -> Result<()> {
    add_rows!(tx, audit::table, changes.iter().map(|(at, change)| NewEventRow::new(by, change, *at)));
    Ok(())
}

/// Adds a row for each change, all of one action and each about another order. Returns the order and the id of each row, by ascending id;
/// rows that `by` added before for this action at this instant may come first.
pub fn add_of_orders(
    tx: &mut Conn,
    by: &Actor,
    changes: &[Change],
    now: Timestamp,
) -> Result<Vec<(Option<OrderId>, i64)>> {
    let ids = (audit::order_id, audit::audit_id);
    let first = match changes {
        [] => return Ok(Vec::new()),
        [only] => {
            let added = diesel::insert_into(audit::table).values(NewEventRow::new(by, only, now)).returning(ids);
            return Ok(vec![on_either!(tx => added.get_result(tx)?)]);
        }
        [first, ..] => first,
    };
    add(tx, by, changes, now)?;
    // A COPY returns no ids.
    let added = audit::table
        .filter(audit::actor.eq(&by.name))
        .filter(audit::at.eq(now))
        .filter(audit::action.eq(first.action))
        .filter(audit::staff_id.eq(by.staff_id))
        .filter(audit::order_id.is_not_null());
    Ok(added.order(audit::audit_id).select(ids).load(tx)?)
}

/// A change of an order.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct OrderChange {
    pub order_id: OrderId,
    pub audit_id: i64,
    pub actor: String,
    pub at: Timestamp,
}

/// The changes of the orders themselves after the row `audit_id`, the oldest first. Remarks, files and transaction details are none.
pub fn changes_after(conn: &mut Conn, order_ids: &[OrderId], audit_id: i64) -> Result<Vec<OrderChange>> {
    let changes = audit::table
        .filter(audit::order_id.eq_any(order_ids.iter().map(|id| Some(*id))))
        .filter(audit::audit_id.gt(audit_id))
        .filter(audit::action.like("order.%"))
        .filter(audit::action.ne("order.transaction"))
        .order(audit::audit_id)
        .select((audit::order_id.assume_not_null(), audit::audit_id, audit::actor, audit::at));
    Ok(changes.load(conn)?)
}

/// The actor of the last change of the order itself. Remarks, files and transaction details do not change it.
pub fn last_actor(conn: &mut Conn, order_id: OrderId) -> Result<Option<String>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::action.like("order.%"))
        .filter(audit::action.ne("order.transaction"));
    Ok(changes.order(audit::audit_id.desc()).select(audit::actor).first(conn).optional()?)
}

/// When a member of staff last changed something about the order of `$order_id`, as a column of a query of orders; null without such
/// a change.
#[macro_export]
macro_rules! last_touch {
    ($order_id:expr) => {{
        use $crate::db::schema::audit;
        audit::table
            .filter(audit::order_id.eq($order_id.nullable()))
            .filter(audit::staff_id.is_not_null())
            .select(diesel::dsl::max(audit::at))
            .single_value()
    }};
}

/// The orders of the first `$max` audit rows after `$audit_id`, as a subquery of a query of orders.
#[macro_export]
macro_rules! changed_after {
    ($audit_id:expr, $max:expr) => {{
        use $crate::db::schema::audit;
        let rows = audit::table.filter(audit::audit_id.gt($audit_id)).filter(audit::order_id.is_not_null());
        rows.order(audit::audit_id).limit($max).select(audit::order_id)
    }};
}

/// The id of the last audit row about the order of `$order_id`, as a column of a query of orders; null without one.
#[macro_export]
macro_rules! last_change {
    ($order_id:expr) => {{
        use $crate::db::schema::audit;
        audit::table
            .filter(audit::order_id.eq($order_id.nullable()))
            .select(diesel::dsl::max(audit::audit_id))
            .single_value()
    }};
}

/// The id of the last row; 0 without one.
pub fn last_id(conn: &mut Conn) -> Result<i64> {
    let last: Option<i64> = audit::table.select(diesel::dsl::max(audit::audit_id)).first(conn)?;
    Ok(last.unwrap_or_default())
}

/// The action of an undone change of status.
pub const UNDO_STATUS: &str = "order.undo";

/// The action of an undone change of owner.
pub const UNDO_OWNER: &str = "order.undo_assign";

/// A change of an order's status.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct StatusChange {
    pub at: Timestamp,
    pub action: String,
    /// The former status, or something else.
    pub before: Option<String>,
    /// The new status, or something else: not every action of an order is about its status.
    pub after: Option<String>,
}

/// The changes of the order's status, the oldest first.
pub fn status_changes(conn: &mut Conn, order_id: OrderId) -> Result<Vec<StatusChange>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::action.like("order.%"))
        // The first two name a member. `order.arrive` has the time of the import, not of what happened in the older system.
        .filter(audit::action.ne_all(["order.assign", UNDO_OWNER, "order.arrive"]))
        .order(audit::audit_id)
        .select((audit::at, audit::action, audit::before, audit::after));
    Ok(changes.load(conn)?)
}

/// The addresses from which staff changed or viewed the order.
pub fn staff_addresses(conn: &mut Conn, order_id: OrderId) -> Result<Vec<String>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::staff_id.is_not_null())
        .select(audit::ip)
        .distinct();
    let views = access_log::table.filter(access_log::order_id.eq(order_id)).select(access_log::ip).distinct();
    let (changes, views): (Vec<Option<String>>, Vec<Option<String>>) = (changes.load(conn)?, views.load(conn)?);
    Ok(changes.into_iter().chain(views).flatten().collect())
}

/// A link of the hash chain: a range of rows and their digest.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = audit_chain)]
pub struct ChainLink {
    pub link_id: i64,
    pub first_id: i64,
    pub last_id: i64,
    /// Less than the number of ids in the range if a transaction was rolled back.
    pub row_count: i64,
    pub rows_hash: String,
    /// The digest of the previous link; empty in the first.
    pub before_hash: String,
}

/// Adds a link. The table assigns its id.
pub fn add_link(tx: &mut Conn, link: &ChainLink, now: Timestamp) -> Result<()> {
    diesel::insert_into(audit_chain::table)
        .values((
            audit_chain::first_id.eq(link.first_id),
            audit_chain::last_id.eq(link.last_id),
            audit_chain::row_count.eq(link.row_count),
            audit_chain::rows_hash.eq(&link.rows_hash),
            audit_chain::before_hash.eq(&link.before_hash),
            audit_chain::linked_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// The newest link.
pub fn last_link(conn: &mut Conn) -> Result<Option<ChainLink>> {
    let links = audit_chain::table.order(audit_chain::link_id.desc()).select(ChainLink::as_select());
    Ok(links.first(conn).optional()?)
}

/// The link after `link_id`.
pub fn link_after(conn: &mut Conn, link_id: i64) -> Result<Option<ChainLink>> {
    let links = audit_chain::table.filter(audit_chain::link_id.gt(link_id)).order(audit_chain::link_id);
    Ok(links.select(ChainLink::as_select()).first(conn).optional()?)
}

/// The rows after `audit_id`: their number, the first id and the last; none if there are no rows.
pub fn tail(conn: &mut Conn, audit_id: i64) -> Result<Option<(i64, i64, i64)>> {
    let tail = audit::table.filter(audit::audit_id.gt(audit_id));
    let (count, first, last): (i64, Option<i64>, Option<i64>) = tail
        .select((diesel::dsl::count_star(), diesel::dsl::min(audit::audit_id), diesel::dsl::max(audit::audit_id)))
        .first(conn)?;
    Ok(first.zip(last).map(|(first, last)| (count, first, last)))
}
