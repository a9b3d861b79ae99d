//! What the form of a dispute refuses, and packs of orders that do not exist.

use serde_json::json;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed};
use visadesk::staff::rules::StaffType::Team;

use super::{in_days, move_to, paid, save, today};
use crate::support::TestApp;

#[tokio::test]
async fn an_impossible_amount_day_or_text_of_a_dispute_is_refused() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    move_to(&budi, &[order], ChargeBack).await;
    let yesterday = today(&test).pred_opt().expect("a day").to_string();
    for (more, code) in [
        (json!({ "amount": "", "currency": "USD" }), "disputed_amount_missing"),
        (json!({ "amount": "149.00", "currency": "" }), "disputed_currency_missing"),
        (json!({ "amount": "149.001", "currency": "USD" }), "invalid_disputed_amount"),
        (json!({ "amount": "149.00", "currency": "QQQ" }), "invalid_disputed_currency"),
        (json!({ "openedOn": in_days(&test, 3) }), "opened_in_future"),
        (json!({ "respondBy": yesterday }), "response_due_before_opening"),
        (json!({ "respondBy": in_days(&test, 400) }), "response_due_too_late"),
        (json!({ "caseId": "CB\u{202e}1" }), "invisible_characters"),
        (json!({ "caseId": "x".repeat(1_000) }), "text_too_long"),
    ] {
        let answer = save(&budi, order, more.clone()).await;
        assert_eq!((answer.status, answer.json["code"].as_str()), (422, Some(code)), "{more}: {answer}");
    }
}

#[tokio::test]
async fn a_preview_of_packs_needs_an_existing_order() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(Completed).await, test.as_staff(Team, "Budi"));
    let answer = budi.post("/admin/defence-pack-details", json!({ "orderId": order + 1 })).await;
    assert_eq!((answer.status, &answer.json["code"]), (404, &json!("order_not_found")), "{answer}");
}
