//! The team: adding and changing members, and keeping passwords secret.

use std::collections::HashSet;

use chrono::TimeDelta;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, staff};
use visadesk::demo::people;
use visadesk::ids::StaffId;
use visadesk::staff::command;
use visadesk::staff::rules::StaffType::{self, Admin, Manager, NightStaff, Team, Telecaller};
use visadesk::staff::tokens::Remember;
use visadesk::timestamp::Timestamp;

use crate::support::{Answer, Client, PASSWORD, TestApp, until};

pub fn citra() -> Value {
    json!({ "name": "Citra Dewi", "email": "citra@desk.example", "password": "a fine password", "type": "Telecaller" })
}

/// [`citra`] with some fields replaced.
pub fn with(changes: Value) -> Value {
    let mut body = citra();
    for (field, value) in changes.as_object().unwrap() {
        body[field] = value.clone();
    }
    body
}

pub async fn add(desk: &Client<'_>, body: Value) -> Answer {
    desk.post("/admin/add-team-member", body).await
}

pub async fn update(desk: &Client<'_>, id: i64, changes: Value) -> Answer {
    let mut body = with(changes);
    body["tmId"] = json!(id);
    desk.post("/admin/update-team-member", body).await
}

pub async fn delete(desk: &Client<'_>, id: i64) -> Answer {
    desk.put("/admin/delete-team-member", json!({ "teamMemberId": id })).await
}

/// The names on the team.
pub async fn names(desk: &Client<'_>) -> Vec<String> {
    let answer = desk.get("/admin/get-team-member-list").await;
    answer.data().as_array().unwrap().iter().map(|member| member["name"].as_str().unwrap().to_owned()).collect()
}

/// The audit of team changes, oldest first.
async fn audited(test: &TestApp) -> Vec<(String, Option<String>, Option<String>)> {
    test.read(|conn| {
        let rows = audit::table.filter(audit::action.like("team.%")).order(audit::audit_id);
        Ok(rows.select((audit::action, audit::before, audit::after)).load(conn)?)
    })
    .await
}

#[tokio::test]
async fn a_new_member_is_listed_and_can_sign_in() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");

    let added = add(&ayu, citra()).await;
    assert_snapshot!(added, @r#"200 {"status":1,"message":"Team member added successfully","data":{"id":2,"name":"Citra Dewi","email":"citra@desk.example","password":"********","type":"Telecaller","second_factor":false,"updated_at":"[time]"}}"#);
    assert_snapshot!(ayu.get("/admin/get-team-member-list").await, @r#"200 {"status":1,"message":"","data":[{"id":1,"name":"Ayu","email":"ayu@visadesk.example","password":"********","type":"Admin","second_factor":false,"updated_at":"[time]"},{"id":2,"name":"Citra Dewi","email":"citra@desk.example","password":"********","type":"Telecaller","second_factor":false,"updated_at":"[time]"}]}"#);
    assert_eq!(test.sign_in("citra@desk.example", "a fine password").await.status, 200);
    assert_eq!(audited(&test).await, [("team.add".into(), None, Some("Citra Dewi, Telecaller".into()))]);
}

#[tokio::test]
async fn a_member_is_found_by_a_plain_and_by_an_encoded_id() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let plain = ayu.get("/admin/team-member-info/1").await;
    assert_snapshot!(plain, @r#"200 {"status":1,"message":"","data":{"id":1,"name":"Ayu","email":"ayu@visadesk.example","password":"********","type":"Admin","second_factor":false,"updated_at":"[time]"}}"#);
    assert_eq!(ayu.get("/admin/team-member-info/Mg==").await.text, plain.text);

    assert_snapshot!(ayu.get("/admin/team-member-info/7").await, @r#"404 {"status":0,"code":"member_not_found","message":"There is no such team member"}"#);
    let long = "9".repeat(5_000);
    for id in ["-1", "0", "9223372036854775808", "1000000000", "1;--", "%00", "%ff%fe", "1%2f2", "Mw==", "VD-1", &long]
    {
        let answer = ayu.get(&format!("/admin/team-member-info/{id}")).await;
        assert_eq!(answer.status, 404, "{id}: {answer}");
    }
}

#[tokio::test]
async fn an_incomplete_form_is_refused_with_the_messages_of_the_form() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let long = "x".repeat(101);
    for (changes, message) in [
        (json!({ "name": "" }), "Please enter your name"),
        (json!({ "name": null }), "Please enter your name"),
        (json!({ "name": "Citra\u{202e}" }), "The name contains characters that cannot be shown"),
        (json!({ "name": long }), "The name is longer than 100 characters"),
        (json!({ "email": " " }), "Please enter your email"),
        (json!({ "email": "citra" }), "Please enter your email"),
        (json!({ "email": "a@b.example, c@d.example" }), "Please enter your email"),
        (json!({ "type": null }), "Please select type"),
        (json!({ "type": "" }), "Please select type"),
        (json!({ "type": "admin" }), "Please select type"),
        (json!({ "type": "Owner" }), "Please select type"),
    ] {
        let added = add(&ayu, with(changes.clone())).await;
        assert_eq!((added.status, added.message()), (422, message), "{changes}");
        let updated = update(&ayu, 1, changes.clone()).await;
        assert_eq!((updated.status, updated.message()), (422, message), "{changes}");
    }
    for (password, message) in [
        (json!(null), "Please enter your password"),
        (json!(""), "Please enter your password"),
        (json!("12345"), "Password must be at least 6 characters"),
        (json!("x".repeat(1_025)), "The password is longer than 1024 bytes"),
    ] {
        let added = add(&ayu, with(json!({ "password": password }))).await;
        assert_eq!((added.status, added.message()), (422, message), "{password}");
    }
    assert_eq!(update(&ayu, 1, json!({ "password": "12345" })).await.status, 422);
    assert_eq!(names(&ayu).await, ["Ayu"]);
    assert_eq!(audited(&test).await, []);
}

#[tokio::test]
async fn names_and_emails_are_unique_regardless_of_case() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    assert_eq!(add(&ayu, citra()).await.status, 200);
    let same_email = add(&ayu, with(json!({ "name": "Somebody else", "email": "CITRA@desk.example" }))).await;
    assert_snapshot!(same_email, @r#"409 {"status":0,"code":"member_email_taken","message":"A team member with this email already exists"}"#);
    let same_name = add(&ayu, with(json!({ "name": " citra  DEWI", "email": "else@desk.example" }))).await;
    assert_snapshot!(same_name, @r#"409 {"status":0,"code":"member_name_taken","message":"A team member with this name already exists"}"#);
    let renamed =
        update(&ayu, 1, json!({ "name": "Citra Dewi", "email": "ayu@visadesk.example", "type": "Admin" })).await;
    assert_eq!(renamed.status, 409, "{renamed}");

    // Deleting a member frees the name and the email.
    assert_eq!(delete(&ayu, 2).await.status, 200);
    assert_eq!(add(&ayu, citra()).await.status, 200);
}

#[tokio::test]
async fn of_fifty_concurrent_additions_of_one_member_one_succeeds() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let answers = futures_util::future::join_all((0..50).map(|n| {
        let ayu = &ayu;
        async move {
            until("the hashing queue has a place", async || {
                Some(add(ayu, with(json!({ "name": format!("Citra {n}") }))).await)
                    .filter(|answer| answer.status != 429)
            })
            .await
        }
    }))
    .await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!((answer.status, answer.message()), (409, "A team member with this email already exists"));
    }
    assert_eq!(names(&ayu).await.len(), 2);
    assert_eq!(audited(&test).await.len(), 1);
}

#[tokio::test]
async fn the_same_form_sent_ten_times_with_one_idempotency_key_adds_one_member() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("form-1");
    ayu.id().await;
    let first = add(&ayu, citra()).await;
    assert_eq!(first.status, 200);
    for answer in futures_util::future::join_all((0..10).map(|_| add(&ayu, citra()))).await {
        assert!(answer.status == 409 || answer.text == first.text, "{answer}");
    }
    assert_eq!(add(&ayu, citra()).await.text, first.text);
    assert_eq!(names(&ayu).await.len(), 2);
}

#[tokio::test]
async fn asterisks_or_an_empty_field_keep_the_password_and_a_new_one_ends_the_sessions() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let id = add(&ayu, citra()).await.data()["id"].as_i64().unwrap();
    let token =
        test.sign_in("citra@desk.example", "a fine password").await.json["jwtToken"].as_str().unwrap().to_owned();
    let citra = test.with_token(token);

    for unchanged in [json!("********"), json!(""), json!(null)] {
        let answer = update(&ayu, id, json!({ "password": unchanged, "type": "Team" })).await;
        assert_eq!((answer.status, answer.message()), (200, "Team member updated successfully"));
        assert_eq!(test.sign_in("citra@desk.example", "a fine password").await.status, 200);
    }
    assert_eq!(citra.get("/user_info").await.data()["type"], "Team");

    assert_eq!(
        update(&ayu, id, json!({ "password": "another password", "email": "dewi@desk.example" })).await.status,
        200
    );
    assert_eq!(citra.get("/user_info").await.status, 401);
    assert_eq!(test.sign_in("dewi@desk.example", "a fine password").await.status, 401);
    assert_eq!(test.sign_in("dewi@desk.example", "another password").await.status, 200);
    let last = audited(&test).await.pop();
    let after = "Citra Dewi, Telecaller, new email, new password".to_owned();
    assert_eq!(last, Some(("team.update".into(), Some("Citra Dewi, Team".into()), Some(after))));
}

#[tokio::test]
async fn no_response_and_no_table_except_staff_holds_a_password_or_its_hash() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("canary");
    let canary = "canary 7f3a";
    let mut answers = vec![add(&ayu, with(json!({ "password": canary }))).await];
    answers.push(ayu.get("/admin/get-team-member-list").await);
    answers.push(ayu.get("/admin/team-member-info/2").await);
    answers.push(test.sign_in("citra@desk.example", canary).await);
    answers.push(update(&ayu, 2, json!({ "password": "canary 7f3b" })).await);
    for answer in &answers {
        assert!(
            answer.status == 200 && !answer.text.contains("canary") && !answer.text.contains("$argon2"),
            "{answer}"
        );
    }
    let stored: Vec<String> = test
        .read(|conn| {
            use visadesk::db::schema::idempotency;
            let audited = audit::table.select(audit::after.assume_not_null()).filter(audit::after.is_not_null());
            let mut stored: Vec<String> = audited.load(conn)?;
            stored.extend(idempotency::table.select(idempotency::answer).load::<String>(conn)?);
            Ok(stored)
        })
        .await;
    assert!(
        stored.len() >= 3 && stored.iter().all(|text| !text.contains("canary") && !text.contains("$argon2")),
        "{stored:?}"
    );
}

#[tokio::test]
async fn a_change_from_an_outdated_form_is_refused() {
    let test = TestApp::start().await;
    let (ayu, made) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"));
    let added = add(&ayu, citra()).await;
    let (id, updated_at) = (added.data()["id"].as_i64().unwrap(), added.data()["updated_at"].clone());
    let first = update(&made, id, json!({ "type": "Team", "updated_at": updated_at })).await;
    assert_eq!(first.status, 200, "{first}");
    let second = update(&ayu, id, json!({ "type": "Night Staff", "updated_at": updated_at })).await;
    assert_eq!(second.status, 409);
    assert!(second.message().starts_with("Citra Dewi was changed by Made at "), "{second}");
    assert!(second.message().ends_with(" WIB. Please open the form again"), "{second}");

    let member = ayu.get(&format!("/admin/team-member-info/{id}")).await;
    assert_eq!(member.data()["type"], "Team", "the first change is kept");
    let again = json!({ "type": "Night Staff", "updated_at": member.data()["updated_at"] });
    assert_eq!(update(&ayu, id, again).await.status, 200);
}

#[tokio::test]
async fn unknown_form_fields_are_ignored() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let unknown_fields = json!({
        "id": 77, "staff_id": 77, "role": "Admin", "is_admin": true, "staff_type": "Admin", "status": 1,
        "password_hash": "$argon2id$mine", "created_at": "2000-01-01T00:00:00Z", "deleted_at": "2000-01-01T00:00:00Z",
        "updated_by": "Nobody", "email_key": "other@desk.example", "jwtToken": "x", "assign_to": 1,
    });
    let added = add(&ayu, with(unknown_fields.clone())).await;
    assert_eq!(added.status, 200, "{added}");
    let id = added.data()["id"].as_i64().unwrap();
    assert_ne!(id, 77);
    assert_eq!(update(&ayu, id, unknown_fields).await.status, 200);
    let row: (StaffType, String, Option<String>, Option<Timestamp>) = test
        .read(move |conn| {
            let row = staff::table.find(id);
            Ok(row.select((staff::staff_type, staff::email_key, staff::updated_by, staff::deleted_at)).first(conn)?)
        })
        .await;
    assert_eq!(row, (Telecaller, "citra@desk.example".into(), Some("Ayu".into()), None));
    assert_eq!(test.sign_in("citra@desk.example", "a fine password").await.status, 200);
}

#[tokio::test]
async fn the_command_line_adds_the_first_admin() {
    let test = TestApp::start().await;
    let app = test.app.clone();
    let work = move || {
        let typed =
            command::TypedMember { name: "Ayu", email: "ayu@desk.example", staff_type: "Admin", password: PASSWORD };
        let add = |typed| command::add(&app.db, &app.clock, &app.staff.passwords, typed);
        let refused = |typed| add(typed).map_err(|error| error.message());
        assert_eq!(refused(typed), Ok(StaffId(1)));
        let renamed = command::TypedMember { name: "Ayu Lestari", ..typed };
        assert_eq!(refused(renamed), Err("A team member with this email already exists".into()));
        assert_eq!(
            refused(command::TypedMember { staff_type: "admin", ..typed }),
            Err("The type must be one of: Admin, Manager, Team, Telecaller, Night Staff".into())
        );
        assert_eq!(
            refused(command::TypedMember { password: "12345", ..typed }),
            Err("Password must be at least 6 characters".into())
        );
    };
    tokio::task::spawn_blocking(work).await.unwrap();
    assert_eq!(test.sign_in("ayu@desk.example", PASSWORD).await.status, 200);
    assert_eq!(names(&test.as_staff(Admin, "Ayu")).await, ["Ayu"]);
}

#[tokio::test]
async fn one_rule_holds_for_new_passwords_wherever_they_are_set() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let common = ["123456", "password", "qwertyuiop", "Citra Dewi"];
    for password in common {
        for refused in [
            add(&ayu, with(json!({ "password": password }))).await,
            update(&ayu, ayu.id().await, json!({ "name": "Citra Dewi", "type": "Admin", "password": password })).await,
        ] {
            assert_eq!((refused.status, refused.message()), (422, "This password is too common"), "{password}");
        }
    }
    let app = test.app.clone();
    let work = move || {
        let typed =
            command::TypedMember { name: "Citra Dewi", email: "citra@desk.example", staff_type: "Admin", password: "" };
        for password in common {
            let added =
                command::add(&app.db, &app.clock, &app.staff.passwords, command::TypedMember { password, ..typed });
            assert_eq!(added.expect_err(password).code(), "common_password");
        }
    };
    tokio::task::spawn_blocking(work).await.unwrap();
    assert_eq!(names(&ayu).await, ["Ayu"]);
}

#[tokio::test]
async fn ones_own_password_and_email_need_a_sign_in_within_the_last_half_hour() {
    let test = TestApp::start().await;
    for (who, name) in [(Admin, "Ayu"), (Manager, "Made")] {
        let desk = test.as_staff(who, name);
        let id = desk.id().await;
        let own = json!({ "name": name, "email": format!("{}@visadesk.example", name.to_lowercase()), "type": who.as_str(), "password": "" });
        let with_own = |field: &str, value: &str| {
            let mut form = own.clone();
            form[field] = json!(value);
            form
        };
        test.later(TimeDelta::minutes(31));
        for (field, value) in [("password", "sunrise over Ubud"), ("email", "elsewhere@visadesk.example")] {
            let refused = update(&desk, id, with_own(field, value)).await;
            assert_eq!((refused.status, refused.json["code"].as_str()), (401, Some("sign_in_too_old")), "{field}");
        }
        assert_eq!(update(&desk, id, with_own("name", &format!("{name} Baru"))).await.status, 200);
        let recent = test.with_token(test.begin_session(id, Remember::No).await.token);
        assert_eq!(update(&recent, id, with_own("password", "sunrise over Ubud")).await.status, 200);
    }
}

#[tokio::test]
async fn the_demo_adds_its_five_members_once() {
    let test = TestApp::start().await;
    let app = test.app.clone();
    let add = move || people::add(&app.db, &app.clock, &app.staff.passwords).expect("the people are added");
    let tables = tokio::task::spawn_blocking(move || [add(), add()]).await.unwrap();
    assert_eq!(tables[0], tables[1]);
    let mut types = HashSet::new();
    for (_, email, _) in people::PEOPLE {
        let answer = test.sign_in(email, people::PASSWORD).await;
        assert!(tables[0].contains(email) && answer.status == 200, "{answer}");
        types.insert(answer.data()["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(types, [Admin, Manager, Team, Telecaller, NightStaff].map(|one| one.as_str().to_owned()).into());
    let members = test.read(|conn| Ok(staff::table.count().get_result::<i64>(conn)?)).await;
    assert_eq!(members, 5);
}

#[tokio::test]
async fn an_update_names_an_existing_member_and_a_free_email() {
    let test = TestApp::start().await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.add_member(Team, "Budi").await);
    ayu.id().await;
    for (id, changes, expected) in [
        (999, json!({}), (404, "member_not_found")),
        (budi, json!({ "email": "ayu@visadesk.example" }), (409, "member_email_taken")),
        (budi, json!({ "password": "x".repeat(1_025) }), (422, "password_too_long")),
    ] {
        let answer = update(&ayu, id, changes).await;
        assert_eq!((answer.status, answer.json["code"].as_str().unwrap_or_default()), expected, "{answer}");
    }
    let masked = add(&ayu, with(json!({ "password": "********" }))).await;
    assert_eq!((masked.status, masked.json["code"].as_str()), (422, Some("password_is_mask")), "{masked}");
    assert_eq!(names(&ayu).await, ["Ayu", "Budi"]);
}
