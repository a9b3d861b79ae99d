//! The gateways and the active one. One row names the active gateway, so a switch is one statement.

use diesel::prelude::*;

use super::rules::Gateway;
use crate::db::schema::{active_gateway, payment_gateways};
use crate::db::{Conn, advisory_lock};
use crate::error::Result;

/// The key of the one row that names the active gateway.
const ONLY_ONE: i32 = 1;

/// All gateways, including retired ones, the oldest first.
pub fn list(conn: &mut Conn) -> Result<Vec<Gateway>> {
    let rows = payment_gateways::table
        .left_join(active_gateway::table)
        .order(payment_gateways::gateway_id)
        .select((
            payment_gateways::gateway_id,
            payment_gateways::gateway_name,
            payment_gateways::retired,
            active_gateway::only_one.nullable(),
        ))
        .load::<(i64, String, bool, Option<i32>)>(conn)?;
    let gateway = |(id, name, retired, active): (i64, String, bool, Option<i32>)| Gateway {
        id,
        name,
        retired,
        is_active: active.is_some(),
    };
    Ok(rows.into_iter().map(gateway).collect())
}

/// All gateways, locked against changes until the transaction ends.
pub fn lock(tx: &mut Conn) -> Result<Vec<Gateway>> {
    advisory_lock(tx, "gateways")?;
    list(tx)
}

/// Sets the active gateway.
pub fn activate(tx: &mut Conn, id: i64) -> Result<()> {
    let row = diesel::update(active_gateway::table.find(ONLY_ONE)).set(active_gateway::gateway_id.eq(id));
    if row.execute(tx)? == 0 {
        diesel::insert_into(active_gateway::table)
            .values((
                active_gateway::only_one.eq(ONLY_ONE),
                active_gateway::gateway_id.eq(id),
                active_gateway::retired.eq(false),
            ))
            .execute(tx)?;
    }
    Ok(())
}

/// Adds a gateway. Returns its id.
pub fn add(tx: &mut Conn, name: &str) -> Result<i64> {
    let row = (payment_gateways::gateway_name.eq(name), payment_gateways::retired.eq(false));
    Ok(diesel::insert_into(payment_gateways::table)
        .values(row)
        .returning(payment_gateways::gateway_id)
        .get_result(tx)?)
}

/// Retires or reinstates gateways.
pub fn set_retired(tx: &mut Conn, ids: &[i64], retired: bool) -> Result<()> {
    let rows = payment_gateways::table.filter(payment_gateways::gateway_id.eq_any(ids));
    diesel::update(rows).set(payment_gateways::retired.eq(retired)).execute(tx)?;
    Ok(())
}
