//! Stored packs: they never change, and staff with access can open them again.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::TryStreamExt;
use futures_util::future::join_all;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use visadesk::app::FILE_OWNERS;
use visadesk::chargebacks::packs;
use visadesk::chargebacks::packs::rules::PackType;
use visadesk::db::schema::{audit, defence_packs, orders};
use visadesk::documents::sweeper;
use visadesk::error::Permission;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType::{self, Manager, Team};

use super::orders::disputed;
use super::reading::PackPdf;
use super::request_pack;
use crate::migrations::kept_rows::refusal;
use crate::support::program::Installation;
use crate::support::rounds::rounds;
use crate::support::{Client, TestApp};

async fn open(desk: &Client<'_>, link: &str) -> (u16, Vec<u8>) {
    let answer = desk.request(Method::GET, &format!("/{link}")).await.send().await.unwrap();
    (answer.status().as_u16(), answer.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn the_details_list_present_and_missing_evidence() {
    let test = TestApp::start().await;
    let order = disputed(&test, 3, |order| order.transaction = None).await;
    let budi = test.as_staff(Team, "Budi");
    let details = budi.post("/admin/defence-pack-details", json!({ "orderId": order })).await;
    assert_eq!(details.status, 200, "{details}");
    let data = details.data();
    let pieces = data["evidence"].as_array().unwrap().iter().map(|piece| {
        assert_eq!(piece["given"].as_bool().unwrap(), piece["detail"].is_string(), "{piece}");
        format!("{}: {}", piece["code"].as_str().unwrap(), piece["detail"].as_str().unwrap_or("-"))
    });
    assert_snapshot!(pieces.filter(|piece| !piece.starts_with("contacts")).collect::<Vec<_>>().join("\n"), @r"
    case: CB-2026-0117
    reason: Fraud
    arn: 74537606148000012345678
    transaction: -
    payment: USD 125.00, 5 Oct 2026 03:12:44 UTC (4 Oct 22:12:44 EST)
    card: Visa ending in 4242
    three_d_secure: authenticated
    purchase_ip: 203.0.113.47
    purchase_device: Computer, Firefox 140, Linux
    terms: version 2026-03, 5 Oct 2026 03:12:40 UTC (4 Oct 22:12:40 EST)
    terms_text: -
    signature: Ana P. Putri
    passport: ending in 432
    documents: 2 files
    submitted: 6 Oct 2026 03:12:40 UTC (5 Oct 22:12:40 EST)
    visa: 9 Oct 2026 03:12:40 UTC (8 Oct 22:12:40 EST)
    mail: 9 Oct 2026 03:12:45 UTC (8 Oct 22:12:45 EST)
    downloads: 3 downloads, first 12 Oct 2026 03:12:40 UTC (11 Oct 22:12:40 EST)
    same_address: 2 downloads
    ce3: -
    ");
    let missing =
        ["Transaction id and merchant name", "Sentence agreed to at checkout", "Visa Compelling Evidence 3.0"];
    assert_eq!(data["missing"], json!(missing));
    assert_eq!((&data["order_number"], &data["mails"]), (&json!("VD-100001"), &json!(1)));
    assert_eq!((&data["downloads"], &data["packs"]), (&json!({ "customer": 3, "left_out": 0 }), &json!([])));
}

#[tokio::test]
async fn a_pack_is_returned_listed_and_reopened_by_staff_only() {
    let test = TestApp::start().await;
    let order = disputed(&test, 3, |_| {}).await;
    let (ayu, budi) = (test.as_staff(Manager, "Ayu"), test.as_staff(Team, "Budi"));
    let (status, kind, name, content) = request_pack(&ayu, order, 1).await;
    assert_eq!((status, kind.as_str()), (200, "application/pdf"));
    assert_eq!(name, "inline; filename=\"DP1100001.pdf\"");
    let as_text = ayu.request(Method::POST, "/api/admin/get-defence-pack-pdf").await;
    let as_text = as_text.json(&json!({ "orderId": "VD-100001", "defencePackType": "2" })).send().await.unwrap();
    assert!(as_text.headers()["content-disposition"].to_str().unwrap().contains("DP2100001.pdf"));
    let second_id: i64 = as_text.headers()["pack-id"].to_str().unwrap().parse().unwrap();

    let details = budi.post("/admin/defence-pack-details", json!({ "orderId": order })).await;
    let packs = details.data()["packs"].as_array().unwrap();
    assert_eq!(packs.len(), 2);
    assert_eq!((&packs[0]["pack_id"], &packs[0]["pack_type"]), (&json!(second_id), &json!(2)));
    assert_eq!(details.data()["links_valid_for_seconds"], 300);
    let first = &packs[1];
    assert_eq!((&first["pack_type"], &first["file_name"]), (&json!(1), &json!("DP1100001.pdf")));
    assert_eq!((&first["made_by"], &first["size_bytes"]), (&json!("Ayu"), &json!(content.len())));
    assert_eq!(first["pages"], json!(PackPdf::open(&content).pages()));
    assert_eq!(first["sha256"], json!(visadesk::files::sha256(&content)));

    let link = first["link"].as_str().unwrap();
    assert_eq!(open(&budi, link).await, (200, content));
    assert_eq!(open(&ayu, link).await.0, 404, "the link of another session");
    assert_eq!(open(&test.anonymous(), link).await.0, 404);
    let visitor = test.as_visitor(order).await;
    assert_eq!(open(&visitor, link).await.0, 404);
    test.later(TimeDelta::minutes(6));
    assert_eq!(open(&budi, link).await.0, 404, "the link has expired");

    let audited = audit::table.filter(audit::action.eq("chargeback.pack")).order(audit::audit_id);
    let audited: Vec<(String, Option<String>)> =
        test.read(move |conn| Ok(audited.select((audit::actor, audit::after)).load(conn)?)).await;
    assert_eq!(audited[0].0, "Ayu");
    assert!(audited[0].1.as_deref().unwrap().starts_with("DP1100001.pdf, "), "{audited:?}");
    assert_eq!(audited.len(), 2);
}

#[tokio::test]
async fn a_pack_never_changes_after_its_order_changes() {
    let test = TestApp::start().await;
    let order = disputed(&test, 3, |_| {}).await;
    let ayu = test.as_staff(Manager, "Ayu");
    let (.., content) = request_pack(&ayu, order, 1).await;
    test.write(move |tx| {
        let renamed = orders::table.find(order);
        Ok(diesel::update(renamed).set(orders::full_name.eq("Somebody Else")).execute(tx)?)
    })
    .await;
    let moved = json!({ "orderId": order, "updatingStatus": "Awaiting" });
    assert_eq!(ayu.put("/admin/move-order-status", moved).await.status, 200);
    assert_eq!(request_pack(&ayu, order, 1).await.0, 409, "no new pack outside the allowed folders");
    let columns = (defence_packs::file1, defence_packs::facts);
    let (key, facts): (String, String) =
        test.read(move |conn| Ok(defence_packs::table.select(columns).first(conn)?)).await;
    let pack = test.read(move |conn| FILE_OWNERS.find(conn, &key)).await.unwrap();
    assert_eq!(test.app.documents.files.get(&pack.stored, Permission::in_background()).await.unwrap(), content);
    let digest = visadesk::files::sha256(facts.as_bytes());
    assert!(
        facts.contains("Ayu") && PackPdf::open(&content).text().contains(&digest),
        "the digest on the pack matches the stored facts"
    );

    for refused in [
        refusal(&test, |tx| diesel::update(defence_packs::table).set(defence_packs::pages.eq(1)).execute(tx)).await,
        refusal(&test, |tx| diesel::delete(defence_packs::table).execute(tx)).await,
    ] {
        assert!(refused.contains("a defence pack is never altered"), "{refused}");
    }
    let rows: i64 = test.read(|conn| Ok(defence_packs::table.count().get_result(conn)?)).await;
    assert_eq!(rows, 1);
}

#[tokio::test]
async fn pack_files_survive_the_sweeper_and_are_covered_by_the_file_check() {
    let test = TestApp::start().await;
    let order = disputed(&test, 1, |_| {}).await;
    let ayu = test.as_staff(Manager, "Ayu");
    assert_eq!(request_pack(&ayu, order, 1).await.0, 200);
    assert_eq!(request_pack(&ayu, order, 2).await.0, 200);
    test.later(TimeDelta::hours(25));
    assert_eq!(sweeper::sweep(&test.app.documents).await.unwrap(), 0);
    let folder = test.app.config.data_dir.join("files");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);

    let key: String = test
        .read(|conn| Ok(defence_packs::table.order(defence_packs::pack_id).select(defence_packs::file1).first(conn)?))
        .await;
    std::fs::write(folder.join(&key), b"changed").unwrap();
    let faults = std::sync::Mutex::new(Vec::new());
    let check = visadesk::documents::check::run(test.db(), &test.app.documents.files, FILE_OWNERS, |fault| {
        faults.lock().unwrap().push(fault);
        Ok(())
    });
    // The visa and two pictures of this order have rows without files.
    assert_eq!(check.await.unwrap().files, 5);
    let faults = faults.into_inner().unwrap();
    assert!(faults.iter().any(|fault| fault.contains("defence pack 1") && fault.contains(&key)), "{faults:?}");
    assert!(!faults.iter().any(|fault| fault.contains("defence pack 2")), "{faults:?}");
}

#[tokio::test]
async fn every_staff_type_generates_packs_for_served_and_disputed_orders() {
    let test = TestApp::start().await;
    for status in ProcessStatus::ALL.iter().filter(|status| **status != ProcessStatus::Future) {
        let order = test.add_order(*status).await;
        let is_allowed = ["Completed", "Customer Called", "ChargeBack"].contains(&status.as_str());
        for staff_type in [Team, StaffType::Telecaller, StaffType::NightStaff] {
            let desk = test.as_staff(staff_type, staff_type.as_str());
            let details = desk.post("/admin/defence-pack-details", json!({ "orderId": order })).await;
            assert_eq!(details.status, if is_allowed { 200 } else { 409 }, "{status}: {details}");
        }
        let budi = test.as_staff(Team, Team.as_str());
        let (code, _, _, content) = request_pack(&budi, order, 2).await;
        assert_eq!(code, if is_allowed { 200 } else { 409 }, "{status}");
        assert!(is_allowed || String::from_utf8_lossy(&content).contains("Defence packs are for orders in Completed"));
    }
    let budi = test.as_staff(Team, Team.as_str());
    let (unknown, wrong) = (request_pack(&budi, 999_999, 1).await, request_pack(&budi, 100_008, 3).await);
    assert_eq!((unknown.0, wrong.0), (404, 422));
}

#[tokio::test]
async fn concurrent_pack_requests_are_queued_and_the_excess_is_refused_with_retry_after() {
    let test = TestApp::start().await;
    // Each member makes one pack at a time, and a pack that says the same is not made twice.
    let mut members = Vec::new();
    for number in 0..40 {
        let member = test.as_staff(Manager, &format!("Member {number}"));
        member.id().await;
        members.push((disputed(&test, 1, |_| {}).await, member));
    }
    let answers = join_all(members.iter().map(|(order, member)| async move {
        let request = member.request(Method::POST, "/api/admin/get-defence-pack-pdf").await;
        let body = json!({ "orderId": order, "defencePackType": 1 });
        let answer = request.json(&body).send().await.unwrap();
        (answer.status().as_u16(), answer.headers().contains_key("retry-after"))
    }))
    .await;
    let generated = answers.iter().filter(|(status, _)| *status == 200).count();
    assert!((2..40).contains(&generated), "{answers:?}");
    assert!(answers.iter().all(|answer| *answer == (200, false) || *answer == (503, true)), "{answers:?}");
    let rows: i64 = test.read(|conn| Ok(defence_packs::table.count().get_result(conn)?)).await;
    assert_eq!(rows, generated as i64, "refused requests stored nothing");
    let refused = members.iter().zip(&answers).filter(|(_, (status, _))| *status == 503);
    for ((order, member), _) in refused.take(rounds(3, members.len())) {
        assert_eq!(request_pack(member, *order, 1).await.0, 200, "the next request succeeds");
    }
}

/// Collects the dotted path of every value in the facts, such as `exhibits.rows.at.utc`.
fn shape(value: &Value, at: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, field)| shape(field, &format!("{at}.{key}"), into)),
        Value::Array(items) => items.iter().for_each(|item| shape(item, at, into)),
        _ => {
            into.insert(at.to_owned());
        }
    }
}

#[tokio::test]
async fn repeating_an_idempotency_key_creates_one_pack() {
    let test = TestApp::start().await;
    let order = disputed(&test, 1, |_| {}).await;
    let stored = async || {
        let files = &test.app.documents.files;
        files.stored_before(test.clock.now() + TimeDelta::days(1)).try_collect::<Vec<String>>().await.unwrap().len()
    };
    let before = stored().await;
    let ayu = test.as_staff(Manager, "Ayu").with_key("pack-1");
    let first = request_pack(&ayu, order, 1).await;
    assert_eq!(first.0, 200, "{}", String::from_utf8_lossy(&first.3));
    test.write(move |tx| {
        let renamed = orders::table.find(order);
        Ok(diesel::update(renamed).set(orders::full_name.eq("Somebody Else")).execute(tx)?)
    })
    .await;
    assert!(request_pack(&ayu, order, 1).await == first, "the stored response is returned");
    let moved = json!({ "orderId": order, "updatingStatus": "Awaiting" });
    assert_eq!(ayu.put("/admin/move-order-status", moved).await.status, 200);
    assert_eq!(request_pack(&test.as_staff(Manager, "Ayu"), order, 1).await.0, 409, "no pack in this status");
    assert!(request_pack(&ayu, order, 1).await == first, "the stored response, whatever happened to the order");
    let another = request_pack(&ayu, order, 2).await;
    assert_eq!(another.0, 422, "{}", String::from_utf8_lossy(&another.3));
    let rows: i64 = test.read(|conn| Ok(defence_packs::table.count().get_result(conn)?)).await;
    assert_eq!((rows, stored().await - before), (1, 1));
    let audited = audit::table.filter(audit::action.eq("chargeback.pack")).count();
    assert_eq!(test.read(move |conn| Ok(audited.get_result::<i64>(conn)?)).await, 1);
}

#[tokio::test]
async fn the_example_facts_have_the_shape_of_real_ones() {
    let test = TestApp::start().await;
    let order = disputed(&test, 60, |_| {}).await;
    let staff = test.as_staff(Manager, "Ayu").staff().await;
    let gathered = test.read(move |conn| packs::gather(conn, OrderId(order))).await;
    let context = packs::context(&test.app.chargebacks, &gathered.facts, &staff, test.clock.now()).unwrap();
    let examples =
        [include_str!("../../../templates/packs/letter.json"), include_str!("../../../templates/packs/mails.json")];
    for (pack_type, example) in PackType::ALL.into_iter().zip(examples) {
        let rendered = packs::with_digest(&packs::render(pack_type, &gathered, &context).unwrap()).unwrap();
        let shape_of = |text: &str| {
            let mut found = BTreeSet::new();
            shape(&serde_json::from_str(text).unwrap(), "", &mut found);
            found
        };
        assert_eq!(shape_of(&rendered), shape_of(example), "{pack_type:?}");
    }
}

#[tokio::test]
async fn a_pack_of_two_thousand_rows_uses_little_memory() {
    let test = TestApp::start().await;
    let order = disputed(&test, 2_000, |order| order.full_name = "王小明 محمد".into()).await;
    let staff = test.as_staff(Manager, "Ayu").staff().await;
    let gathered = test.read(move |conn| packs::gather(conn, OrderId(order))).await;
    let pack_type = PackType::Letter;
    let context = packs::context(&test.app.chargebacks, &gathered.facts, &staff, test.clock.now()).unwrap();
    let rendered = packs::with_digest(&packs::render(pack_type, &gathered, &context).unwrap()).unwrap();
    let job = serde_json::to_vec(&test.app.chargebacks.templates.job(pack_type, rendered, context.at)).unwrap();
    let installation = Installation::make_empty().await;
    // An address-space limit far below the limit of a real child process.
    let mut child =
        installation.command_after("ulimit -v 600000", "typeset").stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &job).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stdout.windows(5).any(|bytes| bytes == b"%PDF-"), "{output:?}");
}
