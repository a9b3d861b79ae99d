//! The schema of a SQLite file that comes from outside, compared with the one that our migrations make. PostgreSQL needs no comparison:
//! there a restore takes only rows, and makes the schema itself.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};

use super::failure::DatabaseError;
use super::pool::DatabaseAddress;
use super::{Conn, migrations};
use crate::error::Result;

/// A table, index, trigger or view, and the statement that makes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, QueryableByName)]
struct Object {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Nullable<Text>)]
    statement: Option<String>,
}

/// Refuses a schema that differs from the one that the same migrations make: an added trigger would be executed here, and a removed one
/// would let rows be altered. `part` is the name of the file in its backup.
///
/// # Errors
/// [`DatabaseError::ForeignSchema`] with the first difference; [`DatabaseError::UnknownMigration`].
pub fn require_ours(conn: &mut Conn, part: &str) -> Result<()> {
    let found = objects(conn)?;
    let is_migrated = found.iter().any(|object| object.name == "__diesel_schema_migrations");
    let versions = if is_migrated { migrations::versions(conn)? } else { Vec::new() };
    let mut fresh = DatabaseAddress::Sqlite(":memory:".into()).connect_to_write()?;
    migrations::migrate_to(&mut fresh, &versions)?;
    match found.symmetric_difference(&objects(&mut fresh)?).next() {
        None => Ok(()),
        Some(Object { kind, name, .. }) => {
            Err(DatabaseError::ForeignSchema { part: part.to_owned(), object: format!("{kind} {name}") }.into())
        }
    }
}

/// The whole schema, without the statistics of ANALYZE.
fn objects(conn: &mut Conn) -> Result<BTreeSet<Object>> {
    let all = "SELECT type AS kind, name, sql AS statement FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')";
    Ok(diesel::sql_query(all).load(conn)?.into_iter().collect())
}
