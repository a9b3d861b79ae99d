//! Issued visas without a text: Tesseract reads their pages after the delivery.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use image::ImageFormat;
use serde_json::{Value, json};
use tokio::sync::watch;
use visadesk::config::DeliveryCheck;
use visadesk::deliveries::rules::{ExpectedVisa, VisaOutcome, scan};
use visadesk::deliveries::worker::{read_due, read_turned, run};
use visadesk::documents::page_images::{ImageSize, RenderedPage, render_here};
use visadesk::documents::rules::MediaType;
use visadesk::orders::rules::personal_name::PersonalName;
use visadesk::papers::ocr;
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use super::{add_order, audited, check, right, upload, visa, visa_problem};
use crate::documents::page_bombs::bombs;
use crate::intake::shop;
use crate::support::TestApp;
use crate::support::passports::scanned_pdf;
use crate::support::program::{BINARY, with_processor_seconds};
use crate::support::rounds::rounds;
use crate::support::storage::{Fault, Proxy, S3};
use crate::support::until;

/// A picture of a visa, as a scanner makes it.
pub fn scanned(pdf: Vec<u8>) -> Vec<u8> {
    match render_here(1, ImageSize::Screen, pdf.into()) {
        RenderedPage::Page { content, .. } => content,
        RenderedPage::Unreadable | RenderedPage::NotBuilt => panic!("the visa cannot be rendered"),
    }
}

#[tokio::test]
async fn the_right_visa_without_a_text_is_proved_after_its_delivery() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Warn).await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let picture = scanned(right());
    let pdf = scanned_pdf(&image::load_from_memory(&picture).unwrap().into_rgb8());
    for file in [picture, pdf] {
        let sent = upload(&budi, order, file, "").await;
        assert_eq!(
            (sent.status, &sent.json["undo"]),
            (200, &Value::Null),
            "it is delivered and mailed as ever: {sent}"
        );
        let found = sent.data();
        assert_eq!((&found["outcome"], &found["is_being_read"]), (&json!("not_read"), &json!(true)), "{sent}");
        assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
        let found = check(&budi, order).await;
        assert_eq!((&found["outcome"], &found["is_being_read"]), (&json!("same"), &json!(false)), "{found}");
        assert_eq!(found["said"], "the values of the order are on it");
        assert_eq!((&found["is_open"], visa_problem(&budi).await), (&json!(false), Value::Null));
    }
    assert_eq!(audited(&test, "visa.read").await.len(), 2);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 0);
}

#[tokio::test]
async fn another_number_on_a_scanned_visa_is_marked_and_an_unread_one_is_not() {
    let test = TestApp::start_with(|config| config.delivery.check = DeliveryCheck::Warn).await;
    let order = add_order(&shop(&test).await, "1").await;
    let budi = test.as_staff(Team, "Budi");
    let wrong = scanned(visa("PA1239567", "ANN MARY LEE", "17/05/1990"));
    assert_eq!(upload(&budi, order, wrong, "").await.status, 200);
    assert_eq!(visa_problem(&budi).await, Value::Null);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    let found = check(&budi, order).await;
    assert_eq!((&found["outcome"], &found["is_open"]), (&json!("differs"), &json!(true)), "{found}");
    assert_eq!(found["said"], "the passport number of the order is not on it");
    assert_eq!(visa_problem(&budi).await, "differs");
    let look = json!({ "orderId": order, "document_id": found["document_id"] });
    assert_eq!(budi.post("/admin/look-at-visa", look).await.status, 200);
    assert_eq!(visa_problem(&budi).await, Value::Null);

    let other = scanned(visa("PA1234567", "SOMEBODY ELSE", "17/05/1990"));
    assert_eq!(upload(&budi, order, other, "").await.status, 200);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1);
    let found = check(&budi, order).await;
    assert_eq!((&found["outcome"], &found["is_open"]), (&json!("not_read"), &json!(false)), "{found}");
    assert_eq!(found["said"], "the name of the order could not be read on it. Please check");
}

#[tokio::test]
async fn a_stop_gives_back_the_reading_that_it_cuts_off() {
    use diesel::prelude::*;
    use visadesk::db::schema::visa_readings;

    let s3 = S3::start().await;
    let proxy = Proxy::before(s3.address).await;
    let test = TestApp::start_on(Some(s3.files_at(proxy.address)), |_| {}).await;
    let order = add_order(&shop(&test).await, "1").await;
    assert_eq!(upload(&test.as_staff(Team, "Budi"), order, scanned(right()), "").await.status, 200);
    let lease = || {
        test.read(|conn| {
            let lease = visa_readings::table.select((visa_readings::leased_until, visa_readings::attempts));
            Ok(lease.first::<(Option<Timestamp>, i32)>(conn)?)
        })
    };
    // The reading waits for its file.
    proxy.set(Fault::Silent);
    let ((stopping, stop), room) = (watch::channel(false), test.app.deliveries.clone());
    let worker = tokio::spawn(async move { run(&room, stop).await });
    until("the reading is leased", async || lease().await.0).await;
    stopping.send_replace(true);
    worker.await.expect("the worker ends");
    assert_eq!(lease().await, (None, 0));
    proxy.set(Fault::None);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 1, "it is due at once");
}

#[tokio::test]
async fn without_tesseract_a_scanned_visa_is_delivered_with_a_note() {
    let test = TestApp::start_with(|config| config.checks.tesseract = "/no/such/tesseract".into()).await;
    let order = add_order(&shop(&test).await, "1").await;
    let found = upload(&test.as_staff(Team, "Budi"), order, scanned(right()), "").await.data().clone();
    assert_eq!(found["said"], "nothing in it could be compared with the order");
    assert_eq!(found["is_being_read"], false);
    assert_eq!(read_due(&test.app.deliveries).await.unwrap(), 0);
}

/// The values of the order of the right visa.
fn expected() -> ExpectedVisa {
    ExpectedVisa {
        document_number: Some("PA1234567".into()),
        names: PersonalName::read("Ann Mary Lee").into_iter().collect(),
        date_of_birth: NaiveDate::from_ymd_opt(1990, 5, 17),
    }
}

/// Both readings of a file.
fn read(media_type: MediaType, content: Vec<u8>) -> Option<[String; 2]> {
    read_by(Path::new(BINARY), media_type, content)
}

fn read_by(program: &Path, media_type: MediaType, content: Vec<u8>) -> Option<[String; 2]> {
    let tesseract = ocr::find("").expect("tesseract-ocr is installed: cargo xtask test installs it");
    read_turned(program, &tesseract, media_type, &content.into(), &expected()).expect("children start")
}

#[test]
fn a_scan_that_lies_on_its_side_or_upside_down_is_read() {
    let upright = image::load_from_memory(&scanned(right())).expect("a picture");
    for (how, turned) in
        [("a quarter", upright.rotate90()), ("half", upright.rotate180()), ("three", upright.rotate270())]
    {
        let mut picture = Cursor::new(Vec::new());
        turned.write_to(&mut picture, ImageFormat::Png).expect("a PNG");
        let [first, second] = read(MediaType::Png, picture.into_inner()).expect("it is read");
        assert_eq!(scan::compare([&first, &second], &expected()).outcome, VisaOutcome::Same, "{how}: {first}");
    }
}

#[test]
fn no_planted_difference_on_a_scanned_visa_is_called_the_same() {
    // It needs no database, so it runs on one of the two only.
    let file = scanned(right());
    let media_type = MediaType::of(&file).expect("a picture");
    let [first, second] = read(media_type, file).expect("it is read");
    let compare = |number: &str, name: &str, birth: NaiveDate| {
        let (number, names) = (Some(number.to_owned()), PersonalName::read(name).into_iter().collect());
        let expected = ExpectedVisa { document_number: number, names, date_of_birth: Some(birth) };
        scan::compare([&first, &second], &expected).outcome
    };
    let birth = NaiveDate::from_ymd_opt(1990, 5, 17).expect("a day");
    assert_eq!(compare("PA1234567", "Ann Mary Lee", birth), VisaOutcome::Same);
    let (mut planted, mut differ) = (0, 0);
    for at in 0..9 {
        for other in "0123456789ABIKOSZ".chars().filter(|other| "PA1234567".chars().nth(at) != Some(*other)) {
            let number = format!("{}{other}{}", &"PA1234567"[..at], &"PA1234567"[at + 1..]);
            let outcome = compare(&number, "Ann Mary Lee", birth);
            assert_ne!(outcome, VisaOutcome::Same, "{number}");
            planted += 1;
            differ += u32::from(outcome == VisaOutcome::Differs);
        }
    }
    for name in ["Anne Mary Lee", "Ann Mary Lea", "Ann Mari Lee", "Ann Mary Lee Lee", "Bea Other"] {
        assert_ne!(compare("PA1234567", name, birth), VisaOutcome::Same, "{name}");
    }
    for days in [1, 10, 31, 365] {
        let other = birth - chrono::Days::new(days);
        assert_ne!(compare("PA1234567", "Ann Mary Lee", other), VisaOutcome::Same, "{other}");
    }
    assert!(differ * 2 > planted, "{differ} of {planted} numbers clearly differ");
}

#[test]
fn a_hostile_visa_is_not_read_within_the_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = match rounds(false, true) {
        true => PathBuf::from(BINARY),
        false => with_processor_seconds(2, folder.path()),
    };
    for (what, content) in bombs().into_iter().take(1) {
        let begun = Instant::now();
        let read = read_by(&program, MediaType::Pdf, content);
        assert!(read.is_none_or(|texts| texts.iter().all(|text| text.trim().is_empty())), "{what}");
        assert!(begun.elapsed() < Duration::from_secs(150), "{what}: {:?}", begun.elapsed());
    }
}
