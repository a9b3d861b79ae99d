//! Role × status × action: what the server allows, compared with `docs/allowed-actions.md` and with the specification.

mod actions;
mod cells;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use futures_util::StreamExt as _;
use futures_util::stream;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use visadesk::orders::status::ProcessStatus::{self, ChargeBack, Completed, CustomerCalled, Deleted, Future, Refunds};
use visadesk::staff::rules::StaffType::{self, Admin, Manager};

use self::actions::{Action, OF_A_FILE, actions, calls_about_an_order};
use self::cells::{Agency, Cell, Outcome, Situation, without_limits};
use self::table::{Outcomes, Row, document, outcome, rows, rows_of};
use crate::support::TestApp;
use crate::support::rounds::{rounds as of_rounds, seed};

const PAGE: &str = "docs/allowed-actions.md";

/// How many actions are asked for at once.
const AT_ONCE: usize = 8;

/// How many cells of a row are asked for, if the row is only sampled.
const SAMPLE: usize = 5;

/// The outcomes of one action on one order.
type ByType = BTreeMap<StaffType, Outcome>;

fn committed() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join(PAGE);
    std::fs::read_to_string(file).unwrap_or_default()
}

/// Every cell of the table, but of actions that are alike in all situations those in one.
fn cells_to_ask(actions: &[Action]) -> Vec<Cell> {
    let is_asked = |cell: &Cell| cell.situation == Situation::Unassigned || !actions[cell.action].is_alike();
    all_cells(actions).into_iter().filter(is_asked).collect()
}

/// Every cell of the table.
fn all_cells(actions: &[Action]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for action in 0..actions.len() {
        for &status in ProcessStatus::ALL {
            for (situation, _) in Situation::ALL {
                for &who in StaffType::ALL {
                    cells.push(Cell { action, who, status, situation, choice: cells.len() });
                }
            }
        }
    }
    cells
}

/// For each row and status one cell for each type of staff, or for one of them if the row treats all alike, in a situation by chance.
fn drawn_cells(actions: &[Action], rows: &[Row], random: &mut ChaCha8Rng) -> Vec<Cell> {
    let mut cells = Vec::new();
    for row in rows {
        let action = actions.iter().position(|action| action.name == row.action);
        let action = action.unwrap_or_else(|| panic!("{PAGE} has the unknown action {}", row.action));
        let depends_on_type = row.outcomes.iter().any(|outcome| *outcome != row.outcomes[0]);
        let types = if depends_on_type { StaffType::ALL.len() } else { 1 };
        let mut of_row = Vec::new();
        for &status in &row.statuses {
            for &who in StaffType::ALL.sample(random, types) {
                let situation = *row.situations.choose(random).expect("a situation");
                of_row.push(Cell { action, who, status, situation, choice: random.random_range(0..1_000) });
            }
        }
        if actions[action].is_sampled() {
            of_row = of_row.sample(random, SAMPLE).copied().collect();
        }
        cells.extend(of_row);
    }
    cells
}

/// Asks for all cells, several at once.
async fn ask(test: &TestApp, actions: &[Action], cells: Vec<Cell>) -> Vec<(Cell, Outcome)> {
    let agency = Agency::of(test).await;
    let asked = stream::iter(cells).map(|cell| {
        let agency = &agency;
        async move { (cell, agency.ask(actions, cell).await) }
    });
    asked.buffer_unordered(AT_ONCE).collect().await
}

#[tokio::test]
async fn each_type_of_staff_may_do_with_each_order_what_the_page_says() {
    let test = TestApp::start_with(without_limits).await;
    let actions = actions();
    let update = std::env::var_os("VISADESK_TEST_UPDATE").is_some();
    let page = committed();
    if update || of_rounds(false, true) {
        let mut outcomes: BTreeMap<usize, BTreeMap<(ProcessStatus, Situation), ByType>> = BTreeMap::new();
        for (cell, outcome) in ask(&test, &actions, cells_to_ask(&actions)).await {
            let of_action = outcomes.entry(cell.action).or_default();
            for (situation, _) in Situation::ALL {
                if situation == cell.situation || actions[cell.action].is_alike() {
                    of_action.entry((cell.status, situation)).or_default().insert(cell.who, outcome.clone());
                }
            }
        }
        let is_answer = |outcome: &Outcome| outcome.as_ref().is_some_and(|code| code.contains(' '));
        let unexpected =
            outcomes.values().flatten().flat_map(|(_, by_type)| by_type.values()).filter(|one| is_answer(one));
        assert_eq!(unexpected.collect::<BTreeSet<_>>(), BTreeSet::new(), "answers that no rule gave");
        let ordered =
            |by_type: &ByType| -> Outcomes { StaffType::ALL.iter().map(|who| by_type[who].clone()).collect() };
        let rows = outcomes.iter().flat_map(|(action, of_action)| {
            let of_action = of_action.iter().map(|(key, by_type)| (*key, ordered(by_type))).collect();
            rows_of(&actions[*action].name, &of_action)
        });
        let found = document(&actions, &rows.collect::<Vec<_>>());
        if update {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join(PAGE);
            std::fs::write(file, &found).expect("the page can be written");
        }
        let changed: Vec<&str> = found.lines().filter(|line| !page.lines().any(|known| known == *line)).collect();
        assert!(update || found == page, "{PAGE} is not what the server allows:\n{}", changed.join("\n"));
        return;
    }
    let rows = rows(&page);
    let cells = drawn_cells(&actions, &rows, &mut ChaCha8Rng::from_seed(seed()));
    let mut wrong = BTreeSet::new();
    for (cell, found) in ask(&test, &actions, cells).await {
        let name = &actions[cell.action].name;
        let expected = outcome(&rows, name, cell.who, cell.status, cell.situation);
        if found != expected {
            let Cell { who, status, situation, .. } = cell;
            wrong.insert(format!("{name}, {who}, {status}, {situation}: {found:?}, and not {expected:?}"));
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{PAGE} is not what the server allows:\n{}", wrong.join("\n"));
}

/// What the details of an order offer, and the action that it means. The last word: it is offered wherever the server allows it, because it
/// always changes something.
const OFFERED: [(&str, &str, bool); 11] = [
    ("assign_to_me", "Assign to oneself", false),
    ("unassign", "Give back", false),
    ("delete", "Delete, on its own screen", false),
    ("restore", "Restore", true),
    ("refund", "Mark as refunded", false),
    ("take_back_refund", "Take the mark back", true),
    ("upload_visa", "Upload the visa", true),
    ("correct", "Correct what the customer entered", true),
    ("edit_transaction", "Save the transaction details", true),
    ("save_chargeback", "Save the chargeback as won", true),
    ("make_packs", "Generate a defence pack", true),
];

#[tokio::test]
async fn an_order_offers_each_member_what_the_page_allows_and_nothing_else() {
    let test = TestApp::start_with(without_limits).await;
    let agency = Agency::of(&test).await;
    let (rows, mut random) = (rows(&committed()), ChaCha8Rng::from_seed(seed()));
    let mut wrong = Vec::new();
    for &who in StaffType::ALL {
        for &status in ProcessStatus::ALL {
            let all = &Situation::ALL;
            let (situation, _) = *all.choose(&mut random).expect("a situation");
            let order = agency.order_for(who, status, situation).await;
            let offered = agency.offered(who, order).await;
            let allows = |action: &str| outcome(&rows, action, who, status, situation).is_none();
            for (key, action, always) in OFFERED {
                let is_offered = offered[key] == true;
                if is_offered && !allows(action) || always && !is_offered && allows(action) {
                    wrong.push(format!(
                        "{who}, {status}, {situation}: {key} is {is_offered}, {action} {}",
                        allows(action)
                    ));
                }
            }
            for to in ProcessStatus::ALL.iter().filter(|to| **to != status && **to != Deleted) {
                let is_offered =
                    offered["moves"].as_array().is_some_and(|moves| moves.iter().any(|one| one == to.as_str()));
                if is_offered != allows(&format!("Move to {to}")) {
                    wrong.push(format!("{who}, {status}, {situation}: a move to {to} is {is_offered}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_call_about_an_order_is_an_action_of_the_page() {
    let of_page: BTreeSet<&str> = actions().iter().map(|action| action.call).chain(OF_A_FILE).collect();
    assert_eq!(of_page, calls_about_an_order().into_iter().collect(), "server/tests/api/allowed_actions/actions.rs");
}

#[test]
fn the_page_has_each_action_on_each_order_in_one_row() {
    let rows = rows(&committed());
    let actions = actions();
    for Cell { action, who, status, situation, .. } in all_cells(&actions) {
        outcome(&rows, &actions[action].name, who, status, situation);
    }
    let known: BTreeSet<&str> = actions.iter().map(|action| action.name.as_str()).collect();
    assert!(rows.iter().all(|row| known.contains(row.action.as_str())), "the page has no other action");
    assert_eq!(document(&actions, &rows), committed(), "the page is written as the test writes it");
}

/// What the specification says in §2, §4 and §6, and not what the server does.
#[test]
fn the_page_says_what_the_specification_says() {
    let rows = rows(&committed());
    let leaders = [Admin, Manager];
    let who_may = |action: &str, status, situation| -> Vec<StaffType> {
        let may = |who: &&StaffType| outcome(&rows, action, **who, status, situation).is_none();
        StaffType::ALL.iter().filter(may).copied().collect()
    };
    for &status in ProcessStatus::ALL {
        let of = |action: &str| who_may(action, status, Situation::Unassigned);
        let everyone = StaffType::ALL;
        // Admin and Manager delete from lists, among them ChargeBack's, and everyone from the future list; in My Orders only Admin.
        let deleters = if status == Future { everyone } else { &leaders[..] };
        for action in ["Delete, in another list", "Delete, on its own screen"] {
            assert_eq!(of(action), deleters, "{action}, {status}");
        }
        assert_eq!(of("Delete, in the list My Orders"), [Admin], "{status}");
        // Refunded it, Assign to me and Move to Original Folder are open to all roles.
        assert_eq!(of("Mark as refunded"), if status == Refunds { everyone } else { &[] }, "{status}");
        assert_eq!(of("Assign to oneself"), everyone, "{status}");
        assert_eq!(who_may("Give back", status, Situation::OwnedByMember), everyone, "{status}");
        // Any status can reach any other.
        for to in ProcessStatus::ALL.iter().filter(|to| **to != Deleted) {
            assert_eq!(of(&format!("Move to {to}")), everyone, "{status} to {to}");
        }
        // Defence packs and transaction details: in Completed, Customer Called or ChargeBack.
        let is_defended = matches!(status, Completed | CustomerCalled | ChargeBack);
        for action in ["Generate a defence pack", "Save the transaction details"] {
            assert_eq!(of(action), if is_defended { everyone } else { &[] }, "{action}, {status}");
        }
        assert_eq!(of("Add a remark"), everyone, "{status}");
    }
}
