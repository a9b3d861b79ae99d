//! Why a file cannot be stored or read.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a file cannot be stored or read.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FileError {
    #[error("files_url must be empty for the data folder, file:// and a folder, or s3:// and a bucket")]
    UnknownFileStorage,
    #[error("files_url names no bucket. It looks like s3://bucket or s3://bucket/prefix")]
    NoBucket,
    #[error("files_url: S3 cannot be used: {0}")]
    UnusableBucket(object_store::Error),
    #[error("The file is not there any more")]
    FileNotFound,
    #[error("The file storage does not answer. Please try again")]
    FileStorageUnreachable,
    #[error("The file storage does not answer, nothing was saved. Please try again")]
    FileNotStored,
    #[error("Storage is full, nothing was saved")]
    FileStorageFull,
    #[error("This file was changed or damaged where it is kept, so it is not shown")]
    FileDamaged,
}

impl Reason for FileError {
    fn kind(&self) -> Kind {
        match self {
            Self::UnknownFileStorage | Self::NoBucket | Self::UnusableBucket(_) => Kind::Invalid,
            Self::FileNotFound => Kind::NotFound,
            Self::FileStorageUnreachable | Self::FileNotStored | Self::FileStorageFull => Kind::Unavailable,
            Self::FileDamaged => Kind::Damaged,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        (self.kind() == Kind::Unavailable).then_some(1)
    }
}
