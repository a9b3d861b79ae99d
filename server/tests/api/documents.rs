//! Documents: uploads by the sales site and by staff, access to them, and failures during an upload.

mod content;
mod corpora;
mod forms;
mod kills;
mod links;
pub mod page_bombs;
mod pages;
mod slow_downloads;
mod slow_uploads;
mod storage;
mod sweeping;
mod visas;

use diesel::prelude::*;
use image::ImageFormat;
use insta::assert_snapshot;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::db::schema::documents;
use visadesk::error::Permission;

use crate::intake::{order, shop};
use crate::support::sample_files::{pdf, picture};
use crate::support::{Answer, Client, TestApp};

fn form(content: impl Into<Vec<u8>>, name: &str) -> Form {
    Form::new().part("file", Part::bytes(content.into()).file_name(name.to_owned()))
}

pub async fn upload(shop: &Client<'_>, kind: &str, content: impl Into<Vec<u8>>, name: &str) -> Answer {
    shop.upload(&format!("/intake/orders/100001/documents/{kind}"), form(content, name)).await
}

/// Creates order 100001. Returns the client of the sales site.
async fn shop_with_order(test: &TestApp) -> Client<'_> {
    let shop = shop(test).await;
    assert_eq!(shop.post("/intake/orders", order(json!({}))).await.data()["order_id"], 100_001);
    shop
}

async fn stored(test: &TestApp) -> Vec<(String, String, String)> {
    let columns = (documents::kind, documents::original_name, documents::media_type);
    test.read(move |conn| Ok(documents::table.order(documents::document_id).select(columns).load(conn)?)).await
}

/// The names in the file storage.
fn files(test: &TestApp) -> Vec<String> {
    let folder = test.app.config.data_dir.join("files");
    let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[tokio::test]
async fn each_file_type_is_accepted_and_detected_by_its_content() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let answer = upload(&shop, "passport_picture", pdf(), "my passport.PDF").await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"The document has been taken in","data":{"order_id":100001,"order_number":"VD-100001","check":"pending"}}"#);
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        assert_eq!(upload(&shop, "bank_statement", picture(format), "scan.exe").await.status, 200);
    }
    let documents = stored(&test).await;
    let documents: Vec<String> = documents.iter().map(|(kind, name, media)| format!("{kind} {name} {media}")).collect();
    assert_eq!(
        documents,
        [
            "passport_picture my passport.pdf application/pdf",
            "bank_statement scan.jpg image/jpeg",
            "bank_statement scan.png image/png",
            "bank_statement scan.webp image/webp",
            "bank_statement scan.gif image/gif",
        ]
    );
    assert_eq!(files(&test).len(), 5);
}

#[tokio::test]
async fn the_stored_file_equals_the_upload() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    upload(&shop, "upload_picture", pdf(), "x.pdf").await;
    let (key, size_bytes, sha256) = test
        .read(|conn| {
            let columns = (documents::file1, documents::size_bytes, documents::sha256);
            Ok(documents::table.select(columns).first::<(String, i64, String)>(conn)?)
        })
        .await;
    let stored = visadesk::files::StoredContent { key, size_bytes, sha256 };
    assert_eq!(test.app.documents.files.get(&stored, Permission::in_background()).await.unwrap(), pdf());
}

#[tokio::test]
async fn a_document_needs_a_known_kind_and_an_existing_order() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    for kind in ["visa", "passport%2F..", "nonsense", "..%2F..%2Fetc"] {
        assert_eq!(upload(&shop, kind, pdf(), "x.pdf").await.status, 404, "{kind}");
    }
    let other = shop.upload("/intake/orders/100002/documents/passport_picture", form(pdf(), "x.pdf")).await;
    assert_snapshot!(other, @r#"404 {"status":0,"code":"order_not_found","message":"There is no such order"}"#);
    assert!(files(&test).is_empty());
}

#[tokio::test]
async fn a_file_that_is_too_large_is_rejected() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let large = [pdf(), vec![b' '; 20 * 1024 * 1024]].concat();
    let answer = upload(&shop, "bank_statement", large, "x.pdf").await;
    assert_snapshot!(answer, @r#"413 {"status":0,"code":"file_too_large","message":"The file is larger than 20 MB"}"#);
    assert!(files(&test).is_empty());
}

#[tokio::test]
async fn the_files_and_bytes_of_an_order_are_limited() {
    let test = TestApp::start_with(|config| {
        config.limits.files_per_order = 2;
        config.limits.file_bytes_per_order = 1024 * 1024;
    })
    .await;
    let shop = shop_with_order(&test).await;
    let large = [pdf(), vec![b' '; 1024 * 1024]].concat();
    let too_large = upload(&shop, "bank_statement", large, "x.pdf").await;
    assert_snapshot!(too_large, @r#"413 {"status":0,"code":"order_files_too_large","message":"The files of an order may have at most 1 MB in total"}"#);
    let at_once = (0..6).map(|_| upload(&shop, "bank_statement", pdf(), "x.pdf"));
    let mut answers: Vec<u16> = futures_util::future::join_all(at_once).await.iter().map(|one| one.status).collect();
    answers.sort_unstable();
    assert_eq!(answers, [200, 200, 413, 413, 413, 413]);
    assert_eq!((stored(&test).await.len(), files(&test).len()), (2, 2));
}

#[tokio::test]
async fn file_names_never_become_storage_keys() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let long = "n".repeat(4_000);
    for name in ["../../x.pdf", "/etc/passwd", "..\\..\\x", "CON", "a\"; filename=evil.html", "\u{202e}fdp.exe", &long]
    {
        assert_eq!(upload(&shop, "bank_statement", pdf(), name).await.status, 200, "{name}");
    }
    let hexadecimal = |name: &String| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(files(&test).iter().all(hexadecimal));
    for (_, name, _) in stored(&test).await {
        assert!(!name.contains(['/', '\\', '\n', '\u{202e}']) && name.ends_with(".pdf") && name.chars().count() <= 150);
    }
}

#[tokio::test]
async fn the_same_key_stores_one_document() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await.with_key("k1");
    let first = upload(&shop, "bank_statement", pdf(), "x.pdf").await;
    let again = upload(&shop, "bank_statement", pdf(), "x.pdf").await;
    assert_eq!((first.status, &first.text), (200, &again.text));
    let other = upload(&shop, "bank_statement", picture(ImageFormat::Png), "x.png").await;
    assert_eq!(other.status, 422, "{other}");
    assert_eq!((stored(&test).await.len(), files(&test).len()), (1, 1));
}

#[tokio::test]
async fn a_malformed_form_is_rejected() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let send = async |content_type: &str, body: &[u8]| {
        let path = "/api/intake/orders/100001/documents/bank_statement";
        let request = shop.request(reqwest::Method::POST, path).await.header("content-type", content_type);
        shop.send(request.body(body.to_vec())).await.status
    };
    let with = "multipart/form-data; boundary=x";
    for (content_type, body, status) in [
        ("application/json", &b"{}"[..], 415),
        ("multipart/form-data", b"", 400),
        (with, b"", 400),
        (with, b"--x", 400),
        (with, b"--x\r\n\r\n", 400),
        (with, b"--x\r\nContent-Disposition: form-data; name=\"\"\r\n\r\na\r\n--x--\r\n", 422),
        (with, b"--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nno end", 400),
        (with, b"--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\na\r\n--x--\r\n", 422),
        (with, b"--x\nContent-Disposition: form-data; name=file\n\na\n--x--\n", 400),
    ] {
        assert_eq!(send(content_type, body).await, status, "{content_type} {}", String::from_utf8_lossy(body));
    }
    let parts = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n".repeat(10_000) + "--x--\r\n";
    assert_eq!(send(with, parts.as_bytes()).await, 400);
    assert!(files(&test).is_empty());
}

#[tokio::test]
async fn a_form_with_two_files_is_rejected() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let two = form(pdf(), "x.pdf").part("file", Part::bytes(pdf()).file_name("y.pdf"));
    let answer = shop.upload("/intake/orders/100001/documents/bank_statement", two).await;
    assert_eq!((answer.status, &answer.json["code"]), (422, &json!("repeated_form_part")), "{answer}");
}
