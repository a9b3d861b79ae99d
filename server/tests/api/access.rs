//! Which callers may make which calls: every call of the contract, with every kind of credentials.

use std::collections::{BTreeMap, HashSet};

use chrono::TimeDelta;
use diesel::prelude::*;
use reqwest::Method;
use serde_json::{Value, json};
use utoipa::openapi::HttpMethod;
use utoipa::openapi::path::OperationBuilder;
use visadesk::access::{ACCESS, Access, AccessTable};
use visadesk::app::router;
use visadesk::db::schema::staff;
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType;
use visadesk::staff::tokens::Remember;

use crate::support::calls::calls;
use crate::support::expected_calls::{FILE, expected_calls, spelled};
use crate::support::{Answer, Client, TestApp};

/// Method, path and name of every call of staff.
pub fn staff_calls() -> Vec<(Method, String, String)> {
    let of_staff = calls().iter().filter(|call| matches!(call.access, Access::Staff(_)));
    of_staff.map(|call| (call.method.clone(), call.path_to_nothing(), call.name.clone())).collect()
}

/// Makes the call with an empty body, which is enough to see whether access is granted.
async fn make(client: &Client<'_>, method: &Method, path: &str) -> Answer {
    let request = client.request(method.clone(), path).await;
    client.send(if method == Method::GET { request } else { request.json(&json!({})) }).await
}

fn was_granted(answer: &Answer) -> bool {
    answer.status < 500
        && !matches!(answer.status, 401 | 403 | 405)
        && answer.message() != "There is nothing at this address"
}

#[tokio::test]
async fn each_staff_type_may_make_exactly_the_calls_in_its_row_of_the_access_table() {
    let test = TestApp::start().await;
    let mut granted: BTreeMap<&str, String> = BTreeMap::new();
    for call in calls() {
        let Access::Staff(allowed) = call.access else {
            granted.insert(&call.name, spelled(call.access));
            continue;
        };
        let mut row = String::new();
        for &staff_type in StaffType::ALL {
            // Each call gets a new session, because some calls end it.
            let client = test.as_staff(staff_type, staff_type.as_str());
            let answer = make(&client, &call.method, &call.path_to_nothing()).await;
            if allowed.contains(&staff_type) {
                assert!(was_granted(&answer), "{staff_type} may call {}: {answer}", call.name);
            } else {
                assert_eq!(answer.status, 403, "{staff_type} may not call {}: {answer}", call.name);
                assert_eq!(answer.message(), format!("{staff_type} staff may not do this"));
            }
            row.push(if was_granted(&answer) { 'Y' } else { '-' });
            if call.method == Method::GET {
                let head = make(&client, &Method::HEAD, &call.path_to_nothing()).await;
                assert_eq!(head.status == 403, answer.status == 403, "HEAD must not bypass the rule: {}", call.name);
            }
        }
        granted.insert(&call.name, row);
    }
    let expected: BTreeMap<&str, &str> = expected_calls().iter().map(|(name, row)| (*name, row.callers)).collect();
    assert_eq!(granted.iter().map(|(name, row)| (*name, row.as_str())).collect::<BTreeMap<_, _>>(), expected, "{FILE}");
}

#[tokio::test]
async fn staff_calls_need_a_valid_staff_token() {
    let test = TestApp::start().await;
    let expired = test.with_token(test.as_staff(StaffType::Admin, "Ayu").token().await);
    test.later(TimeDelta::hours(13));
    let deleted = test.as_staff(StaffType::Admin, "Dewi");
    let dewi = deleted.id().await;
    let now = test.clock.now();
    test.write(move |tx| Ok(diesel::update(staff::table.find(dewi)).set(staff::deleted_at.eq(now)).execute(tx)?)).await;

    let callers = [
        ("no token", test.anonymous()),
        ("an expired token", expired),
        ("a deleted member's token", deleted),
        ("nonsense", test.with_token("nonsense")),
        ("an API key", test.with_api_key("nonsense")),
    ];
    for call in calls() {
        for (credentials, client) in &callers {
            let answer = make(client, &call.method, &call.path_to_nothing()).await;
            match call.access {
                Access::Public | Access::RateLimited(_) => {
                    assert!(was_granted(&answer), "{} is public: {answer}", call.name);
                }
                Access::SalesSite(_) | Access::Staff(_) | Access::Visitor => {
                    assert_eq!(answer.status, 401, "{credentials} must not open {}: {answer}", call.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_staff_token_is_not_an_api_key() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(StaffType::Admin, "Ayu");
    for call in calls().iter().filter(|call| matches!(call.access, Access::SalesSite(_))) {
        assert_eq!(make(&ayu, &call.method, &call.path_to_nothing()).await.status, 401, "{}", call.name);
    }
}

#[tokio::test]
async fn a_visitor_grant_opens_only_the_calls_of_the_public_pages() {
    let test = TestApp::start().await;
    test.add_order(ProcessStatus::New).await;
    let ana = test.as_visitor(100_001).await;
    let ayu = test.as_staff(StaffType::Admin, "Ayu");
    for call in calls() {
        let answer = make(&ana, &call.method, &call.path_to_nothing()).await;
        match call.access {
            Access::Public | Access::RateLimited(_) | Access::Visitor => {
                assert!(was_granted(&answer), "{}: {answer}", call.name);
            }
            Access::SalesSite(_) | Access::Staff(_) => assert_eq!(answer.status, 401, "{}: {answer}", call.name),
        }
        if call.access == Access::Visitor {
            assert_eq!(
                make(&ayu, &call.method, &call.path_to_nothing()).await.status,
                401,
                "a staff token is not a visitor grant"
            );
        }
    }
}

#[tokio::test]
async fn no_other_spelling_of_a_path_bypasses_the_access_table() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(StaffType::Admin, "Ayu");
    let budi = test.as_staff(StaffType::Team, "Budi").with_header("x-http-method-override", "GET");
    let known: HashSet<(String, Method)> =
        calls().iter().map(|call| (call.path_to_nothing(), call.method.clone())).collect();
    for call in calls() {
        let path = &call.path_to_nothing();
        for spelled in [
            format!("{path}/"),
            format!("/{path}"),
            path.replacen("/api/", "/api//", 1),
            path.replacen("/api/", "/API/", 1),
            path.replacen("/api/", "/%61pi/", 1),
            path.to_uppercase(),
            format!("{path}%00"),
            format!("{path};x=1"),
        ] {
            if spelled == *path {
                continue;
            }
            // The changed text may be part of a parameter, whose value is then invalid.
            let answer = make(&ayu, &call.method, &spelled).await;
            assert!(answer.json["status"] != 1 && answer.status < 500, "{} {spelled}: {answer}", call.method);
        }
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let answer = make(&budi, &method, path).await;
            let is_known = known.contains(&(path.clone(), method.clone()));
            assert!(is_known || answer.status == 405, "{method} {path}: {answer}");
        }
    }
}

#[test]
fn the_access_table_has_every_call_once_and_no_unknown_call() {
    let names: Vec<&str> = ACCESS.iter().map(|(name, _)| *name).collect();
    let distinct: HashSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), distinct.len(), "a call is in the table twice");
    let calls: HashSet<&str> = calls().iter().map(|call| call.name.as_str()).collect();
    for name in names.into_iter().chain(expected_calls().keys().copied()) {
        assert!(calls.contains(name), "a table has {name}, but the contract does not");
    }
}

#[test]
fn a_call_missing_from_the_access_table_fails_the_start() {
    let mut contract = router::contract();
    let missing = OperationBuilder::new().operation_id(Some("export_everything")).build();
    contract.paths.add_path_operation("/api/admin/export-everything", vec![HttpMethod::Get], missing);
    let message = AccessTable::of(&contract).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        message.contains("GET /api/admin/export-everything (export_everything) is not in the access table"),
        "{message}"
    );
}

#[tokio::test]
async fn a_removed_role_is_lost_with_the_next_request_on_every_node() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let made = test.as_staff(StaffType::Manager, "Made");
    let id = made.id().await;
    let session = test.begin_session(id, Remember::Days(7)).await;
    let on_other_node = other_node.with_token(session.token);
    assert_eq!(on_other_node.get("/admin/get-team-member-list").await.status, 200);

    test.write(move |tx| {
        Ok(diesel::update(staff::table.find(id)).set(staff::staff_type.eq(StaffType::Team)).execute(tx)?)
    })
    .await;
    assert_eq!(on_other_node.get("/admin/get-team-member-list").await.status, 403);
    assert_eq!(on_other_node.get("/user_info").await.data()["type"], Value::from("Team"));

    let now = test.clock.now();
    test.write(move |tx| Ok(diesel::update(staff::table.find(id)).set(staff::deleted_at.eq(now)).execute(tx)?)).await;
    assert_eq!(on_other_node.get("/user_info").await.status, 401);
}
