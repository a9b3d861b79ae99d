//! How each member wants to see the lists of orders.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::list_settings;
use visadesk::staff::rules::StaffType::{Admin, Team, Telecaller};

use crate::support::{Answer, Client, TestApp};

async fn save(client: &Client<'_>, density: &str, hidden: Value) -> Answer {
    client.put("/admin/list-settings", json!({ "density": density, "hidden_columns": hidden })).await
}

/// What the signed-in person gets with their permissions.
async fn settings(client: &Client<'_>) -> Value {
    client.get("/user_info").await.data()["list_settings"].clone()
}

#[tokio::test]
async fn each_member_has_their_own_settings_of_lists() {
    let test = TestApp::start().await;
    let (budi, tia) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Tia"));
    let unset = json!({ "density": "comfortable", "hidden_columns": {}, "newest_comment": false });
    assert_eq!(settings(&budi).await, unset);
    let hidden = json!({ "newOrder": ["telephone", "email"], "future-order": ["process_month"], "myOrder": [] });
    let saved = save(&budi, "compact", hidden).await;
    let expected = json!({ "density": "compact",
        "hidden_columns": { "futureOrder": ["process_month"], "newOrder": ["email", "telephone"] }, "newest_comment": false });
    assert_eq!((saved.status, saved.data()), (200, &expected), "{saved}");
    assert_eq!(settings(&budi).await, expected);
    assert_eq!(settings(&tia).await, unset);
    assert_eq!(save(&budi, "comfortable", json!({})).await.data(), &unset);
    assert_eq!(settings(&budi).await, unset, "the last settings replace the earlier ones");
    let with_comments = json!({ "density": "comfortable", "hidden_columns": {}, "newest_comment": true });
    assert_eq!(budi.put("/admin/list-settings", with_comments.clone()).await.data(), &with_comments);
    assert_eq!((settings(&budi).await, settings(&tia).await), (with_comments, unset));
}

#[tokio::test]
async fn settings_with_an_unknown_folder_column_or_density_are_refused_and_change_nothing() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for (hidden, code) in [
        (json!({ "nowhere": [] }), "unknown_folder"),
        (json!({ "newOrder": ["shoe_size"] }), "unknown_column"),
        (json!({ "newOrder": ["refund_date"] }), "unknown_column"),
        (json!({ "newOrder": ["status"] }), "unknown_column"),
        (json!({ "newOrder": ["email", "full_name"] }), "unknown_column"),
        (json!({ "contactCustomerOrder": ["telephone"] }), "unknown_column"),
        (json!({ "newOrder": "email" }), "wrong_shape"),
    ] {
        let refused = save(&budi, "compact", hidden.clone()).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!(code)), "{hidden}: {refused}");
    }
    assert_eq!(save(&budi, "tiny", json!({})).await.status, 422);
    assert_eq!(settings(&budi).await["density"], "comfortable");
}

#[tokio::test]
async fn settings_are_deleted_with_their_member() {
    let test = TestApp::start().await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    save(&ayu, "compact", json!({})).await;
    save(&budi, "compact", json!({ "newOrder": ["email"] })).await;
    let deleted = ayu.put("/admin/delete-team-member", json!({ "teamMemberId": budi.id().await })).await;
    assert_eq!(deleted.status, 200, "{deleted}");
    let left = list_settings::table.select(list_settings::staff_id);
    assert_eq!(test.read(move |conn| Ok(left.load::<i64>(conn)?)).await, [ayu.id().await]);
}
