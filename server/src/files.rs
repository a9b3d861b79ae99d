//! Object storage: whole files under random names, never overwritten. A local folder, or memory for tests.

use std::sync::Arc;

use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::error::{Error, Result};

/// Where files are kept.
#[derive(Clone, Debug)]
pub struct Files(Arc<dyn ObjectStore>);

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
    /// Opens the storage that `files_url` names: empty for the folder `files` in the data folder, `file://FOLDER`, or `memory:`.
    pub fn open(config: &Config) -> Result<Self> {
        let folder = match config.files_url.as_str() {
            "" => config.data_dir.join("files"),
            "memory:" => return Ok(Self(Arc::new(InMemory::new()))),
            url if url.starts_with("s3://") => {
                return Err(Error::invalid(
                    "files_url: this version keeps files in a folder, not yet in S3. Leave it empty for the data folder",
                ));
            }
            url => url.strip_prefix("file://").map(Into::into).ok_or_else(|| {
                Error::invalid("files_url must be empty for the data folder, or begin with file:// and name a folder")
            })?,
        };
        std::fs::create_dir_all(&folder).map_err(Error::internal)?;
        // A row tells of a file only after the file and its name are on the disk.
        let store = LocalFileSystem::new_with_prefix(&folder).map_err(Error::internal)?.with_fsync(true);
        Ok(Self(Arc::new(store)))
    }

    /// Stores `content` under a new name. Do this before the transaction that adds its row.
    pub async fn put(&self, content: Bytes) -> Result<Stored> {
        self.put_under(format!("{:032x}", rand::random::<u128>()), content).await
    }

    /// Stores `content` under the free name `key`.
    pub async fn put_under(&self, key: String, content: Bytes) -> Result<Stored> {
        let stored = Stored::of(key, &content);
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let put = self.0.put_opts(&path(&stored.key)?, content.into(), options).await;
        put.map_err(|error| match error {
            object_store::Error::AlreadyExists { .. } => Error::internal("a file of that name is there already"),
            error if is_full(&error) => Error::unavailable("Storage is full, nothing was saved"),
            error => {
                tracing::error!(%error, "a file could not be stored");
                Error::unavailable("The file storage does not answer, nothing was saved. Please try again")
            }
        })?;
        Ok(stored)
    }

    /// The content of a stored file: exactly what was put, or an error.
    pub async fn get(&self, stored: &Stored) -> Result<Bytes> {
        let lost = |error: object_store::Error| match error {
            object_store::Error::NotFound { .. } => Error::not_found("The file is not there any more"),
            error => {
                tracing::error!(%error, "a file could not be read");
                Error::unavailable("The file storage does not answer. Please try again")
            }
        };
        let found = self.0.get(&path(&stored.key)?).await.map_err(lost)?;
        let content = found.bytes().await.map_err(lost)?;
        if Stored::of(stored.key.clone(), &content) != *stored {
            return Err(Error::internal(format!("the file {} is not what was stored", stored.key)));
        }
        Ok(content)
    }

    /// Removes a file that no row names. One that is gone already is fine.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.0.delete(&path(key)?).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }
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
        assert_eq!(files.get(&stored).await.unwrap_err().status(), 404);
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
        assert_eq!(files.get(&stored).await.unwrap_err().status(), 500);
    }

    #[tokio::test]
    async fn no_name_leads_out_of_the_storage() {
        let files = Files::open(&Config { files_url: "memory:".into(), ..Config::default() }).unwrap();
        for key in ["", "../secret.key", "/etc/passwd", "0123456789ABCDEF0123456789ABCDEF", "a/b"] {
            let refused = files.put_under(key.into(), Bytes::new()).await.map_err(|error| error.status().as_u16());
            assert_eq!(refused, Err(404), "{key}");
        }
    }

    #[test]
    fn s3_is_refused_with_a_clear_text() {
        let refused = Files::open(&Config { files_url: "s3://bucket".into(), ..Config::default() });
        assert!(refused.unwrap_err().message().contains("not yet in S3"));
    }
}
