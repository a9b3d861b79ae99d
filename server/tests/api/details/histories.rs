//! The histories of an order: the newest rows with the details, and older ones on request.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::audit::store::{Actor, Change, add};
use visadesk::db::schema::{access_log, documents, failed_tracks, mail_attempts};
use visadesk::ids::{OrderId, StaffId};
use visadesk::mail::store as mail;
use visadesk::orders::remarks::{self, RemarkRow};
use visadesk::orders::search::plain_text;
use visadesk::orders::status::ProcessStatus::Completed;
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
use visadesk::timestamp::Timestamp;
use visadesk::tracking::store::{self as tracking, DownloadRow};

use crate::support::mails::past_mail;
use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

/// Each history: its name in the call, its field in responses, and what tells its rows apart.
const HISTORIES: [(&str, &str, &str); 5] = [
    ("mails", "mailHistory", "email"),
    ("downloads", "downloadHistory", "ip"),
    ("remarks", "remark", "remark"),
    ("timeline", "timeline", "after"),
    ("tries", "failed_tries", "network"),
];

/// What tells the row of this number of an order apart, from the oldest, 0, to the newest.
fn mark(order: i64, number: usize) -> String {
    format!("{}.{number:05}", order - 100_000)
}

/// The `after` of the first event of each order.
const ARRIVED: &str = "Completed";

/// An order with so many rows in each history, at least one, all of one instant. The rows of two orders take turns.
async fn add_order_with_rows(test: &TestApp, count: usize) -> i64 {
    let (order, other) = (test.add_order(Completed).await, test.add_order(Completed).await);
    let (file1, _) = (test.add_visa(order).await, test.add_visa(other).await);
    let author = test.as_staff(Team, "Budi").id().await;
    let at = "2026-01-01T03:00:00Z".parse::<Timestamp>().expect("an instant");
    test.write(move |tx| {
        let visa =
            documents::table.filter(documents::file1.eq(&file1)).select(documents::document_id).first::<i64>(tx)?;
        let rows: Vec<(i64, String)> =
            (0..count).flat_map(|number| [order, other].map(|id| (id, mark(id, number)))).collect();
        mail::load(
            tx,
            rows.iter().map(|(id, mark)| mail::MailRow {
                recipient: mark,
                document_id: Some(visa),
                ..past_mail(*id, "resend", "sent", at)
            }),
        )?;
        tracking::load(
            tx,
            rows.iter().map(|(id, mark)| DownloadRow {
                order_id: OrderId(*id),
                document_id: visa,
                ip: mark,
                device: "Phone",
                device_type: "Mobile",
                browser: "Firefox",
                os: "Android",
                location: "-",
                automated: false,
                created_at: at,
            }),
        )?;
        remarks::load(
            tx,
            rows.iter().map(|(id, mark)| RemarkRow {
                order_id: OrderId(*id),
                staff_id: StaffId(author),
                // A test may keep its texts for as long as it runs.
                remark: Box::leak(mark.clone().into_boxed_str()),
                whatsapp: false,
                telephone: false,
                status_refund: false,
                voided: false,
                chargeback: false,
                report_error: false,
                created_at: at,
                search_text: plain_text(mark),
            }),
        )?;
        // The oldest event is the order's arrival.
        let events = rows.iter().skip(2).map(|(id, mark)| Change {
            action: "remark.add",
            order_id: Some(OrderId(*id)),
            before: None,
            after: Some(mark.clone()),
        });
        add(tx, &Actor::program("import"), &events.collect::<Vec<_>>(), at)?;
        for (id, mark) in &rows {
            let key = (failed_tracks::order_id.eq(id), failed_tracks::hour.eq(at), failed_tracks::network.eq(mark));
            let row = (key, failed_tracks::tries.eq(1), failed_tracks::last_at.eq(at));
            diesel::insert_into(failed_tracks::table).values(row).execute(tx)?;
        }
        Ok(())
    })
    .await;
    order
}

async fn details(client: &Client<'_>, order: i64) -> Value {
    let answer = client.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(answer.status, 200, "{answer}");
    answer.data().clone()
}

async fn page(client: &Client<'_>, order: i64, query: &str) -> Answer {
    client.get(&format!("/admin/get-order-history/{order}?{query}")).await
}

/// What tells the rows apart, in the order of the response.
fn marks(rows: &Value, field: &str) -> Vec<String> {
    let rows = rows.as_array().unwrap_or_else(|| panic!("a list: {rows}"));
    rows.iter().map(|row| row[field].as_str().expect("a text").to_owned()).collect()
}

/// The marks of these rows, the oldest first but for the timeline.
fn expected(order: i64, history: &str, numbers: std::ops::Range<usize>) -> Vec<String> {
    match history {
        "timeline" => {
            numbers.rev().map(|number| if number == 0 { ARRIVED.to_owned() } else { mark(order, number) }).collect()
        }
        _ => numbers.map(|number| mark(order, number)).collect(),
    }
}

#[tokio::test]
async fn the_details_have_the_newest_fifty_rows_of_each_history_and_older_ones_follow_page_by_page() {
    let test = TestApp::start_open().await;
    let ayu = test.as_staff(Admin, "Ayu");
    for count in [1, 49, 50, 51, 120] {
        let order = add_order_with_rows(&test, count).await;
        let shown = details(&ayu, order).await;
        for total in ["mailTotal", "downloadTotal", "remark_total", "failed_tries_total"] {
            assert_eq!(shown[total], json!(count), "{total}");
        }
        for (history, field, key) in HISTORIES {
            let mut from = count.saturating_sub(50);
            assert_eq!(marks(&shown[field], key), expected(order, history, from..count), "{history} of {count}");
            let mut older = shown["older"][history].clone();
            while from > 0 {
                let before = older.as_str().unwrap_or_else(|| panic!("{history} of {count} from {from}: {older}"));
                let answer = page(&ayu, order, &format!("history={history}&before={before}")).await;
                assert_eq!(answer.status, 200, "{answer}");
                let until = from;
                from = until.saturating_sub(50);
                let rows = marks(&answer.data()[field], key);
                assert_eq!(rows, expected(order, history, from..until), "{history} of {count}");
                let mut others = HISTORIES.iter().filter(|(other, ..)| *other != history);
                assert!(others.all(|(_, field, _)| answer.data().get(field).is_none()), "{answer}");
                older = answer.data()["older"].clone();
            }
            assert_eq!(older, Value::Null, "{history} of {count}");
        }
    }
}

#[tokio::test]
async fn rows_that_are_added_between_two_pages_neither_repeat_nor_hide_older_ones() {
    let test = TestApp::start_open().await;
    let order = add_order_with_rows(&test, 60).await;
    let budi = test.as_staff(Team, "Budi");
    let before = details(&budi, order).await["older"]["mails"].as_str().expect("older mails").to_owned();
    for _ in 0..3 {
        test.add_mail(past_mail(order, "resend", "sent", test.clock.now())).await;
    }
    let answer = page(&budi, order, &format!("history=mails&before={before}&limit=200")).await;
    assert_eq!(marks(&answer.data()["mailHistory"], "email"), expected(order, "mails", 0..10));
    assert_eq!(details(&budi, order).await["mailTotal"], 63);
}

#[tokio::test]
async fn a_page_of_mails_has_their_attempts_and_links_for_the_caller() {
    let test = TestApp::start_open().await;
    let order = add_order_with_rows(&test, 52).await;
    let now = test.clock.now();
    let ids = test.read(move |conn| mail::list(conn, OrderId(order))).await;
    let ids: Vec<i64> = ids.iter().map(|entry| entry.mail.mail_id).collect();
    assert_eq!(ids.len(), 52, "packs read all mails");
    let tried = ids.clone();
    test.write(move |tx| {
        for mail_id in &tried {
            let key = (mail_attempts::mail_id.eq(mail_id), mail_attempts::attempt.eq(1));
            let attempt = (key, mail_attempts::started_at.eq(now), mail_attempts::answer.eq(mail_id.to_string()));
            diesel::insert_into(mail_attempts::table).values(attempt).execute(tx)?;
        }
        Ok(())
    })
    .await;
    let budi = test.as_staff(Team, "Budi");
    let shown = details(&budi, order).await;
    let before = shown["older"]["mails"].as_str().expect("older mails");
    let answer = page(&budi, order, &format!("history=mails&before={before}")).await;
    let older = answer.data()["mailHistory"].as_array().expect("a list");
    let answers = older.iter().chain(shown["mailHistory"].as_array().expect("a list"));
    let answers: Vec<String> = answers.map(|mail| mail["attempts"][0]["answer"].as_str().unwrap().to_owned()).collect();
    assert_eq!(answers, ids.iter().map(i64::to_string).collect::<Vec<_>>());
    assert!(older.iter().all(|mail| mail["uploadDoc"]["link"].as_str().is_some_and(|link| link.contains("s="))));
}

#[tokio::test]
async fn a_page_shows_to_each_type_of_staff_what_the_details_show() {
    let test = TestApp::start_open().await;
    let order = add_order_with_rows(&test, 60).await;
    let people = [(Admin, "Ayu"), (Manager, "Made"), (Team, "Budi"), (Telecaller, "Citra"), (NightStaff, "Nyoman")];
    for (staff_type, name) in people {
        let client = test.as_staff(staff_type, name);
        let shown = details(&client, order).await;
        for (history, field, key) in HISTORIES {
            let answer = page(&client, order, &format!("history={history}")).await;
            assert_eq!(marks(&answer.data()[field], key), marks(&shown[field], key), "{history} for {name}");
            assert_eq!(answer.data()["older"], shown["older"][history], "{history} for {name}");
        }
        let tries = page(&client, order, "history=tries&before=1900000000_z").await;
        let sees_tries = matches!(staff_type, Admin | Manager);
        assert_eq!(marks(&tries.data()["failed_tries"], "network").len(), if sees_tries { 50 } else { 0 }, "{name}");
        assert_eq!(shown["failed_tries_total"], if sees_tries { 60 } else { 0 }, "{name}");
    }
}

#[tokio::test]
async fn a_page_of_what_does_not_exist_is_refused_in_plain_words() {
    let test = TestApp::start_open().await;
    let order = add_order_with_rows(&test, 1).await;
    let budi = test.as_staff(Team, "Budi");
    for id in ["999999", "0", "kanari"] {
        let answer = budi.get(&format!("/admin/get-order-history/{id}?history=mails")).await;
        assert_eq!((answer.status, answer.message()), (404, "There is no such order"), "{id}");
    }
    for limit in [-1, 0, 201] {
        let answer = page(&budi, order, &format!("history=mails&limit={limit}")).await;
        assert_eq!((answer.status, answer.message()), (422, "limit is a number from 1 to 200"), "{limit}");
    }
    for query in [
        "history=mails&before=",
        "history=remarks&before=1_1",
        "history=timeline&before=newest",
        "history=tries&before=17",
        "history=tries&before=9223372036854775807_1.2.3.4",
        "history=tries&before=-1_1.2.3.4",
    ] {
        let answer = page(&budi, order, query).await;
        let message = "before is the older of a previous response";
        assert_eq!((answer.status, answer.message()), (422, message), "{query}");
    }
    for query in ["", "history=visas", "history=mails&limit=ten"] {
        assert_eq!(page(&budi, order, query).await.status, 400, "{query}");
    }
}

#[tokio::test]
async fn each_page_is_noted_as_a_view_of_the_order() {
    let test = TestApp::start_open().await;
    let order = add_order_with_rows(&test, 60).await;
    let budi = test.as_staff(Team, "Budi");
    for _ in 0..2 {
        page(&budi, order, "history=mails&limit=20").await;
    }
    test.app.audit.access_log.flush().await.expect("the log is written");
    let views = access_log::table.select((access_log::action, access_log::order_id, access_log::row_count));
    let views: Vec<(String, Option<i64>, Option<i64>)> = test.read(move |conn| Ok(views.load(conn)?)).await;
    assert_eq!(views, vec![("order.view".to_owned(), Some(order), Some(1)); 2]);
}

#[tokio::test]
async fn details_with_thousands_of_rows_count_them_and_otherwise_send_the_same_statements_and_read_no_more_than_they_show()
 {
    let test = TestApp::start_open().await;
    let orders = [add_order_with_rows(&test, 5).await, add_order_with_rows(&test, 5_000).await];
    test.db().tidy_up().await.expect("statistics");
    test.clock.stop();
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let statements = Statements::watch(&test).await;
    let mut sent = Vec::new();
    for order in orders {
        statements.take();
        let shown = details(&ayu, order).await;
        let longest = HISTORIES.map(|(_, field, _)| shown[field].as_array().map_or(0, Vec::len));
        assert!(longest.iter().all(|rows| [5, 50].contains(rows)), "{longest:?}");
        // The note in the access log is written by itself.
        let selects = statements.take().into_iter().map(|sql| sql.replace(['"', '`'], ""));
        sent.push(selects.filter(|sql| sql.starts_with("SELECT ")).collect::<Vec<String>>());
    }
    let texts = |sent: &[String]| -> Vec<String> {
        sent.iter().map(|sql| sql.split(" -- binds").next().unwrap_or_default().to_owned()).collect()
    };
    assert!(!sent[0].is_empty(), "the statements are recorded");
    let counts = sent[1].extract_if(.., |sql| sql.starts_with("SELECT COUNT(*) ")).count();
    assert_eq!(counts, 4, "mails, downloads, remarks and wrong tries");
    assert_eq!(texts(&sent[0]), texts(&sent[1]));
    for table in ["mails", "mail_attempts", "downloads", "remarks", "audit", "failed_tracks"] {
        let is_of = |part: &str| {
            part.trim_start_matches('(').strip_prefix(table).is_some_and(|rest| rest.starts_with([' ', ')']))
        };
        let mut reads = sent[1].iter().filter(|sql| sql.split(" FROM ").skip(1).any(is_of)).peekable();
        assert!(reads.peek().is_some(), "{table} is read: {:#?}", sent[1]);
        for sql in reads {
            let (text, values) = sql.split_once(" -- binds: ").expect("values");
            let max: i64 = values
                .trim_matches(['[', ']'])
                .rsplit(", ")
                .next()
                .and_then(|last| last.parse().ok())
                .expect("a number");
            assert!(text.rsplit(" FROM ").next().is_some_and(|end| end.contains(" LIMIT ")), "{sql}");
            assert!([50, 51].contains(&max), "{sql}");
        }
    }
}
