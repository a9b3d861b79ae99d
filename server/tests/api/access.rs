//! Who may call what: a walk over the whole contract, as everybody.

use std::collections::HashSet;

use chrono::TimeDelta;
use diesel::prelude::*;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use utoipa::openapi::HttpMethod;
use utoipa::openapi::path::OperationBuilder;
use visadesk::access::{ACCESS, Access, AccessTable, access_to};
use visadesk::app::router;
use visadesk::db::schema::staff;
use visadesk::orders::rules::ProcessStatus;
use visadesk::staff::rules::StaffType;
use visadesk::staff::tokens::Remember;

use crate::support::{Answer, Desk, TestApp};

/// A call of the contract.
struct Call {
    name: String,
    method: Method,
    /// With numbers in place of parameters.
    path: String,
    access: Access,
}

/// Every call that the contract has.
fn calls() -> Vec<Call> {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let mut calls = Vec::new();
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let name = operation["operationId"].as_str().expect("every call has a name").to_owned();
            let access = access_to(&name).unwrap_or_else(|| panic!("{name} is not in the table"));
            let method = method.to_uppercase().parse().expect("a method");
            calls.push(Call { name, method, path: without_parameters(path), access });
        }
    }
    assert!(calls.len() > 15, "the contract has calls");
    calls
}

fn without_parameters(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "999999" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Makes the call with an empty body: what matters is whether it is let through, not what it then does.
async fn make(desk: &Desk<'_>, method: &Method, path: &str) -> Answer {
    let request = desk.request(method.clone(), path).await;
    desk.send(if method == Method::GET { request } else { request.json(&json!({})) }).await
}

fn was_let_through(answer: &Answer) -> bool {
    answer.status < 500
        && !matches!(answer.status, 401 | 403 | 405)
        && answer.message() != "There is nothing at this address"
}

#[tokio::test]
async fn each_type_of_staff_makes_the_calls_that_the_table_gives_it_and_no_other() {
    let test = TestApp::start().await;
    let mut seen = Vec::new();
    for call in calls() {
        let Access::Staff(allowed) = call.access else { continue };
        let mut row = format!("{:<24}", call.name);
        for &staff_type in StaffType::ALL {
            // Each call has its own session: two of them end it.
            let desk = test.as_staff(staff_type, staff_type.as_str());
            let answer = make(&desk, &call.method, &call.path).await;
            if allowed.contains(&staff_type) {
                assert!(was_let_through(&answer), "{staff_type} may call {}: {answer}", call.name);
            } else {
                assert_eq!(answer.status, 403, "{staff_type} may not call {}: {answer}", call.name);
                assert_eq!(answer.message(), format!("{staff_type} staff may not do this"));
            }
            row += if was_let_through(&answer) { " Y" } else { " -" };
            if call.method == Method::GET {
                let head = make(&desk, &Method::HEAD, &call.path).await;
                assert_eq!(head.status == 403, answer.status == 403, "HEAD is no way around: {}", call.name);
            }
        }
        seen.push(row);
    }
    seen.sort();
    // Admin, Manager, Team, Telecaller, Night Staff. A new call gets its row here as well as in the table.
    assert_snapshot!(seen.join("\n"), @r"
    add_remark               Y Y Y Y Y
    add_team_member          Y Y - - -
    assign_orders            Y Y Y Y Y
    change_order_status      Y Y Y Y Y
    change_password          Y Y Y Y Y
    chargeback_terms         Y Y Y Y Y
    country_orders           Y Y Y Y Y
    country_orders_csv       Y Y - - -
    defence_pack_details     Y Y Y Y Y
    delete_team_member       Y Y - - -
    email_content            Y Y Y Y Y
    find_team_member         Y Y - - -
    folder_counts            Y Y Y Y Y
    future_order_counts      Y Y Y Y Y
    future_orders_csv        Y Y - - -
    get_defence_pack_pdf     Y Y Y Y Y
    list_audit               Y - - - -
    list_orders              Y Y Y Y Y
    list_payment_gateways    Y Y - - -
    list_team_member_types   Y Y - - -
    list_team_members        Y Y - - -
    move_order_status        Y Y Y Y Y
    order_details            Y Y Y Y Y
    processed_by_counts      Y - - - -
    processed_by_csv         Y - - - -
    refund_orders            Y Y Y Y Y
    resend_mail              Y Y Y Y Y
    restore_orders           Y Y - - -
    save_chargeback          Y Y Y Y Y
    save_transaction_details Y Y Y Y Y
    search_orders            Y Y Y Y Y
    send_download_mail       Y Y Y Y Y
    set_payment_gateway      Y Y - - -
    sign_out                 Y Y Y Y Y
    update_team_member       Y Y - - -
    upload_visa_document     Y Y Y Y Y
    user_info                Y Y Y Y Y
    visa_catalogue           Y Y Y Y Y
    ");
}

#[tokio::test]
async fn nobody_else_makes_a_call_of_staff() {
    let test = TestApp::start().await;
    let expired = test.with_token(test.as_staff(StaffType::Admin, "Ayu").token().await);
    test.later(TimeDelta::hours(13));
    let deleted = test.as_staff(StaffType::Admin, "Dewi");
    let dewi = deleted.id().await;
    let now = test.clock.now();
    test.write(move |tx| Ok(diesel::update(staff::table.find(dewi)).set(staff::deleted_at.eq(now)).execute(tx)?)).await;

    let strangers = [
        ("no token", test.anonymous()),
        ("an expired token", expired),
        ("a deleted member's token", deleted),
        ("nonsense", test.with_token("nonsense")),
        ("an API key", test.with_api_key("nonsense")),
    ];
    for call in calls() {
        for (who, desk) in &strangers {
            let answer = make(desk, &call.method, &call.path).await;
            match call.access {
                Access::Public | Access::RateLimited => {
                    assert!(was_let_through(&answer), "{} is for everybody: {answer}", call.name);
                }
                Access::SalesSite | Access::Staff(_) | Access::Visitor => {
                    assert_eq!(answer.status, 401, "{who} opens {}: {answer}", call.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_member_s_token_is_no_api_key() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(StaffType::Admin, "Ayu");
    for call in calls().iter().filter(|call| call.access == Access::SalesSite) {
        assert_eq!(make(&ayu, &call.method, &call.path).await.status, 401, "{}", call.name);
    }
}

#[tokio::test]
async fn an_applicant_makes_the_calls_of_the_public_pages_and_no_other() {
    let test = TestApp::start().await;
    test.add_order(ProcessStatus::New).await;
    let ana = test.as_visitor(100_001).await;
    let ayu = test.as_staff(StaffType::Admin, "Ayu");
    for call in calls() {
        let answer = make(&ana, &call.method, &call.path).await;
        match call.access {
            Access::Public | Access::RateLimited | Access::Visitor => {
                assert!(was_let_through(&answer), "{}: {answer}", call.name);
            }
            Access::SalesSite | Access::Staff(_) => assert_eq!(answer.status, 401, "{}: {answer}", call.name),
        }
        if call.access == Access::Visitor {
            assert_eq!(
                make(&ayu, &call.method, &call.path).await.status,
                401,
                "nor does a member stand in for an applicant"
            );
        }
    }
}

#[tokio::test]
async fn no_other_spelling_of_an_address_leads_around_the_table() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(StaffType::Admin, "Ayu");
    let budi = test.as_staff(StaffType::Team, "Budi").with_header("x-http-method-override", "GET");
    for call in calls() {
        let path = &call.path;
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
            // What follows the last slash may be a parameter, and then it is a bad one.
            let answer = make(&ayu, &call.method, &spelled).await;
            assert!(answer.json["status"] != 1 && answer.status < 500, "{} {spelled}: {answer}", call.method);
        }
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let answer = make(&budi, &method, path).await;
            let known = calls().iter().any(|other| other.path == *path && other.method == method);
            assert!(known || answer.status == 405, "{method} {path}: {answer}");
        }
    }
}

#[test]
fn the_table_names_every_call_once_and_none_that_is_not_there() {
    let named: Vec<&str> = ACCESS.iter().map(|(name, _)| *name).collect();
    let distinct: HashSet<&str> = named.iter().copied().collect();
    assert_eq!(named.len(), distinct.len(), "a call is named twice");
    let calls: HashSet<String> = calls().into_iter().map(|call| call.name).collect();
    for name in named {
        assert!(calls.contains(name), "the table names {name}, and there is no such call");
    }
}

#[test]
fn a_call_that_the_table_lacks_keeps_the_program_from_starting() {
    let mut contract = router::contract();
    let forgotten = OperationBuilder::new().operation_id(Some("export_everything")).build();
    contract.paths.add_path_operation("/api/admin/export-everything", vec![HttpMethod::Get], forgotten);
    let refused = AccessTable::of(&contract).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        refused.contains("GET /api/admin/export-everything (export_everything) is not in the access table"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_role_taken_away_is_gone_with_the_next_request_on_every_node() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let made = test.as_staff(StaffType::Manager, "Made");
    let id = made.id().await;
    let session = test.begin_session(id, Remember::Yes).await;
    let elsewhere = other_node.with_token(session.token);
    assert_eq!(elsewhere.get("/admin/get-team-member-list").await.status, 200);

    test.write(move |tx| {
        Ok(diesel::update(staff::table.find(id)).set(staff::staff_type.eq(StaffType::Team)).execute(tx)?)
    })
    .await;
    assert_eq!(elsewhere.get("/admin/get-team-member-list").await.status, 403);
    assert_eq!(elsewhere.get("/user_info").await.data()["type"], Value::from("Team"));

    let now = test.clock.now();
    test.write(move |tx| Ok(diesel::update(staff::table.find(id)).set(staff::deleted_at.eq(now)).execute(tx)?)).await;
    assert_eq!(elsewhere.get("/user_info").await.status, 401);
}
