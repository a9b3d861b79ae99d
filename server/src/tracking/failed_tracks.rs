//! Wrong tries to open an order on the public pages: from which networks, and how many in each hour. Counters of limits are forgotten
//! within a day; these rows answer afterwards who tried. Their number is bounded by the rules in `rules/traces.rs`.

use diesel::prelude::*;

use super::rules::traces::{MAX_NETWORKS, TraceRow, place_of};
use crate::audit::budgets::hour_of;
use crate::db::history::HistoryPart;
use crate::db::schema::failed_tracks;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::http::address::{ClientAddress, ClientNetwork};
use crate::ids::OrderId;
use crate::on_either;
use crate::timestamp::Timestamp;

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
    let (hour, network) = (hour_of(now), address.bucket(ClientNetwork::Site));
    let of_hour = || failed_tracks::table.filter(failed_tracks::hour.eq(hour));
    let networks: Vec<String> = of_hour()
        .filter(failed_tracks::order_id.eq(order_id))
        .select(failed_tracks::network)
        .limit(MAX_NETWORKS as i64 + 1)
        .load(tx)?;
    let orders: i64 = of_hour().filter(failed_tracks::network.eq(&network)).count().get_result(tx)?;
    let (order_id, network) = match place_of(&networks, orders, &network) {
        TraceRow::Own => (order_id, &*network),
        TraceRow::OtherNetworks => (order_id, ""),
        TraceRow::OtherOrders => (OrderId(0), &*network),
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

/// The row that a part of the wrong tries ends before: its hour and its network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TryKey {
    pub hour: Timestamp,
    pub network: String,
}

/// A part of the wrong tries at the order: at most `max` rows that are older than `before`, if it is given.
pub fn list(conn: &mut Conn, order_id: OrderId, before: Option<TryKey>, max: i64) -> Result<HistoryPart<FailedTracks>> {
    let TryKey { hour, network } = before.unwrap_or(TryKey { hour: Timestamp::FAR_FUTURE, network: String::new() });
    let is_older = failed_tracks::hour.lt(hour).or(failed_tracks::network.lt(&network));
    let all = failed_tracks::table.filter(failed_tracks::order_id.eq(order_id));
    let all = all.filter(failed_tracks::hour.le(hour)).filter(is_older);
    let rows = all.order((failed_tracks::hour.desc(), failed_tracks::network.desc())).limit(max.saturating_add(1));
    let rows = on_either!(conn => rows.select(FailedTracks::as_select()).load(conn))?;
    HistoryPart::of(rows, max, || Ok(all.count().get_result(conn)?))
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
