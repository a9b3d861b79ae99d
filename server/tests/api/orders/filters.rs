//! Filtered lists: each filter and all of them together, with searches, pages, files and single rows, and what they may cost.

use chrono::{NaiveDate, TimeDelta};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Map, Value, json};
use visadesk::audit::store::Actor;
use visadesk::calendar;
use visadesk::db::Conn;
use visadesk::ids::StaffId;
use visadesk::orders::dialect::walk_in_order;
use visadesk::orders::filtered::{self, Reach};
use visadesk::orders::new_order::{self, NewOrder};
use visadesk::orders::rules::ProcessingMode::{self, Priority, Regular};
use visadesk::orders::rules::filter::OrderFilter;
use visadesk::orders::selection::Selection;
use visadesk::orders::status::ProcessStatus::{self, Awaiting, ChargeBack, Completed, Deleted, Future, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team, Telecaller};

use crate::support::orders::new_order;
use crate::support::statements::Statements;
use crate::support::{Client, TestApp};

const ORDERS: usize = 240;

/// Spellings of countries, and the name that a filter has for them.
const COUNTRIES: [(&str, &str); 6] = [
    ("Australia", "Australia"),
    ("AUS", "Australia"),
    ("australian", "Australia"),
    ("Türkiye", "Turkey"),
    ("Turkey", "Turkey"),
    ("Narnia", "Narnia"),
];

/// The facts of an order that a filter asks about.
#[derive(Clone, Debug)]
struct Facts {
    owner: Option<i64>,
    status: ProcessStatus,
    visa: Option<&'static str>,
    country: Option<&'static str>,
    mode: ProcessingMode,
    /// In the agency's time zone.
    received: NaiveDate,
    arrival: Option<NaiveDate>,
    name: &'static str,
}

/// Orders with random values, by their ids, oldest first.
struct Orders {
    today: NaiveDate,
    owners: [i64; 2],
    facts: Vec<(i64, Facts)>,
}

impl Orders {
    async fn add(test: &TestApp, owners: [i64; 2], random: &mut ChaCha8Rng) -> Self {
        let (now, zone) = (test.clock.now(), test.app.config.time_zone);
        let today = test.clock.today(zone);
        let mut orders: Vec<(NewOrder, Facts)> = Vec::new();
        for place in (0..ORDERS).rev() {
            let mut order = new_order(
                *[New, Awaiting, Completed, ChargeBack, Future, Deleted, Refunds].choose(random).expect("one"),
                now,
            );
            let owner = *[None, None, Some(owners[0]), Some(owners[1])].choose(random).expect("one");
            let visa = *[None, Some("C1"), Some("B1"), Some("D1")].choose(random).expect("one");
            let country = random.random_bool(0.9).then(|| *COUNTRIES.choose(random).expect("one"));
            let mode = if random.random_bool(0.3) { Priority } else { Regular };
            let name = *["Ana Putri", "José García", "Rahayu Kirana"].choose(random).expect("one");
            let arrival = random.random_bool(0.8).then(|| today + TimeDelta::days(random.random_range(0..20)));
            order.created_at = now - TimeDelta::hours(i64::try_from(place).expect("it is small"));
            order.processing_date =
                (order.process_status == Future).then(|| today + TimeDelta::days(random.random_range(1..40)));
            (order.assign_to, order.processing_mode) = (owner.map(StaffId), mode);
            order.visa_type = visa.map(Into::into);
            order.nationality = country.map(|(spelling, _)| spelling.into());
            order.full_name = name.into();
            order.application.arrival_date = arrival;
            let received = order.created_at.with_timezone(&zone).date_naive();
            let country = country.map(|(_, name)| name);
            let facts = Facts { owner, status: order.process_status, visa, country, mode, received, arrival, name };
            orders.push((order, facts));
        }
        let (new, facts): (Vec<NewOrder>, Vec<Facts>) = orders.into_iter().unzip();
        let ids = test.write(move |tx| new_order::add_all(tx, &new, &Actor::program("import"), now)).await;
        Self { today, owners, facts: ids.into_iter().map(|id| id.0).zip(facts).collect() }
    }

    /// Those of `ids` that a naive reading of the filter admits.
    fn admitted(&self, ids: &[i64], filter: &Map<String, Value>, me: i64) -> Vec<i64> {
        let text = |name: &str| filter.get(name).and_then(Value::as_str);
        let day = |name: &str| text(name).map(|day| day.parse::<NaiveDate>().expect("a day"));
        let is_admitted = |facts: &Facts| {
            let owner = text("owner").is_none_or(|owner| match owner {
                "none" => facts.owner.is_none(),
                "me" => facts.owner == Some(me),
                id => facts.owner.is_some_and(|owner| owner.to_string() == id),
            });
            owner
                && text("status").is_none_or(|status| facts.status.as_str() == status)
                && text("visa").is_none_or(|visa| facts.visa == Some(visa))
                && text("nationality").is_none_or(|country| facts.country == Some(country))
                && text("mode").is_none_or(|mode| facts.mode.as_str() == mode)
                && day("from").is_none_or(|day| facts.received >= day)
                && day("to").is_none_or(|day| facts.received <= day)
                && day("arrival_from").is_none_or(|day| facts.arrival.is_some_and(|arrival| arrival >= day))
                && day("arrival_to").is_none_or(|day| facts.arrival.is_some_and(|arrival| arrival <= day))
        };
        let is_in = |id: &&i64| self.facts.iter().any(|(of, facts)| of == *id && is_admitted(facts));
        ids.iter().filter(is_in).copied().collect()
    }

    /// A filter with each value as likely as `each`.
    fn filter(&self, each: f64, random: &mut ChaCha8Rng) -> Map<String, Value> {
        let day = |random: &mut ChaCha8Rng| self.today - TimeDelta::days(random.random_range(0..10));
        let arrival = |random: &mut ChaCha8Rng| self.today + TimeDelta::days(random.random_range(0..20));
        let [one, other] = self.owners;
        let values: [(&str, Value); 9] = [
            ("owner", json!(*["none", "me", &one.to_string(), &other.to_string()].choose(random).expect("one"))),
            ("status", json!(*[New, Completed, Awaiting, Future].choose(random).expect("one"))),
            ("visa", json!(*["C1", "B1"].choose(random).expect("one"))),
            ("nationality", json!(*["Australia", "Turkey"].choose(random).expect("one"))),
            ("mode", json!(*[Priority, Regular].choose(random).expect("one"))),
            ("from", json!(day(random))),
            ("to", json!(day(random))),
            ("arrival_from", json!(arrival(random))),
            ("arrival_to", json!(arrival(random))),
        ];
        let mut filter: Map<String, Value> = values
            .into_iter()
            .filter(|_| random.random_bool(each))
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        for (from, to) in [("from", "to"), ("arrival_from", "arrival_to")] {
            if filter.get(from).zip(filter.get(to)).is_some_and(|(from, to)| from.as_str() > to.as_str()) {
                filter.remove(to);
            }
        }
        filter
    }
}

/// The filter as the query of an address.
fn query(filter: &Map<String, Value>) -> String {
    let value = |value: &Value| value.as_str().expect("a text").replace(' ', "+");
    filter.iter().map(|(name, of)| format!("&{name}={}", value(of))).collect()
}

/// The ids of a list, and its total.
async fn listed(client: &Client<'_>, query: &str) -> (Vec<i64>, i64) {
    let page = client.get(&format!("/admin/get-orders-list/{query}")).await;
    (page.order_ids(), page.json["total"].as_i64().expect("a total"))
}

#[tokio::test]
async fn each_filter_and_any_of_them_together_admit_what_a_naive_reading_admits() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (made, budi) = (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    let mut random = ChaCha8Rng::seed_from_u64(41);
    let orders = Orders::add(&test, [made.id().await, budi.id().await], &mut random).await;
    let (mut admitted, mut left_out) = (0, 0);
    for round in 0..60 {
        let (client, me) = if round % 2 == 0 { (&made, orders.owners[0]) } else { (&budi, orders.owners[1]) };
        let folder = *["allOrder", "completedOrder", "myOrder", "awaitingOrder", "futureOrder", "chargeBackOrder"]
            .choose(&mut random)
            .expect("one");
        let each = if round < 20 { 0.1 } else { 0.25 };
        let filter = orders.filter(each, &mut random);
        let (all, _) = listed(client, &format!("{folder}?limit=1000")).await;
        let expected = orders.admitted(&all, &filter, me);
        let about = format!("{folder} {filter:?}");
        let total = expected.len() as i64;
        assert_eq!(
            listed(client, &format!("{folder}?limit=1000{}", query(&filter))).await,
            (expected.clone(), total),
            "{about}"
        );
        for (page, ids) in (1..).zip(expected.chunks(7).take(3)) {
            let call = format!("{folder}?limit=7&page={page}{}", query(&filter));
            assert_eq!(listed(client, &call).await, (ids.to_vec(), total), "page {page} of {about}");
        }
        for term in ["putri", "garcía", "a"] {
            let body = json!({ "folderName": folder, "searchVal": term, "filter": filter, "end": 500 });
            let having = |id: &&i64| {
                let facts = &orders.facts.iter().find(|(of, _)| of == *id).expect("an order").1;
                let name = facts.name.to_lowercase();
                name.contains(term)
            };
            let expected: Vec<i64> = expected.iter().filter(having).copied().collect();
            assert_eq!(client.post("/admin/search-order", body).await.order_ids(), expected, "{term} in {about}");
        }
        admitted += expected.len();
        left_out += all.len() - expected.len();
    }
    assert!(admitted > 200 && left_out > 200, "{admitted} admitted, {left_out} left out");
}

#[tokio::test]
async fn a_filter_keeps_the_rights_of_a_list_and_narrows_its_file_its_needs_and_its_single_rows() {
    let test = TestApp::start().await;
    let (made, dewi) = (test.as_staff(Manager, "Made"), test.as_staff(Telecaller, "Dewi"));
    let owner = StaffId(dewi.id().await);
    let unassigned = test.add_order(Completed).await;
    let assigned = test.add_order_with(Completed, |order| order.assign_to = Some(owner)).await;
    assert_eq!(listed(&dewi, "completedOrder?owner=me").await.0, [assigned]);
    assert_eq!(listed(&dewi, "completedOrder?owner=none").await.0, [unassigned]);
    assert_eq!(listed(&dewi, "completedOrder?owner=").await.0, [assigned, unassigned], "an empty one filters nothing");
    let closed = dewi.get("/admin/get-orders-list/allOrder?status=Completed").await;
    assert_eq!((closed.status, &closed.json["code"]), (403, &json!("order_history_closed")), "{closed}");
    let rows = dewi.get(&format!("/admin/order-rows/completedOrder/{unassigned},{assigned}?owner=none")).await;
    assert_eq!(rows.order_ids(), [unassigned]);
    let file = made.get("/admin/orders-csv/completedOrder?owner=none").await;
    assert!(file.text.contains(&unassigned.to_string()) && !file.text.contains(&assigned.to_string()), "{file}");
    assert_eq!(listed(&made, "completedOrder?needs=untouched&owner=none").await, (vec![], 0));
}

#[tokio::test]
async fn a_value_that_no_filter_has_is_refused_with_its_own_code() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    for (filter, code) in [
        (json!({ "owner": "Budi" }), "invalid_owner_filter"),
        (json!({ "owner": "-1" }), "invalid_owner_filter"),
        (json!({ "status": "Lost" }), "invalid_status_filter"),
        (json!({ "mode": "fast" }), "invalid_mode_filter"),
        (json!({ "requirement": "everything" }), "invalid_requirement_filter"),
        (json!({ "visa": "Z99" }), "invalid_visa_filter"),
        (json!({ "nationality": "Narnia" }), "invalid_nationality_filter"),
        (json!({ "from": "yesterday" }), "invalid_date"),
        (json!({ "arrival_to": "2026-02-30" }), "invalid_date"),
        (json!({ "from": "2026-02-02", "to": "2026-02-01" }), "period_reversed"),
        (json!({ "arrival_from": "2026-02-02", "arrival_to": "2026-02-01" }), "period_reversed"),
    ] {
        let query = query(filter.as_object().expect("an object"));
        for call in ["get-orders-list/allOrder?", "orders-csv/allOrder?", "order-rows/allOrder/100001?"] {
            let refused = made.get(&format!("/admin/{call}{query}")).await;
            assert_eq!((refused.status, &refused.json["code"]), (422, &json!(code)), "{call} {filter}: {refused}");
        }
        let body = json!({ "folderName": "allOrder", "searchVal": "ana", "filter": filter });
        let refused = made.post("/admin/search-order", body).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!(code)), "{filter}: {refused}");
    }
}

#[tokio::test]
async fn a_filter_examines_the_first_orders_of_a_list_and_says_if_there_are_more() {
    let test = TestApp::start().await;
    let mut ids = Vec::new();
    for (place, status) in [Completed, Completed, New, Completed, Completed, Completed].into_iter().enumerate() {
        let mode = if place % 2 == 0 { Priority } else { Regular };
        ids.push(test.add_order_with(status, |order| order.processing_mode = mode).await);
    }
    let filter = OrderFilter { mode: Some(Priority), ..OrderFilter::default() };
    let listed = async |selection: Selection, filter: OrderFilter, examined, wanted| {
        let reach = Reach { examined, wanted };
        let found = test.read(move |conn| filtered::list(conn, &selection, &filter, reach)).await;
        (found.ids.iter().map(|id| id.0).collect::<Vec<_>>(), found.is_limited)
    };
    let completed = || Selection::Queue("Completed");
    assert_eq!(listed(completed(), filter.clone(), 5, 9).await, (vec![ids[4], ids[0]], false));
    assert_eq!(listed(completed(), filter.clone(), 4, 9).await, (vec![ids[4]], true), "the oldest is not examined");
    assert_eq!(listed(completed(), filter.clone(), 1, 9).await, (vec![], true));
    assert_eq!(listed(completed(), filter.clone(), 5, 1).await, (vec![ids[4]], false), "a page is full");
    // The orders of some days, and those of a status, are examined alone.
    let today = test.clock.today(test.app.config.time_zone);
    let day = calendar::start(today + TimeDelta::days(1), test.app.config.time_zone);
    let later = OrderFilter { received_from: Some(day), ..filter.clone() };
    assert_eq!(listed(completed(), later, 0, 9).await, (vec![], false));
    let of_status = OrderFilter { status: Some(Completed), ..filter.clone() };
    assert_eq!(listed(Selection::Everything, of_status, 5, 9).await, (vec![ids[4], ids[0]], false));
    assert_eq!(listed(Selection::Everything, filter, 5, 9).await, (vec![ids[4], ids[2]], true));
}

#[tokio::test]
async fn a_filtered_future_list_examines_the_soonest_orders() {
    let test = TestApp::start().await;
    let today = test.clock.today(test.app.config.time_zone);
    let mut ids = Vec::new();
    for (days, mode) in [(9, Priority), (3, Regular), (3, Priority), (5, Priority)] {
        let date = today + TimeDelta::days(days);
        ids.push(
            test.add_order_with(Future, |order| (order.processing_date, order.processing_mode) = (Some(date), mode))
                .await,
        );
    }
    for (examined, expected, is_limited) in
        [(4, vec![ids[2], ids[3], ids[0]], false), (3, vec![ids[2], ids[3]], true), (1, vec![], true)]
    {
        let filter = OrderFilter { mode: Some(Priority), ..OrderFilter::default() };
        let reach = Reach { examined, wanted: 9 };
        let found = test.read(move |conn| filtered::list(conn, &Selection::FutureDates(None), &filter, reach)).await;
        let found: (Vec<i64>, bool) = (found.ids.iter().map(|id| id.0).collect(), found.is_limited);
        assert_eq!(found, (expected, is_limited), "{examined} examined");
    }
}

/// The plan of a statement for whichever values, as lists are read.
fn plan(conn: &mut Conn, statement: &str) -> String {
    #[derive(QueryableByName)]
    struct SqliteStep {
        #[diesel(sql_type = Text)]
        detail: String,
    }
    #[derive(QueryableByName)]
    struct PostgresStep {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    walk_in_order(conn).expect("the settings");
    match conn {
        Conn::Sqlite(conn) => {
            let steps = diesel::sql_query(format!("EXPLAIN QUERY PLAN {statement}")).load::<SqliteStep>(conn);
            steps.expect("a plan").into_iter().map(|step| step.detail).collect::<Vec<_>>().join("; ")
        }
        Conn::Postgres(conn) => {
            // The index looks as expensive as that of a large table.
            conn.batch_execute(&format!(
                "SET LOCAL random_page_cost = 1000; SET LOCAL plan_cache_mode = force_generic_plan;
                 PREPARE listed AS {statement}"
            ))
            .expect("a statement");
            let count = (1..).take_while(|place| statement.contains(&format!("${place}"))).count();
            let values = vec!["NULL"; count].join(", ");
            let steps = diesel::sql_query(format!("EXPLAIN EXECUTE listed ({values})")).load::<PostgresStep>(conn);
            conn.batch_execute("DEALLOCATE listed").expect("the statement");
            steps.expect("a plan").into_iter().map(|step| step.line).collect::<Vec<_>>().join("; ")
        }
    }
}

#[tokio::test]
async fn a_filtered_page_reads_the_index_of_its_list_in_its_order() {
    let test = TestApp::start().await;
    test.add_order(Completed).await;
    let made = test.as_staff(Admin, "Made");
    made.id().await;
    let statements = Statements::watch(&test).await;
    for (folder, query, index, expected) in [
        ("completedOrder", "mode=Regular+Processing", "orders_queue", 2),
        ("completedOrder", "mode=Regular+Processing&from=2026-01-01&to=2036-01-01", "orders_queue", 2),
        ("allOrder", "owner=none&visa=C1", "orders_newest", 2),
        ("allOrder", "status=Completed", "orders_queue", 2),
        ("allOrder", "arrival_from=2026-01-01&arrival_to=2026-02-01", "orders_newest", 2),
        ("completedOrder", "nationality=Australia", "orders_queue", 3),
        ("allOrder", "requirement=documents_missing", "orders_newest", 2),
        ("completedOrder", "requirement=nothing", "orders_queue", 2),
        ("myOrder", "status=Completed", "orders_open_owner", 2),
        ("futureOrder", "visa=C1&from=2026-01-01", "orders_future", 2),
    ] {
        statements.take();
        made.get(&format!("/admin/get-orders-list/{folder}?{query}")).await.order_ids();
        let sent =
            statements.take().into_iter().map(|sql| sql.split(" -- binds").next().unwrap_or_default().to_owned());
        let of_filter: Vec<String> = sent
            .filter(|sql| sql.contains(r#"FROM "orders""#) || sql.contains("FROM `orders`"))
            .filter(|sql| !sql.contains("full_name"))
            .collect();
        assert_eq!(of_filter.len(), expected, "{folder} {query}: {of_filter:#?}");
        for statement in of_filter {
            let plan = test
                .write({
                    let statement = statement.clone();
                    move |tx| Ok(plan(tx, &statement))
                })
                .await;
            assert!(plan.contains(index), "{statement}: {plan}");
            let is_by_status_alone = (folder, query) == ("allOrder", "status=Completed");
            assert!(!is_by_status_alone || !statement.contains("process_status"), "not in the index: {statement}");
            assert!(!plan.contains("FOR ORDER BY") && !plan.contains("Sort"), "{statement}: {plan}");
        }
    }
}
