//! The second factor: setting up an authenticator app, signing in with it, recovery codes, and the proof that calls of consequence ask for.

mod confirmation;
pub mod device;
pub mod passkeys;
mod required;

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret, Totp};
use visadesk::db::schema::{audit, authenticators, challenges, recovery_codes};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use crate::support::program::Installation;
use crate::support::{Answer, Client, PASSWORD, TestApp};

const EMAIL: &str = "budi@visadesk.example";

/// An authenticator app, as a person's phone has it.
pub struct Phone(Totp);

impl Phone {
    /// Scans what an enrolment answered.
    pub fn scan(enrolment: &Value) -> Self {
        let secret = Secret::try_from_base32(enrolment["secret"].as_str().expect("a secret")).expect("Base32");
        Self(Builder::new().with_secret(secret).build().expect("an app"))
    }

    /// The code that it shows now.
    pub fn code(&self, test: &TestApp) -> String {
        self.0.generate(u64::try_from(test.clock.now().timestamp()).expect("after 1970")).to_string()
    }
}

/// Sets up an app for a member. Returns it and the recovery codes.
pub async fn enrol(test: &TestApp, desk: &Client<'_>) -> (Phone, Vec<String>) {
    let begun = desk.post("/admin/begin-authenticator", json!({})).await;
    let phone = Phone::scan(begun.data());
    let body = json!({ "enrolment": begun.data()["enrolment"], "code": phone.code(test) });
    let added = desk.post("/admin/add-authenticator", body).await;
    assert_eq!(added.status, 200, "{added}");
    let codes = added.data()["recovery_codes"].as_array().expect("codes").iter();
    // The step of the first code is used up.
    test.later(TimeDelta::seconds(30));
    (phone, codes.map(|code| code.as_str().expect("a code").to_owned()).collect())
}

/// The challenge of a sign-in with the right password.
pub async fn challenge(test: &TestApp, email: &str) -> String {
    let answer = test.sign_in(email, PASSWORD).await;
    assert_eq!((answer.status, &answer.json["code"]), (401, &json!("second_factor_required")), "{answer}");
    assert!(answer.json.get("jwtToken").is_none());
    answer.data()["challenge"].as_str().expect("a challenge").to_owned()
}

pub async fn second_step(test: &TestApp, challenge: &str, code: &str) -> Answer {
    test.anonymous().post("/admin/sign-in-second-factor", json!({ "challenge": challenge, "code": code })).await
}

/// The actions about staff, with their new values, oldest first.
async fn actions(test: &TestApp) -> Vec<(String, Option<String>)> {
    let rows = audit::table.filter(audit::order_id.is_null()).order(audit::audit_id);
    test.read(move |conn| Ok(rows.select((audit::action, audit::after)).load(conn)?)).await
}

#[tokio::test]
async fn a_member_with_an_app_signs_in_with_password_and_code() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    assert_eq!(test.sign_in(EMAIL, PASSWORD).await.status, 200, "without a second factor as ever");
    let (phone, codes) = enrol(&test, &budi).await;
    assert_eq!(codes.len(), 10);

    let refused = test.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(refused.message(), "Please enter the code of your authenticator app");
    assert_eq!(refused.data()["methods"], json!(["app", "recovery_code"]));
    let open = challenge(&test, EMAIL).await;
    let answer = second_step(&test, &open, &phone.code(&test)).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"You are signed in","jwtToken":"[token]","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team"},"recovery_codes":[],"recovery_codes_left":10}"#);
    let token = answer.json["jwtToken"].as_str().expect("a token");
    assert_eq!(test.with_token(token).get("/user_info").await.status, 200);
    assert_eq!(second_step(&test, &open, &phone.code(&test)).await.json["code"], "challenge_ended", "one session only");
    assert_eq!(
        actions(&test).await,
        [
            ("staff.sign_in".into(), None),
            ("staff.second_factor_added".into(), None),
            ("staff.sign_in_challenged".into(), None),
            ("staff.sign_in".into(), Some("authenticator app".into())),
        ]
    );
}

#[tokio::test]
async fn a_code_counts_once_even_for_two_sign_ins_at_the_same_time() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (phone, codes) = enrol(&test, &test.as_staff(Team, "Budi")).await;
    for code in [phone.code(&test), codes[0].clone()] {
        let (one, other) = (challenge(&test, EMAIL).await, challenge(&test, EMAIL).await);
        let answers = join_all([&one, &other].map(|open| second_step(&test, open, &code))).await;
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422], "{answers:?}");
        test.later(TimeDelta::seconds(5));
    }
    test.later(TimeDelta::seconds(30));
    let open = challenge(&test, EMAIL).await;
    assert_eq!(second_step(&test, &open, &phone.code(&test)).await.status, 200, "the next step has a new one");
}

#[tokio::test]
async fn a_recovery_code_signs_in_once_without_the_phone() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (_, codes) = enrol(&test, &budi).await;
    let typed = codes[3].to_uppercase().replace('-', " ");
    let answer = second_step(&test, &challenge(&test, EMAIL).await, &typed).await;
    assert_eq!((answer.status, &answer.json["recovery_codes_left"]), (200, &json!(9)), "{answer}");
    assert_eq!(answer.json["recovery_codes"], json!([]), "those that are there are not shown again");
    let again = second_step(&test, &challenge(&test, EMAIL).await, &codes[3]).await;
    assert_eq!((again.status, &again.json["code"]), (422, &json!("wrong_second_factor")));

    let made = budi.post("/admin/make-recovery-codes", json!({})).await;
    let new = made.data()["recovery_codes"][0].as_str().expect("a code").to_owned();
    let old = second_step(&test, &challenge(&test, EMAIL).await, &codes[4]).await;
    assert_eq!(old.json["code"], "wrong_second_factor", "new codes replace the earlier ones");
    assert_eq!(second_step(&test, &challenge(&test, EMAIL).await, &new).await.status, 200);
}

#[tokio::test]
async fn five_wrong_codes_end_the_sign_in_and_further_ones_have_to_wait() {
    let test = TestApp::start().await;
    let (phone, _) = enrol(&test, &test.as_staff(Team, "Budi")).await;
    let open = challenge(&test, EMAIL).await;
    let typo = second_step(&test, &open, "no code").await;
    assert_eq!(typo.json["code"], "second_factor_unreadable", "it counts as no try");
    let mut refusals = Vec::new();
    for _ in 0..5 {
        refusals.push(second_step(&test, &open, "000000").await.json["code"].clone());
        // Longer than the wait after the fifth, and much shorter than the life of the sign-in.
        test.later(TimeDelta::seconds(3));
    }
    assert_eq!(refusals, ["wrong_second_factor"; 5]);
    assert_eq!(second_step(&test, &open, &phone.code(&test)).await.json["code"], "challenge_ended");

    let next = challenge(&test, EMAIL).await;
    assert_eq!(second_step(&test, &next, "000000").await.status, 422);
    let waiting = second_step(&test, &next, &phone.code(&test)).await;
    assert_eq!((waiting.status, &waiting.json["code"]), (429, &json!("too_many_failures")), "{waiting}");
    assert!(!waiting.header("retry-after").is_empty());
    test.later(TimeDelta::seconds(120));
    assert_eq!(second_step(&test, &next, &phone.code(&test)).await.status, 200);
    let failures = actions(&test).await.iter().filter(|(action, _)| action == "staff.sign_in_failed").count();
    assert_eq!(failures, 6);
}

#[tokio::test]
async fn a_sign_in_waits_ten_minutes_for_its_code_and_ends_with_a_new_password() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (phone, _) = enrol(&test, &budi).await;
    let late = challenge(&test, EMAIL).await;
    test.later(TimeDelta::minutes(10));
    assert_eq!(second_step(&test, &late, &phone.code(&test)).await.json["code"], "challenge_ended");

    let open = challenge(&test, EMAIL).await;
    let change = json!({ "newPassword": "another long password" });
    assert_eq!(
        test.with_token(test.begin_session(budi.id().await, visadesk::staff::tokens::Remember::No).await.token)
            .post("/admin/change-password", change)
            .await
            .status,
        200
    );
    assert_eq!(second_step(&test, &open, &phone.code(&test)).await.json["code"], "challenge_ended");
    visadesk::app::maintenance::delete_expired(&test.app).await.expect("the maintenance");
    let rows: i64 = test.read(|conn| Ok(challenges::table.count().get_result(conn)?)).await;
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn the_database_alone_yields_no_code() {
    let test = TestApp::start().await;
    let begun = test.as_staff(Team, "Budi").post("/admin/begin-authenticator", json!({})).await;
    let secret = begun.data()["secret"].as_str().expect("a secret").to_owned();
    let (_, codes) = enrol(&test, &test.as_staff(Team, "Budi")).await;
    let rows: Vec<String> = test
        .read(|conn| {
            let mut rows: Vec<String> = authenticators::table.select(authenticators::salt).load(conn)?;
            rows.extend(recovery_codes::table.select(recovery_codes::code_hash).load::<String>(conn)?);
            rows.extend(audit::table.select(audit::after).load::<Option<String>>(conn)?.into_iter().flatten());
            Ok(rows)
        })
        .await;
    assert_eq!(rows.iter().filter(|row| row.len() == 64).count(), 10);
    for secret in codes.iter().map(|code| code.replace('-', "")).chain([secret]) {
        assert!(!rows.iter().any(|row| row.contains(&secret)), "{secret}");
    }
}

#[tokio::test]
async fn setting_up_and_removing_are_refused_where_they_do_not_fit() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let state = |answer: Answer| answer.data().clone();
    assert_eq!(
        state(budi.get("/admin/second-factor").await),
        json!({
            "app_added_at": null, "passkeys": [], "passkeys_offered": true, "recovery_codes_left": 0, "required": false,
        })
    );
    for call in ["/admin/remove-authenticator", "/admin/make-recovery-codes"] {
        assert_eq!(budi.post(call, json!({})).await.json["code"], "no_second_factor", "{call}");
    }
    let begun = budi.post("/admin/begin-authenticator", json!({})).await.data().clone();
    let phone = Phone::scan(&begun);
    for (enrolment, code, refusal) in [
        (&begun["enrolment"], "000000".to_owned(), "wrong_second_factor"),
        (&begun["enrolment"], "23abc-defgh".to_owned(), "second_factor_unreadable"),
        (&json!("no salt"), phone.code(&test), "enrolment_missing"),
        (&json!(null), phone.code(&test), "enrolment_missing"),
        (&json!("00".repeat(16)), phone.code(&test), "wrong_second_factor"),
    ] {
        let answer = budi.post("/admin/add-authenticator", json!({ "enrolment": enrolment, "code": code })).await;
        assert_eq!(answer.json["code"], refusal, "{answer}");
    }
    assert_eq!(test.sign_in(EMAIL, PASSWORD).await.status, 200, "nothing was set up");

    enrol(&test, &budi).await;
    assert_eq!(state(budi.get("/admin/second-factor").await)["recovery_codes_left"], 10);
    assert_eq!(budi.post("/admin/remove-authenticator", json!({})).await.status, 200);
    assert_eq!(test.sign_in(EMAIL, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn leaders_remove_a_lost_second_factor_of_those_whom_they_manage() {
    let test = TestApp::start().await;
    let (ayu, made, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    enrol(&test, &budi).await;
    enrol(&test, &ayu).await;
    let of = |id: i64| json!({ "tmId": id });
    assert_eq!(made.post("/admin/remove-second-factor", of(ayu.id().await)).await.json["code"], "admin_required");
    assert_eq!(made.post("/admin/remove-second-factor", of(999)).await.json["code"], "member_not_found");
    let none = made.post("/admin/remove-second-factor", of(made.id().await)).await;
    assert_eq!((&none.json["code"], none.message()), (&json!("no_second_factor"), "Made has no second factor"));
    let removed = made.post("/admin/remove-second-factor", of(budi.id().await)).await;
    assert_eq!(removed.message(), "The second factor has been removed", "{removed}");
    assert_eq!(budi.get("/user_info").await.status, 401, "their sessions end: the phone may be in other hands");
    assert_eq!(test.sign_in(EMAIL, PASSWORD).await.status, 200);
    let last = actions(&test).await.into_iter().rev().find(|(action, _)| action.starts_with("team."));
    assert_eq!(last, Some(("team.second_factor_removed".into(), Some("Budi".into()))));
}

#[tokio::test]
async fn the_command_line_is_the_way_back_for_the_last_admin() {
    let installation = Installation::make().await;
    let test = TestApp::on(&installation).await;
    enrol(&test, &test.as_staff(Admin, "Ayu")).await;
    let run = |email: &str| installation.run(&["staff", "remove-second-factor", email], "");
    let unknown = run("nobody@visadesk.example");
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("There is no such team member"), "{unknown:?}");
    let removed = run("AYU@visadesk.example");
    assert!(removed.status.success(), "{removed:?}");
    assert_eq!(test.sign_in("ayu@visadesk.example", PASSWORD).await.status, 200);
    let by: Vec<String> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::action.eq("team.second_factor_removed"));
            Ok(rows.select(audit::actor).load(conn)?)
        })
        .await;
    assert_eq!(by, ["command line"]);
    let again = run("ayu@visadesk.example");
    assert!(!again.status.success(), "there is none any more");
    assert_eq!(String::from_utf8_lossy(&again.stderr).trim(), "visadesk: Ayu has no second factor");
}
