//! An installation with rows in every table, made by using the program.

use chrono::TimeDelta;
use image::ImageFormat;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::app::maintenance;
use visadesk::audit::{chain, views};
use visadesk::config::{Config, DeliveryCheck};
use visadesk::mail::worker;
use visadesk::orders::rewriting;
use visadesk::orders::status::ProcessStatus::{Awaiting, Refunds};
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::{Admin, Manager, Team, Telecaller};

use super::{back_up, outcome};
use crate::deliveries::{upload, visa};
use crate::filing::{file_application, file_as_second};
use crate::intake::order as new_order;
use crate::paper_requests::{order_for_c1, send};
use crate::papers;
use crate::second_factor::enrol;
use crate::second_factor::passkeys::add_passkey;
use crate::support::passports::PASSPORTS;
use crate::support::program::Installation;
use crate::support::sample_files::{pdf, picture};
use crate::support::{PASSWORD, TestApp};

/// An installation whose tables all have rows, and an order that was delivered and disputed.
pub async fn installation() -> (Installation, i64) {
    let installation = Installation::make().await;
    outcome(&installation, &["seed", "--orders", "20", "--demo-staff"]).expect("it is seeded");
    let test = TestApp::on(&installation).await;
    let (budi, made) = (test.as_staff(Team, "Budi Santoso"), test.as_staff(Manager, "Made Wirawan"));

    let order = test.add_order(Awaiting).await;
    let form = Form::new().text("orderId", order.to_string()).text("email", "ana@post.example");
    let file = Part::bytes(visa("PA1234567", "ANA PUTRI", "17/05/1990")).file_name("E-Visa Ana.pdf");
    let uploaded = budi.upload("/admin/upload-visa-document", form.part("uploadVisaDoc", file)).await;
    assert_eq!(uploaded.status, 200, "{uploaded}");
    let scanned = upload(&budi, test.add_order(Awaiting).await, picture(ImageFormat::Png), "").await;
    assert_eq!(scanned.data()["is_waiting"], true, "{scanned}");
    worker::send_due(&test.app.mail).await.expect("the mail is sent");
    let visitor = test.as_visitor(order).await;
    let file1 = visitor.history(order).await.json["path"]["file1"].as_str().expect("a visa").to_owned();
    assert_eq!(visitor.download(order, file1).await.status, 200);

    assert_eq!(test.anonymous().send_code(order, None).await.status, 200);
    assert_eq!(test.anonymous().track(order, "wrong@post.example").await.status, 404);

    let full_name = json!({ "before": "Ana Putri", "after": "Ana Dewi Putri" });
    let corrected = budi.put("/admin/correct-order", json!({ "orderId": order, "fields": { "full_name": full_name } }));
    assert_eq!(corrected.await.status, 200);
    let remark = json!({ "orderId": order, "remark": "The customer denies the charge" });
    let changes = [
        budi.with_key("a-key-of-the-browser").post("/admin/add-new-remark", remark).await,
        made.put("/admin/change-order-status", json!({ "orderId": [order], "updatingStatus": "ChargeBack" })).await,
        made.post("/admin/get-defence-pack-pdf", json!({ "orderId": order, "defencePackType": 1 })).await,
        made.put("/admin/move-to-complete-refund", json!({ "orderId": [test.add_order(Refunds).await] })).await,
        made.get(&format!("/admin/get-orders-details/{order}")).await,
        made.post("/admin/search-order", json!({ "folderName": "allOrder", "searchVal": "ana" })).await,
    ];
    let settings = json!({ "density": "compact", "hidden_columns": { "newOrder": ["email"] } });
    assert_eq!(made.put("/admin/list-settings", settings).await.status, 200);
    let view =
        json!({ "name": "Unassigned", "folder": "awaitingOrder", "filter": { "owner": "none" }, "isShared": true });
    assert_eq!(made.put("/admin/saved-view", view).await.status, 200);
    let text =
        json!({ "id": null, "purpose": "comment", "title": "No answer", "texts": { "en": "Called" }, "shared": true });
    assert_eq!(made.put("/admin/canned-text", text).await.status, 200);
    for answer in changes {
        assert_eq!(answer.status, 200, "{}", answer.json);
    }
    let typed_wrong =
        papers::order_of(&test, &PASSPORTS[0], |order| order.application.last_name = Some("Clark".into())).await;
    papers::give_to(&test, typed_wrong, "passport_picture", PASSPORTS[0].pdf()).await;
    check_due(&test.app.papers).await.expect("the passport is checked");
    let check = made.get(&format!("/admin/order-papers/{typed_wrong}")).await.data()["checks"][0].clone();
    let surname = check["findings"].as_array().expect("findings").iter().find(|finding| finding["field"] == "surname");
    let look = json!({
        "orderId": typed_wrong, "documentId": check["document_id"], "field": "surname",
        "valuesHash": surname.expect("a surname")["values_hash"], "verdict": "keep_typed",
    });
    assert_eq!(made.post("/admin/look-at-finding", look).await.status, 200);
    let said = json!({
        "orderId": typed_wrong, "kind": "passport", "documentId": check["document_id"], "state": "unreadable", "reason": "glare",
    });
    assert_eq!(made.post("/admin/set-paper-state", said).await.status, 200);
    let torn = json!({
        "code": null, "state": "unreadable", "kinds": [], "archived": false, "texts": { "en": "The page is torn." },
    });
    assert_eq!(test.as_staff(Admin, "Ayu Lestari").put("/admin/paper-reason", torn).await.status, 200);
    let asked = json!({
        "orderId": typed_wrong, "language": "en", "items": [{ "kind": "passport", "reason": "glare" }],
    });
    assert_eq!(made.post("/admin/ask-for-papers", asked).await.status, 200);
    let incomplete = order_for_c1(&test, Awaiting).await;
    let applicant = test.as_visitor(incomplete).await;
    assert_eq!(send(&applicant, incomplete, "bank_statement", pdf()).await.status, 200, "it was missing");

    let to_file = test.add_order(Awaiting).await;
    let refusal = json!({ "orderId": to_file, "reason": "The photograph is blurred", "then": "refile" });
    assert_eq!(file_application(&made, to_file, "EV-2026-1", Some(pdf())).await.status, 200);
    assert_eq!(made.post("/admin/refuse-application", refusal).await.status, 200);
    assert_eq!(file_application(&made, to_file, "EV-2026-2", None).await.status, 200);
    assert_eq!(file_as_second(&made, to_file, "EV-2026-3").await.status, 200);

    let claimed = test.add_order(Awaiting).await;
    assert_eq!(made.put("/admin/claim-filing", json!({ "orderId": claimed })).await.status, 200);
    let open = json!({ "orderId": claimed, "activity": "viewing" });
    assert_eq!(made.put("/admin/presence", open).await.status, 200);
    let given = json!({ "orderId": claimed, "assignto": "Budi Santoso", "note": "He speaks French" });
    assert_eq!(made.put("/admin/reassign-orders", given).await.status, 200);

    let careful = |config: &mut Config| {
        config.refunds.approval_orders = 1;
        config.delivery.check = DeliveryCheck::Hold;
    };
    let careful = test.another_node_with(careful).await;
    let two = [test.add_order(Refunds).await, test.add_order(Refunds).await];
    let waits = careful.with_token(test.as_staff(Team, "Budi Santoso").token().await);
    let waits = waits.put("/admin/move-to-complete-refund", json!({ "orderId": two })).await;
    assert_eq!(waits.status, 202, "{waits}");
    let holds = careful.with_token(test.as_staff(Team, "Budi Santoso").token().await);
    let held = upload(&holds, order, visa("X1", "SOMEBODY ELSE", "01/01/1990"), "").await;
    assert_eq!(held.status, 409, "{held}");

    let options = json!({ "name": "visa-shop", "source": "Visa Shop" });
    let made = test.as_staff(Admin, "Ayu Lestari").post("/admin/add-api-key", options).await;
    let visa_shop = test.with_api_key(made.data()["key"].as_str().expect("a key"));
    assert_eq!(visa_shop.post("/intake/orders", new_order(json!({ "stay_day": "a month" }))).await.status, 200);
    assert_eq!(test.sign_in("made.wirawan@visadesk.example", "a wrong password").await.status, 401);

    let citra = test.as_staff(Telecaller, "Citra Lestari");
    enrol(&test, &citra).await;
    add_passkey(&citra, "Laptop").await;
    assert_eq!(citra.post("/admin/begin-passkey-confirmation", json!({})).await.status, 200);
    assert_eq!(
        test.sign_in("citra.lestari@visadesk.example", PASSWORD).await.status,
        401,
        "it asks for the second factor"
    );

    let ayu = test.as_staff(Admin, "Ayu Lestari");
    let dewi = json!({ "name": "Dewi", "email": "dewi@visa-agency.net", "password": PASSWORD, "type": "Team" });
    assert_eq!(ayu.post("/admin/add-team-member", dewi).await.status, 200);
    assert_eq!(test.sign_in("dewi@visa-agency.net", PASSWORD).await.status, 200, "from a device that is known then");
    let dewi = test.anonymous().with_header("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0");
    let credentials = json!({ "email": "dewi@visa-agency.net", "password": PASSWORD });
    assert_eq!(dewi.post("/admin/admin-login", credentials).await.status, 200, "a mail about a new device waits");

    test.app.audit.access_log.flush().await.expect("the views are written");
    let long_ago = test.clock.now() - TimeDelta::days(3_650);
    test.write(move |tx| views::delete_before(tx, long_ago)).await;
    maintenance::merge_counters(&test.app).await.expect("the deltas are merged");
    test.add_order(Awaiting).await;
    rewriting::rewrite(test.db()).await.expect("search texts are of this version");
    chain::extend_chain(&test.app.audit).await.expect("the chain is extended");
    back_up(&installation, &[]);
    (installation, order)
}
