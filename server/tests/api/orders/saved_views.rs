//! Saved views: who sees, shares and deletes them, and how many orders they have.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, saved_views};
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::{Awaiting, Completed};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team, Telecaller};

use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

async fn save(client: &Client<'_>, name: &str, folder: &str, filter: Value, is_shared: bool) -> Answer {
    let body = json!({ "name": name, "folder": folder, "filter": filter, "isShared": is_shared });
    client.put("/admin/saved-view", body).await
}

async fn views(client: &Client<'_>) -> Vec<Value> {
    client.get("/admin/saved-views").await.data()["views"].as_array().expect("a list").clone()
}

async fn names(client: &Client<'_>) -> Vec<String> {
    views(client).await.iter().map(|view| view["name"].as_str().expect("a name").to_owned()).collect()
}

/// The counts of the views by name.
async fn counts(client: &Client<'_>) -> Vec<(String, Value)> {
    let counts = client.get("/admin/saved-view-counts").await.data().as_array().expect("a list").clone();
    let names = views(client).await.into_iter().map(|view| (view["view_id"].clone(), view["name"].clone()));
    let count = |id: &Value| counts.iter().find(|count| count["view_id"] == *id).expect("a count")["count"].clone();
    names.map(|(id, name)| (name.as_str().expect("a name").to_owned(), count(&id))).collect()
}

#[tokio::test]
async fn a_member_sees_their_own_views_and_the_shared_ones_of_lists_that_they_may_see() {
    let test = TestApp::start().await;
    let (made, budi, dewi) =
        (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Dewi"));
    let unassigned = || json!({ "owner": "none" });
    assert_eq!(save(&made, " Unassigned ", "awaitingOrder", unassigned(), true).await.status, 200);
    assert_eq!(save(&made, "All unassigned", "allOrder", unassigned(), true).await.status, 200);
    assert_eq!(save(&budi, "Mine", "awaitingOrder", json!({ "owner": "me" }), false).await.status, 200);
    assert_eq!(names(&made).await, ["All unassigned", "Unassigned"]);
    assert_eq!(names(&budi).await, ["All unassigned", "Mine", "Unassigned"]);
    assert_eq!(names(&dewi).await, ["Unassigned"], "Order History is closed to telecallers");
    let mine = views(&budi).await[1].clone();
    let view_id = mine["view_id"].clone();
    let expected = json!({ "view_id": view_id, "name": "Mine", "folder": "awaitingOrder", "filter": { "owner": "me" },
        "sort": null, "is_shared": false, "by": "Budi", "may_change": true });
    assert_eq!(mine, expected);
    // The name replaces, for the member alone or for all.
    assert_eq!(save(&budi, "MINE", "completedOrder", json!({ "visa": "C1" }), false).await.status, 200);
    assert_eq!(save(&budi, "Unassigned", "completedOrder", unassigned(), false).await.status, 200);
    assert_eq!(names(&budi).await, ["All unassigned", "MINE", "Unassigned", "Unassigned"]);
    assert_eq!(views(&budi).await[1]["folder"], "completedOrder");
    assert_eq!(names(&made).await.len(), 2);
}

#[tokio::test]
async fn only_admins_and_managers_share_views_and_delete_shared_ones() {
    let test = TestApp::start().await;
    let (made, budi, sari) = (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let filter = || json!({ "owner": "none" });
    let refused = save(&budi, "For all", "awaitingOrder", filter(), true).await;
    assert_eq!((refused.status, &refused.json["code"]), (403, &json!("shared_view_closed")), "{refused}");
    assert_eq!(save(&made, "For all", "awaitingOrder", filter(), true).await.status, 200);
    assert_eq!(save(&budi, "Own", "awaitingOrder", filter(), false).await.status, 200);
    let ids: Vec<Value> = views(&budi).await.iter().map(|view| view["view_id"].clone()).collect();
    for (client, id, status, code) in [
        (&budi, &ids[0], 403, "shared_view_closed"),
        (&sari, &ids[1], 404, "saved_view_not_found"),
        (&made, &ids[1], 404, "saved_view_not_found"),
    ] {
        let refused = client.put("/admin/delete-saved-view", json!({ "viewId": id })).await;
        assert_eq!((refused.status, &refused.json["code"]), (status, &json!(code)), "{refused}");
    }
    assert_eq!(made.put("/admin/delete-saved-view", json!({ "viewId": ids[0] })).await.status, 200);
    assert_eq!(budi.put("/admin/delete-saved-view", json!({ "viewId": ids[1] })).await.status, 200);
    assert_eq!(names(&budi).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_audit_records_who_changes_what_all_members_see() {
    let test = TestApp::start().await;
    let (ayu, made) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"));
    let filter = || json!({ "owner": "none" });
    assert_eq!(save(&made, "Free", "awaitingOrder", filter(), true).await.status, 200);
    assert_eq!(save(&ayu, "FREE", "newOrder", json!({ "visa": "C1" }), true).await.status, 200);
    assert_eq!(save(&made, "Own", "newOrder", filter(), false).await.status, 200);
    for view in views(&made).await {
        let deleted = made.put("/admin/delete-saved-view", json!({ "viewId": view["view_id"] })).await;
        assert_eq!(deleted.status, 200, "{deleted}");
    }
    let rows = audit::table.filter(audit::action.like("saved_view.%")).order(audit::audit_id).select((
        audit::actor,
        audit::action,
        audit::before,
        audit::after,
    ));
    let rows: Vec<(String, String, Option<String>, Option<String>)> = test.read(move |conn| Ok(rows.load(conn)?)).await;
    let row = |by: &str, action: &str, before: Option<&str>, after: Option<&str>| {
        (by.to_owned(), action.to_owned(), before.map(str::to_owned), after.map(str::to_owned))
    };
    assert_eq!(
        rows,
        [
            row("Made", "saved_view.save", None, Some("Free")),
            row("Ayu", "saved_view.save", Some("Free"), Some("FREE")),
            row("Made", "saved_view.delete", Some("FREE"), None),
        ]
    );
}

#[tokio::test]
async fn a_view_without_a_name_or_a_filter_and_one_too_many_are_refused() {
    let test = TestApp::start().await;
    let (budi, dewi) = (test.as_staff(Team, "Budi"), test.as_staff(Telecaller, "Dewi"));
    let filter = || json!({ "owner": "none" });
    for (name, folder, filter, code) in [
        (" ", "newOrder", filter(), "invalid_view_name"),
        ("a\u{202e}b", "newOrder", filter(), "invalid_view_name"),
        (&"x".repeat(61), "newOrder", filter(), "invalid_view_name"),
        ("A view", "nowhere", filter(), "unknown_folder"),
        ("A view", "newOrder", json!({}), "view_without_filter"),
        ("A view", "newOrder", json!({ "visa": " " }), "view_without_filter"),
        ("A view", "newOrder", json!({ "visa": "Z99" }), "invalid_visa_filter"),
        ("A view", "newOrder", json!({ "owner": "Budi" }), "invalid_owner_filter"),
        ("A view", "newOrder", json!({ "status": "Lost" }), "invalid_status_filter"),
        ("A view", "newOrder", json!({ "mode": "fast" }), "invalid_mode_filter"),
        ("A view", "newOrder", json!({ "requirement": "everything" }), "invalid_requirement_filter"),
        ("A view", "newOrder", json!({ "nationality": "Narnia" }), "invalid_nationality_filter"),
        ("A view", "newOrder", json!({ "from": "yesterday" }), "invalid_date"),
        ("A view", "newOrder", json!({ "from": "2026-02-02", "to": "2026-02-01" }), "period_reversed"),
    ] {
        let refused = save(&budi, name, folder, filter, false).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!(code)), "{name} {folder}: {refused}");
    }
    let by_urgency =
        json!({ "name": "A view", "folder": "newOrder", "filter": filter(), "sort": "urgency", "isShared": false });
    let refused = budi.put("/admin/saved-view", by_urgency).await;
    assert_eq!((refused.status, &refused.json["code"]), (422, &json!("sort_not_of_folder")), "{refused}");
    let closed = save(&dewi, "A view", "allOrder", filter(), false).await;
    assert_eq!((closed.status, &closed.json["code"]), (403, &json!("order_history_closed")), "{closed}");
    for number in 1..=30 {
        assert_eq!(save(&budi, &format!("View {number}"), "newOrder", filter(), false).await.status, 200);
    }
    let refused = save(&budi, "View 31", "newOrder", filter(), false).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("too_many_views")), "{refused}");
    assert_eq!(save(&budi, "View 30", "myOrder", filter(), false).await.status, 200, "it replaces one");
    assert_eq!(save(&dewi, "View 1", "newOrder", filter(), false).await.status, 200, "another member has their own");
}

#[tokio::test]
async fn views_are_counted_for_the_member_who_looks_and_up_to_a_hundred() {
    let test = TestApp::start().await;
    let (made, budi) = (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    let owner = StaffId(budi.id().await);
    test.add_order_with(Awaiting, |order| order.assign_to = Some(owner)).await;
    for _ in 0..101 {
        test.add_order(Completed).await;
    }
    save(&made, "Completed", "allOrder", json!({ "status": "Completed" }), true).await;
    save(&made, "Mine", "awaitingOrder", json!({ "owner": "me" }), true).await;
    save(&budi, "None", "completedOrder", json!({ "owner": "me" }), false).await;
    let count = |name: &str, count: i64| (name.to_owned(), json!(count));
    assert_eq!(counts(&made).await, [count("Completed", 100), count("Mine", 0)]);
    assert_eq!(counts(&budi).await, [count("Completed", 100), count("Mine", 1), count("None", 0)]);

    // A desk more costs nothing: what all of them count is counted once a minute.
    let statements = Statements::watch(&test).await;
    assert_eq!(counts(&budi).await.len(), 3);
    let of_orders = |sql: &String| sql.contains("orders");
    assert_eq!(statements.take().into_iter().filter(of_orders).count(), 0);
    test.clock.shift(TimeDelta::seconds(61));
    test.add_order_with(Awaiting, |order| order.assign_to = Some(owner)).await;
    assert_eq!(counts(&budi).await[1], count("Mine", 2));
}

#[tokio::test]
async fn a_deleted_member_leaves_their_shared_views_only() {
    let test = TestApp::start().await;
    let (ayu, made) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"));
    save(&made, "Own", "newOrder", json!({ "visa": "C1" }), false).await;
    save(&made, "Shared", "newOrder", json!({ "visa": "C1" }), true).await;
    let deleted = ayu.put("/admin/delete-team-member", json!({ "teamMemberId": made.id().await })).await;
    assert_eq!(deleted.status, 200, "{deleted}");
    let left = saved_views::table.select(saved_views::name);
    assert_eq!(test.read(move |conn| Ok(left.load::<String>(conn)?)).await, ["Shared"]);
    assert_eq!(views(&ayu).await[0]["by"], "Made");
}
