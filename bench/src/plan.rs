//! The requests of the part that sends one at a time.

/// The orders of the small database beside one with so many: 10,000, which is enough for a page 1,000, or half as many orders.
pub fn few(orders: u64) -> u64 {
    (orders / 2).min(10_000)
}

/// The last page of ten orders that all databases have, beside one with so many orders.
pub fn deep_page(orders: u64) -> u64 {
    few(orders) / 10
}

/// The folders that hold orders by their status, those with open orders first.
pub const FOLDERS: [&str; 12] = [
    "newOrder",
    "priorityOrder",
    "pendingOrder",
    "awaitingOrder",
    "awaitingGovtOrder",
    "contactCustomerOrder",
    "customerCalledOrder",
    "completedOrder",
    "deletedOrder",
    "refundOrder",
    "chargeBackOrder",
    "futureOrder",
];

/// The folders of open orders.
pub const OPEN_FOLDERS: &[&str] = FOLDERS.split_at(7).0;

/// All orders, and the folder that staff begin with.
pub const SEARCH_FOLDERS: [&str; 2] = ["allOrder", "newOrder"];

/// Terms by how many orders they are in and which index they need. The seed invents no name but its own.
pub const TERMS: [(&str, &str); 14] = [
    ("a rare name", "Çağlar Öztürk"),
    ("a name in 1 of 250", "visser"),
    ("a name in 1 of 150", "volkov"),
    ("in every order", "example"),
    ("three letters", "ann"),
    ("a phone number's begin", "+62 812"),
    ("two letters, common", "an"),
    ("two letters, rare", "qx"),
    ("two characters, a given name", "小明"),
    ("two characters, a family name", "佐藤"),
    ("one letter", "a"),
    ("one character", "王"),
    ("an order id", "VD-107777"),
    ("in no order", "zzyzx"),
];

/// Filters by what they must examine: each beside its folder.
pub const FILTERS: [(&str, &str, &str); 8] = [
    ("one owner", "allOrder", "owner=me"),
    ("unassigned", "newOrder", "owner=none"),
    ("a status, oldest first", "allOrder", "status=Refunds&sort=reversed"),
    ("a visa in no order", "allOrder", "visa=E33G"),
    ("a nationality in any spelling", "allOrder", "nationality=NLD"),
    ("arrivals in a year without any", "allOrder", "arrival_from=2099-01-01"),
    ("priority and unassigned", "completedOrder", "mode=Priority%20Processing&owner=none"),
    ("oldest first", "allOrder", "sort=reversed"),
];
