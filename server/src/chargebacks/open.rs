//! Open disputes, the most urgent first.

use compact_str::CompactString;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::store::Dispute;
use crate::db::Conn;
use crate::db::schema::chargebacks;
use crate::error::Result;
use crate::orders::store::OrderRow;
use crate::staff::store as staff;
use crate::{on_either, with_order};

/// The condition of the indexes `chargebacks_open_…`, as it is spelled there: SQLite uses the indexes for nothing else.
pub const OPEN: &str = "outcome = 'Open'";

// The disputes that a condition of a query picks from.
diesel::alias! {
    const PICKED: Alias<Picked> = chargebacks as picked;
}

/// A disputed order, its owner's name, and the dispute.
pub type DisputedOrder = (OrderRow, Option<CompactString>, Dispute);

/// Lists open disputes, in no particular order: the `max` with the earliest days of the network, and the `max` that were opened first.
/// A working deadline follows one of the two, so the `max` earliest working deadlines are among them.
pub fn list_earliest(conn: &mut Conn, max: i64) -> Result<Vec<DisputedOrder>> {
    macro_rules! first_by {
        ($column:ident) => {
            PICKED
                .filter(sql::<Bool>(OPEN))
                .order((PICKED.field(chargebacks::$column).asc(), PICKED.field(chargebacks::order_id).asc()))
                .select(PICKED.field(chargebacks::order_id))
                .limit(max)
        };
    }
    let is_earliest = chargebacks::order_id.eq_any(first_by!(respond_by));
    let is_oldest = chargebacks::order_id.eq_any(first_by!(opened_on));
    let open = with_order!(chargebacks::table).filter(sql::<Bool>(OPEN)).filter(is_earliest.or(is_oldest));
    Ok(on_either!(conn => open.select((OrderRow::as_select(), staff::name(), Dispute::as_select())).load(conn)?))
}
