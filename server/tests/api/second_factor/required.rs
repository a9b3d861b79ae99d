//! A second factor that the settings require for some types of staff.

use serde_json::json;
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::{Phone, challenge, enrol, second_step};
use crate::support::{PASSWORD, TestApp};

async fn required_for_admins() -> TestApp {
    TestApp::start_with(|config| config.second_factor.required_for = vec!["Admin".into()]).await
}

#[tokio::test]
async fn a_member_who_must_have_one_sets_it_up_during_the_sign_in() {
    let test = required_for_admins().await;
    test.add_member(Admin, "Ayu").await;
    test.add_member(Team, "Budi").await;
    assert_eq!(test.sign_in("budi@visadesk.example", PASSWORD).await.status, 200, "only of the types that are named");

    let refused = test.sign_in("ayu@visadesk.example", PASSWORD).await;
    assert_eq!(refused.data()["methods"], json!([]), "{refused}");
    let open = challenge(&test, "ayu@visadesk.example").await;
    assert_eq!(second_step(&test, &open, "000000").await.json["code"], "enrolment_missing");
    let begun = test.anonymous().post("/admin/sign-in-enrolment", json!({ "challenge": open })).await;
    let phone = Phone::scan(begun.data());
    let enrolment = &begun.data()["enrolment"];
    let body = |code: &str| json!({ "challenge": open, "code": code, "enrolment": enrolment });
    let wrong = test.anonymous().post("/admin/sign-in-second-factor", body("000000")).await;
    assert_eq!(wrong.json["code"], "wrong_second_factor");
    let right = test.anonymous().post("/admin/sign-in-second-factor", body(&phone.code(&test))).await;
    assert_eq!(right.status, 200, "{right}");
    assert_eq!(right.json["recovery_codes"].as_array().map(Vec::len), Some(10));
    let ayu = test.with_token(right.json["jwtToken"].as_str().expect("a token"));
    assert_eq!(ayu.get("/admin/second-factor").await.data()["required"], true);
    let removal = ayu.post("/admin/remove-authenticator", json!({})).await;
    assert_eq!((removal.status, &removal.json["code"]), (409, &json!("second_factor_mandatory")), "{removal}");

    let (new_phone, _) = enrol(&test, &ayu).await;
    let lost_code = right.json["recovery_codes"][0].as_str().expect("a code");
    for gone in [phone.code(&test).as_str(), lost_code] {
        let answer = second_step(&test, &challenge(&test, "ayu@visadesk.example").await, gone).await;
        assert_eq!(answer.json["code"], "wrong_second_factor", "the new phone replaces the old one, with new codes");
    }
    let open = challenge(&test, "ayu@visadesk.example").await;
    assert_eq!(second_step(&test, &open, &new_phone.code(&test)).await.status, 200);
}

#[tokio::test]
async fn an_enrolment_needs_a_right_password_and_no_second_factor() {
    let test = required_for_admins().await;
    let begin =
        async |open: &str| test.anonymous().post("/admin/sign-in-enrolment", json!({ "challenge": open })).await;
    assert_eq!(begin("").await.json["code"], "challenge_missing");
    assert_eq!(second_step(&test, "", "000000").await.json["code"], "challenge_missing");
    assert_eq!(begin("made up").await.json["code"], "challenge_ended");

    // A stranger with the password must not put an app of their own in place of the member's.
    enrol(&test, &test.as_staff(Admin, "Ayu")).await;
    let open = challenge(&test, "ayu@visadesk.example").await;
    assert_eq!(begin(&open).await.json["code"], "already_enrolled");
    let begun = test.as_staff(Team, "Budi").post("/admin/begin-authenticator", json!({})).await.data().clone();
    let body = json!({ "challenge": open, "code": Phone::scan(&begun).code(&test), "enrolment": begun["enrolment"] });
    let answer = test.anonymous().post("/admin/sign-in-second-factor", body).await;
    assert_eq!(answer.json["code"], "wrong_second_factor", "{answer}");
}
