//! Open disputes, the most urgent first.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::store::Chargeback;
use crate::db::Conn;
use crate::db::schema::chargebacks;
use crate::error::Result;
use crate::ids::OrderId;

/// The condition of the indexes `chargebacks_open_…`, as it is spelled there: SQLite uses the indexes for nothing else.
const OPEN: &str = "outcome = 'Open'";

/// Lists open disputes, in no particular order: the `max` with the earliest days of the network, and the `max` that were opened first.
/// A working deadline follows one of the two, so the `max` earliest working deadlines are among them.
pub fn list_earliest(conn: &mut Conn, max: i64) -> Result<Vec<(OrderId, Chargeback)>> {
    macro_rules! first_by {
        ($column:ident) => {
            chargebacks::table
                .filter(sql::<Bool>(OPEN))
                .order((chargebacks::$column.asc(), chargebacks::order_id.asc()))
                .select((chargebacks::order_id, Chargeback::as_select()))
                .limit(max)
                .load::<(OrderId, Chargeback)>(conn)?
        };
    }
    let mut found = first_by!(respond_by);
    let opened_first = first_by!(opened_on);
    found.extend(opened_first);
    found.sort_by_key(|(order_id, _)| *order_id);
    found.dedup_by_key(|(order_id, _)| *order_id);
    Ok(found)
}
