//! The audit: it records every change, its rows are immutable, and changes that bypass the triggers are detected.

mod budgets;
pub mod canaries;
mod reads;
mod retention;
mod sign_ins;

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::watch;
use visadesk::app::maintenance;
use visadesk::audit::chain::{self, VerifiedChain};
use visadesk::audit::store::{Actor, Change, add};
use visadesk::config::Config;
use visadesk::db::schema::{audit, audit_chain};
use visadesk::db::{Conn, Db, PgConnection};
use visadesk::error::{Error, Result};
use visadesk::files::Files;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use crate::migrations::kept_rows::refusal;
use crate::support::database::{Database, apart, runs_on};
use crate::support::program::Installation;
use crate::support::{Answer, Client, TestApp, until};

/// Replaces all rows by an INSERT with `values`, as each database can. The first of the columns is the key.
fn replace(tx: &mut Conn, table: &str, columns: &str, values: &str) -> QueryResult<usize> {
    let insert = format!("INTO {table} ({columns}) SELECT {values} FROM {table}");
    match tx {
        Conn::Sqlite(tx) => diesel::sql_query(format!("INSERT OR REPLACE {insert}")).execute(tx),
        Conn::Postgres(tx) => {
            let (key, others) = columns.split_once(", ").expect("several columns");
            let set = others.split(", ").map(|column| format!("{column} = excluded.{column}"));
            let set = set.collect::<Vec<_>>().join(", ");
            diesel::sql_query(format!("INSERT {insert} ON CONFLICT ({key}) DO UPDATE SET {set}")).execute(tx)
        }
    }
}

/// Adds test rows.
async fn fill(test: &TestApp, rows: usize) {
    let now = test.clock.now();
    let changes = vec![Change { action: "test.fill", after: Some("x".into()), ..Change::default() }; rows];
    test.write(move |tx| add(tx, &Actor::program("test"), &changes, now)).await;
}

async fn extend_chain(test: &TestApp) -> usize {
    chain::extend_chain(&test.app.audit).await.expect("the chain is extended")
}

async fn verify(db: &Db) -> Result<VerifiedChain> {
    let db = db.clone();
    tokio::task::spawn_blocking(move || chain::verify(&db)).await.expect("the check runs")
}

async fn check(test: &TestApp) -> VerifiedChain {
    verify(test.db()).await.expect("the audit is intact")
}

async fn fault(test: &TestApp) -> String {
    verify(test.db()).await.err().map(|error: Error| error.message()).unwrap_or_default()
}

/// Runs the statement with the triggers disabled, as a database administrator could.
fn behind_the_triggers(tx: &mut Conn, statement: &str) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => {
            for trigger in
                ["audit_keeps_update", "audit_keeps_delete", "audit_chain_keep_update", "audit_chain_keep_delete"]
            {
                tx.batch_execute(&format!("DROP TRIGGER IF EXISTS {trigger}"))?;
            }
            tx.batch_execute(statement)?;
        }
        Conn::Postgres(tx) => tx.batch_execute(&format!(
            "ALTER TABLE audit DISABLE TRIGGER USER; ALTER TABLE audit_chain DISABLE TRIGGER USER; {statement}"
        ))?,
    }
    Ok(())
}

#[tokio::test]
async fn the_database_rejects_updates_and_deletes_of_audit_rows_and_links() {
    let test = TestApp::start().await;
    fill(&test, 3).await;
    assert_eq!(extend_chain(&test).await, 3);
    let attempts: [fn(&mut Conn) -> QueryResult<usize>; 6] = [
        |tx| diesel::update(audit::table).set(audit::actor.eq("Nobody")).execute(tx),
        |tx| diesel::delete(audit::table).execute(tx),
        |tx| diesel::update(audit_chain::table).set(audit_chain::rows_hash.eq("")).execute(tx),
        |tx| diesel::delete(audit_chain::table).execute(tx),
        |tx| replace(tx, "audit", "audit_id, at, actor, action", "audit_id, at, 'Nobody', action"),
        |tx| {
            let columns = "link_id, first_id, last_id, row_count, rows_hash, before_hash, linked_at";
            replace(tx, "audit_chain", columns, "link_id, first_id, last_id, row_count, '', before_hash, linked_at")
        },
    ];
    for (number, attempt) in attempts.into_iter().enumerate() {
        let refused = refusal(&test, attempt).await;
        assert!(refused.contains("the audit is append-only"), "attempt {number}: {refused}");
    }
    assert_eq!((check(&test).await.rows, check(&test).await.tail), (3, None));
}

#[tokio::test]
async fn links_cover_every_row_once_and_unlinked_rows_are_reported() {
    let test = TestApp::start().await;
    assert_eq!(
        (extend_chain(&test).await, check(&test).await.to_string().as_str()),
        (0, "The audit is whole. Links: 0, linked rows: 0.\nEvery row is in the chain.")
    );
    fill(&test, 2_300).await;
    assert_eq!(check(&test).await.tail, Some((2_300, 1, 2_300)));
    assert_eq!(extend_chain(&test).await, 2_300);
    assert_eq!(extend_chain(&test).await, 0, "no row is linked twice");
    fill(&test, 2).await;
    let verified = check(&test).await;
    assert_eq!((verified.links, verified.rows, verified.tail), (3, 2_300, Some((2, 2_301, 2_302))));

    // Two nodes extend the chain at the same time.
    let other = test.another_node().await;
    let (one, two) = tokio::join!(extend_chain(&test), extend_chain(&other));
    assert_eq!(one + two, 2);
    assert_eq!(check(&test).await.tail, None);
    assert_ne!(check(&test).await.head, verified.head);
}

#[tokio::test]
async fn a_change_that_bypasses_the_triggers_is_reported_with_its_range() {
    let altered = "UPDATE audit SET after = 'y' WHERE audit_id = 1500";
    let removed = "DELETE FROM audit WHERE audit_id = 1500";
    let inserted = "UPDATE audit SET audit_id = 1700 WHERE audit_id = 2203";
    let forged = "UPDATE audit_chain SET row_count = 999 WHERE link_id = 2";
    let link_removed = "DELETE FROM audit_chain WHERE link_id = 2";
    for (statement, expected) in [
        (altered, "The audit was altered in rows 1001 to 2000 (link 2): a row was altered"),
        (removed, "The audit was altered in rows 1001 to 2000 (link 2): rows were added or removed"),
        (forged, "The audit was altered in rows 1001 to 2000 (link 2): rows were added or removed"),
        (
            link_removed,
            "The audit was altered in rows 2001 to 2202 (link 3): it does not begin where the previous link ends",
        ),
    ] {
        let test = TestApp::start().await;
        fill(&test, 2_202).await;
        extend_chain(&test).await;
        test.write(move |tx| behind_the_triggers(tx, statement)).await;
        assert_eq!(fault(&test).await, expected, "{statement}");
    }

    // No row can be inserted later under an id that a rollback left unused.
    let test = TestApp::start().await;
    fill(&test, 2_202).await;
    test.write(|tx| behind_the_triggers(tx, "DELETE FROM audit WHERE audit_id = 1700")).await;
    extend_chain(&test).await;
    assert_eq!(check(&test).await.rows, 2_201);
    fill(&test, 1).await;
    test.write(move |tx| behind_the_triggers(tx, inserted)).await;
    assert!(fault(&test).await.contains("rows were added or removed"), "{}", fault(&test).await);
}

#[tokio::test]
async fn a_row_that_commits_late_is_linked_in_order_and_delays_no_request() {
    if !runs_on(Database::Postgres, "SQLite has one writer: rows appear in the order of their ids") {
        return;
    }
    const INSERT: &str =
        "BEGIN; INSERT INTO audit (at, actor, action) VALUES (now() AT TIME ZONE 'UTC', 'slow', 'test.fill')";
    let test = TestApp::start().await;
    let url = &test.app.config.database_url;
    let mut slow = apart(|| PgConnection::establish(url).expect("PostgreSQL accepts the connection"));
    apart(|| slow.batch_execute(INSERT)).expect("the row is inserted");
    fill(&test, 5).await;
    assert_eq!(extend_chain(&test).await, 0, "row 1 may still appear");
    fill(&test, 5).await;
    apart(|| slow.batch_execute("COMMIT")).expect("the transaction commits");
    assert_eq!(extend_chain(&test).await, 11);
    let verified = check(&test).await;
    assert_eq!((verified.links, verified.rows, verified.tail), (1, 11, None));

    apart(|| slow.batch_execute(INSERT)).expect("the row is inserted");
    fill(&test, 1).await;
    apart(|| slow.batch_execute("ROLLBACK")).expect("the transaction is rolled back");
    assert_eq!(extend_chain(&test).await, 1);
    assert_eq!((check(&test).await.rows, check(&test).await.tail), (12, None));
}

#[tokio::test]
async fn with_many_writers_two_workers_link_every_row_and_the_chain_stays_valid() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let (stop, stopped) = watch::channel(false);
    let workers = [&test, &other_node].map(|node| tokio::spawn(maintenance::run(node.app.clone(), stopped.clone())));
    let writers = (0..8).map(|number| {
        let node = if number % 2 == 0 { &test } else { &other_node };
        async move {
            for round in 0..25 {
                fill(node, 3).await;
                // A rolled back transaction leaves its ids unused.
                let now = node.clock.now();
                let rolled_back = node.db().write(move |tx| {
                    add(tx, &Actor::program("undone"), &vec![Change::default(); 2], now)?;
                    Err::<(), _>(Error::internal("undone"))
                });
                let undone = rolled_back.await.expect_err("it is rolled back").cause();
                assert_eq!(undone.as_deref(), Some("undone"), "round {round}");
            }
        }
    });
    futures_util::future::join_all(writers).await;
    until("every row is linked", async || check(&test).await.tail.is_none().then_some(())).await;
    let verified = check(&test).await;
    assert_eq!((verified.rows, verified.tail), (600, None));
    stop.send(true).expect("the workers receive the stop");
    for worker in workers {
        worker.await.expect("the worker ends");
    }
}

#[tokio::test]
async fn verify_audit_reports_an_intact_audit_and_fails_with_the_first_altered_range() {
    let installation = Installation::make().await;
    let added = installation.run(
        &["staff", "add", "--name", "Ayu", "--email", "ayu@desk.example", "--type", "Admin", "--password-stdin"],
        "a long test password\n",
    );
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let intact = installation.run(&["verify-audit"], "");
    let output = String::from_utf8_lossy(&intact.stdout).into_owned();
    assert!(intact.status.success() && output.contains("Not in the chain yet: rows 1 to 1, 1 in all."), "{output}");

    let url = installation.database_url();
    let open = move || Db::open(&url, 1).expect("the database opens");
    let db = tokio::task::spawn_blocking(open).await.expect("the database opens");
    let files = Files::open(&Config { files_url: "memory:".into(), ..Config::default() }).expect("the storage opens");
    let test = TestApp::over(db, files).await;
    assert_eq!(extend_chain(&test).await, 1);
    let intact = installation.run(&["verify-audit"], "");
    assert!(String::from_utf8_lossy(&intact.stdout).contains("Links: 1, linked rows: 1."), "{intact:?}");
    test.write(|tx| behind_the_triggers(tx, "UPDATE audit SET actor = 'Dewi'")).await;
    let altered = installation.run(&["verify-audit"], "");
    assert_eq!(altered.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&altered.stderr).trim(),
        "visadesk: The audit was altered in rows 1 to 1 (link 1): a row was altered"
    );
}

async fn list(client: &Client<'_>, query: &str) -> Answer {
    client.get(&format!("/admin/get-audit-list?{query}")).await
}

/// Formats the rows of an audit list: actor, action, order and new value.
fn format_rows(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{answer}");
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let rows = answer.data().as_array().expect("a list").iter();
    rows.map(|row| {
        format!("{} {} {} {}", text(&row["actor"]), text(&row["action"]), row["order_id"], text(&row["after"]))
    })
    .collect()
}

#[tokio::test]
async fn an_admin_filters_the_audit_by_person_order_action_and_day() {
    let test = TestApp::start().await;
    let (one, two) = (test.add_order(New).await, test.add_order(New).await);
    let (ayu, made, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    budi.put("/admin/assign-order-status", json!({ "orderId": [one, two], "assignto": "Budi" })).await;
    made.put("/admin/change-order-status", json!({ "orderId": two, "updatingStatus": "Awaiting" })).await;
    made.post("/admin/payment-gateway-setting", json!({ "gatewayId": 2 })).await;

    assert_eq!(
        format_rows(&list(&ayu, "person=Made").await),
        ["Made gateway.switch null Adyen", "Made order.move 100002 Awaiting"]
    );
    for order in ["100002", "VD-100002", "MjAwMDA0"] {
        let rows = format_rows(&list(&ayu, &format!("order={order}")).await);
        assert_eq!(
            rows,
            ["Made order.move 100002 Awaiting", "Budi order.assign 100002 Budi", "test order.arrive 100002 New"]
        );
    }
    assert_eq!(format_rows(&list(&ayu, "action=order.assign&order=100001").await), ["Budi order.assign 100001 Budi"]);
    assert_eq!(format_rows(&list(&ayu, "person=budi").await), [""; 0]);
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    let all = format_rows(&list(&ayu, "").await);
    assert_eq!(format_rows(&list(&ayu, &format!("person=&order=&action=&from={today}&to={today}")).await), all);
    let yesterday = today.pred_opt().expect("a day");
    assert_eq!(format_rows(&list(&ayu, &format!("to={yesterday}")).await), [""; 0]);
    assert_eq!(format_rows(&list(&ayu, &format!("from={yesterday}&to={}", today.format("%m/%d/%Y"))).await), all);

    let mut pages = Vec::new();
    let mut older_than = String::new();
    loop {
        let page = list(&ayu, &format!("limit=2{older_than}")).await;
        pages.extend(format_rows(&page));
        assert!(pages.len() <= all.len(), "the pages end: {pages:?}");
        let Some(next) = page.json["next"].as_i64() else { break };
        older_than = format!("&olderThan={next}");
    }
    assert_eq!(pages, all, "the pages hold the same rows");
    let invalid =
        ["limit=0", "limit=201", "order=nonsense", "from=tomorrow", "to=2026-02-30", "from=2026-02-01&to=2026-01-01"];
    for query in invalid {
        let answer = list(&ayu, query).await;
        assert!(answer.status == 422 && !answer.message().is_empty(), "{query}: {answer}");
    }
    assert_eq!(format_rows(&list(&ayu, "olderThan=999999").await), [""; 0]);
    assert_snapshot!(list(&ayu, "person=Made&action=order.move").await, @r#"200 {"status":1,"message":"","data":[{"id":5,"at":"[time]","actor":"Made","action":"order.move","order_id":100002,"order_number":"VD-100002","before":"New","after":"Awaiting","ip":"127.0.0.1"}],"next":null}"#);
    assert_eq!(list(&made, "").await.status, 403);
}

#[tokio::test]
async fn the_order_detail_shows_the_newest_fifty_audit_rows() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let made = test.as_staff(Manager, "Made");
    test.later(TimeDelta::minutes(1));
    made.put("/admin/move-order-status", json!({ "orderId": order, "updatingStatus": "Completed" })).await;
    let path = format!("/admin/get-orders-details/{order}");
    let format_rows = |answer: &Answer| -> Vec<String> {
        let rows = answer.data()["timeline"].as_array().expect("a timeline").iter();
        rows.map(|row| {
            format!("{} {} {} {}", row["actor"], row["action"], row["before"], row["after"]).replace('"', "")
        })
        .collect()
    };
    let details = made.get(&path).await;
    assert_eq!(format_rows(&details), ["Made order.move New Completed", "test order.arrive null New"]);
    let at = |place: usize| details.data()["timeline"][place]["at"].as_str().unwrap_or_default().to_owned();
    assert!(at(0) > at(1) && at(0).ends_with('Z'), "{details}");

    let now = test.clock.now();
    let changes = (0..250).map(|number| Change {
        action: "order.move",
        order_id: Some(OrderId(order)),
        after: Some(number.to_string()),
        ..Change::default()
    });
    let changes: Vec<Change> = changes.collect();
    test.write(move |tx| add(tx, &Actor::program("test"), &changes, now)).await;
    let rows = format_rows(&made.get(&path).await);
    assert_eq!(
        (rows.len(), rows[0].as_str(), rows[49].as_str()),
        (50, "test order.move null 249", "test order.move null 200")
    );
}
