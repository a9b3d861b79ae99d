//! Different actions on the same orders at once, on two nodes: whatever order they come in, the rules of `ARCHITECTURE.md` hold afterwards.

use chrono::Days;
use diesel::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use visadesk::db::schema::{audit, chargebacks, mails, orders, refunds, staff};
use visadesk::mail::rules::MailKind;
use visadesk::orders::status::ProcessStatus::{self, Awaiting, ChargeBack, Completed, Deleted, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::timestamp::Timestamp;

use crate::counts;
use crate::deliveries::{upload, visa};
use crate::support::at_once::at_once;
use crate::support::rounds::{rounds, seed};
use crate::support::{Answer, Client, TestApp};

/// How many actions are taken at once: on each node fewer than it has connections, so that all of them can wait in the database.
const ACTIONS: usize = 6;

/// An action on one order, or on both.
#[derive(Clone, Debug)]
enum Action {
    Refund(Vec<i64>),
    TakeBack(i64),
    Move(Vec<i64>, ProcessStatus),
    Restore(Vec<i64>),
    Assign(Vec<i64>, &'static str),
    Correct(i64, &'static str),
    Upload(i64),
    /// Of a change that the member made before.
    Undo(Value),
    /// The request for a refund that waits.
    Approve(Value),
    Withdraw(Value),
}

/// What an order looks like to everything that depends on it.
#[derive(Debug, Queryable)]
struct Found {
    status: ProcessStatus,
    owner: Option<String>,
    refund_date: Option<Timestamp>,
    updated_at: Timestamp,
}

/// The mail of a refund, and when the refund was taken back.
type Mark = (i64, Option<Timestamp>);

/// An audit row.
#[derive(Debug, Queryable)]
struct Event {
    action: String,
    before: Option<String>,
    after: Option<String>,
    at: Timestamp,
}

async fn take(desk: &Client<'_>, action: &Action) -> Answer {
    match action {
        Action::Refund(ids) => desk.put("/admin/move-to-complete-refund", json!({ "orderId": ids })).await,
        Action::TakeBack(id) => {
            desk.put("/admin/take-back-refund", json!({ "orderId": id, "reason": "The wrong row" })).await
        }
        Action::Move(ids, to) => {
            desk.put("/admin/change-order-status", json!({ "orderId": ids, "updatingStatus": to.as_str() })).await
        }
        Action::Restore(ids) => desk.put("/admin/restore-orders", json!({ "orderId": ids })).await,
        Action::Assign(ids, to) => {
            desk.put("/admin/assign-order-status", json!({ "orderId": ids, "assignto": to })).await
        }
        Action::Correct(id, to) => {
            let fields = json!({ "nationality": { "before": "Australia", "after": to } });
            desk.put("/admin/correct-order", json!({ "orderId": id, "fields": fields })).await
        }
        Action::Upload(id) => upload(desk, *id, visa("PA1234567", "ANA PUTRI", "17/05/1990"), "").await,
        Action::Undo(event) => desk.post("/admin/undo", json!({ "eventId": event })).await,
        Action::Approve(approval) => desk.put("/admin/approve-refunds", json!({ "approvalId": approval })).await,
        Action::Withdraw(approval) => desk.put("/admin/withdraw-refunds", json!({ "approvalId": approval })).await,
    }
}

/// A random action, about one of the orders or both.
fn draw(random: &mut ChaCha8Rng, ids: &[i64], may_upload: bool) -> Action {
    let one = *ids.choose(random).expect("an order");
    let some = if random.random_bool(0.3) { ids.to_vec() } else { vec![one] };
    match random.random_range(0..if may_upload { 14 } else { 13 }) {
        0..3 => Action::Refund(some),
        3..5 => Action::TakeBack(one),
        5 => Action::Move(some, ChargeBack),
        6 => Action::Move(some, Refunds),
        7 => Action::Move(some, *[New, Awaiting, Completed].choose(random).expect("a status")),
        8 => Action::Move(some, Deleted),
        9 => Action::Restore(some),
        10..12 => Action::Assign(some, ["Ayu", "Budi", ""].choose(random).expect("a member")),
        12 => Action::Correct(one, ["Japan", "Canada"].choose(random).expect("a country")),
        _ => Action::Upload(one),
    }
}

/// The member who takes the action: the first one, who may do everything and made the change to undo, or the second one, who requested the
/// refund that waits.
fn member(action: &Action, random: &mut ChaCha8Rng) -> usize {
    match action {
        Action::Approve(_) | Action::Undo(_) => 0,
        Action::Withdraw(_) => 1,
        _ => random.random_range(0..2),
    }
}

/// Adds two orders with a past: each is refunded, disputed, deleted or owned already, or waits for the approval of its refund. Returns them
/// with the actions that only this past makes possible.
async fn prepare(
    test: &TestApp,
    careful: &Client<'_>,
    desk: &Client<'_>,
    random: &mut ChaCha8Rng,
) -> (Vec<i64>, Vec<Action>) {
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(30));
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(test.add_order_with(Refunds, |order| order.processing_date = ahead).await);
    }
    let mut special = Vec::new();
    if random.random_bool(0.5) {
        let asked = take(careful, &Action::Refund(ids.clone())).await;
        assert_eq!(asked.status, 202, "{asked}");
        let approval = asked.json["approval"]["approval_id"].clone();
        special.extend([
            Action::Approve(approval.clone()),
            Action::Approve(approval.clone()),
            Action::Withdraw(approval),
        ]);
    } else if random.random_bool(0.5) {
        assert_eq!(take(desk, &Action::Refund(vec![ids[0]])).await.status, 200);
    }
    let changed = match random.random_range(0..3) {
        0 => take(desk, &Action::Move(vec![ids[1]], ChargeBack)).await,
        1 => take(desk, &Action::Move(ids.clone(), Deleted)).await,
        _ => take(desk, &Action::Assign(ids.clone(), "Budi")).await,
    };
    assert_eq!(changed.status, 200, "{changed}");
    let undo = Action::Undo(changed.json["undo"]["event_id"].clone());
    special.extend([undo.clone(), undo]);
    (ids, special)
}

async fn events(test: &TestApp, order: i64) -> Vec<Event> {
    let rows = audit::table.filter(audit::order_id.eq(order)).order(audit::audit_id);
    test.read(move |conn| Ok(rows.select((audit::action, audit::before, audit::after, audit::at)).load(conn)?)).await
}

/// What must hold of an order, and does not.
async fn broken(test: &TestApp, order: i64) -> Vec<String> {
    let (found, marks, notices, disputed): (Found, Vec<Mark>, Vec<i64>, Vec<String>) = test
        .read(move |conn| {
            let found = orders::table.left_join(staff::table);
            let columns = (orders::process_status, staff::name.nullable(), orders::refund_date, orders::updated_at);
            let of_order = mails::table.filter(mails::order_id.eq(order)).filter(mails::kind.eq(MailKind::Refund));
            Ok((
                found.filter(orders::order_id.eq(order)).select(columns).first(conn)?,
                refunds::table
                    .filter(refunds::order_id.eq(order))
                    .order(refunds::mail_id)
                    .select((refunds::mail_id, refunds::taken_back_at))
                    .load(conn)?,
                of_order.order(mails::mail_id).select(mails::mail_id).load(conn)?,
                chargebacks::table.filter(chargebacks::order_id.eq(order)).select(chargebacks::outcome).load(conn)?,
            ))
        })
        .await;
    let events = events(test, order).await;
    let mut broken = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            broken
                .push(format!("order {order}: {what}: {found:?}, refunds {marks:?}, mails {notices:?}, {disputed:?}"));
        }
    };

    let in_force = marks.iter().filter(|(_, taken_back_at)| taken_back_at.is_none()).count();
    expect(in_force <= 1, "two refunds in force");
    expect(found.refund_date.is_some() == (in_force == 1), "the refund date is that of the refund in force");
    expect(marks.iter().map(|(mail, _)| *mail).collect::<Vec<_>>() == notices, "each refund has one email of its own");
    let is_open = disputed.iter().any(|outcome| outcome == "Open");
    expect(is_open == (found.status == ChargeBack), "an open dispute is that of an order in ChargeBack");

    // Every change has its audit row, and every audit row its change: each continues what the one before it left.
    let (mut status, mut owner, mut refunded) = (Refunds, None, false);
    for event in &events {
        let parsed = |text: &Option<String>| text.as_deref().and_then(ProcessStatus::parse);
        match event.action.as_str() {
            "order.move" | "order.restore" | "order.undo" => {
                expect(parsed(&event.before) == Some(status), &format!("{event:?} continues {status}"));
                status = parsed(&event.after).unwrap_or(status);
            }
            "order.assign" | "order.undo_assign" => {
                expect(event.before == owner, &format!("{event:?} continues {owner:?}"));
                owner.clone_from(&event.after);
            }
            "order.refund" => {
                expect(status == Refunds && !refunded, &format!("a refund in {status}, refunded before: {refunded}"));
                refunded = true;
            }
            "refund.take_back" => {
                expect(refunded, "a refund that is taken back was in force");
                refunded = false;
            }
            _ => {}
        }
    }
    expect(status == found.status, &format!("the audit leads to {status}"));
    expect(owner == found.owner, &format!("the audit leads to the owner {owner:?}"));
    expect(refunded == (in_force == 1), &format!("the audit leads to a refund: {refunded}"));
    let changes = ["order.refund", "refund.take_back", "order.correct"];
    let last = events.iter().rfind(|event| {
        event.action != "order.arrive"
            && (event.action.starts_with("order.") || changes.contains(&event.action.as_str()))
    });
    let is_last = last.is_none_or(|event| event.at == found.updated_at);
    expect(is_last, &format!("the last change is {last:?}"));
    broken
}

/// The number of audit rows of the actions whose answers say how many orders they changed.
async fn audited(test: &TestApp, ids: &[i64]) -> usize {
    let mut rows = 0;
    for order in ids {
        let changes = events(test, *order).await;
        rows += changes
            .iter()
            .filter(|event| {
                ["order.assign", "order.undo_assign", "order.move", "order.restore", "order.undo"]
                    .contains(&event.action.as_str())
            })
            .count();
    }
    rows
}

#[tokio::test]
async fn different_actions_on_one_order_from_two_nodes_at_once_leave_every_rule_intact() {
    let test = TestApp::start().await;
    // Requests of two orders wait for a second person there.
    let other = test.another_node_with(|config| config.refunds.approval_orders = 1).await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    let clients = [&ayu, &budi, &other.with_token(ayu.token().await), &other.with_token(budi.token().await)];
    let mut random = ChaCha8Rng::from_seed(seed());
    let (mut done, mut refused) = (0, 0);
    for round in 0..rounds(40, 1_000) {
        let (ids, mut actions) = prepare(&test, clients[3], &ayu, &mut random).await;
        let before = audited(&test, &ids).await;
        while actions.len() < ACTIONS {
            // A visa starts a child process, so not every round has one.
            let may_upload = round % 4 == 0 && !actions.iter().any(|action| matches!(action, Action::Upload(_)));
            actions.push(draw(&mut random, &ids, may_upload));
        }
        actions.shuffle(&mut random);
        let desk = |(place, action): (usize, &Action)| clients[2 * (place % 2) + member(action, &mut random)];
        let desks: Vec<&Client<'_>> = actions.iter().enumerate().map(desk).collect();
        let requests = actions.iter().zip(desks).map(|(action, desk)| take(desk, action));
        let held: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let hold = format!("SELECT FROM orders WHERE order_id IN ({}) FOR NO KEY UPDATE", held.join(", "));
        let answers = at_once(&test, &hold, requests.collect()).await;

        let mut changed = 0;
        let mut faults = Vec::new();
        for (action, answer) in actions.iter().zip(&answers) {
            let is_expected = matches!(answer.status, 200 | 202 | 403 | 404 | 409 | 422);
            if !is_expected {
                faults.push(format!("{action:?} answers {answer}"));
            }
            if answer.status == 200 {
                done += 1;
                changed += usize::try_from(answer.json["changed"].as_u64().unwrap_or_default()).expect("a count");
            } else {
                refused += 1;
            }
        }
        for order in &ids {
            faults.extend(broken(&test, *order).await);
        }
        let uploaded = actions.iter().any(|action| matches!(action, Action::Upload(_)));
        let rows = audited(&test, &ids).await - before;
        if rows != changed && !uploaded {
            faults.push(format!("the answers report {changed} changes, and the audit has {rows}"));
        }
        let told: Vec<String> =
            actions.iter().zip(&answers).map(|(action, answer)| format!("{action:?}: {answer}")).collect();
        assert!(faults.is_empty(), "round {round}:\n{}\nafter\n{}", faults.join("\n"), told.join("\n"));
        counts::compare(&ayu).await;
    }
    assert!(done > 0 && refused > 0, "{done} actions were done and {refused} refused");
}
