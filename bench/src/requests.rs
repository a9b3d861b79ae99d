//! Requests one at a time: on few orders and on many, or on another binary and on this one, in turns.

use std::time::Duration;

use anyhow::Result;

use crate::figures::{Figures, Times};
use crate::plan::{FILTERS, FOLDERS, SEARCH_FOLDERS, TERMS, deep_page, few};
use crate::server::{Call, TestServer};

/// How much the counts may take longer over many orders than over few.
const MOST_COUNTS: f64 = 1.2;

/// Measures both in turns, so that other work of the machine slows both alike. `orders` are those of the large database.
///
/// # Errors
/// If a call is refused.
pub fn measure(small: &TestServer, large: &TestServer, orders: u64) -> Result<Figures> {
    let mut figures = Figures::new([few(orders), orders].map(|orders| format!("{orders} orders")));
    let largest = largest_queue(large)?;

    println!("measuring CPU per request");
    let calls = [Call::Alive, Call::Counts, Call::Page { folder: largest, page: 1 }];
    let [alive, counts, page] = cpu_per_request(small, large, &calls)?;
    figures.cpu("a constant (/healthz): server CPU", alive);
    figures.cpu_ratio_to_few("counts: server CPU", counts, MOST_COUNTS);
    figures.cpu_ratio_to_constant(&format!("{largest}, page 1: server CPU"), page, alive, 8.0);

    println!("measuring counts and pages");
    let pages = ["allOrder", largest].map(|folder| [1, deep_page(orders)].map(|page| Call::Page { folder, page }));
    let calls: Vec<Call> = [Call::Alive, Call::Counts].iter().chain(pages.as_flattened()).copied().collect();
    let mut measured = times(small, large, &same(&calls), 200)?;
    for (call, times) in calls.iter().zip(&measured) {
        match call {
            Call::Counts => figures.times_ratio_to_few("counts", times, MOST_COUNTS),
            Call::Page { .. } => figures.times(&call.to_string(), times, Some(Duration::from_millis(5))),
            _ => figures.times(&call.to_string(), times, None),
        }
    }
    let last = [few(orders), orders].map(|orders| Call::Page { folder: "allOrder", page: orders / 10 });
    let [first, last] = [measured.swap_remove(2), times(small, large, &[last], 200)?.swap_remove(0)];
    figures.times_ratio_to_first("allOrder, the last page", &last, &first, 2.0);

    println!("measuring filters");
    let mut calls: Vec<Call> = FILTERS.iter().map(|&(_, folder, filter)| Call::Filtered { folder, filter }).collect();
    calls.push(Call::Workload);
    let most = Some(Duration::from_millis(50));
    let names = FILTERS.iter().map(|(what, folder, _)| format!("{folder}, {what}")).chain(["workload".to_owned()]);
    for (what, times) in names.zip(&times(small, large, &same(&calls), 40)?) {
        figures.times(&what, times, most);
    }

    println!("measuring searches");
    for folder in SEARCH_FOLDERS {
        let calls: Vec<Call> = TERMS.iter().map(|&(_, term)| Call::Search { folder, term }).collect();
        let found = times(small, large, &same(&calls), 40)?;
        let all = [0, 1].map(|server| Times::together(found.iter().map(|times| &times[server])));
        for ((what, term), times) in TERMS.iter().zip(&found) {
            figures.times(&format!("{folder}, {what}: {term}"), times, Some(Duration::from_millis(50)));
        }
        figures.times(&format!("{folder}, all searches together"), &all, Some(Duration::from_millis(50)));
    }
    Ok(figures)
}

/// Measures the other binary and this one in turns, over as many orders.
///
/// # Errors
/// If a call is refused.
pub fn compare(other: &TestServer, this: &TestServer, orders: u64) -> Result<Figures> {
    /// Noise of a shared machine: the same binary differs from itself by less.
    const MOST: f64 = 1.1;
    let mut figures = Figures::new(["other", "this"].map(str::to_owned));
    let largest = largest_queue(this)?;

    println!("measuring CPU per request");
    let pages = ["allOrder", largest].map(|folder| [1, deep_page(orders)].map(|page| Call::Page { folder, page }));
    let pages = pages.as_flattened();
    let calls = [Call::Alive, Call::Counts, pages[0], pages[1], pages[2], pages[3]];
    for (call, spent) in calls.iter().zip(cpu_per_request(other, this, &calls)?) {
        figures.cpu_ratio_to_other(&format!("{call}: server CPU"), spent, MOST);
    }

    println!("measuring requests");
    for (call, times) in calls.iter().zip(&times(other, this, &same(&calls), 200)?) {
        figures.times_ratio_to_other(&call.to_string(), times, MOST);
    }
    for folder in SEARCH_FOLDERS {
        let calls: Vec<Call> = TERMS.iter().map(|&(_, term)| Call::Search { folder, term }).collect();
        for ((what, term), times) in TERMS.iter().zip(&times(other, this, &same(&calls), 40)?) {
            figures.times_ratio_to_other(&format!("{folder}, {what}: {term}"), times, MOST);
        }
    }
    Ok(figures)
}

/// The folder of one status that holds most. `allOrder` holds more, and needs no condition.
fn largest_queue(server: &TestServer) -> Result<&'static str> {
    let mut largest = (0, FOLDERS[0]);
    for folder in FOLDERS {
        let total = server.ask(Call::Page { folder, page: 1 })?["total"].as_u64().unwrap_or(0);
        if total > largest.0 {
            largest = (total, folder);
        }
    }
    Ok(largest.1)
}

/// Each call on both servers.
fn same(calls: &[Call]) -> Vec<[Call; 2]> {
    calls.iter().map(|call| [*call; 2]).collect()
}

/// The time of each pair of calls, one on each server, call by call and server by server in each round. The first round is not counted.
fn times(first: &TestServer, second: &TestServer, calls: &[[Call; 2]], rounds: u32) -> Result<Vec<[Times; 2]>> {
    let mut all = vec![[Times::default(), Times::default()]; calls.len()];
    for round in 0..=rounds {
        for (calls, times) in calls.iter().zip(&mut all) {
            for ((server, call), times) in [first, second].into_iter().zip(calls).zip(times) {
                let took = server.time(*call)?;
                if round > 0 {
                    times.add(took);
                }
            }
        }
    }
    Ok(all)
}

const CPU_ROUNDS: u32 = 5;
/// Enough for the ticks of 10 ms, in which the kernel tells CPU times, not to matter.
const REQUESTS_A_ROUND: u32 = 2_000;

/// The server's CPU time for one request of each call, on both servers, over connections that stay open.
fn cpu_per_request<const N: usize>(
    first: &TestServer,
    second: &TestServer,
    calls: &[Call; N],
) -> Result<[[Duration; 2]; N]> {
    let mut spent = [[Duration::ZERO; 2]; N];
    for round in 0..=CPU_ROUNDS {
        for (call, spent) in calls.iter().zip(&mut spent) {
            for (server, spent) in [first, second].into_iter().zip(spent) {
                let cpu = server.cpu_of(*call, REQUESTS_A_ROUND)?;
                if round > 0 {
                    *spent += cpu;
                }
            }
        }
    }
    Ok(spent.map(|both| both.map(|spent| spent / (CPU_ROUNDS * REQUESTS_A_ROUND))))
}
