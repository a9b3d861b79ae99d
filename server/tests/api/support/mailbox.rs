//! SMTP servers for tests: one that implements the protocol and records mails, and one that simulates faults.

use std::io;
use std::net::{SocketAddr, TcpListener as BlockingListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mail_parser::{Message, MessageParser};
use mailin::{Handler, Response, SessionBuilder, response};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::smtp;

/// A mail as the server received it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedMail {
    /// The recipients of the envelope.
    pub to: Vec<String>,
    pub text: String,
}

impl ReceivedMail {
    pub fn message(&self) -> Message<'_> {
        MessageParser::default().parse(&self.text).expect("the mail can be parsed")
    }

    pub fn message_id(&self) -> String {
        self.message().message_id().expect("the mail has an id").to_owned()
    }

    /// A header of the mail, with folded lines joined.
    pub fn header(&self, name: &str) -> Option<String> {
        let text = self.text.replace("\r\n ", " ");
        let (headers, _) = text.split_once("\r\n\r\n").expect("headers and a body");
        let line = headers.lines().find(|line| line.to_lowercase().starts_with(&format!("{}:", name.to_lowercase())));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    }
}

/// A server that accepts every mail.
pub struct Mailbox {
    pub address: SocketAddr,
    mails: Arc<Mutex<Vec<ReceivedMail>>>,
}

#[derive(Clone, Default)]
struct Recorder {
    mails: Arc<Mutex<Vec<ReceivedMail>>>,
    current: ReceivedMail,
}

impl Handler for Recorder {
    fn data_start(&mut self, _domain: &str, _from: &str, _is8bit: bool, to: &[String]) -> Response {
        self.current = ReceivedMail { to: to.to_vec(), text: String::new() };
        response::OK
    }

    fn data(&mut self, line: &[u8]) -> io::Result<()> {
        self.current.text.push_str(&String::from_utf8_lossy(line));
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        self.mails.lock().expect("the mutex is not poisoned").push(std::mem::take(&mut self.current));
        response::OK
    }
}

impl Mailbox {
    pub fn open() -> Self {
        let listener = BlockingListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let mails = Arc::default();
        let recorder = Recorder { mails: Arc::clone(&mails), current: ReceivedMail::default() };
        smtp::serve(listener, SessionBuilder::new("post.example"), None, recorder);
        Self { address, mails }
    }

    /// The provider URL for the configuration.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn mails(&self) -> Vec<ReceivedMail> {
        self.mails.lock().expect("the mutex is not poisoned").clone()
    }

    /// Waits until `count` mails were received.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedMail> {
        for _ in 0..1_500 {
            let mails = self.mails();
            if mails.len() >= count {
                return mails;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("received {} of {count} mails", self.mails().len());
    }
}

/// A fault of a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Nothing,
    /// The server sends nothing.
    Silent,
    /// The server does not speak SMTP.
    Garbage,
    /// The server replies to this command, or to the end of the text (`.`), with this line.
    Says(&'static str, &'static str),
    /// The server closes the connection after the text, without a reply.
    CutAfterText,
    /// The server closes the connection in the middle of the text.
    CutInText,
    /// The server never replies to the text.
    HangAfterText,
    /// The server delays each reply by this many milliseconds.
    Slow(u64),
    /// The server replies to the text but never to QUIT.
    HangAtQuit,
}

/// A server that simulates a fault.
#[derive(Clone)]
pub struct FaultyServer {
    pub address: SocketAddr,
    fault: Arc<Mutex<Fault>>,
    /// The mails whose text was received completely.
    received: Arc<Mutex<Vec<ReceivedMail>>>,
    connections: Arc<Mutex<usize>>,
    left_at_quit: Arc<Mutex<usize>>,
}

impl FaultyServer {
    pub async fn open(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let server = Self {
            address: listener.local_addr().expect("the listener has an address"),
            fault: Arc::new(Mutex::new(fault)),
            received: Arc::default(),
            connections: Arc::default(),
            left_at_quit: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                *serving.connections.lock().expect("the mutex is not poisoned") += 1;
                let connected = serving.clone();
                // An error means that the client closed the connection.
                tokio::spawn(async move { connected.talk(stream).await.ok() });
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn set(&self, fault: Fault) {
        *self.fault.lock().expect("the mutex is not poisoned") = fault;
    }

    pub fn connections(&self) -> usize {
        *self.connections.lock().expect("the mutex is not poisoned")
    }

    /// The number of clients that closed the connection while they waited for a reply to QUIT.
    pub fn left_at_quit(&self) -> usize {
        *self.left_at_quit.lock().expect("the mutex is not poisoned")
    }

    /// The mails whose text was received completely, acknowledged or not.
    pub fn received(&self) -> Vec<ReceivedMail> {
        self.received.lock().expect("the mutex is not poisoned").clone()
    }

    /// Waits until the condition holds.
    pub async fn wait_until(&self, condition: impl Fn(&Self) -> bool) {
        for _ in 0..1_500 {
            if condition(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("timeout with {} connections, {} mails", self.connections(), self.received().len());
    }

    async fn talk(&self, stream: TcpStream) -> io::Result<()> {
        let fault = *self.fault.lock().expect("the mutex is not poisoned");
        let mut stream = BufReader::new(stream);
        match fault {
            Fault::Silent => std::future::pending().await,
            Fault::Garbage => return stream.write_all(b"\x16\x03\x01\x00\x00 HTTP/1.1 200 OK\r\n\r\n").await,
            _ => {}
        }
        self.reply(&mut stream, fault, "", "220 post.example ESMTP").await?;
        let mut current = ReceivedMail::default();
        let mut line = String::new();
        loop {
            line.clear();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let verb = line.split([' ', ':', '\r']).next().unwrap_or_default().to_uppercase();
            match &*verb {
                "RCPT" => {
                    current.to.push(line.trim().to_owned());
                    self.reply(&mut stream, fault, "RCPT", "250 OK").await?;
                }
                "DATA" => {
                    if !self.reply(&mut stream, fault, "DATA", "354 Go on").await? {
                        continue;
                    }
                    if fault == Fault::CutInText {
                        stream.read_line(&mut line).await?;
                        return Ok(());
                    }
                    let mut mail = std::mem::take(&mut current);
                    mail.text = read_text(&mut stream).await?;
                    self.received.lock().expect("the mutex is not poisoned").push(mail);
                    match fault {
                        Fault::CutAfterText => return Ok(()),
                        Fault::HangAfterText => std::future::pending().await,
                        _ => self.reply(&mut stream, fault, ".", "250 OK queued as 4711").await?,
                    };
                }
                "QUIT" if fault == Fault::HangAtQuit => {
                    stream.read_line(&mut line).await?;
                    *self.left_at_quit.lock().expect("the mutex is not poisoned") += 1;
                    return Ok(());
                }
                "QUIT" => return stream.write_all(b"221 Bye\r\n").await,
                _ => {
                    self.reply(&mut stream, fault, &verb, "250 OK").await?;
                }
            }
        }
    }

    /// Sends a reply. Returns false if it is an error.
    async fn reply(
        &self,
        stream: &mut BufReader<TcpStream>,
        fault: Fault,
        verb: &str,
        usual: &str,
    ) -> io::Result<bool> {
        if let Fault::Slow(milliseconds) = fault {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        }
        let line = match fault {
            Fault::Says(at, line) if at == verb => line,
            _ => usual,
        };
        stream.write_all(format!("{line}\r\n").as_bytes()).await?;
        Ok(line.starts_with(['2', '3']))
    }
}

async fn read_text(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == ".\r\n" {
            return Ok(text);
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
