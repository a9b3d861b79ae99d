//! An S3 server of its own for a test, and the network before it, with its faults.

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

/// An S3 server over a folder that goes with the test.
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

    /// The storage, as the program opens it, reached at `address`.
    pub fn files_at(&self, address: SocketAddr) -> Files {
        let settings = AmazonS3Builder::new()
            .with_endpoint(format!("http://{address}"))
            .with_region("us-east-1")
            .with_access_key_id(ACCESS_KEY)
            .with_secret_access_key(SECRET_KEY);
        Files::in_s3(settings, &format!("{BUCKET}/papers")).expect("the storage opens")
    }

    /// What the program's environment says of it.
    pub fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("VISADESK_FILES_URL", format!("s3://{BUCKET}/papers")),
            ("AWS_ENDPOINT", format!("http://{}", self.address)),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        ]
    }

    /// Changes an object behind the program's back.
    pub fn overwrite(&self, key: &str, content: &[u8]) {
        std::fs::write(self.folder.path().join(BUCKET).join("papers").join(key), content).expect("it is written");
    }

    /// Removes an object behind the program's back.
    pub fn remove(&self, key: &str) {
        std::fs::remove_file(self.folder.path().join(BUCKET).join("papers").join(key)).expect("it is removed");
    }

    /// The names of its objects.
    pub fn keys(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join(BUCKET).join("papers")) else { return Vec::new() };
        let mut keys: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
        keys.sort();
        keys
    }
}

/// What goes wrong between the program and its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    None,
    /// Connections are closed as soon as they are made.
    Down,
    /// Nothing is ever answered.
    Silent,
    /// Two kilobytes a second.
    Slow,
    /// Answers break off after 600 bytes.
    Cut,
    /// A bit of each answer's end is another.
    Flip,
}

impl Fault {
    const ALL: [Self; 6] = [Self::None, Self::Down, Self::Silent, Self::Slow, Self::Cut, Self::Flip];
}

/// A way to `upstream` that can be troubled.
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
                if now(&current) == Fault::Down {
                    continue;
                }
                let Ok(server) = TcpStream::connect(upstream).await else { continue };
                let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
                tokio::spawn(pass(from_client, to_server, current.clone(), Direction::Asks));
                tokio::spawn(pass(from_server, to_client, current.clone(), Direction::Answers));
            }
        });
        Self { address, fault }
    }

    /// From now on this goes wrong, also on connections that are open.
    pub fn set(&self, fault: Fault) {
        self.fault.store(fault as u8, Ordering::SeqCst);
    }
}

fn now(fault: &AtomicU8) -> Fault {
    Fault::ALL[usize::from(fault.load(Ordering::SeqCst))]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Asks,
    Answers,
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    fault: Arc<AtomicU8>,
    direction: Direction,
) {
    let (mut buffer, mut passed) = (vec![0; 16 * 1024], 0);
    loop {
        let Ok(bytes) = from.read(&mut buffer).await else { return };
        if bytes == 0 {
            return;
        }
        let chunk = &mut buffer[..bytes];
        match (now(&fault), direction) {
            (Fault::None, _) => {}
            (Fault::Down, _) => return,
            (Fault::Silent, Direction::Answers) => std::future::pending().await,
            (Fault::Slow, _) => tokio::time::sleep(Duration::from_millis(bytes as u64 / 2)).await,
            (Fault::Cut, Direction::Answers) if passed + bytes > 600 => {
                let _ = to.write_all(&chunk[..600_usize.saturating_sub(passed)]).await;
                return;
            }
            // The end of a chunk is content, where the answer has any.
            (Fault::Flip, Direction::Answers) => chunk[bytes - 1] ^= 1,
            _ => {}
        }
        passed += bytes;
        if to.write_all(chunk).await.is_err() {
            return;
        }
    }
}
