//! What a backup holds, and what a restore makes of it.

use std::fs;
use std::io::BufRead;
use std::os::unix::fs::PermissionsExt;

use diesel::prelude::*;
use serde_json::json;
use visadesk::clock::Clock;
use visadesk::db::schema::access_log;
use visadesk::demo::people::{PASSWORD, PEOPLE};
use visadesk::orders::status::ProcessStatus::New;

use super::{Brake, back_up, everything, filled, open, outcome, restore, rows};
use crate::support::orders::add_order_to;
use crate::support::program::Installation;
use crate::support::storage::S3;
use crate::support::{http, until};

#[tokio::test]
async fn a_restored_installation_has_every_row_and_file_and_goes_on() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let (place, printed) = back_up(&from, &[]);
    assert!(printed.contains("files (") && printed.contains("of them new) are in"), "{printed}");
    let printed = restore(&to, &place, &[]).expect("it is restored");
    assert!(printed.contains("verify-audit"), "it says what to do next: {printed}");

    let (mut before, mut after) = (rows(&from).await, rows(&to).await);
    let (audit, restored) = (before.remove("audit").expect("an audit"), after.remove("audit").expect("an audit"));
    assert!(audit.len() > 60 && before["documents"].len() > 100, "there is something to lose");
    assert_eq!(restored.len(), audit.len() + 1, "the restore itself is in the audit");
    assert!(audit.iter().all(|row| restored.contains(row)));
    // The times of the migrations, deltas that a job merges, and the backup itself are each installation's own.
    let is_data = |table: &String| {
        !["__diesel_schema_migrations", "backups"].contains(&table.as_str()) && !table.starts_with("folder_counter")
    };
    before.retain(|table, _| is_data(table));
    after.retain(|table, _| is_data(table));
    assert_eq!(before, after);
    assert_eq!(
        rows(&to).await["backups"],
        [""; 0],
        "the attempt that was going on is not one of the restored installation"
    );

    for check in ["check-files", "verify-audit"] {
        outcome(&to, &[check]).unwrap_or_else(|complaint| panic!("{check}: {complaint}"));
    }
    let key =
        |installation: &Installation| fs::read_to_string(installation.folder().join("secret.key")).expect("a key");
    assert_eq!(key(&from), key(&to));
    let server = to.serve(&[]);
    let signed_in = http::client()
        .post(server.url("/api/admin/admin-login"))
        .json(&json!({ "email": PEOPLE[0].1, "password": PASSWORD }))
        .send()
        .await
        .expect("an answer");
    assert_eq!(signed_in.status(), 200);
    let next = async |installation: &Installation| {
        add_order_to(&open(installation).await, New, Clock::default().now(), |_| {}).await
    };
    assert_eq!(next(&to).await, next(&from).await, "ids go on where they stood");
}

#[tokio::test]
async fn a_restored_access_log_has_every_entry_and_is_still_append_only() {
    let ((from, _), to) = (everything::installation().await, Installation::make_empty().await);
    restore(&to, &from.folder().join("backups"), &[]).expect("it is restored");
    let (mut before, after) = (rows(&from).await, rows(&to).await);
    for table in ["access_log", "access_log_retention", "row_counters"] {
        let before = before.remove(table).expect("a table");
        assert!(!before.is_empty(), "{table} has rows");
        assert_eq!(after[table], before, "{table}");
    }
    let db = open(&to).await;
    let delete = db.write(|tx| Ok(diesel::delete(access_log::table).execute(tx)?)).await;
    assert!(delete.is_err_and(|error| error.to_string().contains("append-only")));
}

#[tokio::test]
async fn a_backup_is_readable_by_its_owner_alone_and_a_later_one_adds_what_is_new() {
    let from = filled().await;
    let (place, first) = back_up(&from, &[]);
    let new = |printed: &str| {
        printed.split_once("files (").and_then(|(_, rest)| rest.split_once(' ')).expect("a number").0.to_owned()
    };
    assert_ne!(new(&first), "0");
    let mut folders = vec![place.clone()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let mode = fs::metadata(&path).expect("its rights").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", path.display());
            seen += 1;
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    assert!(seen > 100, "{seen}");
    let warned = from.command(&["backup", place.to_str().expect("a path")]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&warned.stderr).contains("not encrypted"));
    assert_eq!(new(&String::from_utf8_lossy(&warned.stdout)), "0");
}

#[tokio::test]
async fn an_encrypted_backup_shows_nothing_and_needs_its_key() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let identity = age::x25519::Identity::generate();
    let (place, _) = back_up(&from, &["--recipient", &identity.to_public().to_string()]);
    let secret = fs::read_to_string(from.folder().join("secret.key")).expect("a key");
    let mut folders = vec![place.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_some_and(|ending| ending == "sha256") || path.ends_with("read-to") {
                continue;
            }
            let content = fs::read(&path).expect("it is read");
            assert!(content.starts_with(b"age-encryption.org/v1\n"), "{}", path.display());
            assert!(!content.windows(32).any(|part| part == &secret.as_bytes()[..32]));
        }
    }
    let key_file = |name: &str, identity: &age::x25519::Identity| {
        use age::secrecy::ExposeSecret;
        let path = to.folder().join(name);
        fs::write(&path, identity.to_string().expose_secret()).expect("it is written");
        path.display().to_string()
    };
    let refused = restore(&to, &place, &[]).expect_err("it is encrypted");
    assert!(refused.contains("--identity"), "{refused}");
    let other = key_file("other.txt", &age::x25519::Identity::generate());
    let refused = restore(&to, &place, &["--identity", &other]).expect_err("it is another key");
    assert!(refused.contains("manifest.json.age cannot be decrypted"), "{refused}");
    restore(&to, &place, &["--identity", &key_file("key.txt", &identity)]).expect("it is restored");
    outcome(&to, &["check-files"]).expect("every file is there");
}

#[tokio::test]
async fn a_backup_goes_to_a_bucket_and_comes_back() {
    let (from, to, s3) = (filled().await, Installation::make_empty().await, S3::start().await);
    let [_, settings @ ..] = s3.settings();
    let place = "s3://desk-files/backups";
    for (installation, command) in [(&from, "backup"), (&to, "restore")] {
        let mut command = installation.command(&[command, place]);
        command.envs(settings.iter().map(|(name, value)| (*name, value.as_str())));
        let output = tokio::task::spawn_blocking(move || command.output().expect("it runs")).await.expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(rows(&from).await["orders"], rows(&to).await["orders"]);
    outcome(&to, &["check-files"]).expect("every file is there");
}

#[tokio::test]
async fn a_killed_backup_is_continued_by_the_next_and_does_not_count_until_then() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let place = from.folder().join("backups");
    let brake = Brake::pull(from.folder().join("files"));
    let mut child = from.command(&["backup", place.to_str().expect("a path")]).spawn().expect("it starts");
    // While a file is written it has a `#` in its name.
    let copied = || {
        let names = fs::read_dir(place.join("files")).into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter(|name| !name.to_string_lossy().contains('#')).count()
    };
    until("the first files are copied", async || (copied() > 3).then_some(())).await;
    child.kill().expect("it is running");
    child.wait().expect("it has ended");
    brake.release();
    let refused = restore(&to, &place, &[]).expect_err("no set is finished");
    assert!(refused.contains("no finished backup"), "{refused}");

    let there = copied();
    let (_, printed) = back_up(&from, &[]);
    let all = copied();
    assert!(there < all, "it was stopped in the middle of its work");
    assert!(printed.contains(&format!("{all} files ({} of them new)", all - there)), "{printed}");
    restore(&to, &place, &[]).expect("it is restored");
    let list = |installation: &Installation| fs::read_dir(installation.folder()).expect("a folder").count();
    assert!(list(&to) < 10, "nothing of the work stays in the data folder");
}

#[tokio::test]
async fn a_file_that_is_missing_here_is_reported_and_the_rest_can_be_restored() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let lost =
        fs::read_dir(from.folder().join("files")).expect("files").next().expect("a file").expect("an entry").path();
    fs::remove_file(lost).expect("it is removed");
    let place = from.folder().join("backups");
    let complaint = outcome(&from, &["backup", place.to_str().expect("a path")]).expect_err("a file is missing");
    assert!(complaint.contains("1 are not") && complaint.contains("check-files"), "{complaint}");
    restore(&to, &place, &[]).expect("the rest is restored");
    assert_eq!(rows(&from).await["orders"], rows(&to).await["orders"]);
    let named = outcome(&to, &["check-files"]).expect_err("it is missing here, too");
    assert_eq!(named.as_bytes().lines().count(), 1, "{named}");
}
