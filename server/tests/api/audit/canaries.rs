//! The calls that are declared free of customer data: none of their responses has any, to whichever member and after whichever call.

mod successes;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use visadesk::access::Access;
use visadesk::config::Config;
use visadesk::orders::facts::{Application, Checkout, Payment, Transaction};
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Admin;

use self::successes::{calls_of_second_factor, make, prepare, status_for};
use crate::support::calls::{calls, example_for};
use crate::support::expected_calls::calls_that_show;
use crate::support::{Answer, TestApp};

/// Parts of every fact about a customer that [`with_canaries`] sets.
const CANARIES: [&str; 7] =
    ["kanari", "5551234321", "kn7654321", "203.0.113.77", "1913-11-27", "27-11-1913", "11/27/1913"];

/// A value for a fact, with a canary in it.
fn canary(fact: &str) -> Option<String> {
    Some(format!("Kanari {fact}"))
}

/// Sets every fact about the customer.
pub fn with_canaries(order: &mut NewOrder) {
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
pub fn spellings(text: &str) -> Vec<String> {
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
pub fn canary_in<'a>(answer: &Answer, spellings: &'a [String]) -> Option<&'a String> {
    // Parsed and printed again, characters have no escapes.
    let whole = format!("{:?} {} {}", answer.headers, answer.text, answer.json);
    let (lower, percent) = (whole.to_lowercase(), whole.to_uppercase());
    spellings.iter().find(|spelling| {
        whole.contains(spelling.as_str())
            || lower.contains(spelling.as_str())
            || (spelling.starts_with('%') && percent.contains(spelling.as_str()))
    })
}

#[tokio::test]
async fn no_call_that_is_declared_free_of_customer_data_answers_with_any() {
    let generous = |config: &mut Config| config.limits.mails_elsewhere_per_member_and_hour = 1_000;
    let test = TestApp::start_with(generous).await;
    let careful = test.another_node_with(|config| config.refunds.approval_orders = 1).await;
    let spellings: Vec<String> = CANARIES.iter().flat_map(|canary| spellings(canary)).collect();
    let seen = test.add_order_with(New, with_canaries).await;
    let details = test.as_staff(Admin, "Ayu").get(&format!("/admin/get-orders-details/{seen}")).await;
    for canary in ["kanari", "5551234321", "kn7654321", "203.0.113.77", "1913-11-27"] {
        assert!(details.text.to_lowercase().contains(canary), "the order has {canary}");
    }
    let (mut refused, mut leaked) = (Vec::new(), Vec::new());
    let free = calls_that_show("free");
    let second_factor = calls_of_second_factor();
    for call in calls().iter().filter(|call| free.contains(&call.name.as_str())) {
        let Access::Staff(types) = call.access else { panic!("{} is a call of staff", call.name) };
        let mut succeeded = false;
        for staff_type in types {
            // A member with another password or a second factor cannot confirm as the others do.
            let is_own = call.name == "change_password" || second_factor.contains(&call.name.as_str());
            let group = if is_own { call.name.replace('_', " ") } else { "The".to_owned() };
            let member = || test.as_staff(*staff_type, &format!("{group} {staff_type}"));
            let desk = member();
            let order = test.add_order_with(status_for(&call.name), with_canaries).await;
            let fields = prepare(&test, &careful, &desk, &call.name, order).await;
            let body = example_for(&call.name, order).map(|mut body| {
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
    // A refusal would show nothing of what a success shows.
    assert_eq!((leaked, refused), (Vec::<String>::new(), Vec::<&str>::new()), "what leaks, and what no member made");
}
