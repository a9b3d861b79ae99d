//! Signed links: they are valid for one session or grant and for five minutes.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::StreamExt;
use futures_util::stream;
use image::ImageFormat;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, COOKIE};
use serde_json::{Value, json};
use visadesk::db::schema::{access_log, documents};
use visadesk::documents::links::{self, Viewer};
use visadesk::documents::rules::MediaType;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::tracking::tokens;

use super::{shop_with_order, upload};
use crate::support::sample_files::{pdf, picture};
use crate::support::wire::Wire;
use crate::support::{Answer, Client, TestApp};

/// Collects every link in the answer.
fn links_in(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, field)| match field {
            Value::String(link) if key == "link" || key == "path" => into.push(link.clone()),
            field => links_in(field, into),
        }),
        Value::Array(items) => items.iter().for_each(|item| links_in(item, into)),
        _ => {}
    }
}

/// The links in the detail of order 100001.
pub(super) async fn links_of(client: &Client<'_>) -> Vec<String> {
    let mut links = Vec::new();
    links_in(client.get("/admin/get-orders-details/100001").await.data(), &mut links);
    assert!(!links.is_empty());
    links
}

/// Creates an order with a passport, a picture of each type, and an issued visa.
async fn with_files(test: &TestApp) {
    let shop = shop_with_order(test).await;
    upload(&shop, "passport_picture", pdf(), "my passport.pdf").await;
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        assert_eq!(upload(&shop, "bank_statement", picture(format), "сканирование.x").await.status, 200);
    }
    upload(&shop, "upload_picture", pdf(), "visa.pdf").await;
    let newest = documents::table.filter(documents::original_name.eq("visa.pdf"));
    test.write(move |tx| Ok(diesel::update(newest).set(documents::kind.eq("visa")).execute(tx)?)).await;
}

#[tokio::test]
async fn each_link_opens_its_file_with_headers_that_restrict_the_browser() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let budi = test.as_staff(Team, "Budi");
    let links = links_of(&budi).await;
    assert_eq!(links.len(), 6, "{links:?}");
    for link in links {
        assert!(link.starts_with("uploads/"), "{link}");
        let request = budi.request(Method::GET, &format!("/{link}")).await;
        let response = request.send().await.unwrap();
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let is_pdf = link.contains(".pdf?");
        let policy = header("content-security-policy").unwrap();
        assert_eq!(policy.contains("sandbox"), !is_pdf, "{link}: {policy}");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-site"),
            ("cache-control", "private, no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex"),
        ] {
            assert_eq!(header(name).as_deref(), Some(value), "{link}: {name}");
        }
        let named = header("content-disposition").unwrap();
        assert!(named.starts_with("inline; filename") && named.matches("filename").count() == 1, "{named}");
        let kind = header("content-type").unwrap();
        let content = response.bytes().await.unwrap();
        assert_eq!((kind == "application/pdf", content.starts_with(b"%PDF-")), (is_pdf, is_pdf), "{link}");
        let head = budi.send(budi.request(Method::HEAD, &format!("/{link}")).await).await;
        assert_eq!((head.status, head.text.len()), (200, 0));
        assert_eq!(head.header("content-length"), content.len().to_string());
    }
}

/// Opens a link with a cookie instead of a token.
async fn by_cookie(test: &TestApp, cookie: &str, link: &str) -> Answer {
    let anonymous = test.anonymous();
    let request = anonymous.request(Method::GET, &format!("/{link}")).await.header(COOKIE, cookie);
    anonymous.send(request).await
}

#[tokio::test]
async fn the_cookie_of_a_session_opens_its_links_until_the_session_ends() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let cookie_of = async |client: &Client<'_>| {
        let answer = client.get("/user_info").await;
        answer.header("set-cookie").split(';').next().unwrap().to_owned()
    };
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Made"));
    let link = links_of(&budi).await.remove(0);
    let (cookie, other) = (cookie_of(&budi).await, cookie_of(&made).await);
    assert_eq!(by_cookie(&test, &cookie, &link).await.status, 200);
    assert_eq!(by_cookie(&test, &other, &link).await.status, 404, "the session of another member");
    let forged = format!("{}0", &cookie[..cookie.len() - 1]);
    for wrong in [forged.as_str(), "visadesk_uploads=", "visadesk_uploads=x.y", "visadesk_uploads=.", "x=y"] {
        assert!(cookie == wrong || by_cookie(&test, wrong, &link).await.status == 404, "{wrong}");
    }
    assert_eq!(by_cookie(&test, "a=b; c=d", &link).await.status, 404);
    budi.post("/admin/sign-out", json!({})).await;
    assert_eq!(by_cookie(&test, &cookie, &link).await.status, 404, "the session has ended");
}

#[tokio::test]
async fn a_changed_link_or_the_link_of_another_session_is_not_found() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Made"));
    let not_found = test.anonymous().page("/uploads/nothing").await;
    assert_eq!(not_found.status, 404);
    let session = budi.session().await.token.clone();
    for link in links_of(&budi).await {
        let (path, query) = link.split_once('?').unwrap();
        let (name, extension) = path.rsplit_once('/').unwrap().1.split_once('.').unwrap();
        let (expiry, signature) = query.strip_prefix("e=").unwrap().split_once("&s=").unwrap();
        let later = expiry.parse::<i64>().unwrap() + 60;
        let with_last_digit_changed = |text: &str| {
            let last = if text.ends_with('0') { '1' } else { '0' };
            format!("{}{last}", &text[..text.len() - 1])
        };
        for changed in [
            path.to_owned(),
            format!("{path}?"),
            format!("{path}?e={expiry}"),
            format!("{path}?s={signature}"),
            format!("{path}?e={later}&s={signature}"),
            format!("{path}?e=+{expiry}&s={signature}"),
            format!("{path}?e={expiry}&s={}", with_last_digit_changed(signature)),
            format!("{path}?e={expiry}&s={}", signature.to_uppercase()),
            format!("{path}?e={expiry}&s={signature}&s={signature}"),
            format!("{path}?s={signature}&e={expiry}"),
            format!("uploads/{}.{extension}?{query}", with_last_digit_changed(name)),
            format!("uploads/{name}.html?{query}"),
            format!("uploads/{name}?{query}"),
            format!("uploads/{name}.{extension}/?{query}"),
            format!("/uploads/{name}.{extension}?{query}"),
            format!("uploads//{name}.{extension}?{query}"),
            format!("uploads/..%2fuploads%2f{name}.{extension}?{query}"),
            format!("uploads/%{:02x}{}.{extension}?{query}", name.as_bytes()[0], &name[1..]),
            format!("UPLOADS/{name}.{extension}?{query}"),
            format!("files/{name}?{query}"),
        ] {
            for method in [Method::GET, Method::HEAD] {
                let request = budi.request(method.clone(), &format!("/{changed}")).await;
                let answer = budi.send(request.header("range", "bytes=0-3")).await;
                let is_page = answer.status == 200 && answer.header("content-type").starts_with("text/html");
                assert!(answer.status == 404 || is_page, "{method} {changed}: {answer}");
                assert!(!answer.text.contains("%PDF"), "{method} {changed}");
            }
        }
        // Sent as raw HTTP, because an HTTP client would normalize these paths.
        for changed in [
            format!("/uploads/%2e%2e/uploads/{name}.{extension}?{query}"),
            format!("/uploads/../uploads/{name}.{extension}?{query}"),
            format!("/uploads/./{name}.{extension}?{query}"),
            format!("//uploads/{name}.{extension}?{query}"),
            format!("/uploads/%00{name}.{extension}?{query}"),
            format!("/uploads/%ff{name}.{extension}?{query}"),
        ] {
            let mut wire = Wire::open(test.address).await;
            wire.send(format!("GET {changed} HTTP/1.1\r\nhost: desk\r\nauthorization: {session}\r\n\r\n")).await;
            let (status, text) = wire.answer().await.unwrap();
            assert!(status == 404 && !text.contains("%PDF"), "{changed}: {status}");
        }
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            let answer = budi.send(budi.request(method.clone(), &format!("/{link}")).await).await;
            assert_eq!(answer.status, 404, "{method}");
        }
        for other in [&made, &test.anonymous(), &test.with_token("nonsense")] {
            let answer = other.page(&format!("/{link}")).await;
            assert_eq!((answer.status, &answer.text), (404, &not_found.text), "{link}");
        }
        let visitor_link = links::sign(&test.app.kit.secret, path, &Viewer::Visitor("x".into()), test.clock.now());
        assert_eq!(budi.page(&format!("/{visitor_link}")).await.status, 404, "a link for another viewer");
        assert_eq!(budi.page(&format!("/{link}")).await.status, 200, "the unchanged link is valid");
    }
    let link = links_of(&budi).await.remove(0);
    test.later(TimeDelta::minutes(6));
    assert_eq!(budi.page(&format!("/{link}")).await.status, 404, "after six minutes");
    let link = links_of(&budi).await.remove(0);
    budi.post("/admin/sign-out", json!({})).await;
    let anonymous = test.anonymous();
    let request = anonymous.request(Method::GET, &format!("/{link}")).await.header(AUTHORIZATION, session);
    assert_eq!(anonymous.send(request).await.status, 404, "after signing out");
}

#[tokio::test]
async fn ten_thousand_guessed_links_find_nothing() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    let until = (test.clock.now() + TimeDelta::minutes(3)).timestamp();
    let guesses = stream::iter(0..10_000_u32).map(|number| {
        let extension = ["pdf", "jpg", "png", "webp", "gif"][number as usize % 5];
        let (name, signature) = (rand::random::<u128>(), rand::random::<[u8; 32]>());
        let query = if number % 2 == 0 { format!("?e={until}&s={}", hex::encode(signature)) } else { String::new() };
        let (path, budi) = (format!("/uploads/{name:032x}.{extension}{query}"), &budi);
        async move { budi.page(&path).await.status }
    });
    let found = guesses.buffer_unordered(32).filter(|status| std::future::ready(*status != 404)).count().await;
    assert_eq!(found, 0);
}

#[tokio::test]
async fn views_of_a_file_are_recorded() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let budi = test.as_staff(Team, "Budi");
    let link = links_of(&budi).await.remove(0);
    budi.page(&format!("/{link}")).await;
    test.anonymous().page(&format!("/{link}")).await;
    test.app.audit.access_log.flush().await.unwrap();
    let views = access_log::table.filter(access_log::action.eq("file.view"));
    let views = views.select((access_log::staff_id, access_log::order_id));
    let views: Vec<(i64, Option<i64>)> = test.read(move |conn| Ok(views.load(conn)?)).await;
    assert_eq!(views, [(budi.id().await, Some(100_001))]);
}

#[tokio::test]
async fn files_may_be_served_from_separate_hosts() {
    let test = TestApp::start_with(|config| {
        config.public_url = "https://desk.agency.example".into();
        config.admin_uploads_url = "https://visas.agency.example/".into();
        config.customer_uploads_url = "https://papers.agency.example".into();
    })
    .await;
    with_files(&test).await;
    let budi = test.as_staff(Team, "Budi");
    let details = budi.get("/admin/get-orders-details/100001").await;
    let link = |at: &str| details.data().pointer(at).unwrap().as_str().unwrap().to_owned();
    let (document, visa) = (link("/documents/0/link"), link("/uploadDoc/0/link"));
    let document = document.strip_prefix("https://papers.agency.example/").unwrap();
    assert!(visa.starts_with("https://visas.agency.example/uploads/"));
    let answer = budi.page(&format!("/{document}")).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-security-policy").ends_with("'self' https://desk.agency.example"));
    let tracked = test.anonymous().track(100_001, "ann@example.com").await;
    let ann = test.with_token(tracked.json["visitorToken"].as_str().unwrap());
    let file1 = visa.rsplit_once('/').unwrap().1.split_once('.').unwrap().0;
    let fetched = ann.download(100_001, file1).await;
    let path = fetched.json["path"].as_str().unwrap();
    assert!(path.starts_with("uploads/"), "the applicant's cookie is not sent to another host: {path}");
    assert_eq!(ann.page(&format!("/{path}")).await.status, 200);
    let cookie = budi.get("/user_info").await.header("set-cookie").to_owned();
    assert!(cookie.contains("Domain=agency.example") && cookie.contains("Secure"), "{cookie}");
}

#[tokio::test]
async fn the_detail_lists_the_required_documents_and_which_are_missing() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let order = visadesk::db::schema::orders::table.find(100_001);
    test.write(move |tx| {
        Ok(diesel::update(order).set(visadesk::db::schema::orders::visa_type.eq("C1")).execute(tx)?)
    })
    .await;
    let details = test.as_staff(Team, "Budi").get("/admin/get-orders-details/100001").await;
    let required: Vec<String> = details.data()["required_documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {} {} {}", one["kind"], one["label"], one["required"], one["given"]))
        .collect();
    assert_eq!(
        required[..4],
        [
            r#""passport_picture" "Passport" true true"#,
            r#""bank_statement" "Bank statement (minimum USD 2000)" true true"#,
            r#""upload_picture" "Recent colour photograph" true false"#,
            r#""guarantor_letter" "Guarantor letter" false false"#,
        ]
    );
    assert_eq!(details.data()["documents"][0]["label"], "Travel document");
    assert_eq!(details.data()["documents"][1]["label"], "Bank statement (minimum USD 2000)");
}

#[tokio::test]
async fn an_applicant_s_link_opens_only_their_visa_and_only_with_their_grant() {
    let test = TestApp::start().await;
    with_files(&test).await;
    let (ann, other) = (test.anonymous().track(100_001, "ann@example.com").await, test.add_order(New).await);
    let token = ann.json["visitorToken"].as_str().unwrap().to_owned();
    let cookie = ann.header("set-cookie").split(';').next().unwrap().to_owned();
    let ann = test.with_token(token);
    let file1 = ann.history(100_001).await.json["path"]["file1"].as_str().unwrap().to_owned();
    let link = ann.download(100_001, file1.as_str()).await.json["path"].as_str().unwrap().to_owned();

    let shown = ann.page(&format!("/{link}")).await;
    assert_eq!((shown.status, shown.header("content-disposition")), (200, "inline; filename=\"visa.pdf\""));
    assert_eq!(by_cookie(&test, &cookie, &link).await.status, 200);
    for other_client in [&test.anonymous(), &test.as_visitor(other).await, &test.as_staff(Admin, "Made")] {
        assert_eq!(other_client.page(&format!("/{link}")).await.status, 404);
    }
    // A grant is only valid for the visa, even with a signed link to another document.
    let visitor = Viewer::Visitor(tokens::hash(cookie.split_once('=').unwrap().1));
    let other_documents: Vec<(String, MediaType)> = test
        .read(|conn| {
            let other_documents = documents::table.filter(documents::kind.ne("visa"));
            Ok(other_documents.select((documents::file1, documents::media_type)).load(conn)?)
        })
        .await;
    for (key, media_type) in other_documents {
        let link = links::sign(&test.app.kit.secret, &links::path_of(&key, media_type), &visitor, test.clock.now());
        assert_eq!(ann.page(&format!("/{link}")).await.status, 404);
    }
    let late = links::sign(
        &test.app.kit.secret,
        link.split('?').next().unwrap(),
        &visitor,
        test.clock.now() + TimeDelta::minutes(28),
    );
    test.later(TimeDelta::minutes(31));
    assert_eq!(ann.page(&format!("/{late}")).await.status, 404, "the grant has expired");
}
