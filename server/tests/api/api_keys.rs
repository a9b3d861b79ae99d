//! The API keys of the sales sites: whose orders they see, what they may do, and how they end.

mod managing;
mod sources;

use chrono::TimeDelta;
use diesel::prelude::*;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::audit::store::Actor;
use visadesk::db::schema::{api_keys, audit, orders, payments};
use visadesk::intake::keys;
use visadesk::intake::rules::keys::{NewKey, TypedKey};
use visadesk::timestamp::Timestamp;

use crate::intake::{order, payment, shop};
use crate::support::sample_files::pdf;
use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp, until};

const REFUSED: &str = r#"401 {"status":0,"code":"unknown_api_key","message":"The X-Api-Key is missing or not known"}"#;

/// Adds a key with the changed options. Returns it.
async fn key(test: &TestApp, name: &str, change: impl FnOnce(&mut TypedKey)) -> String {
    let mut typed = TypedKey { name: name.into(), ..TypedKey::default() };
    change(&mut typed);
    let (key, now) = (keys::generate(), test.clock.now());
    let new = NewKey::check(&typed, now, test.app.config.time_zone).expect("valid options");
    let added = key.clone();
    test.write(move |tx| keys::add(tx, &new, &added, &Actor::program("a test"), now)).await;
    key
}

/// The client of a new key of this source.
async fn shop_of<'a>(test: &'a TestApp, name: &str, source: &str) -> Client<'a> {
    test.with_api_key(&key(test, name, |typed| typed.source = Some(source.into())).await)
}

/// Each call of a sales site about the order, with the right it needs.
async fn all_calls(shop: &Client<'_>, order_id: i64) -> [(&'static str, Answer); 4] {
    [
        ("orders", shop.post("/intake/orders", order(json!({}))).await),
        ("payments", shop.post(&format!("/intake/orders/{order_id}/payment"), payment()).await),
        ("documents", add_document(shop, order_id).await),
        ("gateway", shop.get("/intake/active-gateway").await),
    ]
}

async fn add_document(shop: &Client<'_>, order_id: i64) -> Answer {
    let form = Form::new().part("file", Part::bytes(pdf()).file_name("passport.pdf"));
    shop.upload(&format!("/intake/orders/{order_id}/documents/passport_picture"), form).await
}

async fn new_order(shop: &Client<'_>) -> i64 {
    let answer = shop.post("/intake/orders", order(json!({}))).await;
    answer.data()["order_id"].as_i64().unwrap_or_else(|| panic!("{answer}"))
}

/// The refusals of keys in the audit, the oldest first.
async fn refusals(test: &TestApp) -> Vec<(String, Option<String>)> {
    test.app.audit.access_log.flush().await.expect("the log is written");
    test.read(|conn| {
        let rows = audit::table.filter(audit::action.eq("api-key.refused")).order(audit::audit_id);
        Ok(rows.select((audit::actor, audit::after)).load(conn)?)
    })
    .await
}

fn refusal(name: &str, reason: &str) -> (String, Option<String>) {
    (format!("sales site {name}"), Some(reason.to_owned()))
}

async fn last_use(test: &TestApp) -> Option<Timestamp> {
    test.read(|conn| Ok(api_keys::table.select(api_keys::last_used_at).first(conn)?)).await
}

#[tokio::test]
async fn each_right_opens_its_call_and_no_other() {
    let test = TestApp::start().await;
    let order_id = new_order(&shop(&test).await).await;
    for right in ["orders", "payments", "documents", "gateway"] {
        let key = key(&test, right, |typed| typed.rights = Some(vec![right.into()])).await;
        for (needed, answer) in all_calls(&test.with_api_key(&key), order_id).await {
            if needed == right {
                assert_eq!(answer.status, 200, "{right} opens {needed}: {answer}");
                continue;
            }
            assert_eq!(
                answer.to_string(),
                format!(
                    r#"403 {{"status":0,"code":"api_key_right_missing","message":"This API key lacks the right for this call: {needed}. Ask an Admin for a key that has it"}}"#
                )
            );
        }
    }
    let refused = refusals(&test).await;
    let first = refusal("orders", "missing right");
    assert!(refused.contains(&first) && refused.len() <= 8, "one row, and one more for its repetitions: {refused:?}");
}

#[tokio::test]
async fn a_payment_inside_a_new_order_needs_the_right_for_payments_too() {
    let test = TestApp::start().await;
    let rights = |rights: &'static [&str]| {
        move |typed: &mut TypedKey| typed.rights = Some(rights.iter().map(|right| (*right).to_owned()).collect())
    };
    let orders_alone = test.with_api_key(&key(&test, "orders alone", rights(&["orders"])).await);
    let both = test.with_api_key(&key(&test, "both", rights(&["orders", "payments"])).await);
    for paid in [order(json!({ "payment": payment() })), order(payment())] {
        let refused = orders_alone.post("/intake/orders", paid.clone()).await;
        assert_eq!((refused.status, refused.json["code"].as_str()), (403, Some("api_key_right_missing")), "{refused}");
        assert!(refused.message().contains("for this call: payments"), "{refused}");
        assert_eq!(both.post("/intake/orders", paid).await.status, 200);
    }
    assert_eq!(orders_alone.post("/intake/orders", order(json!({}))).await.status, 200);
    let stored: (i64, i64) = test
        .read(|conn| Ok((orders::table.count().get_result(conn)?, payments::table.count().get_result(conn)?)))
        .await;
    assert_eq!(stored, (3, 2), "nothing of a refused order is stored");
    assert_eq!(refusals(&test).await[0], refusal("orders alone", "missing right"));
}

#[tokio::test]
async fn a_key_without_options_may_do_everything_for_ever() {
    let test = TestApp::start().await;
    let of_source = shop_of(&test, "one", "One").await;
    let order_id = new_order(&of_source).await;
    let unlimited = test.with_api_key(&key(&test, "unlimited", |_| {}).await);
    test.later(TimeDelta::days(20 * 365));
    for (call, answer) in all_calls(&unlimited, order_id).await {
        assert_eq!(answer.status, 200, "{call}: {answer}");
    }
}

#[tokio::test]
async fn a_key_is_refused_after_its_last_day_like_an_unknown_one() {
    let test = TestApp::start().await;
    let today = test.clock.today(test.app.config.time_zone);
    let key = key(&test, "brief", |typed| typed.expires = Some(today.to_string())).await;
    let shop = test.with_api_key(&key);
    assert_eq!(shop.get("/intake/active-gateway").await.status, 200, "the last day");
    test.later(TimeDelta::days(1));
    for (_, answer) in all_calls(&shop, 100_001).await {
        assert_eq!(answer.to_string(), REFUSED);
    }
    assert_eq!(refusals(&test).await, [refusal("brief", "expired"), refusal("brief", "expired, 3 times")]);
}

#[tokio::test]
async fn a_key_works_from_its_networks_only() {
    let test = TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await;
    let key = key(&test, "shop", |typed| typed.networks = Some("203.0.113.0/24, 2001:db8::/32".into())).await;
    let call = async |address: &str| {
        let shop = test.with_api_key(&key).with_header("x-forwarded-for", address);
        shop.get("/intake/active-gateway").await
    };
    for inside in ["203.0.113.7", "2001:db8:1::1", "::ffff:203.0.113.8"] {
        assert_eq!(call(inside).await.status, 200, "{inside}");
    }
    for outside in ["198.51.100.1", "2001:db9::1", "127.0.0.1"] {
        assert_eq!(call(outside).await.to_string(), REFUSED, "{outside}");
    }
    let refused = refusals(&test).await;
    assert_eq!(refused, [refusal("shop", "wrong network"), refusal("shop", "wrong network, 2 times")]);
    let addresses: Vec<Option<String>> = test
        .read(|conn| Ok(audit::table.filter(audit::action.eq("api-key.refused")).select(audit::ip).load(conn)?))
        .await;
    assert_eq!(addresses[0].as_deref(), Some("198.51.100.1"), "the audit names where it was used from");
}

#[tokio::test]
async fn a_key_makes_so_many_calls_a_minute_and_the_refusal_says_how_long_to_wait() {
    let test = TestApp::start().await;
    let limited = test.with_api_key(&key(&test, "limited", |typed| typed.calls_per_minute = Some(3)).await);
    let other = test.with_api_key(&key(&test, "other", |_| {}).await);
    // The three calls must fall into one minute of the program's clock.
    let second = test.clock.now().timestamp().rem_euclid(60);
    test.later(TimeDelta::seconds(60 - second));
    for _ in 0..3 {
        assert_eq!(limited.get("/intake/active-gateway").await.status, 200);
    }
    let refused = limited.post("/intake/orders", order(json!({}))).await;
    assert_eq!((refused.status, refused.json["code"].as_str()), (429, Some("too_many_api_key_calls")), "{refused}");
    let seconds = refused.headers["retry-after"].to_str().ok().and_then(|seconds| seconds.parse::<i64>().ok());
    assert!(seconds.is_some_and(|seconds| (1..=60).contains(&seconds)), "{refused}");
    assert_eq!(other.get("/intake/active-gateway").await.status, 200, "another key has its own calls");
    test.later(TimeDelta::seconds(60));
    assert_eq!(limited.get("/intake/active-gateway").await.status, 200, "the next minute");
    assert_eq!(refusals(&test).await, [refusal("limited", "too many calls")]);
}

#[tokio::test]
async fn the_last_use_of_a_key_is_stored_at_most_once_a_minute() {
    let test = TestApp::start().await;
    let shop = test.with_api_key(&key(&test, "shop", |_| {}).await);
    assert_eq!(last_use(&test).await, None);
    assert_eq!(shop.get("/intake/active-gateway").await.status, 200);
    let first = until("the first use is stored", async || last_use(&test).await).await;

    let statements = Statements::watch(&test).await;
    for _ in 0..20 {
        assert_eq!(shop.get("/intake/active-gateway").await.status, 200);
    }
    let writes: Vec<String> =
        statements.take().into_iter().filter(|statement| statement.starts_with("UPDATE")).collect();
    assert_eq!(writes, [""; 0]);

    test.later(TimeDelta::seconds(61));
    assert_eq!(shop.get("/intake/active-gateway").await.status, 200);
    until("the later use is stored", async || last_use(&test).await.filter(|last| *last > first)).await;
}

#[tokio::test]
async fn an_old_key_without_the_new_columns_keeps_working_and_a_new_one_has_the_recognisable_prefix() {
    let test = TestApp::start().await;
    let new = key(&test, "new", |_| {}).await;
    assert!(new.starts_with("visadesk_") && new.len() == 73, "{} characters", new.len());
    let old = "vdk_00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let now = test.clock.now();
    test.write(move |tx| {
        let columns = (
            api_keys::name.eq("old"),
            api_keys::key_hash.eq(visadesk::files::sha256(old.as_bytes())),
            api_keys::created_at.eq(now),
        );
        Ok(diesel::insert_into(api_keys::table).values(columns).execute(tx)?)
    })
    .await;
    for key in [new.as_str(), old] {
        let shop = test.with_api_key(key);
        let order_id = new_order(&shop).await;
        for (call, answer) in all_calls(&shop, order_id).await {
            assert_eq!(answer.status, 200, "{call}: {answer}");
        }
    }
}
