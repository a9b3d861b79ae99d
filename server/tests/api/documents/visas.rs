//! The issued visa: uploaded by staff in one transaction with its mail and the status of its order.

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use reqwest::multipart::{Form, Part};
use visadesk::db::Conn;
use visadesk::db::schema::{audit, documents, mails, orders};
use visadesk::orders::status::ProcessStatus::{self, Awaiting, ChargeBack, Completed, Deleted, New, Pending, Refunds};
use visadesk::staff::rules::StaffType::{Admin, NightStaff, Team};

use super::{files, stored};
use crate::deliveries::registered_visa as visa;
use crate::support::sample_files::{hostile, pdf, photo};
use crate::support::storage::{Fault, Proxy, S3};
use crate::support::{Answer, Client, TestApp};

/// A form with text fields (order, address, provider) and an optional file.
fn form(texts: &[(&'static str, &str)], file: Option<Vec<u8>>) -> Form {
    let form = texts.iter().fold(Form::new(), |form, (name, text)| form.text(*name, (*text).to_owned()));
    match file {
        Some(content) => form.part("uploadVisaDoc", Part::bytes(content).file_name("E-Visa Ana.pdf")),
        None => form,
    }
}

async fn send(client: &Client<'_>, texts: &[(&'static str, &str)], file: Option<Vec<u8>>) -> Answer {
    client.upload("/admin/upload-visa-document", form(texts, file)).await
}

/// Uploads a valid visa for the order, with a mail to the order's own address.
async fn upload_visa(client: &Client<'_>, order: i64) -> Answer {
    send(
        client,
        &[("orderId", &order.to_string()), ("email", "ana@post.example")],
        Some(visa(order, "PA1234567", "ANA PUTRI", "17/05/1990")),
    )
    .await
}

/// The visa of Ana Putri.
fn e_visa() -> Vec<u8> {
    visa(0, "PA1234567", "ANA PUTRI", "17/05/1990")
}

async fn status(test: &TestApp, order: i64) -> (ProcessStatus, Option<i64>) {
    let columns = (orders::process_status, orders::processed_by);
    test.read(move |conn| Ok(orders::table.find(order).select(columns).first(conn)?)).await
}

/// The number of visas and mails.
async fn counts(test: &TestApp) -> (i64, i64) {
    test.read(|conn| Ok((documents::table.count().get_result(conn)?, mails::table.count().get_result(conn)?))).await
}

#[tokio::test]
async fn a_visa_upload_completes_the_order_and_queues_the_mail() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let budi = test.as_staff(Team, "Budi");
    let answer = upload_visa(&budi, order).await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"The visa has been stored. The mail to ana@post.example is on its way through AWS. See Email History for delivery","data":{"document_id":1,"outcome":"same","fields":[],"used_by":null,"said":null,"reason":null,"is_open":false,"is_being_read":false,"is_waiting":false},"undo":null}"#);
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    let details = details.data();
    assert_eq!((&details["process_status"], &details["processed_by"]), (&"Completed".into(), &"Budi".into()));
    let (visa, mail) = (&details["uploadDoc"][0], &details["mailHistory"][0]);
    assert_eq!(
        (&mail["state"], &mail["kind"], &mail["email"]),
        (&"queued".into(), &"approval".into(), &"ana@post.example".into())
    );
    assert_eq!(
        (&mail["uploadDoc"]["file1"], &mail["uploadDoc"]["mail_service_provider"]),
        (&visa["file1"], &"AWS".into())
    );
    let shown = budi.page(&format!("/{}", visa["link"].as_str().unwrap())).await;
    assert_eq!((shown.status, shown.header("content-disposition")), (200, "inline; filename=\"E-Visa Ana.pdf\""));

    let changes = audit::table.filter(audit::order_id.eq(order)).filter(audit::staff_id.is_not_null());
    let changes = changes.order(audit::audit_id).select((audit::action, audit::before, audit::after));
    let changes: Vec<(String, Option<String>, Option<String>)> = test.read(move |conn| Ok(changes.load(conn)?)).await;
    assert_eq!(
        changes,
        [
            ("document.upload_visa".into(), None, Some("AWS, to ana@post.example".into())),
            ("order.move".into(), Some("Awaiting".into()), Some("Completed".into())),
        ]
    );
}

#[tokio::test]
async fn each_missing_or_invalid_field_is_named_and_nothing_is_stored() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await.to_string();
    let budi = test.as_staff(Team, "Budi");
    let (id, email) = (("orderId", order.as_str()), ("email", "ana@post.example"));
    for (texts, file, code, expected) in [
        (&[id, email][..], None, 422, "File is required"),
        (&[id, email], Some(vec![]), 422, "The file is empty"),
        (&[id], Some(e_visa()), 422, "Please enter your email"),
        (&[id, ("email", " ")], Some(e_visa()), 422, "Please enter your email"),
        (&[id, ("email", "ana")], Some(e_visa()), 422, "not one valid email"),
        (&[id, ("email", "a@b.example,c@d.example")], Some(e_visa()), 422, "not one valid email"),
        (&[id, ("email", "a@b.example\r\nBcc: c@d.example")], Some(e_visa()), 422, "not one valid email"),
        (&[id, email, ("email", "c@d.example")], Some(e_visa()), 422, "email was sent twice"),
        (&[id, email, ("mailServiceProvider", "Pigeon")], Some(e_visa()), 422, "no such mail provider"),
        (&[email], Some(e_visa()), 404, "There is no such order"),
        (&[("orderId", "999999"), email], Some(e_visa()), 404, "There is no such order"),
        (&[("orderId", "1;--"), email], Some(e_visa()), 404, "There is no such order"),
        (&[id, email, ("orderId", "100002")], Some(e_visa()), 422, "orderId was sent twice"),
        (&[id, ("email", "ana\0@post.example")], Some(e_visa()), 400, "Invalid characters"),
    ] {
        let answer = send(&budi, texts, file).await;
        assert!(answer.status == code && answer.message().contains(expected), "{texts:?}: {answer}");
    }
    let long = "x".repeat(5_000);
    assert_eq!(send(&budi, &[id, ("email", &long)], Some(e_visa())).await.status, 413);
    assert_eq!(counts(&test).await, (0, 0));
    assert!(files(&test).is_empty());
    assert_eq!(status(&test, order.parse().unwrap()).await, (New, None));
}

#[tokio::test]
async fn the_mail_uses_the_chosen_provider_in_any_spelling() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    for provider in ["", "AWS", "aws", "Sendgrid", "SendGrid", "SENDGRID"] {
        let texts = [("orderId", "VD-100001"), ("email", "ana@post.example"), ("mailServiceProvider", provider)];
        assert_eq!(send(&budi, &texts, Some(e_visa())).await.status, 200, "{provider}");
    }
    let chosen: Vec<String> = test
        .read(move |conn| {
            let of_order = mails::table.filter(mails::order_id.eq(order)).order(mails::mail_id);
            Ok(of_order.select(mails::provider).load(conn)?)
        })
        .await;
    assert_eq!(chosen, ["AWS", "AWS", "AWS", "Sendgrid", "Sendgrid", "Sendgrid"]);
}

#[tokio::test]
async fn a_closed_order_keeps_its_status_and_a_completed_order_its_processor() {
    let test = TestApp::start().await;
    let (budi, nyoman) = (test.as_staff(Team, "Budi"), test.as_staff(NightStaff, "Nyoman"));
    for (before, after) in [(Refunds, Refunds), (ChargeBack, ChargeBack), (New, Completed), (Pending, Completed)] {
        let order = test.add_order(before).await;
        let answer = upload_visa(&budi, order).await;
        assert_eq!((answer.status, status(&test, order).await.0), (200, after), "{before:?}: {answer}");
    }
    let deleted = test.add_order(Deleted).await;
    assert_snapshot!(upload_visa(&budi, deleted).await, @r#"409 {"status":0,"code":"visa_of_deleted_order","message":"Nothing was stored: order 100005 is deleted. Restore it before you deliver its visa"}"#);
    assert_eq!(status(&test, deleted).await.0, Deleted);
    let order = test.add_order(New).await;
    upload_visa(&budi, order).await;
    assert_eq!(upload_visa(&nyoman, order).await.status, 200);
    assert_eq!(status(&test, order).await, (Completed, Some(budi.id().await)), "Budi completed it");
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["uploadDoc"].as_array().unwrap().len(), 2, "the older visa is still listed");
    let newest = &details.data()["mailHistory"][1]["uploadDoc"]["file1"];
    assert_eq!(&details.data()["uploadDoc"][0]["file1"], newest, "the newest comes first");
}

#[tokio::test]
async fn ten_uploads_with_one_key_store_one_visa_and_one_mail() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi").with_key("k1");
    budi.session().await;
    let answers = join_all((0..10).map(|_| upload_visa(&budi, order))).await;
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 409)), "{answers:?}");
    let again = upload_visa(&budi, order).await;
    let first = answers.iter().find(|answer| answer.status == 200).unwrap();
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!((counts(&test).await, files(&test).len()), ((1, 1), 1));
    let texts = [("orderId", "100001"), ("email", "other@post.example")];
    assert_eq!(send(&budi, &texts, Some(e_visa())).await.status, 422, "another request under the same key");
}

#[tokio::test]
async fn the_uploads_per_order_and_per_member_are_limited() {
    let test = TestApp::start_with(|config| {
        config.limits.files_per_order = 2;
        config.limits.files_per_member_and_day = 3;
    })
    .await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Made"));
    let (one, two) = (test.add_order(New).await, test.add_order(New).await);
    assert_eq!([upload_visa(&budi, one).await.status, upload_visa(&budi, one).await.status], [200, 200]);
    let full = upload_visa(&budi, one).await;
    assert_snapshot!(full, @r#"413 {"status":0,"code":"too_many_files_in_order","message":"An order may have at most 2 files"}"#);
    assert_eq!(upload_visa(&budi, two).await.status, 200);
    let many = upload_visa(&budi, two).await;
    assert_snapshot!(many, @r#"429 {"status":0,"code":"too_many_uploads_in_day","message":"You have uploaded 3 files in 24 hours, which is the limit. Please continue tomorrow"}"#);
    assert_eq!(upload_visa(&made, two).await.status, 200, "the limit is per member");
    test.later(TimeDelta::hours(25));
    let three = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(upload_visa(&budi, three).await.status, 200, "Budi can upload again the next day");
    assert_eq!((stored(&test).await.len(), files(&test).len()), (5, 5));
}

#[tokio::test]
async fn mails_to_other_addresses_are_limited_and_a_rejected_upload_stores_nothing() {
    let test = TestApp::start_with(|config| config.limits.mails_elsewhere_per_member_and_hour = 1).await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let other_address = [("orderId", "100001"), ("email", "Stranger@post.example")];
    assert_eq!(send(&budi, &other_address, Some(e_visa())).await.status, 200);
    let limited = send(&budi, &other_address, Some(e_visa())).await;
    assert!(limited.status == 429 && !limited.header("retry-after").is_empty(), "{limited}");
    assert_eq!((counts(&test).await, files(&test).len()), ((1, 1), 1));
    assert_eq!(upload_visa(&budi, order).await.status, 200, "the order's own address is not limited");
    let recorded = audit::table.filter(audit::action.eq("document.upload_visa")).order(audit::audit_id);
    let recorded: Option<String> = test.read(move |conn| Ok(recorded.select(audit::after).first(conn)?)).await;
    assert_eq!(recorded.as_deref(), Some("AWS, to Stranger@post.example (not an address of the order)"));
}

#[tokio::test]
async fn hostile_files_of_staff_are_rejected_and_pictures_lose_their_metadata() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let texts = [("orderId", "100001"), ("email", "ana@post.example")];
    for file in hostile() {
        let answer = send(&budi, &texts, Some(file.content)).await;
        assert!(matches!(answer.status, 415 | 422), "{}: {answer}", file.what);
    }
    assert_eq!((counts(&test).await, files(&test).len()), ((0, 0), 0));
    assert_eq!(status(&test, order).await, (New, None));
    assert_eq!(send(&budi, &texts, Some(photo())).await.status, 200);
    let name = files(&test).remove(0);
    let content = std::fs::read(test.app.config.data_dir.join("files").join(name)).unwrap();
    assert!(!content.windows(3).any(|window| window == b"GPS"));
}

#[tokio::test]
async fn while_the_storage_is_down_a_visa_upload_changes_nothing() {
    let s3 = S3::start().await;
    let proxy = Proxy::before(s3.address).await;
    let test = TestApp::start_on(Some(s3.files_at(proxy.address)), |_| {}).await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    proxy.set(Fault::Down);
    let answer = upload_visa(&budi, order).await;
    assert!(answer.status == 503 && answer.message().contains("nothing was saved"), "{answer}");
    assert_eq!((counts(&test).await, status(&test, order).await), ((0, 0), (New, None)));
    proxy.set(Fault::None);
    assert_eq!(upload_visa(&budi, order).await.status, 200);
    assert_eq!((counts(&test).await, s3.keys().len()), ((1, 1), 1));
}

#[tokio::test]
async fn a_visa_in_a_malformed_or_overlong_form_is_refused() {
    let test = TestApp::start_with(|config| config.limits.file_bytes_per_order = 1024 * 1024).await;
    let order = test.add_order(New).await.to_string();
    let budi = test.as_staff(Team, "Budi");
    let raw = async |body: String| {
        let request = budi.request(reqwest::Method::POST, "/api/admin/upload-visa-document").await;
        budi.send(request.header("content-type", "multipart/form-data; boundary=x").body(body)).await
    };
    let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n";
    let texts = [("orderId", order.as_str()), ("email", "ana@post.example")];
    let sized = |megabytes: usize| Some([pdf(), vec![b' '; megabytes * 1024 * 1024]].concat());
    for (answer, expected) in [
        (raw("--x".into()).await, (400, "malformed_form")),
        (raw(part.repeat(1_000) + "--x--\r\n").await, (400, "too_many_form_parts")),
        (send(&budi, &texts, sized(1)).await, (413, "order_files_too_large")),
        (send(&budi, &texts, sized(20)).await, (413, "file_too_large")),
    ] {
        assert_eq!((answer.status, answer.json["code"].as_str().unwrap_or_default()), expected, "{answer}");
    }
    assert_eq!(counts(&test).await, (0, 0));
}

#[tokio::test]
async fn a_visa_whose_mail_cannot_be_queued_is_not_stored() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let budi = test.as_staff(Team, "Budi");
    budi.session().await;
    test.write(|tx| {
        Ok(tx.batch_execute(match tx {
            Conn::Sqlite(_) => {
                "CREATE TRIGGER refuse_mails BEFORE INSERT ON mails BEGIN SELECT RAISE(ABORT, 'no mails'); END"
            }
            Conn::Postgres(_) => {
                "CREATE TRIGGER refuse_mails BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION refuse_change('no mails')"
            }
        })?)
    })
    .await;
    assert_eq!(upload_visa(&budi, order).await.status, 500);
    assert_eq!((counts(&test).await, status(&test, order).await, files(&test).len()), ((0, 0), (Awaiting, None), 0));
}
