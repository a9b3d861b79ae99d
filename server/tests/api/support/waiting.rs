//! Waiting for an event, with a limit.

use std::time::Duration;

/// Far longer than anything takes on a slow machine, so only a hang exceeds it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The pause between two questions.
const PAUSE: Duration = Duration::from_millis(20);

/// Asks until there is something, and returns it. Panics with `what` when that takes longer than [`PATIENCE`].
pub async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let found = tokio::time::timeout(PATIENCE, asking).await;
    found.unwrap_or_else(|_| panic!("this did not happen within {PATIENCE:?}: {what}"))
}
