//! Photographs against the limits of the portal: a corpus with each fault, and one photograph through the program.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use images::photograph::measure;
use serde_json::json;
use visadesk::papers::inspect::decode;
use visadesk::papers::limits::portal;
use visadesk::papers::reading::PhotographReading;
use visadesk::papers::rules::photograph::compare;
use visadesk::papers::rules::{Finding, PaperField};
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::Team;

use super::{give, order_of};
use crate::support::TestApp;
use crate::support::passports::PASSPORTS;
use crate::support::portraits::{Chance, Fault};
use crate::support::rounds::rounds;

/// The field that must have a finding.
fn field_of(fault: Fault) -> Option<PaperField> {
    Some(match fault {
        Fault::None => return None,
        Fault::Format => PaperField::Format,
        Fault::Pixels => PaperField::Pixels,
        Fault::FileSize => PaperField::FileSize,
        Fault::Aspect => PaperField::Aspect,
        Fault::Colour => PaperField::Colour,
        Fault::Sharpness => PaperField::Sharpness,
        Fault::Border => PaperField::Border,
    })
}

#[test]
fn each_fault_of_a_photograph_is_found_and_good_ones_are_fine() {
    let rounds = rounds(6, 300);
    // Photographs, those whose fault was found, and findings without a fault.
    let mut scores: BTreeMap<Fault, (u32, u32, u32)> = BTreeMap::new();
    for round in 0..rounds {
        for fault in Fault::ALL {
            let mut chance = Chance::new(round * 8 + fault as u32 + 1);
            let (media_type, content) = fault.photograph(&mut chance);
            let bytes = content.len();
            let measures = measure(&decode(&content.into()).expect("a picture"));
            let measured = format!("{measures:?} {bytes}");
            let found = compare(&PhotographReading { media_type, bytes, measures }, &portal().photograph);
            let wrong: Vec<PaperField> =
                found.iter().filter(|one| one.finding() != Finding::Same).map(|one| one.field).collect();
            let score = scores.entry(fault).or_default();
            score.0 += 1;
            score.1 += u32::from(field_of(fault).is_none_or(|field| wrong.contains(&field)));
            let false_alarms = wrong.iter().filter(|field| Some(**field) != field_of(fault)).count();
            score.2 += u32::try_from(false_alarms).expect("few");
            println!("{fault:?} {wrong:?} {measured}");
        }
    }
    for (fault, (photographs, found, false_alarms)) in &scores {
        println!("| {fault:?} | {found} of {photographs} | {false_alarms} |");
        assert!(found * 100 >= photographs * 98, "{fault:?}: {scores:?}");
        assert!(false_alarms * 100 <= photographs * 5, "{fault:?}: {scores:?}");
    }
}

#[tokio::test]
async fn a_photograph_is_measured_when_it_arrives_and_too_few_pixels_are_shown_in_lists() {
    let test = TestApp::start().await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    let (_, small) = Fault::Pixels.photograph(&mut Chance::new(3));
    give(&test, "upload_picture", small).await;
    assert_eq!(check_due(&test.app.papers).await.unwrap(), 1);
    let budi = test.as_staff(Team, "Budi");
    let answer = budi.get("/admin/order-papers/100001").await;
    let check = &answer.data()["checks"][0];
    assert_eq!((&check["paper"], &check["state"]), (&json!("photograph"), &json!("done")), "{answer}");
    assert_eq!(check["limits"]["as_of"], "2026-11-21");
    let pixels = &check["findings"][1];
    assert_eq!((&pixels["field"], &pixels["finding"]), (&json!("pixels"), &json!("differs")), "{answer}");
    assert_eq!(pixels["typed"], "at least 400 × 600");
    let list = budi.get("/admin/get-orders-list/newOrder").await;
    assert_eq!(list.data()[0]["papers_problem"], "fault", "{list}");
    let look = json!({
        "orderId": 100_001, "documentId": check["document_id"], "field": "pixels",
        "valuesHash": pixels["values_hash"], "verdict": "keep_typed",
    });
    assert_eq!(budi.post("/admin/look-at-finding", look).await.status, 200);
    assert_eq!(budi.get("/admin/get-orders-list/newOrder").await.data()[0]["papers_problem"], json!(null));
}

#[tokio::test]
async fn the_portal_s_version_is_a_file_of_its_own_below_the_limits_and_the_original_stays() {
    let test = TestApp::start().await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    let (_, original) = Fault::FileSize.photograph(&mut Chance::new(5));
    give(&test, "upload_picture", original.clone()).await;
    let budi = test.as_staff(Team, "Budi");
    let make = |width: f32| {
        budi.post(
            "/admin/make-portal-photograph",
            json!({ "orderId": 100_001, "documentId": 1, "frame": { "left": 0.1, "top": 0.05, "width": width } }),
        )
    };
    let small = make(0.1).await;
    assert_eq!((small.status, &small.json["code"]), (422, &json!("frame_too_small")), "{small}");
    let made = make(0.8).await;
    assert_eq!(made.status, 200, "{made}");
    let details = budi.get("/admin/get-orders-details/100001").await;
    let documents = details.data()["documents"].as_array().expect("documents");
    let kinds: Vec<_> = documents.iter().map(|document| document["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["upload_picture", "portal_photograph"]);
    let file = |index: usize| {
        let link = format!("/{}", documents[index]["link"].as_str().expect("a link"));
        let budi = &budi;
        async move { budi.request(reqwest::Method::GET, &link).await.send().await.unwrap().bytes().await.unwrap() }
    };
    assert_eq!(file(0).await, original);
    let version = file(1).await;
    let limits = &portal().photograph;
    assert!(version.len() <= limits.max_bytes, "{}", version.len());
    let picture = decode(&version).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (limits.min_width * 2, limits.min_height * 2));
    assert_eq!(details.data()["timeline"][0]["action"], "paper.portal_version");
    let none = json!({ "orderId": 100_001, "documentId": 9, "frame": { "left": 0, "top": 0, "width": 1 } });
    let refused = budi.post("/admin/make-portal-photograph", none).await;
    assert_eq!(refused.json["code"], "no_paper_to_check", "{refused}");
}

#[tokio::test]
async fn portal_versions_that_are_made_at_once_do_not_exceed_the_limit_of_a_member() {
    let test = TestApp::start_with(|config| config.limits.files_per_member_and_day = 1).await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    let (_, original) = Fault::FileSize.photograph(&mut Chance::new(5));
    give(&test, "upload_picture", original).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    let make = || {
        let frame = json!({ "left": 0.1, "top": 0.05, "width": 0.8 });
        budi.post("/admin/make-portal-photograph", json!({ "orderId": 100_001, "documentId": 1, "frame": frame }))
    };
    let answers = join_all([make(), make()]).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 429], "{answers:?}");
}
