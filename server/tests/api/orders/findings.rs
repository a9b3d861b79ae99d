//! What is wrong with an order, in each row of a list: missing documents, a mail that did not arrive, a chargeback to respond to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::audit::store::Actor;
use visadesk::db::schema::mails;
use visadesk::documents::rules::{MediaType, StoredFile, needed_documents};
use visadesk::documents::store::{self as documents, NewDocument};
use visadesk::files::StoredContent;
use visadesk::ids::OrderId;
use visadesk::mail::rules::MailState;
use visadesk::orders::moves;
use visadesk::orders::status::ProcessStatus::{
    Awaiting, AwaitingGovt, ChargeBack, Completed, ContactCustomer, CustomerCalled, Deleted, Future, New, Pending,
    Refunds,
};
use visadesk::staff::rules::StaffType::{Manager, Team};

use crate::support::database::{Database, apart, connect, runs_on};
use crate::support::mails::past_mail;
use crate::support::statements::Statements;
use crate::support::{Client, TestApp};

/// Adds a file of the applicant.
pub async fn give(test: &TestApp, order: i64, kind: &str) {
    let (now, kind) = (test.clock.now(), kind.to_owned());
    test.write(move |tx| {
        let stored = StoredContent { key: format!("{kind} of {order}"), size_bytes: 1, sha256: String::new() };
        let file =
            StoredFile { stored, original_name: "a.pdf".into(), media_type: MediaType::Pdf, original_sha256: None };
        let new = NewDocument { order_id: OrderId(order), kind: kind.clone(), file, uploaded_by: None };
        documents::add(tx, &new, &Actor::program("a test"), now)
    })
    .await;
}

/// The row of an order in Order History.
async fn row(client: &Client<'_>, order: i64) -> Value {
    let list = client.get("/admin/get-orders-list/allOrder?limit=1000").await;
    let rows = list.data().as_array().expect("rows").iter().find(|row| row["order_id"] == order);
    rows.unwrap_or_else(|| panic!("{order} is not in {list}")).clone()
}

#[tokio::test]
async fn a_row_counts_the_required_documents_that_are_missing() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let required: Vec<_> = needed_documents("C1").iter().filter(|document| document.required).collect();
    let order = test.add_order(New).await;
    assert_eq!(row(&budi, order).await["missing_documents"], required.len());
    for (given, document) in required.iter().enumerate() {
        assert_eq!(row(&budi, order).await["missing_documents"], required.len() - given, "before {}", document.kind);
        give(&test, order, document.kind).await;
        give(&test, order, &format!("{} of another visa", document.kind)).await;
    }
    assert_eq!(row(&budi, order).await["missing_documents"], 0);
    // Two documents may also be given under their names in the catalogue.
    let other = test.add_order(New).await;
    give(&test, other, "passport").await;
    assert_eq!(row(&budi, other).await["missing_documents"], required.len() - 1);
    let unknown = test.add_order_with(New, |order| order.visa_type = None).await;
    assert_eq!(
        row(&budi, unknown).await["missing_documents"],
        0,
        "nothing is required of an order without a visa type"
    );
    let found = budi.post("/admin/search-order", json!({ "folderName": "newOrder", "searchVal": "ana" })).await;
    assert_eq!(found.data()[2]["missing_documents"], 0, "a search has the same rows: {found}");
}

#[tokio::test]
async fn documents_are_missing_only_while_staff_wait_for_them() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let day = test.clock.today(test.app.config.time_zone).succ_opt();
    for status in [New, Awaiting, ContactCustomer, CustomerCalled, Future] {
        let order = test.add_order_with(status, |order| order.processing_date = day).await;
        assert!(row(&budi, order).await["missing_documents"].is_u64(), "{status}");
    }
    for status in [Pending, AwaitingGovt, Completed, Refunds, ChargeBack, Deleted] {
        let order = test.add_order(status).await;
        assert_eq!(row(&budi, order).await["missing_documents"], Value::Null, "{status}");
    }
    let delivered = test.add_order(Completed).await;
    let moved =
        budi.put("/admin/change-order-status", json!({ "orderId": [delivered], "updatingStatus": "Customer Called" }));
    assert_eq!(moved.await.status, 200);
    assert_eq!(row(&budi, delivered).await["missing_documents"], Value::Null, "it was delivered before");
}

#[tokio::test]
async fn a_row_has_the_state_of_the_newest_mail_if_it_did_not_arrive() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for (sent, problem) in [
        (&[][..], Value::Null),
        (&[("approval", "sent")], Value::Null),
        (&[("approval", "queued")], Value::Null),
        (&[("approval", "failed")], json!("failed")),
        (&[("approval", "unknown")], json!("unknown")),
        (&[("approval", "unknown"), ("resend", "failed")], json!("failed")),
        (&[("approval", "failed"), ("resend", "sent")], Value::Null),
        (&[("approval", "failed"), ("resend", "queued")], Value::Null),
        (&[("approval", "failed"), ("tracking code", "sent")], json!("failed")),
        (&[("approval", "sent"), ("tracking code", "failed")], Value::Null),
    ] {
        let order = test.add_order(Completed).await;
        for (kind, state) in sent {
            test.add_mail(past_mail(order, kind, state, test.clock.now())).await;
        }
        assert_eq!(row(&budi, order).await["mail_problem"], problem, "{sent:?}");
    }
    let (deleted, stopped) = (test.add_order(Deleted).await, test.add_order(Completed).await);
    test.add_mail(past_mail(deleted, "approval", "failed", test.clock.now())).await;
    test.add_mail(past_mail(stopped, "refund", "failed", test.clock.now())).await;
    let now = test.clock.now();
    test.write(move |tx| {
        let mail = mails::table.filter(mails::order_id.eq(OrderId(stopped)));
        Ok(diesel::update(mail).set(mails::stopped_at.eq(now)).execute(tx)?)
    })
    .await;
    assert_eq!(row(&budi, deleted).await["mail_problem"], Value::Null, "staff may send no mail about a deleted order");
    assert_eq!(row(&budi, stopped).await["mail_problem"], Value::Null, "staff stopped the mail");
}

/// Returns true if a transaction on the PostgreSQL database of `url` waits for another one.
fn waits_for_a_lock(url: &str) -> bool {
    #[derive(QueryableByName)]
    struct Waiting {
        #[diesel(sql_type = diesel::sql_types::Bool)]
        is_waiting: bool,
    }
    let mut conn = connect(url);
    let question =
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
        AS is_waiting";
    apart(|| diesel::sql_query(question).get_result::<Waiting>(&mut conn).expect("it answers").is_waiting)
}

#[tokio::test]
async fn a_mail_that_fails_while_a_newer_one_is_queued_leaves_no_problem() {
    if !runs_on(Database::Postgres, "SQLite has one writer") {
        return;
    }
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let now = test.clock.now();
    for order_is_locked in [true, false] {
        let order = test.add_order(Completed).await;
        let older = test.add_mail(past_mail(order, "approval", "queued", now)).await;
        let (url, has_failed) = (test.app.config.database_url.clone(), Arc::new(AtomicBool::new(false)));
        let is_over = has_failed.clone();
        let (has_queued, queued) = tokio::sync::oneshot::channel();
        let has_queued = Mutex::new(Some(has_queued));
        let newer = test.write(move |tx| {
            if order_is_locked {
                moves::lock(tx, &[OrderId(order)])?;
            }
            let newer = past_mail(order, "resend", "queued", now);
            diesel::insert_into(mails::table).values(&newer).execute(tx)?;
            if let Some(queued) = has_queued.lock().expect("one try").take() {
                queued.send(()).expect("the test waits for it");
            }
            // The other transaction has ended by then, or waits for this one.
            while !is_over.load(Ordering::SeqCst) && !waits_for_a_lock(&url) {
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(())
        });
        let fails = async {
            queued.await.expect("the newer mail is queued");
            test.write(move |tx| {
                let older = mails::table.find(older);
                Ok(diesel::update(older).set(mails::state.eq(MailState::Failed)).execute(tx)?)
            })
            .await;
            has_failed.store(true, Ordering::SeqCst);
        };
        tokio::join!(newer, fails);
        assert_eq!(row(&budi, order).await["mail_problem"], Value::Null, "order locked: {order_is_locked}");
    }
}

#[tokio::test]
async fn an_order_in_chargeback_has_its_deadline_in_every_list() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    let (disputed, other) = (test.add_order(Completed).await, test.add_order(Completed).await);
    let to = |status: &str| json!({ "orderId": [disputed], "updatingStatus": status });
    assert_eq!(made.put("/admin/change-order-status", to("ChargeBack")).await.status, 200);
    let known = row(&made, disputed).await["chargeback"].clone();
    assert!(known["days_left"].is_i64(), "{known}");
    assert_eq!(row(&made, other).await["chargeback"], Value::Null);
    let folder = made.get("/admin/get-orders-list/chargeBackOrder").await;
    assert_eq!(folder.data()[0]["chargeback"], known);
    assert_eq!(made.put("/admin/change-order-status", to("Completed")).await.status, 200);
    assert_eq!(row(&made, disputed).await["chargeback"], Value::Null, "its dispute is withdrawn");
}

#[tokio::test]
async fn a_page_of_any_length_is_one_statement_and_one_more_for_chargebacks() {
    let test = TestApp::start().await;
    test.clock.stop();
    let made = test.as_staff(Manager, "Made");
    made.id().await;
    let statements = Statements::watch(&test).await;
    let mut sent = Vec::new();
    for count in [2, 40] {
        for _ in 0..count {
            for status in [New, AwaitingGovt, Deleted, ChargeBack] {
                test.add_order(status).await;
            }
        }
        let mut of_folders = Vec::new();
        for folder in ["newOrder", "awaitingGovtOrder", "deletedOrder", "chargeBackOrder", "allOrder"] {
            statements.take();
            let page = made.get(&format!("/admin/get-orders-list/{folder}?limit=500")).await;
            assert_eq!(page.status, 200, "{page}");
            let sent = statements.take();
            // The access log is written meanwhile.
            let names = |table: &str| sent.iter().filter(|statement| statement.contains(table)).count();
            of_folders.push((folder, ["documents", "mails", "chargebacks"].map(names), names("orders")));
        }
        sent.push(of_folders);
    }
    assert_eq!(sent[0], sent[1]);
    let about = |folder: &str| sent[0].iter().find(|(known, ..)| *known == folder).map(|(_, about, _)| *about);
    for folder in ["newOrder", "awaitingGovtOrder", "deletedOrder"] {
        assert_eq!(about(folder), Some([0, 0, 0]), "{folder}");
    }
    for folder in ["chargeBackOrder", "allOrder"] {
        assert_eq!(about(folder), Some([0, 0, 1]), "{folder}");
    }
    assert!(sent[0].iter().all(|(.., orders)| *orders == 1), "{sent:?}");
}
