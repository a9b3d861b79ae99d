//! Audit rows of sign-ins, sign-outs, failed sign-ins and denied calls (safety H2).

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::json;
use visadesk::db::schema::audit;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Manager, Team, Telecaller};

use super::{format_rows, list};
use crate::second_factor::enrol;
use crate::support::{PASSWORD, TestApp};

/// Staff id, actor, action, new value and address of every audit row about staff.
async fn rows(test: &TestApp) -> Vec<(Option<i64>, String, String, Option<String>, Option<String>)> {
    test.app.audit.access_log.flush().await.expect("the log is written");
    let rows = audit::table.filter(audit::action.like("staff.%")).order(audit::audit_id);
    let rows = rows.select((audit::staff_id, audit::actor, audit::action, audit::after, audit::ip));
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

#[tokio::test]
async fn each_sign_in_failed_sign_in_sign_out_and_password_change_is_one_row() {
    let test = TestApp::start().await;
    let id = test.add_member(Team, "Budi").await;
    let row = |staff_id: Option<i64>, actor: &str, action: &str, after: Option<&str>| {
        (staff_id, actor.to_owned(), action.to_owned(), after.map(str::to_owned), Some("127.0.0.1".to_owned()))
    };
    let mut expected = Vec::new();
    for (email, staff_id, after) in
        [("budi@visadesk.example", Some(id), Some("Budi")), ("stranger@else.example", None, None)]
    {
        assert_eq!(test.sign_in(email, "canary password").await.status, 401);
        expected.push(row(staff_id, "sign-in", "staff.sign_in_failed", after));
    }
    for _ in 0..2 {
        let signed_in = test.sign_in("budi@visadesk.example", PASSWORD).await;
        expected.push(row(Some(id), "Budi", "staff.sign_in", None));
        let budi = test.with_token(signed_in.json["jwtToken"].as_str().expect("a token"));
        assert_eq!(budi.post("/admin/sign-out", json!({})).await.status, 200);
        expected.push(row(Some(id), "Budi", "staff.sign_out", None));
        // Calls without a session are not recorded.
        assert_eq!(budi.get("/admin/get-team-member-list").await.status, 401);
    }
    let change = json!({ "newPassword": "canary number two" });
    assert_eq!(test.as_staff(Team, "Budi").post("/admin/change-password", change).await.status, 200);
    expected.push(row(Some(id), "Budi", "staff.change_password", None));
    assert_eq!(rows(&test).await, expected);
}

#[tokio::test]
async fn a_right_password_that_stops_at_the_second_factor_is_recorded_once_an_hour_for_each_address() {
    let test = TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await;
    let required = test.another_node_with(|config| config.second_factor.required_for = vec!["Manager".into()]).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), required.as_staff(Manager, "Made"));
    let (budi_id, made_id) = (budi.id().await, made.id().await);
    enrol(&test, &budi).await;
    let stops = async |node: &TestApp, email: &str, address: &str, code: &str| {
        let body = json!({ "email": email, "password": PASSWORD });
        let anonymous = node.anonymous().with_header("x-forwarded-for", address);
        let answer = anonymous.post("/admin/admin-login", body).await;
        assert_eq!((answer.status, answer.json["code"].as_str()), (401, Some(code)), "{answer}");
    };
    let (email, code) = ("budi@visadesk.example", "second_factor_required");
    for _ in 0..3 {
        stops(&test, email, "203.0.113.7", code).await;
    }
    stops(&test, email, "198.51.100.1", code).await;
    stops(&required, "made@visadesk.example", "203.0.113.7", code).await;
    test.later(TimeDelta::minutes(61));
    stops(&test, email, "203.0.113.7", code).await;
    let challenged = rows(&test).await.into_iter().filter(|(.., action, _, _)| action == "staff.sign_in_challenged");
    let row = |id: i64, name: &str, address: &str| {
        (Some(id), name.to_owned(), "staff.sign_in_challenged".to_owned(), None, Some(address.to_owned()))
    };
    let expected = [
        row(budi_id, "Budi", "203.0.113.7"),
        row(budi_id, "Budi", "198.51.100.1"),
        row(made_id, "Made", "203.0.113.7"),
        row(budi_id, "Budi", "203.0.113.7"),
    ];
    assert_eq!(challenged.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_denied_call_is_recorded_with_its_name() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ayu = test.as_staff(Admin, "Ayu");
    // Denied by the access table, and by rules of the calls.
    let member = json!({ "name": "Budi", "email": "x@y.example", "password": "canary password", "type": "Admin" });
    assert_eq!(budi.post("/admin/add-team-member", member.clone()).await.status, 403);
    let delete = json!({ "orderId": [order], "updatingStatus": "Deleted" });
    assert_eq!(budi.put("/admin/change-order-status", delete).await.status, 403);
    assert_eq!(made.post("/admin/add-team-member", member).await.status, 403);
    assert_eq!(test.as_staff(Telecaller, "Tia").get("/admin/get-orders-list/allOrder").await.status, 403);
    // None of these is a denial: no session, an unknown order, and invalid fields.
    assert_eq!(test.anonymous().get("/admin/get-audit-list").await.status, 401);
    assert_eq!(ayu.get("/admin/get-orders-details/999999").await.status, 404);
    assert_eq!(ayu.post("/admin/add-team-member", json!({})).await.status, 422);

    let (budi_id, made_id) = (budi.id().await, made.id().await);
    let recorded = rows(&test).await;
    let row = |id, name: &str, call: &str| {
        (Some(id), name.to_owned(), "staff.denied".to_owned(), Some(call.to_owned()), Some("127.0.0.1".to_owned()))
    };
    assert_eq!(
        recorded[..3],
        [
            row(budi_id, "Budi", "add_team_member"),
            row(budi_id, "Budi", "change_order_status"),
            row(made_id, "Made", "add_team_member"),
        ]
    );
    assert_eq!((recorded.len(), recorded[3].3.as_deref()), (4, Some("list_orders")));

    assert_eq!(
        format_rows(&list(&ayu, "action=staff.denied&person=Budi").await),
        ["Budi staff.denied null change_order_status", "Budi staff.denied null add_team_member"]
    );
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    assert_eq!(format_rows(&list(&ayu, &format!("action=staff.denied&from={today}&to={today}")).await).len(), 4);
    let all = list(&ayu, "limit=200").await.text;
    for secret in ["canary", "x@y.example", ayu.token().await] {
        assert!(!all.contains(secret), "{all}");
    }
}

#[tokio::test]
async fn a_flood_of_denied_calls_adds_one_row_at_once_and_one_with_the_count_of_the_rest() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    let denied = join_all((0..300).map(|_| budi.get("/admin/get-audit-list"))).await;
    assert!(denied.iter().all(|answer| answer.status == 403));
    let recorded = async || -> Vec<Option<String>> { rows(&test).await.into_iter().map(|row| row.3).collect() };
    assert_eq!(recorded().await, [Some("list_audit".to_owned()), Some("list_audit, 299 times".to_owned())]);
    // After the interval, the next denied call gets its own row at once.
    test.later(TimeDelta::minutes(2));
    test.app.audit.access_log.flush().await.expect("the log is written");
    assert_eq!(test.as_staff(Team, "Budi").get("/admin/get-audit-list").await.status, 403);
    assert_eq!(recorded().await.len(), 3);
}

#[tokio::test]
async fn a_flood_of_failed_sign_ins_adds_no_more_rows_than_the_rate_limit_allows() {
    let test = TestApp::start().await;
    test.add_member(Team, "Budi").await;
    let attempts = (0..100).map(|number| {
        let (test, email) = (&test, format!("guess{}@visadesk.example", number % 20));
        async move { test.sign_in(&email, "guess!").await.status }
    });
    let failed = join_all(attempts).await.into_iter().filter(|status| *status == 401).count();
    let recorded = rows(&test).await;
    assert_eq!(recorded.len(), failed, "one row for each failed attempt, and none for limited ones");
    assert!(failed < 60, "{failed} attempts");
    assert!(recorded.iter().all(|(id, actor, _, after, _)| id.is_none() && actor == "sign-in" && after.is_none()));
}
