//! The shares of public calls: what callers without a grant use up is not what grant holders use.

use chrono::TimeDelta;
use futures_util::StreamExt;
use visadesk::orders::status::ProcessStatus::New;

use crate::support::{Answer, Client, TestApp};

/// Moves to second 15 of a minute, because the limits apply to calendar minutes.
fn begin_minute(test: &TestApp) {
    test.clock.stop();
    let second = test.clock.now().timestamp().rem_euclid(60);
    test.later(TimeDelta::seconds(75 - second));
}

#[tokio::test]
async fn calls_without_a_grant_take_nothing_from_what_grant_holders_share() {
    let test = TestApp::start_with(|config| {
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
        config.limits.public_calls_per_address = 5;
        config.limits.public_calls = 12;
        config.limits.tracks = 12;
        config.limits.wrong_tries_per_email = 1_000;
    })
    .await;
    let order = test.add_order(New).await;
    let expired = test.as_visitor(order).await;
    begin_minute(&test);
    test.later(TimeDelta::minutes(31));
    let ana = test.as_visitor(order).await.with_header("x-forwarded-for", "203.0.113.1");
    let forged = test.with_token("x".repeat(59));
    let from = |host: i64| format!("192.0.2.{host}");
    for host in 0..200 {
        let stranger = test.anonymous().with_header("x-forwarded-for", &from(host));
        assert_eq!(stranger.history(order).await.status, 401);
        assert_eq!(stranger.download(order, "x").await.status, 401);
    }
    for _ in 0..50 {
        assert_eq!(forged.history(order).await.status, 401);
        assert_eq!(expired.history(order).await.status, 401);
    }
    let tracked: Vec<u16> = futures_util::stream::iter(0..50_i64)
        .then(|host| {
            let (test, address) = (&test, from(host));
            async move {
                let stranger = test.anonymous().with_header("x-forwarded-for", &address);
                stranger.track(900_000 + host, "somebody@post.example").await.status
            }
        })
        .collect()
        .await;
    assert_eq!(tracked.iter().filter(|status| **status == 429).count(), 39, "the share of anonymous calls is used up");
    assert_eq!(ana.history(order).await.status, 200);
}

#[tokio::test]
async fn grant_holders_have_limits_per_address_per_order_and_in_total_that_staff_do_not_share() {
    let test = TestApp::start_with(|config| {
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
        config.limits.public_calls_per_address = 5;
        config.limits.public_calls = 12;
    })
    .await;
    let mut orders = Vec::new();
    for _ in 0..4 {
        orders.push(test.add_order(New).await);
    }
    begin_minute(&test);
    let mut tokens = Vec::new();
    for order in &orders {
        let tracked = test.anonymous().track(*order, "ana@post.example").await;
        tokens.push(tracked.json["visitorToken"].as_str().expect("a token").to_owned());
    }
    let history = async |number: usize, address: &str| -> Answer {
        let visitor: Client<'_> = test.with_token(tokens[number].as_str()).with_header("x-forwarded-for", address);
        visitor.history(orders[number]).await
    };
    for _ in 0..5 {
        assert_eq!(history(0, "192.0.2.1").await.status, 200);
    }
    for (number, address) in [(1, "192.0.2.1"), (0, "192.0.2.2")] {
        let refused = history(number, address).await;
        assert_eq!(refused.status, 429, "one address, and one order, have five calls: {refused}");
        assert!(refused.message().starts_with("Too many tries. Please wait "), "{refused}");
        assert_eq!(refused.header("retry-after"), "45");
    }
    for step in 0..7 {
        assert_eq!(history(1 + step / 5, &format!("192.0.2.{}", 10 + step)).await.status, 200);
    }
    assert_eq!(history(3, "192.0.2.20").await.status, 429, "the total limit of this minute is reached");
    test.add_member(visadesk::staff::rules::StaffType::Team, "Budi").await;
    assert_eq!(test.sign_in("budi@visadesk.example", crate::support::PASSWORD).await.status, 200);
    test.later(TimeDelta::seconds(45));
    assert_eq!(history(0, "192.0.2.1").await.status, 200);
}
