//! Reports on countries and processed orders, compared with a recount from the lists and details.

use std::collections::BTreeMap;

use chrono::{Datelike, Days, NaiveDate, TimeDelta};
use diesel::prelude::*;
use insta::assert_snapshot;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use visadesk::db::schema::audit;
use visadesk::ids::StaffId;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};
use visadesk::timestamp::Timestamp;

use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

const COUNTRIES: &str = "/admin/get-country-order-list";
const PROCESSED: &str = "/admin/get-processed-by-count";

async fn report(desk: &Client<'_>, path: &str, from: impl ToString, to: impl ToString) -> Answer {
    desk.post(path, json!({ "fromDate": from.to_string(), "toDate": to.to_string() })).await
}

fn instant(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

/// The counts by nationality: all, standard, priority and future orders.
type Countries = BTreeMap<String, [i64; 4]>;

fn countries(answer: &Answer) -> Countries {
    assert_eq!(answer.status, 200, "{answer}");
    let number = |row: &Value, key: &str| row[key].as_i64().expect("a count");
    let counts =
        |row: &Value| ["count", "standard_count", "priority_count", "future_count"].map(|key| number(row, key));
    let rows = answer.data().as_array().expect("a list").iter();
    let all: Countries =
        rows.map(|row| (row["nationality"].as_str().expect("a name").to_owned(), counts(row))).collect();
    assert!(all.values().all(|[count, parts @ ..]| *count == parts.iter().sum::<i64>()), "the parts add up: {answer}");
    all
}

/// The same, counted from the list of all orders.
async fn recount(desk: &Client<'_>, (from, to): (NaiveDate, NaiveDate)) -> Countries {
    let list = desk.get("/admin/get-orders-list/allOrder?limit=1000").await;
    let mut counts = Countries::new();
    for order in list.data().as_array().expect("a list") {
        let created = instant(order["created_at"].as_str().expect("an instant"));
        let day = created.with_timezone(&chrono_tz::Asia::Jakarta).date_naive();
        let status = order["process_status"].as_str().expect("a status");
        if day < from || day > to || matches!(status, "Pending" | "Deleted") {
            continue;
        }
        let row = counts.entry(order["nationality"].as_str().unwrap_or("Not given").to_owned()).or_default();
        row[0] += 1;
        row[match (status, order["processing_mode"].as_str()) {
            ("Future", _) => 3,
            (_, Some("Priority Processing")) => 2,
            _ => 1,
        }] += 1;
    }
    counts
}

fn processed(answer: &Answer) -> BTreeMap<String, i64> {
    assert_eq!(answer.status, 200, "{answer}");
    let rows = answer.data().as_array().expect("a list").iter();
    rows.map(|row| (row["processed_by"].as_str().unwrap_or_default().to_owned(), row["count"].as_i64().unwrap_or(0)))
        .collect()
}

#[tokio::test]
async fn spellings_of_one_country_count_together_under_the_most_frequent() {
    let test = TestApp::start().await;
    for nationality in
        ["South Korea", "South Korea", "KOR", "korea, republic of", "North Korea", "Atlantis", "ATLANTIS"]
    {
        test.add_order_with(ProcessStatus::New, |order| order.nationality = Some(nationality.into())).await;
    }
    let today = test.clock.today(chrono_tz::Asia::Jakarta).to_string();
    let counts = countries(&report(&test.as_staff(Admin, "Ayu"), COUNTRIES, &today, &today).await);
    let counts: Vec<(&str, i64)> = counts.iter().map(|(name, [count, ..])| (name.as_str(), *count)).collect();
    assert_eq!(counts, [("ATLANTIS", 2), ("North Korea", 1), ("South Korea", 4)]);
}

#[tokio::test]
async fn after_random_moves_both_reports_equal_a_recount() {
    let test = TestApp::start().await;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let zone = chrono_tz::Asia::Jakarta;
    let today = test.clock.today(zone);
    let nationalities = [Some("Australia"), Some("France"), Some("Côte d'Ivoire"), None];
    let mut orders = Vec::new();
    for number in 0..40_i64 {
        let created_at = test.clock.now() - TimeDelta::hours(number * 7);
        let new = test.add_order_with(ProcessStatus::New, |order| {
            order.nationality = nationalities[rng.random_range(0..4)].map(str::to_owned);
            order.processing_mode = ProcessingMode::ALL[rng.random_range(0..2)];
            order.processing_date = today.checked_add_days(Days::new(90));
            order.created_at = created_at;
        });
        orders.push(new.await);
    }
    // The last member to complete each order, and the day.
    let mut completed: BTreeMap<i64, (&str, NaiveDate)> = BTreeMap::new();
    for _ in 0..3 {
        // Earlier sessions have expired.
        let desks = [("Ann", test.as_staff(Admin, "Ann")), ("Made", test.as_staff(Manager, "Made"))];
        for _ in 0..50 {
            let (name, desk) = &desks[rng.random_range(0..2)];
            let (order, to) = (orders[rng.random_range(0..40)], ProcessStatus::ALL[rng.random_range(0..11)]);
            let to = if rng.random_bool(0.3) { ProcessStatus::Completed } else { to };
            let path = format!("/admin/get-orders-details/{order}");
            let before = desk.get(&path).await.data()["process_status"].clone();
            let moved =
                desk.put("/admin/move-order-status", json!({ "orderId": order, "updatingStatus": to.as_str() }));
            assert_eq!(moved.await.status, 200);
            if to == ProcessStatus::Completed && before != "Completed" {
                completed.insert(order, (name, test.clock.today(zone)));
            }
        }
        let ann = &desks[0].1;
        let now = test.clock.today(zone);
        for (back, length) in [(0, 0), (1, 0), (3, 2), (6, 3), (30, 30), (400, 100)] {
            let from = now.checked_sub_days(Days::new(back)).expect("a day");
            let range = (from, from.checked_add_days(Days::new(length)).expect("a day"));
            assert_eq!(
                countries(&report(ann, COUNTRIES, range.0, range.1).await),
                recount(ann, range).await,
                "{range:?}"
            );

            let mut expected = BTreeMap::new();
            for (name, _) in completed.values().filter(|(_, day)| (range.0..=range.1).contains(day)) {
                *expected.entry((*name).to_owned()).or_insert(0) += 1;
            }
            assert_eq!(processed(&report(ann, PROCESSED, range.0, range.1).await), expected, "{range:?}");
        }
        for (order, (name, _)) in &completed {
            let details = ann.get(&format!("/admin/get-orders-details/{order}")).await;
            assert_eq!(details.data()["processed_by"], **name, "the details agree with the report");
        }
        test.later(TimeDelta::hours(31));
    }
}

/// The twelve monthly counts of a year, from the counts call and from the list of each month.
async fn months(desk: &Client<'_>, year: i32) -> (Vec<i64>, Vec<i64>) {
    let counts = desk.get(&format!("/admin/get-future-order-counts?year={year}")).await;
    let counts = counts.data().as_array().expect("twelve months").iter();
    let counted = counts.map(|month| month["count"].as_i64().expect("a count")).collect();
    let mut listed = Vec::new();
    for month in 1..=12 {
        let list = desk.get(&format!("/admin/get-orders-list/futureOrder?limit=1000&month={month}&year={year}")).await;
        listed.push(list.order_ids().len() as i64);
    }
    (counted, listed)
}

#[tokio::test]
async fn after_random_moves_the_monthly_counts_equal_a_recount_from_their_lists() {
    let test = TestApp::start().await;
    let ann = test.as_staff(Admin, "Ann");
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    let mut orders = Vec::new();
    for _ in 0..40 {
        let date = today.checked_add_days(Days::new(rng.random_range(1..800)));
        let new = test.add_order_with(ProcessStatus::Future, |order| order.processing_date = date);
        orders.push((new.await, date.expect("a day")));
    }
    for _ in 0..3 {
        for _ in 0..30 {
            let (order, to) = (orders[rng.random_range(0..40)].0, ProcessStatus::ALL[rng.random_range(0..11)]);
            let to = if rng.random_bool(0.4) { ProcessStatus::Future } else { to };
            let moved = json!({ "orderId": order, "updatingStatus": to.as_str() });
            assert_eq!(ann.put("/admin/move-order-status", moved).await.status, 200);
        }
        let waiting = ann.list("futureOrder").await;
        let mut all = 0;
        for year in today.year() - 1..=today.year() + 3 {
            let (counted, listed) = months(&ann, year).await;
            assert_eq!(counted, listed, "{year}");
            let of_month = |month: u32| {
                let matching = orders
                    .iter()
                    .filter(|(id, date)| waiting.contains(id) && (date.year(), date.month()) == (year, month));
                matching.count() as i64
            };
            assert_eq!(
                counted,
                (1..=12).map(of_month).collect::<Vec<_>>(),
                "{year}, from the processing dates of the orders"
            );
            all += counted.iter().sum::<i64>();
        }
        assert_eq!(all, waiting.len() as i64);
    }
}

#[tokio::test]
async fn each_report_runs_one_query_on_orders() {
    let test = TestApp::start().await;
    test.add_order(ProcessStatus::Completed).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let statements = Statements::watch(&test).await;
    // The access log is written at any time.
    let is_of_orders = |text: &String| text.contains("order") && !text.contains("access_log");
    let queries = || statements.take().into_iter().filter(is_of_orders).collect::<Vec<_>>();
    for path in [COUNTRIES, PROCESSED] {
        queries();
        assert_eq!(report(&ayu, path, "2026-01-01", "2026-12-31").await.status, 200);
        let queries = queries();
        assert_eq!(queries.len(), 1, "{path}: {queries:?}");
        assert!(queries[0].contains("GROUP BY"), "{queries:?}");
    }
    queries();
    assert_eq!(ayu.get("/admin/get-future-order-counts?year=2031").await.status, 200);
    let queries = queries();
    assert!(queries.len() == 1 && queries[0].contains("folder_counters"), "{queries:?}");
}

#[tokio::test]
async fn both_ends_of_a_range_are_whole_days_in_the_agency_time_zone() {
    let test = TestApp::start().await;
    let budi = test.add_member(Team, "Budi").await;
    for at in
        ["2026-01-30T16:59:59.999999Z", "2026-01-30T17:00:00Z", "2026-01-31T16:59:59.999999Z", "2026-01-31T17:00:00Z"]
    {
        let at = instant(at);
        test.add_order_with(ProcessStatus::Completed, |order| {
            (order.created_at, order.processed_by, order.processed_at) = (at, Some(StaffId(budi)), Some(at));
        })
        .await;
    }
    let ayu = test.as_staff(Admin, "Ayu");
    for day in ["2026-01-31", "01/31/2026", "31-01-2026"] {
        assert_eq!(countries(&report(&ayu, COUNTRIES, day, day).await)["Australia"][0], 2, "{day}");
        assert_eq!(processed(&report(&ayu, PROCESSED, day, day).await)["Budi"], 2, "{day}");
    }
    assert_snapshot!(report(&ayu, COUNTRIES, "2026-01-30", "2026-02-01").await, @r#"200 {"status":1,"message":"","data":[{"nationality":"Australia","count":4,"standard_count":4,"priority_count":0,"future_count":0}]}"#);
    assert_snapshot!(report(&ayu, PROCESSED, "2026-01-30", "2026-02-01").await, @r#"200 {"status":1,"message":"4 orders were processed on these days","data":[{"processed_by":"Budi","count":4}]}"#);
    assert_snapshot!(report(&ayu, PROCESSED, "2025-01-30", "2025-02-01").await, @r#"200 {"status":1,"message":"No order was processed on these days","data":[]}"#);
}

#[tokio::test]
async fn invalid_dates_are_refused_with_what_to_do() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let valid = json!("2026-01-31");
    let invalid = [
        "yesterday",
        "2026-13-01",
        "2026-02-30",
        "2026-00-10",
        "2026-01-00",
        "2025-02-29",
        "13/31/2026",
        "02/30/2026",
        "31/01/2026",
        "31-02-2026",
        "01-31-2026",
        "2026/01/31",
        "2026.01.31",
        "31.01.2026",
        "20260131",
        "2026-1-31",
        "26-01-31",
        "1/31/2026",
        "01/31/26",
        "2026-01-31T00:00:00Z",
        "2026-01-31 00:00",
        "+2026-01-3",
        "-026-01-31",
        "2026-01-3x",
        "２０２６-01-31",
        "2026–01–31",
        "0000-00-00",
        "0000-01-01",
        "1899-12-31",
        "2101-01-01",
        "9999-12-31",
        "99999-1-01",
        "2026-W05-6",
        "2026-031",
        "1769817600",
        "NaN",
        "null",
        "2026-01-31'; DROP TABLE orders; --",
        "%",
        "2026-01-31\u{a0}x",
    ];
    for text in invalid {
        for (from, to) in [(json!(text), valid.clone()), (valid.clone(), json!(text))] {
            for path in [COUNTRIES, PROCESSED] {
                let refused = ayu.post(path, json!({ "fromDate": from, "toDate": to })).await;
                assert_eq!(refused.status, 422, "{from} {to}: {refused}");
                assert!(refused.message().contains("is not a date. Please write it as"), "{refused}");
            }
        }
    }
    for (body, message) in [
        (json!({}), "Please choose the from date"),
        (json!({ "fromDate": "2026-01-31" }), "Please choose the to date"),
        (json!({ "fromDate": "", "toDate": "2026-01-31" }), "Please choose the from date"),
        (
            json!({ "fromDate": "2026-02-01", "toDate": "2026-01-31" }),
            "The from date is after the to date. Please choose an earlier from date",
        ),
        (
            json!({ "fromDate": "2015-01-30", "toDate": "2026-01-31" }),
            "Please choose dates that are at most 10 years apart",
        ),
    ] {
        let refused = ayu.post(COUNTRIES, body).await;
        assert_eq!((refused.status, refused.message()), (422, message));
    }
}

#[tokio::test]
async fn each_report_exports_a_csv_without_formulas_and_is_audited() {
    let test = TestApp::start().await;
    let at = instant("2026-01-31T05:00:00Z");
    let formula_member = test.add_member(Team, "=Budi").await;
    test.add_order_with(ProcessStatus::Completed, |order| {
        order.nationality = Some("=HYPERLINK(\"x\", 1)".into());
        (order.created_at, order.processed_by, order.processed_at) = (at, Some(StaffId(formula_member)), Some(at));
    })
    .await;
    let ahead = NaiveDate::from_ymd_opt(2031, 5, 1);
    test.add_order_with(ProcessStatus::Future, |order| order.processing_date = ahead).await;

    let ayu = test.as_staff(Admin, "Ayu");
    let days = "fromDate=2026-01-31&toDate=01/31/2026";
    let countries = ayu.get(&format!("/admin/country-orders-csv?{days}")).await;
    assert_eq!(countries.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(countries.header("content-disposition"), "attachment; filename=\"country-orders.csv\"");
    assert_eq!(
        countries.text,
        "Country,Order,Standard Orders,Priority Orders,Future Orders\r\n\"'=HYPERLINK(\"\"x\"\", 1)\",1,1,0,0\r\n"
    );
    let people = ayu.get(&format!("/admin/processed-by-csv?{days}")).await;
    assert_eq!(people.text, "Serial Number,Name,Order Count\r\n1,'=Budi,1\r\n");
    assert_eq!(people.header("content-disposition"), "attachment; filename=\"processed-by.csv\"");
    let months = test.as_staff(Manager, "Made").get("/admin/future-orders-csv?year=2031").await;
    let lines: Vec<&str> = months.text.split("\r\n").collect();
    assert_eq!(
        (lines.len(), lines[0], lines[1], lines[5]),
        (14, "Year,Month,Order Count", "2031,January,0", "2031,May,1")
    );
    assert_eq!(months.header("content-disposition"), "attachment; filename=\"future-orders.csv\"");
    assert_eq!(ayu.get("/admin/country-orders-csv?fromDate=2026-01-31").await.message(), "Please choose the to date");

    let audited: Vec<(String, Option<String>)> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::action.eq("report.export")).order(audit::audit_id);
            Ok(rows.select((audit::actor, audit::after)).load(conn)?)
        })
        .await;
    let row = |who: &str, what: &str| (who.to_owned(), Some(what.to_owned()));
    assert_eq!(
        audited,
        [
            row("Ayu", "country-orders.csv 2026-01-31 to 2026-01-31"),
            row("Ayu", "processed-by.csv 2026-01-31 to 2026-01-31"),
            row("Made", "future-orders.csv 2031"),
        ]
    );
}

#[tokio::test]
async fn every_report_refuses_a_reversed_and_an_overlong_period() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    for (from, to, code) in
        [("2026-02-02", "2026-02-01", "period_reversed"), ("2001-01-01", "2026-01-01", "period_too_long")]
    {
        let csv = async |file: &str| ayu.get(&format!("/admin/{file}?fromDate={from}&toDate={to}")).await;
        for answer in [
            report(&ayu, COUNTRIES, from, to).await,
            report(&ayu, PROCESSED, from, to).await,
            csv("country-orders-csv").await,
            csv("processed-by-csv").await,
        ] {
            assert_eq!((answer.status, &answer.json["code"]), (422, &json!(code)), "{answer}");
        }
    }
}
