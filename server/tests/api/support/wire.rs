//! Raw HTTP, for misbehaving clients.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Far longer than any step takes, so only a hang exceeds it.
const TIMEOUT: Duration = Duration::from_secs(40);

/// A connection to the server.
pub struct Wire {
    stream: TcpStream,
    /// Received bytes that are not yet part of an answer.
    received: Vec<u8>,
}

impl Wire {
    pub async fn open(server: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(server).await.expect("the server accepts"), received: Vec::new() }
    }

    /// Connects from a local address such as 127.0.0.2.
    pub async fn open_from(local: IpAddr, server: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::new(local, 0)).expect("the address is ours");
        Self { stream: socket.connect(server).await.expect("the server accepts"), received: Vec::new() }
    }

    /// Sends bytes. Returns false if the server has closed the connection.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        let sent = tokio::time::timeout(TIMEOUT, self.stream.write_all(bytes.as_ref())).await;
        sent.expect("the server reads or closes").is_ok()
    }

    /// Waits until the server has read everything that was sent.
    pub async fn until_read(&self) {
        let port =
            |address: std::io::Result<SocketAddr>| format!("{:04X}", address.expect("a connected socket").port());
        let (here, there) = (port(self.stream.local_addr()), port(self.stream.peer_addr()));
        for _ in 0..2_000 {
            let table = std::fs::read_to_string("/proc/net/tcp").expect("the table of TCP connections");
            // The send and receive queues of both ends.
            let mut queues = table.lines().skip(1).filter_map(|line| {
                let columns: Vec<&str> = line.split_whitespace().collect();
                let (local, remote) = (columns[1].rsplit(':').next()?, columns[2].rsplit(':').next()?);
                let is_ours = (local == here && remote == there) || (local == there && remote == here);
                is_ours.then(|| columns[4].to_owned())
            });
            if queues.all(|queue| queue == "00000000:00000000") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the server does not read");
    }

    /// The status and body of the next answer. None if the server closes the connection without one.
    pub async fn answer(&mut self) -> Option<(u16, String)> {
        loop {
            if let Some((answer, length)) = parse(&self.received) {
                self.received.drain(..length);
                return Some(answer);
            }
            if !self.receive().await {
                return None;
            }
        }
    }

    /// The status of the next answer, without reading its body.
    pub async fn begin_answer(&mut self) -> Option<u16> {
        self.head().await?.split(' ').nth(1)?.parse().ok()
    }

    /// The status line and the headers of the next answer in lower case, without reading its body.
    pub async fn head(&mut self) -> Option<String> {
        while !self.received.windows(4).any(|four| four == b"\r\n\r\n") {
            if !self.receive().await {
                return None;
            }
        }
        Some(String::from_utf8_lossy(&self.received).to_lowercase())
    }

    /// Requests a page and returns its status. The connection stays open.
    pub async fn get(&mut self, path: &str) -> Option<u16> {
        self.send(format!("GET {path} HTTP/1.1\r\nhost: desk\r\n\r\n")).await;
        self.answer().await.map(|(status, _)| status)
    }

    /// Waits until the server closes the connection. Returns how many unread bytes it sent before.
    pub async fn until_closed(&mut self) -> usize {
        while self.receive().await {}
        self.received.len()
    }

    /// Receives more bytes. Returns false at the end.
    async fn receive(&mut self) -> bool {
        let received = tokio::time::timeout(TIMEOUT, self.stream.read_buf(&mut self.received)).await;
        received.expect("the server responds or closes").is_ok_and(|bytes| bytes > 0)
    }
}

/// The first complete answer in `received`, with its length in bytes.
fn parse(received: &[u8]) -> Option<((u16, String), usize)> {
    let head = received.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&received[..head]).to_lowercase();
    let status = text.split(' ').nth(1)?.parse().ok()?;
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let end = head + length.unwrap_or(0);
    let body = received.get(head..end)?;
    Some(((status, String::from_utf8_lossy(body).into_owned()), end))
}
