//! An undo is refused with its reason, and then nothing changes.

use chrono::TimeDelta;
use serde_json::json;
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::{Awaiting, ChargeBack, Completed, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use super::{assign, changed, move_to, rows, undo, undo_event};
use crate::chargebacks::form;
use crate::support::{Answer, TestApp};

/// Asserts that the undo was refused, and that all orders are still what they were.
async fn assert_refused(test: &TestApp, before: &[super::Row], refused: &Answer, status: u16, code: &str, text: &str) {
    assert_eq!((refused.status, refused.json["code"].as_str()), (status, Some(code)), "{refused}");
    assert!(refused.message().contains(text), "{refused}");
    assert_eq!(rows(test).await, before);
}

#[tokio::test]
async fn an_order_that_a_colleague_changed_since_stops_the_whole_undo() {
    let test = TestApp::start().await;
    let (first, second) = (test.add_order(New).await, test.add_order(New).await);
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let moved = move_to(&budi, &[first, second], Awaiting).await;
    assign(&sari, &[second], "Sari").await;
    let before = rows(&test).await;
    let refused = undo(&budi, &moved).await;
    let text = format!("Nothing was undone: order {second} was changed by Sari at");
    assert_refused(&test, &before, &refused, 409, "order_changed_since", &text).await;
    assert_eq!(refused.data()["order_id"], second);
    // Nor is the change claimed by the refused undo.
    assert_eq!(undo(&budi, &moved).await.json["code"], "order_changed_since");
}

#[tokio::test]
async fn remarks_do_not_stop_an_undo_and_emails_do() {
    let test = TestApp::start().await;
    let (order, budi, sari) =
        (test.add_order(Awaiting).await, test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let moved = move_to(&budi, &[order], Completed).await;
    let remark = json!({ "orderId": order, "remark": "Please look" });
    assert_eq!(sari.post("/admin/add-new-remark", remark).await.status, 200);
    changed(undo(&budi, &moved).await);

    for sent in [false, true] {
        let moved = move_to(&budi, &[order], Completed).await;
        let link = json!({ "orderId": order, "email": "ana@post.example" });
        assert_eq!(sari.post("/admin/send-download-mail", link).await.status, 200);
        if sent {
            worker::send_due(&test.app.mail).await.expect("the mail is sent");
        }
        let before = rows(&test).await;
        let refused = undo(&budi, &moved).await;
        let text = format!("an email about order {order}, requested by Sari, has been sent or is about to be sent");
        assert_refused(&test, &before, &refused, 409, "mail_left_since", &text).await;
        move_to(&budi, &[order], Awaiting).await;
        // A link for the same recipient is sent again after some time.
        test.later(TimeDelta::minutes(9));
    }
}

#[tokio::test]
async fn an_email_queued_before_the_change_stops_the_undo_once_it_has_left() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(Completed).await, test.as_staff(Team, "Budi"));
    let link = json!({ "orderId": order, "email": "ana@post.example" });
    assert_eq!(budi.post("/admin/send-download-mail", link).await.status, 200);
    let moved = move_to(&budi, &[order], Awaiting).await;
    changed(undo(&budi, &moved).await);
    let moved = move_to(&budi, &[order], Awaiting).await;
    worker::send_due(&test.app.mail).await.expect("the mail is sent");
    let before = rows(&test).await;
    assert_refused(&test, &before, &undo(&budi, &moved).await, 409, "mail_left_since", "requested by Budi").await;
}

#[tokio::test]
async fn a_code_that_the_applicant_requested_does_not_stop_an_undo() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(New).await, test.as_staff(Team, "Budi"));
    let moved = move_to(&budi, &[order], Awaiting).await;
    assert_eq!(test.anonymous().send_code(order, None).await.status, 200);
    visadesk::public::codes::mail_requested(&test.app.public).await.expect("the code is mailed");
    worker::send_due(&test.app.mail).await.expect("the mail is sent");
    changed(undo(&budi, &moved).await);
}

#[tokio::test]
async fn only_ones_own_change_is_undone_once_and_within_ten_minutes() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(New).await, test.as_staff(Team, "Budi"));
    let moved = move_to(&budi, &[order], Awaiting).await;
    let before = rows(&test).await;
    for other in [test.as_staff(Team, "Sari"), test.as_staff(Manager, "Made"), test.as_staff(Admin, "Ayu")] {
        let text = format!("Nothing was undone: Budi changed order {order}, and only they can undo it");
        assert_refused(&test, &before, &undo(&other, &moved).await, 403, "change_of_another_member", &text).await;
    }
    changed(undo(&budi, &moved).await);
    let before = rows(&test).await;
    assert_refused(&test, &before, &undo(&budi, &moved).await, 409, "change_undone_before", "was already undone at")
        .await;

    let moved = move_to(&budi, &[order], Refunds).await;
    let before = rows(&test).await;
    test.later(TimeDelta::seconds(601));
    let text = format!("Nothing was undone: order {order} was changed at");
    assert_refused(&test, &before, &undo(&budi, &moved).await, 409, "change_too_old_to_undo", &text).await;
    for unknown in [json!(0), json!(-1), json!(9_000_000_000_000_i64)] {
        assert_refused(&test, &before, &undo_event(&budi, &unknown).await, 404, "change_to_undo_not_found", "").await;
    }
}

#[tokio::test]
async fn an_order_does_not_return_to_a_member_who_left() {
    let test = TestApp::start().await;
    let (other, order) = (test.add_order(New).await, test.add_order(New).await);
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.add_member(Team, "Budi").await);
    assign(&ayu, &[other], "Ayu").await;
    assign(&ayu, &[order], "Budi").await;
    let given_back = assign(&ayu, &[other, order], "").await;
    let proof = json!({ "teamMemberId": budi });
    assert_eq!(ayu.put("/admin/delete-team-member", proof).await.status, 200);
    let before = rows(&test).await;
    let text = format!("order {order} belonged to Budi, who is no longer a member of staff");
    assert_refused(&test, &before, &undo(&ayu, &given_back).await, 409, "undo_to_deleted_member", &text).await;
}

#[tokio::test]
async fn a_dispute_that_a_colleague_edited_stays_open() {
    let test = TestApp::start().await;
    let (order, budi, sari) =
        (test.add_order(Completed).await, test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let moved = move_to(&budi, &[order], ChargeBack).await;
    test.later(TimeDelta::seconds(1));
    let saved = sari.post("/admin/save-chargeback", form(order, json!({ "caseId": "CB-1" }))).await;
    assert_eq!(saved.status, 200, "{saved}");
    let before = rows(&test).await;
    let text = format!("Sari edited the chargeback of order {order}");
    assert_refused(&test, &before, &undo(&budi, &moved).await, 409, "dispute_edited_since", &text).await;
}

#[tokio::test]
async fn a_dispute_that_the_change_left_alone_does_not_stop_its_undo() {
    let test = TestApp::start().await;
    let (order, budi, sari) =
        (test.add_order(Completed).await, test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let save = async |more: serde_json::Value| {
        let saved = sari.post("/admin/save-chargeback", form(order, more)).await;
        assert_eq!(saved.status, 200, "{saved}");
    };
    move_to(&budi, &[order], ChargeBack).await;
    save(json!({ "outcome": "Won" })).await;
    move_to(&budi, &[order], Completed).await;
    let moved = move_to(&budi, &[order], Awaiting).await;
    test.later(TimeDelta::seconds(1));
    save(json!({ "outcome": "Won", "caseId": "CB-1" })).await;
    let undone = undo(&budi, &moved).await;
    assert_eq!((undone.status, &undone.json["changed"]), (200, &json!(1)), "{undone}");
}
