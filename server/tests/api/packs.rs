//! Defence packs: the PDFs for the bank, checked by their text and their rendered pages.

mod faults;
mod glyphs;
mod keeping;
pub mod orders;
pub mod reading;
mod repeating;
mod slow_readers;
mod writing;

use reqwest::Method;
use serde_json::json;
use visadesk::staff::rules::StaffType::Manager;

use self::reading::PackPdf;
use crate::support::{Client, TestApp};

/// Requests a pack. Returns status, content type, content disposition and body.
async fn request_pack(desk: &Client<'_>, order: i64, pack: i32) -> (u16, String, String, Vec<u8>) {
    let request = desk.request(Method::POST, "/api/admin/get-defence-pack-pdf").await;
    let body = json!({ "orderId": order, "defencePackType": pack });
    let answer = request.json(&body).send().await.expect("an answer");
    let head = |name: &str| answer.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let (status, kind, name) = (answer.status().as_u16(), head("content-type"), head("content-disposition"));
    (status, kind, name, answer.bytes().await.expect("the whole body").to_vec())
}

/// Generates a pack of the order and opens it.
async fn pack_pdf(test: &TestApp, order: i64, pack: i32) -> PackPdf {
    let (status, _, _, content) = request_pack(&test.as_staff(Manager, "Ayu"), order, pack).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&content));
    assert!(content.len() < 1_000_000, "{} bytes", content.len());
    PackPdf::open(&content)
}

#[track_caller]
fn assert_contains(text: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(text.contains(sentence), "{sentence:?} is missing in:\n{text}");
    }
}
