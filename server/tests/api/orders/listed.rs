//! The rule that says which orders a folder lists, and the generated columns by which the database lists them.

use chrono::Days;
use visadesk::ids::{OrderId, StaffId};
use visadesk::orders::rules::{Folder, ProcessingMode, is_listed};
use visadesk::orders::selection::Selection;
use visadesk::orders::status::ProcessStatus;
use visadesk::orders::store::{RowWindow, list_ids, rows};
use visadesk::staff::rules::StaffType::Team;

use crate::support::TestApp;

#[tokio::test]
async fn every_folder_lists_the_orders_of_the_rule() {
    let test = TestApp::start().await;
    let (budi, citra) = (StaffId(test.add_member(Team, "Budi").await), StaffId(test.add_member(Team, "Citra").await));
    let day = test.clock.today(chrono_tz::Asia::Jakarta).checked_add_days(Days::new(9));
    let mut ids = Vec::new();
    for status in ProcessStatus::ALL {
        for mode in [ProcessingMode::Regular, ProcessingMode::Priority] {
            for owner in [None, Some(budi), Some(citra)] {
                let order = test.add_order_with(*status, |order| {
                    (order.processing_mode, order.assign_to, order.processing_date) = (mode, owner, day);
                });
                ids.push(OrderId(order.await));
            }
        }
    }
    let whole = RowWindow { start: 0, length: ids.len() as i64 };
    for (folder, name) in Folder::ALL {
        let ids = ids.clone();
        let read = test.read(move |conn| {
            let listed = list_ids(conn, &Selection::of(folder.holds(), budi), whole)?;
            Ok((listed, rows(conn, &ids)?))
        });
        let (mut listed, rows) = read.await;
        listed.sort_unstable();
        let ruled = rows.iter().filter(|(row, _)| is_listed(folder, &row.state(None), budi));
        assert_eq!(listed, ruled.map(|(row, _)| row.order_id).collect::<Vec<_>>(), "{name}");
        assert!(!listed.is_empty(), "{name}");
    }
}
