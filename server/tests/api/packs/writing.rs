//! The text of packs.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::json;
use visadesk::config::Config;
use visadesk::db::schema::{documents, mails, orders};
use visadesk::error::Permission;
use visadesk::files::sha256;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed};
use visadesk::staff::rules::StaffType::{Manager, Team};

use super::orders::{add_download, add_downloads, add_mail, dispute, disputed, fill_in, placed};
use super::reading::PackPdf;
use super::{assert_contains, pack_pdf};
use crate::support::TestApp;

const TERMS: &str =
    "I accept the terms and the refund policy: the fee is not returned once the application was submitted.";

pub(super) fn with_terms(config: &mut Config) {
    config.chargebacks.terms_text = TERMS.into();
    config.mail.from = "Bali Visa Desk <visa@desk.example>".into();
}

#[tokio::test]
async fn the_letter_is_one_page_with_the_whole_case() {
    let test = TestApp::start_with(with_terms).await;
    let order = disputed(&test, 3, |_| {}).await;
    let pdf = pack_pdf(&test, order, 1).await;
    let letter = pdf.page(1);
    assert_contains(
        &letter,
        &[
            "Bali Visa Desk",
            "To: The disputes team, Visa, through Stripe",
            "Response to dispute CB-2026-0117",
            "10.4 Fraud",
            "USD 125.00",
            "74537606148000012345678",
            "12 December 2026",
            "The purchase was made and used by the customer: the payment was authenticated by 3-D Secure, the traveller’s \
             passport and photograph were received from the customer, and the visa was downloaded 3 times, first on 12 October \
             2026, twice from the network address of the purchase, by a person who had confirmed the order’s email address.",
            "pi_3PXyZ1234",
            "BALIVISADESK.COM",
            "Visa ending in 4242",
            "Ana Putri",
            "Ana P. Putri",
            "account@post.example",
            "Passport, ending in 432",
            "203.0.113.47 (and 2 downloads)",
            "C1 Tourism Visit, Single Entry",
            "Application submitted to the government",
            "Dispute opened",
            "5 Oct 2026 03:12:40 UTC",
            "4 Oct 2026 22:12:40 EST",
            "Exhibit A",
            "page 2",
            "Page 1 of 2",
            "by Ayu (Manager)",
            "SHA-256 of the facts:",
        ],
    );
    assert_contains(&letter, &[&format!("“{TERMS}”")]);
    let exhibits = pdf.page(2);
    assert_contains(
        &exhibits,
        &[
            "Exhibit A: Download history",
            "Order id",
            "12 Oct 2026 03:12:40 UTC",
            "11 Oct 2026 22:12:40 EST",
            "abababababababab",
            "Mobile Safari 18",
            "both matched",
            "IP geolocation by DB-IP",
            "Exhibit B: Confirmed access by address and device",
            "as at the purchase",
        ],
    );
    let all = letter + &exhibits;
    for secret in ["X98765432", "X987", "1990", "17 May", "scan.jpg", "http"] {
        assert!(!all.contains(secret), "{secret} is in:\n{all}");
    }
}

#[tokio::test]
async fn the_email_pack_shows_each_email_with_its_provider_response() {
    let test = TestApp::start_with(with_terms).await;
    let order = disputed(&test, 3, |_| {}).await;
    add_mail(&test, order, "refund", "Your refund", "Dear Ana,\n\nThe money is on its way.\n\nPassport X98765432")
        .await;
    let pdf = pack_pdf(&test, order, 2).await;
    let text = pdf.text();
    assert_contains(
        &text,
        &[
            "Emails and contacts: order VD-100001",
            "The customer was told of the visa by email at ana@post.example on 9 October 2026, and AWS accepted that email for \
             delivery; the visa was then fetched from our page 3 times",
            "Visa delivery: Your e-visa is ready",
            "9 Oct 2026 03:12:40 UTC (8 Oct 22:12:40 EST)",
            "250 Ok 0102018f-taken",
            "Contacts by WhatsApp and telephone",
            "Asked for a sharper photo.",
            "Manager",
            "Text of the decisive emails",
            "[link to the order’s page]",
            "The money is on its way.",
            "Passport [ending in 432]",
        ],
    );
    let message_ids: Vec<Option<String>> = test
        .read(move |tx| Ok(mails::table.filter(mails::order_id.eq(order)).select(mails::message_id).load(tx)?))
        .await;
    for message_id in message_ids {
        assert_contains(&text, &[message_id.as_deref().unwrap()]);
    }
    let contacts = &text[text.find("Contacts by WhatsApp").unwrap()..text.find("Text of the decisive").unwrap()];
    assert!(!contacts.contains("Ayu"), "a contact shows the role, not the name: {contacts}");
    assert!(!text.contains("http"), "{text}");
    assert_eq!(pdf.pages(), 1);
}

#[tokio::test]
async fn an_email_that_was_sent_before_there_was_a_visa_is_no_delivery() {
    let test = TestApp::start().await;
    let order = test.add_order_with(ChargeBack, |order| order.contact_email_address = "ana@post.example".into()).await;
    add_mail(&test, order, "resend", "Your order", "Dear Ana,\n\nFollow your order here.").await;
    let text = pack_pdf(&test, order, 2).await.text();
    assert_contains(&text, &["250 Ok 0102018f-taken"]);
    for claim in ["told of the visa", "announced", "accepted that email"] {
        assert!(!text.contains(claim), "{claim} is in:\n{text}");
    }
}

#[tokio::test]
async fn each_reason_group_has_its_own_position() {
    let test = TestApp::start().await;
    let order = disputed(&test, 3, |_| {}).await;
    let mut positions = BTreeSet::new();
    for (reason, expected) in [
        ("Fraud", "The purchase was made and used by the customer:"),
        (
            "Not received",
            "The service that was paid for has been delivered: the visa was issued on 9 October 2026, announced",
        ),
        ("Not as described", "The customer received what was ordered:"),
        (
            "Cancelled or credit",
            "our records hold no cancellation before the application was submitted to the government on",
        ),
        ("Duplicate", "This charge is for one service of its own: order VD-100001"),
    ] {
        dispute(&test, order, "Mastercard", reason, "4853").await;
        let letter = pack_pdf(&test, order, 1).await.page(1);
        assert_contains(&letter, &[expected, "The disputes team, Mastercard", &format!("4853 {reason}")]);
        positions.insert(expected);
    }
    assert_eq!(positions.len(), 5);

    // The letter of an order without events makes no claims.
    let bare = test.add_order(Completed).await;
    let letter = pack_pdf(&test, bare, 1).await;
    assert_contains(
        &letter.page(1),
        &["Response to the dispute of order VD-100002", "the application is being prepared."],
    );
    for claim in ["delivered", "downloaded", "accepted", "Exhibit"] {
        assert!(!letter.text().contains(claim), "{claim}");
    }
    assert_eq!(letter.pages(), 1);
}

#[tokio::test]
async fn earlier_undisputed_orders_and_their_eligibility_are_an_exhibit() {
    let test = TestApp::start().await;
    for days in [150, 200] {
        test.add_order_with(Completed, |order| {
            fill_in(order);
            order.created_at = order.created_at - TimeDelta::days(days);
            let payment = order.payment.as_mut().unwrap();
            payment.paid_at = payment.paid_at - TimeDelta::days(days);
        })
        .await;
    }
    let order = disputed(&test, 1, |_| {}).await;
    let text = pack_pdf(&test, order, 1).await.text();
    assert_contains(
        &text,
        &[
            "Exhibit C: Earlier undisputed orders of the customer",
            "Visa Compelling Evidence 3.0: eligible.",
            "VD-100001",
            "VD-100002",
            "address, device, email",
        ],
    );
    let details = test.as_staff(Team, "Budi").post("/admin/defence-pack-details", json!({ "orderId": order })).await;
    let ce3 = &details.data()["ce3"];
    assert_eq!((&ce3["eligible"], &ce3["priors"][0]["days_before"]), (&json!(true), &json!(150)));
    assert!(!details.data()["missing"].as_array().unwrap().contains(&json!("Visa Compelling Evidence 3.0")));
}

#[tokio::test]
async fn a_refunded_order_states_its_refund_first() {
    let test = TestApp::start().await;
    let order = disputed(&test, 1, |_| {}).await;
    let ayu = test.as_staff(Manager, "Ayu");
    let move_order_to = async |status: &str| {
        let moved = json!({ "orderId": order, "updatingStatus": status });
        assert_eq!(ayu.put("/admin/move-order-status", moved).await.status, 200);
    };
    move_order_to("Refunds").await;
    let refunded = ayu.put("/admin/move-to-complete-refund", json!({ "orderId": [order] })).await;
    assert_eq!(refunded.status, 200, "{refunded}");
    move_order_to("ChargeBack").await;
    let text = pack_pdf(&test, order, 1).await.text();
    let expected =
        ["USD 125.00 was already returned to the customer on", "Payment refunded", "Exhibit C: Refund record"];
    assert_contains(&text, &expected);
    // This order was refunded in an older system.
    let imported = disputed(&test, 0, |order| order.refund_date = Some(placed() + TimeDelta::days(20))).await;
    assert_contains(
        &pack_pdf(&test, imported, 1).await.text(),
        &["was already returned to the customer on 25 October 2026"],
    );
}

#[tokio::test]
async fn dates_in_the_letter_are_calendar_days_in_the_agency_time_zone() {
    // The dispute was opened on 12 November. Both refunds are half an hour from midnight in the agency's time zone.
    for (zone, refunded_at, refunded_on, refund_comes_first) in [
        (chrono_tz::Asia::Jakarta, "2026-11-12T17:30:00Z", "13 November 2026", false),
        (chrono_tz::Pacific::Honolulu, "2026-11-13T09:30:00Z", "12 November 2026", true),
    ] {
        let test = TestApp::start_with(|config| config.time_zone = zone).await;
        let refunded_at = refunded_at.parse().unwrap();
        let order = disputed(&test, 0, |order| order.refund_date = Some(refunded_at)).await;
        let letter = pack_pdf(&test, order, 1).await.page(1);
        assert_contains(
            &letter,
            &[
                &format!("was already returned to the customer on {refunded_on}"),
                &format!("Days without a time are calendar days in {zone}"),
            ],
        );
        let place = |event: &str| letter.find(event).unwrap_or_else(|| panic!("no {event} in {letter}"));
        assert_eq!(place("Payment refunded") < place("Dispute opened"), refund_comes_first, "{zone}: {letter}");
    }
}

#[tokio::test]
async fn a_long_history_shows_its_first_and_last_rows() {
    let test = TestApp::start().await;
    for (rows, expected, most_pages) in [
        (0, &[][..], 1),
        (1, &["The only download.", "12 Oct 2026 03:12:40 UTC"], 2),
        (40, &["Showing all 40 downloads.", "12 Oct 2026 03:12:40 UTC", "13 Oct 2026 18:12:40 UTC"], 4),
        (
            2_000,
            &[
                "Showing 40 of 2000 downloads; the full log is available on request.",
                "1960 downloads between these are not shown",
                "12 Oct 2026 03:12:40 UTC",
                // The last download, 1,999 hours after the first.
                "3 Jan 2027 10:12:40 UTC",
            ],
            10,
        ),
    ] {
        let order = disputed(&test, rows, |_| {}).await;
        // The request would be refused if it took longer than five seconds.
        let pdf = pack_pdf(&test, order, 1).await;
        assert_contains(&pdf.text(), expected);
        assert!(pdf.pages() <= most_pages, "{rows} rows: {} pages", pdf.pages());
        assert_eq!(pdf.text().contains("Download history"), rows > 0);
    }
}

#[tokio::test]
async fn downloads_by_scanners_count_with_a_note_and_those_by_staff_do_not_count() {
    let test = TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await;
    let order = disputed(&test, 2, |_| {}).await;
    let ayu = test.as_staff(Manager, "Ayu").with_header("x-forwarded-for", "192.0.2.77");
    let remark = json!({ "orderId": order, "remark": "from the office" });
    assert_eq!(ayu.post("/admin/add-new-remark", remark).await.status, 200);
    test.write(move |tx| {
        let visa = documents::table.filter(documents::order_id.eq(order)).filter(documents::kind.eq("visa"));
        let visa: i64 = visa.select(documents::document_id).first(tx)?;
        add_download(tx, order, visa, "192.0.2.77", false, placed() + TimeDelta::days(9))?;
        add_download(tx, order, visa, "8.8.4.4", true, placed() + TimeDelta::days(9))?;
        add_download(tx, order, visa, "8.8.4.5", true, placed() + TimeDelta::days(9))
    })
    .await;
    let text = pack_pdf(&test, order, 1).await.text();
    assert_contains(
        &text,
        &[
            "downloaded 4 times",
            "2 downloads of the type Bot, by user agent or headers from a mail scanner or link preview.",
            "Left out of every count: 1 download by our own staff.",
            "8.8.4.4",
            "8.8.4.5",
        ],
    );
    assert!(!text.contains("192.0.2.77"), "{text}");
    let details = test.as_staff(Team, "Budi").post("/admin/defence-pack-details", json!({ "orderId": order })).await;
    assert_eq!(details.data()["downloads"], json!({ "customer": 4, "left_out": 1 }));
}

#[tokio::test]
async fn identical_facts_at_the_same_time_produce_identical_bytes() {
    let test = TestApp::start().await;
    let order = disputed(&test, 212, |order| order.full_name = "王小明".into()).await;
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    let staff = budi.staff().await;
    let now = test.clock.now();
    for pack in visadesk::chargebacks::packs::rules::PackType::ALL {
        let mut packs = Vec::new();
        for _ in 0..2 {
            let gathered =
                test.read(move |conn| visadesk::chargebacks::packs::gather(conn, visadesk::ids::OrderId(order))).await;
            let pack_file = visadesk::chargebacks::packs::make(
                &test.app.chargebacks,
                pack,
                &gathered,
                &staff,
                now,
                Permission::in_background(),
            )
            .await
            .unwrap();
            packs.push(pack_file);
        }
        assert!(packs[0].content == packs[1].content && packs[0].facts == packs[1].facts, "{pack:?}");
        assert!(PackPdf::open(&packs[0].content).text().contains(&sha256(packs[0].facts.as_bytes())));
    }
    // A pack that is made later has different content, because it has the time of its making.
    let gathered =
        test.read(move |conn| visadesk::chargebacks::packs::gather(conn, visadesk::ids::OrderId(order))).await;
    let (room, letter) = (&test.app.chargebacks, visadesk::chargebacks::packs::rules::PackType::Letter);
    let first = visadesk::chargebacks::packs::make(room, letter, &gathered, &staff, now, Permission::in_background())
        .await
        .unwrap();
    let later = now + TimeDelta::seconds(2);
    let second =
        visadesk::chargebacks::packs::make(room, letter, &gathered, &staff, later, Permission::in_background())
            .await
            .unwrap();
    assert!(first.content != second.content);
}

#[tokio::test]
async fn a_new_pack_uses_the_current_data_of_its_order() {
    let test = TestApp::start().await;
    let order = test.add_order_with(Completed, fill_in).await;
    test.add_visa(order).await;
    add_downloads(&test, order, 1).await;
    let letter = pack_pdf(&test, order, 1).await.page(1);
    assert_contains(&letter, &["Response to the dispute of order VD-100001", "downloaded once, on 12 October 2026"]);
    test.write(move |tx| {
        Ok(diesel::update(orders::table.find(order)).set(orders::full_name.eq("Budi Baru")).execute(tx)?)
    })
    .await;
    assert_contains(&pack_pdf(&test, order, 1).await.page(1), &["Budi Baru"]);
}

#[tokio::test]
async fn a_refund_notice_that_was_corrected_is_not_quoted() {
    let test = TestApp::start().await;
    let order = disputed(&test, 1, |_| {}).await;
    add_mail(&test, order, "refund", "Your refund", "The first notice").await;
    assert_contains(&pack_pdf(&test, order, 2).await.text(), &["The first notice"]);
    add_mail(&test, order, "refund correction", "Correction", "The correction").await;
    let corrected = pack_pdf(&test, order, 2).await.text();
    assert_contains(&corrected, &["Correction of a refund notice"]);
    assert!(!corrected.contains("The first notice"), "{corrected}");
    add_mail(&test, order, "refund", "Your refund", "The second notice").await;
    let again = pack_pdf(&test, order, 2).await.text();
    assert!(again.contains("The second notice") && !again.contains("The first notice"), "{again}");
}
