//! Finding a few orders wherever they are: by number at once, by text as a search does, and only what the member may list.

use serde_json::json;
use visadesk::ids::{OrderId, StaffId};
use visadesk::orders::rules::{Folder, ProcessingMode, may_list};
use visadesk::orders::status::ProcessStatus;
use visadesk::orders::status::ProcessStatus::{Completed, New};
use visadesk::staff::rules::StaffType::{self, Team, Telecaller};

use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

async fn find(client: &Client<'_>, typed: &str) -> Answer {
    let typed: String = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect();
    client.get(&format!("/admin/find-orders?q={typed}")).await
}

#[tokio::test]
async fn an_exact_number_finds_that_order_alone_and_searches_nothing() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    // Its phone number contains the number of the order.
    test.add_order_with(New, |other| other.phone_number = Some(format!("{order}77"))).await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    let statements = Statements::watch(&test).await;
    let encoded = OrderId(order).encoded();
    for typed in
        [format!("{order}"), format!("#{order}"), format!("VD {order}"), format!(" vd\u{2013}{order}. "), encoded]
    {
        statements.take();
        let found = find(&budi, &typed).await;
        assert_eq!(found.order_ids(), [order], "{typed}");
        let of_orders = |text: &String| text.contains("search_text") || text.contains("trigrams");
        let searches: Vec<String> = statements.take().into_iter().filter(of_orders).collect();
        assert_eq!(searches, [""; 0], "{typed}");
        let row = &found.data()[0];
        assert_eq!(row["order_number"], format!("VD-{order}"));
        assert_eq!((&row["process_status"], &row["folder"]), (&json!("Completed"), &json!("completedOrder")));
        assert_eq!(
            (&row["full_name"], &row["contact_email_address"]),
            (&json!("Ana Putri"), &json!("ana@post.example"))
        );
    }
    assert_eq!(find(&budi, &format!("{order}77")).await.order_ids().len(), 1, "no order has that number, a phone has");
}

#[tokio::test]
async fn a_text_finds_the_eight_newest_orders_by_part_of_number_name_or_email() {
    let test = TestApp::start().await;
    let mut orders = Vec::new();
    for _ in 0..9 {
        orders.push(test.add_order(New).await);
    }
    let other = test.add_order_with(Completed, |order| order.full_name = "王小明 100%".into()).await;
    orders.reverse();
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(find(&budi, "putri").await.order_ids(), orders[..8]);
    for typed in ["王", "小明", "00%", &format!("vd-{}", &other.to_string()[..5])] {
        assert_eq!(find(&budi, typed).await.order_ids(), [other], "{typed}");
    }
    let all = [&[other][..], &orders[..7]].concat();
    for typed in ["ANA@post", "#1000", "VD-1000", "1000"] {
        assert_eq!(find(&budi, typed).await.order_ids(), all, "{typed}");
    }
    for typed in ["", "  ", "nobody", "_", "#"] {
        assert_eq!(find(&budi, typed).await.order_ids(), [0; 0].as_slice(), "{typed}");
    }
    assert_eq!(budi.get("/admin/find-orders").await.order_ids(), [0; 0]);
    let refused = find(&budi, &"x".repeat(101)).await;
    assert_eq!((refused.status, &refused.json["code"]), (422, &json!("search_term_too_long")));
}

#[tokio::test]
async fn each_type_finds_exactly_the_orders_of_the_folders_that_it_may_list() {
    let test = TestApp::start().await;
    let other = test.add_member(Team, "Citra").await;
    let dates = chrono::NaiveDate::from_ymd_opt(2031, 5, 1);
    for &staff_type in StaffType::ALL {
        let client = test.as_staff(staff_type, staff_type.as_str());
        let me = client.id().await;
        let name = format!("Person of {}", staff_type.as_str().replace(' ', ""));
        for &status in ProcessStatus::ALL {
            for owner in [None, Some(StaffId(me)), Some(StaffId(other))] {
                for &mode in ProcessingMode::ALL {
                    let order = test
                        .add_order_with(status, |order| {
                            (order.assign_to, order.processing_mode) = (owner, mode);
                            (order.processing_date, order.full_name) = (dates, name.clone());
                        })
                        .await;
                    let is_hidden =
                        !may_list(staff_type, Folder::All) && status == New && owner == Some(StaffId(other));
                    let found = find(&client, &order.to_string()).await;
                    assert_eq!(found.order_ids().len(), usize::from(!is_hidden), "{staff_type} {status} {owner:?}");
                    if let Some(row) = found.data().get(0) {
                        let folder = row["folder"].as_str().expect("a folder");
                        assert!(client.list(folder).await.contains(&order), "{status} {owner:?} is in {folder}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_telecaller_finds_an_older_order_behind_many_that_only_order_history_lists() {
    let test = TestApp::start().await;
    let citra = test.add_member(Team, "Citra").await;
    let old = test.add_order(New).await;
    for _ in 0..10 {
        test.add_order_with(New, |order| order.assign_to = Some(StaffId(citra))).await;
    }
    let tia = test.as_staff(Telecaller, "Tia");
    assert_eq!(find(&tia, "putri").await.order_ids(), [old]);
    assert_eq!(find(&tia, "pu").await.order_ids(), [old]);
    let own = test.add_order(New).await;
    let taken = tia.put("/admin/assign-order-status", json!({ "orderId": [own], "assignto": "Tia" })).await;
    assert_eq!(taken.status, 200, "{taken}");
    assert_eq!(find(&tia, "putri").await.order_ids(), [own, old]);
    assert_eq!(find(&test.as_staff(Team, "Budi"), "putri").await.order_ids().len(), 8);
}
