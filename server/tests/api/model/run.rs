//! Runs a sequence, and shortens one that fails.

use std::collections::{BTreeSet, HashMap};

use super::invariants::{Rule, Violation, Violations, check_answer, check_change, check_rows, essence};
use super::pages;
use super::rows::Rows;
use super::state;
use super::steps::{Desk, Step};
use super::world::{Place, World};

/// What a sequence came to.
pub struct Ran {
    /// What did not hold, each once, with the first step after which it did not.
    pub violations: Vec<(usize, Violation)>,
    /// The state at the end.
    pub state: Vec<String>,
    /// The status codes of the answers.
    pub answers: Vec<Option<u16>>,
}

impl Ran {
    pub fn rules(&self) -> BTreeSet<Rule> {
        self.violations.iter().map(|(_, violation)| violation.rule).collect()
    }
}

/// Takes the steps in a new installation.
pub async fn run(steps: &[Step], place: Place) -> Ran {
    let mut world = World::make(place).await;
    let mut violations: Vec<(usize, Violation)> = Vec::new();
    let mut answers = Vec::new();
    let mut rows = Rows::read(world.node()).await;
    // The rows before and after each change that can be undone, by its event.
    let mut changes: HashMap<i64, (Rows, Rows)> = HashMap::new();
    for (place, step) in steps.iter().enumerate() {
        let undone = match step {
            Step::Desk(member, Desk::Undo) => world.undo.get(member).and_then(serde_json::Value::as_i64),
            _ => None,
        };
        let answer = world.take(step).await;
        let after = Rows::read(world.node()).await;
        let mut found = Violations::default();
        check_rows(&after, &mut found);
        check_change(step, &rows, &after, &mut found);
        if let Some(answer) = &answer {
            check_answer(step, answer, &rows, &after, &mut found);
            if let Some(event) = answer.json["undo"]["event_id"].as_i64() {
                changes.insert(event, (rows.clone(), after.clone()));
            }
            if let (200, Some((before, changed))) = (answer.status, undone.and_then(|event| changes.get(&event))) {
                for order in &before.orders {
                    let (was, now) = (essence(before, order.id), essence(&after, order.id));
                    let is_restored = was == essence(changed, order.id) || was == now;
                    found
                        .expect(is_restored, Rule::UndoneInPart, || format!("order {}: was {was}; is {now}", order.id));
                }
            }
        }
        answers.push(answer.map(|answer| answer.status));
        note(&mut violations, place, found);
        rows = after;
    }
    world.run_jobs().await;
    let mut found = Violations::default();
    check_rows(&Rows::read(world.node()).await, &mut found);
    pages::check(&world, &mut found).await;
    note(&mut violations, steps.len(), found);
    Ran { violations, state: state::of(&world).await, answers }
}

fn note(violations: &mut Vec<(usize, Violation)>, place: usize, found: Violations) {
    for violation in found.0 {
        if violations.iter().all(|(_, known)| known.rule != violation.rule) {
            violations.push((place, violation));
        }
    }
}

/// The fewest steps of a sequence that still break the rule: ever smaller parts are left out while it stays broken.
pub async fn shorten(steps: &[Step], rule: Rule) -> Vec<Step> {
    let mut shortest = steps.to_vec();
    let mut part = shortest.len().div_ceil(2);
    while part > 0 {
        let mut start = 0;
        while start < shortest.len() {
            let end = (start + part).min(shortest.len());
            let without: Vec<Step> = [&shortest[..start], &shortest[end..]].concat();
            if run(&without, Place::usual()).await.rules().contains(&rule) {
                shortest = without;
            } else {
                start = end;
            }
        }
        part /= 2;
    }
    shortest
}

/// The steps as numbered sentences.
pub fn sentences_of(steps: &[Step]) -> String {
    steps.iter().enumerate().map(|(place, step)| format!("{}. {step}\n", place + 1)).collect()
}
