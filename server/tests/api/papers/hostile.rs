//! Files that would exhaust a check: each ends in "not checked" within the limits, and no list waits for it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use serde_json::json;
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::Team;

use super::{give, order_of, papers};
use crate::documents::page_bombs::bombs;
use crate::support::passports::{PASSPORTS, jpeg};
use crate::support::rounds::rounds;
use crate::support::sample_files::pdf_of;
use crate::support::{Client, PATIENCE, TestApp};

/// The processor time of a child in the suite; the long form leaves the limits of the product.
const PROCESSOR_SECONDS: u64 = 3;

/// A PDF of ten thousand empty pages.
fn ten_thousand_pages() -> Vec<u8> {
    let kids: Vec<String> = (3..10_003).map(|number| format!("{number} 0 R")).collect();
    let tree = format!("<</Type/Pages/Kids[{}]/Count 10000>>", kids.join(" "));
    let mut pages = vec!["<</Type/Catalog/Pages 2 0 R>>", &tree];
    pages.resize(10_002, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>");
    pdf_of(&pages)
}

/// Runs the check that is due, and asks for lists meanwhile. Returns true if the lists were there before the check had ended.
async fn check_beside_lists(test: &TestApp, budi: &Client<'_>, what: &str) -> bool {
    let listing = async {
        for _ in 0..5 {
            assert_eq!(budi.get("/admin/get-orders-list/newOrder").await.status, 200);
        }
    };
    let both = async {
        match select(std::pin::pin!(listing), std::pin::pin!(check_due(&test.app.papers))).await {
            Either::Left(((), check)) => (check.await, true),
            Either::Right((checked, listing)) => {
                listing.await;
                (checked, false)
            }
        }
    };
    // A check has twenty seconds of a processor, which a busy machine gives it late.
    let both = tokio::time::timeout(PATIENCE * 2, both).await;
    let (checked, are_lists_first) = both.unwrap_or_else(|_| panic!("{what}: it has no end"));
    assert_eq!(checked.unwrap(), 1, "{what}");
    are_lists_first
}

/// A program of one instruction, which computes for ever without a word.
fn endless_program() -> Vec<u8> {
    let (machine, again): (u16, &[u8]) =
        if cfg!(target_arch = "aarch64") { (183, &[0, 0, 0, 0x14]) } else { (62, &[0xeb, 0xfe]) };
    let (base, heads) = (0x40_0000_u64, 64 + 56_u64);
    let size = heads + again.len() as u64;
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(16, 0);
    elf.extend([2_u16, machine].into_iter().flat_map(u16::to_le_bytes));
    elf.extend(1_u32.to_le_bytes());
    elf.extend([base + heads, 64, 0].into_iter().flat_map(u64::to_le_bytes));
    elf.extend(0_u32.to_le_bytes());
    elf.extend([64_u16, 56, 1, 0, 0, 0].into_iter().flat_map(u16::to_le_bytes));
    // One segment, which is loaded to be read and executed.
    elf.extend([1_u32, 5].into_iter().flat_map(u32::to_le_bytes));
    elf.extend([0, base, base, size, size, 0x1000].into_iter().flat_map(u64::to_le_bytes));
    elf.extend(again);
    elf
}

#[tokio::test]
async fn a_reading_that_never_ends_is_cut_off_and_lists_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let endless = folder.path().join("endless");
    std::fs::write(&endless, endless_program()).expect("it is written");
    std::fs::set_permissions(&endless, Permissions::from_mode(0o755)).expect("it may be executed");
    let test = TestApp::start_with_processor_seconds(PROCESSOR_SECONDS, |config| {
        config.checks.tesseract = endless.display().to_string();
    })
    .await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    give(&test, "passport_picture", jpeg(&PASSPORTS[0].scan())).await;
    let begun = Instant::now();
    assert!(check_beside_lists(&test, &budi, "an endless reading").await, "lists do not wait for it");
    assert!(begun.elapsed() >= Duration::from_secs(PROCESSOR_SECONDS), "it was not begun: {:?}", begun.elapsed());
    let check = papers(&budi).await;
    assert_eq!((&check["state"], &check["reason"]), (&json!("not_checked"), &json!("too_complex")), "{check}");
}

#[tokio::test]
async fn a_hostile_file_is_not_checked_within_the_limits_and_lists_go_on() {
    let test = match rounds(false, true) {
        true => TestApp::start().await,
        false => TestApp::start_with_processor_seconds(PROCESSOR_SECONDS, |_| {}).await,
    };
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    let hostile = bombs().into_iter().take(3).chain([("ten thousand pages", ten_thousand_pages())]);
    for (what, content) in hostile {
        give(&test, "passport_picture", content).await;
        let are_lists_first = check_beside_lists(&test, &budi, what).await;
        assert!(are_lists_first || what != "forms in forms", "{what}: lists do not wait for it");
        let check = papers(&budi).await;
        assert_eq!(check["state"], json!("not_checked"), "{what}: {check}");
    }
}
