//! The names of members. The room of staff is above this one, so this one gets functions.

use std::collections::HashMap;

use crate::db::Conn;
use crate::error::Result;
use crate::ids::StaffId;

/// Names by id.
pub type MemberNames = HashMap<StaffId, String>;

/// Reads names of members, including deleted ones.
#[derive(Clone, Copy)]
pub struct Members {
    /// The names of these members.
    pub names: fn(&mut Conn, &[StaffId]) -> Result<MemberNames>,
    /// The members with exactly this name.
    pub ids_named: fn(&mut Conn, &str) -> Result<Vec<StaffId>>,
}
