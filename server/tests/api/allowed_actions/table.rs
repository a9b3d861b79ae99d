//! `docs/allowed-actions.md`: written from the server's answers, and read back to compare with them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType;

use super::actions::Action;
use super::cells::{Outcome, Situation};

const INTRODUCTION: &str = "# Who may do what with an order

Each action on an order, by status and by type of staff. The server's tests check this page against its responses
(`server/tests/api/allowed_actions.rs`); `VISADESK_TEST_UPDATE=1 cargo test --test api allowed_actions` regenerates it.

The *order* column lists conditions other than the status. The last column gives the error code of a refusal, as in the
[contract](../contract/reference.html). Repeating an action, such as moving an order to its current status, is allowed and changes nothing.
";

/// The outcomes of each type of staff, in the order of [`StaffType::ALL`].
pub type Outcomes = Vec<Outcome>;

/// A row of the document: orders that the server treats alike.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub action: String,
    pub statuses: Vec<ProcessStatus>,
    pub situations: Vec<Situation>,
    pub outcomes: Outcomes,
}

const ANY: &str = "any";
const ALL: &str = "all";
const NONE: &str = "none";

/// Collects the outcomes of an action into rows.
pub fn rows_of(action: &str, outcomes: &BTreeMap<(ProcessStatus, Situation), Outcomes>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (situation, _) in Situation::ALL {
        let mut alike: Vec<(&Outcomes, Vec<ProcessStatus>)> = Vec::new();
        for status in ProcessStatus::ALL {
            let outcomes = &outcomes[&(*status, situation)];
            match alike.iter_mut().find(|(known, _)| *known == outcomes) {
                Some((_, statuses)) => statuses.push(*status),
                None => alike.push((outcomes, vec![*status])),
            }
        }
        for (outcomes, statuses) in alike {
            match rows.iter_mut().find(|row| row.outcomes == *outcomes && row.statuses == statuses) {
                Some(row) => row.situations.push(situation),
                None => rows.push(Row {
                    action: action.to_owned(),
                    statuses,
                    situations: vec![situation],
                    outcomes: outcomes.clone(),
                }),
            }
        }
    }
    rows
}

/// A part of all, in words: `any`, a list, or `any except` a list.
fn spelled<T: Display + PartialEq>(part: &[T], all: &[T]) -> String {
    let list = |items: Vec<&T>| items.into_iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let others: Vec<&T> = all.iter().filter(|one| !part.contains(one)).collect();
    match others.len() {
        0 => ANY.to_owned(),
        left if left < part.len() => format!("any except {}", list(others)),
        _ => list(part.iter().collect()),
    }
}

fn read<T: Display + Copy>(text: &str, all: &[T]) -> Vec<T> {
    let (named, is_exception) = match text.strip_prefix("any except ") {
        Some(list) => (list, true),
        None => (if text == ANY { "" } else { text }, text == ANY),
    };
    let names: BTreeSet<&str> = named.split(", ").filter(|name| !name.is_empty()).collect();
    let spelled: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert!(names.iter().all(|name| spelled.contains(*name)), "{text}: a part of {spelled:?}");
    all.iter().copied().filter(|one| names.contains(one.to_string().as_str()) != is_exception).collect()
}

fn situations() -> Vec<Situation> {
    Situation::ALL.iter().map(|(situation, _)| *situation).collect()
}

fn names(types: &[StaffType]) -> String {
    types.iter().map(|who| who.as_str()).collect::<Vec<_>>().join(", ")
}

/// Who may do it, and why the others may not: `Admin, Manager` and the codes.
fn spelled_outcomes(outcomes: &[Outcome]) -> (String, String) {
    let types = |wanted: &Outcome| -> Vec<StaffType> {
        StaffType::ALL.iter().zip(outcomes).filter(|(_, outcome)| *outcome == wanted).map(|(who, _)| *who).collect()
    };
    let allowed = types(&None);
    let who = match allowed.len() {
        0 => NONE.to_owned(),
        count if count == StaffType::ALL.len() => ALL.to_owned(),
        _ => names(&allowed),
    };
    let codes: BTreeSet<&String> = outcomes.iter().flatten().collect();
    let is_one = codes.len() == 1;
    let refused = codes.into_iter().map(|code| {
        let who = if is_one { String::new() } else { format!("{}: ", names(&types(&Some(code.clone())))) };
        format!("{who}`{code}`")
    });
    (who, refused.collect::<Vec<_>>().join("; "))
}

fn read_outcomes(who: &str, refused: &str) -> Outcomes {
    let is_named = |list: &str, one: StaffType| list.split(", ").any(|name| name == one.as_str());
    let of = |one: StaffType| {
        if who == ALL || is_named(who, one) {
            return None;
        }
        let codes = refused.split("; ").map(|part| part.split_once(": ").unwrap_or(("", part)));
        let mut codes = codes.filter(|(types, _)| types.is_empty() || is_named(types, one));
        let (_, code) =
            codes.next().unwrap_or_else(|| panic!("{one} is neither allowed nor refused: {who}; {refused}"));
        Some(code.trim_matches('`').to_owned())
    };
    StaffType::ALL.iter().map(|one| of(*one)).collect()
}

/// The document.
pub fn document(actions: &[Action], rows: &[Row]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut group = "";
    for action in actions {
        if action.group != group {
            group = action.group;
            text += &format!(
                "\n## {group}\n\n| action | status | order | who may | refusal of the others |\n|---|---|---|---|---|\n"
            );
        }
        for row in rows.iter().filter(|row| row.action == action.name) {
            let (who, refused) = spelled_outcomes(&row.outcomes);
            let statuses = spelled(&row.statuses, ProcessStatus::ALL);
            let situations = spelled(&row.situations, &situations());
            text += &format!("| {} | {statuses} | {situations} | {who} | {refused} |\n", row.action);
        }
    }
    text
}

/// The rows of the document.
pub fn rows(document: &str) -> Vec<Row> {
    let lines = document.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| action |"));
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [action, statuses, situation, who, refused] = cells[..] else { panic!("a row has five cells: {line}") };
        Row {
            action: action.to_owned(),
            statuses: read(statuses, ProcessStatus::ALL),
            situations: read(situation, &situations()),
            outcomes: read_outcomes(who, refused),
        }
    });
    rows.collect()
}

/// The outcome of a cell. The document has each exactly once.
pub fn outcome(rows: &[Row], action: &str, who: StaffType, status: ProcessStatus, situation: Situation) -> Outcome {
    let mut found = rows
        .iter()
        .filter(|row| row.action == action && row.statuses.contains(&status) && row.situations.contains(&situation));
    let (Some(row), None) = (found.next(), found.next()) else {
        panic!("the document has the action {action} for orders in {status}, {situation}, in no row or in two");
    };
    let place = StaffType::ALL.iter().position(|one| *one == who).expect("a type of staff");
    row.outcomes[place].clone()
}
