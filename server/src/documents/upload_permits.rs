//! The cap on the memory of uploads: each is whole in memory, from the first byte of its form until its file is stored.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::errors::DocumentError;
use crate::error::{Error, Result};

/// How long an upload waits for its permit.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Limits the uploads that are held in memory at once.
#[derive(Clone, Debug)]
pub struct UploadPermits(Arc<Semaphore>);

impl UploadPermits {
    /// Permits for `limits.uploads_at_once`.
    pub fn new(uploads_at_once: usize) -> Self {
        Self(Arc::new(Semaphore::new(uploads_at_once.min(Semaphore::MAX_PERMITS))))
    }

    /// Waits for a permit, before anything of the upload is read.
    ///
    /// # Errors
    /// [`DocumentError::UploadsBusy`] after five seconds.
    pub async fn acquire(&self) -> Result<OwnedSemaphorePermit> {
        let acquired = timeout(MAX_WAIT, self.0.clone().acquire_owned()).await;
        acquired.map_err(|_| DocumentError::UploadsBusy)?.map_err(Error::internal)
    }
}
