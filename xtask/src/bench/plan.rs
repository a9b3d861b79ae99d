//! What is asked.

/// The orders of the small databases: enough for a page 1,000.
pub const FEW: u64 = 10_000;

/// The folders that hold orders by their status.
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

/// Every order, and the folder that the server's day begins with.
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
