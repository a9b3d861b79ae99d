//! Applicants who look at their orders all at once, each on a new connection, at the times that they would whether or not the server keeps up.

use std::fmt::{self, Display, Formatter};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};

use crate::client::Client;
use crate::crowd::Outcomes;
use crate::floods::address;
use crate::processes::{self, Memory};
use crate::server::TestServer;
use crate::stores::Store;
use crate::table::{Table, thousands, verdict};

/// Visitors, one for each order.
const MOST_VISITORS: u64 = 10_000;

/// How often each of them looks.
const EVERY: Duration = Duration::from_secs(15);

/// Looks that each visitor takes.
const ROUNDS: u32 = 2;

/// The most looks at once.
const CLIENTS: usize = 128;

/// Orders on one page of a list.
const PAGE: u64 = 500;

const MOST_P99: Duration = Duration::from_secs(2);
const MOST_MEMORY: u64 = 400 << 20;

/// This machine forwards the visitors' addresses. By default the server answers 6,000 of their calls a minute and puts the others off.
const SETTINGS: [(&str, &str); 3] = [
    ("VISADESK_TRUSTED_PROXIES", "127.0.0.1"),
    ("VISADESK_LIMITS__TRACKS", "1000000"),
    ("VISADESK_LIMITS__PUBLIC_CALLS", "1000000"),
];

struct Visitor {
    order: u64,
    address: String,
    token: String,
}

/// What visitors got.
pub struct VisitorTable {
    visitors: usize,
    outcomes: Outcomes,
    /// From the time that a look was due, sorted.
    times: Vec<Duration>,
    memory: Memory,
}

/// Lets visitors confirm their orders, and look at them.
///
/// # Errors
/// If the server does not start, refuses to list orders, or admits less than half of the visitors.
pub fn measure(orders: u64, this: &Store<'_>) -> Result<VisitorTable> {
    let store = this.copy()?;
    let server = TestServer::open_with(&store, &SETTINGS)?;
    let visitors = confirm(&server, orders.min(MOST_VISITORS))?;
    let (next, times) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let looks = visitors.len() as u64 * u64::from(ROUNDS);
    let start = Instant::now();
    let client = || -> Result<Outcomes> {
        let mut outcomes = Outcomes::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= looks {
                return Ok(outcomes);
            }
            let visitor = &visitors[usize::try_from(number)? % visitors.len()];
            let due = start + EVERY.mul_f64(number as f64 / visitors.len() as f64);
            thread::sleep(due.saturating_duration_since(Instant::now()));
            outcomes.count(&visitor.look(server.client().address()));
            times.lock().map_err(|_| anyhow!("a client panicked"))?.push(due.elapsed());
        }
    };
    let outcomes = thread::scope(|threads| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| threads.spawn(client)).collect();
        clients.into_iter().map(|client| client.join().map_err(|_| anyhow!("a client panicked"))?).sum::<Result<_>>()
    })?;
    let mut times = times.into_inner().map_err(|_| anyhow!("a client panicked"))?;
    times.sort();
    Ok(VisitorTable { visitors: visitors.len(), outcomes, times, memory: processes::memory(server.process())? })
}

/// Confirms the email of the newest orders, as their applicants would.
fn confirm(server: &TestServer, count: u64) -> Result<Vec<Visitor>> {
    let mut visitors = Vec::new();
    for page in 1..=count.div_ceil(PAGE) {
        let path = format!("/api/admin/get-orders-list/allOrder?page={page}&limit={PAGE}");
        let list: Value = serde_json::from_str(&server.client().get(&path)?)?;
        for row in list["data"].as_array().into_iter().flatten() {
            let order = row["order_id"].as_u64().context("an order without a number")?;
            let from = address(order);
            let body = json!({"orderId": order.to_string(), "email": row["contact_email_address"]}).to_string();
            let visitor = server.client().at_address(from.clone(), None);
            // Deleted orders are not found.
            let Ok(answer) = visitor.send("POST", "/api/front/track-order", &body) else { continue };
            let answer: Value = serde_json::from_str(&answer)?;
            let token = answer["visitorToken"].as_str().context("no grant")?.to_owned();
            visitors.push(Visitor { order, address: from, token });
        }
    }
    ensure!(visitors.len() as u64 >= count / 2, "only {} visitors of {count} were admitted", visitors.len());
    Ok(visitors)
}

impl Visitor {
    fn look(&self, server: &str) -> Result<()> {
        let client = Client::new(server, None).at_address(self.address.clone(), Some(&self.token));
        let body = json!({"orderId": self.order.to_string()}).to_string();
        client.send("POST", "/api/front/get-download-history", &body).map(drop)
    }
}

impl Display for VisitorTable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let at = |percent: usize| {
            let place = (self.times.len() * percent).div_ceil(100).saturating_sub(1);
            self.times.get(place).copied().unwrap_or_default()
        };
        let millis = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
        let mut table = Table::new(&["visitors, each every 15 s", "measured", "wanted", ""]);
        let mut line = |what: &str, measured: String, wanted: &str, is_met: Option<bool>| {
            table.add(vec![
                what.to_owned(),
                measured,
                wanted.to_owned(),
                is_met.map(verdict).unwrap_or_default().to_owned(),
            ]);
        };
        line("visitors", thousands(self.visitors as f64), "", None);
        line("p50 ms, from when a look was due", millis(at(50)), "", None);
        line("p99 ms", millis(at(99)), "< 2000", Some(at(99) < MOST_P99));
        line("refused", self.outcomes.refused.to_string(), "0", Some(self.outcomes.refused == 0));
        line("failed", self.outcomes.failed.to_string(), "0", Some(self.outcomes.failed == 0));
        let memory = self.memory.private;
        line("memory in MiB, not from files", (memory >> 20).to_string(), "< 400", Some(memory < MOST_MEMORY));
        write!(out, "{table}")
    }
}
