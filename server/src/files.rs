//! Object storage: whole files under random names, never overwritten. A local folder, S3, or memory for tests.

pub mod errors;
pub mod s3;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::{Stream, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use self::errors::{FileError, ReadErrors, StorageErrors};
use self::s3::MAX_REQUEST_TIME;
use crate::config::Config;
use crate::error::{Error, Permission, Result};
use crate::process;
use crate::timestamp::Timestamp;

/// The object beside the files that marks a restore as unfinished. It is no key, so it is never listed as a file.
const RESTORE_MARK: &str = "unfinished-restore";

/// Files that are read at once. Further reads wait.
const CONCURRENT_READS: usize = 16;

/// The storage of files.
#[derive(Clone, Debug)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    /// The folder of the files, if they are in one.
    folder: Option<PathBuf>,
    reading: Arc<Semaphore>,
}

/// A stored file: what it is found and checked by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredContent {
    /// 32 hexadecimal digits, unrelated to the content.
    pub key: String,
    pub size_bytes: i64,
    /// Hexadecimal digest of the content.
    pub sha256: String,
}

impl StoredContent {
    async fn of(key: String, content: Bytes) -> Result<Self> {
        let size_bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let sha256 = process::in_background("digest", move || Ok(sha256(&content))).await?;
        Ok(Self { key, size_bytes, sha256 })
    }
}

/// Creates a file that only its owner may read, or empties one.
pub fn create_private(file: &std::path::Path) -> io::Result<File> {
    let mut open = OpenOptions::new();
    open.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let opened = open.open(file)?;
    // An older one may be open to others.
    #[cfg(unix)]
    opened.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(opened)
}

/// The hexadecimal digest of `content`.
pub fn sha256(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}

impl Files {
    /// Opens the storage that `files_url` names: empty for the folder `files` in the data folder, `file://FOLDER`, `memory:`, or
    /// `s3://BUCKET/PREFIX`, whose endpoint, region and keys come from the usual AWS_ variables of the environment.
    pub fn open(config: &Config) -> Result<Self> {
        let folder = match config.files_url.as_str() {
            "" => config.data_dir.join("files"),
            "memory:" => return Ok(Self::of(InMemory::new())),
            url => match (url.strip_prefix("s3://"), url.strip_prefix("file://")) {
                (Some(place), _) => return Self::in_s3(AmazonS3Builder::from_env(), place),
                (_, Some(folder)) if !folder.is_empty() => folder.into(),
                _ => {
                    return Err(FileError::UnknownFileStorage.into());
                }
            },
        };
        std::fs::create_dir_all(&folder).map_err(Error::internal)?;
        // A row may name a file only after the file and its directory entry are on the disk.
        let store = LocalFileSystem::new_with_prefix(&folder).map_err(Error::internal)?.with_fsync(true);
        Ok(Self { folder: Some(folder), ..Self::of(store) })
    }

    /// Opens S3 with `settings`, at `place`: `bucket` or `bucket/prefix`.
    pub fn in_s3(settings: AmazonS3Builder, place: &str) -> Result<Self> {
        Ok(Self::over(s3::open(settings, place)?))
    }

    fn of(store: impl ObjectStore) -> Self {
        Self::over(Arc::new(store))
    }

    fn over(store: Arc<dyn ObjectStore>) -> Self {
        Self { store, folder: None, reading: Arc::new(Semaphore::new(CONCURRENT_READS)) }
    }

    /// Checks that the storage can be reached: a wrong address or key would show only at the first upload.
    pub async fn check(&self) -> Result<()> {
        match in_time(self.store.head(&Path::from("0".repeat(32)))).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Stores `content` under a new name. Do this before the transaction that adds its row.
    pub async fn put(&self, content: Bytes, permission: Permission<StorageErrors>) -> Result<StoredContent> {
        self.put_under(format!("{:032x}", rand::random::<u128>()), content, permission).await
    }

    /// Stores `content` under the free name `key`.
    pub async fn put_under(&self, key: String, content: Bytes, _: Permission<StorageErrors>) -> Result<StoredContent> {
        let place = path(&key)?;
        let stored = StoredContent::of(key, content.clone()).await?;
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match in_time(self.store.put_opts(&place, content.into(), options)).await {
            Ok(_) => {}
            // The first try may have succeeded and its response been lost.
            Err(object_store::Error::AlreadyExists { .. })
                if self.get(&stored, Permission::in_background()).await.is_ok() =>
            {
                return Ok(stored);
            }
            Err(object_store::Error::AlreadyExists { .. }) => {
                return Err(Error::internal("a different file of that name exists"));
            }
            Err(error) => return Err(not_stored(&error).into()),
        }
        // Ask the storage what it holds, not what it accepted.
        let size = in_time(self.store.head(&place)).await.map_err(|error| not_stored(&error))?.size;
        if i64::try_from(size).ok() != Some(stored.size_bytes) {
            tracing::error!(key = stored.key, size, wanted = stored.size_bytes, "the file storage kept another size");
            return Err(FileError::FileNotStored.into());
        }
        Ok(stored)
    }

    /// The content of a stored file: exactly what was stored, or an error.
    ///
    /// # Errors
    /// [`FileError`].
    pub async fn get(&self, stored: &StoredContent, _: Permission<ReadErrors>) -> Result<Bytes> {
        // The file is whole in memory, because no byte is returned before the digest is checked.
        let _permit = self.reading.acquire().await.map_err(Error::internal)?;
        let place = path(&stored.key)?;
        let read = in_time(async { self.store.get(&place).await?.bytes().await });
        let content = read.await.map_err(|error| match error {
            object_store::Error::NotFound { .. } => FileError::FileNotFound,
            error => {
                tracing::error!(%error, "a file could not be read");
                FileError::FileStorageUnreachable
            }
        })?;
        if StoredContent::of(stored.key.clone(), content.clone()).await? != *stored {
            tracing::error!(key = stored.key, "a file is not what was stored");
            return Err(FileError::FileDamaged.into());
        }
        Ok(content)
    }

    /// Removes a file that no row names. A missing file is not an error.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match in_time(self.store.delete(&path(key)?)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// The keys of all files. Skips names that are no keys.
    pub fn keys(&self) -> impl Stream<Item = Result<String>> + '_ {
        let found = self.store.list(None).map_err(Error::internal);
        found.try_filter_map(|file| async move {
            let key = file.location.to_string();
            Ok(path(&key).is_ok().then_some(key))
        })
    }

    /// The keys of all files stored before `instant`. Skips names that are no keys.
    pub fn stored_before(&self, instant: Timestamp) -> impl Stream<Item = Result<String>> + '_ {
        let found = self.store.list(None).map_err(Error::internal);
        found.try_filter_map(move |file| async move {
            let key = file.location.to_string();
            Ok((file.last_modified < *instant && path(&key).is_ok()).then_some(key))
        })
    }

    /// Marks the storage as being filled by a restore.
    pub async fn begin_restore(&self) -> Result<()> {
        let put = in_time(self.store.put(&Path::from(RESTORE_MARK), Bytes::new().into())).await;
        put.map(drop).map_err(Error::internal)
    }

    /// Returns true if a restore has begun to fill the storage and has not finished.
    pub async fn is_restoring(&self) -> Result<bool> {
        match in_time(self.store.head(&Path::from(RESTORE_MARK))).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Removes the mark of a restore, if there is one.
    pub async fn end_restore(&self) -> Result<()> {
        match in_time(self.store.delete(&Path::from(RESTORE_MARK))).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Removes unfinished files of a folder that were written before `instant`.
    pub async fn remove_unfinished(&self, instant: Timestamp) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut entries = tokio::fs::read_dir(folder).await.map_err(Error::internal)?;
        while let Some(entry) = entries.next_entry().await.map_err(Error::internal)? {
            let name = entry.file_name();
            let is_unfinished =
                name.to_str().and_then(|name| name.split_once('#')).is_some_and(|(key, _)| path(key).is_ok());
            let written = entry.metadata().await.and_then(|facts| facts.modified()).map(DateTime::<Utc>::from);
            if is_unfinished && written.is_ok_and(|at| at < *instant) {
                // Best effort: another node may have removed it.
                let _ = tokio::fs::remove_file(entry.path()).await;
            }
        }
        Ok(())
    }
}

fn not_stored(error: &object_store::Error) -> FileError {
    if is_full(error) {
        return FileError::FileStorageFull;
    }
    tracing::error!(%error, "a file could not be stored");
    FileError::FileNotStored
}

/// Limits the time of a call, including its retries.
async fn in_time<T>(call: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    let late = |late: tokio::time::error::Elapsed| object_store::Error::Generic { store: "files", source: late.into() };
    tokio::time::timeout(MAX_REQUEST_TIME, call).await.map_err(late)?
}

/// The path of `key`, which must be 32 hexadecimal digits: no name from outside reaches the storage.
fn path(key: &str) -> Result<Path, FileError> {
    let plain = key.len() == 32 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if plain { Ok(Path::from(key)) } else { Err(FileError::FileNotFound) }
}

fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let full = error.downcast_ref::<std::io::Error>().is_some_and(|error| {
        matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
    });
    full || error.source().is_some_and(is_full)
}

#[cfg(test)]
mod tests;
