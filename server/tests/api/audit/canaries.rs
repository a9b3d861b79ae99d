//! The calls that are declared free of customer data: none of their responses has any, to whichever member and after whichever call.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use visadesk::access::Access;
use visadesk::config::Config;
use visadesk::orders::facts::{Application, Checkout, Payment, Transaction};
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::rules::ProcessStatus::{self, Awaiting, ChargeBack, Completed, Deleted, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::noted::NOT_NOTED;
use crate::deliveries::{upload, visa};
use crate::filing::file_application;
use crate::papers::give_to;
use crate::support::calls::{Call, calls};
use crate::support::sample_files::pdf;
use crate::support::{Answer, Client, PASSWORD, TestApp};

const EXAMPLES: &str = include_str!("../../../../contract/examples.json");

/// Parts of every fact about a customer that [`with_canaries`] sets.
const CANARIES: [&str; 7] =
    ["kanari", "5551234321", "kn7654321", "203.0.113.77", "1913-11-27", "27-11-1913", "11/27/1913"];

/// The calls that no member makes successfully here: they need a second factor, a passkey, or a file whose check has ended.
const REFUSED: [&str; 10] = [
    "add_authenticator",
    "add_passkey",
    "begin_passkey_confirmation",
    "look_at_finding",
    "look_at_visa",
    "make_portal_photograph",
    "make_recovery_codes",
    "remove_authenticator",
    "remove_passkey",
    "remove_second_factor",
];

/// A value for a fact, with a canary in it.
fn canary(fact: &str) -> Option<String> {
    Some(format!("Kanari {fact}"))
}

/// Sets every fact about the customer.
fn with_canaries(order: &mut NewOrder) {
    let birth = "1913-11-27".parse().ok();
    order.external_reference = Some(format!("KANARI-{:08x}", rand::random::<u32>()));
    order.full_name = "Kanari Putri".into();
    order.contact_email_address = "kanari.kontak@post.example".into();
    order.phone_number = Some("5551234321".into());
    order.application = Application {
        account_email: Some("kanari.akun@post.example".into()),
        first_name: canary("first"),
        middle_name: canary("middle"),
        last_name: canary("last"),
        place_of_birth: canary("birth"),
        date_of_birth: birth,
        document_number: Some("KN7654321".into()),
        issuing_place: canary("place"),
        address: canary("street 7"),
        postal_code: canary("code"),
        province: canary("province"),
        city: canary("city"),
        district: canary("district"),
        village: canary("village"),
        immigration_office: canary("office"),
        signature_name: canary("signature"),
        ..Application::default()
    };
    order.checkout = Some(Checkout {
        purchase_ip: Some("203.0.113.77".into()),
        user_agent: canary("browser"),
        device_id: canary("device"),
        three_d_secure: canary("secure"),
        ..Checkout::default()
    });
    order.payment = Some(Payment {
        gateway: "Stripe".into(),
        payment_reference: format!("kanari-{:08x}", rand::random::<u32>()),
        amount_minor: 14_900,
        currency: visadesk::money::Currency::parse("USD").expect("a currency"),
        card_brand: canary("brand"),
        card_last_four: Some("4242".into()),
        paid_at: order.created_at,
    });
    order.transaction = Some(Transaction { transaction_id: canary("transaction"), merchant_name: canary("merchant") });
}

/// The spellings in which a text may be hidden in a response.
fn spellings(text: &str) -> Vec<String> {
    let percent = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let mut spellings = vec![text.to_owned(), percent, hex::encode(text)];
    let capital = format!("{}{}", text[..1].to_uppercase(), &text[1..]);
    for spelled in [text, &capital, &text.to_uppercase()] {
        for before in 0..3 {
            let encoded = STANDARD.encode([&vec![0; before][..], spelled.as_bytes()].concat());
            // Without the digits that depend on the bytes before and after it.
            let (from, to) = ((before * 8).div_ceil(6), (before + spelled.len()) * 8 / 6);
            spellings.push(encoded[from..to].to_owned());
            spellings.push(encoded[from..to].replace('+', "-").replace('/', "_"));
        }
    }
    spellings
}

/// The first spelling of a canary in a response.
fn canary_in<'a>(answer: &Answer, spellings: &'a [String]) -> Option<&'a String> {
    // Parsed and printed again, characters have no escapes.
    let whole = format!("{:?} {} {}", answer.headers, answer.text, answer.json);
    let (lower, percent) = (whole.to_lowercase(), whole.to_uppercase());
    spellings.iter().find(|spelling| {
        whole.contains(spelling.as_str())
            || lower.contains(spelling.as_str())
            || (spelling.starts_with('%') && percent.contains(spelling.as_str()))
    })
}

/// The example with this order in place of its own.
fn example(examples: &Map<String, Value>, call: &str, order: i64) -> Option<Value> {
    let mut body = examples.get(call)?.get("request")?.clone();
    match body.get_mut("orderId") {
        Some(Value::Array(selected)) => *selected = vec![json!(order)],
        Some(other) => *other = json!(order),
        None => {}
    }
    Some(body)
}

/// The status in which the call accepts an order.
fn status_for(call: &str) -> ProcessStatus {
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
async fn prepare(test: &TestApp, careful: &TestApp, desk: &Client<'_>, call: &str, order: i64) -> Value {
    let ayu = test.as_staff(Admin, "Ayu");
    let refund = json!({ "orderId": [order] });
    match call {
        "add_api_key" => json!({ "name": format!("key-{order}"), "expires": "2031-05-01" }),
        "add_team_member" => json!({ "name": format!("Member {order}"), "email": format!("m{order}@desk.example") }),
        "assign_orders" => json!({ "assignto": desk.staff().await.name }),
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
        "end_session" => {
            let other = test.begin_session(desk.id().await, visadesk::staff::tokens::Remember::No).await;
            let sessions = test.with_token(other.token).get("/admin/sessions").await;
            let all = sessions.data().as_array().expect("sessions").iter();
            json!({ "id": all.clone().find(|one| one["is_this"] == true).expect("the session")["id"] })
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
        _ => json!({}),
    }
}

/// Makes the call for the order, as it succeeds if the member may do that.
async fn make(test: &TestApp, desk: &Client<'_>, call: &Call, order: i64, body: Option<Value>) -> Answer {
    match call.name.as_str() {
        "upload_visa_document" => upload(desk, order, visa("PA0000001", "SOMEBODY ELSE", "01/01/1990"), "").await,
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

#[tokio::test]
async fn no_call_that_is_declared_free_of_customer_data_answers_with_any() {
    let generous = |config: &mut Config| config.limits.mails_elsewhere_per_member_and_hour = 1_000;
    let test = TestApp::start_with(generous).await;
    let careful = test.another_node_with(|config| config.refunds.approval_orders = 1).await;
    let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).expect("an object");
    let spellings: Vec<String> = CANARIES.iter().flat_map(|canary| spellings(canary)).collect();
    let seen = test.add_order_with(New, with_canaries).await;
    let details = test.as_staff(Admin, "Ayu").get(&format!("/admin/get-orders-details/{seen}")).await;
    for canary in ["kanari", "5551234321", "kn7654321", "203.0.113.77", "1913-11-27"] {
        assert!(details.text.to_lowercase().contains(canary), "the order has {canary}");
    }
    let (mut refused, mut leaked) = (Vec::new(), Vec::new());
    let calls = calls();
    for call in calls.iter().filter(|call| NOT_NOTED.contains(&call.name.as_str())) {
        let Access::Staff(types) = call.access else { panic!("{} is a call of staff", call.name) };
        let mut succeeded = false;
        for staff_type in types {
            // One who changed the password cannot confirm with it.
            let group = if call.name == "change_password" { "Another" } else { "The" };
            let member = || test.as_staff(*staff_type, &format!("{group} {staff_type}"));
            let desk = member();
            let order = test.add_order_with(status_for(&call.name), with_canaries).await;
            let fields = prepare(&test, &careful, &desk, &call.name, order).await;
            let body = example(&examples, &call.name, order).map(|mut body| {
                body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
                body
            });
            let answer = make(&test, &desk, call, order, body).await;
            succeeded |= answer.status < 300;
            // In a new session, because some calls end theirs: a refusal reveals as little.
            let wrong = make(&test, &member(), call, seen, call.body.clone()).await;
            let leaks = [answer, wrong].map(|answer| canary_in(&answer, &spellings).cloned());
            leaked.extend(
                leaks.into_iter().flatten().map(|leak| format!("{} answers {staff_type} with {leak}", call.name)),
            );
        }
        if !succeeded {
            refused.push(call.name.as_str());
        }
    }
    refused.sort_unstable();
    assert_eq!((leaked, refused.as_slice()), (Vec::<String>::new(), &REFUSED[..]));
}
