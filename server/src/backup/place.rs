//! Where backups are kept: a folder or a bucket.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Name;
use object_store::{ObjectStore, ObjectStoreExt, WriteMultipart};
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::errors::BackupError;
use crate::error::{Error, Result};
use crate::files::s3;

/// The number of bytes that are read from a file, and sent to the store, at once.
const CHUNK: usize = 8 * 1024 * 1024;

/// A folder or a bucket for backups.
#[derive(Clone, Debug)]
pub struct BackupPlace {
    store: Arc<dyn ObjectStore>,
    name: String,
}

impl BackupPlace {
    /// Opens `FOLDER` or `s3://BUCKET/PREFIX`; the endpoint, region and keys of S3 come from the usual AWS_ variables. With `make`, a
    /// missing folder is made, for its owner alone.
    pub fn open(name: &str, make: bool) -> Result<Self> {
        let store = match name.strip_prefix("s3://") {
            Some(bucket) => s3::open(AmazonS3Builder::from_env(), bucket)?,
            None => {
                let folder = Path::new(name);
                let made = if make { DirBuilder::new().recursive(true).mode(0o700).create(folder) } else { Ok(()) };
                made.map_err(|error| unusable(name, &error))?;
                let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| unusable(name, &error))?;
                Arc::new(store.with_fsync(true)) as Arc<dyn ObjectStore>
            }
        };
        Ok(Self { store, name: name.to_owned() })
    }

    /// As the operator named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes a small object whole, and reads it back.
    pub async fn put(&self, name: &str, content: Bytes) -> Result<()> {
        self.store.put(&Name::from(name), content.clone().into()).await.map_err(|error| self.unusable(&error))?;
        if self.get(name).await?.as_ref() == Some(&content) { Ok(()) } else { Err(self.unreadable(name)) }
    }

    /// Writes the file at `from`.
    pub async fn put_file(&self, name: &str, from: &Path) -> Result<()> {
        let mut file = File::open(from).await.map_err(Error::internal)?;
        let upload = self.store.put_multipart(&Name::from(name)).await.map_err(|error| self.unusable(&error))?;
        let mut parts = WriteMultipart::new_with_chunk_size(upload, CHUNK);
        loop {
            let mut chunk = BytesMut::with_capacity(CHUNK);
            if file.read_buf(&mut chunk).await.map_err(Error::internal)? == 0 {
                break;
            }
            parts.wait_for_capacity(4).await.map_err(|error| self.unusable(&error))?;
            parts.put(chunk.freeze());
        }
        parts.finish().await.map(drop).map_err(|error| self.unusable(&error))
    }

    /// Reads an object whole; `None` if it is not there.
    pub async fn get(&self, name: &str) -> Result<Option<Bytes>> {
        let found = async { self.store.get(&Name::from(name)).await?.bytes().await };
        match found.await {
            Ok(content) => Ok(Some(content)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.unusable(&error)),
        }
    }

    /// Reads an object piece by piece, into the file `to` if there is one. Returns its length and the digest of its content; `None` if
    /// it is not there.
    pub async fn read_through(&self, name: &str, to: Option<&Path>) -> Result<Option<(u64, String)>> {
        let found = match self.store.get(&Name::from(name)).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(self.unusable(&error)),
        };
        let mut file = match to {
            Some(path) => Some(File::create(path).await.map_err(Error::internal)?),
            None => None,
        };
        let (mut pieces, mut length, mut digest) = (found.into_stream(), 0_u64, Sha256::new());
        while let Some(piece) = pieces.try_next().await.map_err(|error| self.unusable(&error))? {
            length += piece.len() as u64;
            digest.update(&piece);
            if let Some(file) = &mut file {
                file.write_all(&piece).await.map_err(Error::internal)?;
            }
        }
        if let Some(mut file) = file {
            file.flush().await.map_err(Error::internal)?;
        }
        Ok(Some((length, hex::encode(digest.finalize()))))
    }

    /// The names of all objects whose name begins with `folder/`, and their lengths.
    pub async fn list(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        let found = self.store.list(Some(&Name::from(folder))).map_ok(|one| (one.location.to_string(), one.size));
        found.try_collect().await.map_err(|error| self.unusable(&error))
    }

    /// Removes an object.
    pub async fn delete(&self, name: &str) -> Result<()> {
        self.store.delete(&Name::from(name)).await.map_err(|error| self.unusable(&error))
    }

    /// That an object is not what was written just now.
    pub fn unreadable(&self, name: &str) -> Error {
        let error = format!("{name} reads back differently from what was written");
        BackupError::BackupPlaceUnusable { place: self.name.clone(), error }.into()
    }

    fn unusable(&self, error: &dyn std::error::Error) -> Error {
        unusable(&self.name, error)
    }
}

fn unusable(place: &str, error: &dyn std::error::Error) -> Error {
    BackupError::BackupPlaceUnusable { place: place.to_owned(), error: error.to_string() }.into()
}
