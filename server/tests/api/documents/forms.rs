//! Every other way in for a file refuses what the sales site's does: hostile files, and forms that are malformed or too large.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Team;

use super::stored;
use crate::support::sample_files::{hostile, pdf};
use crate::support::visitors::without_limits;
use crate::support::{Answer, Client, TestApp};

/// A call that takes a file, with the name of its part and its other fields.
struct Upload<'a> {
    client: Client<'a>,
    path: &'static str,
    part: &'static str,
    texts: Vec<(&'static str, String)>,
}

impl Upload<'_> {
    fn form(&self) -> Form {
        self.texts.iter().fold(Form::new(), |form, (name, text)| form.text(*name, text.clone()))
    }

    async fn send(&self, content: Vec<u8>, name: &'static str) -> Answer {
        let form = self.form().part(self.part, Part::bytes(content).file_name(name));
        self.client.upload(self.path, form).await
    }

    async fn send_raw(&self, body: String) -> Answer {
        let request = self.client.request(Method::POST, &format!("/api{}", self.path)).await;
        self.client.send(request.header("content-type", "multipart/form-data; boundary=x").body(body)).await
    }
}

#[tokio::test]
async fn every_way_in_for_a_file_refuses_hostile_files_and_malformed_forms() {
    let test = TestApp::start_with(|config| {
        without_limits(config);
        config.limits.file_bytes_per_order = 1024 * 1024;
    })
    .await;
    let order = test.add_order(New).await;
    let filed = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let asked = json!({ "orderId": order, "language": "en", "items": [{ "kind": "passport", "reason": "missing" }] });
    assert_eq!(budi.post("/admin/ask-for-papers", asked).await.status, 200);
    let uploads = [
        Upload {
            client: test.as_visitor(order).await,
            path: "/front/upload-paper",
            part: "file",
            texts: vec![("orderId", order.to_string()), ("kind", "passport".into())],
        },
        Upload {
            client: test.as_staff(Team, "Budi"),
            path: "/admin/file-application",
            part: "receipt",
            texts: vec![("orderId", filed.to_string()), ("applicationNumber", "EV-1".into())],
        },
    ];
    for upload in &uploads {
        let path = upload.path;
        for file in hostile() {
            let answer = upload.send(file.content, file.name).await;
            assert!(matches!(answer.status, 415 | 422), "{path}, {}: {answer}", file.what);
        }
        let sized = |megabytes: usize| [pdf(), vec![b' '; megabytes * 1024 * 1024]].concat();
        let twice = upload.form().part(upload.part, Part::bytes(pdf()).file_name("a.pdf"));
        let twice = twice.part(upload.part, Part::bytes(pdf()).file_name("b.pdf"));
        let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n";
        let text =
            |text: &str| format!("--x\r\nContent-Disposition: form-data; name=\"orderId\"\r\n\r\n{text}\r\n--x--\r\n");
        for (answer, expected) in [
            (upload.send_raw("--x".into()).await, (400, "malformed_form")),
            (upload.send_raw(part.repeat(1_000) + "--x--\r\n").await, (400, "too_many_form_parts")),
            (upload.send_raw(text("a\0b")).await, (400, "invalid_characters")),
            (upload.send_raw(text(&"9".repeat(3_000))).await, (413, "form_text_too_long")),
            (upload.client.upload(path, twice).await, (422, "repeated_form_part")),
            (upload.send(sized(1), "a.pdf").await, (413, "order_files_too_large")),
            (upload.send(sized(20), "a.pdf").await, (413, "file_too_large")),
        ] {
            let refused = (answer.status, answer.json["code"].as_str().unwrap_or_default());
            assert_eq!(refused, expected, "{path}: {answer}");
        }
    }
    assert!(stored(&test).await.is_empty());
}
