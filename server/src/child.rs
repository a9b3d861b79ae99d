//! This program once more, as a child: for work that strangers' data may break. The child has little memory, little time and
//! nothing to open; it may die, and the server goes on.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use rlimit::Resource;
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// What children of one kind may take.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The command of the child.
    pub verb: &'static str,
    /// Children at once.
    pub at_once: usize,
    /// How many more may wait for their turn.
    pub waiting: usize,
    /// When a child is ended that the machine gave too little time. One that has used up its processor time ends before.
    pub max_time: Duration,
    /// The most bytes that are read of an answer.
    pub max_answer_bytes: u64,
}

/// How asking a child ended.
#[derive(Debug)]
pub enum Outcome {
    Answered(Bytes),
    /// It died over what it was given.
    Crashed,
    /// It was ended, because it took too long.
    TimedOut,
    /// Too many wait already. Nothing was started.
    Busy,
    /// No child can be started, or talked to. The cause is in the log.
    NotStarted,
}

/// Starts children of one kind, a few at a time.
#[derive(Debug)]
pub struct Children {
    program: PathBuf,
    kind: Kind,
    working: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Children {
    /// Children are started from `program`, which must be this one.
    pub fn new(program: PathBuf, kind: Kind) -> Self {
        let seats = |most| Arc::new(Semaphore::new(most));
        Self { program, kind, working: seats(kind.at_once), places: seats(kind.at_once + kind.waiting) }
    }

    /// Gives a child `given` on its standard input, and answers what it wrote.
    pub async fn ask(&self, given: Bytes) -> Result<Outcome> {
        let Ok(place) = self.places.clone().try_acquire_owned() else { return Ok(Outcome::Busy) };
        let turn = self.working.clone().acquire_owned().await.map_err(Error::internal)?;
        let (program, kind) = (self.program.clone(), self.kind);
        let asking = tokio::task::spawn_blocking(move || {
            let asked = ask_now(&program, kind, &given);
            // Held until the child is gone, also when nobody waits for it any more.
            drop((turn, place));
            asked
        });
        asking.await.map_err(Error::internal)
    }
}

/// [`Children::ask`] for callers that may block, without a turn.
pub fn ask_now(program: &Path, kind: Kind, given: &[u8]) -> Outcome {
    match try_to_ask(program, kind, given) {
        Ok(asked) => asked,
        Err(error) => {
            tracing::error!(verb = kind.verb, %error, "no child can be asked");
            Outcome::NotStarted
        }
    }
}

fn try_to_ask(program: &Path, kind: Kind, given: &[u8]) -> io::Result<Outcome> {
    let mut child = Command::new(program)
        .arg(kind.verb)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let talked = talk(&mut child, kind, given);
    // It may have ended by itself. Whatever happened, none is left behind.
    let _ = child.kill();
    let status = child.wait()?;
    Ok(match talked? {
        None => {
            tracing::warn!(verb = kind.verb, "a child took too long and was ended");
            Outcome::TimedOut
        }
        Some(_) if !status.success() => {
            tracing::warn!(verb = kind.verb, %status, bytes = given.len(), "a child died over what it was given");
            Outcome::Crashed
        }
        Some(answer) => Outcome::Answered(answer.into()),
    })
}

/// Gives the child its input and takes its answer; nothing when none came in time.
fn talk(child: &mut Child, kind: Kind, given: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let (end, ended) = mpsc::channel();
    std::thread::scope(|scope| {
        std::thread::Builder::new().spawn_scoped(scope, move || {
            // A child that has seen enough, or died, does not read on.
            let _ = input.write_all(given);
        })?;
        let reading = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut answer = Vec::new();
            let read = output.take(kind.max_answer_bytes).read_to_end(&mut answer);
            // Nobody listens when it came too late.
            let _ = end.send(());
            read.map(|_| answer)
        })?;
        let in_time = ended.recv_timeout(kind.max_time).is_ok();
        if in_time {
            child.wait()?;
        } else {
            child.kill()?;
        }
        let answer = reading.join().unwrap_or_else(|_| Err(io::Error::other("the reader failed")))?;
        Ok(in_time.then_some(answer))
    })
}

/// What a child may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Seconds of a processor.
    pub processor_seconds: u64,
    /// Bytes of what it is given.
    pub given_bytes: u64,
}

/// Reads what this child was given. From here on it can open nothing, neither a file nor a connection, and write no file.
pub fn begin(limits: Limits) -> Result<Vec<u8>> {
    let set = [
        (Resource::AS, limits.memory_bytes),
        (Resource::CPU, limits.processor_seconds),
        (Resource::CORE, 0),
        (Resource::FSIZE, 0),
        // Input, output and errors are open already.
        (Resource::NOFILE, 3),
    ];
    for (what, most) in set {
        // Whoever started the server may have allowed less.
        let (_, allowed) = rlimit::getrlimit(what).map_err(Error::internal)?;
        let most = most.min(allowed);
        rlimit::setrlimit(what, most, most).map_err(Error::internal)?;
    }
    let mut given = Vec::new();
    io::stdin().lock().take(limits.given_bytes).read_to_end(&mut given).map_err(Error::internal)?;
    Ok(given)
}

/// Answers `verdict` as a line of JSON, and `content` after it.
pub fn answer(verdict: &impl serde::Serialize, content: &[u8]) -> Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, verdict).map_err(Error::internal)?;
    output.write_all(b"\n").and_then(|()| output.write_all(content)).map_err(Error::internal)?;
    output.flush().map_err(Error::internal)
}

/// Takes an answer apart: its verdict, and the content after it. None when it is no whole answer.
pub fn read_answer<T: serde::de::DeserializeOwned>(answer: &Bytes) -> Option<(T, Bytes)> {
    let line = answer.iter().position(|byte| *byte == b'\n')?;
    Some((serde_json::from_slice(&answer[..line]).ok()?, answer.slice(line + 1..)))
}
