//! Object storage: whole files under random names, never overwritten. A local folder, S3, or memory for tests.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, NaiveDateTime, Utc};
use futures_util::{Stream, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ClientConfigKey, ObjectStore, ObjectStoreExt, PutMode, PutOptions, RetryConfig};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::error::{Error, Kind, Result};

/// How long a connection to S3 may take to be made.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(5);
/// How long a call of the storage may take.
const MAX_REQUEST_TIME: Duration = Duration::from_secs(30);
/// How often S3 is asked again when it is busy or breaks off.
const RETRIES: usize = 2;
/// Files that are read at once. The next ones wait for their turn.
const READ_AT_ONCE: usize = 16;

/// Where files are kept.
#[derive(Clone, Debug)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    /// Where the files lie, if that is a folder.
    folder: Option<PathBuf>,
    reading: Arc<Semaphore>,
}

/// A file that is stored: the facts by which it is found and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// 32 hexadecimal digits, unrelated to what the file is.
    pub key: String,
    pub size_bytes: i64,
    /// Of the content, in hexadecimal digits.
    pub sha256: String,
}

impl Stored {
    fn of(key: String, content: &[u8]) -> Self {
        let size_bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
        Self { key, size_bytes, sha256: sha256(content) }
    }
}

/// The digest of `content`, in hexadecimal digits.
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
                    return Err(Error::invalid(
                        "files_url must be empty for the data folder, file:// and a folder, or s3:// and a bucket",
                    ));
                }
            },
        };
        std::fs::create_dir_all(&folder).map_err(Error::internal)?;
        // A row tells of a file only after the file and its name are on the disk.
        let store = LocalFileSystem::new_with_prefix(&folder).map_err(Error::internal)?.with_fsync(true);
        Ok(Self { folder: Some(folder), ..Self::of(store) })
    }

    /// Opens S3 as `settings` have it, at `place`: a bucket, perhaps a slash and a prefix.
    pub fn in_s3(settings: AmazonS3Builder, place: &str) -> Result<Self> {
        crate::tls::provider();
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        if bucket.is_empty() {
            return Err(Error::invalid("files_url names no bucket. It looks like s3://bucket or s3://bucket/prefix"));
        }
        let endpoint = settings.get_config_value(&AmazonS3ConfigKey::Endpoint).unwrap_or_default();
        let retries = RetryConfig { max_retries: RETRIES, retry_timeout: MAX_REQUEST_TIME, ..RetryConfig::default() };
        let seconds = |duration: Duration| format!("{} seconds", duration.as_secs());
        let store = settings
            .with_bucket_name(bucket)
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ConnectTimeout), seconds(MAX_CONNECT_TIME))
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), seconds(MAX_REQUEST_TIME))
            // Only where the address says so itself: files are read and written in clear.
            .with_allow_http(endpoint.starts_with("http://"))
            .with_retry(retries)
            .build()
            .map_err(|error| Error::invalid(format!("files_url: S3 cannot be used: {error}")))?;
        match prefix.trim_matches('/') {
            "" => Ok(Self::of(store)),
            prefix => Ok(Self::of(PrefixStore::new(store, prefix))),
        }
    }

    fn of(store: impl ObjectStore) -> Self {
        Self { store: Arc::new(store), folder: None, reading: Arc::new(Semaphore::new(READ_AT_ONCE)) }
    }

    /// Whether the storage can be asked: its address or its keys may be wrong, and nothing would say so until the first upload.
    pub async fn check(&self) -> Result<()> {
        match in_time(self.store.head(&Path::from("0".repeat(32)))).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Stores `content` under a new name. Do this before the transaction that adds its row.
    pub async fn put(&self, content: Bytes) -> Result<Stored> {
        self.put_under(format!("{:032x}", rand::random::<u128>()), content).await
    }

    /// Stores `content` under the free name `key`.
    pub async fn put_under(&self, key: String, content: Bytes) -> Result<Stored> {
        let stored = Stored::of(key, &content);
        let place = path(&stored.key)?;
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match in_time(self.store.put_opts(&place, content.into(), options)).await {
            Ok(_) => {}
            // The store may have taken the first try and lost its answer.
            Err(object_store::Error::AlreadyExists { .. }) if self.get(&stored).await.is_ok() => return Ok(stored),
            Err(object_store::Error::AlreadyExists { .. }) => {
                return Err(Error::internal("another file of that name is there already"));
            }
            Err(error) => return Err(not_stored(&error)),
        }
        // What the store says it has, not what it said it took.
        let size = in_time(self.store.head(&place)).await.map_err(|error| not_stored(&error))?.size;
        if i64::try_from(size).ok() != Some(stored.size_bytes) {
            tracing::error!(key = stored.key, size, wanted = stored.size_bytes, "the file storage kept another size");
            return Err(Error::unavailable(NOT_STORED));
        }
        Ok(stored)
    }

    /// The content of a stored file: exactly what was put, or an error.
    pub async fn get(&self, stored: &Stored) -> Result<Bytes> {
        // Each is whole in memory, for no byte is given out before all are known to be right.
        let _turn = self.reading.acquire().await.map_err(Error::internal)?;
        let place = path(&stored.key)?;
        let read = in_time(async { self.store.get(&place).await?.bytes().await });
        let content = read.await.map_err(|error| match error {
            object_store::Error::NotFound { .. } => Error::not_found("The file is not there any more"),
            error => {
                tracing::error!(%error, "a file could not be read");
                Error::unavailable("The file storage does not answer. Please try again")
            }
        })?;
        if Stored::of(stored.key.clone(), &content) != *stored {
            tracing::error!(key = stored.key, "a file is not what was stored");
            return Err(Error::new(
                Kind::Damaged,
                "This file was changed or damaged where it is kept, so it is not shown",
            ));
        }
        Ok(content)
    }

    /// Removes a file that no row names. One that is gone already is fine.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match in_time(self.store.delete(&path(key)?)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// The names of all files that were stored before `instant`. What is none of ours is left out.
    pub fn stored_before(&self, instant: NaiveDateTime) -> impl Stream<Item = Result<String>> + '_ {
        let found = self.store.list(None).map_err(Error::internal);
        found.try_filter_map(move |file| async move {
            let key = file.location.to_string();
            Ok((file.last_modified.naive_utc() < instant && path(&key).is_ok()).then_some(key))
        })
    }

    /// Removes from a folder what was being written before `instant` and never became a file.
    pub async fn remove_unfinished(&self, instant: NaiveDateTime) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut entries = tokio::fs::read_dir(folder).await.map_err(Error::internal)?;
        while let Some(entry) = entries.next_entry().await.map_err(Error::internal)? {
            let name = entry.file_name();
            let is_unfinished =
                name.to_str().and_then(|name| name.split_once('#')).is_some_and(|(key, _)| path(key).is_ok());
            let written = entry.metadata().await.and_then(|facts| facts.modified()).map(DateTime::<Utc>::from);
            if is_unfinished && written.is_ok_and(|at| at.naive_utc() < instant) {
                // Another node may have been faster.
                let _ = tokio::fs::remove_file(entry.path()).await;
            }
        }
        Ok(())
    }
}

/// What a file that was not stored is answered with.
const NOT_STORED: &str = "The file storage does not answer, nothing was saved. Please try again";

fn not_stored(error: &object_store::Error) -> Error {
    if is_full(error) {
        return Error::unavailable("Storage is full, nothing was saved");
    }
    tracing::error!(%error, "a file could not be stored");
    Error::unavailable(NOT_STORED)
}

/// Ends a call that the storage lets hang, its repetitions included.
async fn in_time<T>(call: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    let late = |late: tokio::time::error::Elapsed| object_store::Error::Generic { store: "files", source: late.into() };
    tokio::time::timeout(MAX_REQUEST_TIME, call).await.map_err(late)?
}

/// The place of `key`, which is never anything but 32 hexadecimal digits: no name from outside reaches the storage.
fn path(key: &str) -> Result<Path> {
    let plain = key.len() == 32 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if plain { Ok(Path::from(key)) } else { Err(Error::not_found("The file is not there")) }
}

fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let full = error.downcast_ref::<std::io::Error>().is_some_and(|error| {
        matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
    });
    full || error.source().is_some_and(is_full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(folder: &std::path::Path) -> Files {
        Files::open(&Config { data_dir: folder.into(), ..Config::default() }).unwrap()
    }

    #[tokio::test]
    async fn a_file_reads_back_as_it_was_put() {
        let folder = tempfile::tempdir().unwrap();
        let files = in_folder(folder.path());
        let stored = files.put(Bytes::from_static(b"%PDF-1.7")).await.unwrap();
        assert_eq!(files.get(&stored).await.unwrap(), "%PDF-1.7");
        files.delete(&stored.key).await.unwrap();
        files.delete(&stored.key).await.unwrap();
        assert_eq!(files.get(&stored).await.unwrap_err().kind(), Kind::NotFound);
    }

    #[tokio::test]
    async fn a_file_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let files = in_folder(folder.path());
        let stored = files.put(Bytes::from_static(b"first")).await.unwrap();
        assert!(files.put_under(stored.key.clone(), Bytes::from_static(b"second")).await.is_err());
        assert_eq!(files.get(&stored).await.unwrap(), "first");
    }

    #[tokio::test]
    async fn a_file_that_changed_on_the_disk_is_not_served() {
        let folder = tempfile::tempdir().unwrap();
        let files = in_folder(folder.path());
        let stored = files.put(Bytes::from_static(b"whole")).await.unwrap();
        std::fs::write(folder.path().join("files").join(&stored.key), b"hole").unwrap();
        assert_eq!(files.get(&stored).await.unwrap_err().kind(), Kind::Damaged);
    }

    #[tokio::test]
    async fn no_name_leads_out_of_the_storage() {
        let files = Files::open(&Config { files_url: "memory:".into(), ..Config::default() }).unwrap();
        for key in ["", "../secret.key", "/etc/passwd", "0123456789ABCDEF0123456789ABCDEF", "a/b"] {
            let refused = files.put_under(key.into(), Bytes::new()).await.map_err(|error| error.kind());
            assert_eq!(refused, Err(Kind::NotFound), "{key}");
        }
    }

    #[tokio::test]
    async fn old_files_are_listed_and_what_is_none_of_ours_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let files = in_folder(folder.path());
        let stored = files.put(Bytes::from_static(b"whole")).await.unwrap();
        std::fs::write(folder.path().join("files").join("notes.txt"), b"an operator's").unwrap();
        let unfinished = folder.path().join("files").join(format!("{}#1", stored.key));
        std::fs::write(&unfinished, b"wh").unwrap();
        let now = crate::clock::Clock::default().now();
        let at = async |hours| {
            let before = now + chrono::TimeDelta::hours(hours);
            files.stored_before(before).try_collect::<Vec<String>>().await.unwrap()
        };
        assert_eq!(at(1).await, std::slice::from_ref(&stored.key));
        assert_eq!(at(-1).await, [""; 0]);
        files.remove_unfinished(now - chrono::TimeDelta::hours(1)).await.unwrap();
        assert!(unfinished.exists(), "it may still be being written");
        files.remove_unfinished(now + chrono::TimeDelta::hours(1)).await.unwrap();
        assert!(!unfinished.exists());
    }

    #[test]
    fn an_address_of_no_storage_is_refused_with_a_clear_text() {
        for url in ["s3://", "s3:///prefix", "file://", "ftp://host", "bucket"] {
            let refused = Files::open(&Config { files_url: url.into(), ..Config::default() });
            assert!(refused.unwrap_err().message().starts_with("files_url"), "{url}");
        }
    }
}
