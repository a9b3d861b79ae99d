//! Backups and their restore, with the real program: a folder of data on one side, an empty one on the other.

mod damage;
pub mod everything;
mod ledger;
mod refusals;
mod rehearsals;
mod schedule;
mod sets;
mod upgrades;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use diesel::prelude::*;
use diesel::sql_types::Text;
use tempfile::TempDir;
use visadesk::db::{Conn, Db};

use crate::support::program::Installation;

/// What the program printed, if it succeeded, or what it complained of.
fn outcome(installation: &Installation, arguments: &[&str]) -> Result<String, String> {
    let output = installation.command(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// An installation with orders, files of some, disputes and an Admin.
async fn filled() -> Installation {
    let installation = Installation::make().await;
    outcome(&installation, &["seed", "--orders", "60", "--demo-staff"]).expect("it is seeded");
    installation
}

/// Makes a backup in the folder `backups` of the installation and returns its path and what was printed.
fn back_up(installation: &Installation, more: &[&str]) -> (PathBuf, String) {
    let place = installation.folder().join("backups");
    let arguments = [&["backup", place.to_str().expect("a path")], more].concat();
    let printed = outcome(installation, &arguments).expect("the backup is made");
    (place, printed)
}

fn restore(installation: &Installation, place: &Path, more: &[&str]) -> Result<String, String> {
    outcome(installation, &[&["restore", place.to_str().expect("a path")], more].concat())
}

/// Stops a program that copies the files of a folder in the middle of its work, on a machine of any speed: two of the files are pipes, to
/// which nothing is written. The program copies more than two at once, so it copies the others.
struct Brake {
    folder: PathBuf,
    aside: TempDir,
}

impl Brake {
    fn pull(folder: PathBuf) -> Self {
        let aside = tempfile::tempdir().expect("a folder");
        let entries = fs::read_dir(&folder).expect("files").map(|entry| entry.expect("an entry").path());
        let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
        files.sort();
        assert!(files.len() > 50, "{} files", files.len());
        for file in files.into_iter().take(2) {
            fs::copy(&file, aside.path().join(file.file_name().expect("a name"))).expect("it is kept");
            fs::remove_file(&file).expect("it is replaced");
            assert!(Command::new("mkfifo").arg(&file).status().expect("mkfifo runs").success());
        }
        Self { folder, aside }
    }

    /// Puts the files back.
    fn release(self) {
        for entry in fs::read_dir(self.aside.path()).expect("files").map(|entry| entry.expect("an entry")) {
            let file = self.folder.join(entry.file_name());
            fs::remove_file(&file).expect("the pipe is removed");
            fs::copy(entry.path(), &file).expect("the file is back");
        }
    }
}

async fn open(installation: &Installation) -> Db {
    let url = installation.database_url();
    tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens")
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn lines(conn: &mut Conn, query: &str) -> Vec<String> {
    let found: Vec<Line> = diesel::sql_query(query).load(conn).expect("the query succeeds");
    found.into_iter().map(|found| found.line).collect()
}

/// Every row of every table as text, sorted.
async fn rows(installation: &Installation) -> BTreeMap<String, Vec<String>> {
    open(installation)
        .await
        .read(|conn| {
            let postgres = matches!(conn, Conn::Postgres(_));
            let tables = lines(
                conn,
                if postgres {
                    "SELECT tablename::text AS line FROM pg_tables WHERE schemaname = 'public'"
                } else {
                    "SELECT name AS line FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                     AND sql NOT LIKE 'CREATE VIRTUAL%'"
                },
            );
            let rows_of = |conn: &mut Conn, table: &str| {
                if postgres {
                    return lines(conn, &format!("SELECT t::text AS line FROM {table} t ORDER BY 1"));
                }
                let columns = lines(conn, &format!("SELECT 'quote(' || name || ')' AS line FROM pragma_table_info('{table}')"));
                lines(conn, &format!("SELECT {} AS line FROM {table} ORDER BY 1", columns.join(" || ',' || ")))
            };
            Ok(tables.into_iter().map(|table| (table.clone(), rows_of(conn, &table))).collect())
        })
        .await
        .expect("the rows are read")
}
