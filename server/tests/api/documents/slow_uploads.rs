//! Clients that hold uploads open: others still upload, and memory is limited.

use std::time::{Duration, Instant};

use diesel::prelude::*;
use visadesk::db::schema::api_keys;

use super::kills::{add_order, send};
use super::{stored, upload};
use crate::intake::shop_key;
use crate::support::TestApp;
use crate::support::program::Installation;
use crate::support::sample_files::pdf;
use crate::support::wire::Wire;

const MIB: usize = 1024 * 1024;
const PART: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.pdf\"\r\n\r\n";

/// The head of an upload of so many bytes.
fn head(key: &str, bytes: usize) -> String {
    format!(
        "POST /api/intake/orders/100001/documents/bank_statement HTTP/1.1\r\nhost: desk\r\nx-api-key: {key}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {bytes}\r\nexpect: 100-continue\r\n\r\n"
    )
}

/// Sends the head of an upload and returns the first status.
async fn begin(test: &TestApp, key: &str, bytes: usize) -> (Wire, u16) {
    let mut wire = Wire::open(test.address).await;
    assert!(wire.send(head(key, bytes)).await);
    let (status, _) = wire.answer().await.expect("an answer");
    (wire, status)
}

#[tokio::test]
async fn an_upload_without_a_permit_is_refused_before_a_byte_of_it_is_read_and_other_callers_go_on() {
    let test = TestApp::start_with(|config| config.limits.upload_bytes_in_flight = 50 * MIB).await;
    let other = super::shop_with_order(&test).await;
    // The keys of two sales sites: the second one's name is free again.
    test.write(|tx| Ok(diesel::update(api_keys::table).set(api_keys::name.eq("other")).execute(tx)?)).await;
    let slow = shop_key(&test).await;
    let (_held, status) = begin(&test, &slow, 20 * MIB).await;
    assert_eq!(status, 100, "the first one may send its body");
    let (mut refused, status) = begin(&test, &slow, 20 * MIB).await;
    assert_eq!(status, 503, "without a 100: nothing was read");
    refused.until_closed().await;
    assert_eq!(upload(&other, "bank_statement", pdf(), "x.pdf").await.status, 200);
    assert_eq!(stored(&test).await.len(), 1);
}

#[tokio::test]
async fn an_upload_that_is_too_slow_is_given_up_and_its_permit_is_free_again() {
    let test = TestApp::start_with(|config| {
        config.limits.upload_bytes_in_flight = config.limits.upload_bytes;
        config.limits.upload_bytes_per_second = 1_000_000;
    })
    .await;
    let shop = super::shop_with_order(&test).await;
    test.write(|tx| Ok(diesel::update(api_keys::table).set(api_keys::name.eq("other")).execute(tx)?)).await;
    let (mut slow, status) = begin(&test, &shop_key(&test).await, 22 * MIB).await;
    assert_eq!(status, 100);
    let since = Instant::now();
    assert!(slow.send(PART).await);
    // A byte now and then is no pause that the limit on idle bodies ends.
    let trickle = async {
        while since.elapsed() < Duration::from_secs(30) && slow.send("x").await {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    let busy = async {
        let busy = upload(&shop, "bank_statement", pdf(), "x.pdf").await;
        assert!(busy.status == 503 && busy.json["code"] == "uploads_busy", "{busy}");
        assert!(busy.message().contains("nothing was saved") && !busy.header("retry-after").is_empty(), "{busy}");
    };
    tokio::join!(trickle, busy);
    assert!((10..30).contains(&since.elapsed().as_secs()), "given up after its first ten seconds");
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
}

#[tokio::test]
async fn the_response_to_an_upload_that_is_too_slow_says_what_to_do() {
    let test = TestApp::start_with(|config| config.limits.upload_bytes_per_second = 1_000_000).await;
    let _shop = super::shop_with_order(&test).await;
    test.write(|tx| Ok(diesel::update(api_keys::table).set(api_keys::name.eq("other")).execute(tx)?)).await;
    let (mut slow, _) = begin(&test, &shop_key(&test).await, 20 * MIB).await;
    assert!(slow.send(PART).await);
    let (status, body) = slow.answer().await.expect("an answer");
    assert!(status == 408 && body.contains(r#""code":"upload_too_slow""#), "{status} {body}");
    assert!(body.contains("nothing was saved"), "{body}");
}

#[tokio::test]
async fn hundreds_of_megabytes_that_are_sent_at_once_stay_out_of_memory() {
    let installation = Installation::make().await;
    let keys: Vec<String> = ["slow", "good"]
        .iter()
        .map(|name| {
            String::from_utf8(installation.run(&["api-key", "add", name], "").stdout).unwrap().trim().to_owned()
        })
        .collect();
    let settings = [("VISADESK_LIMITS__UPLOAD_BYTES_IN_FLIGHT", "67108864")];
    let server = installation.serve(&settings);
    add_order(&server, &keys[1]).await;
    let before = server.peak_memory_kib() / 1024;
    let file = vec![b'x'; 19 * MIB];
    let flood = (0..40).map(|_| async {
        let mut wire = Wire::open(server.address).await;
        // Without the end of the form: those that are accepted wait in memory.
        let sent = wire.send(head(&keys[0], 20 * MIB)).await && wire.send(PART).await && wire.send(&file).await;
        (wire, sent)
    });
    let flood = futures_util::future::join_all(flood);
    let good = async {
        for round in 0..3 {
            let (status, text) = send(&server, &keys[1], &round.to_string(), pdf()).await.expect("an answer");
            assert_eq!(status, 200, "{text}");
        }
    };
    let (wires, ()) = tokio::join!(flood, good);
    assert!(wires.iter().any(|(_, sent)| *sent) && wires.iter().any(|(_, sent)| !sent), "some of them are in memory");
    let grown = server.peak_memory_kib() / 1024 - before;
    assert!(grown < 64 + 40, "{grown} MB of 760 MB");
}
