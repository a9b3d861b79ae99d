//! An S3 server for one test, and a proxy in front of it that simulates network faults.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use object_store::aws::AmazonS3Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use visadesk::files::Files;

pub const BUCKET: &str = "desk-files";
const ACCESS_KEY: &str = "AKIDESKTEST";
const SECRET_KEY: &str = "a-secret-of-the-tests";

/// An S3 server over a folder that is deleted after the test.
pub struct S3 {
    pub address: SocketAddr,
    folder: TempDir,
}

impl S3 {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the store");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let storage = s3s_fs::FileSystem::new(folder.path()).expect("the store opens");
        let mut service = S3ServiceBuilder::new(storage);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service.clone());
                tokio::spawn(connection);
            }
        });
        Self { address, folder }
    }

    /// The storage, as the program opens it, at `address`.
    pub fn files_at(&self, address: SocketAddr) -> Files {
        let settings = AmazonS3Builder::new()
            .with_endpoint(format!("http://{address}"))
            .with_region("us-east-1")
            .with_access_key_id(ACCESS_KEY)
            .with_secret_access_key(SECRET_KEY);
        Files::in_s3(settings, &format!("{BUCKET}/papers")).expect("the storage opens")
    }

    /// The environment variables that configure the program for it.
    pub fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("VISADESK_FILES_URL", format!("s3://{BUCKET}/papers")),
            ("AWS_ENDPOINT", format!("http://{}", self.address)),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        ]
    }

    /// Overwrites an object without the program.
    pub fn overwrite(&self, key: &str, content: &[u8]) {
        std::fs::write(self.folder.path().join(BUCKET).join("papers").join(key), content)
            .expect("the object is written");
    }

    /// Removes an object without the program.
    pub fn remove(&self, key: &str) {
        std::fs::remove_file(self.folder.path().join(BUCKET).join("papers").join(key)).expect("the object is removed");
    }

    /// The keys of its objects.
    pub fn keys(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join(BUCKET).join("papers")) else { return Vec::new() };
        let mut keys: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
        keys.sort();
        keys
    }
}

/// A fault between the program and its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    None,
    /// Each connection is closed at once.
    Down,
    /// Responses never arrive.
    Silent,
    /// Two kilobytes a second.
    Slow,
    /// Responses end after 600 bytes.
    Cut,
    /// One bit at the end of each chunk of a response is flipped.
    Flip,
}

impl Fault {
    const ALL: [Self; 6] = [Self::None, Self::Down, Self::Silent, Self::Slow, Self::Cut, Self::Flip];
}

/// A proxy to an upstream server, with a fault that the test sets.
pub struct Proxy {
    pub address: SocketAddr,
    fault: Arc<AtomicU8>,
}

impl Proxy {
    pub async fn before(upstream: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let fault = Arc::new(AtomicU8::new(Fault::None as u8));
        let current = fault.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if current_fault(&current) == Fault::Down {
                    continue;
                }
                let Ok(server) = TcpStream::connect(upstream).await else { continue };
                let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
                tokio::spawn(forward(from_client, to_server, current.clone(), Direction::Request));
                tokio::spawn(forward(from_server, to_client, current.clone(), Direction::Response));
            }
        });
        Self { address, fault }
    }

    /// Sets the fault, also for open connections.
    pub fn set(&self, fault: Fault) {
        self.fault.store(fault as u8, Ordering::SeqCst);
    }
}

fn current_fault(fault: &AtomicU8) -> Fault {
    Fault::ALL[usize::from(fault.load(Ordering::SeqCst))]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Request,
    Response,
}

async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    fault: Arc<AtomicU8>,
    direction: Direction,
) {
    let (mut buffer, mut forwarded) = (vec![0; 16 * 1024], 0);
    loop {
        let Ok(bytes) = from.read(&mut buffer).await else { return };
        if bytes == 0 {
            return;
        }
        let chunk = &mut buffer[..bytes];
        match (current_fault(&fault), direction) {
            (Fault::None, _) => {}
            (Fault::Down, _) => return,
            (Fault::Silent, Direction::Response) => std::future::pending().await,
            (Fault::Slow, _) => tokio::time::sleep(Duration::from_millis(bytes as u64 / 2)).await,
            (Fault::Cut, Direction::Response) if forwarded + bytes > 600 => {
                let _ = to.write_all(&chunk[..600_usize.saturating_sub(forwarded)]).await;
                return;
            }
            // The end of a chunk is content if the response has any.
            (Fault::Flip, Direction::Response) => chunk[bytes - 1] ^= 1,
            _ => {}
        }
        forwarded += bytes;
        if to.write_all(chunk).await.is_err() {
            return;
        }
    }
}
