//! Defence packs: what a bank reads, read back from the PDF as text and as pictures.

mod faults;
mod glyphs;
mod keeping;
mod orders;
mod reading;
mod writing;

use reqwest::Method;
use serde_json::json;
use visadesk::staff::rules::StaffType::Manager;

use self::reading::Paper;
use crate::support::{Client, TestApp};

/// Makes a pack: status, content type, disposition, and the bytes.
async fn ask(desk: &Client<'_>, order: i64, pack: i32) -> (u16, String, String, Vec<u8>) {
    let request = desk.request(Method::POST, "/api/admin/get-defence-pack-pdf").await;
    let body = json!({ "orderId": order, "defencePackType": pack });
    let answer = request.json(&body).send().await.expect("an answer");
    let head = |name: &str| answer.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let (status, kind, name) = (answer.status().as_u16(), head("content-type"), head("content-disposition"));
    (status, kind, name, answer.bytes().await.expect("it is whole").to_vec())
}

/// A pack of that order, on the disk.
async fn paper(test: &TestApp, order: i64, pack: i32) -> Paper {
    let (status, _, _, content) = ask(&test.as_staff(Manager, "Ayu"), order, pack).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&content));
    assert!(content.len() < 1_000_000, "{} bytes", content.len());
    Paper::of(&content)
}

#[track_caller]
fn assert_says(text: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(text.contains(sentence), "{sentence:?} is not in:\n{text}");
    }
}
