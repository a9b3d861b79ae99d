//! User input in any script, and how the pages render it.

use std::collections::BTreeSet;

use diesel::prelude::*;
use serde_json::json;
use visadesk::db::schema::{chargebacks, mail_texts, mails, remarks};
use visadesk::orders::new_order::NewOrder;
use visadesk::staff::rules::StaffType::Team;

use super::orders::{add_mail, disputed};
use super::reading::dark_pixels;
use super::writing::with_terms;
use super::{assert_contains, pack_pdf};
use crate::support::TestApp;

#[tokio::test]
async fn a_pack_is_a_grey_a4_pdf_a_with_embedded_fonts_and_no_empty_page() {
    let test = TestApp::start_with(with_terms).await;
    let order = disputed(&test, 60, |order| order.full_name = "Ana 王小明 محمد".into()).await;
    for pack in [1, 2] {
        let pdf = pack_pdf(&test, order, pack).await;
        let metadata = pdf.metadata();
        assert_contains(&metadata, &["<pdfaid:part>2</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>"]);
        assert!(pdf.info("Page size").contains("(A4)") && pdf.info("Page rot") == "0");
        assert_eq!((pdf.info("Encrypted"), pdf.info("JavaScript")), ("no".into(), "no".into()));
        assert_eq!(pdf.info("Title"), format!("Defence Pack {pack}, VD-100001"));
        let fonts = pdf.fonts();
        assert!(fonts.len() >= 4 && fonts.iter().all(|(_, embedded, subset)| *embedded && *subset), "{fonts:?}");
        let pictures = pdf.pictures();
        assert_eq!(pictures.len(), pdf.pages());
        for picture in pictures {
            assert!(picture.height() > picture.width(), "the page is portrait");
            assert!(
                picture.pixels().all(|pixel| pixel.0[0] == pixel.0[1] && pixel.0[1] == pixel.0[2]),
                "every pixel is grey"
            );
            let body = image::imageops::crop_imm(&picture, 0, 0, picture.width(), picture.height() - 100).to_image();
            let dark = body.pixels().filter(|pixel| pixel.0[0] < 128).count();
            assert!(dark > 1_000, "a page has only {dark} dark pixels");
        }
    }
}

#[tokio::test]
async fn long_names_and_addresses_stay_whole_in_the_text_of_a_pack() {
    let email = "ana.putri.lestari.wulandari.kusumawardhani@mail.longest-of-all-domains.post.example";
    let account = "the-account-of-ana-putri-lestari@another-very-long-domain-name.post.example";
    let name = "Anastasia_Putri_Lestari".replace('_', "\u{2011}") + "Wulandarikusumawardhaniningsihsetiawati";
    let test = TestApp::start_with(with_terms).await;
    let order = disputed(&test, 3, |order| {
        order.contact_email_address = email.into();
        order.full_name = name.clone();
        order.application.account_email = Some(account.into());
        order.payment.as_mut().unwrap().payment_reference =
            "pay_0123456789abcdef0123456789abcdef0123456789abcdef".into();
    })
    .await;
    let recipient = email.to_owned();
    test.write(move |tx| {
        diesel::update(mails::table.filter(mails::order_id.eq(order)))
            .set(mails::recipient.eq(&recipient))
            .execute(tx)?;
        Ok(())
    })
    .await;
    for (pack, texts) in [
        (1, &[email, account, &name, "pay_0123456789abcdef0123456789abcdef0123456789abcdef"][..]),
        (2, &[email, &name, "@mail.bali-visa-desk.example>"]),
    ] {
        let pdf = pack_pdf(&test, order, pack).await;
        let lines = pdf.lines();
        let invisible: Vec<&String> = lines
            .iter()
            .filter(|line| {
                line.chars().any(|one| matches!(one, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'))
            })
            .collect();
        assert!(invisible.is_empty(), "invisible characters were inserted into the text: {invisible:?}");
        // A long word may wrap into the next line.
        let text = lines.concat();
        for expected in texts {
            assert!(text.contains(expected), "{expected} is missing in pack {pack}:\n{}", lines.join("\n"));
        }
        // A4 is 595 points wide, with margins of 51.
        assert!(pdf.right_edge() < 546.0, "pack {pack} reaches {}", pdf.right_edge());
    }
}

/// Two names of equal length in each script: rendered as missing-glyph boxes, they would look the same.
const NAMES: [(&str, &str, &str); 8] = [
    ("Latin", "Ánna Øberg", "Ëllen Ñandú"),
    ("Cyrillic", "Анна Петрова", "Ольга Сидоро"),
    ("Arabic", "محمد الأمين", "فاطمة سالمي"),
    ("Devanagari", "अनिता शर्मा", "सुनील वर्मा"),
    ("Thai", "สมชาย ใจดี", "สุดา มาลัย"),
    ("Hebrew", "דוד כהן", "רות לוי"),
    ("Chinese", "王小明", "李建国"),
    ("Korean", "김민수", "박지영"),
];

#[tokio::test]
async fn names_are_rendered_in_their_own_script() {
    let test = TestApp::start().await;
    for (script, one, other) in NAMES {
        let mut pictures = Vec::new();
        for name in [one, other] {
            let order = disputed(&test, 1, |order| order.full_name = name.into()).await;
            let letter = pack_pdf(&test, order, 1).await;
            let found = letter.page(1);
            let letters = |text: &str| text.chars().filter(|one| one.is_alphabetic()).collect::<BTreeSet<char>>();
            assert!(letters(&found).is_superset(&letters(name)), "{script}: {name} in {found}");
            pictures.push(letter.beside("Applicant"));
        }
        assert!(pictures.iter().all(|picture| dark_pixels(picture) > 60), "{script}: the name is rendered");
        assert_ne!(pictures[0], pictures[1], "{script}: the names are rendered as boxes");
    }
}

#[tokio::test]
async fn characters_without_a_font_fall_back_and_never_fail() {
    let test = TestApp::start().await;
    let tamil = |order: &mut NewOrder| order.full_name = "கவிதா செல்வம்".into();
    let order = disputed(&test, 1, tamil).await;
    for pack in [1, 2] {
        assert_contains(&pack_pdf(&test, order, pack).await.page(1), &["Ana Putri"]);
    }
    let nameless = disputed(&test, 1, |order| {
        tamil(order);
        order.application.first_name = Some("கவிதா".into());
    })
    .await;
    assert_contains(
        &pack_pdf(&test, nameless, 1).await.page(1),
        &["as in the passport, in a script that cannot be shown here"],
    );

    add_mail(&test, order, "refund", "Paid 🎉👩\u{200d}💻 back", "Halo 🎉\n\nকবিতা").await;
    let text = pack_pdf(&test, order, 2).await.text();
    let placeholder = "[characters that cannot be shown]";
    assert_contains(&text, &[&format!("Paid {placeholder} back"), &format!("Halo {placeholder}")]);
}

const MARKUP: [&str; 9] = [
    "#import \"/etc/passwd\": *",
    "#read(\"/etc/passwd\")",
    "$ sum_(x=1)^oo $",
    "*bold* _slanted_ `raw`",
    "@reference <label>",
    "\\ ] #{ [ } //",
    "= Heading",
    "#sys.inputs #panic(1)",
    "#while true {}",
];

#[tokio::test]
async fn user_input_is_never_executed_as_markup() {
    let test = TestApp::start_with(with_terms).await;
    for markup in MARKUP {
        let order = disputed(&test, 1, |order| {
            let text = || Some(markup.to_owned());
            order.full_name = markup.into();
            order.contact_email_address = markup.into();
            order.country_code = text();
            order.phone_number = text();
            order.nationality = text();
            order.visa_type = text();
            let application = &mut order.application;
            application.account_email = Some(format!("{markup} account"));
            application.main_purpose_of_visit = text();
            application.sub_purpose_of_visit = text();
            application.document_type = text();
            application.document_number = text();
            application.signature_name = Some(format!("{markup} signed"));
            let checkout = order.checkout.as_mut().unwrap();
            checkout.purchase_ip = text();
            checkout.device_id = text();
            checkout.three_d_secure = text();
            checkout.terms_version = text();
            let payment = order.payment.as_mut().unwrap();
            payment.gateway = markup.into();
            payment.payment_reference = markup.into();
            payment.card_brand = text();
            payment.card_last_four = text();
            let transaction = order.transaction.as_mut().unwrap();
            transaction.transaction_id = text();
            transaction.merchant_name = text();
        })
        .await;
        test.write(move |tx| {
            diesel::update(chargebacks::table.find(order))
                .set((
                    chargebacks::reason_code.eq(markup),
                    chargebacks::case_id.eq(markup),
                    chargebacks::arn.eq(markup),
                ))
                .execute(tx)?;
            diesel::update(remarks::table.filter(remarks::order_id.eq(order)))
                .set(remarks::remark.eq(markup))
                .execute(tx)?;
            diesel::update(mail_texts::table)
                .set((mail_texts::subject.eq(markup), mail_texts::text_body.eq(markup)))
                .execute(tx)?;
            Ok(())
        })
        .await;
        for pack in [1, 2] {
            let text = pack_pdf(&test, order, pack).await.text();
            let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
            let times = without_spaces(&text).matches(&without_spaces(markup)).count();
            let least = if pack == 1 { 12 } else { 4 };
            assert!(times >= least, "{markup} occurs {times} times in pack {pack}:\n{text}");
        }
    }
}

#[tokio::test]
async fn the_letter_stays_one_page_with_the_longest_input() {
    let test = TestApp::start_with(|config| config.chargebacks.terms_text = "long words ".repeat(300)).await;
    let order = disputed(&test, 400, |order| {
        let text = || Some("wide ".repeat(40));
        order.full_name = "W".repeat(100);
        order.contact_email_address = format!("{}@{}.example", "w".repeat(60), "m".repeat(180));
        let application = &mut order.application;
        application.main_purpose_of_visit = text();
        application.sub_purpose_of_visit = text();
        application.document_type = text();
        application.signature_name = text();
        order.checkout.as_mut().unwrap().three_d_secure = text();
        let transaction = order.transaction.as_mut().unwrap();
        (transaction.transaction_id, transaction.merchant_name) = (Some("W".repeat(200)), Some("M".repeat(200)));
    })
    .await;
    for number in 0..60 {
        add_mail(&test, order, "resend", &"subject ".repeat(25), &format!("{number} {}", "body ".repeat(3_000))).await;
    }
    let budi = test.as_staff(Team, "Budi");
    for _ in 0..30 {
        let remark = json!({ "orderId": order, "remark": "note ".repeat(900), "whatsapp": "Y" });
        assert_eq!(budi.post("/admin/add-new-remark", remark).await.status, 200);
    }
    let letter = pack_pdf(&test, order, 1).await;
    assert!(letter.pages() <= 10 && letter.page(2).contains("Exhibit A: Download history"), "{}", letter.pages());
    let mails = pack_pdf(&test, order, 2).await;
    assert!(mails.pages() <= 8, "{} pages", mails.pages());
    assert_contains(&mails.text(), &["of 61 emails; the full history is available on request", "of 31 contacts"]);
}
