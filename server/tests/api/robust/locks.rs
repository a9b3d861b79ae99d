//! The sequence in which transactions take locks. PostgreSQL ends a deadlock and the write is tried again, so answers do not show it.

use diesel::connection::SimpleConnection;
use serde_json::json;
use visadesk::db::{Conn, PgConnection};
use visadesk::error::Result;
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::staff::store::{lock_staff, lock_staff_shared};
use visadesk::staff::tokens::Remember;

use crate::support::database::{Database, deadlocks, runs_on};
use crate::support::{Answer, Client, TestApp};

/// Enough for a wrong sequence to show: it deadlocks in most rounds.
const ROUNDS: usize = 12;

async fn update(ayu: &Client<'_>, id: i64, name: &str) -> Answer {
    let email = format!("{}@desk.example", name.to_lowercase());
    let member = json!({ "tmId": id, "name": name, "email": email, "type": "Telecaller" });
    ayu.post("/admin/update-team-member", member).await
}

async fn delete(ayu: &Client<'_>, id: i64) -> Answer {
    ayu.put("/admin/delete-team-member", json!({ "teamMemberId": id })).await
}

async fn change_password(member: &Client<'_>) -> Answer {
    member.post("/admin/change-password", json!({ "newPassword": "another long test password" })).await
}

#[tokio::test]
async fn updating_and_deleting_a_member_at_once_never_deadlocks() {
    if !runs_on(Database::Postgres, "SQLite has one writer") {
        return;
    }
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    for round in 0..ROUNDS {
        let name = format!("Budi{round}");
        let id = test.add_member(Team, &name).await;
        let (first, second, deleted, third) =
            tokio::join!(update(&ayu, id, &name), update(&ayu, id, &name), delete(&ayu, id), update(&ayu, id, &name));
        for updated in [first, second, third] {
            assert!(matches!(updated.status, 200 | 404), "before or after the deletion: {updated}");
        }
        assert_eq!(deleted.status, 200, "{deleted}");
    }
    assert_eq!(deadlocks(&test.app.config.database_url).await, 0);
}

#[tokio::test]
async fn updating_a_member_who_changes_their_password_never_deadlocks() {
    if !runs_on(Database::Postgres, "SQLite has one writer") {
        return;
    }
    // The search for common passwords would let the updates get ahead.
    let test = TestApp::start_with(|config| config.passwords.min_guesses = 0).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let id = test.add_member(Team, "Budi").await;
    for _ in 0..ROUNDS {
        let budi = test.with_token(test.begin_session(id, Remember::No).await.token);
        let (one, first, two, three, second, third) = tokio::join!(
            change_password(&budi),
            update(&ayu, id, "Budi"),
            change_password(&budi),
            change_password(&budi),
            update(&ayu, id, "Budi"),
            update(&ayu, id, "Budi"),
        );
        for updated in [first, second, third] {
            assert_eq!(updated.status, 200, "{updated}");
        }
        for changed in [one, two, three] {
            assert!(matches!(changed.status, 200 | 401), "a change ends the session: {changed}");
        }
    }
    assert_eq!(deadlocks(&test.app.config.database_url).await, 0);
}

#[tokio::test]
async fn orders_are_assigned_to_a_member_while_another_assignment_to_them_is_open_but_not_while_they_are_changed() {
    if !runs_on(Database::Postgres, "SQLite has one writer") {
        return;
    }
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let id = StaffId(budi.id().await);
    let assign = json!({ "orderId": [order], "assignto": "Budi" });
    for (lock, expected) in [(lock_staff_shared as fn(&mut Conn, StaffId) -> Result<()>, 200), (lock_staff, 503)] {
        let url = test.app.config.database_url.clone();
        let open = move || {
            let mut other = Conn::Postgres(PgConnection::connect(&url).expect("a connection"));
            other.batch_execute("BEGIN").expect("a transaction");
            lock(&mut other, id).expect("the lock");
            other
        };
        let _other = tokio::task::spawn_blocking(open).await.expect("it runs");
        let answer = budi.put("/admin/assign-order-status", assign.clone()).await;
        assert_eq!(answer.status, expected, "{answer}");
    }
}
