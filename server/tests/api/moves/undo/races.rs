//! Undos at the same time as each other and as changes of colleagues.

use futures_util::future::{join, join_all};
use serde_json::json;
use visadesk::orders::status::ProcessStatus::{Awaiting, New, Refunds};
use visadesk::staff::rules::StaffType::Team;

use super::{history, move_to, rows, undo, undo_event};
use crate::support::TestApp;

#[tokio::test]
async fn of_twenty_undos_of_one_change_at_once_one_succeeds() {
    let test = TestApp::start().await;
    let orders = [test.add_order(New).await, test.add_order(New).await];
    let budi = test.as_staff(Team, "Budi");
    let moved = move_to(&budi, &orders, Awaiting).await;
    let answers = join_all((0..20).map(|_| undo(&budi, &moved))).await;
    let succeeded = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(succeeded, 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.json["code"], "change_undone_before", "{answer}");
    }
    for order in orders {
        assert_eq!(history(&test, order).await.len(), 2, "a move and its undo");
    }
}

#[tokio::test]
async fn an_undo_and_a_colleagues_change_at_once_are_one_after_the_other() {
    let test = TestApp::start().await;
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    sari.id().await;
    for _ in 0..20 {
        let (first, second) = (test.add_order(New).await, test.add_order(New).await);
        let moved = move_to(&budi, &[first, second], Awaiting).await;
        let theirs = json!({ "orderId": [second], "updatingStatus": Refunds });
        let (undone, changed) =
            join(undo_event(&budi, &moved.json["undo"]["event_id"]), sari.put("/admin/change-order-status", theirs))
                .await;
        assert_eq!(changed.status, 200, "{changed}");
        let states: Vec<_> = rows(&test).await.into_iter().map(|row| (row.0, row.1)).collect();
        let undone_first = undone.status == 200;
        assert!(undone_first || undone.json["code"] == "order_changed_since", "{undone}");
        let first_status = if undone_first { New } else { Awaiting };
        assert_eq!(states[states.len() - 2..], [(first, first_status), (second, Refunds)], "{undone}");
    }
}
