//! The access log: what staff saw, which loses nothing and cannot be changed (finding 3 of the security review).

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use futures_util::future::join_all;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::db::schema::access_log;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use super::replace;
use crate::migrations::kept_rows::refusal;
use crate::papers::give_to;
use crate::support::database::is_postgres;
use crate::support::expected_calls::calls_that_show;
use crate::support::sample_files::pdf;
use crate::support::{Answer, Client, TestApp, until};

/// Member, action, folder, order and number of rows of every entry, in the order of the calls.
async fn entries(test: &TestApp) -> Vec<(i64, String, Option<String>, Option<i64>, Option<i64>)> {
    test.app.audit.access_log.flush().await.expect("the log is written");
    let columns =
        (access_log::staff_id, access_log::action, access_log::folder, access_log::order_id, access_log::row_count);
    let rows = access_log::table.order(access_log::access_id).select(columns);
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

/// The HMACs of the searches, in the order of the calls.
async fn seals(test: &TestApp) -> Vec<Option<String>> {
    test.app.audit.access_log.flush().await.expect("the log is written");
    let rows = access_log::table.order(access_log::access_id).select(access_log::search_hash);
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

async fn search(client: &Client<'_>, folder: &str, text: &str) -> Answer {
    client.post("/admin/search-order", json!({ "folderName": folder, "searchVal": text })).await
}

async fn log(client: &Client<'_>, query: &str) -> Answer {
    client.get(&format!("/admin/access-log?{query}")).await
}

/// The actions of a page of the log.
fn actions(page: &Answer) -> Vec<&str> {
    assert_eq!(page.status, 200, "{page}");
    page.data().as_array().expect("a list").iter().filter_map(|entry| entry["action"].as_str()).collect()
}

/// Makes the database refuse new entries, or accept them again.
async fn refuse_entries(test: &TestApp, refused: bool) {
    test.write(move |tx| {
        let statement = match (&tx, refused) {
            (Conn::Sqlite(_), true) => {
                "CREATE TRIGGER refuse_entries BEFORE INSERT ON access_log
                 BEGIN SELECT RAISE(ABORT, 'no entry is accepted'); END"
            }
            (Conn::Sqlite(_), false) => "DROP TRIGGER refuse_entries",
            (Conn::Postgres(_), true) => {
                "CREATE TRIGGER refuse_entries BEFORE INSERT ON access_log
                 FOR EACH ROW EXECUTE FUNCTION refuse_change('no entry is accepted')"
            }
            (Conn::Postgres(_), false) => "DROP TRIGGER refuse_entries ON access_log",
        };
        Ok(tx.batch_execute(statement)?)
    })
    .await;
}

#[tokio::test]
async fn fifty_pages_of_completed_orders_are_fifty_entries_with_their_rows() {
    let test = TestApp::start().await;
    for _ in 0..3 {
        test.add_order(Completed).await;
    }
    let budi = test.as_staff(Team, "Budi");
    for _ in 0..50 {
        assert_eq!(budi.get("/admin/get-orders-list/completedOrder?limit=1000").await.status, 200);
    }
    let one = (budi.id().await, "order.list".to_owned(), Some("completedOrder".to_owned()), None, Some(3));
    assert_eq!(entries(&test).await, vec![one; 50]);
}

#[tokio::test]
async fn each_kind_of_read_is_noted_with_member_folder_order_and_rows() {
    let test = TestApp::start().await;
    let (order, disputed) = (test.add_order(New).await, test.add_order(ChargeBack).await);
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    give_to(&test, order, "bank_statement", pdf()).await;
    let days = "fromDate=2026-01-01&toDate=2026-01-31";
    let day = json!({ "fromDate": "2026-01-01", "toDate": "2026-01-31" });
    let mail = budi.get(&format!("/admin/get-email-content/{order}")).await;
    let link = mail.data()["link"].as_str().expect("a link").to_owned();
    let asked = json!({ "orderId": order, "language": "en", "items": [{ "kind": "passport", "reason": "missing" }] });
    let answers = [
        ("email_content", mail),
        ("", budi.page(&format!("/{link}")).await),
        ("list_orders", budi.get("/admin/get-orders-list/newOrder").await),
        ("search_orders", search(&budi, "allOrder", "ana").await),
        ("find_orders", budi.get("/admin/find-orders?q=ana").await),
        ("order_rows", budi.get(&format!("/admin/order-rows/newOrder/{order}")).await),
        ("list_inbox", budi.get("/admin/inbox").await),
        ("home", budi.get("/admin/home").await),
        ("list_orders", budi.get("/admin/get-orders-list/chargeBack").await),
        ("order_details", budi.get(&format!("/admin/get-orders-details/{order}")).await),
        ("order_history", budi.get(&format!("/admin/get-order-history/{order}?history=mails&limit=20")).await),
        ("order_duplicates", budi.get(&format!("/admin/order-duplicates/{order}")).await),
        ("order_papers", budi.get(&format!("/admin/order-papers/{order}")).await),
        ("preview_paper_request", budi.post("/admin/preview-paper-request", asked).await),
        ("order_filing", budi.get(&format!("/admin/order-filing/{order}")).await),
        ("filing_kit", budi.get(&format!("/admin/filing-kit/{order}")).await),
        ("defence_pack_details", budi.post("/admin/defence-pack-details", json!({ "orderId": disputed })).await),
        (
            "get_defence_pack_pdf",
            budi.post("/admin/get-defence-pack-pdf", json!({ "orderId": disputed, "defencePackType": 2 })).await,
        ),
        ("country_orders", budi.post("/admin/get-country-order-list", day.clone()).await),
        ("processed_by_counts", ayu.post("/admin/get-processed-by-count", day).await),
        ("orders_csv", ayu.get("/admin/orders-csv/newOrder").await),
        ("country_orders_csv", ayu.get(&format!("/admin/country-orders-csv?{days}")).await),
        ("processed_by_csv", ayu.get(&format!("/admin/processed-by-csv?{days}")).await),
        ("future_orders_csv", ayu.get("/admin/future-orders-csv?year=2026").await),
        ("list_audit", ayu.get("/admin/get-audit-list?action=order.nothing").await),
        ("list_access_log", log(&ayu, "action=order.nothing").await),
        ("access_log_csv", ayu.get("/admin/access-log-csv?action=order.nothing").await),
    ];
    for (call, answer) in &answers {
        assert_eq!(answer.status, 200, "{call}: {answer}");
    }
    let calls: BTreeSet<&str> = answers.iter().map(|(call, _)| *call).filter(|call| !call.is_empty()).collect();
    assert_eq!(calls, BTreeSet::from_iter(calls_that_show("noted")), "every call that is noted");
    let (ayu, budi) = (ayu.id().await, budi.id().await);
    let row = |staff_id: i64, action: &str, folder: Option<&str>, order: Option<i64>, rows: i64| {
        (staff_id, action.to_owned(), folder.map(str::to_owned), order, Some(rows))
    };
    let expected = [
        row(budi, "mail.view", None, Some(order), 1),
        row(budi, "mail.open", None, Some(order), 1),
        row(budi, "order.list", Some("newOrder"), None, 1),
        row(budi, "order.search", Some("allOrder"), None, 2),
        row(budi, "order.find", None, None, 2),
        row(budi, "order.list", Some("newOrder"), None, 1),
        row(budi, "inbox.list", None, None, 0),
        row(budi, "home.view", None, None, 0),
        row(budi, "order.list", Some("chargeBackOrder"), None, 1),
        row(budi, "order.view", None, Some(order), 1),
        row(budi, "order.view", None, Some(order), 1),
        row(budi, "order.duplicates", None, Some(order), 1),
        row(budi, "order.view", None, Some(order), 1),
        row(budi, "order.view", None, Some(order), 1),
        row(budi, "order.view", None, Some(order), 1),
        row(budi, "file.view", None, Some(order), 1),
        row(budi, "pack.view", None, Some(disputed), 1),
        row(budi, "pack.open", None, Some(disputed), 1),
        row(budi, "country_orders.view", None, None, 0),
        row(ayu, "processed_by.view", None, None, 0),
        row(ayu, "order.export", Some("newOrder"), None, 1),
        row(ayu, "country_orders.export", None, None, 0),
        row(ayu, "processed_by.export", None, None, 0),
        row(ayu, "future_orders.export", None, None, 12),
        row(ayu, "audit.view", None, None, 0),
        row(ayu, "access_log.view", None, None, 0),
        row(ayu, "access_log.export", None, None, 0),
    ];
    assert_eq!(entries(&test).await, expected);
}

#[tokio::test]
async fn equal_searches_have_equal_seals_and_their_text_is_nowhere() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    for text in ["AB 123456", " ab  123456", "AB 123457", ""] {
        assert_eq!(search(&budi, "newOrder", text).await.status, 200);
    }
    let seals = seals(&test).await;
    let seal = seals[0].as_deref().expect("a seal");
    assert!(seal.len() == 64 && seal.bytes().all(|byte| byte.is_ascii_hexdigit()), "{seal}");
    assert_eq!(seals[1].as_deref(), Some(seal), "the same search in another spelling");
    assert!(seals[2].is_some() && seals[2] != seals[0]);
    assert_eq!(seals[3], None, "nothing was searched");
    let shown = log(&test.as_staff(Admin, "Ayu"), "").await.text;
    assert!(shown.contains(seal) && !shown.contains("123456"), "{shown}");
}

#[tokio::test]
async fn a_burst_with_a_tiny_queue_delays_requests_and_loses_no_entry() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let test = TestApp::start_with(|config| config.access.waiting_notes = 5).await;
    test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    let answers = join_all((0..150).map(|_| budi.get("/admin/get-orders-list/newOrder"))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert_eq!(entries(&test).await.len(), 150);
    let measured = recorder.handle().render();
    let delayed = measured.lines().find_map(|line| line.strip_prefix("visadesk_access_notes_delayed "));
    assert!(delayed.is_some_and(|times| times.parse::<u32>().is_ok_and(|times| times > 0)), "{measured}");
}

#[tokio::test]
async fn while_the_database_refuses_entries_they_wait_and_then_reads_are_refused() {
    let test = TestApp::start_with(|config| config.access.waiting_notes = 1).await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    refuse_entries(&test, true).await;
    let path = format!("/admin/get-orders-details/{order}");
    let mut shown = 0;
    let refused = until("a read is refused", async || {
        let answer = budi.get(&path).await;
        shown += usize::from(answer.status == 200);
        (answer.status != 200).then_some(answer)
    })
    .await;
    assert_eq!((refused.status, &refused.json["code"]), (503, &Value::from("access_log_busy")));
    assert_eq!(refused.header("retry-after"), "1");
    assert!(!refused.text.contains("Ana"));
    refuse_entries(&test, false).await;
    assert_eq!(entries(&test).await.len(), shown, "what was shown is noted, and nothing else");
}

#[tokio::test]
async fn an_entry_is_never_altered_replaced_or_deleted() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    budi.get("/admin/get-orders-list/newOrder").await;
    let before = entries(&test).await;
    let mut attempts: Vec<fn(&mut Conn) -> QueryResult<usize>> = vec![
        |tx| diesel::update(access_log::table).set(access_log::row_count.eq(0)).execute(tx),
        |tx| diesel::delete(access_log::table).execute(tx),
        |tx| replace(tx, "access_log", "access_id, at, staff_id, action", "access_id, at, staff_id, 'forged'"),
    ];
    // SQLite has no TRUNCATE.
    if is_postgres() {
        attempts.push(|tx| diesel::sql_query("TRUNCATE access_log").execute(tx));
    }
    for (number, attempt) in attempts.into_iter().enumerate() {
        let refused = refusal(&test, attempt).await;
        assert!(refused.contains("the access log is append-only"), "attempt {number}: {refused}");
    }
    assert_eq!(entries(&test).await, before);
}

#[tokio::test]
async fn an_admin_reads_the_log_by_page_person_action_order_and_day() {
    let test = TestApp::start().await;
    let (first, second) = (test.add_order(New).await, test.add_order(New).await);
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    for order in [first, second] {
        budi.get(&format!("/admin/get-orders-details/{order}")).await;
    }
    made.get(&format!("/admin/get-orders-details/{first}")).await;
    made.get("/admin/get-orders-list/newOrder").await;
    test.app.audit.access_log.flush().await.expect("the log is written");

    let ayu = test.as_staff(Admin, "Ayu");
    let page = log(&ayu, "limit=3").await;
    assert_eq!(actions(&page), ["order.list", "order.view", "order.view"]);
    let newest = &page.data()[0];
    assert_eq!(
        (&newest["person"], &newest["folder"], &newest["rows"]),
        (&json!("Made"), &json!("newOrder"), &json!(2))
    );
    assert_eq!(
        (&newest["ip"], &newest["order_id"], &newest["search"]),
        (&json!("127.0.0.1"), &Value::Null, &Value::Null)
    );
    let older = log(&ayu, &format!("limit=3&person=Budi&olderThan={}", page.json["next"])).await;
    assert_eq!((actions(&older).len(), &older.json["next"]), (1, &Value::Null));
    assert_eq!(older.data()[0]["order_id"], first);

    assert_eq!(actions(&log(&ayu, "person=Budi").await), ["order.view"; 2]);
    assert_eq!(actions(&log(&ayu, "person=Nobody").await), [""; 0]);
    assert_eq!(actions(&log(&ayu, "action=order.list").await), ["order.list"]);
    assert_eq!(actions(&log(&ayu, &format!("order=VD-{first}")).await), ["order.view"; 2]);
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    assert_eq!(actions(&log(&ayu, &format!("person=Made&from={today}&to={today}")).await).len(), 2);
    let tomorrow = today.succ_opt().expect("a day");
    assert_eq!(actions(&log(&ayu, &format!("from={tomorrow}")).await), [""; 0]);
    for (query, code) in [
        ("limit=201", "invalid_audit_limit"),
        ("order=hello", "invalid_audit_order"),
        ("from=soon", "invalid_date"),
        ("from=2026-02-02&to=2026-02-01", "period_reversed"),
    ] {
        assert_eq!(log(&ayu, query).await.json["code"], code, "{query}");
        if code != "invalid_audit_limit" {
            assert_eq!(ayu.get(&format!("/admin/access-log-csv?{query}")).await.json["code"], code, "{query}");
        }
    }
}

#[tokio::test]
async fn the_csv_has_the_filtered_entries_without_formulas() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "=Budi");
    budi.get(&format!("/admin/get-orders-details/{order}")).await;
    budi.get("/admin/get-orders-list/newOrder").await;
    test.app.audit.access_log.flush().await.expect("the log is written");
    let ayu = test.as_staff(Admin, "Ayu");
    let file = ayu.get(&format!("/admin/access-log-csv?order={order}")).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"access-log.csv\"");
    let lines: Vec<&str> = file.text.split("\r\n").collect();
    assert_eq!((lines.len(), lines[0]), (3, "Date & Time,Person,Action,Folder,Order,Search,Rows,IP Address"));
    assert!(lines[1].ends_with(&format!(",'=Budi,order.view,,{order},,1,127.0.0.1")), "{}", lines[1]);
    let exports = ayu.get("/admin/get-audit-list?action=report.export").await;
    assert_eq!(exports.data()[0]["after"], "access-log.csv");
}

#[tokio::test]
async fn a_csv_of_too_many_entries_is_refused_and_not_cut_off() {
    let test = TestApp::start().await;
    let (ayu, now) = (test.as_staff(Admin, "Ayu"), test.clock.now());
    let staff_id = ayu.id().await;
    test.write(move |tx| {
        let entry = (access_log::at.eq(now), access_log::staff_id.eq(staff_id), access_log::action.eq("order.view"));
        let entries = std::iter::repeat_n(entry, 50_001);
        visadesk::add_rows!(tx, access_log::table, entries);
        Ok(())
    })
    .await;
    let refused = ayu.get("/admin/access-log-csv").await;
    assert_eq!((refused.status, &refused.json["code"]), (422, &json!("access_export_too_long")));
}
