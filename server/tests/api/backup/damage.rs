//! Files that are damaged in the place after a backup was made: found, named, and written again by later backups.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use age::secrecy::ExposeSecret;

use super::{filled, outcome, restore};
use crate::support::program::Installation;

/// The objects that keep files, sorted.
fn stored(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.join("files")).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// Flips a bit in the middle, so that name and length stay.
fn damage(file: &Path) {
    let mut content = fs::read(file).expect("it is read");
    let middle = content.len() / 2;
    content[middle] ^= 1;
    fs::write(file, content).expect("it is written");
}

/// Makes a backup that reads all files of the place within so many backups. Returns what it printed, or complained of.
fn back_up(from: &Installation, place: &Path, verify_within: usize, more: &[&str]) -> Result<String, String> {
    let mut command = from.command(&[&["backup", place.to_str().expect("a path")], more].concat());
    let output = command.env("VISADESK_BACKUPS__VERIFY_WITHIN", verify_within.to_string()).output().expect("it runs");
    let printed = String::from_utf8(output.stdout).expect("it is text");
    let complaint = String::from_utf8(output.stderr).expect("it is text");
    if output.status.success() { Ok(printed) } else { Err(complaint) }
}

/// The faults that the command names, one in a line, or none.
fn verify(installation: &Installation, place: &Path, more: &[&str]) -> Vec<String> {
    let arguments = [&["verify-backup", place.to_str().expect("a path")], more].concat();
    let output = installation.command(&arguments).output().expect("it runs");
    let printed = String::from_utf8(output.stdout).expect("it is text");
    let complaint = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        assert!(printed.contains("is whole: the database, the secret key and"), "{printed}");
        return Vec::new();
    }
    let faults: Vec<String> = printed.lines().map(str::to_owned).collect();
    let expected = format!("cannot be restored: {} of its objects are missing or damaged", faults.len());
    assert!(complaint.contains(&expected), "{complaint}");
    faults
}

fn name(file: &Path) -> String {
    format!("files/{}", file.file_name().and_then(|name| name.to_str()).expect("a name"))
}

#[tokio::test]
async fn a_file_that_was_damaged_in_the_place_is_found_and_written_again() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let place = from.folder().join("backups");
    back_up(&from, &place, 1, &[]).expect("the backup is made");
    assert_eq!(verify(&from, &place, &[]), [""; 0]);
    let damaged = &stored(&place)[7];
    damage(damaged);

    assert_eq!(verify(&from, &place, &[]), [format!("{} is damaged: it is not what was written", name(damaged))]);
    let refused = restore(&to, &place, &[]).expect_err("a file is damaged");
    assert!(refused.contains(&name(damaged)) && refused.contains("nothing was restored"), "{refused}");

    let printed = back_up(&from, &place, 1, &[]).expect("the backup is made");
    assert!(printed.contains("Files that were damaged there and are written again: 1."), "{printed}");
    assert_eq!(verify(&from, &place, &[]), [""; 0]);
    let printed = back_up(&from, &place, 1, &[]).expect("the backup is made");
    assert!(!printed.contains("damaged"), "{printed}");
    restore(&to, &place, &[]).expect("it is restored");
    outcome(&to, &["check-files"]).expect("every file is as it was stored");

    fs::remove_file(from.folder().join(name(damaged))).expect("it is lost here, too");
    damage(damaged);
    let complaint = back_up(&from, &place, 1, &[]).expect_err("the backup lacks it");
    assert!(complaint.contains("1 are not: they are missing or damaged here"), "{complaint}");
    assert_eq!(verify(&from, &place, &[]), [""; 0], "what the backup has is whole");
}

#[tokio::test]
async fn an_encrypted_file_that_was_damaged_is_found_without_the_secret_key() {
    let (from, to) = (filled().await, Installation::make_empty().await);
    let identity = age::x25519::Identity::generate();
    let key_file = from.folder().join("visadesk.key");
    fs::write(&key_file, identity.to_string().expose_secret()).expect("it is written");
    let key = ["--identity", key_file.to_str().expect("a path")];
    let recipient = identity.to_public().to_string();
    let place = from.folder().join("backups");
    let back_up = || back_up(&from, &place, 1, &["--recipient", &recipient]).expect("the backup is made");
    let sums_fit = || {
        let check = ["--check", "--strict", "--quiet", "files.sha256"];
        Command::new("sha256sum").args(check).current_dir(&place).status().expect("it runs").success()
    };
    back_up();
    assert!(sums_fit());
    let damaged = &stored(&place)[7];
    damage(damaged);
    assert!(!sums_fit());
    let faults = verify(&from, &place, &key);
    assert!(faults.len() == 1 && faults[0].contains(&name(damaged)), "{faults:?}");

    assert!(back_up().contains("damaged there and are written again: 1."));
    assert!(sums_fit());
    assert_eq!(verify(&from, &place, &key), [""; 0]);
    restore(&to, &place, &key).expect("it is restored");
    outcome(&to, &["check-files"]).expect("every file is as it was stored");

    let before = fs::read_to_string(place.join("files.sha256")).expect("the digests");
    fs::remove_file(place.join("files.sha256")).expect("it is removed");
    assert!(!back_up().contains("damaged"), "a backup of an older version has no digests");
    let after = fs::read_to_string(place.join("files.sha256")).expect("the digests");
    assert_eq!(before.lines().count(), after.lines().count());
    assert!(sums_fit());
}

#[tokio::test]
async fn every_file_in_the_place_is_read_again_within_as_many_backups_as_configured() {
    let from = filled().await;
    let place = from.folder().join("backups");
    back_up(&from, &place, 3, &[]).expect("the backup is made");
    let files = stored(&place);
    files.iter().for_each(|file| damage(file));
    let mut left = files.len();
    for _ in 0..3 {
        let share = left.min(files.len().div_ceil(3));
        let printed = back_up(&from, &place, 3, &[]).expect("the backup is made");
        assert!(printed.contains(&format!("damaged there and are written again: {share}.")), "{share}: {printed}");
        left -= share;
        assert_eq!(verify(&from, &place, &[]).len(), left);
    }
}
