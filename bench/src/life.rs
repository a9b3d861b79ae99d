//! One process over its life: how long its start takes, and the memory that it takes before, during and after load.

use std::fmt::{self, Display, Formatter};
use std::time::{Duration, Instant};

use anyhow::Result;
use xtask::needs::{Need, ensure_all};
use xtask::workspace::Workspace;

use crate::processes;
use crate::server::TestServer;
use crate::stores::{MEMBER, Store};
use crate::table::{Table, verdict};
use crate::workloads::Workload;
use crate::wrk::{self, Job};

const MOST_START: Duration = Duration::from_millis(300);
const MOST_IDLE: u64 = 50 << 20;
const MOST_LOADED: u64 = 150 << 20;

/// Starts, of which the median counts.
const STARTS: usize = 5;

/// The connections of the load.
const CONNECTIONS: u32 = 16;

/// The seconds of one workload. All of them take turns.
const TURN_SECONDS: u32 = 5;

/// A process, its memory in bytes that are not from files.
pub struct LifeTable {
    start: Duration,
    idle: u64,
    signed_in: u64,
    /// After each minute of load.
    loaded: Vec<u64>,
}

/// Starts the server a few times, then loads one with each workload in turn for so many minutes.
///
/// # Errors
/// If the server does not start, or a request is refused.
pub fn measure(workspace: &Workspace, orders: u64, this: &Store<'_>, minutes: u32) -> Result<LifeTable> {
    ensure_all(workspace, &[Need::Wrk])?;
    let store = this.copy()?;
    // The first one may find a log of the database to read.
    TestServer::start(&store, &[])?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let begin = Instant::now();
        TestServer::start(&store, &[])?;
        starts.push(begin.elapsed());
    }
    starts.sort();
    let private = |server: &TestServer| processes::memory(server.process()).map(|memory| memory.private);
    let server = TestServer::start(&store, &[])?;
    let idle = private(&server)?;
    let server = server.signed_in()?;
    let mut table = LifeTable { start: starts[STARTS / 2], idle, signed_in: private(&server)?, loaded: Vec::new() };
    let unowned = server.open_orders()?;
    let workloads = Workload::read_all(workspace)?;
    let begin = Instant::now();
    let mut turns = workloads.iter().filter(|workload| workload.orders <= orders).cycle();
    for minute in 1..=minutes {
        while begin.elapsed() < Duration::from_secs(60) * minute
            && let Some(workload) = turns.next()
        {
            let job = Job {
                dir: store.data(),
                workload,
                address: server.client().address(),
                token: server.client().token(),
                orders,
                unowned: &unowned,
                member: MEMBER,
            };
            wrk::run(workspace, &job, CONNECTIONS, TURN_SECONDS)?;
        }
        table.loaded.push(private(&server)?);
        println!("minute {minute}: {} MiB", table.loaded.last().map_or(0, |bytes| bytes >> 20));
    }
    Ok(table)
}

impl Display for LifeTable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&["one process", "measured", "wanted", ""]);
        let mut line = |what: String, measured: String, wanted: &str, is_met: bool| {
            table.add(vec![what, measured, wanted.to_owned(), verdict(is_met).to_owned()]);
        };
        let start = format!("{:.0} ms", self.start.as_secs_f64() * 1e3);
        line("start, until it listens".to_owned(), start, "< 300 ms", self.start < MOST_START);
        let mut memory = |what: String, bytes: u64, wanted: &str, most: u64| {
            line(what, format!("{} MiB", bytes >> 20), wanted, bytes < most);
        };
        memory("memory not from files, idle".to_owned(), self.idle, "< 50 MiB", MOST_IDLE);
        memory("after a sign-in".to_owned(), self.signed_in, "< 50 MiB", MOST_IDLE);
        let minutes = self.loaded.len();
        for (at, bytes) in self.loaded.iter().enumerate() {
            // The first and last minutes, and each tenth.
            if at == 0 || at + 1 == minutes || (at + 1) % 10 == 0 {
                memory(format!("after {} min of load", at + 1), *bytes, "< 150 MiB", MOST_LOADED);
            }
        }
        write!(out, "{table}")
    }
}
