//! Lists: the contents, the sort order and the row shape of each folder.

mod export;
mod far_pages;
mod filters;
mod findings;
mod listed;
mod needs;
mod newest_comments;
mod open_requirements;
mod reversed;
mod saved_views;
mod settings;
mod telephones;
mod urgency;

use chrono::{Days, TimeDelta};
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::calendar;
use visadesk::ids::StaffId;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus::{
    self, Awaiting, AwaitingGovt, ChargeBack, Completed, ContactCustomer, CustomerCalled, Deleted, Future, New,
    Pending, Refunds,
};
use visadesk::staff::rules::StaffType::{self, Admin, Manager, NightStaff, Team, Telecaller};

use crate::support::TestApp;

#[tokio::test]
async fn a_list_row_has_every_field_of_the_contract() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let list =
        test.as_staff(Team, "Budi").get("/admin/get-orders-list/newOrder?page=1&limit=10&delay=1&userName=Budi").await;
    assert_snapshot!(list, @r#"200 {"status":1,"message":"","data":[{"order_id":100001,"order_number":"VD-100001","process_status":"New","processing_mode":"Regular Processing","full_name":"Ana Putri","contact_email_address":"ana@post.example","country_code":"62","phone_number":"8123456789","nationality":"Australia","created_at":"[time]","updated_at":"[time]","refund_date":null,"processing_date":null,"process_month":null,"assign_to":null,"missing_documents":3,"mail_problem":null,"papers_problem":null,"papers_returned":false,"visa_problem":null,"unclear_fields":0,"chargeback":null,"allowed":{"assign_to_me":true,"assign_to_others":false,"reassign":false,"hand_over":false,"unassign":false,"delete":false,"restore":false,"refund":false}}],"total":1,"more":false,"page":1,"limit":10}"#);
}

#[tokio::test]
async fn each_status_has_its_folder() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let folders: [(ProcessStatus, &str); 9] = [
        (Pending, "pendingOrder"),
        (Completed, "completedOrder"),
        (Deleted, "deletedOrder"),
        (Awaiting, "awaitingOrder"),
        (AwaitingGovt, "awaitingGovtOrder"),
        (CustomerCalled, "customerCalledOrder"),
        (ContactCustomer, "contactCustomerOrder"),
        (Refunds, "refundOrder"),
        (ChargeBack, "chargeBackOrder"),
    ];
    for (status, folder) in folders {
        let order = test.add_order(status).await;
        assert_eq!(budi.list(folder).await, [order], "{folder}");
    }
    assert_eq!(budi.list("allOrder").await.len(), folders.len());
    assert_eq!(budi.list("chargeBack").await, budi.list("chargeBackOrder").await);
}

#[tokio::test]
async fn new_orders_are_split_by_mode_and_leave_when_assigned() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let budi_id = budi.id().await;
    let regular = test.add_order(New).await;
    let priority = test.add_order_with(New, |order| order.processing_mode = ProcessingMode::Priority).await;
    let assigned = test.add_order_with(New, |order| order.assign_to = Some(StaffId(budi_id))).await;
    assert_eq!(budi.list("newOrder").await, [regular]);
    assert_eq!(budi.list("priorityOrder").await, [priority]);
    assert_eq!(budi.list("myOrder").await, [assigned]);
    assert_eq!(budi.list("my-order").await, [assigned]);
}

#[tokio::test]
async fn my_orders_lists_only_my_open_orders() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let mine = budi.id().await;
    let mut open = Vec::new();
    for status in ProcessStatus::ALL.iter().copied().filter(|status| *status != Future) {
        let order = test.add_order_with(status, |order| order.assign_to = Some(StaffId(mine))).await;
        if !matches!(status, Completed | Refunds | ChargeBack | Deleted) {
            open.insert(0, order);
        }
    }
    assert_eq!(budi.list("myOrder").await, open);
    assert_eq!(budi.count("myOrdersCount").await, open.len() as i64);
}

#[tokio::test]
async fn lists_show_the_newest_first_and_pages_do_not_overlap() {
    let test = TestApp::start().await;
    let now = test.clock.now();
    let mut orders = Vec::new();
    // Two orders have the same timestamp: the higher id comes first.
    for minutes in [30, 10, 10, 20, 0] {
        orders.push((
            minutes,
            test.add_order_with(New, |order| order.created_at = now - TimeDelta::minutes(minutes)).await,
        ));
    }
    orders.sort_by_key(|(minutes, id)| (*minutes, std::cmp::Reverse(*id)));
    let newest: Vec<i64> = orders.into_iter().map(|(_, id)| id).collect();
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(budi.list("newOrder").await, newest);
    let first = budi.get("/admin/get-orders-list/newOrder?page=1&limit=2").await;
    let last = budi.get("/admin/get-orders-list/newOrder?page=3&limit=2").await;
    assert_eq!(first.order_ids(), newest[..2]);
    assert_eq!(last.order_ids(), newest[4..]);
    assert_eq!(
        (last.json["total"].as_i64(), last.json["page"].as_i64(), last.json["limit"].as_i64()),
        (Some(5), Some(3), Some(2))
    );
}

#[tokio::test]
async fn the_future_folder_sorts_by_date_and_filters_by_year_and_month() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let day = |text: &str| text.parse().expect("a date");
    let mut added = Vec::new();
    for date in ["2031-03-09", "2031-01-05", "2032-01-01", "2031-01-31"] {
        added.push((date, test.add_order_with(Future, |order| order.processing_date = Some(day(date))).await));
    }
    let ids = |dates: &[&str]| -> Vec<i64> {
        dates.iter().filter_map(|date| added.iter().find(|(known, _)| known == date).map(|(_, id)| *id)).collect()
    };
    assert_eq!(budi.list("futureOrder").await, ids(&["2031-01-05", "2031-01-31", "2031-03-09", "2032-01-01"]));
    let january = budi.get("/admin/get-orders-list/future-order?year=2031&month=January").await;
    assert_eq!(january.order_ids(), ids(&["2031-01-05", "2031-01-31"]));
    assert_eq!(january.json["total"], 2);
    assert_eq!(january.data()[0]["process_month"], "January");
    let year = budi.get("/admin/get-orders-list/futureOrder?year=2032").await;
    assert_eq!(year.order_ids(), ids(&["2032-01-01"]));
    let counts = budi.get("/admin/get-future-order-counts?year=2031").await;
    assert_eq!(counts.data()[0], serde_json::json!({ "month": "January", "count": 2 }));
    assert_eq!(counts.data()[2], serde_json::json!({ "month": "March", "count": 1 }));
    assert_eq!(counts.data().as_array().map(Vec::len), Some(12));
}

#[tokio::test]
async fn a_future_order_becomes_new_on_its_day_in_the_agency_time_zone() {
    // Where the day begins before UTC's, after it, and at a quarter of an hour.
    for zone in [chrono_tz::Asia::Jakarta, chrono_tz::Pacific::Honolulu, chrono_tz::Asia::Kathmandu] {
        let test = TestApp::start_with(|config| config.time_zone = zone).await;
        test.clock.stop();
        let tomorrow = test.clock.today(zone).checked_add_days(Days::new(1)).expect("a day");
        let order = test.add_order_with(Future, |order| order.processing_date = Some(tomorrow)).await;
        let released =
            async || visadesk::lifecycle::scheduler::release_due(&test.app.lifecycle).await.expect("it runs");
        let midnight = calendar::start(tomorrow, zone);
        test.later(midnight - test.clock.now() - TimeDelta::seconds(1));
        assert_eq!(released().await, 0, "a second before midnight in {zone}");
        test.later(TimeDelta::seconds(1));
        assert_eq!(released().await, 1, "at midnight in {zone}");
        let budi = test.as_staff(Team, "Budi");
        assert_eq!(budi.list("newOrder").await, [order]);
        assert_eq!(budi.list("futureOrder").await, [0; 0]);
    }
}

#[tokio::test]
async fn contact_customer_rows_never_show_a_phone_number() {
    let test = TestApp::start().await;
    let order = test.add_order_with(ContactCustomer, |order| order.phone_number = Some("5551234321".into())).await;
    for &staff_type in StaffType::ALL {
        let desk = test.as_staff(staff_type, &format!("The {staff_type}"));
        let search = |typed: &str| json!({ "folderName": "contactCustomerOrder", "searchVal": typed });
        let mut answers = vec![
            desk.get("/admin/get-orders-list/contactCustomerOrder").await,
            desk.post("/admin/search-order", search("ana putri")).await,
            desk.post("/admin/search-order", search("5123432")).await,
            desk.get(&format!("/admin/find-orders?q=VD-{order}")).await,
            desk.get("/admin/find-orders?q=ana%20putri").await,
        ];
        for rows in &answers {
            assert_eq!((rows.status, rows.data()[0]["order_id"].as_i64()), (200, Some(order)), "{rows}");
            assert_eq!(
                (&rows.data()[0]["phone_number"], &rows.data()[0]["country_code"]),
                (&Value::Null, &Value::Null)
            );
        }
        if matches!(staff_type, Admin | Manager) {
            let file = desk.get("/admin/orders-csv/contactCustomerOrder").await;
            assert!(file.text.contains(&format!("\r\n{order},")), "{file}");
            answers.push(file);
        }
        for answer in answers {
            assert!(!answer.text.contains("5551234321"), "{staff_type}: {answer}");
        }
    }
}

#[tokio::test]
async fn only_telecallers_cannot_open_order_history() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let refused = test.as_staff(Telecaller, "Tia").get("/admin/get-orders-list/allOrder").await;
    assert_snapshot!(refused, @r#"403 {"status":0,"code":"order_history_closed","message":"Order History is not open to you"}"#);
    for (staff_type, name) in [(Admin, "Ann"), (Manager, "Max"), (Team, "Budi"), (NightStaff, "Nora")] {
        assert_eq!(test.as_staff(staff_type, name).list("allOrder").await.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn only_admin_and_manager_see_another_members_list() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let budi_id = budi.id().await;
    let order = test.add_order_with(New, |order| order.assign_to = Some(StaffId(budi_id))).await;
    let of_budi = "/admin/get-orders-list/myOrder?userName=budi";
    assert_eq!(test.as_staff(Admin, "Ann").get(of_budi).await.order_ids(), [order]);
    assert_eq!(test.as_staff(Manager, "Max").get(of_budi).await.order_ids(), [order]);
    assert_eq!(test.as_staff(Team, "Sari").get(of_budi).await.order_ids(), [0; 0]);
    let counts = test.as_staff(Manager, "Max").get("/admin/get-all-folder-count?userName=Budi").await;
    assert_eq!(counts.data()["myOrdersCount"], 1);
    assert_snapshot!(test.as_staff(Admin, "Ann").get("/admin/get-orders-list/myOrder?userName=Nobody").await, @r#"422 {"status":0,"code":"unknown_staff_name","message":"There is no member of staff named Nobody"}"#);
}

#[tokio::test]
async fn an_invalid_list_request_is_refused_with_a_message() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for (query, status) in [
        ("noSuchFolder", 422),
        ("newOrder?limit=0", 422),
        ("newOrder?limit=-1", 422),
        ("newOrder?limit=1001", 422),
        ("newOrder?limit=1000000000", 422),
        ("newOrder?limit=abc", 400),
        ("newOrder?page=0", 422),
        ("newOrder?page=-1", 422),
        ("newOrder?page=9223372036854775807&limit=1000", 422),
        ("newOrder?page=99999999999999999999", 400),
        ("newOrder?userName=%00", 400),
        ("newOrder?userName=%ff", 400),
        ("futureOrder?month=Smarch", 422),
        ("futureOrder?month=13", 422),
        ("futureOrder?year=-5&month=1", 422),
        ("futureOrder?year=999999", 422),
        ("%00", 422),
        ("%ff", 404),
    ] {
        let answer = budi.get(&format!("/admin/get-orders-list/{query}")).await;
        assert_eq!(answer.status, status, "{query}: {answer}");
        assert_ne!(answer.message(), "", "{query}");
    }
    let far = budi.get("/admin/get-orders-list/newOrder?page=1000000&limit=1000").await;
    assert_eq!(far.order_ids(), [0; 0]);
}
