//! Makes a backup, while the program goes on.
//!
//! The database is copied first, as it is at one moment, and then the files that this copy names. A file is stored before its row and
//! removed after it, so each of them is there. Whatever is interrupted is continued by the next backup: the files that are in the
//! place already are not copied again, unless they are found to be damaged.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::ProgressBar;

use super::blocking::blocking;
use super::errors::BackupError;
use super::manifest::{DatabaseKind, FILES, FORMAT, MANIFEST, Manifest, ManifestPart, SECRET_KEY, SUM};
use super::packing::Packer;
use super::place::BackupPlace;
use super::rereading::{FileState, RereadPlan};
use crate::clock::Clock;
use crate::db::{Db, migrations};
use crate::documents::owners::FileOwners;
use crate::error::{Error, Kind, Permission, Result};
use crate::files::{self, Files, StoredContent};
use crate::secret::SecretKey;

/// Rows of one query.
const BATCH: i64 = 500;
/// Files that are copied at once.
const CONCURRENCY: usize = 8;
/// The lists of the files that the database names and of those that the place has, while the backup is made.
const NAMED: &str = "named-files";
const COPIED: &str = "copied-files";

/// The data and the settings that a backup is made from.
pub struct BackupSource {
    pub db: Db,
    pub files: Files,
    pub owners: FileOwners,
    pub clock: Clock,
    pub secret_key_file: PathBuf,
    /// Backups within which every file in the place is read again.
    pub verify_within: u32,
    /// A folder with room for a copy of the database, beside the database itself.
    pub folder: PathBuf,
}

/// A backup that was made.
#[derive(Clone, Debug)]
pub struct FinishedBackup {
    /// Its name in the place.
    pub name: String,
    pub files: u64,
    /// The number of its files that this backup added to the place.
    pub new_files: u64,
    /// The number of files that were found damaged in the place, and are written there again.
    pub repaired: u64,
    /// The number of files that are not in it, because they are missing or damaged here. The rest can be restored.
    pub missing: u64,
}

impl FinishedBackup {
    /// Returns an error with the number of missing files, if any file is missing.
    pub fn fault(&self) -> Option<BackupError> {
        (self.missing > 0).then_some(BackupError::FilesMissing { copied: self.files, missing: self.missing })
    }
}

/// The parts of the database, in a folder of their own.
struct ExportedParts {
    migrations: Vec<String>,
    parts: Vec<ManifestPart>,
    /// The number of files that the database names.
    files: u64,
}

/// Makes a backup in `place`, and reads back what it has written.
pub async fn run(
    source: &BackupSource,
    place: &BackupPlace,
    packer: &Packer,
    bar: &ProgressBar,
) -> Result<FinishedBackup> {
    let made_at = source.clock.now();
    let name = made_at.format("%Y-%m-%dT%H-%M-%S-%3fZ").to_string();
    let work = tempfile::Builder::new().prefix("backup-").tempdir_in(&source.folder).map_err(Error::internal)?;
    let exported = {
        let (db, owners, packer, folder) = (source.db.clone(), source.owners, packer.clone(), work.path().to_owned());
        blocking(move || export(&db, owners, &packer, &folder)).await?
    };
    // An installation that has not served yet has none.
    SecretKey::open(&source.secret_key_file)?;
    let secret_key = file_part(packer, work.path(), SECRET_KEY, &source.secret_key_file).await?;

    bar.set_length(exported.files);
    let copied = copy_files(source, place, packer, work.path(), bar).await?;
    let files = file_part(packer, work.path(), FILES, &work.path().join(COPIED)).await?;

    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: *made_at,
        database: if source.db.is_postgres() { DatabaseKind::PostgreSQL } else { DatabaseKind::SQLite },
        migrations: exported.migrations,
        database_parts: exported.parts,
        files,
        secret_key,
    };
    for part in manifest.parts() {
        let object = format!("sets/{name}/{}", part.object);
        place.put_file(&object, &work.path().join(&part.object)).await?;
        if place.read_through(&object, None).await? != Some((part.bytes, part.sha256.clone())) {
            return Err(place.unreadable(&object));
        }
    }
    let object = packer.object(MANIFEST);
    let content = packer.content(manifest.to_json()?.into())?;
    // As sha256sum writes it, and checks it.
    let sum = format!("{}  {object}\n", files::sha256(&content));
    place.put(&format!("sets/{name}/{object}{SUM}"), sum.into()).await?;
    // The last: without it the set does not count.
    place.put(&format!("sets/{name}/{object}"), content).await?;
    let Copies { files, new, repaired } = copied;
    Ok(FinishedBackup { name, files, new_files: new, repaired, missing: exported.files - files })
}

/// Makes a file a part.
async fn file_part(packer: &Packer, work: &Path, name: &'static str, file: &Path) -> Result<ManifestPart> {
    let (packer, work, file) = (packer.clone(), work.to_owned(), file.to_owned());
    blocking(move || {
        packer.part(&work, name, &mut |out| {
            io::copy(&mut File::open(&file).map_err(Error::internal)?, out).map(drop).map_err(Error::internal)
        })
    })
    .await
}

fn export(db: &Db, owners: FileOwners, packer: &Packer, work: &Path) -> Result<ExportedParts> {
    let mut parts = Vec::new();
    let mut take = |name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> Result<()>| {
        parts.push(packer.part(work, name, fill)?);
        Ok(())
    };
    let (migrations, files) = db.export_now(work, &mut take, |conn| {
        let mut list = BufWriter::new(File::create(work.join(NAMED)).map_err(Error::internal)?);
        let mut count = 0;
        for owner in owners.0 {
            let mut after = 0;
            loop {
                let batch = (owner.list_after)(conn, after, BATCH)?;
                let Some(last) = batch.last() else { break };
                after = last.row_id;
                count += batch.len() as u64;
                batch.iter().try_for_each(|named| write_line(&mut list, &named.stored))?;
            }
        }
        list.flush().map_err(Error::internal)?;
        Ok((migrations::versions(conn)?, count))
    })?;
    Ok(ExportedParts { migrations, parts, files })
}

fn write_line(list: &mut impl Write, stored: &StoredContent) -> Result<()> {
    serde_json::to_writer(&mut *list, stored).map_err(Error::internal)?;
    writeln!(list).map_err(Error::internal)
}

/// The numbers of files that the place has: all of them, the new ones and the repaired ones.
#[derive(Default)]
struct Copies {
    files: u64,
    new: u64,
    repaired: u64,
}

/// Copies the files that the database names and the place does not have, and lists those that it has now.
async fn copy_files(
    source: &BackupSource,
    place: &BackupPlace,
    packer: &Packer,
    work: &Path,
    bar: &ProgressBar,
) -> Result<Copies> {
    let there: HashMap<String, u64> = place.list("files").await?.into_iter().collect();
    let rereading = RereadPlan::begin(place, packer, &there, source.verify_within).await?;
    let mut list = BufWriter::new(File::create(work.join(COPIED)).map_err(Error::internal)?);
    let lines = BufReader::new(File::open(work.join(NAMED)).map_err(Error::internal)?).lines();
    let named = lines.map(|line| {
        let line = line.map_err(Error::internal)?;
        serde_json::from_str::<StoredContent>(&line).map_err(Error::internal)
    });
    let copying = stream::iter(named).map_ok(|stored| copy_file(source, place, packer, &there, &rereading, stored));
    let mut copying = Box::pin(copying.try_buffer_unordered(CONCURRENCY));
    let (mut copies, mut written) = (Copies::default(), Vec::new());
    while let Some(outcome) = copying.next().await {
        bar.inc(1);
        let Some(CopiedFile { stored, found, object }) = outcome? else { continue };
        write_line(&mut list, &stored)?;
        copies.files += 1;
        copies.new += u64::from(found == FileState::Nothing);
        copies.repaired += u64::from(found == FileState::Damaged);
        written.extend(object);
    }
    drop(copying);
    list.flush().map_err(Error::internal)?;
    rereading.finish(place, packer, written).await?;
    Ok(copies)
}

/// A file that the place has.
struct CopiedFile {
    stored: StoredContent,
    /// The state of the file in the place before.
    found: FileState,
    /// The name and the digest of the object, if it was written now.
    object: Option<(String, String)>,
}

/// Copies a file, unless the place has it. `None` if it is missing or damaged here.
async fn copy_file(
    source: &BackupSource,
    place: &BackupPlace,
    packer: &Packer,
    there: &HashMap<String, u64>,
    rereading: &RereadPlan,
    stored: StoredContent,
) -> Result<Option<CopiedFile>> {
    let name = format!("files/{}", packer.object(&stored.key));
    let found = rereading.look(place, packer, &name, there.get(&name).copied(), &stored).await?;
    if found == FileState::Whole {
        return Ok(Some(CopiedFile { stored, found, object: None }));
    }
    let content = match source.files.get(&stored, Permission::in_background()).await {
        Ok(content) => content,
        Err(error) if matches!(error.kind(), Kind::NotFound | Kind::Damaged) => return Ok(None),
        Err(error) => return Err(error),
    };
    let packer = packer.clone();
    let (packed, sha256) = blocking(move || {
        let packed = packer.content(content)?;
        let sha256 = files::sha256(&packed);
        Ok((packed, sha256))
    })
    .await?;
    place.put(&name, packed).await?;
    if found == FileState::Damaged {
        tracing::warn!(file = name, "a file in the place of the backups was damaged, and was written again");
    }
    Ok(Some(CopiedFile { stored, found, object: Some((name, sha256)) }))
}
