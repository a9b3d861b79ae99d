//! The invariants of `docs/invariants.md`, after random sequences of requests by several people.
//!
//! A sequence comes from a seed. After each step the rows are checked, at the end the pages as well. `known.rs` lists the shortest sequences
//! of the faults that were found so. `VISADESK_MODEL_SEEDS=7..20` runs other seeds, `cargo xtask seeds` many long ones.

mod calls;
mod invariants;
mod known;
mod pages;
mod requests;
mod rows;
mod run;
mod sentences;
mod state;
mod steps;
mod world;

use std::ops::Range;

use self::run::{Ran, run, sentences_of, shorten};
use self::steps::Step;
use self::world::Place;
use crate::support::database::Database;
use crate::support::rounds::rounds;

/// The seeds of the suite.
const SEEDS: Range<u64> = 1..5;

/// Steps of a sequence.
const STEPS: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn fixed_faults_stay_fixed() {
    let mut back = Vec::new();
    for fixed in known::fixed() {
        let ran = run(&fixed.steps, Place::usual()).await;
        for (place, violation) in &ran.violations {
            let steps = sentences_of(&fixed.steps);
            let found = fixed.seed.map_or(String::new(), |seed| format!(" by seed {seed}"));
            let (fault, broke, rule, text) = (fixed.fault, fixed.breaks, violation.rule, &violation.text);
            back.push(format!("{fault} (broke {broke:?}{found}): {rule:?} after step {place}: {text}\n{steps}"));
        }
    }
    assert!(back.is_empty(), "{}", back.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn random_sequences_break_no_rule() {
    for seed in seeds() {
        let steps = steps::draw(seed, rounds(STEPS, 500));
        let ran = run(&steps, Place::usual()).await;
        expect_clean(seed, &steps, &ran).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sequence_leads_to_the_same_state_on_both_databases_and_on_two_nodes() {
    for seed in seeds().take(rounds(2, 1_000)) {
        let steps = steps::draw(seed, rounds(STEPS, 500));
        let usual = run(&steps, Place::usual()).await;
        expect_clean(seed, &steps, &usual).await;
        let mut others = vec![Place { nodes: 2, ..Place::usual() }];
        if Database::of_the_run() == Database::Postgres {
            others.extend((1..=rounds(1, 2)).map(|nodes| Place { database: Database::Sqlite, nodes }));
        }
        for place in others {
            expect_same(seed, &usual, &run(&steps, place).await, place);
        }
    }
}

/// The seeds of the suite, or those that the environment names.
fn seeds() -> Range<u64> {
    let Ok(named) = std::env::var("VISADESK_MODEL_SEEDS") else { return SEEDS };
    let (from, to) = named.split_once("..").expect("VISADESK_MODEL_SEEDS is like 7..20");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// Fails with the shortest sequence that breaks the same rule.
async fn expect_clean(seed: u64, steps: &[Step], ran: &Ran) {
    if let Some((place, violation)) = ran.violations.first() {
        let shortest = shorten(&steps[..steps.len().min(place + 1)], violation.rule).await;
        panic!(
            "seed {seed} breaks {:?} after step {place}: {}\n{}",
            violation.rule,
            violation.text,
            sentences_of(&shortest)
        );
    }
    let good = ran.answers.iter().filter(|answer| matches!(answer, Some(200..300))).count();
    assert!(good * 5 > steps.len(), "seed {seed}: only {good} of {} steps succeed", steps.len());
}

fn expect_same(seed: u64, one: &Ran, other: &Ran, place: Place) {
    let lacking = |from: &Ran, of: &Ran| -> Vec<String> {
        let mut left = from.state.clone();
        for line in &of.state {
            if let Some(index) = left.iter().position(|known| known == line) {
                left.remove(index);
            }
        }
        left
    };
    let (lacks, has) = (lacking(one, other), lacking(other, one));
    assert!(lacks.is_empty() && has.is_empty(), "seed {seed} on {place:?}: lacks {lacks:#?}, has {has:#?}");
    assert_eq!(one.answers, other.answers, "seed {seed} on {place:?}");
    assert!(other.violations.is_empty(), "seed {seed} on {place:?}: {:?}", other.violations);
}
