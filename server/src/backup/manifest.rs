//! The table of contents of a backup.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::errors::BackupError;
use crate::error::{Error, Result};

/// The format that this program writes and reads.
pub const FORMAT: u32 = 1;

/// The name of a manifest, without the ending of an encrypted one.
pub const MANIFEST: &str = "manifest.json";
/// The ending of the object with the digest of a manifest.
pub const SUM: &str = ".sha256";
/// The part that lists the stored files, one JSON object per line.
pub const FILES: &str = "files.ndjson";
/// The part that is the secret key.
pub const SECRET_KEY: &str = "secret.key";

/// The manifest of a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// The version of the program that wrote it.
    pub program: String,
    pub made_at: DateTime<Utc>,
    pub database: DatabaseKind,
    /// The migrations that the database had.
    pub migrations: Vec<String>,
    /// The parts of the database, in the order in which they are read.
    pub database_parts: Vec<ManifestPart>,
    /// The part that lists the stored files.
    pub files: ManifestPart,
    pub secret_key: ManifestPart,
}

/// A part: an object beside the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestPart {
    /// The name of its content, without the endings of its packing.
    pub name: String,
    /// The name of its object in the folder of the set.
    pub object: String,
    /// The length and the digest of the object.
    pub bytes: u64,
    pub sha256: String,
}

/// The databases know different parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DatabaseKind {
    SQLite,
    PostgreSQL,
}

impl DatabaseKind {
    /// The one that a `database_url` names.
    pub fn of(url: &str) -> Self {
        if url.starts_with("sqlite:") { Self::SQLite } else { Self::PostgreSQL }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::SQLite => "SQLite",
            Self::PostgreSQL => "PostgreSQL",
        }
    }
}

impl Manifest {
    /// Reads a manifest, which is the object `name`.
    ///
    /// # Errors
    /// [`BackupError::BackupForeign`] for another format, and for what is no manifest.
    pub fn parse(name: &str, text: &[u8]) -> Result<Self> {
        let manifest: Self = serde_json::from_slice(text).map_err(|_| BackupError::BackupForeign(name.to_owned()))?;
        if manifest.format != FORMAT {
            return Err(BackupError::BackupForeign(name.to_owned()).into());
        }
        Ok(manifest)
    }

    pub fn to_json(&self) -> Result<Vec<u8>> {
        serde_json::to_vec_pretty(self).map_err(Error::internal)
    }

    /// All its parts.
    pub fn parts(&self) -> impl Iterator<Item = &ManifestPart> {
        self.database_parts.iter().chain([&self.files, &self.secret_key])
    }
}
