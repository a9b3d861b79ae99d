//! Restores a backup into an empty place. Everything is checked before the database appears, so that what was restored is whole, or is
//! not there.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::pin::pin;

use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::ProgressBar;

use super::blocking::blocking;
use super::errors::BackupError;
use super::manifest::{DatabaseKind, Manifest, ManifestPart};
use super::packing::Unpacker;
use super::place::BackupPlace;
use super::rules::Rehearsal;
use super::set::{fetch, file_content, file_objects, find, listed_files, missing, read_manifest};
use super::store::{forget_origin, mark_rehearsal};
use crate::audit::store::{Actor, Change, add};
use crate::clock::Clock;
use crate::db::snapshot::{self, Export};
use crate::error::{Error, Permission, Result};
use crate::files::{Files, StoredContent, create_private};

/// Files that are copied at once.
const CONCURRENCY: usize = 8;

/// Where a backup is restored to.
pub struct Target {
    pub database_url: String,
    pub files: Files,
    pub clock: Clock,
    pub secret_key_file: PathBuf,
    /// A folder with room for the parts of the database.
    pub folder: PathBuf,
    /// True if the installation is only to try the backup: it then sends no mail and makes no backups.
    pub is_rehearsal: bool,
}

/// A backup that was restored.
#[derive(Clone, Debug)]
pub struct RestoredBackup {
    pub name: String,
    pub manifest: Manifest,
    pub files: u64,
}

/// Restores the set of that name, or the newest, from `place`.
///
/// # Errors
/// [`BackupError`] and the errors of the database: nothing that anybody could use is there then.
pub async fn run(
    target: &Target,
    place: &BackupPlace,
    set: Option<&str>,
    unpacker: &Unpacker,
    bar: &ProgressBar,
) -> Result<RestoredBackup> {
    let (name, object) = find(place, set).await?;
    let manifest = read_manifest(place, unpacker, &object).await?;
    let here = DatabaseKind::of(&target.database_url);
    if manifest.database != here {
        let (made, here) = (manifest.database.name(), here.name());
        return Err(BackupError::OtherDatabase { manifest: object, made, here }.into());
    }
    let url = target.database_url.clone();
    blocking(move || snapshot::require_empty(&url)).await?;

    let work = tempfile::Builder::new().prefix("restore-").tempdir_in(&target.folder).map_err(Error::internal)?;
    for part in manifest.parts() {
        fetch(place, &name, part, Some(work.path())).await?;
    }
    let secret_key = read_part(unpacker, work.path(), &manifest.secret_key)?;
    require_same_key(&target.secret_key_file, &secret_key)?;
    let listed = listed_files(unpacker, work.path(), &manifest.files)?;
    restore_files(target, place, unpacker, &listed, bar).await?;
    write_key(&target.secret_key_file, &secret_key)?;

    let export = Export {
        migrations: manifest.migrations.clone(),
        parts: manifest.database_parts.iter().map(|part| part.name.clone()).collect(),
        open: {
            let (unpacker, folder, parts) = (unpacker.clone(), work.path().to_owned(), manifest.database_parts.clone());
            Box::new(move |name| {
                let part = parts.iter().find(|part| part.name == name);
                let object = part.map(|part| part.object.as_str()).ok_or_else(|| missing(name))?;
                unpacker.read(object, Box::new(File::open(folder.join(object)).map_err(Error::internal)?))
            })
        },
    };
    let (url, now, restored) = (target.database_url.clone(), target.clock.now(), name.clone());
    let rehearsal = Rehearsal { backup_name: name.clone(), taken_at: manifest.made_at.into() };
    let rehearsal = target.is_rehearsal.then_some(rehearsal);
    blocking(move || {
        snapshot::import_now(&url, export, move |tx| {
            forget_origin(tx)?;
            rehearsal.iter().try_for_each(|rehearsal| mark_rehearsal(tx, rehearsal, now))?;
            let change = Change::of("backup.restore").after(restored.clone());
            add(tx, &Actor::program("command line"), &[change], now)
        })
    })
    .await?;
    target.files.end_restore().await?;
    Ok(RestoredBackup { name, manifest, files: listed.len() as u64 })
}

fn read_part(unpacker: &Unpacker, folder: &Path, part: &ManifestPart) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let file = File::open(folder.join(&part.object)).map_err(Error::internal)?;
    let mut read = unpacker.read(&part.object, Box::new(file))?;
    read.read_to_end(&mut content).map_err(|_| BackupError::BackupSealed(part.object.clone()))?;
    Ok(content)
}

/// Copies the listed files into the storage, which must be empty. Those that an interrupted restore has stored stay.
async fn restore_files(
    target: &Target,
    place: &BackupPlace,
    unpacker: &Unpacker,
    listed: &[StoredContent],
    bar: &ProgressBar,
) -> Result<()> {
    require_no_other_files(target, listed).await?;
    bar.set_length(listed.len() as u64);
    let objects = file_objects(place).await?;
    let copies = stream::iter(listed).map(|stored| restore_file(target, place, unpacker, &objects, stored));
    let mut copies = pin!(copies.buffer_unordered(CONCURRENCY));
    while let Some(copied) = copies.next().await {
        copied?;
        bar.inc(1);
    }
    Ok(())
}

/// Refuses the storage of another installation. Two installations in one storage would remove each other's files, so files are let
/// stand only beside the mark of an interrupted restore, and never for a rehearsal.
async fn require_no_other_files(target: &Target, listed: &[StoredContent]) -> Result<()> {
    let is_continued = !target.is_rehearsal && target.files.is_restoring().await?;
    let known: HashSet<&str> =
        if is_continued { listed.iter().map(|stored| stored.key.as_str()).collect() } else { HashSet::new() };
    let mut there = pin!(target.files.keys());
    while let Some(key) = there.try_next().await? {
        if !known.contains(key.as_str()) {
            return Err(BackupError::FilesInUse(key).into());
        }
    }
    if target.is_rehearsal { Ok(()) } else { target.files.begin_restore().await }
}

async fn restore_file(
    target: &Target,
    place: &BackupPlace,
    unpacker: &Unpacker,
    objects: &HashSet<String>,
    stored: &StoredContent,
) -> Result<()> {
    if target.files.get(stored, Permission::in_background()).await.is_ok() {
        return Ok(());
    }
    let content = file_content(place, unpacker, objects, stored).await?;
    target.files.put_under(stored.key.clone(), content, Permission::in_background()).await.map(drop)
}

fn require_same_key(file: &Path, key: &[u8]) -> Result<()> {
    match fs::read(file) {
        Ok(there) if there != key => Err(BackupError::OtherSecretKey(file.display().to_string()).into()),
        _ => Ok(()),
    }
}

fn write_key(file: &Path, key: &[u8]) -> Result<()> {
    let written = create_private(file).and_then(|mut file| {
        file.write_all(key)?;
        file.sync_all()
    });
    written.map_err(Error::internal)
}
