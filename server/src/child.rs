//! Runs this program as a child process, for work that untrusted data may crash. The child has little memory and time and can open
//! nothing. It may die, and the server goes on.
//!
//! - `child/sandbox.rs`: what the kernel withholds from a child; `one_program.rs`: from one that becomes another program.

mod one_program;
pub mod sandbox;

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use rlimit::Resource;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};
use crate::process;

/// The limits of one kind of children.
#[derive(Clone, Copy, Debug)]
pub struct ChildSpec {
    /// The command of the child.
    pub verb: &'static str,
    /// Children that run at once.
    pub at_once: usize,
    /// Requests that may wait.
    pub waiting: usize,
    /// When a child is killed on a busy machine. One that has used up its processor time ends earlier.
    pub max_time: Duration,
    /// The most bytes of a reply.
    pub max_reply_bytes: u64,
}

/// The outcome of running a child.
#[derive(Debug)]
pub enum ChildOutcome {
    Replied(Bytes),
    /// It died over its input.
    Crashed,
    /// It took too long and was killed.
    TimedOut,
    /// Too many requests wait. Nothing was started.
    Busy,
    /// No child can be started. The cause is in the log.
    NotStarted,
}

/// The right to run one child.
#[derive(Debug)]
pub struct Turn {
    _running: OwnedSemaphorePermit,
    _queued: OwnedSemaphorePermit,
}

/// Runs children of one kind, a few at a time.
#[derive(Debug)]
pub struct Children {
    program: PathBuf,
    spec: ChildSpec,
    running: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Children {
    /// Starts children from `program`, which must be this program.
    pub fn new(program: PathBuf, spec: ChildSpec) -> Self {
        let permits = |most| Arc::new(Semaphore::new(most));
        Self { program, spec, running: permits(spec.at_once), queue: permits(spec.at_once + spec.waiting) }
    }

    /// Runs a child with `input` on its standard input and returns its reply.
    pub async fn run(&self, input: Bytes) -> Result<ChildOutcome> {
        match self.turn().await? {
            Some(turn) => self.run_in(turn, input).await,
            None => Ok(ChildOutcome::Busy),
        }
    }

    /// Waits for a turn, for callers that load a large input only then. Returns none if too many requests wait.
    pub async fn turn(&self) -> Result<Option<Turn>> {
        let Ok(queued) = self.queue.clone().try_acquire_owned() else { return Ok(None) };
        let running = self.running.clone().acquire_owned().await.map_err(Error::internal)?;
        Ok(Some(Turn { _running: running, _queued: queued }))
    }

    /// [`Self::run`] in a turn.
    pub async fn run_in(&self, turn: Turn, input: Bytes) -> Result<ChildOutcome> {
        let (program, spec) = (self.program.clone(), self.spec);
        process::in_background(spec.verb, move || {
            let outcome = run_now(&program, spec, &input);
            // Held until the child is gone, also if the caller has been dropped.
            drop(turn);
            Ok(outcome)
        })
        .await
    }
}

/// [`Children::run`] for callers that may block, without a permit.
pub fn run_now(program: &Path, spec: ChildSpec, input: &[u8]) -> ChildOutcome {
    run_with(program, spec, &[], input)
}

/// [`run_now`], with arguments after the command of the child.
pub fn run_with(program: &Path, spec: ChildSpec, arguments: &[&OsStr], input: &[u8]) -> ChildOutcome {
    match try_run(program, spec, arguments, input) {
        Ok(outcome) => outcome,
        Err(error) => {
            tracing::error!(verb = spec.verb, %error, "a child could not be run");
            ChildOutcome::NotStarted
        }
    }
}

fn try_run(program: &Path, spec: ChildSpec, arguments: &[&OsStr], input: &[u8]) -> io::Result<ChildOutcome> {
    let mut child = Command::new(program)
        .arg(spec.verb)
        .args(arguments)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let reply = exchange(&mut child, spec, input);
    // It may have ended by itself. No child is left behind in any case.
    let _ = child.kill();
    let status = child.wait()?;
    Ok(match reply? {
        None => {
            tracing::warn!(verb = spec.verb, "a child took too long and was killed");
            ChildOutcome::TimedOut
        }
        Some(_) if !status.success() => {
            tracing::warn!(verb = spec.verb, %status, bytes = input.len(), "a child died over its input");
            ChildOutcome::Crashed
        }
        Some(reply) => ChildOutcome::Replied(reply.into()),
    })
}

/// Writes the child's input and reads its reply. Returns none if the reply did not arrive in time.
fn exchange(child: &mut Child, spec: ChildSpec, input: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let (Some(mut stdin), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let (end, ended) = mpsc::channel();
    std::thread::scope(|scope| {
        std::thread::Builder::new().spawn_scoped(scope, move || {
            // Fails if the child has seen enough, or died.
            let _ = stdin.write_all(input);
        })?;
        let reading = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut answer = Vec::new();
            let read = output.take(spec.max_reply_bytes).read_to_end(&mut answer);
            // Fails if the reply is late and the caller has gone.
            let _ = end.send(());
            read.map(|_| answer)
        })?;
        let in_time = ended.recv_timeout(spec.max_time).is_ok();
        if in_time {
            child.wait()?;
        } else {
            child.kill()?;
        }
        let answer = reading.join().unwrap_or_else(|_| Err(io::Error::other("the reader failed")))?;
        Ok(in_time.then_some(answer))
    })
}

/// The limits that a child sets itself.
#[derive(Clone, Copy, Debug)]
pub struct ChildLimits {
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Seconds of a processor.
    pub processor_seconds: u64,
    /// Bytes of its input.
    pub input_bytes: u64,
}

/// Confines this child and reads its input. From here on it can open neither a file nor a connection, and start no program, and requests
/// go before it on a busy processor. What its kernel lacks was reported when the server started. Call it before the child has a second thread.
pub fn read_input(limits: ChildLimits) -> Result<Vec<u8>> {
    process::lower_priority();
    sandbox::confine();
    // Standard input, output and error are already open.
    set_limits(limits, 3)?;
    let mut input = Vec::new();
    io::stdin().lock().take(limits.input_bytes).read_to_end(&mut input).map_err(Error::internal)?;
    Ok(input)
}

/// Confines this child to one program and becomes that program, which reads the child's input. The program can open only itself, its
/// libraries and the folders of `readable`, and can start nothing. Returns only if it cannot be started.
pub fn become_program(program: &Path, readable: &[&Path], limits: ChildLimits, arguments: &[&str]) -> Result<()> {
    /// Files that a program opens while it starts: its libraries and its data, one after another.
    const OPEN_FILES: u64 = 32;
    process::lower_priority();
    one_program::confine_to(program, readable);
    set_limits(limits, OPEN_FILES)?;
    // As many threads as it has processors would share its memory, and run no faster beside others.
    let error = Command::new(program).args(arguments).env_clear().env("OMP_THREAD_LIMIT", "1").exec();
    Err(Error::internal(error))
}

fn set_limits(limits: ChildLimits, open_files: u64) -> Result<()> {
    let set = [
        (Resource::AS, limits.memory_bytes),
        (Resource::CPU, limits.processor_seconds),
        (Resource::CORE, 0),
        (Resource::FSIZE, 0),
        (Resource::NOFILE, open_files),
    ];
    for (what, most) in set {
        // The server itself may run with a lower limit.
        let (_, allowed) = rlimit::getrlimit(what).map_err(Error::internal)?;
        let most = most.min(allowed);
        rlimit::setrlimit(what, most, most).map_err(Error::internal)?;
    }
    Ok(())
}

/// Writes `reply` as a line of JSON, followed by `content`.
pub fn write_reply(reply: &impl serde::Serialize, content: &[u8]) -> Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, reply).map_err(Error::internal)?;
    output.write_all(b"\n").and_then(|()| output.write_all(content)).map_err(Error::internal)?;
    output.flush().map_err(Error::internal)
}

/// An input for a child: `head` as a line of JSON, followed by `content`.
pub fn message(head: &impl serde::Serialize, content: &[u8]) -> Result<Bytes> {
    let mut message = serde_json::to_vec(head).map_err(Error::internal)?;
    message.push(b'\n');
    message.extend_from_slice(content);
    Ok(message.into())
}

/// Splits an input or a reply into its line of JSON and the content after it. None if it is incomplete.
pub fn split_message<T: serde::de::DeserializeOwned>(message: &Bytes) -> Option<(T, Bytes)> {
    let line = message.iter().position(|byte| *byte == b'\n')?;
    Some((serde_json::from_slice(&message[..line]).ok()?, message.slice(line + 1..)))
}
