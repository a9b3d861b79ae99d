//! Signing in, the signed-in member, and password guessing.

use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::{join, join_all};
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::config::Config;
use visadesk::db::schema::{audit, failed_attempts, staff};
use visadesk::staff::hashing_seats::CallerKind;
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
use visadesk::staff::rules::sign_in_limit;

use crate::support::statements::Statements;
use crate::support::{Answer, PASSWORD, TestApp, until};

/// Trusts the test as a proxy, so that each request can come from another address.
async fn behind_a_proxy() -> TestApp {
    TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await
}

/// Starts with the member Budi, and Citra, who was deleted.
async fn with_a_deleted_member() -> TestApp {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    let citra = test.add_member(Telecaller, "Citra").await;
    let now = test.clock.now();
    test.write(move |tx| Ok(diesel::update(staff::table.find(citra)).set(staff::deleted_at.eq(now)).execute(tx)?))
        .await;
    test
}

async fn sign_in_from(test: &TestApp, address: &str, email: &str, password: &str) -> Answer {
    let desk = test.anonymous().with_header("x-forwarded-for", address);
    desk.post("/admin/admin-login", json!({ "email": email, "password": password })).await
}

/// The actions and actors of the audit, oldest first.
pub async fn audited(test: &TestApp) -> Vec<(String, String)> {
    test.read(|conn| {
        let rows = audit::table.filter(audit::order_id.is_null()).order(audit::audit_id);
        Ok(rows.select((audit::action, audit::actor)).load(conn)?)
    })
    .await
}

#[tokio::test]
async fn signing_in_with_email_and_password_returns_a_working_token() {
    let test = TestApp::start().await;
    test.add_member(Team, "Budi").await;

    let answer = test.sign_in(" BUDI@visadesk.example ", PASSWORD).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"You are signed in","jwtToken":"[token]","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team"}}"#);

    let token = answer.json["jwtToken"].as_str().unwrap_or_default();
    assert_snapshot!(test.with_token(token).get("/user_info").await, @r#"200 {"status":1,"message":"","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team","may":{"see_order_history":true,"manage_team":false,"set_gateway":false,"see_processed":false,"see_audit":false,"see_access_log":false,"see_backups":false,"manage_api_keys":false,"restore_orders":false,"export_csv":false,"add_phone_orders":true,"edit_paper_reasons":false},"agency_time_zone":"Asia/Jakarta","list_settings":{"density":"comfortable","hidden_columns":{},"newest_comment":false}}}"#);
    assert_eq!(audited(&test).await, [("staff.sign_in".into(), "Budi".into())]);
}

#[tokio::test]
async fn user_info_lists_the_permissions_of_each_staff_type() {
    let test = TestApp::start().await;
    let mut permissions = String::new();
    for (staff_type, name) in
        [(Admin, "Ayu"), (Manager, "Made"), (Team, "Budi"), (Telecaller, "Citra"), (NightStaff, "Nyoman")]
    {
        let answer = test.as_staff(staff_type, name).get("/user_info").await;
        let may = answer.data()["may"].as_object().unwrap().iter();
        let may: Vec<&str> = may.filter(|(_, may)| **may == Value::Bool(true)).map(|(what, _)| &**what).collect();
        permissions += &format!("{staff_type}: {}\n", may.join(" "));
    }
    assert_snapshot!(permissions, @r"
    Admin: see_order_history manage_team set_gateway see_processed see_audit see_access_log see_backups manage_api_keys restore_orders export_csv add_phone_orders edit_paper_reasons
    Manager: see_order_history manage_team set_gateway restore_orders export_csv add_phone_orders
    Team: see_order_history add_phone_orders
    Telecaller: add_phone_orders
    Night Staff: see_order_history
    ");
}

#[tokio::test]
async fn an_incomplete_form_is_refused_with_the_messages_of_the_form() {
    let test = TestApp::start().await;
    for (body, status, message) in [
        (json!({}), 422, "Email Address is required"),
        (json!({ "email": "  ", "password": PASSWORD }), 422, "Email Address is required"),
        (json!({ "email": null, "password": PASSWORD }), 422, "Email Address is required"),
        (json!({ "email": "budi", "password": PASSWORD }), 422, "Invalid email address"),
        (json!({ "email": "a@b.example,c@d.example", "password": PASSWORD }), 422, "Invalid email address"),
        (json!({ "email": "budi@visadesk.example" }), 422, "Password is required"),
        (json!({ "email": "budi@visadesk.example", "password": "" }), 422, "Password is required"),
        (
            json!({ "email": "budi@visadesk.example", "password": "x".repeat(1_025) }),
            422,
            "The password is longer than 1024 bytes",
        ),
        (json!({ "email": "budi@visadesk.example", "password": "nul\0" }), 400, "Invalid characters"),
    ] {
        let answer = test.anonymous().post("/admin/admin-login", body).await;
        assert_eq!((answer.status, answer.message()), (status, message));
    }
    for body in [
        json!([]),
        json!({ "email": ["a@b.example"], "password": PASSWORD }),
        json!({ "email": "a@b.example", "password": 5 }),
    ] {
        let answer = test.anonymous().post("/admin/admin-login", body).await;
        assert_eq!(answer.status, 422, "{answer}");
    }
    assert_eq!(audited(&test).await, [], "invalid forms are not sign-in attempts");
}

#[tokio::test]
async fn a_wrong_password_an_unknown_email_and_a_deleted_member_get_identical_responses() {
    let test = with_a_deleted_member().await;

    let wrong = sign_in_from(&test, "192.0.2.1", "budi@visadesk.example", "not the password").await;
    assert_snapshot!(wrong, @r#"401 {"status":0,"code":"wrong_credentials","message":"The email address or the password is wrong"}"#);
    let stable_headers = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        headers.remove("date");
        headers.remove("x-request-id");
        headers
    };
    for (email, password) in [("nobody@visadesk.example", "not the password"), ("citra@visadesk.example", PASSWORD)] {
        let answer = sign_in_from(&test, "192.0.2.2", email, password).await;
        assert_eq!((answer.status, &answer.text), (wrong.status, &wrong.text));
        assert_eq!(stable_headers(&answer), stable_headers(&wrong));
    }
    let refused = audited(&test).await;
    assert_eq!(
        refused,
        vec![("staff.sign_in_failed".to_owned(), "sign-in".to_owned()); 3],
        "the audit holds no email address"
    );
}

#[tokio::test]
async fn a_wrong_password_an_unknown_email_and_a_deleted_member_cost_the_same_statements_and_one_hash() {
    let test = with_a_deleted_member().await;
    let statements = Statements::watch(&test).await;
    let mut costs: Vec<(&str, usize, usize)> = Vec::new();
    // The first failure of an account inserts its row. The second one updates it.
    for host in ["192.0.2.1", "192.0.2.2"] {
        for (name, password) in [("budi", "not the password"), ("nobody", "not the password"), ("citra", PASSWORD)] {
            statements.take();
            let hashed = test.app.staff.passwords.workers().taken();
            let answer = sign_in_from(&test, host, &format!("{name}@visadesk.example"), password).await;
            assert_eq!(answer.status, 401, "{answer}");
            costs.push((name, statements.take().len(), test.app.staff.passwords.workers().taken() - hashed));
        }
    }
    assert!(costs[0].1 > 3, "statements are counted: {costs:?}");
    assert!(costs.iter().all(|(_, statements, hashes)| (*statements, *hashes) == (costs[0].1, 1)), "{costs:?}");
}

#[tokio::test]
async fn after_five_failures_an_account_waits_longer_each_time_until_a_successful_sign_in() {
    let test = behind_a_proxy().await;
    test.clock.stop();
    test.add_member(Team, "Budi").await;
    // Failures for an unknown email count alike, so the limit does not reveal who works here.
    for email in ["budi@visadesk.example", "nobody@visadesk.example"] {
        for host in 1..=5 {
            let answer = sign_in_from(&test, &format!("192.0.2.{host}"), email, "not the password").await;
            assert_eq!(answer.status, 401);
        }
        let waits = sign_in_from(&test, "192.0.2.6", email, PASSWORD).await;
        assert_eq!(waits.status, 429);
        assert!(waits.message().starts_with("Too many failed sign-ins. Please wait "), "{waits}");
        assert_eq!(waits.header("retry-after"), "2", "{waits}");
    }
    test.later(TimeDelta::seconds(2));
    let sixth = sign_in_from(&test, "192.0.2.6", "budi@visadesk.example", "not the password").await;
    assert_eq!(sixth.status, 401);
    test.later(TimeDelta::seconds(2));
    let waits = sign_in_from(&test, "192.0.2.7", "BUDI@visadesk.example", PASSWORD).await;
    assert_eq!((waits.status, waits.header("retry-after")), (429, "2"), "two of four seconds are over");
    test.later(TimeDelta::seconds(2));

    let answer = sign_in_from(&test, "192.0.2.7", "budi@visadesk.example", PASSWORD).await;
    assert_eq!(answer.status, 200, "no account is ever locked for good");
    for host in 8..=12 {
        let answer = sign_in_from(&test, &format!("192.0.2.{host}"), "budi@visadesk.example", "not the password").await;
        assert_eq!(answer.status, 401, "the count starts again");
    }
}

#[tokio::test]
async fn guessing_never_locks_out_a_member_on_a_known_network() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    assert_eq!(sign_in_from(&test, "203.0.113.5", "budi@visadesk.example", PASSWORD).await.status, 200);
    for host in 1..=8 {
        sign_in_from(&test, &format!("192.0.2.{host}"), "budi@visadesk.example", "not the password").await;
    }
    assert_eq!(sign_in_from(&test, "192.0.2.99", "budi@visadesk.example", PASSWORD).await.status, 429);
    assert_eq!(sign_in_from(&test, "203.0.113.5", "budi@visadesk.example", PASSWORD).await.status, 200);

    for _ in 0..5 {
        let answer = sign_in_from(&test, "203.0.113.5", "budi@visadesk.example", "not the password").await;
        assert_eq!(answer.status, 401);
    }
    let waits = sign_in_from(&test, "203.0.113.5", "budi@visadesk.example", PASSWORD).await;
    assert_eq!(waits.status, 429, "guessing is also limited on a known network");

    test.later(TimeDelta::days(31));
    let now = test.clock.now();
    let left = test.write(move |tx| {
        visadesk::http::failed_attempts::delete_expired(tx, &sign_in_limit(&Config::default().limits), now)?;
        Ok(failed_attempts::table.count().get_result::<i64>(tx)?)
    });
    assert_eq!(left.await, 0);
}

#[tokio::test]
async fn a_flood_from_unknown_networks_leaves_room_for_sign_ins_from_known_ones() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    test.add_member(Team, "Citra").await;
    assert_eq!(sign_in_from(&test, "203.0.113.5", "budi@visadesk.example", PASSWORD).await.status, 200);
    // The worker of strangers is busy, so none of them leaves its seat.
    let busy = test.app.staff.passwords.workers().try_take(CallerKind::Stranger).expect("a free worker");
    let (answered, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let flood = join_all((0..60).map(|guess| {
        let (test, answered, refused) = (&test, &answered, &refused);
        async move {
            let (address, email) = (format!("198.51.100.{guess}"), format!("guess{guess}@visadesk.example"));
            let answer = sign_in_from(test, &address, &email, "a guess").await;
            refused.fetch_add(usize::from(answer.json["code"] == "too_many_sign_ins"), Ordering::SeqCst);
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }));
    let members = async {
        // Half of the 34 seats are for strangers.
        until("the strangers without a seat are refused", async || {
            (refused.load(Ordering::SeqCst) == 60 - 17).then_some(())
        })
        .await;
        let known = sign_in_from(&test, "203.0.113.5", "budi@visadesk.example", PASSWORD).await;
        let colleague = sign_in_from(&test, "203.0.113.5", "citra@visadesk.example", PASSWORD).await;
        assert_eq!(answered.load(Ordering::SeqCst), 60 - 17, "they did not wait for the flood to end");
        drop(busy);
        [known.status, colleague.status]
    };
    let (_, statuses) = join(flood, members).await;
    assert_eq!((answered.load(Ordering::SeqCst), refused.load(Ordering::SeqCst)), (60, 60 - 17));
    assert_eq!(statuses, [200, 200], "the network is known for every member");
}

#[tokio::test]
async fn an_address_gets_ten_failures_a_minute_and_successful_sign_ins_do_not_count() {
    let test = behind_a_proxy().await;
    test.clock.stop();
    test.add_member(Team, "Budi").await;
    for _ in 0..12 {
        assert_eq!(sign_in_from(&test, "192.0.2.1", "budi@visadesk.example", PASSWORD).await.status, 200);
    }
    for guess in 0..10 {
        let answer = sign_in_from(&test, "192.0.2.1", &format!("guess{guess}@visadesk.example"), "guess!").await;
        assert_eq!(answer.status, 401);
    }
    // The client can forge everything to the left of the address that the proxy adds.
    for address in ["192.0.2.1", "198.51.100.77, 192.0.2.1"] {
        let refused = sign_in_from(&test, address, "budi@visadesk.example", PASSWORD).await;
        assert_eq!(refused.status, 429, "{refused}");
        assert_eq!(refused.header("retry-after"), "60", "{refused}");
    }
    assert_eq!(sign_in_from(&test, "192.0.2.2", "budi@visadesk.example", PASSWORD).await.status, 200);
    test.later(TimeDelta::seconds(60));
    assert_eq!(sign_in_from(&test, "192.0.2.1", "budi@visadesk.example", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn concurrent_guesses_are_counted_one_by_one_including_the_right_one() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    let guesses = (0..24).map(|guess| {
        let password = if guess == 20 { PASSWORD.to_owned() } else { format!("guess number {guess}") };
        let (address, test) = (format!("192.0.2.{guess}"), &test);
        async move { sign_in_from(test, &address, "budi@visadesk.example", &password).await.status }
    });
    let statuses = futures_util::future::join_all(guesses).await;
    let count = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
    // The right guess may be among the first five, and it resets the count.
    assert!((4..=10).contains(&count(401)) && count(401) + count(200) + count(429) == 24, "{statuses:?}");
}

#[tokio::test]
async fn failures_survive_a_restart_and_expire_after_a_day() {
    let test = TestApp::start().await;
    for _ in 0..5 {
        assert_eq!(test.sign_in("budi@visadesk.example", "not the password").await.status, 401);
    }
    let restarted = test.another_node().await;
    assert_eq!(restarted.sign_in("budi@visadesk.example", "not the password").await.status, 429);

    let buckets: Vec<String> =
        test.read(|conn| Ok(failed_attempts::table.select(failed_attempts::bucket).load(conn)?)).await;
    assert_eq!(buckets.len(), 2);
    assert!(buckets.iter().all(|bucket| !bucket.contains("budi") && !bucket.contains('@')), "{buckets:?}");

    test.later(TimeDelta::hours(25));
    let now = test.clock.now();
    let deleted = test
        .write(move |tx| {
            visadesk::http::failed_attempts::delete_expired(tx, &sign_in_limit(&Config::default().limits), now)
        })
        .await;
    assert_eq!(deleted, 2);
}
