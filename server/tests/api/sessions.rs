//! Sessions: expiry, signing out, the file cookie, and password changes.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{sessions, staff};
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Team, Telecaller};
use visadesk::staff::tokens::Remember;
use visadesk::timestamp::Timestamp;

use crate::staff::audited;
use crate::support::{Answer, Client, PASSWORD, TestApp, until};

/// Waits until the last use of the session is stored, which happens in the background of a request.
async fn wait_for_last_use(test: &TestApp, since: Timestamp) {
    until("the last use of the session is stored", async || {
        let seen: Option<Timestamp> =
            test.read(|conn| Ok(sessions::table.select(sessions::last_seen_at).first(conn).optional()?)).await;
        seen.filter(|seen| *seen >= since).map(drop)
    })
    .await;
}

async fn use_after(test: &TestApp, desk: &Client<'_>, pause: TimeDelta) -> u16 {
    test.later(pause);
    let now = test.clock.now();
    let status = desk.get("/user_info").await.status;
    if status == 200 {
        wait_for_last_use(test, now).await;
    }
    status
}

#[tokio::test]
async fn a_session_ends_after_an_idle_hour_and_after_twelve_hours_at_most() {
    let test = TestApp::start().await;
    let idle = test.as_staff(Team, "Budi");
    assert_eq!(idle.get("/user_info").await.status, 200);
    test.later(TimeDelta::minutes(61));
    assert_snapshot!(idle.get("/user_info").await, @r#"401 {"status":0,"code":"signed_out","message":"Please sign in again"}"#);
    test.write(|tx| Ok(diesel::delete(sessions::table).execute(tx)?)).await;

    let busy = test.as_staff(Team, "Budi");
    assert_eq!(busy.get("/user_info").await.status, 200);
    for _ in 0..14 {
        assert_eq!(use_after(&test, &busy, TimeDelta::minutes(50)).await, 200);
    }
    assert_eq!(use_after(&test, &busy, TimeDelta::minutes(21)).await, 401, "twelve hours and a minute");
}

#[tokio::test]
async fn a_remembered_session_lasts_a_week_and_ends_after_an_idle_day() {
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
    let session = test.begin_session(id, Remember::Days(7)).await;
    test.later(TimeDelta::hours(25));
    assert_eq!(test.with_token(session.token).get("/user_info").await.status, 401, "idle for a day and an hour");
}

#[tokio::test]
async fn after_a_clock_steps_back_an_hour_people_stay_signed_in_and_change_orders() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(budi.get("/user_info").await.status, 200);
    for _ in 0..2 {
        assert_eq!(use_after(&test, &budi, TimeDelta::minutes(40)).await, 200);
    }
    test.clock.shift(-TimeDelta::hours(1));
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    let shown = details.data()["updated_at"].clone();
    let moved = |to: &str| json!({ "orderId": order, "updatingStatus": to, "updated_at": shown });
    assert_eq!(budi.put("/admin/move-order-status", moved("Awaiting")).await.status, 200);
    let stale = budi.put("/admin/move-order-status", moved("Completed")).await;
    assert_eq!((stale.status, &stale.json["code"]), (409, &json!("order_changed_meanwhile")), "{stale}");
    test.later(TimeDelta::hours(1));
    assert_eq!(budi.get("/user_info").await.status, 200);
}

#[tokio::test]
async fn a_session_of_the_last_hour_waits_until_a_clock_that_stepped_back_an_hour_has_caught_up() {
    let test = TestApp::start().await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(budi.get("/user_info").await.status, 200);
    test.clock.shift(-TimeDelta::hours(1));
    // A token from the future is refused, with a minute of tolerance. Signing in again gives a token that is valid at once.
    assert_eq!(budi.get("/user_info").await.status, 401);
    let signed_in = test.sign_in("budi@visadesk.example", PASSWORD).await;
    let token = signed_in.json["jwtToken"].as_str().expect("a token");
    assert_eq!(test.with_token(token).get("/user_info").await.status, 200);
    test.later(TimeDelta::minutes(59));
    for desk in [&budi, &test.with_token(token)] {
        assert_eq!(desk.get("/user_info").await.status, 200);
    }
}

#[tokio::test]
async fn a_burst_of_requests_writes_the_last_use_at_most_once_a_minute() {
    let test = TestApp::start().await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    let began = test.clock.now();
    budi.get("/user_info").await;
    test.later(TimeDelta::seconds(59));
    budi.get("/user_info").await;
    let seen = || test.read(|conn| Ok(sessions::table.select(sessions::last_seen_at).first::<Timestamp>(conn)?));
    assert_eq!(seen().await, began, "no write within the minute");
    // A late write at 59 seconds would suppress this one.
    assert_eq!(use_after(&test, &budi, TimeDelta::seconds(1)).await, 200);
    assert_eq!(seen().await, began + TimeDelta::seconds(60));
}

#[tokio::test]
async fn signing_out_ends_the_session_and_clears_the_cookie() {
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
    assert_eq!(answer.header("clear-site-data"), "\"cache\"", "no cookies and no storage, which are the next person's");
    assert_eq!(budi.get("/user_info").await.status, 401);
    assert_eq!(other.get("/user_info").await.status, 200, "only this session");
    assert_eq!(audited(&test).await, [("staff.sign_out".into(), "Budi".into())]);
}

#[tokio::test]
async fn the_file_cookie_is_http_only_and_limited_to_the_uploads_path() {
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
    let other_node = test.another_node().await;
    let elsewhere = other_node.as_staff(Team, "Budi");
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
async fn a_new_password_needs_six_characters_and_must_not_be_common() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for (password, message) in [
        (json!(null), "Please enter your New Password"),
        (json!(""), "Please enter your New Password"),
        (json!("ab🌅de"), "New Password must be at least 6 characters"),
        (json!("Password"), "This password is too common"),
        (json!("123456"), "This password is too common"),
        (json!("qwertyuiop"), "This password is too common"),
        (json!("********"), "This is the placeholder for a hidden password. Please choose another password"),
        (json!("x".repeat(1_025)), "The password is longer than 1024 bytes"),
    ] {
        let answer = budi.post("/admin/change-password", json!({ "newPassword": password })).await;
        assert_eq!((answer.status, answer.message()), (422, message));
    }
    let huge = budi.post("/admin/change-password", json!({ "newPassword": "x".repeat(1_000_000) })).await;
    assert_eq!(huge.status, 413);
    assert_eq!(budi.get("/user_info").await.status, 200, "the session is still valid");

    let lenient = TestApp::start_with(|config| config.passwords.min_guesses = 0).await;
    let body = json!({ "newPassword": "123456" });
    assert_eq!(lenient.as_staff(Team, "Budi").post("/admin/change-password", body).await.status, 200);
}

#[tokio::test]
async fn changing_the_password_requires_a_sign_in_within_the_last_half_hour() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    budi.get("/user_info").await;
    test.later(TimeDelta::minutes(31));
    let body = json!({ "newPassword": "sunrise over Ubud" });
    let refused = budi.post("/admin/change-password", body.clone()).await;
    assert_snapshot!(refused, @r#"401 {"status":0,"code":"sign_in_too_old","message":"To change your password, please sign in again and do it within 30 minutes"}"#);
    assert_eq!(test.sign_in("budi@visadesk.example", PASSWORD).await.status, 200);
    assert_eq!(test.as_staff(Team, "Budi").post("/admin/change-password", body).await.status, 200);
}

#[tokio::test]
async fn remember_me_can_be_shortened_and_switched_off() {
    for (days, after, status) in [(2, 47, 200), (2, 49, 401), (0, 11, 200), (0, 13, 401)] {
        let test = TestApp::start_with(|config| config.sessions.remember_days = days).await;
        test.add_member(Team, "Budi").await;
        let body = json!({ "email": "budi@visadesk.example", "password": PASSWORD, "rememberMe": true });
        let signed_in = test.anonymous().post("/admin/admin-login", body).await;
        let budi = test.with_token(signed_in.json["jwtToken"].as_str().expect("a token"));
        let mut last = 200;
        // Used often enough not to be idle.
        for _ in 0..after * 2 {
            last = use_after(&test, &budi, TimeDelta::minutes(30)).await;
        }
        assert_eq!(last, status, "{days} days, after {after} hours");
    }
}

#[tokio::test]
async fn a_sign_in_renews_a_hash_that_is_cheaper_than_the_configuration_asks_for() {
    let test = TestApp::start().await;
    let id = test.add_member(Team, "Budi").await;
    let stored = async || {
        test.read(move |conn| Ok(staff::table.find(id).select(staff::password_hash).first::<String>(conn)?)).await
    };
    let before = stored().await;
    assert!(before.contains("m=8,t=1,"), "{before}");
    let dearer = test.another_node_with(|config| config.passwords.passes = 3).await;
    assert_eq!(dearer.sign_in("budi@visadesk.example", "a wrong password").await.status, 401);
    assert_eq!(stored().await, before, "only the right password renews it");
    let tries = join_all((0..3).map(|_| dearer.sign_in("budi@visadesk.example", PASSWORD))).await;
    assert!(tries.iter().all(|answer| answer.status == 200), "{tries:?}");
    let renewed = stored().await;
    assert!(renewed.contains("m=8,t=3,"), "{renewed}");
    assert_eq!(test.sign_in("budi@visadesk.example", PASSWORD).await.status, 200);
    assert_eq!(stored().await, renewed, "a node that asks for less leaves it");
}

#[tokio::test]
async fn a_concurrent_sign_in_with_the_old_password_does_not_survive_the_change() {
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

/// The sessions that the list shows, as device and address.
fn shown(answer: &Answer) -> Vec<(String, String, bool)> {
    let sessions = answer.data().as_array().expect("sessions").iter();
    let text = |one: &Value, field: &str| one[field].as_str().expect("a text").to_owned();
    sessions
        .map(|one| {
            let device = format!("{} on {}", text(one, "browser"), text(one, "os"));
            (device, text(one, "ip"), one["is_this"] == true)
        })
        .collect()
}

#[tokio::test]
async fn a_member_sees_their_own_sessions_and_ends_one_of_them() {
    let test = TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await;
    let budi = test.add_member(Team, "Budi").await;
    let citra = test.as_staff(Telecaller, "Citra");
    citra.session().await;
    let sign_in = async |user_agent: &str, address: &str| {
        let desk = test.anonymous().with_header("user-agent", user_agent).with_header("x-forwarded-for", address);
        let body = json!({ "email": "budi@visadesk.example", "password": PASSWORD });
        desk.post("/admin/admin-login", body).await.json["jwtToken"].as_str().expect("a token").to_owned()
    };
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let phone = sign_in("", "2001:db8::7").await;
    test.later(TimeDelta::minutes(2));
    let office = sign_in(firefox, "203.0.113.9").await;
    let (phone, office) = (test.with_token(phone), test.with_token(office));

    let listed = office.get("/admin/sessions").await;
    let unknown = "Unknown on Unknown".to_owned();
    assert_eq!(
        shown(&listed),
        [("Firefox 140 on Linux".into(), "203.0.113.9".into(), true), (unknown, "2001:db8::7".into(), false)]
    );
    let id = &listed.data()[1]["id"];
    let of_another = citra.post("/admin/end-session", json!({ "id": id })).await;
    assert_eq!((of_another.status, &of_another.json["code"]), (404, &json!("session_not_found")));
    assert_eq!(phone.get("/user_info").await.status, 200);
    assert_eq!(office.post("/admin/end-session", json!({ "id": id })).await.message(), "The session has been ended");
    assert_eq!(phone.get("/user_info").await.status, 401);
    assert_eq!(shown(&office.get("/admin/sessions").await).len(), 1);
    assert_eq!(office.post("/admin/end-session", json!({ "id": id })).await.status, 404);
    assert_eq!(office.post("/admin/end-session", json!({})).await.status, 404);
    test.later(TimeDelta::minutes(58));
    let idle = test.with_token(test.begin_session(budi, Remember::No).await.token);
    test.later(TimeDelta::minutes(3));
    assert_eq!(shown(&idle.get("/admin/sessions").await).len(), 1, "one that was idle for an hour has ended");
    assert!(audited(&test).await.contains(&("staff.end_session".into(), "Budi".into())));
}
