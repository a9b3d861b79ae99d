//! Floods: how long the list of the desk takes while others use the server as hard as they can.
//!
//! The flood and the desk are clients on the machine that serves them. Those of the flood have the lowest priority: in earnest they would
//! take no time of this machine.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;
use std::{io, thread};

use anyhow::{Context, Result};
use serde_json::json;
use xtask::needs::{Need, ensure_all};
use xtask::workspace::Workspace;

use crate::client::Client;
use crate::crowd::{self, Outcomes};
use crate::processes;
use crate::server::{SIGN_IN, TestServer};
use crate::stores::{MEMBER, Store};
use crate::table::{Table, thousands, verdict};
use crate::workloads::Workload;
use crate::wrk::{self, Job};

/// The most that a flood may lengthen the p95 of the list.
const MOST_LONGER: f64 = 2.0;

/// Colleagues who read the list meanwhile.
const DESK_CONNECTIONS: u32 = 4;

/// How long a flood lasts before the desk is measured.
const WARM_UP: Duration = Duration::from_secs(1);

/// This machine forwards the addresses of the flood, and a member may upload as many files as they like.
const SETTINGS: [(&str, &str); 2] =
    [("VISADESK_TRUSTED_PROXIES", "127.0.0.1"), ("VISADESK_LIMITS__FILES_PER_MEMBER_AND_DAY", "1000000")];

/// The bytes of an uploaded file.
const FILE_BYTES: usize = 5 << 20;

/// What divides the parts of an upload.
const BOUNDARY: &str = "not-in-any-file";

#[derive(Clone, Copy)]
enum Flood {
    SignIns,
    Uploads,
    Exports,
    Packs,
}

const FLOODS: [Flood; 4] = [Flood::SignIns, Flood::Uploads, Flood::Exports, Flood::Packs];

impl Flood {
    fn name(self) -> &'static str {
        match self {
            Flood::SignIns => "sign-ins with wrong passwords, 32 at once, from any address",
            Flood::Uploads => "uploads of 5 MiB, 8 at once",
            Flood::Exports => "the whole register as CSV, again and again",
            Flood::Packs => "a defence pack a second",
        }
    }

    /// Clients that ask at the same time.
    fn clients(self) -> u64 {
        match self {
            Flood::SignIns => 32,
            Flood::Uploads => 8,
            Flood::Exports | Flood::Packs => 1,
        }
    }

    /// Sends the request with this number.
    fn ask(self, client: &Client, orders: &[u64], number: u64) -> Result<()> {
        let order = usize::try_from(number).ok().and_then(|at| orders.get(at % orders.len().max(1)));
        let order = *order.context("the database has no open orders")?;
        match self {
            Flood::SignIns => {
                let body = json!({"email": format!("stranger{number}@example.com"), "password": "a wrong password"});
                client.at_address(address(number), None).send("POST", SIGN_IN, &body.to_string())?;
            }
            Flood::Uploads => {
                let form = format!("multipart/form-data; boundary={BOUNDARY}");
                client.send_as(&form, "POST", "/api/admin/upload-visa-document", &upload(order))?;
            }
            Flood::Exports => {
                let body = client.open("/api/admin/orders-csv/allOrder")?.context("this binary has no export")?;
                io::copy(&mut body.into_reader(), &mut io::sink())?;
            }
            Flood::Packs => {
                let body = json!({"orderId": order, "defencePackType": 1}).to_string();
                client.send_as("application/json", "POST", "/api/admin/get-defence-pack-pdf", body.as_bytes())?;
                thread::sleep(Duration::from_secs(1));
            }
        }
        Ok(())
    }
}

/// An address for each number.
pub fn address(number: u64) -> String {
    let [.., a, b, c] = number.to_be_bytes();
    format!("10.{a}.{b}.{c}")
}

/// A form with a small PDF in a large file.
fn upload(order: u64) -> Vec<u8> {
    let mut form = String::new();
    for (name, value) in [("orderId", order.to_string()), ("email", "applicant@example.com".to_owned())] {
        form += &format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    form += &format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"uploadVisaDoc\"; filename=\"visa.pdf\"\r\n\
         Content-Type: application/pdf\r\n\r\n"
    );
    let mut form = form.into_bytes();
    form.extend(pdf(FILE_BYTES));
    form.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
    form
}

/// A PDF of one empty page with a stream that nothing draws, of at least so many bytes.
fn pdf(bytes: usize) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>".to_owned(),
        format!("<</Length {bytes}>>stream\n{}\nendstream", " ".repeat(bytes)),
    ];
    let (mut file, mut places) = ("%PDF-1.7\n".to_owned(), Vec::new());
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file += &format!("{} 0 obj{object}endobj\n", at + 1);
    }
    let start = file.len();
    file += "xref\n0 5\n0000000000 65535 f \n";
    for place in places {
        file += &format!("{place:010} 00000 n \n");
    }
    file += &format!("trailer<</Size 5/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    file.into_bytes()
}

struct Line {
    flood: &'static str,
    outcomes: Outcomes,
    lasted: Duration,
    /// The list's p95.
    p95: Duration,
    /// The list's p95 right before.
    quiet: Duration,
    /// Bytes of memory that are not from files, after the flood.
    memory: u64,
}

/// The list's times under each flood.
pub struct FloodTable(Vec<Line>);

/// Measures a copy of the store, because uploads write.
///
/// # Errors
/// If something needed is missing, or the list is refused. Requests of a flood may be refused.
pub fn measure(workspace: &Workspace, orders: u64, this: &Store<'_>, seconds: u32) -> Result<FloodTable> {
    ensure_all(workspace, &[Need::Wrk])?;
    let store = this.copy()?;
    let server = TestServer::open_with(&store, &SETTINGS)?;
    let open_orders = server.open_orders()?;
    let list = Workload::read(workspace, "list 10, page 1")?;
    let job = Job {
        dir: store.data(),
        workload: &list,
        address: server.client().address(),
        token: server.client().token(),
        orders,
        unowned: &[],
        member: MEMBER,
    };
    let desk = || Ok(wrk::run(workspace, &job, DESK_CONNECTIONS, seconds)?.times[1]);
    desk()?;
    let mut lines = Vec::new();
    for flood in FLOODS {
        let quiet: Duration = desk()?;
        let ask = |number| flood.ask(server.client(), &open_orders, number);
        let beside = || {
            thread::sleep(WARM_UP);
            desk()
        };
        let (outcomes, lasted, p95) = crowd::meanwhile(flood.clients(), ask, beside)?;
        let memory = processes::memory(server.process())?.private;
        println!("{}: p95 of the list {p95:?}, {quiet:?} before", flood.name());
        lines.push(Line { flood: flood.name(), outcomes, lasted, p95, quiet, memory });
    }
    Ok(FloodTable(lines))
}

impl Display for FloodTable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let head = ["flood", "requests/s", "refused", "failed", "list: p95 ms", "before", "times", "wanted", ""];
        let mut table = Table::new(&[&head[..], &["MiB after it"]].concat());
        for Line { flood, outcomes, lasted, p95, quiet, memory } in &self.0 {
            let millis = |time: &Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
            let times = p95.as_secs_f64() / quiet.as_secs_f64().max(f64::MIN_POSITIVE);
            table.add(vec![
                (*flood).to_owned(),
                thousands(outcomes.all() as f64 / lasted.as_secs_f64()),
                outcomes.refused.to_string(),
                outcomes.failed.to_string(),
                millis(p95),
                millis(quiet),
                format!("{times:.2}"),
                format!("< {MOST_LONGER}"),
                verdict(times < MOST_LONGER).to_owned(),
                (memory >> 20).to_string(),
            ]);
        }
        write!(out, "{table}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_large_file_says_where_its_objects_are() {
        let file = String::from_utf8(pdf(100)).expect("text");
        let start: usize = file.rsplit("startxref\n").next().and_then(|end| end.lines().next()?.parse().ok()).unwrap();
        assert!(file[start..].starts_with("xref"));
        for (at, line) in file[start..].lines().skip(3).take(4).enumerate() {
            let place: usize = line[..10].parse().unwrap();
            assert!(file[place..].starts_with(&format!("{} 0 obj", at + 1)), "{line}");
        }
    }

    #[test]
    fn strangers_come_from_addresses_of_their_own() {
        assert_eq!(address(1), "10.0.0.1");
        assert_ne!(address(1), address(257));
    }
}
