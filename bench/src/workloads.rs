//! The requests of the load, as `bench/peers/workloads.json` lists them. `{page}`, `{order}`, `{random:1..9}`, `{unowned}` and `{owner}` in
//! a path or a body get new values in each request.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask::workspace::Workspace;

/// The id of the first order of a seed.
const FIRST_ORDER: u64 = 100_001;

/// The path of the constant.
const CONSTANT: &str = "/healthz";

/// A kind of request that is sent again and again.
pub struct Workload {
    pub name: String,
    pub method: String,
    path: String,
    body: Option<String>,
    /// The number of rows in the response.
    pub rows: Option<u64>,
    /// The workload is left out on databases with fewer orders.
    pub orders: u64,
    /// The least ratio of requests per second to each peer that the project wants with 16 connections. `PostgreSQL beside` is the
    /// binary of `--beside`, on PostgreSQL.
    pub wanted: Vec<(String, f64)>,
}

/// A part of a path or of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// A number of this range, both ends included.
    Random(u64, u64),
    /// The id of an order. The threads of the load share the orders out, and each takes its own in turn.
    Unowned,
    /// The name of the member who gets the order. In every second turn it is empty, which takes the order back.
    Owner,
}

impl Workload {
    /// A handler whose response is a constant.
    pub fn constant() -> Workload {
        Workload {
            name: "a constant (/healthz)".to_owned(),
            method: "GET".to_owned(),
            path: CONSTANT.to_owned(),
            body: None,
            rows: None,
            orders: 0,
            wanted: Vec::new(),
        }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it is missing, or a workload has no name, method or path.
    pub fn read_all(workspace: &Workspace) -> Result<Vec<Workload>> {
        let file = workspace.root.join("bench/peers/workloads.json");
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let all: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))?;
        let all = all["workloads"].as_array().context("no workloads")?;
        all.iter().map(Workload::parse).collect()
    }

    /// Reads the workload of this name from the file.
    ///
    /// # Errors
    /// If the file cannot be read or has no such workload.
    pub fn read(workspace: &Workspace, name: &str) -> Result<Workload> {
        let found = Workload::read_all(workspace)?.into_iter().find(|workload| workload.name == name);
        found.with_context(|| format!("there is no workload {name:?}"))
    }

    fn parse(value: &Value) -> Result<Workload> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let name = text("name").context("a workload without a name")?;
        let wanted = value["wanted"].as_object().into_iter().flatten();
        let wanted = wanted.filter_map(|(peer, ratio)| Some((peer.clone(), ratio.as_f64()?)));
        Ok(Workload {
            method: text("method").with_context(|| format!("{name} has no method"))?,
            path: text("path").with_context(|| format!("{name} has no path"))?,
            body: text("body"),
            rows: value["rows"].as_u64(),
            orders: value["orders"].as_u64().unwrap_or(0),
            wanted: wanted.collect(),
            name,
        })
    }

    /// The path of a request to a database with so many orders.
    ///
    /// # Errors
    /// If it names something that cannot be filled in.
    pub fn path(&self, orders: u64) -> Result<Vec<Piece>> {
        pieces(&self.path, orders, self.rows.unwrap_or(1))
    }

    /// The body of a request to a database with so many orders; empty for a request without one.
    ///
    /// # Errors
    /// If it names something that cannot be filled in.
    pub fn body(&self, orders: u64) -> Result<Vec<Piece>> {
        pieces(self.body.as_deref().unwrap_or_default(), orders, self.rows.unwrap_or(1))
    }

    /// Whether its response is a constant, which is not JSON.
    pub fn is_constant(&self) -> bool {
        self.path == CONSTANT
    }

    /// Whether its requests name numbers of a range.
    ///
    /// # Errors
    /// If it names something that cannot be filled in.
    pub fn has_ranges(&self, orders: u64) -> Result<bool> {
        let is_range = |piece: &Piece| matches!(piece, Piece::Random(..));
        Ok(self.path(orders)?.iter().chain(&self.body(orders)?).any(is_range))
    }

    /// Whether it assigns orders.
    pub fn assigns(&self) -> bool {
        self.body.as_deref().is_some_and(|body| body.contains("{unowned}"))
    }
}

fn pieces(template: &str, orders: u64, rows: u64) -> Result<Vec<Piece>> {
    let (mut pieces, mut rest) = (Vec::new(), template);
    let mut text = String::new();
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        let name = rest[start + 1..].split('}').next().unwrap_or_default();
        let piece = match name {
            "page" => Some(Piece::Random(1, (orders / rows).max(1))),
            "order" => Some(order(orders)),
            "unowned" => Some(Piece::Unowned),
            "owner" => Some(Piece::Owner),
            name => name.strip_prefix("random:").map(range).transpose()?,
        };
        match piece {
            // A bracket of JSON.
            None => {
                text.push('{');
                rest = &rest[start + 1..];
            }
            Some(piece) => {
                pieces.extend([Piece::Text(std::mem::take(&mut text)), piece]);
                rest = &rest[start + name.len() + 2..];
            }
        }
    }
    text.push_str(rest);
    pieces.push(Piece::Text(text));
    pieces.retain(|piece| *piece != Piece::Text(String::new()));
    Ok(pieces)
}

/// An order whose number begins that of no other order, so a search for it finds one.
fn order(orders: u64) -> Piece {
    let last = FIRST_ORDER + orders.max(1) - 1;
    Piece::Random(FIRST_ORDER.max(last / 10 + 1), last)
}

fn range(range: &str) -> Result<Piece> {
    let (from, to) = range.split_once("..").with_context(|| format!("{range} is not a range"))?;
    let (from, to) = (from.parse()?, to.parse()?);
    ensure!(from <= to, "{range} is empty");
    Ok(Piece::Random(from, to))
}

/// A text that the pieces stand for, with the number at this share of each range.
pub fn example(pieces: &[Piece], share: Share, unowned: u64, owner: &str) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Random(from, to) => (from + (to - from) * share.part / share.of).to_string(),
        Piece::Unowned => unowned.to_string(),
        Piece::Owner => owner.to_owned(),
    };
    pieces.iter().map(text).collect()
}

/// A fraction from 0 to 1.
#[derive(Clone, Copy)]
pub struct Share {
    pub part: u64,
    pub of: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_in_a_request_is_told_from_the_brackets_of_json() -> Result<()> {
        let body = pieces(r#"{"orderId":{unowned},"assignto":"{owner}"}"#, 10, 1)?;
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(
            body,
            [text(r#"{"orderId":"#), Piece::Unowned, text(r#","assignto":""#), Piece::Owner, text(r#""}"#)]
        );
        let half = Share { part: 1, of: 2 };
        assert_eq!(example(&body, half, 7, "Ann"), r#"{"orderId":7,"assignto":"Ann"}"#);
        assert_eq!(example(&[Piece::Random(10, 20)], half, 7, "Ann"), "15");
        assert_eq!(pieces("?page={page}", 20_000, 10)?, [text("?page="), Piece::Random(1, 2_000)]);
        assert_eq!(
            pieces("/{order}/{random:3..5}", 100, 1)?[1..],
            [Piece::Random(100_001, 100_100), text("/"), Piece::Random(3, 5)]
        );
        assert!(pieces("{random:5..3}", 100, 1).is_err());
        Ok(())
    }

    #[test]
    fn the_number_of_an_order_does_not_begin_that_of_another() {
        assert_eq!(order(900_000), Piece::Random(100_001, 1_000_000));
        assert_eq!(order(1_000_000), Piece::Random(110_001, 1_100_000));
    }

    #[test]
    fn the_file_of_workloads_can_be_read() -> Result<()> {
        let all = Workload::read_all(&Workspace::open()?)?;
        assert!(all.iter().any(Workload::assigns));
        assert!(all.iter().all(|workload| workload.path(20_000).is_ok() && workload.body(20_000).is_ok()));
        Ok(())
    }
}
