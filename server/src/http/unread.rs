//! The rest of a request's body that its handler left unread.
//!
//! hyper closes a connection whose request was answered before all of its body had arrived, and does not say so. A client or a proxy that
//! keeps connections sends its next request into the closing connection, and loses it (RFC 9112, section 9.6). So a short rest is
//! read, and a long one announces the end of the connection.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};

/// A rest that is read to keep the connection, in bytes. A new connection costs about as much.
const MAX_REST: u64 = 64 * 1024;

/// The time that a rest may take to arrive.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// The present holder of a request's body.
enum BodyState {
    /// A handler, or a task of its own, has it.
    Held,
    /// It was dropped, at this point.
    Dropped(Body),
}

/// Follows the body of one request, if it has one.
pub struct BodyWatch {
    state: Option<Arc<Mutex<BodyState>>>,
    /// The client sends its body after "100 Continue" alone, and none after any other response.
    awaits_continue: bool,
}

impl BodyWatch {
    /// Begins to follow the body of `request`.
    pub fn follow(request: Request) -> (Self, Request) {
        let awaits_continue = request.headers().contains_key(header::EXPECT);
        if request.body().is_end_stream() {
            return (Self { state: None, awaits_continue }, request);
        }
        let state = Arc::new(Mutex::new(BodyState::Held));
        let watch = Self { state: Some(state.clone()), awaits_continue };
        (watch, request.map(|body| Body::new(WatchedBody { body, state })))
    }

    /// Reads a short rest, or announces in `response` that the connection ends with it.
    pub async fn settle(self, mut response: Response) -> Response {
        let Some(state) = self.state else { return response };
        let state = std::mem::replace(&mut *state.lock().unwrap_or_else(PoisonError::into_inner), BodyState::Held);
        let is_read = match state {
            BodyState::Held => false,
            BodyState::Dropped(body) => body.is_end_stream() || (!self.awaits_continue && read(body).await),
        };
        if !is_read {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// Reads `body` to its end. Returns false if it is too long, too slow, or broken.
async fn read(mut body: Body) -> bool {
    if body.size_hint().lower() > MAX_REST {
        return false;
    }
    let mut bytes = 0;
    let to_end = async {
        while let Some(frame) = body.frame().await {
            bytes += frame.ok()?.data_ref().map_or(0, |data| data.len() as u64);
            (bytes <= MAX_REST).then_some(())?;
        }
        Some(())
    };
    tokio::time::timeout(MAX_WAIT, to_end).await.is_ok_and(|read| read.is_some())
}

/// A body that is put back when it is dropped.
struct WatchedBody {
    body: Body,
    state: Arc<Mutex<BodyState>>,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        let body = std::mem::take(&mut self.body);
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = BodyState::Dropped(body);
    }
}
