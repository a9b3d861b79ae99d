//! HTTP by the byte, for clients that misbehave.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Far more than anything here takes: only what hangs takes longer.
const PATIENCE: Duration = Duration::from_secs(40);

/// A connection to the server.
pub struct Wire {
    stream: TcpStream,
    /// Received, and not yet part of an answer.
    received: Vec<u8>,
}

impl Wire {
    pub async fn open(server: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(server).await.expect("the server accepts"), received: Vec::new() }
    }

    /// From an address of this machine's own, such as 127.0.0.2.
    pub async fn open_from(local: IpAddr, server: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::new(local, 0)).expect("the address is ours");
        Self { stream: socket.connect(server).await.expect("the server accepts"), received: Vec::new() }
    }

    /// Sends bytes. The server may have closed by now: answers whether they went out.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        let sent = tokio::time::timeout(PATIENCE, self.stream.write_all(bytes.as_ref())).await;
        sent.expect("the server reads on, or closes").is_ok()
    }

    /// Waits until the server has read all that was sent.
    pub async fn until_read(&self) {
        let port = |address: std::io::Result<SocketAddr>| format!("{:04X}", address.expect("it is connected").port());
        let (here, there) = (port(self.stream.local_addr()), port(self.stream.peer_addr()));
        for _ in 0..2_000 {
            let table = std::fs::read_to_string("/proc/net/tcp").expect("the connections of this machine");
            // Of both ends: what is not sent yet, and what is not read yet.
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
        panic!("the server does not read on");
    }

    /// The next answer: its status and its body. None when the server closes without one.
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

    /// Asks for a page and waits for its status, on a connection that stays open.
    pub async fn get(&mut self, path: &str) -> Option<u16> {
        self.send(format!("GET {path} HTTP/1.1\r\nhost: desk\r\n\r\n")).await;
        self.answer().await.map(|(status, _)| status)
    }

    /// Waits until the server closes; answers how many bytes came before.
    pub async fn until_closed(&mut self) -> usize {
        while self.receive().await {}
        self.received.len()
    }

    /// Receives some more; false at the end.
    async fn receive(&mut self) -> bool {
        let received = tokio::time::timeout(PATIENCE, self.stream.read_buf(&mut self.received)).await;
        received.expect("the server answers or closes").is_ok_and(|bytes| bytes > 0)
    }
}

/// The first answer in `received`, if it is whole, and how many bytes it takes.
fn parse(received: &[u8]) -> Option<((u16, String), usize)> {
    let head = received.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&received[..head]).to_lowercase();
    let status = text.split(' ').nth(1)?.parse().ok()?;
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let whole = head + length.unwrap_or(0);
    let body = received.get(head..whole)?;
    Some(((status, String::from_utf8_lossy(body).into_owned()), whole))
}
