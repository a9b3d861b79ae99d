//! A member who takes a pack slowly or not at all: its memory counts like that of any file that is opened.

use bytes::Bytes;
use diesel::prelude::*;
use serde_json::json;
use visadesk::error::Permission;
use visadesk::staff::rules::StaffType::{Manager, Team};

use super::orders::disputed;
use super::request_pack;
use crate::support::wire::Wire;
use crate::support::{TestApp, until};

/// Far more than the buffers of a connection hold, and more than half of what may be in memory here.
const LARGE: usize = 19 * 1024 * 1024;

/// Stores a large file as the newest pack of the same contents.
async fn add_large_pack(test: &TestApp) {
    let stored = test
        .app
        .documents
        .files
        .put(Bytes::from(vec![b'x'; LARGE]), Permission::in_background())
        .await
        .expect("it is stored");
    test.write(move |tx| {
        let copy = format!(
            "INSERT INTO defence_packs
                 (order_id, pack_type, file1, pages, size_bytes, sha256, facts, staff_id, made_at, content_digest)
             SELECT order_id, pack_type, '{}', pages, {}, '{}', facts, staff_id, made_at, content_digest FROM defence_packs",
            stored.key, stored.size_bytes, stored.sha256
        );
        Ok(diesel::sql_query(copy).execute(tx)?)
    })
    .await;
}

#[tokio::test]
async fn a_pack_counts_as_an_opened_file_until_its_reader_has_it() {
    let test = TestApp::start_with(|config| config.limits.download_bytes_in_flight = config.limits.upload_bytes).await;
    let order = disputed(&test, 1, |_| {}).await;
    let (ayu, budi) = (test.as_staff(Manager, "Ayu"), test.as_staff(Team, "Budi"));
    assert_eq!(request_pack(&ayu, order, 1).await.0, 200);
    add_large_pack(&test).await;

    let body = json!({ "orderId": order, "defencePackType": 1 }).to_string();
    let head = format!(
        "POST /api/admin/get-defence-pack-pdf HTTP/1.1\r\nhost: desk\r\nauthorization: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        ayu.token().await,
        body.len()
    );
    let mut slow = Wire::open(test.address).await;
    assert!(slow.send(head + &body).await);
    assert_eq!(slow.begin_answer().await, Some(200));

    let (status, _, _, content) = request_pack(&budi, order, 1).await;
    let refused: serde_json::Value = serde_json::from_slice(&content).unwrap_or_default();
    assert_eq!((status, &refused["code"]), (503, &json!("downloads_busy")));
    drop(slow);
    let content = until("its memory is free", async || {
        let (status, _, _, content) = request_pack(&budi, order, 1).await;
        (status == 200).then_some(content)
    })
    .await;
    assert_eq!(content.len(), LARGE);
}
