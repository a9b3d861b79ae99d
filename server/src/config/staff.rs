//! The settings about members of staff: passwords, sessions, the second factor, and what they may read.

use serde::{Deserialize, Serialize};

use super::names::read_names;

/// New passwords, and the cost of hashing them with Argon2id.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PasswordSettings {
    /// KiB of memory.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// The fewest characters of a new password; at least 6.
    pub min_length: u32,
    /// A new password that is found with fewer guesses is refused; 0 refuses none.
    pub min_guesses: u64,
}

/// The time that members of staff stay signed in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sessions {
    /// Days for which "Remember me" keeps a member signed in; 0 switches it off.
    pub remember_days: u32,
}

/// The second factor of members of staff.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SecondFactorSettings {
    /// The types of staff who cannot sign in without one: a list, or names separated by commas. Empty: each member decides.
    #[serde(deserialize_with = "read_names")]
    pub required_for: Vec<String>,
    /// True if changes of the team, the gateway and API keys, approvals of refunds, and exports, ask for the password again half an
    /// hour after the last proof. Members with a second factor are always asked, for its code.
    pub confirm_actions: bool,
}

/// The limits of the data that staff may read, and the log of the data that they read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AccessSettings {
    pub rows_per_hour: RowsPerHour,
    /// True if a member who has reached the budget is refused until the next hour. Otherwise only the Admins are warned.
    pub stop_at_budget: bool,
    /// Notes that may wait in memory to be written to the access log. With more, requests wait until there is room again.
    pub waiting_notes: usize,
}

/// Rows about customers that one member may read in an hour before the Admins are warned, by type of staff; 0 sets no budget.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowsPerHour {
    pub admin: u32,
    pub manager: u32,
    pub team: u32,
    pub telecaller: u32,
    pub night_staff: u32,
}
