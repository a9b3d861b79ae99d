//! The changes of one moment, and the part of them that a member is told. Pure.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use utoipa::ToSchema;

use super::colleagues::ColleagueAtOrder;
use crate::ids::OrderId;
use crate::orders::counters::FolderCounters;
use crate::orders::rules::{Folder, OrderState, is_listed, may_list};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The orders that changed, and the folder counters.
#[derive(Clone, Debug, Default)]
pub struct LiveMoment {
    /// The last audit row that was read.
    pub cursor: i64,
    /// More changed than is told.
    pub is_all: bool,
    pub orders: Vec<OrderState>,
    pub counters: Arc<FolderCounters>,
}

impl LiveMoment {
    /// The counters of the moment, without its orders.
    pub fn without_orders(&self, is_all: bool) -> Self {
        Self { cursor: self.cursor, is_all, orders: Vec::new(), counters: self.counters.clone() }
    }
}

/// The changes that a member is told: ids, folders and numbers only.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LiveChanges {
    /// The place in the stream, for `after` of the next one.
    pub cursor: i64,
    /// Anything may have changed: what is shown must be loaded anew.
    pub all: bool,
    /// The orders that changed.
    pub orders: Vec<ChangedOrder>,
    /// The number of orders in each folder that the member may list, by its name.
    #[schema(value_type = BTreeMap<String, i64>)]
    pub counts: BTreeMap<&'static str, i64>,
    /// The number of entries in the member's inbox that are not read.
    pub unread: i64,
    /// All colleagues who have orders open that the member may find; null: those that the stream told last.
    pub colleagues: Option<Vec<ColleagueAtOrder>>,
}

/// An order that changed.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangedOrder {
    /// The order's id.
    pub order_id: OrderId,
    /// The folders that list it now, among those that the member may list.
    #[schema(value_type = Vec<String>)]
    pub folders: Vec<&'static str>,
}

impl LiveChanges {
    /// The changes of those moments, as `staff` is told of them.
    pub fn told<'a>(staff: &Staff, unread: i64, moments: impl IntoIterator<Item = &'a LiveMoment>) -> Self {
        let (orders, counts) = (Vec::new(), BTreeMap::new());
        let mut told = Self { cursor: 0, all: false, orders, counts, unread, colleagues: None };
        let mut orders: BTreeMap<OrderId, &OrderState> = BTreeMap::new();
        let mut counters = None;
        for moment in moments {
            told.cursor = moment.cursor;
            told.all |= moment.is_all;
            orders.extend(moment.orders.iter().map(|order| (order.order_id, order)));
            counters = Some(&moment.counters);
        }
        let folders = || Folder::ALL.into_iter().filter(|(folder, _)| may_list(staff.staff_type, *folder));
        if let Some(counters) = counters {
            told.counts = folders().map(|(folder, name)| (name, counters.count(folder, staff.id))).collect();
        }
        let changed = orders.into_values().map(|order| {
            let listing = folders().filter(|(folder, _)| is_listed(*folder, order, staff.id));
            ChangedOrder { order_id: order.order_id, folders: listing.map(|(_, name)| name).collect() }
        });
        told.orders = changed.collect();
        told
    }
}

/// Where the reading of changes has arrived.
///
/// Ids of audit rows are assigned before their transactions commit, on PostgreSQL in any sequence, so the rows of the last seconds are read
/// again, and what was told of them is told once.
#[derive(Debug)]
pub struct Position {
    pub cursor: i64,
    /// The time in which rows are read again.
    overlap: Duration,
    /// The cursors of the last seconds, the oldest first.
    cursors: VecDeque<(Instant, i64)>,
    /// Before this row, nothing is read again.
    low: i64,
    /// The last row and the last change that were told of an order.
    told: HashMap<OrderId, (i64, Timestamp)>,
}

impl Position {
    /// A reading that begins after the row `cursor`.
    pub fn after(cursor: i64, overlap: Duration) -> Self {
        Self { cursor, overlap, cursors: VecDeque::new(), low: cursor, told: HashMap::new() }
    }

    /// The row after which to read at `now`.
    pub fn read_after(&mut self, now: Instant) -> i64 {
        while let Some((at, cursor)) = self.cursors.front().copied()
            && now.duration_since(at) >= self.overlap
        {
            self.low = cursor;
            self.cursors.pop_front();
        }
        let low = self.low;
        self.told.retain(|_, (last, _)| *last > low);
        low
    }

    /// Goes on after the row `cursor`, without what was not read before it.
    pub fn skip_to(&mut self, cursor: i64) {
        *self = Self::after(cursor, self.overlap);
    }

    /// Takes what was read at `now`, and returns what is new of it.
    pub fn advance(&mut self, read: Vec<(OrderState, i64)>, now: Instant) -> Vec<OrderState> {
        let before = self.cursor;
        self.cursor = read.iter().map(|(_, last)| *last).fold(before, i64::max);
        if self.cursor > before {
            self.cursors.push_back((now, self.cursor));
        }
        let mut new = Vec::new();
        for (order, last) in read {
            let told = (last, order.updated_at);
            if self.told.insert(order.order_id, told) != Some(told) {
                new.push(order);
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StaffId;
    use crate::orders::rules::ProcessingMode;
    use crate::orders::status::ProcessStatus;
    use crate::staff::rules::StaffType;

    fn member(id: i64, staff_type: StaffType) -> Staff {
        Staff {
            id: StaffId(id),
            name: "Budi".into(),
            email: "budi@agency.example".into(),
            staff_type,
            session_hash: String::new(),
            signed_in_at: Timestamp::EPOCH,
            confirmed_at: Timestamp::EPOCH,
            address: String::new(),
        }
    }

    fn order(id: i64, status: ProcessStatus, owner: Option<i64>) -> OrderState {
        OrderState {
            order_id: OrderId(id),
            process_status: status,
            status_before_deletion: None,
            processing_mode: ProcessingMode::Regular,
            processing_date: None,
            refund_date: None,
            updated_at: Timestamp::EPOCH,
            had_visa_or_dispute: false,
            owner_id: owner.map(StaffId),
            owner_name: None,
        }
    }

    #[test]
    fn a_telecaller_is_told_nothing_of_order_history_and_a_member_of_their_own_orders() {
        let orders = vec![order(1, ProcessStatus::New, Some(7)), order(2, ProcessStatus::Awaiting, Some(9))];
        let moment = LiveMoment { cursor: 5, orders, ..LiveMoment::default() };
        let folders = |staff: &Staff| -> Vec<Vec<&str>> {
            LiveChanges::told(staff, 0, [&moment]).orders.into_iter().map(|order| order.folders).collect()
        };
        assert_eq!(folders(&member(9, StaffType::Telecaller)), [vec![], vec!["myOrder", "awaitingOrder"]]);
        assert_eq!(
            folders(&member(7, StaffType::Team)),
            [vec!["myOrder", "allOrder"], vec!["awaitingOrder", "allOrder"]]
        );
        let counts = LiveChanges::told(&member(9, StaffType::Telecaller), 0, [&moment]).counts;
        assert!(!counts.contains_key("allOrder") && counts.contains_key("myOrder"), "{counts:?}");
    }

    #[test]
    fn several_moments_are_told_as_one_with_the_last_state_of_each_order() {
        let at = |cursor, status| LiveMoment { cursor, orders: vec![order(1, status, None)], ..LiveMoment::default() };
        let moments = [at(3, ProcessStatus::New), at(4, ProcessStatus::Completed)];
        let told = LiveChanges::told(&member(1, StaffType::Admin), 3, &moments);
        let folders = vec!["completedOrder", "allOrder"];
        assert_eq!(
            (told.cursor, told.unread, told.orders),
            (4, 3, vec![ChangedOrder { order_id: OrderId(1), folders }])
        );
    }

    #[test]
    fn a_row_that_commits_after_a_later_one_is_told_and_no_row_twice() {
        let (begin, overlap) = (Instant::now(), Duration::from_secs(30));
        let mut position = Position::after(10, overlap);
        let ids = |new: Vec<OrderState>| -> Vec<i64> { new.iter().map(|order| order.order_id.0).collect() };
        let state = |id| order(id, ProcessStatus::New, None);
        assert_eq!(position.read_after(begin), 10);
        assert_eq!(ids(position.advance(vec![(state(2), 12)], begin)), [2]);
        // The row 11 is visible only now.
        assert_eq!(position.read_after(begin), 10);
        assert_eq!(ids(position.advance(vec![(state(1), 11), (state(2), 12)], begin)), [1]);
        assert_eq!(position.cursor, 12);
        // An earlier row of an order whose later row was told: the order has changed.
        let changed = OrderState { updated_at: Timestamp::EPOCH + chrono::TimeDelta::seconds(1), ..state(2) };
        assert_eq!(ids(position.advance(vec![(state(1), 11), (changed, 12)], begin)), [2]);
        assert_eq!(position.read_after(begin + overlap), 12);
    }
}
