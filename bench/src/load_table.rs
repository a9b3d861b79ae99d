//! The tables of a load: what each server does and takes, and how this one compares with the others.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::load::USUAL_CONNECTIONS;
use crate::processes::Memory;
use crate::stores::Kind;
use crate::table::{Table, thousands, verdict};
use crate::workloads::Workload;

/// CPU time of one request.
#[derive(Clone, Copy)]
pub struct Usage {
    pub server: Duration,
    /// The share of the database, if it is in processes of its own.
    pub database: Option<Duration>,
}

impl Usage {
    fn sum(self) -> Duration {
        self.server + self.database.unwrap_or_default()
    }
}

/// One server under one workload.
#[derive(Clone, Copy)]
pub struct Cell {
    /// Requests per second.
    pub rate: f64,
    /// The times that 50, 95 and 99 of 100 requests did not exceed.
    pub times: [Duration; 3],
    pub usage: Usage,
}

struct Line {
    workload: String,
    connections: u32,
    /// One for each server; the first is this one's.
    cells: Vec<Cell>,
    /// The ratio to this server's constant handler, with as many connections.
    to_constant: Option<f64>,
    wanted: Vec<(String, f64)>,
}

pub struct LoadTable {
    kind: Kind,
    servers: Vec<String>,
    lines: Vec<Line>,
    memory: Vec<(String, Memory)>,
}

impl LoadTable {
    pub fn new(kind: Kind, servers: Vec<String>) -> LoadTable {
        LoadTable { kind, servers, lines: Vec::new(), memory: Vec::new() }
    }

    pub fn add(&mut self, workload: &Workload, connections: u32, cells: Vec<Cell>) {
        let constant = self.lines.iter().find(|line| line.connections == connections);
        let to_constant = constant.and_then(|line| Some(cells.first()?.rate / line.cells.first()?.rate));
        let is_wanted = connections == USUAL_CONNECTIONS;
        let wanted = if is_wanted { workload.wanted.clone() } else { Vec::new() };
        self.lines.push(Line { workload: workload.name.clone(), connections, cells, to_constant, wanted });
    }

    pub fn add_memory(&mut self, server: &str, memory: Memory) {
        self.memory.push((server.to_owned(), memory));
    }

    /// The targets of a line for the peers that were measured: peer, least ratio, ratio.
    fn targets<'a>(&'a self, line: &'a Line) -> Vec<(&'a str, f64, f64)> {
        let peers = self.servers.iter().zip(&line.cells).skip(1);
        let targets = peers.filter_map(|(peer, cell)| {
            // The targets beside an older binary are those of PostgreSQL.
            let name = match (peer.as_str(), self.kind) {
                ("other", Kind::Postgres) => "PostgreSQL beside",
                (peer, _) => peer,
            };
            let least = line.wanted.iter().find(|(wanted, _)| wanted == name)?.1;
            Some((peer.as_str(), least, line.cells.first()?.rate / cell.rate))
        });
        targets.collect()
    }
}

impl LoadTable {
    /// What each server does.
    fn rates(&self) -> Table {
        let mut table =
            Table::new(&["call", "connections", "server", "requests/s", "p50 ms", "p95 ms", "p99 ms", "CPU us"]);
        for line in &self.lines {
            for (server, cell) in self.servers.iter().zip(&line.cells) {
                let mut row = vec![line.workload.clone(), line.connections.to_string(), server.clone()];
                row.push(thousands(cell.rate));
                row.extend(cell.times.map(|time| format!("{:.2}", time.as_secs_f64() * 1e3)));
                row.push(cell.usage.to_string());
                table.add(row);
            }
        }
        table
    }

    /// This server beside the others, and how many targets were missed.
    fn ratios(&self) -> (Table, usize) {
        let peers = self.servers.iter().skip(1).flat_map(|peer| [format!("{peer}: rate"), format!("{peer}: CPU")]);
        let head = ["call", "connections", "constant: rate"].map(str::to_owned).into_iter().chain(peers);
        let head: Vec<String> = head.chain(["wanted".to_owned(), String::new()]).collect();
        let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        let mut missed = 0;
        for line in &self.lines {
            let [this, peers @ ..] = line.cells.as_slice() else { continue };
            let mut row = vec![line.workload.clone(), line.connections.to_string()];
            row.push(line.to_constant.map(|ratio| format!("{ratio:.2}")).unwrap_or_default());
            for peer in peers {
                let cpu = peer.usage.sum().as_secs_f64() / this.usage.sum().as_secs_f64();
                row.extend([this.rate / peer.rate, cpu].map(|ratio| format!("{ratio:.2}")));
            }
            let targets = self.targets(line);
            let is_met = targets.iter().all(|(_, least, ratio)| ratio >= least);
            missed += usize::from(!is_met);
            row.push(targets.iter().map(|(peer, least, _)| format!("{peer} {least}")).collect::<Vec<_>>().join(", "));
            row.push(if targets.is_empty() { "" } else { verdict(is_met) }.to_owned());
            table.add(row);
        }
        (table, missed)
    }
}

impl Display for LoadTable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let cpu = match self.kind {
            Kind::Sqlite => "CPU is the server's",
            Kind::Postgres => "CPU is the server's + the database's",
        };
        writeln!(out, "{}\n{cpu}, for one request.\n", self.rates())?;
        if self.servers.len() > 1 {
            let (table, missed) = self.ratios();
            writeln!(
                out,
                "{table}\nMore than 1: this server is faster, or takes less CPU. Lines with a missed target: {missed}\n"
            )?;
        }
        let mut table = Table::new(&["memory in MiB", "peak", "at the end", "of it not from files"]);
        for (server, Memory { peak, resident, private }) in &self.memory {
            let sizes = [peak, resident, private].map(|bytes| (bytes >> 20).to_string());
            table.add([server.clone()].into_iter().chain(sizes).collect());
        }
        write!(out, "{table}")
    }
}

impl Display for Usage {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}", thousands(self.server.as_secs_f64() * 1e6))?;
        match self.database {
            Some(database) => write!(out, " + {}", thousands(database.as_secs_f64() * 1e6)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_compares_with_each_peer_and_says_which_targets_were_missed() {
        let cell = |rate, micros| Cell {
            rate,
            times: [1, 2, 3].map(Duration::from_millis),
            usage: Usage { server: Duration::from_micros(micros), database: None },
        };
        let mut table = LoadTable::new(Kind::Sqlite, vec!["this".to_owned(), "bare".to_owned()]);
        let mut list = Workload::constant();
        table.add(&list, 16, vec![cell(20_000.0, 40), cell(40_000.0, 20)]);
        list.name = "list".to_owned();
        list.wanted = vec![("bare".to_owned(), 0.6)];
        table.add(&list, 16, vec![cell(1_234.0, 1_500), cell(2_468.0, 700)]);
        table.add_memory("this", Memory { peak: 3 << 20, resident: 2 << 20, private: 1 << 20 });
        let expected = "\
| call                  | connections | server | requests/s | p50 ms | p95 ms | p99 ms | CPU us |
|-----------------------|------------:|-------:|-----------:|-------:|-------:|-------:|-------:|
| a constant (/healthz) |          16 |   this |     20,000 |   1.00 |   2.00 |   3.00 |     40 |
| a constant (/healthz) |          16 |   bare |     40,000 |   1.00 |   2.00 |   3.00 |     20 |
| list                  |          16 |   this |      1,234 |   1.00 |   2.00 |   3.00 |  1,500 |
| list                  |          16 |   bare |      2,468 |   1.00 |   2.00 |   3.00 |    700 |

CPU is the server's, for one request.

| call                  | connections | constant: rate | bare: rate | bare: CPU |   wanted |            |
|-----------------------|------------:|---------------:|-----------:|----------:|---------:|-----------:|
| a constant (/healthz) |          16 |                |       0.50 |      0.50 |          |            |
| list                  |          16 |           0.06 |       0.50 |      0.47 | bare 0.6 | **MISSED** |

More than 1: this server is faster, or takes less CPU. Lines with a missed target: 1

| memory in MiB | peak | at the end | of it not from files |
|---------------|-----:|-----------:|---------------------:|
| this          |    3 |          2 |                    1 |
";
        assert_eq!(table.to_string(), expected);
    }
}
