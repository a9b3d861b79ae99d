//! Optional fields that are not understood: they are kept as they were sent.

use serde_json::{Value, json};
use visadesk::staff::rules::StaffType::Team;

use super::{count, id, order, shop};
use crate::support::{Answer, TestApp};

#[tokio::test]
async fn an_optional_field_that_is_not_understood_costs_no_order_and_is_kept_until_a_member_settles_it() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let odd = json!({ "date_of_birth": "04/12/1990", "stay_day": 30.5, "processing_date": "soon", "purchase_ip": "[2001:db8::7]:443" });
    let answer = shop.post("/intake/orders", order(odd)).await;
    let created = id(&answer);
    let warned = json!([
        { "field": "processing_date", "reason": "must be a date, as YYYY-MM-DD" },
        { "field": "date_of_birth", "reason": "must be a date, as YYYY-MM-DD" },
        { "field": "stay_day", "reason": "must be a whole number from 1 to 3650" },
    ]);
    let sorted = |value: &Value| {
        let mut all: Vec<String> = value.as_array().expect("a list").iter().map(ToString::to_string).collect();
        all.sort();
        all
    };
    assert_eq!(sorted(&answer.data()["warnings"]), sorted(&warned), "{answer}");

    let budi = test.as_staff(Team, "Budi");
    let details = async || budi.get(&format!("/admin/get-orders-details/{created}")).await;
    let open = |answer: &Answer| -> Vec<String> {
        let kept = answer.data()["kept_values"].as_array().expect("values").clone();
        let open = kept.iter().filter(|kept| kept["is_open"] == true);
        open.map(|kept| format!("{} {}", kept["field"].as_str().unwrap(), kept["value"].as_str().unwrap())).collect()
    };
    let shown = details().await;
    assert_eq!(open(&shown), ["date_of_birth 04/12/1990", "processing_date soon", "stay_day 30.5"]);
    assert_eq!(shown.data()["date_of_birth"], Value::Null);
    let evidence = shown.data()["kept_values"].as_array().unwrap().iter().find(|kept| kept["field"] == "purchase_ip");
    assert_eq!(evidence.unwrap()["value"], "[2001:db8::7]:443");
    assert_eq!(shown.data()["checkout"]["purchase_ip"], "2001:db8::7");
    let unclear = async || {
        let list = test.as_staff(Team, "Budi").get("/admin/get-orders-list/pendingOrder?page=1&limit=10").await;
        list.data()[0]["unclear_fields"].clone()
    };
    assert_eq!(unclear().await, 3);

    // A correction settles its field, and so does a member who finds that there is nothing to correct.
    let correct =
        async |fields: Value| budi.put("/admin/correct-order", json!({ "orderId": created, "fields": fields })).await;
    let corrected = correct(json!({ "date_of_birth": { "before": null, "after": "1990-12-04" } })).await;
    assert_eq!(corrected.status, 200, "{corrected}");
    assert_eq!(open(&details().await), ["processing_date soon", "stay_day 30.5"]);
    let looked = correct(
        json!({ "stay_day": { "before": null, "after": null }, "processing_date": { "before": null, "after": null } }),
    )
    .await;
    assert_eq!(looked.status, 200, "{looked}");
    assert!(open(&details().await).is_empty());
    assert_eq!(unclear().await, 0);
    assert_eq!(details().await.data()["kept_values"].as_array().unwrap().len(), 4, "what was sent stays");
    let refused = correct(json!({ "processing_date": { "before": null, "after": "2027-01-01" } })).await;
    assert_eq!(refused.status, 422, "{refused}");
}

#[tokio::test]
async fn no_value_of_an_optional_field_costs_an_order() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let values = [
        json!(true),
        json!(1e300),
        json!(["x"]),
        json!({ "a": 1 }),
        json!("x".repeat(5_000)),
        json!("a\u{1}b"),
        json!("\u{202e}abc"),
        json!("2026-13-01"),
        json!("-1"),
        json!("1; DROP TABLE orders"),
        json!("\u{2800}"),
    ];
    let fields = [
        "processing_date",
        "date_of_birth",
        "arrival_date",
        "date_of_expiry",
        "phone_number",
        "country_code",
        "visa_type",
        "stay_day",
        "sex",
        "purchase_ip",
        "user_agent",
        "terms_accepted_at",
        "address",
        "first_name",
        "nationality",
        "user",
        "merchant_name",
    ];
    for field in fields {
        for value in &values {
            let answer = shop.post("/intake/orders", order(json!({ field: value }))).await;
            assert_eq!(answer.status, 200, "{field} {value}: {answer}");
        }
    }
    let taken = i64::try_from(fields.len() * values.len()).unwrap();
    assert_eq!(count(&test).await, taken);
}
