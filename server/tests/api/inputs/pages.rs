//! Photographs of the pages of passports, and what is read in them. They need no database, so they are read on one of the two only.

use std::path::Path;

use chrono::NaiveDate;
use toml::Value;
use visadesk::documents::rules::MediaType;
use visadesk::papers::reading::PaperReading;
use visadesk::papers::rules::passport::compare;
use visadesk::papers::rules::{Finding, Paper};
use visadesk::papers::store::FinishedCheck;
use visadesk::papers::worker::read_paper;

use super::{Case, assert_understood};
use crate::papers::{tesseract, typed};
use crate::support::damage::View;
use crate::support::passports::{PASSPORTS, jpeg};
use crate::support::program::BINARY;

/// The name of the table of these cases.
pub const TABLE: &str = "zone";

#[test]
fn every_page_is_read_as_its_case_says() {
    let cases: Vec<Case> = Case::all().into_iter().filter(|case| case.table == TABLE).collect();
    let (first, second) = cases.split_at(cases.len() / 2);
    let read = |cases: &[Case]| cases.iter().map(faults).collect::<Vec<_>>();
    let faults = std::thread::scope(|scope| {
        let other = scope.spawn(|| read(second));
        [read(first), other.join().expect("no page panics")].concat()
    });
    assert_understood(cases.iter().zip(faults));
}

/// The faults of the reading of the first passport, beside what its owner typed.
fn faults(case: &Case) -> Vec<String> {
    let passport = &PASSPORTS[0];
    let content = jpeg(&view(case).of(&passport.scan()));
    let ended = read_paper(Path::new(BINARY), Some(&tesseract()), Paper::Passport, MediaType::Jpeg, &content.into());
    let reading = match ended.expect("children start") {
        FinishedCheck::Read(PaperReading::Passport(reading)) => reading,
        other => return vec![format!("it ended with {other:?}")],
    };
    let today = NaiveDate::from_ymd_opt(2026, 11, 20).expect("a day");
    // A page that is read although it need not be is as good.
    let is_to_be_read = case.expected.contains_key("read");
    let findings = compare(&reading, &typed(passport), today);
    let wrong = findings.iter().filter(|found| match found.finding() {
        Finding::Same | Finding::Look => false,
        Finding::NotReadable => is_to_be_read,
        Finding::Differs | Finding::NotTyped => true,
    });
    let no_crop = reading.crop.is_none().then(|| "there is no picture of the lines".to_owned());
    wrong.map(|found| format!("{found:?}")).chain(no_crop).collect()
}

fn view(case: &Case) -> View {
    let page = case.given["page"].as_table().expect("how the page is photographed");
    let number = |name: &str| page.get(name).map(|number| number.to_string().parse::<f32>().expect("a number"));
    let width = page.get("width").and_then(Value::as_integer).expect("a width");
    View {
        width: u32::try_from(width).expect("a width"),
        tilt: number("tilt").unwrap_or_default(),
        bend: number("bend").unwrap_or_default(),
        perspective: number("perspective").unwrap_or_default(),
    }
}
