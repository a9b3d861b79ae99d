//! Members of staff, as rows. Password hashes never leave it.

use diesel::prelude::*;

use crate::db::Conn;
use crate::db::schema::staff;
use crate::error::Result;

/// The active member of that name, whatever its case: id and name as written.
pub fn find_active_by_name(conn: &mut Conn, name: &str) -> Result<Option<(i64, String)>> {
    let found = staff::table
        .filter(staff::name_key.eq(name.trim().to_lowercase()))
        .filter(staff::deleted_at.is_null())
        .select((staff::staff_id, staff::name));
    Ok(found.first(conn).optional()?)
}
