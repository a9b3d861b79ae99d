//! Which links were noted as opened, so that reading a file page by page is one note in the access log.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::error::Result;
use crate::timestamp::Timestamp;

/// The links that were opened in this process and are still valid, by their signature.
#[derive(Debug, Default)]
pub struct NotedLinks(Mutex<HashMap<String, NotedLink>>);

#[derive(Debug)]
struct NotedLink {
    /// Seconds since 1970.
    expiry: i64,
    note: Arc<OnceCell<()>>,
}

impl NotedLinks {
    /// Calls `note` unless it has succeeded for the link of this signature, which expires at `expiry` (seconds since 1970). Returns when it
    /// has, also for a second caller at the same time.
    ///
    /// # Errors
    /// Those of `note`. The next caller tries again.
    pub async fn once(
        &self,
        signature: &str,
        expiry: i64,
        now: Timestamp,
        note: impl AsyncFnOnce() -> Result<()>,
    ) -> Result<()> {
        let noted = {
            let mut links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            links.retain(|_, noted| noted.expiry >= now.timestamp());
            let noted = links.entry(signature.to_owned());
            noted.or_insert_with(|| NotedLink { expiry, note: Arc::default() }).note.clone()
        };
        noted.get_or_try_init(move || note()).await.map(|&()| ())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::http::errors::HttpError;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH + chrono::TimeDelta::seconds(seconds)
    }

    #[tokio::test]
    async fn a_link_is_noted_once_and_again_only_after_a_note_that_failed() {
        let (links, notes) = (NotedLinks::default(), Cell::new(0));
        let note = async |succeeds: bool| {
            let count = async || {
                notes.set(notes.get() + 1);
                if succeeds { Ok(()) } else { Err(HttpError::NotReady.into()) }
            };
            links.once("one", 300, at(0), count).await.is_ok()
        };
        assert!(!note(false).await && note(true).await && note(true).await && note(false).await);
        assert_eq!(notes.get(), 2);
    }

    #[tokio::test]
    async fn a_link_that_has_expired_is_forgotten() {
        let links = NotedLinks::default();
        for (name, expiry, now) in [("one", 300, 0), ("two", 700, 300), ("three", 900, 301)] {
            links.once(name, expiry, at(now), async || Ok(())).await.unwrap();
        }
        let mut names: Vec<_> = links.0.lock().unwrap().keys().cloned().collect();
        names.sort();
        assert_eq!(names, ["three", "two"]);
    }
}
