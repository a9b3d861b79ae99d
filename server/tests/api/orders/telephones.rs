//! The telephone number of an order in Contact Customer, which its list does not show (spec §2): every call that shows something about
//! customers, to every type of staff.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};
use visadesk::access::Access;
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::status::ProcessStatus::ContactCustomer;
use visadesk::staff::rules::StaffType::Admin;

use crate::audit::canaries::{canary_in, spellings, with_canaries};
use crate::support::TestApp;
use crate::support::calls::{Call, calls, example_for};
use crate::support::expected_calls::calls_that_show;
use crate::support::mails::past_mail;

/// The calls that show the telephone number: those of the order's own screen, where it is a field and the address of short messages, and the
/// list that shows it of every order.
const SHOW_IT: [&str; 5] =
    ["email_content", "order_details", "order_filing", "preview_paper_request", "list_orders of allOrder"];

/// The calls that are refused, because an order in Contact Customer has no defence pack and no file for the portal.
const REFUSED: [&str; 3] = ["defence_pack_details", "filing_kit", "get_defence_pack_pdf"];

const TELEPHONE: &str = "5551234321";

/// The call about the order, or about the folder with its row: the address with its parameters, and the body.
fn request(call: &Call, order: i64, reference: &str) -> (String, Option<Value>) {
    let ids = order.to_string();
    let path = call.template.replace("{orderId}", &ids).replace("{orderIds}", &ids);
    let path = path.replace("{orderName}", "contactCustomerOrder");
    let query = call.query.iter().filter_map(|name| {
        let value = match name.as_str() {
            "q" => reference.to_owned(),
            "limit" => "50".to_owned(),
            "history" => "remarks".to_owned(),
            "fromDate" | "toDate" => "2026-01-31".to_owned(),
            "year" => "2026".to_owned(),
            // All others only narrow the answer.
            _ => return None,
        };
        Some(format!("{name}={value}"))
    });
    let query: Vec<String> = query.collect();
    let body = example_for(&call.name, order).map(|mut body| {
        let fields = body.as_object_mut().expect("an object");
        for (name, value) in [
            ("folderName", json!("contactCustomerOrder")),
            ("searchVal", json!(reference)),
            ("items", json!([{ "kind": "passport", "reason": "missing" }])),
        ] {
            if fields.contains_key(name) {
                fields.insert(name.to_owned(), value);
            }
        }
        body
    });
    (format!("{path}?{}", query.join("&")), body)
}

#[tokio::test]
async fn no_list_search_or_export_of_contact_customer_has_a_telephone_number() {
    let test = TestApp::start().await;
    let mut orders = Vec::new();
    // Two, which are duplicates of each other, and whose mail failed, so that the home screen lists them.
    for _ in 0..2 {
        let add = |order: &mut NewOrder| {
            with_canaries(order);
            order.visa_type = Some("C1".into());
            // Corrected below, so that the audit has a row about it.
            order.phone_number = Some("5550000000".into());
        };
        let order = test.add_order_with(ContactCustomer, add).await;
        test.add_mail(past_mail(order, "approval", "failed", test.clock.now())).await;
        orders.push(order);
    }
    let ayu = test.as_staff(Admin, "Ayu");
    for order in &orders {
        let fields = json!({ "phone_number": { "before": "5550000000", "after": TELEPHONE } });
        let corrected = ayu.put("/admin/correct-order", json!({ "orderId": order, "fields": fields })).await;
        assert_eq!(corrected.status, 200, "{corrected}");
    }
    let spellings = spellings(TELEPHONE);
    let noted = calls_that_show("noted");
    let (mut showing, mut succeeded, mut with_row) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
    for call in calls().iter().filter(|call| noted.contains(&call.name.as_str())) {
        let Access::Staff(types) = call.access else { panic!("{} is a call of staff", call.name) };
        for who in types {
            let member = test.as_staff(*who, &format!("The {who}"));
            for reference in ["Kanari", TELEPHONE] {
                let (path, body) = request(call, orders[0], reference);
                let request = member.request(call.method.clone(), &path).await;
                let answer = member.send(body.iter().fold(request, reqwest::RequestBuilder::json)).await;
                *succeeded.entry(call.name.as_str()).or_insert(false) |= answer.status == 200;
                assert!(answer.status < 500, "{}: {answer}", call.name);
                if answer.text.contains(&orders[0].to_string()) {
                    with_row.insert(call.name.as_str());
                }
                // A search for it echoes nothing.
                if canary_in(&answer, &spellings).is_some() {
                    showing.insert(call.name.clone());
                }
            }
        }
    }
    // The number is there to be seen: another list of the same order has it.
    let history = ayu.send(ayu.request(Method::GET, "/api/admin/get-orders-list/allOrder").await).await;
    if canary_in(&history, &spellings).is_some() {
        showing.insert("list_orders of allOrder".to_owned());
    }
    let refused: Vec<&str> = succeeded.iter().filter(|(_, done)| !**done).map(|(name, _)| *name).collect();
    assert_eq!(refused, REFUSED, "every other call succeeds");
    assert_eq!(showing, SHOW_IT.map(str::to_owned).into(), "who shows a telephone number of the folder");
    for list in ["find_orders", "home", "list_orders", "order_rows", "orders_csv", "search_orders"] {
        assert!(with_row.contains(list), "{list} returns the row of the order: {with_row:?}");
    }
}
