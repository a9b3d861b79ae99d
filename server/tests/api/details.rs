//! The order detail.

mod histories;

use chrono::NaiveDate;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{access_log, documents, downloads, mails, remarks};
use visadesk::mail::store::MailRow;
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Team;
use visadesk::timestamp::Timestamp;

use crate::support::TestApp;
use crate::support::mails::past_mail;

#[tokio::test]
async fn the_detail_has_every_field_of_the_contract() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    assert_snapshot!(test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order}")).await, @r#"200 {"status":1,"message":"","data":{"order_id":100001,"order_number":"VD-100001","external_reference":null,"process_status":"New","processing_mode":"Regular Processing","processing_date":null,"process_month":null,"refund_date":null,"refund_marks":[],"created_at":"[time]","updated_at":"[time]","assign_to":null,"processed_by":null,"application_email_address":"100001@applications.example","contact_email_address":"ana@post.example","user":{"email":null},"merchant_name":null,"transaction_id":null,"full_name":"Ana Putri","first_name":null,"middle_name":null,"last_name":null,"sex":null,"place_of_birth":null,"date_of_birth":null,"passport_from":null,"main_purpose_of_visit":null,"sub_purpose_of_visit":null,"stay_day":null,"arrival_date":null,"document_type":null,"document_number":null,"date_of_expiry":null,"issuing_place":null,"residence_type":null,"address":null,"postal_code":null,"province":null,"city":null,"district":null,"village":null,"immigration_office":null,"signature_name":null,"country_code":"62","phone_number":"8123456789","telephone":{"shown":"+62 812-3456-789","dialled":"+628123456789","digits":"628123456789"},"language":"en","nationality":"Australia","visa_type":"C1","issued_type":{"code":"C1","label":"Tourism Visit, Single Entry","entry":"single","stay_days":60,"unlimited_stay":false,"window":null,"first_day":null},"visa_warnings":[],"document_expired":null,"originals":{},"kept_values":[],"payment":null,"checkout":null,"chargeback":null,"passport_picture":null,"upload_picture":null,"bank_statement":null,"guarantor_letter":null,"re_entry_permit":null,"return_onward_ticket":null,"documents":[],"required_documents":[{"kind":"passport_picture","catalogue_key":"passport","label":"Passport","required":true,"when":null,"note":"Valid for at least 6 months; travel documents other than a national passport need at least 12 months.","min_funds_usd":null,"given":false},{"kind":"bank_statement","catalogue_key":"bank_statement","label":"Bank statement (minimum USD 2000)","required":true,"when":null,"note":"Of the last 3 months: shows name, period and balance. The visa type says the minimum.","min_funds_usd":2000,"given":false},{"kind":"upload_picture","catalogue_key":"recent_photo","label":"Recent colour photograph","required":true,"when":null,"note":"JPEG with a plain background.","min_funds_usd":null,"given":false},{"kind":"guarantor_letter","catalogue_key":"guarantor_letter","label":"Guarantor letter","required":false,"when":"stateless, no national passport, or nationality on the restricted list","note":"Proof of guarantee from the Indonesian guarantor (sponsor).","min_funds_usd":null,"given":false},{"kind":"return_onward_ticket","catalogue_key":"return_onward_ticket","label":"Return or onward ticket","required":false,"when":"traveller has no national passport","note":"By regulation always needed for holders of travel documents other than passports, and shown on arrival for exemption and on-arrival visas.","min_funds_usd":null,"given":false},{"kind":"re_entry_permit","catalogue_key":"re_entry_permit","label":"Re-entry permit to the country of application","required":false,"when":"traveller has no national passport","note":"Only for stateless persons and holders of travel documents other than passports.","min_funds_usd":null,"given":false}],"uploadDoc":[],"mailHistory":[],"mailTotal":0,"downloadHistory":[],"downloadTotal":0,"failed_tries":[],"failed_tries_total":0,"remark":[],"remark_total":0,"timeline":[{"id":1,"at":"[time]","actor":"test","action":"order.arrive","before":null,"after":"New"}],"older":{"mails":null,"downloads":null,"remarks":null,"timeline":null,"tries":null},"allowed":{"assign_to_me":true,"assign_to_others":false,"reassign":false,"hand_over":false,"unassign":false,"delete":false,"restore":false,"refund":false,"moves":["Pending","Awaiting","AwaitingGovt","Contact Customer","Customer Called","Completed","Refunds","ChargeBack"],"remark":true,"correct":true,"upload_visa":true,"send_mail":true,"take_back_refund":false,"edit_transaction":false,"save_chargeback":false,"make_packs":false},"mail_providers":["AWS","Sendgrid"],"visa_upload_limits":{"max_bytes":20971520,"media_types":["application/pdf","image/jpeg","image/png","image/webp","image/gif"]},"links_valid_for_seconds":300}}"#);
}

#[tokio::test]
async fn the_nested_lists_use_the_field_names_of_the_contract() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let staff_id = budi.id().await;
    let at = "2026-01-01T03:30:00Z".parse::<Timestamp>().expect("an instant");
    test.write(move |tx| {
        for (kind, file1) in [
            ("passport_picture", "a.jpg"),
            ("visa", "b.pdf"),
            ("visa", "c.pdf"),
            ("bank_statement", "d.pdf"),
            ("upload_picture", "e.jpg"),
        ] {
            diesel::insert_into(documents::table)
                .values((
                    documents::order_id.eq(order),
                    documents::kind.eq(kind),
                    documents::file1.eq(file1),
                    documents::original_name.eq("scan"),
                    documents::media_type.eq("application/pdf"),
                    documents::size_bytes.eq(10),
                    documents::sha256.eq("00"),
                    documents::created_at.eq(at),
                ))
                .execute(tx)?;
        }
        let visa =
            documents::table.filter(documents::file1.eq("c.pdf")).select(documents::document_id).first::<i64>(tx)?;
        let mail = MailRow { document_id: Some(visa), ..past_mail(order, "approval", "sent", at) };
        diesel::insert_into(mails::table).values(mail).execute(tx)?;
        for automated in [false, true] {
            diesel::insert_into(downloads::table)
                .values((
                    downloads::order_id.eq(order),
                    downloads::document_id.eq(visa),
                    downloads::ip.eq("::ffff:203.0.113.9"),
                    downloads::device.eq("SM-G991B"),
                    downloads::device_type.eq("mobile"),
                    downloads::browser.eq("Chrome Mobile 120"),
                    downloads::os.eq("Android 14"),
                    downloads::location.eq("Australia"),
                    downloads::automated.eq(automated),
                    downloads::created_at.eq(at),
                ))
                .execute(tx)?;
        }
        diesel::insert_into(remarks::table)
            .values((
                remarks::order_id.eq(order),
                remarks::staff_id.eq(staff_id),
                remarks::remark.eq("called, will send the photo"),
                remarks::whatsapp.eq(false),
                remarks::telephone.eq(true),
                remarks::status_refund.eq(false),
                remarks::voided.eq(false),
                remarks::chargeback.eq(false),
                remarks::report_error.eq(false),
                remarks::created_at.eq(at),
            ))
            .execute(tx)?;
        Ok(())
    })
    .await;
    let answer = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    let shown = |key: &str| without_signatures(&answer.data()[key]).to_string();
    assert_snapshot!(shown("passport_picture"), @r#""a.jpg""#);
    assert_snapshot!(shown("upload_picture"), @r#""e.jpg""#);
    assert_snapshot!(shown("bank_statement"), @r#""d.pdf""#);
    assert_snapshot!(shown("uploadDoc"), @r#"[{"file1":"c.pdf","link":"uploads/c.pdf.pdf","customer_name":"Ana Putri","create_ts":"2026-01-01T03:30:00Z","check":null,"is_withdrawn":false},{"file1":"b.pdf","link":"uploads/b.pdf.pdf","customer_name":"Ana Putri","create_ts":"2026-01-01T03:30:00Z","check":null,"is_withdrawn":false}]"#);
    assert_snapshot!(shown("mailHistory"), @r#"[{"id":1,"order_id":100001,"create_ts":"2026-01-01T03:30:00Z","kind":"approval","subject":null,"email":"ana@post.example","sent_by":null,"state":"sent","due_at":null,"failure":null,"attempts":[],"uploadDoc":{"file1":"c.pdf","link":"uploads/c.pdf.pdf","mail_service_provider":"AWS"}}]"#);
    assert_snapshot!(shown("downloadHistory"), @r#"[{"id":1,"order_id":100001,"create_ts":"2026-01-01T03:30:00Z","ip":"203.0.113.9","timezone":"Australia","browser":"SM G991B-mobile-Chrome Mobile 120","os":"Android 14","device":"SM-G991B","device_type":"mobile","location":"Australia","location_as_of":null,"automated":false,"file1":"c.pdf","link":"uploads/c.pdf.pdf"},{"id":2,"order_id":100001,"create_ts":"2026-01-01T03:30:00Z","ip":"203.0.113.9","timezone":"Australia","browser":"SM G991B-mobile-Chrome Mobile 120","os":"Android 14","device":"SM-G991B","device_type":"mobile","location":"Australia","location_as_of":null,"automated":true,"file1":"c.pdf","link":"uploads/c.pdf.pdf"}]"#);
    assert_snapshot!(shown("remark"), @r#"[{"id":1,"order_id":100001,"us_date":"12/31/2025","us_time":"22:30:00","remark_name":"Budi","remark":"called, will send the photo","whatsapp":"","telephone":"Y","status_refund":"","voided":"","chargeback":"","report_error":""}]"#);
}

/// The fields of the detail (spec §3), without those of its nested objects and lists.
const DETAIL_FIELDS: [&str; 41] = [
    "order_id",
    "order_number",
    "process_status",
    "first_name",
    "middle_name",
    "last_name",
    "contact_email_address",
    "phone_number",
    "user",
    "merchant_name",
    "processing_mode",
    "signature_name",
    "passport_from",
    "main_purpose_of_visit",
    "sub_purpose_of_visit",
    "visa_type",
    "stay_day",
    "passport_picture",
    "upload_picture",
    "full_name",
    "sex",
    "place_of_birth",
    "date_of_birth",
    "country_code",
    "document_type",
    "document_number",
    "nationality",
    "date_of_expiry",
    "issuing_place",
    "residence_type",
    "address",
    "postal_code",
    "province",
    "city",
    "district",
    "village",
    "immigration_office",
    "uploadDoc",
    "mailHistory",
    "downloadHistory",
    "remark",
];

#[tokio::test]
async fn an_order_without_documents_has_every_field_of_the_detail() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let answer = test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order}")).await;
    let fields = answer.data().as_object().expect("an order");
    let missing: Vec<_> = DETAIL_FIELDS.iter().filter(|field| !fields.contains_key(**field)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // There is a field for each document that the visa type (C1) requires.
    for kind in ["passport_picture", "upload_picture", "bank_statement", "guarantor_letter"] {
        assert_eq!(fields.get(kind), Some(&Value::Null), "{kind}");
    }
}

#[tokio::test]
async fn a_document_is_expired_from_the_day_after_its_expiry_date_in_the_agency_s_time_zone() {
    let test = TestApp::start().await;
    let today = test.clock.today(test.app.config.time_zone);
    let budi = test.as_staff(Team, "Budi");
    for (date, expired) in [(None, Value::Null), (Some(today), false.into()), (today.pred_opt(), true.into())] {
        let order = test.add_order_with(New, |order| order.application.date_of_expiry = date).await;
        let answer = budi.get(&format!("/admin/get-orders-details/{order}")).await;
        assert_eq!(answer.data()["document_expired"], expired, "{date:?}");
    }
}

#[tokio::test]
async fn the_detail_names_the_visa_type_that_replaced_a_retired_code() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let codes = [("A2", json!("A1")), ("Z9", Value::Null), ("a2", Value::Null)];
    for (code, issued) in codes {
        let order = test.add_order_with(New, |order| order.visa_type = Some(code.into())).await;
        let answer = budi.get(&format!("/admin/get-orders-details/{order}")).await;
        assert_eq!((&answer.data()["visa_type"], &answer.data()["issued_type"]["code"]), (&json!(code), &issued));
    }
}

#[tokio::test]
async fn the_detail_says_how_long_a_visa_allows_to_stay_and_when_to_apply_where_a_source_says_so() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let arrival: NaiveDate = "2027-03-31".parse().unwrap();
    for (code, arrival_date, stay, days, first) in [
        ("B1", Some(arrival), json!(30), json!(90), json!("2026-12-31")),
        ("B1", None, json!(30), json!(90), Value::Null),
        ("C1", Some(arrival), json!(60), Value::Null, Value::Null),
    ] {
        let fill_in = |order: &mut NewOrder| {
            order.visa_type = Some(code.into());
            order.application.arrival_date = arrival_date;
        };
        let order = test.add_order_with(New, fill_in).await;
        let answer = budi.get(&format!("/admin/get-orders-details/{order}")).await;
        let issued = &answer.data()["issued_type"];
        assert_eq!((&issued["entry"], &issued["stay_days"]), (&json!("single"), &stay), "{code}");
        assert_eq!((&issued["window"]["days_before_arrival"], &issued["first_day"]), (&days, &first), "{code}");
    }
}

/// The value with the query (expiry and signature) removed from signed links.
fn without_signatures(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with("uploads/") => text.split('?').next().unwrap_or_default().into(),
        Value::Array(items) => items.iter().map(without_signatures).collect(),
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), without_signatures(field))).collect(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn an_unknown_order_is_not_found() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for id in [
        "-1",
        "0",
        "100001",
        "9223372036854775808",
        "1e9",
        "1;--",
        "%00",
        "%ff",
        "VD-",
        "MjAwMDAx",
        "%2e%2e%2f",
        &"1".repeat(5_000),
    ] {
        let answer = budi.get(&format!("/admin/get-orders-details/{id}")).await;
        assert_eq!(answer.status, 404, "{id}: {answer}");
        assert_ne!(answer.message(), "");
    }
}

#[tokio::test]
async fn views_of_an_order_are_recorded() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    budi.get(&format!("/admin/get-orders-details/{order}")).await;
    test.app.audit.access_log.flush().await.expect("the log is written");
    let views = access_log::table.select((access_log::staff_id, access_log::action, access_log::order_id));
    let views: Vec<(i64, String, Option<i64>)> = test.read(move |conn| Ok(views.load(conn)?)).await;
    assert_eq!(views, [(budi.id().await, "order.view".to_owned(), Some(order))]);
}
