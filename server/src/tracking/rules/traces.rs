//! Where a wrong try at an order is counted, so that a flood of tries leaves few rows. Pure.

/// The networks that have a row of their own for one order and hour. Further ones share one.
pub const MAX_NETWORKS: usize = 20;

/// The orders for which one network gets rows of their own in an hour. Its tries at further ones share one row.
const MAX_ORDERS: i64 = 200;

/// The row of a wrong try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceRow {
    /// The order's row of this network.
    Own,
    /// The order's row of all networks beyond the first ones.
    OtherNetworks,
    /// The network's row of all orders beyond the first ones.
    OtherOrders,
}

/// Decides where a try from `network` counts. `networks` have a row for the order in this hour, and this network has rows for `orders`.
pub fn place_of(networks: &[String], orders: i64, network: &str) -> TraceRow {
    if networks.iter().any(|known| known == network) {
        TraceRow::Own
    } else if orders >= MAX_ORDERS {
        TraceRow::OtherOrders
    } else if networks.len() >= MAX_NETWORKS {
        TraceRow::OtherNetworks
    } else {
        TraceRow::Own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_a_row_for_each_of_twenty_networks_and_one_for_the_others() {
        let networks: Vec<String> = (0..20).map(|host| format!("192.0.2.{host}")).collect();
        assert_eq!(place_of(&networks[..19], 0, "198.51.100.1"), TraceRow::Own);
        assert_eq!(place_of(&networks, 0, "198.51.100.1"), TraceRow::OtherNetworks);
        assert_eq!(place_of(&networks, 500, "192.0.2.7"), TraceRow::Own, "it has its row already");
    }

    #[test]
    fn a_network_that_tries_many_orders_has_one_row_for_those_beyond_two_hundred() {
        assert_eq!(place_of(&[], 199, "192.0.2.1"), TraceRow::Own);
        assert_eq!(place_of(&[], 200, "192.0.2.1"), TraceRow::OtherOrders);
    }
}
