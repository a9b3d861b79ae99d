//! Why a file cannot be stored or read.

use derive::Reason;

use crate::error::{Reason, Refusals};

/// Why a file cannot be stored or read.
#[derive(Debug, thiserror::Error, Reason)]
pub enum FileError {
    #[error("files_url must be empty for the data folder, file:// and a folder, or s3:// and a bucket")]
    #[reason(Invalid)]
    UnknownFileStorage,
    #[error("files_url names no bucket. It looks like s3://bucket or s3://bucket/prefix")]
    #[reason(Invalid)]
    NoBucket,
    #[error("files_url: S3 cannot be used: {0}")]
    #[reason(Invalid)]
    UnusableBucket(object_store::Error),
    #[error("The file no longer exists")]
    #[reason(NotFound)]
    FileNotFound,
    #[error("The file storage does not answer. Please try again")]
    #[reason(Unavailable)]
    FileStorageUnreachable,
    #[error("The file storage does not answer, nothing was saved. Please try again")]
    #[reason(Unavailable)]
    FileNotStored,
    #[error("Storage is full, nothing was saved")]
    #[reason(Unavailable)]
    FileStorageFull,
    #[error("This file was changed or damaged where it is kept, so it is not shown")]
    #[reason(Damaged)]
    FileDamaged,
}

/// The errors of storing a file.
#[derive(Debug)]
pub struct StorageErrors;

impl Refusals for StorageErrors {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![
            Box::new(FileError::FileNotStored),
            Box::new(FileError::FileStorageUnreachable),
            Box::new(FileError::FileStorageFull),
        ]
    }
}

/// The errors of reading a stored file.
#[derive(Debug)]
pub struct ReadErrors;

impl Refusals for ReadErrors {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![
            Box::new(FileError::FileNotFound),
            Box::new(FileError::FileStorageUnreachable),
            Box::new(FileError::FileDamaged),
        ]
    }
}
