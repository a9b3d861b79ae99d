//! The listener: hyper with a timer, so that slow heads, slow bodies and slow readers are let go, and a cap on connections.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::address::{ClientAddress, Peer};
use crate::config::Limits;
use crate::config::proxies::TrustedProxies;

/// How long the listener rests when the process has no file descriptor left.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(100);

/// Serves `router` on `listener` until `stop`, then lets open requests end for as long as the limits say.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    proxies: &TrustedProxies,
    stop: impl Future<Output = ()>,
) {
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(limits.head_seconds))
        .max_buf_size(16 * 1024)
        .max_headers(64)
        .keep_alive(true);
    let write_idle = Duration::from_secs(limits.write_idle_seconds);
    let graceful = GracefulShutdown::new();
    let seats = Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS)));
    let guests = Guests { seated: Arc::default(), most: limits.connections_per_address };
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "no connection can be accepted");
                    tokio::time::sleep(OUT_OF_DESCRIPTORS).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // Who finds no seat is let go at once: waiting for one would keep it from those who have one.
        let Ok(seat) = seats.clone().try_acquire_owned() else { continue };
        let Some(guest) = guests.seat(peer.ip(), proxies) else { continue };
        let connection =
            http.serve_connection(io(stream, write_idle), TowerToHyperService::new(with_peer(router.clone(), peer)));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks off is none of our business.
            let _ = connection.await;
            drop((seat, guest));
        });
    }
    drop(listener);
    let seconds = limits.stop_seconds;
    if tokio::time::timeout(Duration::from_secs(seconds), graceful.shutdown()).await.is_err() {
        tracing::warn!(seconds, "requests were still running after the time they had to end, and were cut off");
    }
}

fn io(stream: TcpStream, write_idle: Duration) -> TokioIo<std::pin::Pin<Box<TimeoutStream<TcpStream>>>> {
    // Without this a small answer may wait for the client's acknowledgement of the one before.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(write_idle));
    TokioIo::new(Box::pin(stream))
}

fn with_peer(
    router: Router,
    peer: SocketAddr,
) -> impl tower::Service<
    hyper::Request<hyper::body::Incoming>,
    Response = axum::response::Response,
    Error = std::convert::Infallible,
    Future: Send,
> + Clone {
    router.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        request.map(axum::body::Body::new)
    })
}

/// Open connections by address, or network of IPv6.
#[derive(Clone)]
struct Guests {
    seated: Arc<Mutex<HashMap<String, usize>>>,
    most: usize,
}

/// One open connection of an address.
struct Guest {
    guests: Guests,
    address: String,
}

impl Guests {
    /// A seat for one more connection, if the address may have one. A trusted proxy brings everybody, so it is not counted
    /// as one guest.
    fn seat(&self, address: IpAddr, proxies: &TrustedProxies) -> Option<Guest> {
        let most = if proxies.hold(address.to_canonical()) { usize::MAX } else { self.most };
        let address = ClientAddress(address.to_canonical()).bucket();
        let mut seated = self.seated.lock().unwrap_or_else(PoisonError::into_inner);
        let count = seated.entry(address.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Guest { guests: self.clone(), address })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut seated = self.guests.seated.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = seated.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                seated.remove(&self.address);
            }
        }
    }
}
