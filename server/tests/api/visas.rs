use chrono::{Days, TimeDelta};
use serde_json::{Value, json};
use visadesk::lifecycle::scheduler;
use visadesk::staff::rules::StaffType::{Admin, Team, Telecaller};

use crate::intake::{order, payment, shop};
use crate::support::TestApp;

#[tokio::test]
async fn the_catalogue_has_an_etag_and_is_not_sent_again_unchanged() {
    let test = TestApp::start().await;
    let first = test.as_staff(Team, "Budi").get("/visa-catalogue").await;
    assert_eq!((first.status, first.json["status"].as_u64()), (200, Some(1)));
    let purposes = first.data()["purposes"].as_array().unwrap();
    assert_eq!(purposes.len(), 8);
    assert_eq!(purposes[0]["sub_purposes"][0]["visa_types"][0]["code"], "A1");
    assert_eq!(first.data()["documents"]["parents_guarantee"]["label"], "Guarantee from parents");

    let sari = test.as_staff(Telecaller, "Sari").with_header("if-none-match", first.header("etag"));
    let again = sari.get("/visa-catalogue").await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}

#[tokio::test]
async fn the_catalogue_requires_a_staff_session() {
    let test = TestApp::start().await;
    assert_eq!(test.anonymous().get("/visa-catalogue").await.status, 401);
}

#[tokio::test]
async fn an_order_released_by_its_window_is_new_on_the_first_day_of_its_application() {
    let test = TestApp::start_with(|config| config.release_by_window = vec!["B1".to_owned()]).await;
    test.clock.stop();
    let today = test.clock.today(test.app.config.time_zone);
    let shop = shop(&test).await;
    let sent =
        json!({ "visa_type": "B1", "stay_day": 31, "arrival_date": today + Days::new(92), "payment": payment() });
    assert_eq!(shop.post("/intake/orders", order(sent)).await.status, 200);
    // Two days later a session has ended.
    let details = async |name| test.as_staff(Team, name).get("/admin/get-orders-details/100001").await.data().clone();

    let waiting = details("Budi").await;
    let first = today + Days::new(2);
    assert_eq!(waiting["process_status"], "Future");
    assert_eq!(waiting["processing_date"], json!(first));
    let codes = |details: &Value| {
        let warnings = details["visa_warnings"].as_array().unwrap().iter();
        warnings.map(|warning| warning["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&waiting), ["too_early", "stay_too_long"]);
    let text = waiting["visa_warnings"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(&format!("Apply from {} on", first.format("%d-%m-%Y"))), "{text}");

    test.later(TimeDelta::days(2));
    assert_eq!(scheduler::release_due(&test.app.lifecycle).await.unwrap(), 1);
    let ready = details("Rara").await;
    assert_eq!(ready["process_status"], "New");
    assert_eq!(codes(&ready), ["stay_too_long"]);

    let ann = test.as_staff(Admin, "Ann");
    let moved = json!({ "orderId": [100_001], "updatingStatus": "AwaitingGovt" });
    assert_eq!(ann.put("/admin/change-order-status", moved).await.status, 200);
    assert_eq!(details("Rara").await["visa_warnings"], json!([]), "the application was filed");
}
