//! Desks: what 200 browsers that follow the changes of orders cost the server, and how long the list takes beside them.
//!
//! Each desk has a stream of its own, shows 50 orders, and asks for the rows of those that changed, as the web app does. All are behind one
//! address, under the default limits.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use xtask::needs::{Need, ensure_all};
use xtask::workspace::Workspace;

use crate::client::Client;
use crate::processes;
use crate::server::TestServer;
use crate::stores::{MEMBER, Store};
use crate::table::{Table, verdict};
use crate::workloads::Workload;
use crate::wrk::{self, Job};

const DESKS: u64 = 200;
const CHANGES_PER_SECOND: u32 = 50;
const ROWS: usize = 50;

/// Colleagues who read lists meanwhile, when the list is measured.
const LIST_CONNECTIONS: u32 = 4;

/// How long the desks are open before anything is measured.
const WARM_UP: Duration = Duration::from_secs(2);

const MOST_CPU: f64 = 0.15;
const MOST_MEMORY: u64 = 60 << 20;
const MOST_LONGER: f64 = 1.5;

/// What the server spends while orders change.
struct Spent {
    /// The share of one processor core.
    cpu: f64,
    /// Memory in bytes that is not from files.
    memory: u64,
    /// The list's p95, measured afterwards.
    p95: Duration,
}

/// What the desks add.
pub struct DeskTable {
    without: Spent,
    with: Spent,
    events: u64,
    rows: u64,
    lasted: Duration,
}

/// What all desks have received and asked for.
#[derive(Default)]
struct Traffic {
    events: AtomicU64,
    rows: AtomicU64,
}

/// Measures a copy of the store, because orders change: first without desks, then with them.
///
/// # Errors
/// If something needed is missing, or a request is refused.
pub fn measure(workspace: &Workspace, orders: u64, this: &Store<'_>, seconds: u32) -> Result<DeskTable> {
    ensure_all(workspace, &[Need::Wrk])?;
    let store = this.copy()?;
    let server = TestServer::open(&store)?;
    let open_orders = server.open_orders()?;
    let list = Workload::read(workspace, "list 10, page 1")?;
    let lasted = Duration::from_secs(seconds.into());
    let spend = || -> Result<Spent> {
        thread::sleep(WARM_UP);
        let before = processes::cpu(server.process())?;
        change(server.client(), &open_orders, lasted)?;
        let cpu = processes::cpu(server.process())?.saturating_sub(before).as_secs_f64() / lasted.as_secs_f64();
        let memory = processes::memory(server.process())?.private;
        let job = Job {
            dir: store.data(),
            workload: &list,
            address: server.client().address(),
            token: server.client().token(),
            orders,
            unowned: &[],
            member: MEMBER,
        };
        let changes = AtomicBool::new(true);
        let p95 = thread::scope(|threads| {
            threads.spawn(|| {
                while changes.load(Ordering::Relaxed) {
                    if change(server.client(), &open_orders, Duration::from_millis(200)).is_err() {
                        break;
                    }
                }
            });
            let times = wrk::run(workspace, &job, LIST_CONNECTIONS, seconds);
            changes.store(false, Ordering::Relaxed);
            times
        })?
        .times[1];
        Ok(Spent { cpu, memory, p95 })
    };
    let without = spend()?;
    let (traffic, is_over) = (Traffic::default(), AtomicBool::new(false));
    println!("signing in at {DESKS} desks");
    let browsers = (0..DESKS).map(|_| server.another_browser()).collect::<Result<Vec<_>>>()?;
    let with = thread::scope(|threads| {
        for (client, desk) in browsers.iter().zip(0..) {
            let (traffic, is_over) = (&traffic, &is_over);
            threads.spawn(move || {
                if let Err(error) = follow(client, desk, traffic, is_over) {
                    println!("a desk ended: {error:#}");
                }
            });
        }
        let spent = spend();
        is_over.store(true, Ordering::Relaxed);
        // Each desk hears once more, and ends.
        change(server.client(), &open_orders, Duration::from_secs(2)).and(spent)
    })?;
    Ok(DeskTable { without, with, events: traffic.events.into_inner(), rows: traffic.rows.into_inner(), lasted })
}

/// Adds a comment to one order after another, so many a second, for that time.
fn change(client: &Client, orders: &[u64], lasting: Duration) -> Result<()> {
    let (begin, pause) = (Instant::now(), Duration::from_secs(1) / CHANGES_PER_SECOND);
    let mut at = 0;
    while begin.elapsed() < lasting {
        let order = orders.get(at % orders.len().max(1)).context("the database has no open orders")?;
        let body = json!({"orderId": order, "remark": "Called the customer, no answer."}).to_string();
        client.send("POST", "/api/admin/add-new-remark", &body)?;
        at += 1;
        thread::sleep((pause * u32::try_from(at)?).saturating_sub(begin.elapsed()));
    }
    Ok(())
}

/// Shows a page of New Orders and follows the changes until it is over.
fn follow(client: &Client, desk: u64, traffic: &Traffic, is_over: &AtomicBool) -> Result<()> {
    let page = format!("/api/admin/get-orders-list/newOrder?page={}&limit={ROWS}", desk % 4 + 1);
    let listed: Value = serde_json::from_str(&client.get(&page)?)?;
    let rows = listed["data"].as_array().context("the list has no rows")?;
    let shown: HashSet<u64> = rows.iter().filter_map(|row| row["order_id"].as_u64()).collect();
    let stream = client.open("/api/admin/live")?.context("this binary has no stream of changes")?;
    for line in BufReader::new(stream.into_reader()).lines() {
        if is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let line = line?;
        let Some(data) = line.strip_prefix("data: ") else { continue };
        traffic.events.fetch_add(1, Ordering::Relaxed);
        let event: Value = serde_json::from_str(data)?;
        let changed = event["orders"].as_array().into_iter().flatten().filter_map(|order| order["order_id"].as_u64());
        let changed: Vec<String> =
            changed.filter(|order| shown.contains(order)).map(|order| order.to_string()).collect();
        if !changed.is_empty() {
            traffic.rows.fetch_add(1, Ordering::Relaxed);
            client.get(&format!("/api/admin/order-rows/newOrder/{}", changed.join(",")))?;
        }
    }
    Err(anyhow!("the stream has ended"))
}

impl Display for DeskTable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let head = format!("{DESKS} desks, {CHANGES_PER_SECOND} changes a second");
        let mut table = Table::new(&[&head, "without", "with", "difference", "wanted", ""]);
        let cpu = self.with.cpu - self.without.cpu;
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        table.add(vec![
            "of one core".to_owned(),
            percent(self.without.cpu),
            percent(self.with.cpu),
            percent(cpu),
            format!("< {:.0} %", MOST_CPU * 100.0),
            verdict(cpu < MOST_CPU).to_owned(),
        ]);
        let memory = self.with.memory.saturating_sub(self.without.memory);
        let mebibytes = |bytes: u64| format!("{} MiB", bytes >> 20);
        table.add(vec![
            "memory".to_owned(),
            mebibytes(self.without.memory),
            mebibytes(self.with.memory),
            mebibytes(memory),
            format!("< {}", mebibytes(MOST_MEMORY)),
            verdict(memory < MOST_MEMORY).to_owned(),
        ]);
        let times = self.with.p95.as_secs_f64() / self.without.p95.as_secs_f64().max(f64::MIN_POSITIVE);
        let millis = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
        table.add(vec![
            "p95 of the list".to_owned(),
            millis(self.without.p95),
            millis(self.with.p95),
            format!("{times:.2}"),
            format!("< {MOST_LONGER}"),
            verdict(times < MOST_LONGER).to_owned(),
        ]);
        write!(
            out,
            "{table}\n{} events and {} requests for rows, in some {} s\n",
            self.events,
            self.rows,
            self.lasted.as_secs() * 2
        )
    }
}
