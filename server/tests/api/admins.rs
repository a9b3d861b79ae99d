//! Which staff may change or delete which other staff, and that at least one Admin always remains.

use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, orders, staff};
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus::{Awaiting, Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};
use visadesk::staff::tokens::Remember;

use crate::intake::{order, shop};
use crate::support::TestApp;
use crate::support::rounds::rounds;
use crate::team::{add, citra, delete, names, update, with};

async fn count_admins(test: &TestApp) -> i64 {
    test.read(|conn| {
        let admins = staff::table.filter(staff::staff_type.eq(Admin)).filter(staff::deleted_at.is_null());
        Ok(admins.count().get_result(conn)?)
    })
    .await
}

#[tokio::test]
async fn an_admin_may_assign_every_staff_type_and_a_manager_all_but_admin() {
    let test = TestApp::start().await;
    let types = test.as_staff(Admin, "Ayu").get("/admin/get-team-member-type").await;
    assert_snapshot!(types, @r#"200 {"status":1,"message":"","data":["Admin","Manager","Team","Telecaller","Night Staff"]}"#);
    let types = test.as_staff(Manager, "Made").get("/admin/get-team-member-type").await;
    assert_snapshot!(types, @r#"200 {"status":1,"message":"","data":["Manager","Team","Telecaller","Night Staff"]}"#);
}

#[tokio::test]
async fn a_manager_cannot_add_change_or_delete_an_admin() {
    let test = TestApp::start().await;
    let ayu = test.add_member(Admin, "Ayu").await;
    let dewi = test.add_member(Admin, "Dewi").await;
    let made = test.as_staff(Manager, "Made");
    let only_admin = "Only an Admin may add, change or delete an Admin";
    for answer in [
        add(&made, with(json!({ "type": "Admin" }))).await,
        update(&made, ayu, json!({ "name": "Ayu", "type": "Admin" })).await,
        update(&made, ayu, json!({ "name": "Ayu", "type": "Team" })).await,
        update(&made, made.id().await, json!({ "name": "Made", "type": "Admin" })).await,
        delete(&made, dewi).await,
    ] {
        assert_eq!((answer.status, answer.message()), (403, only_admin));
    }
    assert_eq!(names(&made).await, ["Ayu", "Dewi", "Made"]);

    let id = add(&made, citra()).await.data()["id"].as_i64().unwrap();
    assert_eq!(update(&made, id, json!({ "type": "Manager" })).await.status, 200);
    assert_eq!(delete(&made, id).await.status, 200);
}

#[tokio::test]
async fn members_cannot_delete_themselves_and_at_least_one_admin_remains() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let id = ayu.id().await;
    let as_ayu = |staff_type: &str| json!({ "name": "Ayu", "email": "ayu@visadesk.example", "password": "", "type": staff_type });
    assert_snapshot!(delete(&ayu, id).await, @r#"409 {"status":0,"code":"last_admin","message":"At least one Admin must remain"}"#);
    assert_snapshot!(update(&ayu, id, as_ayu("Manager")).await, @r#"409 {"status":0,"code":"last_admin","message":"At least one Admin must remain"}"#);
    assert_eq!(update(&ayu, id, as_ayu("Admin")).await.status, 200, "an update that keeps the type Admin is allowed");

    let dewi = test.as_staff(Admin, "Dewi");
    dewi.id().await;
    assert_snapshot!(delete(&ayu, id).await, @r#"403 {"status":0,"code":"cannot_delete_self","message":"You cannot delete yourself"}"#);
    let made = test.as_staff(Manager, "Made");
    assert_eq!(delete(&made, made.id().await).await.message(), "You cannot delete yourself");

    assert_eq!(delete(&dewi, id).await.status, 200);
    assert_eq!(ayu.get("/user_info").await.status, 401);
    assert_eq!(delete(&dewi, dewi.id().await).await.message(), "At least one Admin must remain");
    assert_eq!(delete(&dewi, id).await.status, 404, "a deleted member is not found");
}

#[tokio::test]
async fn two_admins_who_delete_each_other_on_two_nodes_leave_one() {
    let rounds = rounds(15, 500);
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    for round in 0..rounds {
        let (ayu, dewi) = (format!("Ayu {round}"), format!("Dewi {round}"));
        test.write(|tx| Ok(diesel::update(staff::table).set(staff::staff_type.eq(Team)).execute(tx)?)).await;
        let (ayu, dewi) = (test.as_staff(Admin, &ayu), other_node.as_staff(Admin, &dewi));
        let (ayu_id, dewi_id) = (ayu.id().await, dewi.id().await);
        let demoted = json!({ "name": format!("Ayu {round} was here"), "email": format!("ayu{round}@desk.example"), "password": "" });
        let (first, second) = if round % 2 == 0 {
            tokio::join!(delete(&ayu, dewi_id), delete(&dewi, ayu_id))
        } else {
            tokio::join!(delete(&ayu, dewi_id), update(&dewi, ayu_id, demoted))
        };
        assert_eq!(count_admins(&test).await, 1, "round {round}: {first} {second}");
        let rejected = if first.status == 200 { &second } else { &first };
        // The slower request comes from a member who is no longer an Admin, or would remove the last Admin.
        assert!(matches!(rejected.status, 401 | 403 | 409), "round {round}: {first} {second}");
    }
}

#[tokio::test]
async fn deleting_a_member_returns_open_orders_to_their_folders_and_ends_all_sessions_on_every_node() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    let budi_id = budi.id().await;
    let priority = |order: &mut NewOrder| order.processing_mode = ProcessingMode::Priority;
    let regular = test.add_order(New).await;
    let urgent = test.add_order_with(New, priority).await;
    let awaiting = test.add_order(Awaiting).await;
    let completed = test.add_order(Completed).await;
    let order_ids = vec![regular, urgent, awaiting, completed];
    let assigned = budi.put("/admin/assign-order-status", json!({ "orderId": order_ids, "assignto": "Budi" })).await;
    assert_eq!((assigned.status, ayu.list("newOrder").await), (200, vec![]));
    let on_other_node = test.begin_session(budi_id, Remember::Days(7)).await;
    let on_other_node = other_node.with_token(on_other_node.token);
    assert_eq!(on_other_node.list("myOrder").await.len(), 3);

    assert_eq!(delete(&ayu, budi_id).await.status, 200);
    for client in [&budi, &on_other_node] {
        assert_eq!(client.get("/admin/get-orders-list/newOrder").await.status, 401);
    }
    assert_eq!(ayu.list("newOrder").await, [regular]);
    assert_eq!(ayu.list("priorityOrder").await, [urgent]);
    assert_eq!(ayu.list("awaitingOrder").await, [awaiting]);
    for order in [regular, urgent, awaiting] {
        let row = ayu.get(&format!("/admin/get-orders-details/{order}")).await.data()["timeline"][0].clone();
        assert_eq!((&row["actor"], &row["action"]), (&"Ayu".into(), &"order.assign".into()));
        assert_eq!((&row["before"], &row["after"]), (&"Budi".into(), &Value::Null));
    }
    let assignee = ayu.get(&format!("/admin/get-orders-details/{completed}")).await.data()["assign_to"].clone();
    assert_eq!(assignee, "Budi", "a completed order keeps its assignee");
}

#[tokio::test]
async fn deleting_a_member_signs_them_out_and_unassigns_their_open_orders() {
    let test = TestApp::start().await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    let shop = shop(&test).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let answer = shop.post("/intake/orders", order(json!({}))).await;
        ids.push(answer.data()["order_id"].as_i64().unwrap());
    }
    let assigned = budi.put("/admin/assign-order-status", json!({ "orderId": ids, "assignto": "Budi" })).await;
    assert_eq!(assigned.status, 200, "{assigned}");
    let moved =
        ayu.put("/admin/change-order-status", json!({ "orderId": [ids[2]], "updatingStatus": "Completed" })).await;
    assert_eq!(moved.status, 200, "{moved}");

    let budi_id = budi.id().await;
    assert_snapshot!(delete(&ayu, budi_id).await, @r#"200 {"status":1,"message":"Team member deleted successfully"}"#);
    assert_eq!(budi.get("/user_info").await.status, 401);
    assert_eq!(names(&ayu).await, ["Ayu"]);
    let assignees: Vec<Option<i64>> =
        test.read(|conn| Ok(orders::table.order(orders::order_id).select(orders::assign_to).load(conn)?)).await;
    assert_eq!(assignees, [None, None, Some(budi_id)], "a completed order keeps its assignee");
    let unassigned: Vec<(Option<i64>, Option<String>)> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::action.eq("order.assign")).filter(audit::after.is_null());
            Ok(rows.order(audit::audit_id).select((audit::order_id, audit::before)).load(conn)?)
        })
        .await;
    assert_eq!(unassigned, [(Some(ids[0]), Some("Budi".into())), (Some(ids[1]), Some("Budi".into()))]);
}
