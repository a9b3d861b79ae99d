//! Readers who take a file slowly or not at all: others still get theirs, and memory is limited.

use bytes::Bytes;
use diesel::prelude::*;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use visadesk::db::schema::documents;
use visadesk::error::Permission;
use visadesk::files::sha256;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::{Manager, Team};

use super::links::links_of;
use crate::support::program::Installation;
use crate::support::wire::Wire;
use crate::support::{Client, TestApp, http, until};

const MIB: usize = 1024 * 1024;

/// Far more than the buffers of a connection hold.
const FILE: usize = 19 * MIB;

/// Stores a large file of a new order.
async fn add_file(test: &TestApp) {
    let (order, now) = (test.add_order(New).await, test.clock.now());
    let stored = test
        .app
        .documents
        .files
        .put(Bytes::from(vec![b'x'; FILE]), Permission::in_background())
        .await
        .expect("it is stored");
    test.write(move |tx| {
        let row = (
            documents::order_id.eq(order),
            documents::kind.eq("bank_statement"),
            documents::file1.eq(&stored.key),
            documents::original_name.eq("statement.pdf"),
            documents::media_type.eq("application/pdf"),
            documents::size_bytes.eq(stored.size_bytes),
            documents::sha256.eq(&stored.sha256),
            documents::created_at.eq(now),
        );
        Ok(diesel::insert_into(documents::table).values(row).execute(tx)?)
    })
    .await;
}

/// The request of the member for the file.
async fn head(reader: &Client<'_>) -> String {
    let link = links_of(reader).await.remove(0);
    format!("GET /{link} HTTP/1.1\r\nhost: desk\r\nauthorization: {}\r\n\r\n", reader.token().await)
}

#[tokio::test]
async fn slow_readers_hold_no_more_than_their_half_in_memory_and_others_get_their_file() {
    let installation = Installation::make().await;
    let test = TestApp::on(&installation).await;
    add_file(&test).await;
    let server = installation.serve(&[("VISADESK_LIMITS__DOWNLOAD_BYTES_IN_FLIGHT", "67108864")]);
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let (slow, link) = (head(&budi).await, links_of(&made).await.remove(0));
    let before = server.peak_memory_kib() / 1024;
    let flood = join_all((0..40).map(|_| async {
        let mut wire = Wire::open(server.address).await;
        assert!(wire.send(&slow).await);
        // Of a file only the first bytes are read.
        let status = wire.begin_answer().await.expect("an answer");
        (wire, status)
    }));
    let good = async {
        for _ in 0..3 {
            let request = http::client().get(server.url(&format!("/{link}")));
            let answer = request.header("authorization", made.token().await).send().await.expect("an answer");
            let content = answer.bytes().await.expect("the whole file");
            assert_eq!(sha256(&content), sha256(&vec![b'x'; FILE]));
        }
    };
    let (mut readers, ()) = tokio::join!(flood, good);
    let grown = server.peak_memory_kib() / 1024 - before;
    assert!(grown < 64 + 40, "{grown} MB of 760 MB");
    assert_eq!(
        readers.iter().filter(|(_, status)| *status == 200).count(),
        1,
        "half of the bytes hold one of the files"
    );
    let (refused, _) = readers.iter_mut().find(|(_, status)| *status != 200).expect("a refused one");
    let (status, text) = refused.answer().await.expect("an answer");
    assert!(status == 503 && text.contains(r#""code":"downloads_busy""#), "{status} {text}");
}

#[tokio::test]
async fn a_reader_below_the_least_pace_is_given_up_and_its_memory_is_free_again() {
    let test = TestApp::start_with(|config| {
        config.limits.download_bytes_in_flight = config.limits.upload_bytes;
        config.limits.download_bytes_per_second = 1_000_000;
    })
    .await;
    add_file(&test).await;
    let budi = test.as_staff(Team, "Budi");
    let mut slow = Wire::open(test.address).await;
    assert!(slow.send(head(&budi).await).await);
    assert_eq!(slow.begin_answer().await, Some(200));
    let open = async || {
        let link = links_of(&budi).await.remove(0);
        let answer = budi.request(Method::GET, &format!("/{link}")).await.send().await.expect("an answer");
        (answer.status().as_u16(), answer.headers().clone(), answer.bytes().await.expect("all of it"))
    };
    let (status, headers, content) = open().await;
    let error: serde_json::Value = serde_json::from_slice(&content).expect("it is JSON");
    assert_eq!((status, &error["code"], headers.get("retry-after").is_some()), (503, &json!("downloads_busy"), true));
    let content = until("its memory is free", async || match open().await {
        (200, _, content) => Some(content),
        _ => None,
    })
    .await;
    assert_eq!(content.len(), FILE);
    let received = slow.until_closed().await;
    assert!(received < FILE, "the connection is broken off after {received} bytes");
}
