//! The whole database as parts: written as it is at one moment, and read back into an empty one.
//!
//! SQLite's only part is the database file, compacted. PostgreSQL's are the rows of each table as COPY writes them, and the sequences:
//! no `pg_dump` of the right version is needed, and a restore makes the schema from our own migrations.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use super::pool::DatabaseAddress;
use super::{Conn, DatabaseError, Db, migrations, sqlite_schema, time_limit};
use crate::error::{Error, Result};

/// The part that is SQLite's database.
const SQLITE_PART: &str = "visadesk.db";
/// The part that sets PostgreSQL's sequences.
const SEQUENCES: &str = "sequences.txt";

/// Takes a part: its name, and what writes its bytes.
pub type TakePart<'a> = dyn FnMut(&str, &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> + 'a;

/// Opens a part by its name.
pub type OpenPart = dyn Fn(&str) -> Result<Box<dyn Read>> + Send + Sync;

impl Db {
    /// Gives `take` every part of the database, and `look` a connection that sees the same moment. Requests go on meanwhile. Blocks.
    ///
    /// `folder` must have room for one copy of a SQLite database.
    pub fn export_now<T>(
        &self,
        folder: &Path,
        take: &mut TakePart<'_>,
        look: impl FnOnce(&mut Conn) -> Result<T>,
    ) -> Result<T> {
        if self.is_postgres() {
            return self.read_now(|conn| {
                if let Conn::Postgres(_) = conn {
                    conn.batch_execute("SET LOCAL statement_timeout = 0")?;
                    export_rows(conn, take)?;
                }
                look(conn)
            });
        }
        let copy = folder.join(SQLITE_PART);
        let mut conn = self.reads.lend()?;
        if let Conn::Sqlite(conn) = &mut *conn {
            time_limit::lift(conn);
        }
        // A reading connection refuses to write, to any file. It is not used again.
        let copied = conn.batch_execute(&format!(
            "PRAGMA query_only = OFF; VACUUM INTO '{}'",
            copy.display().to_string().replace('\'', "''")
        ));
        conn.give_up();
        copied?;
        let mut copied = DatabaseAddress::Sqlite(copy.clone()).connect_to_read()?;
        require_sound(&mut copied)?;
        take(SQLITE_PART, &mut |out| {
            io::copy(&mut File::open(&copy).map_err(Error::internal)?, out).map(drop).map_err(Error::internal)
        })?;
        look(&mut copied)
    }
}

/// The data that an import reads.
pub struct Export {
    /// The migrations that the exported database had.
    pub migrations: Vec<String>,
    /// The names of its parts, in the order in which they were given.
    pub parts: Vec<String>,
    pub open: Box<OpenPart>,
}

/// Fills the empty database at `url`, brings it to this program's schema, and lets `finish` change it; all of it, or nothing. Blocks.
///
/// # Errors
/// [`DatabaseError::DatabaseInUse`] if there is anything in it; the errors of the parts.
pub fn import_now(url: &str, export: Export, finish: impl Fn(&mut Conn) -> Result<()> + Send + 'static) -> Result<()> {
    require_empty(url)?;
    match DatabaseAddress::parse(url)? {
        DatabaseAddress::Sqlite(path) => import_file(&path, &export, &finish),
        DatabaseAddress::Postgres(_) => Db::open(url, 1)?.write_now(move |tx| {
            tx.batch_execute("SET LOCAL statement_timeout = 0")?;
            migrations::migrate_to(tx, &export.migrations)?;
            import_rows(tx, &export)?;
            migrations::migrate_all(tx)?;
            finish(tx)
        }),
    }
}

/// Refuses a database that has a file or a table.
pub fn require_empty(url: &str) -> Result<()> {
    let is_empty = match DatabaseAddress::parse(url)? {
        DatabaseAddress::Sqlite(path) => !path.exists(),
        DatabaseAddress::Postgres(_) => Db::open(url, 1)?.read_now(|conn| Ok(tables(conn)?.is_empty()))?,
    };
    if is_empty { Ok(()) } else { Err(DatabaseError::DatabaseInUse.into()) }
}

/// The file appears under its own name when it is whole.
fn import_file(path: &Path, export: &Export, finish: &dyn Fn(&mut Conn) -> Result<()>) -> Result<()> {
    let draft = PathBuf::from(format!("{}.restoring", path.display()));
    let result = fill_file(&draft, export, finish).and_then(|()| fs::rename(&draft, path).map_err(Error::internal));
    if result.is_err() {
        // What is left of it would be overwritten by the next try.
        let _ = fs::remove_file(&draft);
    }
    result
}

fn fill_file(draft: &Path, export: &Export, finish: &dyn Fn(&mut Conn) -> Result<()>) -> Result<()> {
    let mut file = File::create(draft).map_err(Error::internal)?;
    io::copy(&mut (export.open)(SQLITE_PART)?, &mut file).map_err(Error::internal)?;
    drop(file);
    let mut conn = DatabaseAddress::Sqlite(draft.to_owned()).connect_to_write()?;
    require_sound(&mut conn)?;
    // Before anything is written: a trigger of the file would be executed then.
    sqlite_schema::require_ours(&mut conn, SQLITE_PART)?;
    conn.transaction(|tx| {
        migrations::migrate_all(tx)?;
        finish(tx)
    })?;
    // Everything in one file, so that renaming it moves all.
    conn.batch_execute("PRAGMA journal_mode = DELETE")?;
    drop(conn);
    File::open(draft).and_then(|file| file.sync_all()).map_err(Error::internal)
}

/// Refuses a SQLite file that is damaged.
fn require_sound(conn: &mut Conn) -> Result<()> {
    #[derive(QueryableByName)]
    struct QuickCheckRow {
        #[diesel(sql_type = Text)]
        quick_check: String,
    }
    let Conn::Sqlite(conn) = conn else { return Ok(()) };
    let found: Vec<QuickCheckRow> = diesel::sql_query("PRAGMA quick_check").load(conn)?;
    match found.first() {
        Some(first) if first.quick_check == "ok" => Ok(()),
        first => {
            let fault = first.map_or_else(String::new, |first| first.quick_check.clone());
            Err(Error::from(DatabaseError::DatabaseDamaged).caused_by(fault))
        }
    }
}

/// A table and the columns that are stored, in their order.
struct Table {
    name: String,
    columns: String,
}

impl Table {
    /// The statement that takes its rows back. psql could run a part as it is.
    fn load_statement(&self) -> String {
        format!("COPY {} ({}) FROM stdin;", self.name, self.columns)
    }
}

/// The tables of PostgreSQL, without the list of migrations. One that others refer to comes before them.
fn tables(conn: &mut Conn) -> Result<Vec<Table>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = Text)]
        columns: String,
    }
    let Conn::Postgres(conn) = conn else { return Ok(Vec::new()) };
    let rows: Vec<Row> = diesel::sql_query(
        "WITH RECURSIVE levels (oid, level) AS (
             SELECT oid, 0 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
             UNION
             SELECT reference.conrelid, levels.level + 1
             FROM levels JOIN pg_constraint reference ON reference.confrelid = levels.oid
             WHERE reference.contype = 'f' AND reference.conrelid <> reference.confrelid)
         SELECT c.relname::text AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
             AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
             AND c.relname <> '__diesel_schema_migrations'
         GROUP BY c.oid, c.relname
         ORDER BY (SELECT max(level) FROM levels WHERE levels.oid = c.oid), c.oid",
    )
    .load(conn)?;
    Ok(rows.into_iter().map(|Row { name, columns }| Table { name, columns }).collect())
}

fn export_rows(conn: &mut Conn, take: &mut TakePart<'_>) -> Result<()> {
    for table in tables(conn)? {
        take(&format!("{}.sql", table.name), &mut |out| {
            let Conn::Postgres(conn) = &mut *conn else { return Ok(()) };
            writeln!(out, "{}", table.load_statement()).map_err(Error::internal)?;
            conn.copy_out(&format!("COPY {} ({}) TO STDOUT", table.name, table.columns), out)?;
            writeln!(out, "\\.").map_err(Error::internal)
        })?;
    }
    #[derive(QueryableByName)]
    struct Sequence {
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = BigInt)]
        value: i64,
    }
    // After the rows, and outside their snapshot as sequences are: never behind an id of a row.
    let sequences: Vec<Sequence> = match &mut *conn {
        Conn::Sqlite(_) => Vec::new(),
        Conn::Postgres(conn) => diesel::sql_query(
            "SELECT sequencename::text AS name, last_value AS value
             FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename",
        )
        .load(conn)?,
    };
    take(SEQUENCES, &mut |out| {
        sequences.iter().try_for_each(|one| writeln!(out, "{} {}", one.name, one.value)).map_err(Error::internal)
    })
}

fn import_rows(tx: &mut Conn, export: &Export) -> Result<()> {
    let tables = tables(tx)?;
    // Triggers count, refuse and number what is written; these rows were counted, allowed and numbered before.
    let each_table = |tx: &mut Conn, change: &str| -> Result<()> {
        tables.iter().try_for_each(|table| Ok(tx.batch_execute(&format!("ALTER TABLE {} {change}", table.name))?))
    };
    each_table(tx, "DISABLE TRIGGER USER")?;
    for part in &export.parts {
        let mut content = BufReader::new((export.open)(part)?);
        let foreign = || DatabaseError::ForeignPart(part.clone());
        if part == SEQUENCES {
            for line in content.lines() {
                let line = line.map_err(Error::internal)?;
                let (name, value) = line.split_once(' ').ok_or_else(foreign)?;
                set_sequence(tx, name, value.parse().map_err(|_| foreign())?)?;
            }
            continue;
        }
        let mut statement = String::new();
        content.read_line(&mut statement).map_err(Error::internal)?;
        // Write access to a backup must not allow the execution of SQL here.
        let expected = tables.iter().map(Table::load_statement).find(|expected| *expected == statement.trim_end());
        let expected = expected.ok_or_else(foreign)?;
        if let Conn::Postgres(tx) = tx {
            tx.copy_from(expected.trim_end_matches(';'), &mut content)?;
        }
    }
    each_table(tx, "ENABLE TRIGGER USER")?;
    // Without statistics the first searches would read whole tables.
    Ok(tx.batch_execute("ANALYZE")?)
}

fn set_sequence(tx: &mut Conn, name: &str, value: i64) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        let set = diesel::sql_query("SELECT setval($1::text::regclass, $2)");
        set.bind::<Text, _>(name).bind::<BigInt, _>(value).execute(tx)?;
    }
    Ok(())
}
