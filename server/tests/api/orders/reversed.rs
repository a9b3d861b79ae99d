//! Lists in the reverse of their order: pages, searches, filters and files.

use chrono::TimeDelta;
use serde_json::json;
use visadesk::audit::store::Actor;
use visadesk::orders::new_order;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed, Future, New};
use visadesk::staff::rules::StaffType::Admin;

use crate::support::TestApp;
use crate::support::orders::new_order;

/// More than the rows that a page reads over.
const ORDERS: i64 = 460;

async fn add_orders(test: &TestApp) {
    let (now, by) = (test.clock.now(), Actor::program("import"));
    let today = test.clock.today(test.app.config.time_zone);
    let order = |place: i64| {
        let status = [Completed, Completed, New, ChargeBack, Future][usize::try_from(place % 5).expect("small")];
        let mut order = new_order(status, now);
        // Two at each instant.
        order.created_at = now - TimeDelta::hours(place / 2 * 2);
        order.processing_date = (status == Future).then(|| today + TimeDelta::days(1 + place % 7));
        order.visa_type = Some(if place % 3 == 0 { "C1" } else { "B1" }.into());
        order.full_name = if place % 4 == 0 { "Rahayu Kirana" } else { "Ana Putri" }.into();
        order
    };
    let orders: Vec<_> = (0..ORDERS).map(order).collect();
    test.write(move |tx| Ok(new_order::add_all(tx, &orders, &by, now)?.len())).await;
}

#[tokio::test]
async fn a_reversed_list_has_the_same_orders_from_the_other_end() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    add_orders(&test).await;
    for folder in ["allOrder", "completedOrder", "newOrder", "chargeBackOrder", "futureOrder"] {
        let mut expected = ayu.list(folder).await;
        expected.reverse();
        let call = |query: &str| format!("/admin/get-orders-list/{folder}?sort=reversed&{query}");
        for length in [7, 100] {
            for (page, ids) in (1..).zip(expected.chunks(length)) {
                let listed = ayu.get(&call(&format!("limit={length}&page={page}"))).await;
                assert_eq!(listed.order_ids(), ids, "page {page} of {folder}");
                assert_eq!(listed.json["total"], expected.len(), "page {page} of {folder}");
            }
        }
        let behind = ayu.get(&call("limit=10&page=999")).await;
        assert_eq!(behind.order_ids(), Vec::<i64>::new());
        let file = ayu.get(&format!("/admin/orders-csv/{folder}?sort=reversed")).await;
        let ids: Vec<i64> = file
            .text
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().expect("an id").parse().expect("an id"))
            .collect();
        assert_eq!(ids, expected, "the file of {folder}");
        // A filter, a search for a common term and one for a rare term.
        let of_filter = ayu.get(&format!("/admin/get-orders-list/{folder}?visa=C1&limit=1000")).await.order_ids();
        let reversed = ayu.get(&call("visa=C1&limit=1000")).await.order_ids();
        assert_eq!(reversed, of_filter.into_iter().rev().collect::<Vec<_>>(), "{folder}");
        for term in ["putri", "kirana", "100007"] {
            let body =
                |sort: Option<&str>| json!({ "folderName": folder, "searchVal": term, "end": 900, "sort": sort });
            let mut found = ayu.post("/admin/search-order", body(None)).await.order_ids();
            found.reverse();
            assert_eq!(
                ayu.post("/admin/search-order", body(Some("reversed"))).await.order_ids(),
                found,
                "{term} in {folder}"
            );
        }
    }
}
