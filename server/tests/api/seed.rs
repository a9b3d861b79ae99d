use chrono::{Months, NaiveDate, TimeDelta};
use diesel::prelude::*;
use visadesk::calendar;
use visadesk::db::schema::{
    applications, chargebacks, documents, downloads, folder_counter_deltas, folder_counters, mails, orders, payments,
    remarks, staff, transactions,
};
use visadesk::demo::people;
use visadesk::demo::seed::{self, Seed};
use visadesk::error::Permission;
use visadesk::files::StoredContent;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::timestamp::Timestamp;

use crate::support::TestApp;

async fn seeded(test: &TestApp, orders: u64, seed: u64) -> visadesk::error::Result<()> {
    seed::run(test.db(), &test.app.documents.files, &test.clock, &test.app.config, Seed { orders, seed }).await
}

/// The seeded fields that do not depend on the day of the run.
async fn day_independent_rows(test: &TestApp) -> Vec<(i64, String, String, String, Option<String>)> {
    test.read(|conn| {
        let columns = (
            orders::order_id,
            orders::full_name,
            orders::process_status,
            orders::contact_email_address,
            orders::visa_type,
        );
        Ok(orders::table.order(orders::order_id).select(columns).load(conn)?)
    })
    .await
}

#[tokio::test]
async fn the_same_seed_creates_the_same_orders_and_another_seed_different_ones() {
    let (first, second, other) = (TestApp::start().await, TestApp::start().await, TestApp::start().await);
    seeded(&first, 300, 1).await.unwrap();
    seeded(&second, 300, 1).await.unwrap();
    seeded(&other, 300, 2).await.unwrap();
    let orders = day_independent_rows(&first).await;
    assert_eq!(orders.len(), 300);
    assert_eq!(orders, day_independent_rows(&second).await);
    assert_ne!(orders, day_independent_rows(&other).await);
    let sums = |conn: &mut visadesk::db::Conn| {
        Ok(documents::table.order(documents::document_id).select(documents::sha256).load::<String>(conn)?)
    };
    assert_eq!(first.read(sums).await, second.read(sums).await);
}

/// Every row that a seed run adds, as text. Audit rows are left out: they repeat the timestamps of the orders.
async fn rows(test: &TestApp) -> Vec<String> {
    fn texts<T: std::fmt::Debug>(rows: Vec<T>) -> impl Iterator<Item = String> {
        rows.into_iter().map(|row| format!("{row:?}"))
    }
    test.read(|conn| {
        let order = (
            orders::order_id,
            orders::full_name,
            orders::process_status,
            orders::processing_date,
            orders::processed_at,
            orders::refund_date,
            orders::created_at,
            orders::updated_at,
        );
        let application =
            (applications::order_id, applications::date_of_birth, applications::date_of_expiry, applications::stay_day);
        let document = (documents::order_id, documents::file1, documents::sha256, documents::created_at);
        let dispute = (chargebacks::order_id, chargebacks::opened_on, chargebacks::respond_by, chargebacks::updated_at);
        let sources = [
            texts(orders::table.select(order).order(orders::order_id).load::<(
                i64,
                String,
                String,
                Option<NaiveDate>,
                Option<Timestamp>,
                Option<Timestamp>,
                Timestamp,
                Timestamp,
            )>(conn)?)
            .collect::<Vec<_>>(),
            texts(applications::table.select(application).order(applications::order_id).load::<(
                i64,
                Option<NaiveDate>,
                Option<NaiveDate>,
                Option<i32>,
            )>(conn)?)
            .collect(),
            texts(
                payments::table
                    .select((payments::order_id, payments::payment_reference, payments::paid_at))
                    .order(payments::order_id)
                    .load::<(i64, String, Timestamp)>(conn)?,
            )
            .collect(),
            texts(
                documents::table
                    .select(document)
                    .order(documents::document_id)
                    .load::<(i64, String, String, Timestamp)>(conn)?,
            )
            .collect(),
            texts(
                remarks::table
                    .select((remarks::order_id, remarks::remark, remarks::created_at))
                    .order(remarks::remark_id)
                    .load::<(i64, String, Timestamp)>(conn)?,
            )
            .collect(),
            texts(
                mails::table
                    .select((mails::order_id, mails::kind, mails::created_at, mails::sent_at))
                    .order(mails::mail_id)
                    .load::<(i64, String, Timestamp, Option<Timestamp>)>(conn)?,
            )
            .collect(),
            texts(
                downloads::table
                    .select((downloads::order_id, downloads::ip, downloads::created_at))
                    .order(downloads::download_id)
                    .load::<(i64, String, Timestamp)>(conn)?,
            )
            .collect(),
            texts(chargebacks::table.select(dispute).order(chargebacks::order_id).load::<(
                i64,
                NaiveDate,
                NaiveDate,
                Timestamp,
            )>(conn)?)
            .collect(),
        ];
        Ok(sources.concat())
    })
    .await
}

#[tokio::test]
async fn two_seed_runs_on_one_day_are_identical() {
    let (early, late) = (TestApp::start().await, TestApp::start().await);
    // The first and the last minutes of one day in the agency's time zone, a month after the test's clock.
    let zone = early.app.config.time_zone;
    let day = early.clock.today(zone).checked_add_months(Months::new(1)).expect("a day");
    let (from, until) = (calendar::start(day, zone), calendar::end(day, zone));
    early.later(from + TimeDelta::minutes(1) - early.clock.now());
    late.later(until - TimeDelta::minutes(10) - late.clock.now());
    assert_eq!(early.clock.today(zone), late.clock.today(zone));
    seeded(&early, 400, 1).await.unwrap();
    seeded(&late, 400, 1).await.unwrap();
    let (early, late) = (rows(&early).await, rows(&late).await);
    assert!(early.len() > 1_500, "{}", early.len());
    let different: Vec<_> = early.iter().zip(&late).filter(|(one, other)| one != other).take(3).collect();
    assert!(different.is_empty() && early.len() == late.len(), "{different:#?}");
}

#[tokio::test]
async fn a_seeded_database_covers_every_status_script_and_kind_of_row() {
    let test = TestApp::start().await;
    seeded(&test, 2_500, 7).await.unwrap();
    let statuses: Vec<String> =
        test.read(|conn| Ok(orders::table.select(orders::process_status).distinct().load(conn)?)).await;
    assert_eq!(statuses.len(), 11, "{statuses:?}");
    let names: Vec<String> = test.read(|conn| Ok(orders::table.select(orders::full_name).load(conn)?)).await;
    for script in ['王', 'م', 'а', 'ร', 'א', 'र', 'é'] {
        assert!(names.iter().any(|name| name.contains(script)), "{script}");
    }
    let counts: (i64, i64, i64, i64) = test
        .read(|conn| {
            Ok((
                remarks::table.count().get_result(conn)?,
                mails::table.count().get_result(conn)?,
                downloads::table.count().get_result(conn)?,
                documents::table.count().get_result(conn)?,
            ))
        })
        .await;
    assert!(counts.0 > 500 && counts.1 > 500 && counts.2 > 20 && counts.3 > 2_000, "{counts:?}");
    let assigned: i64 =
        test.read(|conn| Ok(orders::table.filter(orders::assign_to.is_not_null()).count().get_result(conn)?)).await;
    assert!(assigned > 0);
    let kinds: Vec<String> =
        test.read(|conn| Ok(documents::table.select(documents::kind).distinct().load(conn)?)).await;
    assert!(kinds.iter().any(|kind| kind == "bank_statement"), "{kinds:?}");
    let oldest: Timestamp = test
        .read(|conn| {
            let waiting = orders::table.filter(orders::process_status.eq_any(["New", "Awaiting", "CustomerCalled"]));
            Ok(waiting.order(orders::created_at).select(orders::created_at).first(conn)?)
        })
        .await;
    let days = (test.clock.now() - oldest).num_days();
    assert!((25..=31).contains(&days), "the oldest order at work came {days} days ago");
}

#[tokio::test]
async fn seeded_disputes_cover_every_urgency() {
    let test = TestApp::start().await;
    seeded(&test, 2_000, 1).await.unwrap();
    let list = test.as_staff(Team, "Budi").get("/admin/get-orders-list/chargeBack?limit=1000").await;
    let rows = list.data().as_array().unwrap();
    let urgencies: std::collections::BTreeSet<&str> =
        rows.iter().filter_map(|row| row["chargeback"]["urgency"].as_str()).collect();
    assert_eq!(urgencies.len(), 9, "{urgencies:?}");
    let (disputed, reasons, transactions_entered, eligible): (i64, i64, i64, Vec<i64>) = test
        .read(|conn| {
            let ids: Vec<i64> = chargebacks::table.select(chargebacks::order_id).load(conn)?;
            let mut eligible = Vec::new();
            for id in &ids {
                if visadesk::chargebacks::priors::check(conn, OrderId(*id))?.eligible {
                    eligible.push(*id);
                }
            }
            Ok((
                ids.len() as i64,
                chargebacks::table.select(chargebacks::reason_group).distinct().load::<Option<String>>(conn)?.len()
                    as i64,
                transactions::table.count().get_result(conn)?,
                eligible,
            ))
        })
        .await;
    assert_eq!(disputed, list.json["total"].as_i64().unwrap(), "each disputed order has one chargeback");
    assert!(
        reasons >= 6 && transactions_entered * 2 > disputed && transactions_entered < disputed,
        "{reasons} {transactions_entered} {disputed}"
    );
    assert_eq!(eligible, [101_035], "one dispute is eligible by earlier orders of the customer");
}

#[tokio::test]
async fn every_seeded_document_has_its_file() {
    let test = TestApp::start().await;
    seeded(&test, 60, 3).await.unwrap();
    let rows: Vec<(String, i64, String, String)> = test
        .read(|conn| {
            let columns = (documents::file1, documents::size_bytes, documents::sha256, documents::media_type);
            Ok(documents::table.select(columns).load(conn)?)
        })
        .await;
    assert!(rows.len() >= 120);
    for (key, size_bytes, sha256, media_type) in rows {
        let content = test
            .app
            .documents
            .files
            .get(&StoredContent { key, size_bytes, sha256 }, Permission::in_background())
            .await
            .unwrap();
        let known = visadesk::documents::rules::MediaType::of(&content).unwrap();
        assert_eq!(known.as_str(), media_type);
    }
}

#[tokio::test]
async fn counts_and_ids_continue_from_the_seeded_orders() {
    let test = TestApp::start().await;
    seeded(&test, 500, 5).await.unwrap();
    let counted: i64 = test
        .read(|conn| {
            let counters =
                folder_counters::table.filter(folder_counters::kind.eq("queue")).select(folder_counters::order_count);
            let deltas = folder_counter_deltas::table.filter(folder_counter_deltas::kind.eq("queue"));
            let deltas: Vec<i64> = deltas.select(folder_counter_deltas::order_count).load(conn)?;
            Ok(counters.load::<i64>(conn)?.iter().chain(&deltas).sum())
        })
        .await;
    assert_eq!(counted, 500);
    let shop = crate::intake::shop(&test).await;
    let created = shop.post("/intake/orders", crate::intake::order(serde_json::json!({}))).await;
    assert_eq!(created.data()["order_id"], 100_501, "{created}");
}

#[tokio::test]
async fn a_seeded_order_is_found_by_search() {
    let test = TestApp::start().await;
    seeded(&test, 200, 5).await.unwrap();
    let name: String = test.read(|conn| Ok(orders::table.find(100_150).select(orders::full_name).first(conn)?)).await;
    let body = serde_json::json!({ "start": 0, "end": 100, "searchVal": name, "folderName": "allOrder" });
    let found = test.as_staff(Team, "Budi").post("/admin/search-order", body).await;
    let ids: Vec<i64> = found.data().as_array().unwrap().iter().filter_map(|row| row["order_id"].as_i64()).collect();
    assert!(ids.contains(&100_150), "{name}: {found}");
}

#[tokio::test]
async fn a_database_with_orders_is_not_seeded() {
    let test = TestApp::start().await;
    seeded(&test, 3, 1).await.unwrap();
    let refused = seeded(&test, 3, 1).await.unwrap_err();
    assert_eq!(refused.code(), "database_not_empty");
    assert_eq!(day_independent_rows(&test).await.len(), 3);
}

async fn add_people(test: &TestApp) -> visadesk::error::Result<String> {
    let (db, clock, passwords) = (test.db().clone(), test.clock.clone(), test.app.staff.passwords.clone());
    tokio::task::spawn_blocking(move || people::add(&db, &clock, &passwords)).await.expect("it ends")
}

async fn members(test: &TestApp) -> i64 {
    test.read(|conn| Ok(staff::table.count().get_result(conn)?)).await
}

#[tokio::test]
async fn the_people_of_the_demo_are_not_added_to_a_live_installation() {
    let with_orders = TestApp::start().await;
    with_orders.add_order(New).await;
    assert_eq!(add_people(&with_orders).await.unwrap_err().code(), "database_not_empty");
    assert_eq!(members(&with_orders).await, 0);

    let with_staff = TestApp::start().await;
    with_staff.add_member(Admin, "Rahayu Setiawati").await;
    assert_eq!(add_people(&with_staff).await.unwrap_err().code(), "staff_not_empty");
    assert_eq!(members(&with_staff).await, 1);

    let new = TestApp::start().await;
    assert!(!new.read(people::exist).await);
    add_people(&new).await.unwrap();
    assert!(new.read(people::exist).await);
}
