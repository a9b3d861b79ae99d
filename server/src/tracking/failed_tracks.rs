//! Wrong tries to open an order on the public pages: from which networks, and how many in each hour. Counters of limits are forgotten
//! within a day; these rows answer afterwards who tried. Their number is bounded by the rules in `rules/traces.rs`.

use diesel::prelude::*;

use super::rules::traces::{MAX_NETWORKS, Place, place_of};
use crate::audit::budgets::hour_of;
use crate::db::schema::failed_tracks;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::http::address::{ClientAddress, Network};
use crate::ids::OrderId;
use crate::on_either;
use crate::timestamp::Timestamp;

/// The most rows of one list.
const MAX_ROWS: i64 = 200;

/// The wrong tries at an order from one network in one hour.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = failed_tracks)]
pub struct FailedTracks {
    /// When the hour began.
    pub hour: Timestamp,
    /// An IPv4 address or the /48 of an IPv6 address; empty: several networks beyond the first of the hour.
    pub network: String,
    pub tries: i32,
    pub last_at: Timestamp,
}

/// Counts a wrong try. `order_id` is 0 for an order that does not exist: the same statements run for every order.
pub fn add(tx: &mut Conn, order_id: OrderId, address: ClientAddress, now: Timestamp) -> Result<()> {
    let (hour, network) = (hour_of(now), address.bucket(Network::Site));
    let of_hour = || failed_tracks::table.filter(failed_tracks::hour.eq(hour));
    let networks: Vec<String> = of_hour()
        .filter(failed_tracks::order_id.eq(order_id))
        .select(failed_tracks::network)
        .limit(MAX_NETWORKS as i64 + 1)
        .load(tx)?;
    let orders: i64 = of_hour().filter(failed_tracks::network.eq(&network)).count().get_result(tx)?;
    let (order_id, network) = match place_of(&networks, orders, &network) {
        Place::Own => (order_id, &*network),
        Place::OtherNetworks => (order_id, ""),
        Place::OtherOrders => (OrderId(0), &*network),
    };
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(failed_tracks::table)
                .values((
                    failed_tracks::order_id.eq(order_id),
                    failed_tracks::hour.eq(hour),
                    failed_tracks::network.eq(network),
                    failed_tracks::tries.eq(1),
                    failed_tracks::last_at.eq(now),
                ))
                .on_conflict((failed_tracks::order_id, failed_tracks::hour, failed_tracks::network))
                .do_update()
                .set((failed_tracks::tries.eq(failed_tracks::tries + 1), failed_tracks::last_at.eq(now)))
                .execute($tx)?
        };
    }
    match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    };
    Ok(())
}

/// The newest wrong tries at the order, the oldest of them first.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<FailedTracks>> {
    let of_order = failed_tracks::table.filter(failed_tracks::order_id.eq(order_id));
    let newest = of_order.order((failed_tracks::hour.desc(), failed_tracks::network.desc())).limit(MAX_ROWS);
    let mut rows: Vec<FailedTracks> = on_either!(conn => newest.select(FailedTracks::as_select()).load(conn))?;
    rows.reverse();
    Ok(rows)
}

/// Deletes up to [`MAX_IDS`] rows of hours before `before`. Returns how many.
pub fn delete_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    let expired = failed_tracks::table.filter(failed_tracks::hour.lt(before)).order(failed_tracks::hour);
    let expired = expired.select((failed_tracks::order_id, failed_tracks::hour, failed_tracks::network));
    let rows: Vec<(OrderId, Timestamp, String)> = expired.limit(MAX_IDS as i64).load(tx)?;
    for row in &rows {
        diesel::delete(failed_tracks::table.find((row.0, row.1, &row.2))).execute(tx)?;
    }
    Ok(rows.len())
}
