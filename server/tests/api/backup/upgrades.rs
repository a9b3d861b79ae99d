//! Installations of earlier versions, restored from their backups and upgraded by this program.

use std::path::{Path, PathBuf};
use std::{env, fs};

use diesel::prelude::*;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::db::schema::api_keys;
use visadesk::demo::people::{PASSWORD, PEOPLE};
use visadesk::files::sha256;
use visadesk::staff::rules::StaffType::Admin;

use super::{everything, outcome, restore, rows};
use crate::counts::FOLDERS;
use crate::intake::order;
use crate::packs::reading::PackPdf;
use crate::support::TestApp;
use crate::support::database::is_postgres;
use crate::support::program::Installation;
use crate::support::sample_files::pdf;

/// The disputed order of each backup, in Completed before.
const DISPUTED: i64 = 100_021;

/// The backups of earlier versions, made from this database.
fn backups() -> Vec<PathBuf> {
    let versions = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/backup/upgrades")).expect("the folder");
    let folders = versions.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    folders.map(|version| version.join(database())).collect()
}

fn database() -> &'static str {
    if is_postgres() { "postgresql" } else { "sqlite" }
}

#[tokio::test]
async fn an_installation_of_each_earlier_version_is_upgraded_with_everything_in_it() {
    let backups = backups();
    assert!(!backups.is_empty());
    for backup in backups {
        let installation = Installation::make_empty().await;
        restore(&installation, &backup, &[]).expect("it is restored and upgraded");
        for check in ["check-files", "verify-audit"] {
            outcome(&installation, &[check]).unwrap_or_else(|complaint| panic!("{check}: {complaint}"));
        }
        let test = TestApp::on(&installation).await;
        assert_eq!(test.sign_in(PEOPLE[0].1, PASSWORD).await.status, 200);
        folders_are_whole(&test).await;
        orders_are_found_by_their_numbers(&test).await;
        the_disputed_order_is_whole(&test).await;
        its_api_key_works(&test).await;
        the_refund_is_whole(&test).await;
    }
}

/// The refund is in force, can be taken back once, and the order takes one new refund.
async fn the_refund_is_whole(test: &TestApp) {
    let ayu = test.as_staff(Admin, "Ayu");
    let mut refunded = Vec::new();
    for order in ayu.list("refundOrder").await {
        let details = ayu.get(&format!("/admin/get-orders-details/{order}")).await;
        if details.data()["allowed"]["take_back_refund"] == true {
            assert_eq!(details.data()["refund_marks"][0]["refunded_at"], details.data()["refund_date"]);
            refunded.push(order);
        }
    }
    assert_eq!(refunded.len(), 1, "each backup has one refund that was recorded by the program");
    let order = refunded[0];
    for _ in 0..2 {
        let taken = ayu.put("/admin/take-back-refund", json!({ "orderId": order, "reason": "A mistake" })).await;
        assert_eq!(taken.status, 200, "{taken}");
        let again = ayu.put("/admin/move-to-complete-refund", json!({ "orderId": order })).await;
        assert_eq!(again.json["refunded"], 1, "{again}");
    }
}

/// The runs of digits in the search texts of orders that were there before such runs were indexed, also after a correction.
async fn orders_are_found_by_their_numbers(test: &TestApp) {
    let ayu = test.as_staff(Admin, "Ayu");
    let orders = ayu.list("allOrder").await;
    assert!(!orders.is_empty());
    for order in orders {
        assert_eq!(ayu.search("allOrder", &format!("VD-{order}")).await, [order]);
    }
    let corrected = ayu.list("newOrder").await[0];
    let details = ayu.get(&format!("/admin/get-orders-details/{corrected}")).await;
    for (before, after) in [(&details.data()["phone_number"], "81277766"), (&json!("81277766"), "81277755")] {
        let phone = json!({ "phone_number": { "before": before, "after": after } });
        let answer = ayu.put("/admin/correct-order", json!({ "orderId": corrected, "fields": phone })).await;
        assert_eq!(answer.message(), "1 field was corrected");
        assert_eq!(ayu.search("allOrder", after).await, [corrected]);
        assert_eq!(ayu.search("allOrder", &format!("VD-{corrected}")).await, [corrected]);
    }
    assert!(ayu.search("allOrder", "81277766").await.is_empty());
}

async fn folders_are_whole(test: &TestApp) {
    let ayu = test.as_staff(Admin, "Ayu");
    for (folder, key) in FOLDERS {
        assert_eq!(ayu.count(key).await, ayu.list(folder).await.len() as i64, "{folder}");
    }
    let orders = ayu.list("allOrder").await;
    assert!(orders.len() > 15, "{orders:?}");
    for order in orders {
        let details = ayu.get(&format!("/admin/get-orders-details/{order}")).await;
        assert_eq!(details.status, 200, "{details}");
        let name = details.data()["full_name"].as_str().expect("a name").to_owned();
        assert!(ayu.search("allOrder", &name).await.contains(&order), "{name} is found");
    }
}

/// Its API key works for every call, also about an order that was there before. The backup has its digest only, so it gets another.
async fn its_api_key_works(test: &TestApp) {
    let key = "vdk_a-key-of-version-0.1";
    test.write(move |tx| {
        let changed = diesel::update(api_keys::table).set(api_keys::key_hash.eq(sha256(key.as_bytes()))).execute(tx)?;
        assert_eq!(changed, 1);
        Ok(())
    })
    .await;
    let shop = test.with_api_key(key);
    let created = shop.post("/intake/orders", order(json!({}))).await;
    assert_eq!(created.status, 200, "{created}");
    let added = shop.upload(&format!("/intake/orders/{DISPUTED}/documents/passport_picture"), passport()).await;
    assert_eq!(added.status, 200, "{added}");
    assert_eq!(shop.get("/intake/active-gateway").await.status, 200);
}

fn passport() -> Form {
    Form::new().part("file", Part::bytes(pdf()).file_name("passport.pdf"))
}

/// Its visa opens for the applicant, its pack is the one that was sent to the bank, and its mail was sent.
pub async fn the_disputed_order_is_whole(test: &TestApp) {
    let ayu = test.as_staff(Admin, "Ayu");
    let details = ayu.get(&format!("/admin/get-orders-details/{DISPUTED}")).await;
    let details = details.data();
    assert_eq!(
        (&details["process_status"], &details["mailHistory"][0]["state"]),
        (&json!("ChargeBack"), &json!("written"))
    );
    assert_eq!(details["downloadHistory"].as_array().map(Vec::len), Some(1));

    let visitor = test.as_visitor(DISPUTED).await;
    let file1 = visitor.history(DISPUTED).await.json["path"]["file1"].as_str().expect("a visa").to_owned();
    let link = visitor.download(DISPUTED, file1).await.json["path"].as_str().expect("a link").to_owned();
    let visa = visitor.page(&format!("/{link}")).await;
    assert!(visa.status == 200 && visa.text.starts_with("%PDF"), "{visa}");

    let packs = ayu.post("/admin/defence-pack-details", json!({ "orderId": DISPUTED })).await;
    let pack = &packs.data()["packs"][0];
    let link = format!("/{}", pack["link"].as_str().expect("a link"));
    let request = ayu.request(reqwest::Method::GET, &link).await;
    let content = request.send().await.expect("an answer").bytes().await.expect("the whole pack");
    assert_eq!(pack["sha256"], json!(sha256(&content)));
    assert!(PackPdf::open(&content).text().contains("VD-100021"));
}

/// Every row and column of this version is in its own backup, so a backup kept for the tests of later versions misses nothing.
#[tokio::test]
async fn the_backup_that_later_versions_must_read_has_rows_in_every_table() {
    let (installation, disputed) = everything::installation().await;
    assert_eq!(disputed, DISPUTED);
    let empty = rows(&installation).await.into_iter().filter(|(_, rows)| rows.is_empty()).map(|(table, _)| table);
    // Only PostgreSQL counts by deltas, and this is no rehearsal.
    let is_needless = |table: &str| table == "rehearsals" || (table == "folder_counter_deltas" && !is_postgres());
    let empty: Vec<String> = empty.filter(|table| !is_needless(table)).collect();
    assert_eq!(empty, [""; 0]);
    if let Some(folder) = env::var_os("VISADESK_TEST_DUMP") {
        let place = Path::new(&folder).join(database());
        outcome(&installation, &["backup", place.to_str().expect("a path")]).expect("the backup is made");
    }
}
