//! Migrations: forward only, one folder per database, in the binary.

use diesel::migration::{Migration, MigrationSource, MigrationVersion};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::{Conn, Db, require_readable_text, take_turns};
use crate::error::{Error, Result};

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// Brings the database to this binary's schema; answers how many steps it took.
///
/// All steps are one transaction: a process killed half way leaves the schema as it was. Nodes that start together take
/// turns. A database that a newer binary has migrated is refused, and so is one that would spoil the names in our orders.
pub fn migrate(db: &Db) -> Result<usize> {
    db.write_now(|tx| {
        take_turns(tx, "migrations")?;
        let steps = match tx {
            Conn::Sqlite(tx) => run(tx, SQLITE),
            Conn::Postgres(tx) => run(tx, POSTGRES),
        }?;
        require_readable_text(tx)?;
        Ok(steps)
    })
}

fn run<DB, C>(tx: &mut C, source: EmbeddedMigrations) -> Result<usize>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known: Vec<Box<dyn Migration<DB>>> = source.migrations().map_err(Error::internal)?;
    let applied = tx.applied_migrations().map_err(Error::internal)?;
    let unknown =
        |version: &&MigrationVersion<'_>| known.iter().all(|migration| migration.name().version() != **version);
    if let Some(version) = applied.iter().find(unknown) {
        return Err(Error::invalid(format!(
            "The database was migrated by a newer Visadesk (step {version}). Start that version, or restore a backup"
        )));
    }
    Ok(tx.run_pending_migrations(source).map_err(Error::internal)?.len())
}
