//! Sends a file at the pace of its reader. It is whole in memory, and keeps its permit, until its last byte is handed to the connection,
//! or until its reader has fallen behind the least pace.

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::Documents;
use super::links::OpenedBy;
use super::memory_permits::MemoryPermit;
use super::pace::GRACE;
use crate::error::Result;

/// The part of a file that is handed to the connection at once.
const CHUNK: usize = 64 * 1024;

/// A file in memory, as the body of a response.
pub struct FileBody {
    content: Bytes,
    _permit: MemoryPermit,
    bytes_per_second: u64,
}

impl Documents {
    /// Waits until `size_bytes` may be held in memory for this viewer.
    ///
    /// # Errors
    /// [`super::errors::DocumentError::DownloadsBusy`] after five seconds.
    pub async fn reserve(&self, viewer: &OpenedBy, size_bytes: usize) -> Result<MemoryPermit> {
        let caller = match viewer {
            OpenedBy::Staff(reader) => format!("staff {:?}", reader.by.staff_id),
            OpenedBy::Visitor(order_id) => format!("order {order_id}"),
        };
        self.downloads.acquire(&caller, size_bytes).await
    }
}

impl FileBody {
    /// Sends `content`, for all of which the caller has a permit, to a reader who takes at least `bytes_per_second` on average after the
    /// first ten seconds; 0: any pace.
    pub fn new(content: Bytes, permit: MemoryPermit, bytes_per_second: u64) -> Self {
        Self { content, _permit: permit, bytes_per_second }
    }

    /// Hands the content over, chunk by chunk. Ends early when the connection is gone or its reader is too slow.
    async fn run(self, chunks: mpsc::Sender<Bytes>) {
        let (begun, mut sent) = (Instant::now(), 0_u64);
        for chunk in self.content.chunks(CHUNK) {
            // A copy: a slice that waits in the connection would keep the whole file in memory.
            let taken = chunks.send(Bytes::copy_from_slice(chunk));
            let is_taken = match sent.checked_div(self.bytes_per_second) {
                Some(seconds) => timeout_at(begun + GRACE + Duration::from_secs(seconds), taken)
                    .await
                    .is_ok_and(|taken| taken.is_ok()),
                None => taken.await.is_ok(),
            };
            if !is_taken {
                return;
            }
            sent += chunk.len() as u64;
        }
    }
}

impl IntoResponse for FileBody {
    fn into_response(self) -> Response {
        let length = self.content.len();
        let (chunks, received) = mpsc::channel(1);
        // A task of its own: a connection whose reader pauses does not ask for more, and would hold the file while it waits.
        tokio::spawn(self.run(chunks));
        let body = stream::unfold((received, length), async |(mut received, left)| match received.recv().await {
            Some(chunk) => {
                let left = left - chunk.len();
                Some((Ok(chunk), (received, left)))
            }
            // An error breaks the connection, so that the reader does not take a part for the whole.
            None => (left > 0).then(|| (Err(io::Error::from(io::ErrorKind::TimedOut)), (received, 0))),
        });
        ([(header::CONTENT_LENGTH, length)], Body::from_stream(body)).into_response()
    }
}
