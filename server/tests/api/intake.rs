mod kept;

use chrono::{Days, NaiveDate};
use chrono_tz::UTC;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::audit::store::Actor;
use visadesk::db::schema::{api_keys, applications, audit, checkouts, orders, payments, search_texts};
use visadesk::intake::rules::keys::{KeyLimits, NewKey, TypedKey};
use visadesk::intake::{command, keys};
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use crate::support::database::{Database, apart, connect, runs_on};
use crate::support::{Client, TestApp};

/// The client of the sales site `shop`, with a new key.
pub async fn shop(test: &TestApp) -> Client<'_> {
    test.with_api_key(&shop_key(test).await)
}

/// A new key of the sales site `shop`.
pub async fn shop_key(test: &TestApp) -> String {
    key_with(test, KeyLimits::default()).await
}

async fn key_with(test: &TestApp, limits: KeyLimits) -> String {
    let (key, now) = (keys::generate(), test.clock.now());
    let stored = key.clone();
    test.write(move |tx| {
        let new = NewKey { limits: limits.clone(), ..NewKey::unlimited("shop")? };
        keys::add(tx, &new, &stored, &Actor::program("a test"), now)
    })
    .await;
    key
}

/// The required fields of an order, and the fields in `more`.
pub fn order(more: Value) -> Value {
    let mut order = json!({
        "full_name": "Ann Lee", "contact_email_address": "ann@example.com", "processing_mode": "Regular Processing",
    });
    for (field, value) in more.as_object().unwrap() {
        order[field] = value.clone();
    }
    order
}

pub fn payment() -> Value {
    json!({ "gateway": "Stripe", "payment_reference": "pay_1", "amount": "149.00", "currency": "USD" })
}

async fn count(test: &TestApp) -> i64 {
    test.read(|conn| Ok(orders::table.count().get_result(conn)?)).await
}

async fn status(test: &TestApp, order_id: i64) -> String {
    test.read(move |conn| Ok(orders::table.find(order_id).select(orders::process_status).first(conn)?)).await
}

fn id(answer: &crate::support::Answer) -> i64 {
    assert_eq!(answer.status, 200, "{answer}");
    answer.data()["order_id"].as_i64().unwrap()
}

#[tokio::test]
async fn an_order_is_created_with_all_its_fields() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let sent = order(json!({
        "external_reference": "WEB-1", "user": { "email": "account@example.com" }, "country_code": "+62",
        "phone_number": "0812-3456", "nationality": "Australia", "visa_type": "C1", "sub_purpose_of_visit": "TOURISM",
        "date_of_birth": "1990-05-17", "document_number": "PA1234567", "stay_day": 60, "purchase_ip": "::ffff:203.0.113.9",
        "user_agent": "Mozilla/5.0", "terms_accepted_at": "2026-01-02T03:04:05Z", "payment": payment(),
    }));
    let answer = shop.post("/intake/orders", sent).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"The order has been taken in","data":{"order_id":100001,"order_number":"VD-100001","warnings":[]}}"#);

    let row: (String, Option<String>, Option<String>, String) = test
        .read(|conn| {
            let columns = (orders::process_status, orders::country_code, orders::visa_type, search_texts::search_text);
            Ok(orders::table
                .inner_join(search_texts::table)
                .filter(orders::order_id.eq(100_001))
                .select(columns)
                .first(conn)?)
        })
        .await;
    assert_eq!(
        row,
        (
            "New".into(),
            Some("62".into()),
            Some("C1".into()),
            "ann lee\nann@example.com\naccount@example.com\n6208123456\nvd-100001\npa1234567\n".into()
        )
    );
    let application: (Option<String>, Option<NaiveDate>, Option<i32>) = test
        .read(|conn| {
            let columns = (applications::sub_purpose_of_visit, applications::date_of_birth, applications::stay_day);
            Ok(applications::table.find(100_001).select(columns).first(conn)?)
        })
        .await;
    assert_eq!(application.0.as_deref(), Some("Tourism, Family Visit and Transit"));
    assert_eq!((application.1, application.2), (NaiveDate::from_ymd_opt(1990, 5, 17), Some(60)));
    let checkout: (Option<String>, Option<Timestamp>) = test
        .read(|conn| {
            Ok(checkouts::table
                .find(100_001)
                .select((checkouts::purchase_ip, checkouts::terms_accepted_at))
                .first(conn)?)
        })
        .await;
    assert_eq!(checkout.0.as_deref(), Some("203.0.113.9"));
    assert_eq!(checkout.1, "2026-01-02T03:04:05Z".parse().ok());
    let paid: (i64, String) = test
        .read(|conn| {
            Ok(payments::table.find(100_001).select((payments::amount_minor, payments::currency)).first(conn)?)
        })
        .await;
    assert_eq!(paid, (14_900, "USD".into()));
    let audited: Vec<(String, String, Option<String>)> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::order_id.eq(100_001));
            Ok(rows.select((audit::action, audit::actor, audit::after)).load(conn)?)
        })
        .await;
    assert_eq!(audited, [("order.arrive".into(), "sales site shop".into(), Some("New".into()))]);
}

#[tokio::test]
async fn a_created_order_is_found_by_search() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let created =
        id(&shop.post("/intake/orders", order(json!({ "full_name": "王小明 Иванов", "payment": payment() }))).await);
    for term in ["小明", "иван", "明", "ann@ex", &format!("vd-{created}")] {
        let body = json!({ "start": 0, "end": 10, "searchVal": term, "folderName": "newOrder" });
        let found = test.as_staff(Team, "Budi").post("/admin/search-order", body).await;
        assert_eq!(found.data()[0]["order_id"].as_i64(), Some(created), "{term}: {found}");
    }
}

#[tokio::test]
async fn creating_orders_needs_a_valid_api_key() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let rejected = r#"401 {"status":0,"code":"unknown_api_key","message":"The X-Api-Key is missing or not known"}"#;
    for key in ["", "vdk_", "vdk_00", "visadesk_", "visadesk_00", "nonsense", &"k".repeat(4_000)] {
        let answer = test.with_api_key(key).post("/intake/orders", order(json!({}))).await;
        assert_eq!(answer.to_string(), rejected, "{key}");
    }
    assert_eq!(test.anonymous().post("/intake/orders", order(json!({}))).await.to_string(), rejected);
    assert_eq!(test.as_staff(Team, "Budi").post("/intake/orders", order(json!({}))).await.to_string(), rejected);

    let now = test.clock.now();
    let db = test.db().clone();
    let revoked = tokio::task::spawn_blocking(move || command::revoke(&db, "shop".into(), now)).await;
    revoked.expect("it runs").expect("the key is revoked");
    assert_eq!(shop.post("/intake/orders", order(json!({}))).await.to_string(), rejected);
    assert_eq!(count(&test).await, 0);
}

#[tokio::test]
async fn an_api_key_is_stored_as_a_hash_and_its_name_is_unique() {
    let test = TestApp::start().await;
    let (db, now) = (test.db().clone(), test.clock.now());
    let typed = TypedKey { name: "shop".into(), ..TypedKey::default() };
    let add = move || command::add(&db, &typed, now, UTC);
    let key = tokio::task::spawn_blocking(add.clone()).await.unwrap().unwrap();
    let again = tokio::task::spawn_blocking(add).await.unwrap();
    assert_eq!(again.unwrap_err().message(), "There is or was a key named shop. Please choose another name");
    let stored: String = test.read(|conn| Ok(api_keys::table.select(api_keys::key_hash).first(conn)?)).await;
    assert!(stored.len() == 64 && !key.contains(&stored));
    assert_eq!(test.with_api_key(&key).post("/intake/orders", order(json!({}))).await.status, 200);
}

#[tokio::test]
async fn each_missing_required_field_is_named() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    assert_snapshot!(shop.post("/intake/orders", json!({})).await, @r#"422 {"status":0,"code":"invalid_fields","message":"contact_email_address is missing; full_name is missing, and so are first_name and last_name; processing_mode is missing: Regular Processing or Priority Processing","data":{"errors":[{"field":"contact_email_address","reason":"is missing"},{"field":"full_name","reason":"is missing, and so are first_name and last_name"},{"field":"processing_mode","reason":"is missing: Regular Processing or Priority Processing"}]}}"#);
    assert_eq!(count(&test).await, 0);
}

#[tokio::test]
async fn with_a_strict_key_invalid_input_is_rejected_and_adds_no_row() {
    let test = TestApp::start().await;
    let strict = KeyLimits { is_strict: true, ..KeyLimits::default() };
    let shop = test.with_api_key(&key_with(&test, strict).await);
    let invalid = [
        json!(true),
        json!(7),
        json!(1e300),
        json!([]),
        json!(["x"]),
        json!({ "a": 1 }),
        json!("x".repeat(5_000)),
        json!("a\u{1}b"),
        json!("\u{202e}abc"),
        json!("2026-13-01"),
        json!("-1"),
        json!("1; DROP TABLE orders"),
    ];
    for field in [
        "full_name",
        "contact_email_address",
        "processing_mode",
        "processing_date",
        "date_of_birth",
        "phone_number",
        "country_code",
        "visa_type",
        "stay_day",
        "purchase_ip",
        "terms_accepted_at",
        "amount",
        "currency",
        "address",
        "external_reference",
        "user",
        "payment",
    ] {
        for value in &invalid {
            let free = ["full_name", "address", "external_reference"].contains(&field);
            if free && value.as_str().is_some_and(|text| text.len() < 100 && text.is_ascii() && !text.contains('\u{1}'))
            {
                continue;
            }
            if (field == "stay_day" && value == 7)
                || (field == "user" && value.is_object())
                || (field == "phone_number" && value == "2026-13-01")
            {
                continue;
            }
            let answer = shop.post("/intake/orders", order(json!({ field: value }))).await;
            assert!((400..=422).contains(&answer.status), "{field} {value}: {answer}");
            assert!(!answer.message().is_empty());
        }
    }
    assert_eq!(count(&test).await, 0);
}

#[tokio::test]
async fn bodies_that_are_not_json_are_rejected() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let send = async |body: Vec<u8>, content_type: &str| {
        let request = shop.request(reqwest::Method::POST, "/api/intake/orders").await;
        shop.send(request.header("content-type", content_type).body(body)).await.status
    };
    let json = "application/json";
    let name = |text: &str| {
        format!(r#"{{"full_name":"{text}","contact_email_address":"a@b.co","processing_mode":"Regular Processing"}}"#)
    };
    assert_eq!(send(b"".to_vec(), json).await, 400);
    assert_eq!(send(b"[]".to_vec(), json).await, 422);
    assert_eq!(send(b"{".to_vec(), json).await, 400);
    assert_eq!(send(name("\\ud800").into_bytes(), json).await, 400);
    assert_eq!(send(name("\\u0000").into_bytes(), json).await, 422);
    assert_eq!(send(b"{\"full_name\":\"\xff\xfe\"}".to_vec(), json).await, 400);
    assert_eq!(send(b"{\"full_name\":\"\xc0\x80\"}".to_vec(), json).await, 400);
    assert_eq!(send(name(&"x".repeat(1_000_000)).into_bytes(), json).await, 413);
    assert_eq!(send(name("x").into_bytes(), "text/plain").await, 415);
    assert_eq!(send("[".repeat(100_000).into_bytes(), json).await, 400);
    assert_eq!(count(&test).await, 0);
    assert_eq!(send(name("\\u00e9").into_bytes(), json).await, 200);
}

#[tokio::test]
async fn fields_that_the_sales_site_may_not_set_are_ignored() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let more = json!({
        "order_id": 7, "process_status": "Completed", "assign_to": "Budi", "refund_date": "2020-01-01", "is_admin": true,
        "created_at": "2020-01-01T00:00:00Z", "status": 1, "search_text": "x",
    });
    let created = id(&shop.post("/intake/orders", order(more)).await);
    assert_eq!((created, status(&test, created).await.as_str()), (100_001, "Pending"));
}

#[tokio::test]
async fn a_repeated_reference_returns_the_existing_order() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let first = id(&shop.post("/intake/orders", order(json!({ "external_reference": "WEB-1" }))).await);
    let changed = order(json!({ "external_reference": "WEB-1", "full_name": "Somebody Else" }));
    let again = shop.post("/intake/orders", changed).await;
    assert_snapshot!(again, @r#"200 {"status":1,"message":"The order is here already","data":{"order_id":100001,"order_number":"VD-100001","warnings":[]}}"#);
    assert_eq!((id(&again), count(&test).await), (first, 1));
    let name: String =
        test.read(move |conn| Ok(orders::table.find(first).select(orders::full_name).first(conn)?)).await;
    assert_eq!(name, "Ann Lee");
}

#[tokio::test]
async fn twenty_concurrent_requests_with_one_reference_create_one_order() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let body = order(json!({ "external_reference": "WEB-1" }));
    let answers = futures_util::future::join_all((0..20).map(|_| shop.post("/intake/orders", body.clone()))).await;
    for answer in &answers {
        assert_eq!(id(answer), 100_001, "{answer}");
    }
    assert_eq!(count(&test).await, 1);
}

#[tokio::test]
async fn an_order_whose_reference_is_the_name_of_another_lock_does_not_wait_for_it() {
    if !runs_on(Database::Postgres, "SQLite has one writer, and no locks by name") {
        return;
    }
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let mut holder = connect(&test.app.config.database_url);
    for name in ["admins", "migrations", "gateways", "audit chain", "staff 1"] {
        let lock = format!("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('{name}', 0))");
        apart(|| holder.batch_execute(&lock)).expect("the lock is free");
        id(&shop.post("/intake/orders", order(json!({ "external_reference": name }))).await);
        apart(|| holder.batch_execute("ROLLBACK")).expect("the lock is released");
    }
}

#[tokio::test]
async fn twenty_concurrent_requests_with_one_key_create_one_order() {
    let test = TestApp::start().await;
    let shop = shop(&test).await.with_key("k1");
    let body = order(json!({}));
    let answers = futures_util::future::join_all((0..20).map(|_| shop.post("/intake/orders", body.clone()))).await;
    for answer in &answers {
        assert!(answer.status == 409 || id(answer) == 100_001, "{answer}");
    }
    assert_eq!(count(&test).await, 1);
    assert_eq!(id(&shop.post("/intake/orders", body).await), 100_001);
    let other = shop.post("/intake/orders", order(json!({ "full_name": "Bob" }))).await;
    assert_eq!(other.status, 422, "{other}");
    assert_eq!(count(&test).await, 1);
}

#[tokio::test]
async fn a_payment_moves_a_pending_order_to_new_or_to_future_until_its_day() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let ahead = test.clock.today(test.app.config.time_zone) + Days::new(5);
    let now = id(&shop.post("/intake/orders", order(json!({}))).await);
    let later = id(&shop.post("/intake/orders", order(json!({ "processing_date": ahead }))).await);
    assert_eq!(status(&test, now).await, "Pending");

    let answer = shop.post(&format!("/intake/orders/{now}/payment"), payment()).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"The payment has been taken in","data":{"order_id":100001,"order_number":"VD-100001"}}"#);
    id(&shop.post(&format!("/intake/orders/VD-{later}/payment"), payment()).await);
    assert_eq!((status(&test, now).await.as_str(), status(&test, later).await.as_str()), ("New", "Future"));
}

#[tokio::test]
async fn a_repeated_payment_changes_nothing_and_another_payment_is_rejected() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let order_id = id(&shop.post("/intake/orders", order(json!({}))).await);
    let path = format!("/intake/orders/{order_id}/payment");
    let answers = futures_util::future::join_all((0..10).map(|_| shop.post(&path, payment()))).await;
    assert!(answers.iter().all(|answer| id(answer) == order_id));
    let mut other = payment();
    other["amount"] = json!("150.00");
    let rejected = shop.post(&path, other).await;
    assert_snapshot!(rejected, @r#"409 {"status":0,"code":"order_already_paid","message":"Order 100001 has another payment already"}"#);
    let paid: Vec<i64> = test.read(|conn| Ok(payments::table.select(payments::amount_minor).load(conn)?)).await;
    assert_eq!(paid, [14_900]);
    let audited: i64 =
        test.read(move |conn| Ok(audit::table.filter(audit::action.eq("order.pay")).count().get_result(conn)?)).await;
    assert_eq!(audited, 1);
}

#[tokio::test]
async fn a_payment_needs_an_order_and_valid_fields() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    assert_eq!(shop.post("/intake/orders/100001/payment", payment()).await.status, 404);
    assert_eq!(shop.post("/intake/orders/0/payment", payment()).await.status, 404);
    let order_id = id(&shop.post("/intake/orders", order(json!({}))).await);
    let path = format!("/intake/orders/{order_id}/payment");
    for (field, value) in [
        ("amount", json!("-1.00")),
        ("amount", json!(149)),
        ("amount", json!("1.999")),
        ("amount", json!("1e9")),
        ("currency", json!("BTC")),
        ("gateway", json!(null)),
        ("paid_at", json!("soon")),
        ("card_last_four", json!("12")),
    ] {
        let mut body = payment();
        body[field] = value;
        let answer = shop.post(&path, body).await;
        assert!(answer.status == 422 && answer.message().starts_with(field), "{field}: {answer}");
    }
    assert_eq!(status(&test, order_id).await, "Pending");
}
