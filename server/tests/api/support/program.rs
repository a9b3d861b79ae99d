//! The real binary, as an operator starts it: a process with settings from the environment, and its log.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::database::FreshDatabase;

/// The path of the binary.
pub const BINARY: &str = env!("CARGO_BIN_EXE_visadesk");

/// Makes a program in `folder` that is the binary with less of the processor: its limits on children can only be lower. A file that exhausts
/// a limit then does so in seconds.
pub fn with_processor_seconds(seconds: u64, folder: &Path) -> PathBuf {
    let program = folder.join(format!("visadesk-{seconds}-seconds"));
    let script = format!("#!/bin/sh\nulimit -t {seconds}\nexec {BINARY} \"$@\"\n");
    std::fs::write(&program, script).expect("the program is written");
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("it may be executed");
    program
}

/// A data folder and a database on which programs run.
pub struct Installation {
    pub(super) database: Arc<FreshDatabase>,
}

impl Installation {
    /// Creates an installation with the current schema.
    pub async fn make() -> Self {
        Self { database: Arc::new(FreshDatabase::make().await) }
    }

    /// Creates an installation without tables.
    pub async fn make_empty() -> Self {
        Self { database: Arc::new(FreshDatabase::make_empty().await) }
    }

    pub fn folder(&self) -> PathBuf {
        self.database.folder()
    }

    pub fn database_url(&self) -> String {
        self.database.url()
    }

    /// The program with these arguments on this installation, without the settings of the test run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        self.configure(&mut command);
        command.args(arguments);
        command
    }

    /// The program, started by a shell that first runs `limits`.
    pub fn command_after(&self, limits: &str, argument: &str) -> Command {
        let mut command = Command::new("sh");
        self.configure(&mut command);
        command.arg("-c").arg(format!("{limits}; exec \"$0\" {argument}")).arg(BINARY);
        command
    }

    fn configure(&self, command: &mut Command) {
        for (name, _) in std::env::vars() {
            if name.starts_with("VISADESK_") || name == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command
            .env("VISADESK_DATABASE_URL", self.database.url())
            .env("VISADESK_DATA_DIR", self.folder())
            .env("VISADESK_DATABASE_CONNECTIONS", "3")
            .env("VISADESK_LISTEN", "127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    /// Runs a command with this input until it exits.
    pub fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
        child
            .stdin
            .take()
            .expect("the program's input")
            .write_all(input.as_bytes())
            .expect("the program reads its input");
        child.wait_with_output().expect("the program exits")
    }

    /// Starts `serve` with these settings and waits until it is ready.
    pub fn serve(&self, settings: &[(&str, &str)]) -> Program {
        let mut command = self.command(&["serve"]);
        command.envs(settings.iter().copied());
        Program::start(command)
    }
}

/// A running `visadesk serve`. It is killed when the test ends.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
    log: Arc<Mutex<String>>,
    logging: Option<JoinHandle<()>>,
}

impl Program {
    /// Starts it and waits until it prints the address on which it listens.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let errors = child.stderr.take().expect("the program's log");
        let log = Arc::new(Mutex::new(String::new()));
        let logged = log.clone();
        let logging = std::thread::spawn(move || {
            for line in BufReader::new(errors).lines() {
                let line = line.expect("the log is text");
                logged.lock().expect("the mutex is not poisoned").push_str(&format!("{line}\n"));
            }
        });
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("the program's output"));
        output.read_line(&mut line).expect("the output is text");
        let address = line.trim().rsplit_once("//").and_then(|(_, address)| address.parse().ok());
        let program = |address| Self { child, address, log, logging: Some(logging) };
        let Some(address) = address else { panic!("the program did not start: {}", program(([0; 4], 0).into()).log()) };
        program(address)
    }

    /// Waits until its log has one of these lines, and returns which.
    pub async fn says<'a>(&self, any: &[&'a str]) -> &'a str {
        let since = Instant::now();
        loop {
            let log = self.log.lock().expect("the mutex is not poisoned").clone();
            if let Some(said) = any.iter().find(|line| log.contains(**line)) {
                return said;
            }
            assert!(since.elapsed() < Duration::from_mins(1), "it did not say any of {any:?}: {log}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The address of one of its pages.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let pid = self.child.id();
        let sent = Command::new("sh").arg("-c").arg(format!("kill -TERM {pid}")).status().expect("a shell");
        assert!(sent.success(), "the program is running");
    }

    /// The peak resident memory, in KiB.
    pub fn peak_memory_kib(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the program is running");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel reports the peak");
        peak.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Sends SIGKILL.
    pub fn kill(&self) {
        let pid = self.child.id();
        let sent = Command::new("sh").arg("-c").arg(format!("kill -KILL {pid}")).status().expect("a shell");
        assert!(sent.success(), "the program is running");
    }

    /// Whether it exits successfully within `limit`.
    pub async fn ends_within(&mut self, limit: Duration) -> bool {
        let since = Instant::now();
        while since.elapsed() < limit {
            if let Some(status) = self.child.try_wait().expect("the status of the child") {
                return status.success();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }

    /// Kills it and returns its log.
    pub fn log(mut self) -> String {
        let _ = self.child.kill();
        self.logging.take().expect("the log is read once").join().expect("the log is complete");
        self.log.lock().expect("the mutex is not poisoned").clone()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
