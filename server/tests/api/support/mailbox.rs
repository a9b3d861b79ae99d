//! Where mails arrive: a real SMTP server that nobody here wrote, and one that misbehaves as it is told.

use std::io;
use std::net::{SocketAddr, TcpListener as BlockingListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mail_parser::{Message, MessageParser};
use mailin::{Handler, Response, SessionBuilder, response};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::smtp;

/// A mail as it arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// The recipients of the envelope.
    pub to: Vec<String>,
    pub text: String,
}

impl Arrived {
    pub fn message(&self) -> Message<'_> {
        MessageParser::default().parse(&self.text).expect("the mail can be read")
    }

    pub fn message_id(&self) -> String {
        self.message().message_id().expect("it has an id").to_owned()
    }

    /// A head as it stands in the mail, folded lines joined.
    pub fn head(&self, name: &str) -> Option<String> {
        let text = self.text.replace("\r\n ", " ");
        let (heads, _) = text.split_once("\r\n\r\n").expect("heads and a body");
        let line = heads.lines().find(|line| line.to_lowercase().starts_with(&format!("{}:", name.to_lowercase())));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    }
}

/// A server that takes everything.
pub struct Mailbox {
    pub address: SocketAddr,
    arrived: Arc<Mutex<Vec<Arrived>>>,
}

#[derive(Clone, Default)]
struct Taking {
    arrived: Arc<Mutex<Vec<Arrived>>>,
    now: Arrived,
}

impl Handler for Taking {
    fn data_start(&mut self, _domain: &str, _from: &str, _is8bit: bool, to: &[String]) -> Response {
        self.now = Arrived { to: to.to_vec(), text: String::new() };
        response::OK
    }

    fn data(&mut self, line: &[u8]) -> io::Result<()> {
        self.now.text.push_str(&String::from_utf8_lossy(line));
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        self.arrived.lock().expect("nobody panics").push(std::mem::take(&mut self.now));
        response::OK
    }
}

impl Mailbox {
    pub fn open() -> Self {
        let listener = BlockingListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let arrived = Arc::default();
        let taking = Taking { arrived: Arc::clone(&arrived), now: Arrived::default() };
        smtp::serve(listener, SessionBuilder::new("post.example"), None, taking);
        Self { address, arrived }
    }

    /// Its address, as the configuration has it.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn mails(&self) -> Vec<Arrived> {
        self.arrived.lock().expect("nobody panics").clone()
    }

    /// Waits until so many mails have arrived.
    pub async fn wait_for(&self, count: usize) -> Vec<Arrived> {
        for _ in 0..1_500 {
            let mails = self.mails();
            if mails.len() >= count {
                return mails;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{} mails of {count} have arrived", self.mails().len());
    }
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Nothing,
    /// Says nothing at all.
    Silent,
    /// Says something that is no SMTP.
    Garbage,
    /// Answers this verb, or the text (`.`), with these words.
    Says(&'static str, &'static str),
    /// Closes after the text, without an answer.
    CutAfterText,
    /// Closes in the middle of the text.
    CutInText,
    /// Never answers for the text.
    HangAfterText,
    /// Answers after that many milliseconds.
    Slow(u64),
    /// Answers for the text, and then never to QUIT.
    HangAtQuit,
}

/// A server that misbehaves.
#[derive(Clone)]
pub struct Faulty {
    pub address: SocketAddr,
    fault: Arc<Mutex<Fault>>,
    /// Mails whose whole text came in, and whether that was said.
    arrived: Arc<Mutex<Vec<(Arrived, bool)>>>,
    connections: Arc<Mutex<usize>>,
    left_at_quit: Arc<Mutex<usize>>,
}

impl Faulty {
    pub async fn open(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let server = Self {
            address: listener.local_addr().expect("it has an address"),
            fault: Arc::new(Mutex::new(fault)),
            arrived: Arc::default(),
            connections: Arc::default(),
            left_at_quit: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                *serving.connections.lock().expect("nobody panics") += 1;
                let one = serving.clone();
                // A client that goes away ends the conversation.
                tokio::spawn(async move { one.talk(stream).await.ok() });
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn set(&self, fault: Fault) {
        *self.fault.lock().expect("nobody panics") = fault;
    }

    pub fn connections(&self) -> usize {
        *self.connections.lock().expect("nobody panics")
    }

    /// How many clients have left while they waited for an answer to QUIT.
    pub fn left_at_quit(&self) -> usize {
        *self.left_at_quit.lock().expect("nobody panics")
    }

    /// Every mail whose text came in whole, said or not.
    pub fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().expect("nobody panics").iter().map(|(mail, _)| mail.clone()).collect()
    }

    /// Waits until the connections, or the texts, are so many.
    pub async fn wait_until(&self, what: impl Fn(&Self) -> bool) {
        for _ in 0..1_500 {
            if what(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it does not come to that: {} connections, {} mails", self.connections(), self.arrived().len());
    }

    async fn talk(&self, stream: TcpStream) -> io::Result<()> {
        let fault = *self.fault.lock().expect("nobody panics");
        let mut stream = BufReader::new(stream);
        match fault {
            Fault::Silent => std::future::pending().await,
            Fault::Garbage => return stream.write_all(b"\x16\x03\x01\x00\x00 HTTP/1.1 200 OK\r\n\r\n").await,
            _ => {}
        }
        self.say(&mut stream, fault, "", "220 post.example ESMTP").await?;
        let mut now = Arrived::default();
        let mut line = String::new();
        loop {
            line.clear();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let verb = line.split([' ', ':', '\r']).next().unwrap_or_default().to_uppercase();
            match &*verb {
                "RCPT" => {
                    now.to.push(line.trim().to_owned());
                    self.say(&mut stream, fault, "RCPT", "250 OK").await?;
                }
                "DATA" => {
                    if !self.say(&mut stream, fault, "DATA", "354 Go on").await? {
                        continue;
                    }
                    if fault == Fault::CutInText {
                        stream.read_line(&mut line).await?;
                        return Ok(());
                    }
                    let mut mail = std::mem::take(&mut now);
                    mail.text = read_text(&mut stream).await?;
                    let is_said = !matches!(fault, Fault::CutAfterText | Fault::HangAfterText | Fault::Says(".", _));
                    self.arrived.lock().expect("nobody panics").push((mail, is_said));
                    match fault {
                        Fault::CutAfterText => return Ok(()),
                        Fault::HangAfterText => std::future::pending().await,
                        _ => self.say(&mut stream, fault, ".", "250 OK queued as 4711").await?,
                    };
                }
                "QUIT" if fault == Fault::HangAtQuit => {
                    stream.read_line(&mut line).await?;
                    *self.left_at_quit.lock().expect("nobody panics") += 1;
                    return Ok(());
                }
                "QUIT" => return stream.write_all(b"221 Bye\r\n").await,
                _ => {
                    self.say(&mut stream, fault, &verb, "250 OK").await?;
                }
            }
        }
    }

    /// Answers; false when that was a refusal.
    async fn say(&self, stream: &mut BufReader<TcpStream>, fault: Fault, verb: &str, usual: &str) -> io::Result<bool> {
        if let Fault::Slow(milliseconds) = fault {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        }
        let words = match fault {
            Fault::Says(at, words) if at == verb => words,
            _ => usual,
        };
        stream.write_all(format!("{words}\r\n").as_bytes()).await?;
        Ok(words.starts_with(['2', '3']))
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
