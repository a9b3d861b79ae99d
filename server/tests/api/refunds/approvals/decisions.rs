//! Who decides about a refund that waits for a second person, when it cannot be approved, and how it ends.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::db::schema::{orders, refund_approvals, refunds};
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use super::super::{Traces, add_orders, refund, traces};
use super::{above_ten, approve, count, counts, decline, refused, request_of, requests, withdraw};
use crate::migrations::kept_rows::refusal;
use crate::support::database::is_postgres;

#[tokio::test]
async fn only_another_admin_or_manager_decides_and_only_the_requester_withdraws() {
    let test = above_ten().await;
    let (ayu, made) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"));
    let request = request_of(&refund(&ayu, add_orders(test.db(), 11).await).await);
    for decided in [approve(&ayu, &request).await, decline(&ayu, &request, "").await] {
        assert_eq!(refused(&decided), (403, "own_refund_approval"));
    }
    assert_eq!(requests(&ayu).await[0]["allowed"], json!({ "decide": false, "withdraw": true }));
    for staff_type in [Team, Telecaller, NightStaff] {
        let desk = test.as_staff(staff_type, &format!("The {staff_type}"));
        for decided in [approve(&desk, &request).await, decline(&desk, &request, "").await] {
            assert_eq!(refused(&decided), (403, "staff_type_forbidden"), "{staff_type}");
        }
        let withdrawn = withdraw(&desk, &request).await;
        assert_eq!(refused(&withdrawn), (403, "refund_approval_of_another_member"), "{staff_type}");
        assert_eq!((requests(&desk).await, counts(&desk).await), (json!([]), (json!(0), json!(0))));
    }
    assert_eq!(refused(&withdraw(&made, &request).await), (403, "refund_approval_of_another_member"));
    assert_eq!(traces(&test).await, Traces::default());
    assert_eq!(approve(&made, &request).await.status, 200);
    let of_manager = request_of(&refund(&made, add_orders(test.db(), 11).await).await);
    assert_eq!(approve(&test.as_staff(Manager, "Dewi"), &of_manager).await.status, 200);
    assert_eq!(traces(&test).await, Traces::of(22));
    for none in
        [approve(&made, &json!(99)).await, decline(&made, &json!(99), "").await, withdraw(&made, &json!(99)).await]
    {
        assert_eq!(refused(&none), (404, "refund_approval_not_found"));
    }
    let long = "x".repeat(5_001);
    let request = request_of(&refund(&ayu, add_orders(test.db(), 11).await).await);
    assert_eq!(refused(&decline(&made, &request, &long).await), (422, "note_too_long"));
    let body = json!({ "approvalId": request, "note": long });
    assert_eq!(refused(&made.put("/admin/approve-refunds", body).await), (422, "note_too_long"));
}

#[tokio::test]
async fn decisions_that_race_on_two_nodes_have_one_effect() {
    let test = above_ten().await;
    let node = test.another_node().await;
    let (budi, made, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"), test.as_staff(Admin, "Ayu"));
    let ayu = node.with_token(ayu.token().await);
    for round in 1..=6 {
        let request = request_of(&refund(&budi, add_orders(test.db(), 11).await).await);
        let (one, other) = if round % 2 == 0 {
            tokio::join!(approve(&made, &request), approve(&ayu, &request))
        } else {
            tokio::join!(decline(&made, &request, "no"), approve(&ayu, &request))
        };
        let (won, lost) = if one.status == 200 { (&one, &other) } else { (&other, &one) };
        assert_eq!((won.status, refused(lost)), (200, (409, "refund_approval_decided")), "{one} {other}");
        let state = requests(&budi).await[0]["state"].clone();
        let expected = if won.message().ends_with("orders refunded") { "Approved" } else { "Declined" };
        assert_eq!(state, expected);
        let approved = refund_approvals::table.filter(refund_approvals::state.eq("Approved")).count();
        let approved: i64 = test.read(move |conn| Ok(approved.get_result(conn)?)).await;
        assert_eq!(traces(&test).await, Traces::of(11 * approved), "round {round}");
    }
}

#[tokio::test]
async fn orders_that_changed_since_are_named_and_the_request_stays_open() {
    let test = above_ten().await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 12).await;
    let request = request_of(&refund(&budi, ids.clone()).await);
    assert_eq!(refund(&made, ids[2]).await.status, 200);
    let moved = json!({ "orderId": [ids[5]], "updatingStatus": "Deleted" });
    assert_eq!(made.put("/admin/change-order-status", moved).await.status, 200);
    let outdated = approve(&made, &request).await;
    assert_eq!(refused(&outdated), (409, "refund_approval_outdated"));
    assert_eq!(outdated.data()["order_ids"], json!([ids[2], ids[5]]));
    assert!(
        outdated.message().starts_with(&format!(
            "Nothing was refunded: orders {}, {} were refunded or left Refunds since the request was made",
            ids[2], ids[5]
        )),
        "{outdated}"
    );
    let listed = &requests(&made).await[0];
    assert_eq!((&listed["state"], &listed["changed_order_ids"]), (&json!("Waiting"), &json!([ids[2], ids[5]])));
    let all = json!({ "orderId": ids, "updatingStatus": "New" });
    assert_eq!(made.put("/admin/move-order-status", all).await.status, 200);
    assert!(approve(&made, &request).await.message().contains("and 7 others were refunded"));
    assert_eq!(traces(&test).await, Traces::of(1));
    assert_eq!(decline(&made, &request, "").await.message(), "The request was declined. Nothing was refunded");
}

#[tokio::test]
async fn a_declined_or_withdrawn_request_refunds_nothing_and_frees_its_orders() {
    let test = above_ten().await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 11).await;
    let request = request_of(&refund(&budi, ids.clone()).await);
    let twice = refund(&test.as_staff(Admin, "Ayu"), ids.clone()).await;
    assert_eq!((refused(&twice), &twice.data()["order_id"]), ((409, "order_waits_for_approval"), &json!(ids[0])));
    assert!(twice.message().contains("It was requested by Budi"), "{twice}");
    assert_eq!(decline(&made, &request, "Not these ").await.status, 200);
    let listed = &requests(&budi).await[0];
    assert_eq!(
        (&listed["state"], &listed["decided_by"], &listed["note"]),
        (&json!("Declined"), &json!("Made"), &json!("Not these"))
    );
    let details = budi.get(&format!("/admin/get-orders-details/{}", ids[0])).await;
    let event = &details.data()["timeline"][0];
    assert_eq!((&event["action"], &event["after"]), (&json!("refund.decline"), &json!("Not these")));
    assert_eq!(refused(&approve(&made, &request).await), (409, "refund_approval_decided"));

    let request = request_of(&refund(&budi, ids.clone()).await);
    assert_eq!(withdraw(&budi, &request).await.status, 200);
    assert_eq!(requests(&made).await[0]["state"], "Withdrawn");
    assert_eq!(
        approve(&made, &request).await.message(),
        "Nothing was changed: this request was already withdrawn by Budi"
    );
    assert_eq!(refused(&withdraw(&budi, &request).await), (409, "refund_approval_decided"));
    assert_eq!((count(&test, "refund.decline").await, count(&test, "refund.withdraw").await), (11, 11));
    request_of(&refund(&budi, ids).await);
    assert_eq!(traces(&test).await, Traces::default());
}

#[tokio::test]
async fn a_request_expires_after_seven_days() {
    let test = above_ten().await;
    let ids = add_orders(test.db(), 11).await;
    let request = request_of(&refund(&test.as_staff(Team, "Budi"), ids.clone()).await);
    test.later(TimeDelta::days(7) - TimeDelta::seconds(30));
    assert_eq!(counts(&test.as_staff(Manager, "Made")).await.0, 1);
    test.later(TimeDelta::seconds(30));
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    assert_eq!(counts(&made).await.0, 0);
    for ended in [approve(&made, &request).await, decline(&made, &request, "").await, withdraw(&budi, &request).await] {
        assert_eq!(refused(&ended), (409, "refund_approval_expired"));
    }
    let listed = &requests(&budi).await[0];
    assert_eq!((&listed["state"], &listed["decided_by"]), (&json!("Expired"), &Value::Null));
    assert_eq!(listed["allowed"], json!({ "decide": false, "withdraw": false }));
    let renewed = request_of(&refund(&budi, ids).await);
    let states: Vec<Value> =
        requests(&made).await.as_array().expect("a list").iter().map(|one| one["state"].clone()).collect();
    assert_eq!(states, ["Waiting", "Expired"]);
    assert_eq!(approve(&made, &renewed).await.status, 200);
    test.later(TimeDelta::days(7));
    assert_eq!(requests(&test.as_staff(Manager, "Made")).await, json!([]), "ended a week ago");
}

#[tokio::test]
async fn a_request_of_a_deleted_member_is_only_declined() {
    let test = above_ten().await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let request = request_of(&refund(&budi, add_orders(test.db(), 11).await).await);
    let gone = json!({ "teamMemberId": budi.id().await });
    assert_eq!(made.put("/admin/delete-team-member", gone).await.status, 200);
    assert_eq!(refused(&approve(&made, &request).await), (409, "refund_requester_left"));
    assert_eq!(traces(&test).await, Traces::default());
    assert_eq!(decline(&made, &request, "").await.status, 200);
}

#[tokio::test]
async fn an_order_that_no_mail_can_reach_stops_the_approval() {
    let test = above_ten().await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 11).await;
    let request = request_of(&refund(&budi, ids.clone()).await);
    let lost = ids[3];
    test.write(move |tx| {
        let order = orders::table.find(lost);
        Ok(diesel::update(order).set(orders::contact_email_address.eq("unknown")).execute(tx)?)
    })
    .await;
    let stopped = approve(&made, &request).await;
    assert_eq!((refused(&stopped), &stopped.data()["order_id"]), ((409, "order_unreachable_by_mail"), &json!(lost)));
    assert_eq!((traces(&test).await, counts(&made).await.0), (Traces::default(), json!(1)));
}

#[tokio::test]
async fn the_database_refuses_to_alter_a_request_and_the_approval_of_a_refund() {
    let test = above_ten().await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let request = request_of(&refund(&budi, add_orders(test.db(), 11).await).await);
    request_of(&refund(&budi, add_orders(test.db(), 11).await).await);
    assert_eq!(approve(&made, &request).await.status, 200);
    let decided_by_another = if is_postgres() { "refund_approvals_check1" } else { "decided_by = requested_by" };
    type Attempt = fn(&mut Conn) -> QueryResult<usize>;
    let attempts: [(&str, Attempt); 6] = [
        ("a request for a refund is decided once and never altered", |tx| {
            let decided = refund_approvals::table.filter(refund_approvals::state.eq("Approved"));
            diesel::update(decided).set(refund_approvals::state.eq("Declined")).execute(tx)
        }),
        ("a request for a refund is decided once and never altered", |tx| {
            let waiting = refund_approvals::table.filter(refund_approvals::state.eq("Waiting"));
            diesel::update(waiting).set(refund_approvals::requested_by.eq(2)).execute(tx)
        }),
        (decided_by_another, |tx| {
            let waiting = refund_approvals::table.filter(refund_approvals::state.eq("Waiting"));
            let by = (
                refund_approvals::state.eq("Approved"),
                refund_approvals::decided_by.eq(refund_approvals::requested_by.nullable()),
                refund_approvals::decided_at.eq(refund_approvals::requested_at.nullable()),
            );
            diesel::update(waiting).set(by).execute(tx)
        }),
        ("a request for a refund is never removed", |tx| diesel::sql_query("DELETE FROM refund_approvals").execute(tx)),
        ("a request for a refund is never altered", |tx| {
            diesel::sql_query("DELETE FROM refund_approval_orders").execute(tx)
        }),
        // It is taken back, which is allowed, and loses its approval.
        ("a refund is never altered", |tx| {
            diesel::update(refunds::table)
                .set((
                    refunds::approval_id.eq(None::<i64>),
                    refunds::taken_back_at.eq(refunds::refunded_at.nullable()),
                    refunds::taken_back_by.eq(refunds::staff_id.nullable()),
                    refunds::taken_back_reason.eq("why"),
                ))
                .execute(tx)
        }),
    ];
    for (reason, attempt) in attempts {
        let refused = refusal(&test, attempt).await;
        assert!(refused.contains(reason), "{reason}: {refused}");
    }
    // A refund that was approved can be taken back, as any other.
    let order = requests(&made).await[1]["order_ids"][0].clone();
    let body = json!({ "orderId": order, "reason": "A mistake" });
    assert_eq!(test.as_staff(Admin, "Ayu").put("/admin/take-back-refund", body).await.status, 200);
    let other = test.add_order(New).await;
    assert_eq!(refund(&budi, other).await.status, 409);
}
