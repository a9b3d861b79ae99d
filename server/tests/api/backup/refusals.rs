//! What is not restored, and that nothing is left of the attempt.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use visadesk::files;

use super::{Brake, back_up, filled, outcome, restore, rows};
use crate::support::database::{Database, is_postgres, runs_on};
use crate::support::program::Installation;
use crate::support::until;

/// The objects of the only set, and one stored file.
fn objects(place: &Path) -> Vec<PathBuf> {
    let first = |folder: &Path| fs::read_dir(folder).expect("a folder").next().expect("one").expect("an entry").path();
    let set = first(&place.join("sets"));
    let parts = fs::read_dir(&set).expect("a folder").map(|entry| entry.expect("an entry").path());
    parts.chain([first(&place.join("files"))]).collect()
}

async fn is_empty(installation: &Installation) -> bool {
    if is_postgres() {
        rows(installation).await.is_empty()
    } else {
        !installation.folder().join("visadesk.db").exists()
    }
}

#[tokio::test]
async fn a_damaged_or_incomplete_set_is_refused_with_the_name_of_the_file() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let (place, _) = back_up(&from, &[]);
    let objects = objects(&place);
    assert!(objects.len() >= 5, "{objects:?}");
    for object in &objects {
        let name = object.file_name().and_then(|name| name.to_str()).expect("a name");
        let whole = fs::read(object).expect("it is read");
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        for content in [Some(&damaged[..]), Some(&whole[..middle]), None] {
            match content {
                Some(content) => fs::write(object, content).expect("it is written"),
                None => fs::remove_file(object).expect("it is removed"),
            }
            let refused = restore(&to, &place, &[]).expect_err(name);
            // A set without a manifest was never finished.
            let expected = match (name, content) {
                ("manifest.json", None) => "no finished backup",
                ("manifest.json.sha256", Some(_)) => "manifest.json",
                _ => name,
            };
            assert!(refused.contains(expected), "{name}: {refused}");
            assert!(is_empty(&to).await, "{name}: nothing is restored");
        }
        fs::write(object, &whole).expect("it is written");
    }
    restore(&to, &place, &[]).expect("whole again, it is restored");
}

#[tokio::test]
async fn only_an_empty_place_is_filled() {
    let from = filled().await;
    let (place, _) = back_up(&from, &[]);
    let before = rows(&from).await;
    let refused = restore(&from, &place, &[]).expect_err("there is something in it");
    assert!(refused.contains("The database is not empty"), "{refused}");
    assert_eq!(rows(&from).await, before);

    let with_files = Installation::make_empty().await;
    let stranger = "0123456789abcdef0123456789abcdef";
    fs::create_dir_all(with_files.folder().join("files")).expect("a folder");
    fs::write(with_files.folder().join("files").join(stranger), "an unrelated file").expect("it is written");
    let refused = restore(&with_files, &place, &[]).expect_err("there is another file");
    assert!(refused.contains(stranger), "{refused}");
    assert!(is_empty(&with_files).await);

    let with_key = Installation::make_empty().await;
    fs::write(with_key.folder().join("secret.key"), "another key").expect("it is written");
    let refused = restore(&with_key, &place, &[]).expect_err("there is another key");
    assert!(refused.contains("secret.key differs"), "{refused}");
    assert!(is_empty(&with_key).await);
}

/// The names in the file storage of the installation, sorted, without files that are being written: those have a `#` in their names.
fn stored(installation: &Installation) -> Vec<OsString> {
    let files = fs::read_dir(installation.folder().join("files")).into_iter().flatten();
    let names = files.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<OsString> = names.filter(|name| !name.to_string_lossy().contains('#')).collect();
    names.sort();
    names
}

#[tokio::test]
async fn the_files_of_another_installation_are_not_shared() {
    let (live, to) = (filled().await, Installation::make_empty().await);
    let (place, _) = back_up(&live, &[]);
    let before = stored(&live);
    let files_url = format!("file://{}", live.folder().join("files").display());
    for more in [&["--rehearsal"][..], &[]] {
        let mut command = to.command(&[&["restore", place.to_str().expect("a path")], more].concat());
        let refused = command.env("VISADESK_FILES_URL", &files_url).output().expect("the program runs");
        let reason = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && reason.contains("files in the storage already"), "{more:?}: {reason}");
        assert!(is_empty(&to).await, "{more:?}: nothing is restored");
    }
    assert_eq!(stored(&live), before);
}

#[tokio::test]
async fn only_a_restore_that_was_interrupted_goes_on_beside_its_files() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let (place, _) = back_up(&from, &[]);
    let brake = Brake::pull(place.join("files"));
    let mut child = to.command(&["restore", place.to_str().expect("a path")]).spawn().expect("it starts");
    until("the first files are copied", async || (stored(&to).len() > 3).then_some(())).await;
    child.kill().expect("it is running");
    child.wait().expect("it has ended");
    brake.release();
    assert!(is_empty(&to).await, "the database comes last");

    let refused = restore(&to, &place, &["--rehearsal"]).expect_err("a rehearsal has a storage of its own");
    assert!(refused.contains("files in the storage already"), "{refused}");
    let (mark, aside) = (to.folder().join("files/unfinished-restore"), to.folder().join("aside"));
    fs::rename(&mark, &aside).expect("the restore is marked");
    let refused = restore(&to, &place, &[]).expect_err("the files may be another installation's");
    assert!(refused.contains("files in the storage already"), "{refused}");
    fs::rename(&aside, &mark).expect("it is marked again");
    restore(&to, &place, &[]).expect("it is continued");
    outcome(&to, &["check-files"]).expect("every file is there");
    assert_eq!(stored(&to), stored(&from), "and no mark");
}

#[tokio::test]
async fn a_backup_of_the_other_database_is_refused_with_the_name_of_its_manifest() {
    let other = if is_postgres() { "sqlite" } else { "postgresql" };
    let place = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/backup/upgrades/0.1")).join(other);
    let to = Installation::make_empty().await;
    let refused = restore(&to, &place, &[]).expect_err("it is of the other database");
    let (made, here) = if is_postgres() { ("SQLite", "PostgreSQL") } else { ("PostgreSQL", "SQLite") };
    let expected = format!("/manifest.json is a backup of {made}, and database_url names {here}. Nothing was restored");
    assert!(refused.contains("sets/") && refused.contains(&expected), "{refused}");
    assert!(is_empty(&to).await && stored(&to).is_empty());
}

#[tokio::test]
async fn what_is_no_backup_is_refused() {
    let installation = Installation::make_empty().await;
    let folder = installation.folder();
    let nowhere = restore(&installation, &folder.join("nowhere"), &[]).expect_err("there is no folder");
    assert!(nowhere.contains("nowhere"), "{nowhere}");
    let place = folder.join("place");
    let set = place.join("sets/2026-01-01T00-00-00Z");
    fs::create_dir_all(&set).expect("a folder");
    for manifest in ["", "{}", "[1]", "{\"format\":7}"] {
        fs::write(set.join("manifest.json"), manifest).expect("it is written");
        fs::write(set.join("manifest.json.sha256"), files::sha256(manifest.as_bytes())).expect("it is written");
        let refused = restore(&installation, &place, &[]).expect_err(manifest);
        assert!(refused.contains("manifest.json was not written by Visadesk"), "{manifest}: {refused}");
    }
    let refused = restore(&installation, &place, &["--set", "2025-01-01T00-00-00Z"]).expect_err("there is none");
    assert!(refused.contains("no finished backup named 2025-01-01T00-00-00Z"), "{refused}");
    for (key, expected) in [("age1nonsense", "not an age public key"), ("", "not an age public key")] {
        let refused = outcome(&installation, &["backup", "there", "--recipient", key]).expect_err(key);
        assert!(refused.contains(expected), "{refused}");
    }
}

/// Replaces `from` by `to` in a part of the only set.
fn forge_text(place: &Path, part: &str, from: &str, to: &str) {
    forge(place, part, |content| {
        let text = String::from_utf8(content).expect("it is text");
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1).into_bytes()
    });
}

/// Changes a part of the only set, with digests that fit.
fn forge(place: &Path, part: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let set = fs::read_dir(place.join("sets")).expect("a folder").next().expect("one").expect("an entry").path();
    let object = set.join(format!("{part}.gz"));
    let mut content = Vec::new();
    GzDecoder::new(File::open(&object).expect("the part")).read_to_end(&mut content).expect("it is compressed");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&change(content)).expect("it is compressed");
    let packed = packed.finish().expect("it is compressed");
    fs::write(&object, &packed).expect("it is written");
    let mut manifest: Value =
        serde_json::from_slice(&fs::read(set.join("manifest.json")).expect("a manifest")).expect("it is JSON");
    let parts = manifest["database_parts"].as_array_mut().expect("the parts");
    let entry = parts.iter_mut().find(|entry| entry["name"] == part).expect("the part is listed");
    (entry["bytes"], entry["sha256"]) = (json!(packed.len()), json!(files::sha256(&packed)));
    let manifest = serde_json::to_vec(&manifest).expect("it is JSON");
    fs::write(set.join("manifest.json.sha256"), files::sha256(&manifest)).expect("it is written");
    fs::write(set.join("manifest.json"), manifest).expect("it is written");
}

#[tokio::test]
async fn no_statement_of_a_backup_is_executed() {
    if !runs_on(Database::Postgres, "Of SQLite a backup has the schema, which the next test is about") {
        return;
    }
    for (part, from, to) in [
        ("staff.sql", "FROM stdin;", "FROM PROGRAM 'true';"),
        ("staff.sql", "COPY staff (", "COPY (DELETE FROM sessions) TO STDOUT; COPY staff ("),
        ("sequences.txt", "staff_staff_id_seq 5", "SELECT pg_sleep(0)"),
    ] {
        let (from_installation, to_installation) = (filled().await, Installation::make_empty().await);
        let (place, _) = back_up(&from_installation, &[]);
        forge_text(&place, part, from, to);
        let refused = restore(&to_installation, &place, &[]).expect_err(to);
        assert!(refused.contains(part) && refused.contains("does not belong to a backup"), "{refused}");
        assert!(is_empty(&to_installation).await, "{to}: nothing is restored");
    }
}

#[tokio::test]
async fn a_schema_that_is_not_ours_is_refused_before_anything_of_it_is_executed() {
    if !runs_on(Database::Sqlite, "Of PostgreSQL a backup has rows only") {
        return;
    }
    let from = filled().await;
    for (statement, named) in [
        ("DROP TRIGGER audit_keeps_delete", "trigger audit_keeps_delete"),
        (
            "CREATE TRIGGER spy AFTER INSERT ON audit BEGIN DELETE FROM sessions; END",
            "trigger spy was added, altered or removed",
        ),
        ("CREATE VIEW spy AS SELECT password_hash FROM staff", "view spy"),
        ("CREATE TABLE notes (note TEXT)", "table notes"),
        ("DROP INDEX audit_time", "index audit_time"),
        ("DROP TABLE row_counters", "row_counters"),
        ("DELETE FROM __diesel_schema_migrations WHERE version = '20261123000003'", "access_log"),
    ] {
        let (place, to) = (back_up(&from, &[]).0, Installation::make_empty().await);
        forge(&place, "visadesk.db", |content| {
            let file = to.folder().join("forged.db");
            fs::write(&file, content).expect("it is written");
            let mut conn = SqliteConnection::establish(&file.to_string_lossy()).expect("it opens");
            conn.batch_execute(statement).expect(statement);
            drop(conn);
            fs::read(&file).expect("it is read")
        });
        let refused = restore(&to, &place, &[]).expect_err(statement);
        assert!(refused.contains("visadesk.db does not belong to a backup") && refused.contains(named), "{refused}");
        assert!(is_empty(&to).await, "{statement}: nothing is restored");
        fs::remove_dir_all(place).expect("only one set is forged");
    }
}
