//! Many rows at once: the seed and an import into an empty database, and the export of every order, in rows per second.

use std::fmt::{self, Display, Formatter, Write as _};
use std::fs;
use std::io::{BufReader, Read as _};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::client::Client;
use crate::load_table::Usage;
use crate::processes;
use crate::server::TestServer;
use crate::stores::{Kind, Store};
use crate::table::{Table, thousands, verdict};

/// The most rows that are seeded and imported.
const MAX_ROWS: u64 = 20_000;

#[derive(Clone, Copy)]
enum Work {
    Seed,
    Import,
    Export,
}

impl Work {
    fn name(self) -> &'static str {
        match self {
            Work::Seed => "seed",
            Work::Import => "import of a CSV file",
            Work::Export => "export of allOrder as CSV",
        }
    }

    /// The least ratio of rows per second to the older binary that the project wants.
    fn wanted(self, kind: Kind) -> Option<f64> {
        match (self, kind) {
            (Work::Import, Kind::Postgres) => Some(9.0),
            _ => None,
        }
    }
}

/// Rows per second, and the CPU time of a row.
struct Speed {
    rows: u64,
    rate: f64,
    usage: Usage,
}

pub struct RowTable {
    kind: Kind,
    /// Of this binary and, if it is measured, of the other. None: the binary cannot do it.
    lines: Vec<(Work, Vec<Option<Speed>>)>,
}

/// Measures both binaries in turns: seed and import into an empty database, and the export of all orders of the store.
///
/// # Errors
/// If a command fails, or does less than it was told.
pub fn measure(kind: Kind, orders: u64, this: &Store<'_>, other: Option<&Store<'_>>) -> Result<RowTable> {
    let rows = orders.min(MAX_ROWS);
    let mut lines = Vec::new();
    for work in [Work::Seed, Work::Import, Work::Export] {
        let mut speeds = Vec::new();
        for (name, store) in [("this", Some(this)), ("other", other)] {
            let Some(store) = store else { continue };
            let speed = match work {
                Work::Seed => Some(seed(store, rows)?),
                Work::Import => Some(import(store, rows)?),
                Work::Export => export(store)?,
            };
            let rate = speed.as_ref().map_or_else(|| "no".to_owned(), |speed| thousands(speed.rate));
            println!("{}: {name} {rate} rows/s", work.name());
            speeds.push(speed);
        }
        lines.push((work, speeds));
    }
    Ok(RowTable { kind, lines })
}

fn seed(store: &Store<'_>, rows: u64) -> Result<Speed> {
    let empty = store.empty()?;
    let orders = rows.to_string();
    let seed = || empty.run(&["seed", "--orders", &orders, "--seed", "1"], "");
    Ok(Speed::of(&empty, processes::cpu_of_ended_children, seed)?.for_rows(rows))
}

fn import(store: &Store<'_>, rows: u64) -> Result<Speed> {
    let empty = store.empty()?;
    let [file, report] = ["orders.csv", "report.csv"].map(|name| empty.data().join(name));
    fs::write(&file, csv(rows))?;
    let [file, report_file] = [&file, &report].map(|path| path.display().to_string());
    let import = || empty.run(&["import", &file, "--report", &report_file], "");
    let speed = Speed::of(&empty, processes::cpu_of_ended_children, import)?;
    let refused = fs::read_to_string(&report).unwrap_or_default();
    // The first line is the heading.
    let refused = refused.lines().nth(1);
    ensure!(refused.is_none(), "rows were refused: {}", refused.unwrap_or_default());
    Ok(speed.for_rows(rows))
}

/// None: the binary is older than the export.
fn export(store: &Store<'_>) -> Result<Option<Speed>> {
    let copy = store.copy()?;
    let server = TestServer::open(&copy)?;
    let mut lines = None;
    let export = || {
        lines = count_lines(server.client())?;
        Ok(())
    };
    let speed = Speed::of(&copy, || processes::cpu(server.process()), export)?;
    // The first line has the names of the columns.
    let Some(rows) = lines.map(|lines| lines.saturating_sub(1)) else { return Ok(None) };
    ensure!(rows > 0, "the export has no rows");
    Ok(Some(speed.for_rows(rows)))
}

fn count_lines(client: &Client) -> Result<Option<u64>> {
    let Some(mut body) = client.open("/api/admin/orders-csv/allOrder")? else { return Ok(None) };
    let mut reader = BufReader::with_capacity(1 << 16, body.as_reader());
    let (mut lines, mut chunk) = (0, vec![0; 1 << 16]);
    loop {
        let read = reader.read(&mut chunk).context("the export broke off")?;
        if read == 0 {
            return Ok(Some(lines));
        }
        lines += chunk[..read].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

impl Speed {
    /// Measures some work on a store, as if it were one row.
    fn of(
        store: &Store<'_>,
        server_cpu: impl Fn() -> Result<Duration>,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<Speed> {
        let database_cpu = || store.database_process().map(processes::cpu).transpose();
        let (server, database, start) = (server_cpu()?, database_cpu()?, Instant::now());
        work()?;
        let took = start.elapsed();
        let server = server_cpu()?.saturating_sub(server);
        let database = database_cpu()?.zip(database).map(|(after, before)| after.saturating_sub(before));
        Ok(Speed { rows: 1, rate: 1.0 / took.as_secs_f64(), usage: Usage { server, database } })
    }

    /// The speed of one of so many rows.
    fn for_rows(self, rows: u64) -> Speed {
        let share = |time: Duration| time.div_f64(rows as f64);
        let Usage { server, database } = self.usage;
        let usage = Usage { server: share(server), database: database.map(share) };
        Speed { rows, rate: self.rate * rows as f64, usage }
    }
}

/// A file to import: paid orders and unpaid ones, with what most orders have.
fn csv(rows: u64) -> String {
    const HEAD: &str = "external_reference,full_name,contact_email_address,processing_mode,visa_type,nationality,country_code,\
                        phone_number,document_number,payment.gateway,payment.payment_reference,payment.amount,payment.currency\n";
    const NAMES: [&str; 8] = ["Ann", "José", "Li Wei", "Fatima", "Olga", "Ravi", "Mia", "Çağlar"];
    const FAMILIES: [&str; 7] = ["Lee", "García", "Visser", "Volkov", "Öztürk", "Iyer", "Zhou"];
    const VISAS: [&str; 4] = ["B1", "C1", "D2", "D1"];
    let mut file = HEAD.to_owned();
    for row in 0..rows {
        let name = |names: &[&'static str], step: u64| {
            usize::try_from(row / step).map_or("", |at| names.get(at % names.len()).copied().unwrap_or_default())
        };
        let (given, family, visa) = (name(&NAMES, 1), name(&FAMILIES, 3), name(&VISAS, 5));
        let mode = if row % 9 == 0 { "Priority Processing" } else { "Regular Processing" };
        let phone = 600_000_000 + row * 7919 % 99_999_999;
        // Writing to a String cannot fail.
        let _ = write!(
            file,
            "BENCH-{row},{given} {family},applicant{row}@example.com,{mode},{visa},Australia,61,{phone},P{:08}",
            row * 104_729 % 99_999_999
        );
        let _ = match row % 20 {
            0 => writeln!(file, ",,,,"),
            _ => writeln!(file, ",Stripe,pay_{row},149.00,USD"),
        };
    }
    file
}

impl Display for RowTable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let has_other = self.lines.iter().any(|(_, speeds)| speeds.len() > 1);
        let mut head = vec!["what", "rows", "rows/s", "CPU us a row"];
        if has_other {
            head.extend(["other: rows/s", "other: CPU us a row", "other: rate", "wanted", ""]);
        }
        let mut table = Table::new(&head);
        for (work, speeds) in &self.lines {
            let cells = |speed: &Option<Speed>| {
                let known = speed.as_ref().map(|speed| [thousands(speed.rate), speed.usage.to_string()]);
                known.unwrap_or_else(|| ["cannot", ""].map(str::to_owned))
            };
            let rows = speeds.iter().flatten().next().map_or(0, |speed| speed.rows);
            let mut row = vec![work.name().to_owned(), thousands(rows as f64)];
            row.extend(speeds.iter().flat_map(cells));
            if has_other {
                let ratio = match speeds.as_slice() {
                    [Some(this), Some(other)] => Some(this.rate / other.rate),
                    _ => None,
                };
                let wanted = work.wanted(self.kind);
                row.push(ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default());
                row.push(wanted.map(|least| least.to_string()).unwrap_or_default());
                row.push(
                    ratio.zip(wanted).map(|(ratio, least)| verdict(ratio >= least)).unwrap_or_default().to_owned(),
                );
            }
            table.add(row);
        }
        write!(out, "{table}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_has_all_columns() {
        let file = csv(50);
        let columns: Vec<usize> = file.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns.len(), 51);
        assert!(columns.iter().all(|count| *count == columns[0]), "{columns:?}");
    }
}
