//! Runs what blocks on a thread of its own.

use crate::error::{Error, Result};

/// Runs `work` on a thread for blocking work.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
