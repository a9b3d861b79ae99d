//! Claims: one member files an order at a time.

use chrono::TimeDelta;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::filing_claims;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use super::{audited, file_application, file_as_claimed, filing, portal_answer, status};
use crate::support::{Answer, Client, TestApp};

pub async fn claim(client: &Client<'_>, order: i64) -> Answer {
    client.put("/admin/claim-filing", json!({ "orderId": order })).await
}

async fn take_over(client: &Client<'_>, order: i64, reason: &str) -> Answer {
    client.put("/admin/claim-filing", json!({ "orderId": order, "takeOver": reason })).await
}

async fn release(client: &Client<'_>, order: i64) -> Answer {
    client.put("/admin/release-filing", json!({ "orderId": order })).await
}

/// Lets the claim of an order expire.
pub async fn expire(test: &TestApp, order: i64) {
    test.write(move |tx| {
        let row = filing_claims::table.find(order);
        Ok(diesel::update(row).set(filing_claims::expires_at.eq(Timestamp::EPOCH)).execute(tx)?)
    })
    .await;
}

async fn claimed_by(client: &Client<'_>, order: i64) -> Value {
    filing(client, order).await["claim"]["by"].clone()
}

#[tokio::test]
async fn a_claimed_order_is_filed_by_its_member_alone_until_the_claim_is_released_or_expires() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (ayu, budi) = (test.as_staff(Team, "Ayu"), test.as_staff(Team, "Budi"));
    assert_eq!(claimed_by(&budi, order).await, Value::Null);
    let first = claim(&ayu, order).await;
    assert_eq!((first.status, &first.data()["is_own"]), (200, &json!(true)), "{first}");
    assert_eq!(claim(&ayu, order).await.data()["since"], first.data()["since"], "a renewal");
    assert_eq!(claimed_by(&budi, order).await, "Ayu");
    assert_eq!(filing(&budi, order).await["claim"]["is_own"], false);
    let refused = claim(&budi, order).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("filing_claimed")), "{refused}");
    assert_eq!(refused.data(), &json!({ "order_id": order, "by": "Ayu" }));
    let refused = file_application(&budi, order, "EV-1", None).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("filing_claimed")), "{refused}");
    assert_eq!(release(&budi, order).await.status, 200);
    assert_eq!(claimed_by(&budi, order).await, "Ayu", "only one's own");
    assert_eq!(release(&ayu, order).await.status, 200);
    assert_snapshot!(file_as_claimed(&budi, order, "EV-1").await, @r#"409 {"status":0,"code":"filing_not_claimed","message":"Nothing was saved: you are not filing order 100001 any more. Open its filing view once more","data":{"order_id":100001}}"#);
    assert_eq!(claim(&budi, order).await.status, 200);
    expire(&test, order).await;
    assert_eq!(claimed_by(&budi, order).await, Value::Null);
    assert_eq!(claim(&ayu, order).await.status, 200);
    assert_eq!(file_as_claimed(&budi, order, "EV-1").await.json["code"], "filing_claimed");
    assert_eq!(file_as_claimed(&ayu, order, "EV-1").await.status, 200);
    assert_eq!(status(&ayu, order).await, "AwaitingGovt");
    assert_eq!(claimed_by(&budi, order).await, Value::Null, "a filed order is not claimed");
    // A program that knows no claims.
    let other = test.add_order(New).await;
    assert_eq!(file_application(&budi, other, "EV-2", None).await.status, 200);
}

#[tokio::test]
async fn a_claim_is_taken_over_with_a_reason_and_its_member_is_told() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (ayu, budi) = (test.as_staff(Team, "Ayu"), test.as_staff(Team, "Budi"));
    claim(&ayu, order).await;
    assert_snapshot!(take_over(&budi, order, " ").await, @r#"422 {"status":0,"code":"empty_reason","message":"Please enter the reason"}"#);
    let taken = take_over(&budi, order, "Ayu is at lunch").await;
    assert_eq!((taken.status, taken.message()), (200, "You took over from Ayu"), "{taken}");
    assert_eq!(audited(&test, "filing.take_over").await, [(Some("Ayu".into()), Some("Ayu is at lunch".into()))]);
    let told = ayu.get("/admin/inbox").await;
    assert_eq!((&told.data()[0]["kind"], &told.data()[0]["by"]), (&json!("claim"), &json!("Budi")));
    assert_eq!(file_as_claimed(&ayu, order, "EV-1").await.json["code"], "filing_claimed");
    test.later(TimeDelta::minutes(50));
    assert_eq!(claimed_by(&ayu, order).await, "Budi", "the database's clock counts, not that of a node");
    let missing = claim(&ayu, 999).await;
    assert_eq!((missing.status, release(&ayu, 999).await.status), (404, 404), "{missing}");
    let odd = portal_answer(order, "EV-1").text("isClaimed", "maybe");
    let odd = ayu.upload("/admin/file-application", odd).await;
    assert_eq!((odd.status, &odd.json["code"]), (422, &json!("invalid_claim")), "{odd}");
}

#[tokio::test]
async fn of_two_members_who_claim_an_order_at_once_one_has_it() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (ayu, budi) = (test.as_staff(Team, "Ayu"), test.as_staff(Team, "Budi"));
    ayu.id().await;
    budi.id().await;
    let (one, other) = tokio::join!(claim(&ayu, order), claim(&budi, order));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{one} {other}");
}
