//! Moves: who may assign, move, delete and restore which orders. Each change is atomic.

mod deletions;
mod flags;
mod owners;
mod statements;
mod undo;

use chrono::Days;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, orders};
use visadesk::orders::status::ProcessStatus::{self, Awaiting, Completed, Deleted, Future, New, Pending, Refunds};
use visadesk::staff::rules::StaffType::{self, Admin, Manager, NightStaff, Team, Telecaller};

use crate::migrations::kept_rows::refusal;
use crate::support::TestApp;

/// Status and owner of every order, by id.
async fn state(test: &TestApp) -> Vec<(i64, ProcessStatus, Option<i64>)> {
    let all =
        orders::table.order(orders::order_id).select((orders::order_id, orders::process_status, orders::assign_to));
    test.read(move |conn| Ok(all.load(conn)?)).await
}

/// Actor, action, before and after of the order's audit rows, without its creation.
async fn history(test: &TestApp, order: i64) -> Vec<(String, String, Option<String>, Option<String>)> {
    let rows = audit::table
        .filter(audit::order_id.eq(order))
        .filter(audit::action.ne("order.arrive"))
        .order(audit::audit_id)
        .select((audit::actor, audit::action, audit::before, audit::after));
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

#[tokio::test]
async fn an_assigned_order_moves_from_new_orders_to_my_orders() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");

    let answer = budi.put("/admin/assign-order-status", json!({ "orderId": [order], "assignto": "Budi" })).await;
    assert_eq!((answer.status, answer.message()), (200, "Order has been assigned successfully"));

    assert_eq!(budi.list("newOrder").await, [0; 0]);
    assert_eq!(budi.list("myOrder").await, [order]);
    assert_eq!(history(&test, order).await, [("Budi".into(), "order.assign".into(), None, Some("Budi".into()))]);
}

#[tokio::test]
async fn an_unassigned_order_returns_to_its_folder() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(New).await, test.as_staff(Team, "Budi"));
    budi.put("/admin/assign-order-status", json!({ "orderId": [order], "assignto": "Budi" })).await;
    let answer = budi.put("/admin/assign-order-status", json!({ "orderId": [order], "assignto": "" })).await;
    assert_eq!((answer.status, answer.message()), (200, "Order has been moved to its original folder successfully"));
    assert_eq!(budi.list("newOrder").await, [order]);
    assert_eq!(budi.list("myOrder").await, [0; 0]);
}

#[tokio::test]
async fn taking_an_assigned_order_is_refused_and_names_its_owner() {
    let test = TestApp::start().await;
    let (unassigned, assigned) = (test.add_order(New).await, test.add_order(New).await);
    let ann = test.as_staff(Team, "Ann");
    ann.put("/admin/assign-order-status", json!({ "orderId": [assigned], "assignto": "Ann" })).await;
    let before = state(&test).await;
    for (staff_type, name) in [(Team, "Budi"), (Manager, "Max"), (Admin, "Ada")] {
        let desk = test.as_staff(staff_type, name);
        let answer = desk
            .put("/admin/assign-order-status", json!({ "orderId": [unassigned, assigned], "assignto": name }))
            .await;
        assert_eq!(answer.status, 409, "{answer}");
        assert_eq!(answer.message(), format!("Nothing was changed: {assigned} is already assigned to Ann"));
        assert_eq!(answer.data()["order_id"], assigned);
    }
    assert_eq!(state(&test).await, before);
}

#[tokio::test]
async fn only_admin_and_manager_assign_and_unassign_orders_of_others() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    let assign = json!({ "orderId": [order], "assignto": "budi" });
    for staff_type in [Team, Telecaller, NightStaff] {
        let answer = test
            .as_staff(staff_type, &format!("Other {staff_type}"))
            .put("/admin/assign-order-status", assign.clone())
            .await;
        assert_eq!((answer.status, answer.message()), (403, "You can assign orders only to yourself"));
    }
    assert_eq!(test.as_staff(Manager, "Max").put("/admin/assign-order-status", assign).await.status, 200);
    assert_eq!(budi.list("myOrder").await, [order]);

    let unassign = json!({ "orderId": [order], "assignto": "" });
    let answer = test.as_staff(Telecaller, "Tia").put("/admin/assign-order-status", unassign.clone()).await;
    assert_eq!(
        (answer.status, answer.message()),
        (403, format!("Nothing was changed: {order} belongs to Budi").as_str())
    );
    assert_eq!(test.as_staff(Manager, "Max").put("/admin/assign-order-status", unassign).await.status, 200);
    assert_eq!(budi.list("newOrder").await, [order]);
}

#[tokio::test]
async fn of_fifty_concurrent_assignments_one_succeeds_and_the_others_name_its_owner() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let names: Vec<String> = (0..50).map(|number| format!("Taker {number}")).collect();
    let desks: Vec<_> = names.iter().map(|name| test.as_staff(Team, name)).collect();
    for desk in &desks {
        desk.id().await;
    }
    let assignments = desks.iter().zip(&names).map(|(desk, name)| async move {
        desk.put("/admin/assign-order-status", json!({ "orderId": [order], "assignto": name })).await
    });
    let answers = futures_util::future::join_all(assignments).await;

    let winners: Vec<usize> = (0..50).filter(|place| answers[*place].status == 200).collect();
    assert_eq!(winners.len(), 1);
    let winner = &names[winners[0]];
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.status, 409, "{answer}");
        assert_eq!(answer.message(), format!("Nothing was changed: {order} is already assigned to {winner}"));
    }
    assert_eq!(
        history(&test, order).await,
        [("order.assign".to_owned(), winner.clone())].map(|(action, winner)| (
            winner.clone(),
            action,
            None,
            Some(winner)
        ))
    );
}

#[tokio::test]
async fn any_status_can_follow_any_other() {
    let test = TestApp::start().await;
    let ann = test.as_staff(Admin, "Ann");
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(30));
    for from in ProcessStatus::ALL {
        for to in ProcessStatus::ALL {
            let order = test.add_order_with(*from, |order| order.processing_date = ahead).await;
            let answer =
                ann.put("/admin/move-order-status", json!({ "orderId": order, "updatingStatus": to.as_str() })).await;
            assert_eq!(answer.status, 200, "{from} to {to}: {answer}");
            assert!(state(&test).await.contains(&(order, *to, None)), "{from} to {to}");
        }
    }
}

#[tokio::test]
async fn a_member_without_the_right_to_restore_moves_an_order_out_of_deleted_and_the_audit_shows_it() {
    let test = TestApp::start().await;
    let order = test.add_order(Deleted).await;
    let budi = test.as_staff(Team, "Budi");
    let restore = budi.put("/admin/change-order-status", json!({ "orderId": [order], "updatingStatus": "New" })).await;
    assert_eq!(restore.status, 200, "{restore}");
    assert_eq!(budi.list("newOrder").await, [order]);
    let row = |value: &str| value.to_owned();
    assert_eq!(history(&test, order).await, [(row("Budi"), row("order.move"), Some(row("Deleted")), Some(row("New")))]);
}

#[tokio::test]
async fn completing_an_order_records_who_processed_it() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let budi = test.as_staff(Team, "Budi");
    let done = json!({ "orderId": [order], "updatingStatus": "Completed" });
    let moved = budi.put("/admin/change-order-status", done.clone()).await;
    assert_eq!((moved.status, moved.message()), (200, "Order has been moved to Completed successfully"));
    // Completing a completed order changes nothing.
    test.as_staff(Team, "Sari").put("/admin/change-order-status", done).await;
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["processed_by"], "Budi");
    assert_eq!(history(&test, order).await.len(), 1);
}

#[tokio::test]
async fn only_admin_and_manager_delete_orders_except_future_orders() {
    let test = TestApp::start().await;
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(30));
    for &staff_type in StaffType::ALL {
        let desk = test.as_staff(staff_type, &format!("The {staff_type}"));
        for &status in ProcessStatus::ALL.iter().filter(|status| **status != Deleted) {
            let expected = match (staff_type, status) {
                (Admin | Manager, _) | (_, Future) => (200, Value::Null),
                _ => (403, json!("order_deletion_forbidden")),
            };
            for call in ["change-order-status", "move-order-status"] {
                let order = test.add_order_with(status, |order| order.processing_date = ahead).await;
                let body = json!({ "orderId": [order], "updatingStatus": "Deleted" });
                let answer = desk.put(&format!("/admin/{call}"), body).await;
                assert_eq!((answer.status, answer.json["code"].clone()), expected, "{staff_type} {call} from {status}");
            }
        }
    }
}

#[tokio::test]
async fn only_an_admin_deletes_from_my_orders() {
    let test = TestApp::start().await;
    let (max, ann) = (test.as_staff(Manager, "Max"), test.as_staff(Admin, "Ann"));
    for order in [test.add_order(New).await, test.add_order(Completed).await] {
        let body = json!({ "orderId": [order], "updatingStatus": "Deleted", "folderName": "myOrder" });
        assert_eq!(max.put("/admin/change-order-status", body.clone()).await.json["code"], "order_deletion_forbidden");
        assert_eq!(ann.put("/admin/change-order-status", body).await.status, 200);
    }
}

#[tokio::test]
async fn a_restored_order_gets_its_previous_status() {
    let test = TestApp::start().await;
    let ann = test.as_staff(Admin, "Ann");
    let (awaiting, refunds) = (test.add_order(Awaiting).await, test.add_order(Refunds).await);
    let today = test.clock.today(test.app.config.time_zone);
    let missed = test
        .add_order_with(Deleted, |order| {
            order.status_before_deletion = Some(Future);
            order.processing_date = Some(today);
        })
        .await;
    let waiting = test
        .add_order_with(Deleted, |order| {
            order.status_before_deletion = Some(Future);
            order.processing_date = today.succ_opt();
        })
        .await;
    let all = json!({ "orderId": [awaiting, refunds, missed, waiting] });
    ann.put("/admin/change-order-status", json!({ "orderId": [awaiting, refunds], "updatingStatus": "Deleted" })).await;
    let restored = ann.put("/admin/restore-orders", all.clone()).await;
    assert_eq!((restored.status, restored.message()), (200, "Order has been restored successfully"));
    let restored = [(awaiting, Awaiting), (refunds, Refunds), (missed, New), (waiting, Future)];
    assert_eq!(state(&test).await, restored.map(|(order, status)| (order, status, None)));
    for (order, status) in restored.map(|(order, status)| (order, status.as_str())) {
        let row = ("Ann".to_owned(), "order.restore".to_owned(), Some("Deleted".to_owned()), Some(status.to_owned()));
        assert_eq!(history(&test, order).await.last(), Some(&row));
    }
    let again = ann.put("/admin/restore-orders", all).await;
    assert_eq!(
        (again.status, again.message()),
        (409, format!("Nothing was changed: order {awaiting} is not deleted").as_str())
    );
    assert_eq!(
        test.as_staff(Team, "Budi").put("/admin/restore-orders", json!({ "orderId": [awaiting] })).await.status,
        403
    );
}

#[tokio::test]
async fn a_future_order_needs_a_processing_date_in_the_future() {
    let test = TestApp::start().await;
    let order = test.add_order(Pending).await;
    let answer = test
        .as_staff(Admin, "Ann")
        .put("/admin/change-order-status", json!({ "orderId": [order], "updatingStatus": "Future" }))
        .await;
    assert_snapshot!(answer, @r#"422 {"status":0,"code":"no_processing_date_ahead","message":"Nothing was changed: order 100001 has no processing date in the future","data":{"order_id":100001}}"#);
}

#[tokio::test]
async fn a_move_from_a_stale_screen_is_refused_and_names_the_last_editor() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (ann, budi) = (test.as_staff(Admin, "Ann"), test.as_staff(Team, "Budi"));
    let shown = ann.get(&format!("/admin/get-orders-details/{order}")).await.data()["updated_at"].clone();
    test.later(chrono::TimeDelta::seconds(1));
    let budis = json!({ "orderId": order, "updatingStatus": "Awaiting", "updated_at": shown });
    assert_eq!(budi.put("/admin/move-order-status", budis).await.status, 200);
    let anns = json!({ "orderId": order, "updatingStatus": "Completed", "updated_at": shown });
    let answer = ann.put("/admin/move-order-status", anns).await;
    assert_eq!(answer.status, 409);
    assert!(answer.message().contains("was changed by Budi at "), "{answer}");
    assert!(answer.message().contains(" WIB"), "{answer}");
    assert_eq!(state(&test).await, [(order, Awaiting, None)]);
}

#[tokio::test]
async fn a_bulk_change_is_atomic_and_names_the_order_that_blocked_it() {
    let test = TestApp::start().await;
    let ann = test.as_staff(Admin, "Ann");
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(test.add_order(New).await);
    }
    let before = state(&test).await;
    let missing = ids[4] + 1_000;
    let with = |extra: serde_json::Value| {
        let mut list: Vec<serde_json::Value> = ids.iter().map(|id| json!(id)).collect();
        list.push(extra);
        json!(list)
    };
    let many: Vec<i64> = (1..=501).collect();
    let million: Vec<i64> = (1..=1_000_000).collect();
    for (what, selection, status) in [
        ("an unknown id", with(json!(missing)), 404),
        ("a duplicate id", with(json!(ids[0])), 422),
        ("a float", with(json!(1.5)), 422),
        ("a negative number", with(json!(-1)), 422),
        ("zero", with(json!(0)), 422),
        ("the largest integer", with(json!(9_223_372_036_854_775_807_i64)), 422),
        ("a word", with(json!("abc")), 422),
        ("null", with(json!(null)), 422),
        ("a nested list", with(json!([1])), 422),
        ("an empty list", json!([]), 422),
        ("null instead of a list", json!(null), 422),
        ("501", json!(many), 422),
        ("a million", json!(million), 413),
    ] {
        for (call, body) in [
            ("assign-order-status", json!({ "orderId": selection, "assignto": "Ann" })),
            ("change-order-status", json!({ "orderId": selection, "updatingStatus": "Completed" })),
            ("move-order-status", json!({ "orderId": selection, "updatingStatus": "Completed" })),
            ("restore-orders", json!({ "orderId": selection })),
            ("move-to-complete-refund", json!({ "orderId": selection })),
        ] {
            let answer = ann.put(&format!("/admin/{call}"), body).await;
            assert_eq!(answer.status, status, "{what} to {call}: {answer}");
            assert_ne!(answer.message(), "");
            if status == 404 {
                assert_eq!(answer.message(), format!("Nothing was changed: order {missing} does not exist"), "{call}");
            }
        }
    }
    assert_eq!(state(&test).await, before);
}

#[tokio::test]
async fn only_exact_status_names_are_accepted() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    for status in [
        json!(""),
        json!(null),
        json!("deleted"),
        json!("Admin"),
        json!("New "),
        json!(1),
        json!(["New"]),
        json!("Ne\u{0}w"),
    ] {
        let body = json!({ "orderId": [order], "updatingStatus": status });
        let answer = test.as_staff(Admin, "Ann").put("/admin/change-order-status", body).await;
        assert!(matches!(answer.status, 400 | 422), "{status}: {answer}");
    }
    assert_eq!(state(&test).await, [(order, New, None)]);
}

#[tokio::test]
async fn an_order_id_is_accepted_plain_prefixed_and_encoded() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let encoded = visadesk::ids::OrderId(order).encoded();
    let ann = test.as_staff(Admin, "Ann");
    for id in [json!(order), json!(order.to_string()), json!(format!("VD-{order}")), json!(encoded)] {
        let answer =
            ann.put("/admin/change-order-status", json!({ "orderId": [id], "updatingStatus": "Awaiting" })).await;
        assert_eq!(answer.status, 200, "{id}: {answer}");
    }
}

#[tokio::test]
async fn audit_rows_cannot_be_changed_and_orders_cannot_be_deleted() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    for (statement, reason) in [
        ("UPDATE audit SET actor = 'nobody'", "the audit is append-only"),
        ("DELETE FROM audit", "the audit is append-only"),
        ("DELETE FROM orders", "orders are never removed"),
    ] {
        let refused = refusal(&test, move |tx| diesel::sql_query(statement).execute(tx)).await;
        assert!(refused.contains(reason), "{statement}: {refused}");
    }
    assert_eq!(state(&test).await, [(order, New, None)]);
}

#[tokio::test]
async fn a_selection_of_the_wrong_shape_is_refused_with_the_expected_shape() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for selected in [json!(null), json!({ "id": 1 }), json!(true), json!([true]), json!("VD-0"), json!([[1]])] {
        let refused = budi.put("/admin/assign-order-status", json!({ "orderId": selected, "assignto": "" })).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!("wrong_shape")), "{refused}");
        let expected = "orderId takes an order id, such as 100001 or VD-100001, or a list of order ids";
        assert!(refused.message().contains(expected), "{selected}: {refused}");
    }
}

#[tokio::test]
async fn an_order_without_a_processing_date_ahead_is_not_moved_to_future_from_its_own_screen() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(New).await, test.as_staff(Team, "Budi"));
    let body = json!({ "orderId": order, "updatingStatus": "Future" });
    let answer = budi.put("/admin/move-order-status", body).await;
    assert_eq!((answer.status, &answer.json["code"]), (422, &json!("no_processing_date_ahead")), "{answer}");
}
