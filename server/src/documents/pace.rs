//! The pace of an upload: a client that sends slower than the least rate is given up, so that it cannot hold its permit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use http_body_util::BodyExt;
use tokio::time::{Instant, sleep_until};

/// The time that a client may take to reach the pace.
pub const GRACE: Duration = Duration::from_secs(10);

/// The bytes that have arrived of one body, and since when.
#[derive(Clone, Debug)]
pub struct Pace {
    since: Instant,
    bytes: Arc<AtomicU64>,
    bytes_per_second: u64,
}

impl Pace {
    /// Counts the bytes of the body of `request` as they are read.
    pub fn measure(request: Request, bytes_per_second: u64) -> (Self, Request) {
        let pace = Self { since: Instant::now(), bytes: Arc::default(), bytes_per_second };
        let bytes = pace.bytes.clone();
        let counted = request.map(|body| {
            Body::new(body.map_frame(move |frame| {
                let len = frame.data_ref().map_or(0, Bytes::len);
                bytes.fetch_add(len as u64, Ordering::Relaxed);
                frame
            }))
        });
        (pace, counted)
    }

    /// Resolves when the client has fallen behind. Never, if it sends fast enough or there is no least rate.
    pub async fn fallen_behind(self) {
        loop {
            let bytes = self.bytes.load(Ordering::Relaxed);
            let Some(seconds) = bytes.checked_div(self.bytes_per_second) else { return std::future::pending().await };
            sleep_until(self.since + GRACE + Duration::from_secs(seconds)).await;
            if self.bytes.load(Ordering::Relaxed) == bytes {
                return;
            }
        }
    }
}
