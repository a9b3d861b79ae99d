//! Signing in and out, sessions, guessing, and one's own password. Forged tokens have a file of their own.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{attempts, audit, sessions, staff};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
use visadesk::staff::sessions::Remember;

use crate::support::{Answer, Desk, PASSWORD, TestApp};

/// Behind a proxy of the test's own, so that each request may come from another address.
async fn behind_a_proxy() -> TestApp {
    TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".into()).await
}

async fn sign_in_from(test: &TestApp, address: &str, email: &str, password: &str) -> Answer {
    let desk = test.anonymous().with_header("x-forwarded-for", address);
    desk.post("/admin/admin-login", json!({ "email": email, "password": password })).await
}

/// What the audit says was done, in order.
async fn audited(test: &TestApp) -> Vec<(String, String)> {
    test.read(|conn| {
        let rows = audit::table.filter(audit::order_id.is_null()).order(audit::audit_id);
        Ok(rows.select((audit::action, audit::actor)).load(conn)?)
    })
    .await
}

#[tokio::test]
async fn whoever_knows_email_and_password_gets_a_token_that_opens_the_desk() {
    let test = TestApp::start().await;
    test.add_member(Team, "Budi").await;

    let answer = test.sign_in(" BUDI@visadesk.example ", PASSWORD).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"You are signed in","jwtToken":"[token]","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team"}}"#);

    let token = answer.json["jwtToken"].as_str().unwrap_or_default();
    assert_snapshot!(test.with_token(token).get("/user_info").await, @r#"200 {"status":1,"message":"","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team","may":{"see_order_history":true,"manage_team":false,"set_gateway":false,"see_processed":false,"delete_orders":false,"delete_my_orders":false,"restore_orders":false,"assign_to_others":false,"export_csv":false},"agency_time_zone":"Asia/Jakarta"}}"#);
    assert_eq!(audited(&test).await, [("staff.sign_in".into(), "Budi".into())]);
}

#[tokio::test]
async fn the_web_app_is_told_what_each_type_may_do() {
    let test = TestApp::start().await;
    let mut told = String::new();
    for (staff_type, name) in
        [(Admin, "Ayu"), (Manager, "Made"), (Team, "Budi"), (Telecaller, "Citra"), (NightStaff, "Nyoman")]
    {
        let answer = test.as_staff(staff_type, name).get("/user_info").await;
        let may = answer.data()["may"].as_object().unwrap().iter();
        let may: Vec<&str> = may.filter(|(_, may)| **may == Value::Bool(true)).map(|(what, _)| &**what).collect();
        told += &format!("{staff_type}: {}\n", may.join(" "));
    }
    assert_snapshot!(told, @r"
    Admin: see_order_history manage_team set_gateway see_processed delete_orders delete_my_orders restore_orders assign_to_others export_csv
    Manager: see_order_history manage_team set_gateway delete_orders restore_orders assign_to_others export_csv
    Team: see_order_history
    Telecaller: 
    Night Staff: see_order_history
    ");
}

#[tokio::test]
async fn a_form_that_is_not_filled_in_is_answered_in_the_words_of_the_form() {
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
    assert_eq!(audited(&test).await, [], "none of these was a try");
}

#[tokio::test]
async fn a_wrong_password_an_unknown_email_and_a_deleted_member_are_answered_with_the_same_bytes() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    let citra = test.add_member(Telecaller, "Citra").await;
    let now = test.clock.now();
    test.write(move |tx| Ok(diesel::update(staff::table.find(citra)).set(staff::deleted_at.eq(now)).execute(tx)?))
        .await;

    let wrong = sign_in_from(&test, "192.0.2.1", "budi@visadesk.example", "not the password").await;
    assert_snapshot!(wrong, @r#"401 {"status":0,"message":"The email address or the password is wrong"}"#);
    let heads = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        headers.remove("date");
        headers.remove("x-request-id");
        headers
    };
    for (email, password) in [("nobody@visadesk.example", "not the password"), ("citra@visadesk.example", PASSWORD)] {
        let answer = sign_in_from(&test, "192.0.2.2", email, password).await;
        assert_eq!((answer.status, &answer.text), (wrong.status, &wrong.text));
        assert_eq!(heads(&answer), heads(&wrong));
    }
    let refused = audited(&test).await;
    assert_eq!(
        refused,
        vec![("staff.sign_in_refused".to_owned(), "sign-in".to_owned()); 3],
        "and nobody's email is noted"
    );
}

#[tokio::test]
async fn after_five_failures_in_a_row_an_account_waits_longer_each_time_and_a_good_sign_in_forgets_them() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    // An unknown address is counted alike: nobody learns who works here.
    for email in ["budi@visadesk.example", "nobody@visadesk.example"] {
        for host in 1..=5 {
            let answer = sign_in_from(&test, &format!("192.0.2.{host}"), email, "not the password").await;
            assert_eq!(answer.status, 401);
        }
        let waits = sign_in_from(&test, "192.0.2.6", email, PASSWORD).await;
        assert_eq!(waits.status, 429);
        assert!(waits.message().starts_with("Too many failed sign-ins. Please wait "), "{waits}");
        assert!(["1", "2"].contains(&waits.header("retry-after")), "{waits}");
    }
    test.later(TimeDelta::seconds(2));
    let sixth = sign_in_from(&test, "192.0.2.6", "budi@visadesk.example", "not the password").await;
    assert_eq!(sixth.status, 401);
    test.later(TimeDelta::seconds(2));
    let waits = sign_in_from(&test, "192.0.2.7", "BUDI@visadesk.example", PASSWORD).await;
    assert_eq!(waits.status, 429, "now it is four seconds in all");
    test.later(TimeDelta::seconds(2));

    let answer = sign_in_from(&test, "192.0.2.7", "budi@visadesk.example", PASSWORD).await;
    assert_eq!(answer.status, 200, "no account is ever locked for good");
    for host in 8..=12 {
        let answer = sign_in_from(&test, &format!("192.0.2.{host}"), "budi@visadesk.example", "not the password").await;
        assert_eq!(answer.status, 401, "the count begins anew");
    }
}

#[tokio::test]
async fn strangers_who_guess_never_keep_out_whoever_signed_in_from_here_before() {
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
    assert_eq!(waits.status, 429, "here, too, guessing gets slow");

    test.later(TimeDelta::days(31));
    let now = test.clock.now();
    let left = test.write(move |tx| {
        visadesk::staff::attempts::forget_old(tx, now)?;
        Ok(attempts::table.count().get_result::<i64>(tx)?)
    });
    assert_eq!(left.await, 0);
}

#[tokio::test]
async fn an_address_has_ten_failures_a_minute_and_good_sign_ins_do_not_count() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    for _ in 0..12 {
        assert_eq!(sign_in_from(&test, "192.0.2.1", "budi@visadesk.example", PASSWORD).await.status, 200);
    }
    for guess in 0..10 {
        let answer = sign_in_from(&test, "192.0.2.1", &format!("guess{guess}@visadesk.example"), "guess!").await;
        assert_eq!(answer.status, 401);
    }
    // What stands left of the proxy's own word is the client's invention.
    for address in ["192.0.2.1", "198.51.100.77, 192.0.2.1"] {
        let refused = sign_in_from(&test, address, "budi@visadesk.example", PASSWORD).await;
        assert_eq!(refused.status, 429, "{refused}");
        assert!((58..=60).contains(&refused.header("retry-after").parse::<i32>().unwrap()), "{refused}");
    }
    assert_eq!(sign_in_from(&test, "192.0.2.2", "budi@visadesk.example", PASSWORD).await.status, 200);
    test.later(TimeDelta::seconds(61));
    assert_eq!(sign_in_from(&test, "192.0.2.1", "budi@visadesk.example", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn guesses_sent_at_the_same_time_count_one_after_the_other_also_the_right_one() {
    let test = behind_a_proxy().await;
    test.add_member(Team, "Budi").await;
    let guesses = (0..24).map(|guess| {
        let password = if guess == 20 { PASSWORD.to_owned() } else { format!("guess number {guess}") };
        let (address, test) = (format!("192.0.2.{guess}"), &test);
        async move { sign_in_from(test, &address, "budi@visadesk.example", &password).await.status }
    });
    let statuses = futures_util::future::join_all(guesses).await;
    let count = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
    // The right guess may have come among the first five, and the count began anew after it.
    assert!((4..=10).contains(&count(401)) && count(401) + count(200) + count(429) == 24, "{statuses:?}");
}

#[tokio::test]
async fn failures_outlive_a_restart_and_are_forgotten_after_a_day() {
    let test = TestApp::start().await;
    for _ in 0..5 {
        assert_eq!(test.sign_in("budi@visadesk.example", "not the password").await.status, 401);
    }
    let restarted = test.another_node().await;
    assert_eq!(restarted.sign_in("budi@visadesk.example", "not the password").await.status, 429);

    let buckets: Vec<String> = test.read(|conn| Ok(attempts::table.select(attempts::bucket).load(conn)?)).await;
    assert_eq!(buckets.len(), 2);
    assert!(buckets.iter().all(|bucket| !bucket.contains("budi") && !bucket.contains('@')), "{buckets:?}");

    test.later(TimeDelta::hours(25));
    let now = test.clock.now();
    let forgotten = test.write(move |tx| visadesk::staff::attempts::forget_old(tx, now)).await;
    assert_eq!(forgotten, 2);
}

/// Asks until the session's last use was written down, which happens beside the request.
async fn until_seen(test: &TestApp, since: NaiveDateTime) {
    for _ in 0..500 {
        let seen: Option<NaiveDateTime> =
            test.read(|conn| Ok(sessions::table.select(sessions::last_seen_at).first(conn).optional()?)).await;
        if seen.is_some_and(|seen| seen >= since) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the last use of the session was not written down");
}

async fn use_after(test: &TestApp, desk: &Desk<'_>, pause: TimeDelta) -> u16 {
    test.later(pause);
    let now = test.clock.now();
    let status = desk.get("/user_info").await.status;
    if status == 200 {
        until_seen(test, now).await;
    }
    status
}

#[tokio::test]
async fn a_session_ends_after_an_idle_hour_and_after_twelve_hours_at_most() {
    let test = TestApp::start().await;
    let idle = test.as_staff(Team, "Budi");
    assert_eq!(idle.get("/user_info").await.status, 200);
    test.later(TimeDelta::minutes(61));
    assert_snapshot!(idle.get("/user_info").await, @r#"401 {"status":0,"message":"Please sign in again"}"#);
    test.write(|tx| Ok(diesel::delete(sessions::table).execute(tx)?)).await;

    let busy = test.as_staff(Team, "Budi");
    assert_eq!(busy.get("/user_info").await.status, 200);
    for _ in 0..14 {
        assert_eq!(use_after(&test, &busy, TimeDelta::minutes(50)).await, 200);
    }
    assert_eq!(use_after(&test, &busy, TimeDelta::minutes(21)).await, 401, "twelve hours and a minute");
}

#[tokio::test]
async fn whoever_asks_to_be_remembered_stays_for_a_week_with_a_day_of_rest() {
    let test = TestApp::start().await;
    test.add_member(Team, "Budi").await;
    let body = json!({ "email": "budi@visadesk.example", "password": PASSWORD, "rememberMe": true });
    let token = test.anonymous().post("/admin/admin-login", body).await.json["jwtToken"].as_str().unwrap().to_owned();
    let desk = test.with_token(token);
    for _ in 0..7 {
        assert_eq!(use_after(&test, &desk, TimeDelta::hours(23)).await, 200);
    }
    assert_eq!(use_after(&test, &desk, TimeDelta::hours(8)).await, 401, "seven days and an hour");

    let id = test.add_member(Team, "Budi").await;
    let session = test.begin_session(id, Remember::Yes).await;
    test.later(TimeDelta::hours(25));
    assert_eq!(test.with_token(session.token).get("/user_info").await.status, 401, "a day and an hour of rest");
}

#[tokio::test]
async fn a_burst_of_requests_writes_the_last_use_at_most_once_a_minute() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let began = test.clock.now();
    budi.get("/user_info").await;
    test.later(TimeDelta::seconds(59));
    budi.get("/user_info").await;
    let seen = || test.read(|conn| Ok(sessions::table.select(sessions::last_seen_at).first::<NaiveDateTime>(conn)?));
    assert!(seen().await - began < TimeDelta::seconds(30), "within the minute nothing is written");
    assert_eq!(use_after(&test, &budi, TimeDelta::seconds(2)).await, 200);
}

#[tokio::test]
async fn signing_out_ends_the_session_and_takes_the_cookie_back() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let other = test.as_staff(Team, "Budi");
    other.get("/user_info").await;

    let answer = budi.post("/admin/sign-out", json!({})).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"You are signed out"}"#);
    assert!(
        answer.header("set-cookie").starts_with("visadesk_uploads=; ")
            && answer.header("set-cookie").contains("Max-Age=0")
    );
    assert_eq!(budi.get("/user_info").await.status, 401);
    assert_eq!(other.get("/user_info").await.status, 200, "only this session");
    assert_eq!(audited(&test).await, [("staff.sign_out".into(), "Budi".into())]);
}

#[tokio::test]
async fn the_cookie_for_files_is_out_of_reach_of_scripts_and_of_every_other_path() {
    let test = TestApp::start().await;
    test.add_member(Team, "Budi").await;
    let signed_in = test.sign_in("budi@visadesk.example", PASSWORD).await;
    let cookie = signed_in.header("set-cookie").to_owned();
    let (value, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/uploads");
    assert!(value.len() > "visadesk_uploads=".len() + 64);

    let token = signed_in.json["jwtToken"].as_str().unwrap();
    let again = test.with_token(token).get("/user_info").await;
    assert_eq!(again.header("set-cookie"), cookie, "the same session, the same cookie");
    let other = test.as_staff(Team, "Budi").get("/user_info").await;
    assert_ne!(other.header("set-cookie"), cookie);

    let secure = TestApp::start_with(|config| config.public_url = "https://desk.example".into()).await;
    assert!(secure.as_staff(Team, "Budi").get("/user_info").await.header("set-cookie").contains("; Secure"));
}

#[tokio::test]
async fn a_changed_password_ends_every_session_and_only_the_new_one_signs_in() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let elsewhere = test.as_staff(Team, "Budi");
    let citra = test.as_staff(Telecaller, "Citra");
    for desk in [&budi, &elsewhere, &citra] {
        assert_eq!(desk.get("/user_info").await.status, 200);
    }
    let answer = budi.post("/admin/change-password", json!({ "newPassword": "sunrise over Ubud 🌅" })).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"Your password has been changed. Please sign in with the new one"}"#);
    for desk in [&budi, &elsewhere] {
        assert_eq!(desk.get("/user_info").await.status, 401);
    }
    assert_eq!(citra.get("/user_info").await.status, 200);
    assert_eq!(test.sign_in("budi@visadesk.example", PASSWORD).await.status, 401);
    assert_eq!(test.sign_in("budi@visadesk.example", "sunrise over Ubud 🌅").await.status, 200);
    assert_eq!(audited(&test).await[0], ("staff.change_password".into(), "Budi".into()));
}

#[tokio::test]
async fn a_new_password_has_six_characters_and_is_not_a_common_one() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for (typed, message) in [
        (json!(null), "Please enter your New Password"),
        (json!(""), "Please enter your New Password"),
        (json!("ab🌅de"), "New Password must be at least 6 characters"),
        (json!("Password"), "This password is too common"),
        (json!("123456"), "This password is too common"),
        (json!("qwertyuiop"), "This password is too common"),
        (json!("********"), "This password is what hides passwords. Please choose another"),
        (json!("x".repeat(1_025)), "The password is longer than 1024 bytes"),
    ] {
        let answer = budi.post("/admin/change-password", json!({ "newPassword": typed })).await;
        assert_eq!((answer.status, answer.message()), (422, message));
    }
    let huge = budi.post("/admin/change-password", json!({ "newPassword": "x".repeat(1_000_000) })).await;
    assert_eq!(huge.status, 413);
    assert_eq!(budi.get("/user_info").await.status, 200, "nothing has changed");

    let lenient = TestApp::start_with(|config| config.passwords.refuse_common = false).await;
    let body = json!({ "newPassword": "123456" });
    assert_eq!(lenient.as_staff(Team, "Budi").post("/admin/change-password", body).await.status, 200);
}

#[tokio::test]
async fn the_password_changes_only_in_a_session_younger_than_half_an_hour() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    budi.get("/user_info").await;
    test.later(TimeDelta::minutes(31));
    let body = json!({ "newPassword": "sunrise over Ubud" });
    let refused = budi.post("/admin/change-password", body.clone()).await;
    assert_snapshot!(refused, @r#"401 {"status":0,"message":"To change your password, please sign in again and do it within 30 minutes"}"#);
    assert_eq!(test.sign_in("budi@visadesk.example", PASSWORD).await.status, 200);
    assert_eq!(test.as_staff(Team, "Budi").post("/admin/change-password", body).await.status, 200);
}

#[tokio::test]
async fn a_sign_in_with_the_old_password_never_outlives_its_change() {
    let test = TestApp::start().await;
    let id = test.add_member(Team, "Budi").await;
    for round in 0..10 {
        let budi = test.as_staff(Team, "Budi");
        budi.get("/user_info").await;
        let (old, new) = (
            if round == 0 { PASSWORD.to_owned() } else { format!("password of round {}", round - 1) },
            format!("password of round {round}"),
        );
        let body = json!({ "newPassword": new });
        let (changed, signed_in) =
            tokio::join!(budi.post("/admin/change-password", body), test.sign_in("budi@visadesk.example", &old));
        assert_eq!(changed.status, 200);
        if let Some(token) = signed_in.json["jwtToken"].as_str() {
            assert_eq!(test.with_token(token).get("/user_info").await.status, 401, "round {round}");
        }
        let left = test
            .read(move |conn| Ok(sessions::table.filter(sessions::staff_id.eq(id)).count().get_result::<i64>(conn)?));
        assert_eq!(left.await, 0, "round {round}");
    }
}
