//! The listener: hyper with timeouts for slow clients, and limits on connections.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::address::{ClientAddress, ClientNetwork, Peer};
use super::kit::Kit;
use super::proxy_protocol;
use super::staff_networks::StaffNetworks;
use crate::config::Limits;
use crate::config::proxies::{ClientSource, TrustedProxies};

/// The pause of the listener when the process has no file descriptor left.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(100);

/// The part of all connections that is kept for networks of staff, and for trusted proxies: one in so many.
const KEPT_FOR_STAFF: usize = 10;

/// The connections of a network of staff, as a multiple of those of another address.
const OFFICE: usize = 5;

/// The connections that a listener accepts, and whom they count for.
pub struct Connections<'a> {
    pub limits: &'a Limits,
    pub proxies: &'a TrustedProxies,
    /// Where a trusted proxy names its client.
    pub source: ClientSource,
    pub staff: &'a StaffNetworks,
}

impl<'a> Connections<'a> {
    /// The connections to the program's own address.
    pub fn of(kit: &'a Kit) -> Self {
        let (limits, source) = (&kit.config.limits, kit.config.client_source);
        Self { limits, proxies: &kit.proxies, source, staff: &kit.staff_networks }
    }
}

/// Serves `router` on `listener` until `stop` resolves, then gives open requests their time to finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    Connections { limits, proxies, source, staff }: Connections<'_>,
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
    let limiter = ConnectionLimiter {
        permits: Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS))),
        kept: limits.connections / KEPT_FOR_STAFF,
        staff: staff.clone(),
        open: Arc::default(),
        max_per_address: limits.connections_per_address,
    };
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
        // A connection over the limit is closed at once: a queue would only hold file descriptors.
        let Some(permit) = limiter.acquire(peer.ip(), proxies) else { continue };
        let announces = source == ClientSource::ProxyProtocol && proxies.contain(peer.ip().to_canonical());
        let (http, router, watcher) = (http.clone(), router.clone(), graceful.watcher());
        let head_time = Duration::from_secs(limits.head_seconds);
        tokio::spawn(async move {
            let _permit = permit;
            let Some((stream, client)) = with_client(stream, peer, announces, head_time).await else { return };
            let service = TowerToHyperService::new(with_peer(router, client));
            // An error here is a client that broke the connection.
            let _ = watcher.watch(http.serve_connection(io(stream, write_idle), service)).await;
        });
    }
    drop(listener);
    let seconds = limits.stop_seconds;
    if tokio::time::timeout(Duration::from_secs(seconds), graceful.shutdown()).await.is_err() {
        tracing::warn!(seconds, "requests were still running at the end of the grace period and were aborted");
    }
}

/// Returns the connection with its client's address: that of the peer, or the one that a proxy sends first. Returns none if the proxy sends no
/// valid header.
async fn with_client(
    mut stream: TcpStream,
    peer: SocketAddr,
    announces: bool,
    time: Duration,
) -> Option<(TcpStream, SocketAddr)> {
    if !announces {
        return Some((stream, peer));
    }
    let read = tokio::time::timeout(time, proxy_protocol::read_client(&mut stream)).await;
    match read.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into())) {
        Ok(client) => Some((stream, client.unwrap_or(peer))),
        // A proxy that looks whether we listen sends nothing.
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => None,
        Err(error) => {
            let proxy = peer.ip();
            tracing::warn!(%error, %proxy, "a connection of a trusted proxy was closed. Does it send what client_source says?");
            None
        }
    }
}

fn io(stream: TcpStream, write_idle: Duration) -> TokioIo<std::pin::Pin<Box<TimeoutStream<TcpStream>>>> {
    // Nagle's algorithm would delay a small response until the client acknowledges the previous one.
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

/// Limits open connections, in all and for each client address.
#[derive(Clone)]
struct ConnectionLimiter {
    permits: Arc<Semaphore>,
    /// The last permits, which strangers do not get.
    kept: usize,
    staff: StaffNetworks,
    /// Open connections by address, or by network for IPv6.
    open: Arc<Mutex<HashMap<String, usize>>>,
    max_per_address: usize,
}

/// The right to one open connection, returned when it is dropped.
struct ConnectionPermit {
    limiter: ConnectionLimiter,
    address: String,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionLimiter {
    /// Returns a permit for one more connection, unless a limit is reached. A trusted proxy has no limit of its own, because all
    /// clients arrive through it.
    fn acquire(&self, address: IpAddr, proxies: &TrustedProxies) -> Option<ConnectionPermit> {
        let client = ClientAddress(address.to_canonical());
        let is_proxy = proxies.contain(client.0);
        if self.permits.available_permits() <= self.kept && !is_proxy && !self.staff.contain(client.network()) {
            return None;
        }
        let permit = self.permits.clone().try_acquire_owned().ok()?;
        let max = match () {
            () if is_proxy => usize::MAX,
            // One office is one address, and each of its browsers has a stream of changes.
            () if self.staff.contain(client.network()) => self.max_per_address.saturating_mul(OFFICE),
            () => self.max_per_address,
        };
        let address = client.bucket(ClientNetwork::Subscriber);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(ConnectionPermit { limiter: self.clone(), address, _permit: permit })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limiter.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}
