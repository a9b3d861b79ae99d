//! The real binary, as an operator starts it: a process with settings from the environment, and what it logs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::database::FreshDatabase;

/// Where it lies.
pub const BINARY: &str = env!("CARGO_BIN_EXE_visadesk");

/// A data folder and a database, for programs to run on.
pub struct Installation {
    database: FreshDatabase,
}

impl Installation {
    /// With today's tables.
    pub async fn make() -> Self {
        Self { database: FreshDatabase::make().await }
    }

    /// Without tables.
    pub async fn make_empty() -> Self {
        Self { database: FreshDatabase::make_empty().await }
    }

    pub fn folder(&self) -> PathBuf {
        self.database.folder()
    }

    pub fn database_url(&self) -> String {
        self.database.url()
    }

    /// The program with these arguments, on this installation, and nothing of the tests' own settings.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        self.settle(&mut command);
        command.args(arguments);
        command
    }

    /// The program, started by a shell that has set itself limits.
    pub fn command_after(&self, limits: &str, argument: &str) -> Command {
        let mut command = Command::new("sh");
        self.settle(&mut command);
        command.arg("-c").arg(format!("{limits}; exec \"$0\" {argument}")).arg(BINARY);
        command
    }

    fn settle(&self, command: &mut Command) {
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

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str], typed: &str) -> Output {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
        child.stdin.take().expect("its input").write_all(typed.as_bytes()).expect("it reads");
        child.wait_with_output().expect("it ends")
    }

    /// Starts `serve` with these settings and waits until it is ready.
    pub fn serve(&self, settings: &[(&str, &str)]) -> Program {
        let mut command = self.command(&["serve"]);
        command.envs(settings.iter().copied());
        Program::start(command)
    }
}

/// A running `visadesk serve`. It ends with the test.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
    log: Option<JoinHandle<String>>,
}

impl Program {
    /// Starts it and waits until it says where it is ready.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let mut errors = child.stderr.take().expect("its log");
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            errors.read_to_string(&mut log).expect("the log is text");
            log
        });
        let mut said = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut said).expect("the output is text");
        let address = said.trim().rsplit_once("//").and_then(|(_, address)| address.parse().ok());
        let Some(address) = address else { panic!("the program did not start: {}", log.join().unwrap_or_default()) };
        Self { child, address, log: Some(log) }
    }

    /// The address of one of its pages.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        let pid = self.child.id();
        let sent = Command::new("sh").arg("-c").arg(format!("kill -TERM {pid}")).status().expect("a shell");
        assert!(sent.success(), "the program runs");
    }

    /// The most memory that it has held at once, in KiB.
    pub fn peak_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the program runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel says");
        peak.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Ends it as a fault would: at once, wherever it is.
    pub fn kill(&self) {
        let pid = self.child.id();
        let sent = Command::new("sh").arg("-c").arg(format!("kill -KILL {pid}")).status().expect("a shell");
        assert!(sent.success(), "the program runs");
    }

    /// Whether it ends in good order within `most`.
    pub async fn ends_within(&mut self, most: Duration) -> bool {
        let since = Instant::now();
        while since.elapsed() < most {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status.success();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }

    /// Ends it at once and gives what it logged.
    pub fn log(mut self) -> String {
        let _ = self.child.kill();
        self.log.take().expect("the log").join().expect("the log is whole")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
