//! What has to be done before a call succeeds, and the call itself.

use diesel::dsl::max;
use diesel::prelude::*;
use image::ImageFormat;
use serde_json::{Value, json};
use visadesk::db::schema::documents;
use visadesk::orders::status::ProcessStatus::{self, Awaiting, ChargeBack, Completed, Deleted, New, Refunds};
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::with_canaries;
use crate::deliveries::{upload, visa};
use crate::filing::file_application;
use crate::papers::give_to;
use crate::second_factor::device::Device;
use crate::second_factor::passkeys::add_passkey;
use crate::second_factor::{Phone, enrol};
use crate::support::calls::Call;
use crate::support::expected_calls::calls_that_show;
use crate::support::passports::PASSPORTS;
use crate::support::portraits::{Chance, Fault};
use crate::support::sample_files::{pdf, picture};
use crate::support::{Answer, Client, PASSWORD, TestApp};

/// The reason to deliver a visa that may be that of another order.
const REASON: &str = "It is the right one";

/// The status in which the call accepts an order.
pub fn status_for(call: &str) -> ProcessStatus {
    match call {
        "restore_orders" => Deleted,
        "save_chargeback" | "save_transaction_details" => ChargeBack,
        "resend_mail" | "send_download_mail" => Completed,
        "ask_for_papers" | "withdraw_paper_request" | "file_application" | "refuse_application" => Awaiting,
        "refund_orders" | "take_back_refund" | "stop_refund_mails" | "send_refund_mails" => Refunds,
        _ => New,
    }
}

/// Does what has to be done before the call, and returns the fields of its body that depend on it.
pub async fn prepare(test: &TestApp, careful: &TestApp, desk: &Client<'_>, call: &str, order: i64) -> Value {
    let ayu = test.as_staff(Admin, "Ayu");
    let refund = json!({ "orderId": [order] });
    match call {
        "add_api_key" => json!({ "name": format!("key-{order}"), "expires": "2031-05-01" }),
        "add_team_member" => json!({ "name": format!("Member {order}"), "email": format!("m{order}@desk.example") }),
        "assign_orders" => json!({ "assignto": desk.staff().await.name }),
        "reassign_orders" | "hand_over_orders" => {
            let own = json!({ "orderId": [order], "assignto": desk.staff().await.name });
            assert_eq!(desk.put("/admin/assign-order-status", own).await.status, 200);
            test.add_member(Team, "Successor").await;
            json!({ "assignto": "Successor", "note": "The owner is ill" })
        }
        "confirm_identity" => json!({ "code": null, "password": PASSWORD }),
        "correct_order" => json!({ "fields": { "nationality": { "before": "Australia", "after": "Japan" } } }),
        "approve_refunds" | "decline_refunds" | "withdraw_refunds" => {
            let orders = [order, test.add_order_with(Refunds, with_canaries).await];
            let requester = if call == "withdraw_refunds" { desk.staff().await } else { ayu.staff().await };
            let budi = careful.with_token(test.as_staff(requester.staff_type, &requester.name).token().await);
            let moved = json!({ "orderId": [order], "updatingStatus": "Refunds" });
            ayu.put("/admin/change-order-status", moved).await;
            let waits = budi.put("/admin/move-to-complete-refund", json!({ "orderId": orders })).await;
            json!({ "approvalId": waits.json["approval"]["approval_id"] })
        }
        "delete_team_member" | "update_team_member" => {
            let id = test.add_member(Team, &format!("Leaver {order}")).await;
            let member = ayu.get(&format!("/admin/team-member-info/{id}")).await.data().clone();
            json!({ "teamMemberId": id, "tmId": id, "email": format!("l{order}@desk.example"), "name": format!("Leaver {order}"),
                    "updated_at": member["updated_at"] })
        }
        "delete_saved_view" => {
            let view = json!({ "name": "Own", "folder": "newOrder", "filter": { "visa": "C1" }, "isShared": false });
            assert_eq!(desk.put("/admin/saved-view", view).await.status, 200);
            json!({ "viewId": desk.get("/admin/saved-views").await.data()["views"][0]["view_id"] })
        }
        "end_session" => {
            let other = test.begin_session(desk.id().await, visadesk::staff::tokens::Remember::No).await;
            let sessions = test.with_token(other.token).get("/admin/sessions").await;
            let all = sessions.data().as_array().expect("sessions").iter();
            json!({ "id": all.clone().find(|one| one["is_this"] == true).expect("the session")["id"] })
        }
        "mark_inbox_read" => {
            let own = json!({ "orderId": [order], "assignto": desk.staff().await.name });
            assert_eq!(desk.put("/admin/assign-order-status", own).await.status, 200);
            test.add_member(Team, "Successor").await;
            let away = json!({ "orderId": [order], "assignto": "Successor", "note": "The owner is ill" });
            assert_eq!(ayu.put("/admin/reassign-orders", away).await.status, 200);
            json!({ "inboxId": desk.get("/admin/inbox").await.data()[0]["inbox_id"] })
        }
        "move_order_status" => json!({ "updatingStatus": "Awaiting", "updated_at": null }),
        "refuse_application" => {
            assert_eq!(file_application(&ayu, order, &format!("EV-{order}"), None).await.status, 200);
            json!({})
        }
        "revoke_api_key" => {
            let added = ayu.post("/admin/add-api-key", json!({ "name": format!("key-{order}") })).await;
            json!({ "apiKeyId": added.data()["id"] })
        }
        "resend_mail" | "send_download_mail" => {
            test.add_visa(order).await;
            json!({ "email": format!("somebody{order}@elsewhere.example") })
        }
        "save_chargeback" => json!({ "openedOn": test.clock.today(chrono_tz::Asia::Jakarta), "updated_at": null }),
        "save_canned_text" => json!({ "purpose": "comment", "texts": { "en": "Called" }, "shared": true }),
        "delete_canned_text" => {
            let text = json!({ "purpose": "comment", "title": "Called", "texts": { "en": "Called" }, "shared": true });
            assert_eq!(ayu.put("/admin/canned-text", text).await.status, 200);
            let texts = ayu.get("/admin/canned-texts").await;
            json!({ "id": texts.data()["texts"][0]["id"] })
        }
        "save_paper_reason" => json!({ "texts": { "en": format!("The page of {order} is torn.") } }),
        "set_paper_state" | "check_papers" => {
            give_to(test, order, "recent_photo", pdf()).await;
            let papers = ayu.get(&format!("/admin/order-papers/{order}")).await;
            let papers = papers.data()["papers"].as_array().cloned().unwrap_or_default();
            let photo = papers.iter().find(|paper| paper["kind"] == "recent_photo").cloned().unwrap_or_default();
            json!({ "documentId": photo["document_id"] })
        }
        "take_back_refund" | "stop_refund_mails" | "send_refund_mails" => {
            assert_eq!(ayu.put("/admin/move-to-complete-refund", refund).await.status, 200);
            json!({})
        }
        "undo" => {
            let assigned = json!({ "orderId": [order], "assignto": desk.staff().await.name });
            let assigned = desk.put("/admin/assign-order-status", assigned).await;
            json!({ "eventId": assigned.json["undo"]["event_id"] })
        }
        "withdraw_paper_request" => {
            let asked =
                json!({ "orderId": order, "language": "en", "items": [{ "kind": "passport", "reason": "missing" }] });
            assert_eq!(ayu.post("/admin/ask-for-papers", asked).await.status, 200);
            json!({})
        }
        "ask_for_papers" => json!({ "items": [{ "kind": "passport", "reason": "missing" }] }),
        "look_at_visa" => {
            let uploaded = upload(desk, order, visa("PA0000001", "SOMEBODY ELSE", "01/01/1990"), REASON).await;
            json!({ "document_id": uploaded.data()["document_id"] })
        }
        "decide_visa" => {
            let uploaded = upload(desk, order, picture(ImageFormat::Png), "").await;
            json!({ "document_id": uploaded.data()["document_id"], "decision": "withdraw", "reason": null })
        }
        "make_portal_photograph" => {
            let (_, photograph) = Fault::FileSize.photograph(&mut Chance::new(5));
            give_to(test, order, "upload_picture", photograph).await;
            let frame = json!({ "left": 0.1, "top": 0.05, "width": 0.8 });
            json!({ "documentId": newest_document(test, order).await, "frame": frame })
        }
        // Reading a passport takes a second, and one member who succeeds is enough.
        "look_at_finding" if desk.staff().await.staff_type == Admin => {
            give_to(test, order, "passport_picture", PASSPORTS[0].pdf()).await;
            check_due(&test.app.papers).await.expect("the passport is read");
            let papers = ayu.get(&format!("/admin/order-papers/{order}")).await;
            let check = &papers.data()["checks"][0];
            let mut findings = check["findings"].as_array().expect("findings").iter();
            let surname = findings.find(|one| one["field"] == "surname").expect("the surname differs");
            json!({
                "documentId": check["document_id"], "field": "surname", "valuesHash": surname["values_hash"],
                "verdict": "keep_typed",
            })
        }
        call if calls_of_second_factor().contains(&call) => prepare_second_factor(test, desk, call).await,
        _ => json!({}),
    }
}

/// The calls about the member's own second factor, and the one that removes that of another.
pub fn calls_of_second_factor() -> Vec<&'static str> {
    let is_one =
        |name: &&str| ["authenticator", "passkey", "recovery", "second_factor"].iter().any(|part| name.contains(part));
    calls_that_show("free").into_iter().filter(is_one).collect()
}

async fn prepare_second_factor(test: &TestApp, desk: &Client<'_>, call: &str) -> Value {
    match call {
        "add_authenticator" => {
            let begun = desk.post("/admin/begin-authenticator", json!({})).await;
            json!({ "enrolment": begun.data()["enrolment"], "code": Phone::scan(begun.data()).code(test) })
        }
        "add_passkey" => {
            let begun = desk.post("/admin/begin-passkey", json!({})).await;
            json!({ "name": "A laptop", "credential": Device::new().create(&begun.data()["options"]) })
        }
        "make_recovery_codes" | "remove_authenticator" => {
            enrol(test, desk).await;
            json!({})
        }
        "begin_passkey_confirmation" | "remove_passkey" => {
            add_passkey(desk, "A laptop").await;
            json!({ "id": desk.get("/admin/second-factor").await.data()["passkeys"][0]["id"] })
        }
        "remove_second_factor" => {
            let other = test.as_staff(Team, &format!("Known to {}", desk.staff().await.name));
            enrol(test, &other).await;
            json!({ "tmId": other.id().await })
        }
        _ => json!({}),
    }
}

async fn newest_document(test: &TestApp, order: i64) -> i64 {
    let newest = documents::table.filter(documents::order_id.eq(order)).select(max(documents::document_id));
    test.read(move |conn| Ok(newest.first::<Option<i64>>(conn)?)).await.expect("a document")
}

/// Makes the call for the order, as it succeeds if the member may do that.
pub async fn make(test: &TestApp, desk: &Client<'_>, call: &Call, order: i64, body: Option<Value>) -> Answer {
    match call.name.as_str() {
        "upload_visa_document" => upload(desk, order, visa("PA0000001", "SOMEBODY ELSE", "01/01/1990"), REASON).await,
        "file_application" => file_application(desk, order, &format!("EV-{order}"), Some(pdf())).await,
        "find_team_member" => {
            desk.get(&format!("/admin/team-member-info/{}", test.add_member(Team, "Budi").await)).await
        }
        _ => {
            let request = desk.request(call.method.clone(), &call.path).await;
            desk.send(body.iter().fold(request, reqwest::RequestBuilder::json)).await
        }
    }
}
