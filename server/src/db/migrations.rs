//! Migrations: forward only, one folder per database, in the binary.

use diesel::RunQueryDsl;
use diesel::migration::{Migration, MigrationSource, MigrationVersion};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::failure::DatabaseError;
use super::{Conn, Db, advisory_lock, require_readable_text};
use crate::error::{Error, Result};

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// Migrates the database to this binary's schema. Returns how many migrations ran.
///
/// All of them are one transaction under an advisory lock: a killed process leaves the schema as it was, and nodes that start
/// together migrate once.
///
/// # Errors
/// [`DatabaseError`] for a database that another version has migrated, or that could not store the names in our orders.
pub fn migrate(db: &Db) -> Result<usize> {
    db.write_now(migrate_all)
}

/// [`migrate`], within a transaction.
pub(super) fn migrate_all(tx: &mut Conn) -> Result<usize> {
    advisory_lock(tx, "migrations")?;
    let steps = match tx {
        Conn::Sqlite(tx) => run(tx, SQLITE),
        Conn::Postgres(tx) => run(tx, POSTGRES),
    }?;
    require_readable_text(tx)?;
    Ok(steps)
}

/// Brings an empty database to the schema that has exactly `versions`.
///
/// # Errors
/// [`DatabaseError::UnknownMigration`].
pub(super) fn migrate_to(tx: &mut Conn, versions: &[String]) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => run_only(tx, SQLITE, versions),
        Conn::Postgres(tx) => run_only(tx, POSTGRES, versions),
    }
}

fn run_only<DB, C>(tx: &mut C, source: EmbeddedMigrations, versions: &[String]) -> Result<()>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known: Vec<Box<dyn Migration<DB>>> = source.migrations().map_err(Error::internal)?;
    // It makes the table of migrations, too.
    tx.applied_migrations().map_err(Error::internal)?;
    for version in versions {
        let step = known.iter().find(|migration| migration.name().version().to_string() == *version);
        let step = step.ok_or_else(|| DatabaseError::UnknownMigration(version.clone()))?;
        tx.run_migration(step).map_err(Error::internal)?;
    }
    Ok(())
}

/// The migrations that the database has, the oldest first.
pub fn versions(conn: &mut Conn) -> Result<Vec<String>> {
    #[derive(diesel::QueryableByName)]
    struct MigrationRow {
        #[diesel(sql_type = diesel::sql_types::Text)]
        version: String,
    }
    let applied = diesel::sql_query("SELECT version FROM __diesel_schema_migrations ORDER BY version");
    Ok(applied.load::<MigrationRow>(conn)?.into_iter().map(|one| one.version).collect())
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
        return Err(DatabaseError::UnknownMigration(version.to_string()).into());
    }
    Ok(tx.run_pending_migrations(source).map_err(Error::internal)?.len())
}
