//! Files, as applicants and members upload them.

use std::fs;
use std::io::Cursor;

use axum::http::{Method, header};
use diesel::prelude::*;
use image::ImageReader;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use toml::Value;
use visadesk::db::schema::documents;
use visadesk::documents::page_images::ImageSize;
use visadesk::error::Permission;
use visadesk::files::StoredContent;
use visadesk::staff::rules::StaffType::Admin;

use super::Case;
use super::orders::Shop;
use crate::intake::order;
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// The most by which a part of a pixel's colour may differ.
const COLOUR_TOLERANCE: u64 = 3;

pub async fn faults(case: &Case, test: &TestApp, shop: &Shop) -> Vec<String> {
    let path = case.text("path");
    let content = fs::read(case.folder().join(path)).expect("a file");
    let desk = shop.desk(test);
    let order_id = new_order(&desk).await;
    let part = Part::bytes(content.clone()).file_name(path.to_owned());
    let answer = match case.text("kind") {
        "issued_visa" => {
            let form = Form::new().text("orderId", order_id.to_string()).text("email", "ann@example.com");
            test.as_staff(Admin, "Ayu").upload("/admin/upload-visa-document", form.part("uploadVisaDoc", part)).await
        }
        kind => {
            desk.upload(&format!("/intake/orders/{order_id}/documents/{kind}"), Form::new().part("file", part)).await
        }
    };
    if let Some(code) = case.expected.get("refused").and_then(Value::as_str) {
        let says = case.expected.get("says").and_then(Value::as_str).expect("a part of the message");
        let is_right = answer.json["code"] == code && answer.message().contains(says);
        return (!is_right).then(|| format!("{answer}")).into_iter().collect();
    }
    if answer.status != 200 {
        return vec![format!("it is not taken: {answer}")];
    }
    let stored = stored(test, order_id).await;
    let mut faults: Vec<String> = case.compare("rewritten", stored != content).into_iter().collect();
    if case.expected.contains_key("pages") {
        let page = test.app.documents.pages.render(1, ImageSize::Screen, async { Ok(stored.clone().into()) }).await;
        match page {
            Ok(page) => faults.extend(case.compare("pages", i64::try_from(page.pages).expect("few pages"))),
            Err(error) => faults.push(format!("it has no page: {}", error.message())),
        }
    }
    faults.extend(wrong_pixels(case, &stored));
    faults
}

/// Sends a PDF under the name of the header. The extension of the stored name is that of the content, whatever the name says.
pub async fn name_faults(case: &Case, test: &TestApp, shop: &Shop) -> Vec<String> {
    let desk = shop.desk(test);
    let order_id = new_order(&desk).await;
    let head = format!("--x\r\nContent-Disposition: {}\r\n\r\n", case.text("header"));
    let body = [head.as_bytes(), &pdf(), b"\r\n--x--\r\n"].concat();
    let path = format!("/api/intake/orders/{order_id}/documents/bank_statement");
    let request = desk.request(Method::POST, &path).await;
    let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=x").body(body);
    let answer = desk.send(request).await;
    if answer.status != 200 {
        return vec![format!("it is not taken: {answer}")];
    }
    let name = documents::table.filter(documents::order_id.eq(order_id)).select(documents::original_name);
    let name: String = test.read(move |conn| Ok(name.first(conn)?)).await;
    let expected = case.expected.get("name").and_then(Value::as_str).expect("a name");
    let is_extension = |end: &str| end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let stem = expected.rsplit_once('.').filter(|(_, end)| is_extension(end)).map_or(expected, |(stem, _)| stem);
    (name != format!("{stem}.pdf")).then(|| format!("it is called {name:?}")).into_iter().collect()
}

async fn new_order(desk: &Client<'_>) -> i64 {
    desk.post("/intake/orders", order(json!({}))).await.data()["order_id"].as_i64().expect("an order")
}

/// The content of the only file of the order.
async fn stored(test: &TestApp, order_id: i64) -> Vec<u8> {
    let columns = (documents::file1, documents::size_bytes, documents::sha256);
    let row = documents::table.filter(documents::order_id.eq(order_id)).select(columns);
    let (key, size_bytes, sha256) = test.read(move |conn| Ok(row.first(conn)?)).await;
    let stored = StoredContent { key, size_bytes, sha256 };
    test.app.documents.files.get(&stored, Permission::in_background()).await.expect("a file").to_vec()
}

fn wrong_pixels(case: &Case, picture: &[u8]) -> Vec<String> {
    let Some(pixels) = case.expected.get("pixels").and_then(Value::as_array) else { return Vec::new() };
    let reader = ImageReader::new(Cursor::new(picture)).with_guessed_format().expect("bytes in memory");
    let picture = match reader.decode() {
        Ok(picture) => picture.into_rgb8(),
        Err(error) => return vec![format!("it is no picture: {error}")],
    };
    let mut faults = Vec::new();
    for pixel in pixels {
        let number =
            |name: &str| pixel[name].as_integer().and_then(|number| u32::try_from(number).ok()).expect("a number");
        let (x, y) = (number("x"), number("y"));
        let Some(found) = picture.get_pixel_checked(x, y) else {
            faults.push(format!("there is no pixel at {x}, {y}"));
            continue;
        };
        let expected: Vec<i64> =
            pixel["rgb"].as_array().expect("a colour").iter().filter_map(Value::as_integer).collect();
        let is_close = expected.iter().zip(found.0).all(|(one, other)| one.abs_diff(other.into()) <= COLOUR_TOLERANCE);
        if !is_close {
            faults.push(format!("{x}, {y} is {:?} instead of {expected:?}", found.0));
        }
    }
    faults
}
