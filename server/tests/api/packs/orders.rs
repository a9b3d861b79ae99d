//! Test orders with all the data that a pack can show.

use chrono::{NaiveDate, TimeDelta};
use diesel::prelude::*;
use serde_json::json;
use visadesk::audit::store::{Actor, Change, add};
use visadesk::db::schema::{chargebacks, documents, downloads, mail_attempts, mail_texts, mails};
use visadesk::ids::OrderId;
use visadesk::money::Currency;
use visadesk::orders::facts::{Application, Checkout, Payment, Transaction};
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::status::ProcessStatus::ChargeBack;
use visadesk::staff::rules::StaffType::Manager;
use visadesk::timestamp::Timestamp;

use crate::support::TestApp;

/// When the order was placed.
pub fn placed() -> Timestamp {
    "2026-10-05T03:12:40Z".parse().unwrap()
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Fills in every field that a customer can enter or the sales site can send.
pub fn fill_in(order: &mut NewOrder) {
    order.created_at = placed();
    order.application = Application {
        account_email: text("account@post.example"),
        first_name: text("Ana"),
        last_name: text("Putri"),
        date_of_birth: NaiveDate::from_ymd_opt(1990, 5, 17),
        main_purpose_of_visit: text("Tourism"),
        document_type: text("Passport"),
        document_number: text("X98765432"),
        signature_name: text("Ana P. Putri"),
        ..Application::default()
    };
    order.checkout = Some(Checkout {
        purchase_ip: text("203.0.113.47"),
        user_agent: text("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
        device_id: text("4f3a9c21d07b66e8"),
        three_d_secure: text("authenticated"),
        terms_version: text("2026-03"),
        terms_accepted_at: Some(placed()),
    });
    order.payment = Some(Payment {
        gateway: "Stripe".into(),
        payment_reference: "pay_00ab12cd34ef".into(),
        amount_minor: 12_500,
        currency: Currency::parse("USD").unwrap(),
        card_brand: text("Visa"),
        card_last_four: text("4242"),
        paid_at: placed() + TimeDelta::seconds(4),
    });
    order.transaction =
        Some(Transaction { transaction_id: text("pi_3PXyZ1234"), merchant_name: text("BALIVISADESK.COM") });
}

/// Adds a mail that the provider accepted, with its text.
pub async fn add_mail(test: &TestApp, order: i64, kind: &'static str, subject: &str, body: &str) -> i64 {
    let (subject, body, at) = (subject.to_owned(), body.to_owned(), placed() + TimeDelta::days(4));
    test.write(move |tx| {
        let visa = documents::table.filter(documents::order_id.eq(order)).filter(documents::kind.eq("visa"));
        let visa: Option<i64> = visa.select(documents::document_id).first(tx).optional()?;
        let row = (
            mails::order_id.eq(order),
            mails::document_id.eq(visa.filter(|_| kind == "approval")),
            mails::kind.eq(kind),
            mails::recipient.eq("ana@post.example"),
            mails::provider.eq("AWS"),
            mails::state.eq("sent"),
            mails::message_id.eq(format!("<{:032x}@mail.bali-visa-desk.example>", rand::random::<u128>())),
            mails::created_at.eq(at),
            mails::sent_at.eq(at + TimeDelta::seconds(5)),
        );
        let mail_id: i64 = diesel::insert_into(mails::table).values(row).returning(mails::mail_id).get_result(tx)?;
        let texts = (mail_texts::subject.eq(&subject), mail_texts::text_body.eq(&body), mail_texts::html_body.eq("x"));
        diesel::insert_into(mail_texts::table).values((mail_texts::mail_id.eq(mail_id), texts)).execute(tx)?;
        let attempt = (
            mail_attempts::mail_id.eq(mail_id),
            mail_attempts::attempt.eq(1),
            mail_attempts::started_at.eq(at),
            mail_attempts::ended_at.eq(at + TimeDelta::seconds(5)),
            mail_attempts::outcome.eq("accepted"),
            mail_attempts::answer.eq("250 Ok 0102018f-taken"),
        );
        diesel::insert_into(mail_attempts::table).values(attempt).execute(tx)?;
        Ok(mail_id)
    })
    .await
}

/// Adds `rows` downloads, one hour apart, the first two from the IP address of the purchase.
pub async fn add_downloads(test: &TestApp, order: i64, rows: usize) {
    test.write(move |tx| {
        let visa = documents::table.filter(documents::order_id.eq(order)).filter(documents::kind.eq("visa"));
        let visa: i64 = visa.select(documents::document_id).first(tx)?;
        for number in 0..rows {
            let at = placed() + TimeDelta::days(7) + TimeDelta::hours(i64::try_from(number).unwrap());
            let ip = if number < 2 { "203.0.113.47".to_owned() } else { format!("198.51.100.{}", number % 250) };
            add_download(tx, order, visa, &ip, false, at)?;
        }
        Ok(())
    })
    .await;
}

pub fn add_download(
    tx: &mut visadesk::db::Conn,
    order: i64,
    visa: i64,
    ip: &str,
    automated: bool,
    at: Timestamp,
) -> visadesk::error::Result<()> {
    diesel::insert_into(downloads::table)
        .values((
            downloads::order_id.eq(order),
            downloads::document_id.eq(visa),
            downloads::ip.eq(ip),
            downloads::device.eq("iPhone"),
            downloads::device_type.eq(if automated { "Bot" } else { "Mobile" }),
            downloads::browser.eq("Mobile Safari 18"),
            downloads::os.eq("iOS 18.5"),
            downloads::location.eq("Australia"),
            downloads::automated.eq(automated),
            downloads::created_at.eq(at),
        ))
        .execute(tx)?;
    Ok(())
}

/// Replaces the dispute of the order.
pub async fn dispute(test: &TestApp, order: i64, network: &'static str, reason: &'static str, code: &'static str) {
    test.write(move |tx| {
        let row = (
            chargebacks::network.eq(network),
            chargebacks::reason_group.eq(reason),
            chargebacks::reason_code.eq(code),
            chargebacks::case_id.eq("CB-2026-0117"),
            chargebacks::amount_minor.eq(12_500_i64),
            chargebacks::currency.eq("USD"),
            chargebacks::arn.eq("74537606148000012345678"),
            chargebacks::opened_on.eq(NaiveDate::from_ymd_opt(2026, 11, 12).unwrap()),
            chargebacks::respond_by.eq(NaiveDate::from_ymd_opt(2026, 12, 12).unwrap()),
            chargebacks::outcome.eq("Open"),
            chargebacks::updated_by.eq("Ayu"),
            chargebacks::updated_at.eq(placed()),
        );
        diesel::delete(chargebacks::table.find(order)).execute(tx)?;
        Ok(diesel::insert_into(chargebacks::table).values((chargebacks::order_id.eq(order), row)).execute(tx)?)
    })
    .await;
}

/// Adds a delivered and disputed order with a visa, an email, a remark and `rows` downloads.
pub async fn disputed(test: &TestApp, rows: usize, change: impl FnOnce(&mut NewOrder)) -> i64 {
    let order = test
        .add_order_with(ChargeBack, |order| {
            fill_in(order);
            change(order);
        })
        .await;
    let file1 = test.add_visa(order).await;
    test.write(move |tx| {
        let visa = documents::table.filter(documents::file1.eq(&file1));
        let issued = placed() + TimeDelta::days(4);
        diesel::update(visa)
            .set((documents::sha256.eq("ab".repeat(32)), documents::created_at.eq(issued)))
            .execute(tx)?;
        for kind in ["passport_picture", "upload_picture"] {
            let row = (
                documents::order_id.eq(order),
                documents::kind.eq(kind),
                documents::file1.eq(format!("{:032x}", rand::random::<u128>())),
                documents::original_name.eq("scan.jpg"),
                documents::media_type.eq("image/jpeg"),
                documents::size_bytes.eq(10),
                documents::sha256.eq("00"),
                documents::created_at.eq(placed() + TimeDelta::minutes(3)),
            );
            diesel::insert_into(documents::table).values(row).execute(tx)?;
        }
        let submitted = Change {
            action: "order.move",
            order_id: Some(OrderId(order)),
            after: Some("AwaitingGovt".into()),
            ..Change::default()
        };
        add(tx, &Actor::program("test"), &[submitted], placed() + TimeDelta::days(1))
    })
    .await;
    let body = "Dear Ana,\n\nYour visa is ready:\nhttps://desk.example/track-order/MjAw\n\nBali Visa Desk\n";
    add_mail(test, order, "approval", "Your e-visa is ready", body).await;
    let remark = json!({ "orderId": order, "remark": "Asked for a sharper photo.", "telephone": "Y" });
    let added = test.as_staff(Manager, "Ayu").post("/admin/add-new-remark", remark).await;
    assert_eq!(added.status, 200, "{added}");
    add_downloads(test, order, rows).await;
    dispute(test, order, "Visa", "Fraud", "10.4").await;
    order
}
