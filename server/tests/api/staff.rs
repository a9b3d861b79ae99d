//! Signing in and out, sessions, tokens, and one's own password.

use chrono::TimeDelta;
use insta::assert_snapshot;
use serde_json::json;
use visadesk::staff::rules::StaffType::Team;

use crate::support::{PASSWORD, TestApp};

#[tokio::test]
async fn whoever_knows_email_and_password_gets_a_token_that_opens_the_desk() {
    let test = TestApp::start().await;
    test.add_member(Team, "Budi").await;

    let answer = test.sign_in("budi@visadesk.example", PASSWORD).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"You are signed in","jwtToken":"[token]","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team"}}"#);

    let token = answer.json["jwtToken"].as_str().unwrap_or_default();
    assert_snapshot!(test.with_token(token).get("/user_info").await, @r#"200 {"status":1,"message":"","data":{"id":1,"name":"Budi","email":"budi@visadesk.example","type":"Team","may":{"see_order_history":true,"manage_team":false,"set_gateway":false,"see_processed":false,"delete_orders":false,"delete_my_orders":false,"restore_orders":false,"assign_to_others":false,"export_csv":false},"agency_time_zone":"Asia/Jakarta"}}"#);
}
