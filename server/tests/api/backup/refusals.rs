//! What is not restored, and that nothing is left of the attempt.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use visadesk::files;

use super::{back_up, filled, outcome, restore, rows};
use crate::support::database::is_postgres;
use crate::support::program::Installation;

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
    assert!(refused.contains("There is something in the database already"), "{refused}");
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

/// Replaces `from` by `to` in a part of the only set, with digests that fit.
fn forge(place: &Path, part: &str, from: &str, to: &str) {
    let set = fs::read_dir(place.join("sets")).expect("a folder").next().expect("one").expect("an entry").path();
    let object = set.join(format!("{part}.gz"));
    let mut content = String::new();
    GzDecoder::new(File::open(&object).expect("the part")).read_to_string(&mut content).expect("it is text");
    assert!(content.contains(from), "{content}");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(content.replacen(from, to, 1).as_bytes()).expect("it is compressed");
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
    if !is_postgres() {
        return; // A backup of SQLite has no statements.
    }
    for (part, from, to) in [
        ("staff.sql", "FROM stdin;", "FROM PROGRAM 'true';"),
        ("staff.sql", "COPY staff (", "COPY (DELETE FROM sessions) TO STDOUT; COPY staff ("),
        ("sequences.txt", "staff_staff_id_seq 5", "SELECT pg_sleep(0)"),
    ] {
        let (from_installation, to_installation) = (filled().await, Installation::make_empty().await);
        let (place, _) = back_up(&from_installation, &[]);
        forge(&place, part, from, to);
        let refused = restore(&to_installation, &place, &[]).expect_err(to);
        assert!(refused.contains(part) && refused.contains("does not belong to a backup"), "{refused}");
        assert!(is_empty(&to_installation).await, "{to}: nothing is restored");
    }
}
