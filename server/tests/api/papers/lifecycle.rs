//! A check from the arrival of a file to a person's look at its findings.

use serde_json::{Value, json};
use tokio::sync::watch;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::papers::worker::{check_due, run};
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use super::{give, order_of, papers};
use crate::documents::upload;
use crate::intake::shop;
use crate::support::passports::{PASSPORTS, jpeg, no_passport};
use crate::support::sample_files::pdf;
use crate::support::storage::{Fault, Proxy, S3};
use crate::support::until;
use crate::support::{Client, TestApp};

/// The finding of a field.
fn of<'a>(check: &'a Value, field: &str) -> &'a Value {
    let findings = check["findings"].as_array().expect("findings");
    findings.iter().find(|finding| finding["field"] == field).unwrap_or_else(|| panic!("no {field} in {check}"))
}

async fn row(client: &Client<'_>) -> Value {
    client.get("/admin/get-orders-list/newOrder").await.data()[0].clone()
}

#[tokio::test]
async fn a_passport_is_checked_after_its_arrival_and_the_sales_site_learns_the_result() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let passport = &PASSPORTS[0];
    order_of(&test, passport, |typed| typed.application.first_name = Some("Emilie Rose".into())).await;
    let answer = upload(&shop, "passport_picture", passport.pdf(), "passport.pdf").await;
    assert_eq!(answer.data()["check"], "pending", "{answer}");
    let waiting = shop.get("/intake/orders/100001").await;
    assert_eq!(
        waiting.data()["checks"],
        json!([{ "paper": "passport", "check": "pending", "reason": null, "findings": [] }])
    );

    assert_eq!(check_due(&test.app.papers).await.unwrap(), 1);
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 0);
    let done = shop.get("/intake/orders/100001").await;
    let check = &done.data()["checks"][0];
    assert_eq!(check["check"], "done", "{done}");
    assert_eq!(of(check, "surname")["finding"], "same");
    assert_eq!(of(check, "given_names"), &json!({ "field": "given_names", "finding": "differs" }));
    assert!(!done.text.contains("EMILY") && !done.text.contains("Emilie"), "{done}");

    let budi = test.as_staff(Team, "Budi");
    let check = papers(&budi).await;
    assert_eq!((&check["read_from"], &check["open"]), (&json!("text_layer"), &json!(1)), "{check}");
    let names = of(&check, "given_names");
    assert_eq!((&names["typed"], &names["read"]), (&json!("Emilie Rose"), &json!("EMILY ROSE")));
    assert_eq!(row(&budi).await["papers_problem"], "differs");
    let details = budi.get("/admin/get-orders-details/100001").await;
    let event = &details.data()["timeline"][0];
    assert_eq!((&event["action"], &event["after"]), (&json!("paper.check"), &json!("passport: 8 same, 1 differs")));
}

#[tokio::test]
async fn a_look_at_a_finding_is_audited_and_a_correction_is_compared_anew() {
    let test = TestApp::start().await;
    let passport = &PASSPORTS[0];
    order_of(&test, passport, |typed| typed.application.last_name = Some("Clark".into())).await;
    give(&test, "passport_picture", passport.pdf()).await;
    check_due(&test.app.papers).await.unwrap();
    let budi = test.as_staff(Team, "Budi");
    let check = papers(&budi).await;
    let surname = of(&check, "surname");
    let look = json!({
        "orderId": 100_001, "documentId": check["document_id"], "field": "surname",
        "valuesHash": surname["values_hash"], "verdict": "keep_typed",
    });
    let mut other = look.clone();
    other["valuesHash"] = json!("of other values");
    let refused = budi.post("/admin/look-at-finding", other).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("finding_changed")), "{refused}");
    for _ in 0..2 {
        assert_eq!(budi.post("/admin/look-at-finding", look.clone()).await.message(), "Surname has been checked");
    }
    let looked = papers(&budi).await;
    assert_eq!((&looked["open"], &of(&looked, "surname")["verdict"]), (&json!(0), &json!("keep_typed")), "{looked}");
    assert_eq!(row(&budi).await["papers_problem"], Value::Null);
    let timeline = budi.get("/admin/get-orders-details/100001").await.data()["timeline"].clone();
    let looks = timeline.as_array().unwrap().iter().filter(|event| event["action"] == "paper.look").count();
    assert_eq!(looks, 1, "{timeline}");

    // The look was at other values.
    test.write(|tx| {
        use diesel::prelude::*;
        use visadesk::db::schema::applications;
        Ok(diesel::update(applications::table).set(applications::last_name.eq("Clarck")).execute(tx)?)
    })
    .await;
    let again = papers(&budi).await;
    assert_eq!((&of(&again, "surname")["typed"], &again["open"]), (&json!("Clarck"), &json!(1)), "at once");
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 1);
    assert_eq!(papers(&budi).await["findings"], again["findings"]);
    assert_eq!(row(&budi).await["papers_problem"], "differs");
}

#[tokio::test]
async fn a_picture_is_read_by_tesseract_and_without_it_says_not_checked() {
    let picture = jpeg(&PASSPORTS[0].scan());
    let test = TestApp::start().await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    give(&test, "passport_picture", picture.clone()).await;
    check_due(&test.app.papers).await.unwrap();
    let budi = test.as_staff(Team, "Budi");
    let check = papers(&budi).await;
    assert_eq!((&check["state"], &check["read_from"]), (&json!("done"), &json!("tesseract")), "{check}");
    assert_eq!(of(&check, "document_number")["finding"], "same", "{check}");
    assert!(check["crop"].as_str().is_some_and(|crop| crop.starts_with("data:image/jpeg;base64,/9j/")));

    let without = test.another_node_with(|config| config.checks.tesseract = "/no/such/tesseract".into()).await;
    assert_eq!(budi.post("/admin/check-papers", json!({ "orderId": 100_001 })).await.status, 200);
    check_due(&without.app.papers).await.unwrap();
    let check = papers(&budi).await;
    assert_eq!((&check["state"], &check["reason"]), (&json!("not_checked"), &json!("no_tesseract")), "{check}");
    assert_eq!(check["reason_text"], "tesseract is not installed on the server");
    assert_eq!(row(&budi).await["papers_problem"], Value::Null);
}

#[tokio::test]
async fn a_newer_file_counts_and_a_page_without_lines_is_not_checked() {
    let test = TestApp::start().await;
    order_of(&test, &PASSPORTS[0], |typed| typed.nationality = Some("Austria".into())).await;
    give(&test, "passport_picture", PASSPORTS[0].pdf()).await;
    check_due(&test.app.papers).await.unwrap();
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(row(&budi).await["papers_problem"], "differs");
    give(&test, "passport_picture", no_passport()).await;
    assert_eq!(row(&budi).await["papers_problem"], Value::Null, "the newest file is not checked yet");
    check_due(&test.app.papers).await.unwrap();
    let check = papers(&budi).await;
    assert_eq!((&check["state"], &check["reason"]), (&json!("not_checked"), &json!("no_lines")), "{check}");
}

#[tokio::test]
async fn two_workers_share_the_checks_and_one_that_was_cut_off_is_begun_anew_but_not_for_ever() {
    use diesel::prelude::*;
    use visadesk::db::schema::paper_checks;

    let test = TestApp::start().await;
    let other = test.another_node().await;
    for passport in &PASSPORTS[..4] {
        let order = order_of(&test, passport, |_| {}).await;
        super::give_to(&test, order, "passport_picture", passport.pdf()).await;
    }
    let (one, two) = tokio::join!(check_due(&test.app.papers), check_due(&other.app.papers));
    assert_eq!(one.unwrap() + two.unwrap(), 4);

    // A worker that stops within a check leaves a lease, which ends.
    let cut_off = |attempts: i32| {
        test.write(move |tx| {
            let columns = (
                paper_checks::state.eq("pending"),
                paper_checks::attempts.eq(attempts),
                paper_checks::leased_until.eq(Some(visadesk::db::database_now(tx)? - chrono::TimeDelta::seconds(1))),
            );
            Ok(diesel::update(paper_checks::table.filter(paper_checks::order_id.eq(100_001)))
                .set(columns)
                .execute(tx)?)
        })
    };
    cut_off(1).await;
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 1);
    cut_off(3).await;
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 1);
    let check = papers(&test.as_staff(Team, "Budi")).await;
    assert_eq!((&check["state"], &check["reason"]), (&json!("not_checked"), &json!("given_up")), "{check}");
}

#[tokio::test]
async fn a_stop_gives_back_the_check_that_it_cuts_off() {
    use diesel::prelude::*;
    use visadesk::db::schema::paper_checks;

    let s3 = S3::start().await;
    let proxy = Proxy::before(s3.address).await;
    let test = TestApp::start_on(Some(s3.files_at(proxy.address)), |_| {}).await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    give(&test, "passport_picture", PASSPORTS[0].pdf()).await;
    let lease = || {
        test.read(|conn| {
            let lease = paper_checks::table.select((paper_checks::leased_until, paper_checks::attempts));
            Ok(lease.first::<(Option<Timestamp>, i32)>(conn)?)
        })
    };
    // The check waits for its file.
    proxy.set(Fault::Silent);
    let ((stopping, stop), room) = (watch::channel(false), test.app.papers.clone());
    let worker = tokio::spawn(async move { run(&room, stop).await });
    until("the check is leased", async || lease().await.0).await;
    stopping.send_replace(true);
    worker.await.expect("the worker ends");
    assert_eq!(lease().await, (None, 0));
    proxy.set(Fault::None);
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 1, "it is due at once");
}

#[tokio::test]
async fn only_papers_are_checked_and_an_order_without_one_says_so() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let refused = budi.post("/admin/check-papers", json!({ "orderId": 100_001 })).await;
    assert_eq!((refused.status, &refused.json["code"]), (422, &json!("no_paper_to_check")), "{refused}");
    let answer = upload(&shop, "bank_statement", pdf(), "a.pdf").await;
    assert_eq!(answer.data()["check"], Value::Null, "{answer}");
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 0);
    assert_eq!(budi.get("/admin/order-papers/100001").await.data()["checks"], json!([]));
    let look = json!({
        "orderId": 100_009, "documentId": 1, "field": "surname", "valuesHash": "of no values", "verdict": "same",
    });
    for missing in [
        budi.get("/admin/order-papers/100009").await,
        budi.post("/admin/check-papers", json!({ "orderId": 100_009 })).await,
        budi.post("/admin/look-at-finding", look).await,
        shop.get("/intake/orders/100009").await,
    ] {
        assert_eq!(missing.status, 404, "{missing}");
    }
}
