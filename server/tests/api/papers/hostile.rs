//! Files that would exhaust a check: each ends in "not checked" within the limits, and no list waits for it.

use std::time::{Duration, Instant};

use serde_json::json;
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::Team;

use super::{give, order_of, papers};
use crate::documents::page_bombs::bombs;
use crate::support::TestApp;
use crate::support::passports::PASSPORTS;
use crate::support::sample_files::pdf_of;

/// A PDF of ten thousand empty pages.
fn ten_thousand_pages() -> Vec<u8> {
    let kids: Vec<String> = (3..10_003).map(|number| format!("{number} 0 R")).collect();
    let tree = format!("<</Type/Pages/Kids[{}]/Count 10000>>", kids.join(" "));
    let mut pages = vec!["<</Type/Catalog/Pages 2 0 R>>", &tree];
    pages.resize(10_002, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>");
    pdf_of(&pages)
}

#[tokio::test]
async fn a_hostile_file_is_not_checked_within_the_limits_and_lists_go_on() {
    let test = TestApp::start().await;
    order_of(&test, &PASSPORTS[0], |_| {}).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    let hostile = bombs().into_iter().take(3).chain([("ten thousand pages", ten_thousand_pages())]);
    for (what, content) in hostile {
        give(&test, "passport_picture", content).await;
        let begun = Instant::now();
        let checking = check_due(&test.app.papers);
        let listing = async {
            for _ in 0..5 {
                let begun = Instant::now();
                assert_eq!(budi.get("/admin/get-orders-list/newOrder").await.status, 200);
                assert!(begun.elapsed() < Duration::from_secs(3), "{what}: {:?}", begun.elapsed());
            }
        };
        let (checked, ()) = tokio::join!(checking, listing);
        assert_eq!(checked.unwrap(), 1, "{what}");
        assert!(begun.elapsed() < Duration::from_secs(100), "{what}: {:?}", begun.elapsed());
        let check = papers(&budi).await;
        assert_eq!(check["state"], json!("not_checked"), "{what}: {check}");
    }
}
