//! The requests that the steps make.

use std::path::PathBuf;

use chrono::Days;
use diesel::prelude::*;
use image::ImageFormat;
use mail_parser::MessageParser;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use visadesk::db::schema::{documents, refund_approvals};
use visadesk::documents::rules::stored_kind;
use visadesk::ids::OrderId;

use super::steps::{
    Applicant, Correction, Decision, Desk, Member, Number, Order, Outcome, Paper, Recipient, Site, Then, Visa,
};
use super::world::{Known, World};
use crate::deliveries::visa;
use crate::filing::{file_application, file_as_second};
use crate::paper_requests::{photograph, send};
use crate::support::portraits::Fault;
use crate::support::sample_files::{pdf, picture};
use crate::support::{Answer, Client};

impl World {
    pub(super) async fn desk(&self, member: Member, desk: &Desk) -> Answer {
        let client = self.as_member(member);
        let of = |order: &Order| json!({ "orderId": self.id(*order) });
        let of_all = |orders: &[Order]| json!({ "orderId": self.ids(orders) });
        let with = |mut body: Value, more: Value| {
            for (name, value) in more.as_object().expect("fields") {
                body[name] = value.clone();
            }
            body
        };
        match desk {
            Desk::Assign(orders, to) => {
                let to = json!({ "assignto": to.map_or("", Member::name) });
                client.put("/admin/assign-order-status", with(of_all(orders), to)).await
            }
            Desk::Reassign(orders, to) => {
                let to = json!({ "assignto": to.name(), "note": "The owner is ill" });
                client.put("/admin/reassign-orders", with(of_all(orders), to)).await
            }
            Desk::HandOver(orders, to) => {
                let to = json!({ "assignto": to.name() });
                client.put("/admin/hand-over-orders", with(of_all(orders), to)).await
            }
            Desk::TakeNext => client.post("/admin/take-next", json!({})).await,
            Desk::Move(orders, status) => {
                let to = json!({ "updatingStatus": status.as_str() });
                client.put("/admin/change-order-status", with(of_all(orders), to)).await
            }
            Desk::MoveFromDetails(order, status) => {
                let seen = self.details(&client, *order).await["updated_at"].clone();
                let to = json!({ "updatingStatus": status.as_str(), "updated_at": seen });
                client.put("/admin/move-order-status", with(of(order), to)).await
            }
            Desk::Restore(orders) => client.put("/admin/restore-orders", of_all(orders)).await,
            Desk::Refund(orders) => client.put("/admin/move-to-complete-refund", of_all(orders)).await,
            Desk::TakeBackRefund(order) => {
                let why = json!({ "reason": "The wrong row was selected" });
                client.put("/admin/take-back-refund", with(of(order), why)).await
            }
            Desk::ApproveRefunds => client.put("/admin/approve-refunds", self.newest_approval().await).await,
            Desk::DeclineRefunds => {
                let why = json!({ "note": "These were delivered" });
                client.put("/admin/decline-refunds", with(self.newest_approval().await, why)).await
            }
            Desk::WithdrawRefunds => client.put("/admin/withdraw-refunds", self.newest_approval().await).await,
            Desk::StopRefundMails(orders) => client.put("/admin/stop-refund-mails", of_all(orders)).await,
            Desk::SendRefundMails(orders) => client.put("/admin/send-refund-mails", of_all(orders)).await,
            Desk::Undo => {
                let event = self.undo.get(&member).cloned().unwrap_or(json!(999_999));
                client.post("/admin/undo", json!({ "eventId": event })).await
            }
            Desk::AskForPapers(order, papers) => {
                let items: Vec<Value> =
                    papers.iter().map(|paper| json!({ "kind": paper.kind(), "reason": "missing" })).collect();
                client.post("/admin/ask-for-papers", with(of(order), json!({ "language": "en", "items": items }))).await
            }
            Desk::WithdrawPaperRequest(order) => client.post("/admin/withdraw-paper-request", of(order)).await,
            Desk::SetPaperState(order, paper) => {
                let document = self.newest_document(*order, paper.kind()).await;
                let state = json!({ "kind": paper.kind(), "documentId": document, "state": "fine", "reason": null });
                client.post("/admin/set-paper-state", with(of(order), state)).await
            }
            Desk::CheckPapers(order) => client.post("/admin/check-papers", of(order)).await,
            Desk::MakePortalPhotograph(order) => {
                let document = self.newest_document(*order, Paper::Photograph.kind()).await;
                let frame = json!({ "documentId": document, "frame": { "left": 0.1, "top": 0.0, "width": 0.6 } });
                client.post("/admin/make-portal-photograph", with(of(order), frame)).await
            }
            Desk::File(order, Number(number)) => {
                file_application(&client, self.id(*order), &format!("EV-{number}"), Some(pdf())).await
            }
            Desk::FileAsSecond(order, Number(number)) => {
                file_as_second(&client, self.id(*order), &format!("EV-{number}")).await
            }
            Desk::RefuseApplication(order, then) => {
                let then = match then {
                    Then::Refile => "refile",
                    Then::Refund => "refund",
                };
                let why = json!({ "reason": "The photograph is blurred", "then": then });
                client.post("/admin/refuse-application", with(of(order), why)).await
            }
            Desk::UploadVisa(order, of) => {
                let of_known = |known: &Known| visa(&known.passport, &known.name, "17/05/1990");
                let own = self.known(*order);
                let (file, reason) = match of {
                    Visa::Own => (of_known(own), ""),
                    Visa::OtherName => (visa(&own.passport, "SOMEBODY ELSE", "17/05/1990"), ""),
                    Visa::Of(other) => (of_known(self.known(*other)), ""),
                    Visa::OfAnyway(other) => (of_known(self.known(*other)), "They travel together"),
                    Visa::Scan => (picture(ImageFormat::Png), ""),
                };
                let form = Form::new()
                    .text("orderId", self.id(*order).to_string())
                    .text("email", own.email.clone())
                    .text("reason", reason)
                    .part("uploadVisaDoc", Part::bytes(file).file_name("e-visa.pdf"));
                client.upload("/admin/upload-visa-document", form).await
            }
            Desk::DecideVisa(order, decision) => {
                let document = self.newest_document(*order, "waiting_visa").await;
                let decision = match decision {
                    Decision::Deliver => json!({ "decision": "deliver", "reason": "It is the right one" }),
                    Decision::Withdraw => json!({ "decision": "withdraw" }),
                };
                client
                    .post("/admin/decide-visa", with(with(of(order), decision), json!({ "document_id": document })))
                    .await
            }
            Desk::LookAtVisa(order) => {
                let document = self.newest_document(*order, "visa").await;
                client.post("/admin/look-at-visa", with(of(order), json!({ "document_id": document }))).await
            }
            Desk::ResendMail(order, to) => {
                let email = match to {
                    Recipient::Applicant => self.known(*order).email.clone(),
                    Recipient::Elsewhere => "sister@post.example".to_owned(),
                };
                client.post("/admin/resend-mail", with(of(order), json!({ "email": email }))).await
            }
            Desk::SendDownloadMail(order) => {
                let to = json!({ "email": self.known(*order).email });
                client.post("/admin/send-download-mail", with(of(order), to)).await
            }
            Desk::RevokeMailedLinks(order) => client.put("/admin/revoke-mailed-links", of(order)).await,
            Desk::Correct(order, field) => {
                let now = self.details(&client, *order).await;
                let (name, after) = match field {
                    Correction::Email => ("contact_email_address", new_address(self.known(*order))),
                    Correction::Phone => ("phone_number", format!("+44 77009 {:05}", self.known(*order).phones)),
                    Correction::Nationality => {
                        ("nationality", if now["nationality"] == "Japan" { "Canada" } else { "Japan" }.to_owned())
                    }
                };
                let fields = json!({ "fields": { name: { "before": now[name], "after": after } } });
                client.put("/admin/correct-order", with(of(order), fields)).await
            }
            Desk::Remark(order) => {
                client.post("/admin/add-new-remark", with(of(order), json!({ "remark": "Called twice" }))).await
            }
            Desk::SaveTransaction(order) => {
                let more = json!({ "transactionId": "ch_8f2c61", "merchantName": "EVISA DESK" });
                client.post("/admin/save-transaction-details", with(of(order), more)).await
            }
            Desk::SaveDispute(order, outcome) => self.save_dispute(&client, *order, *outcome).await,
            Desk::MakePack(order) => {
                client.post("/admin/get-defence-pack-pdf", with(of(order), json!({ "pack_type": 1 }))).await
            }
            Desk::AddPhoneOrder => {
                let order = json!({
                    "full_name": "Emily Clarke", "contact_email_address": "emily@post.example",
                    "processing_mode": "Regular Processing", "visa_type": "C1",
                });
                client.post("/admin/add-phone-order", order).await
            }
            Desk::DeleteMember(other) => {
                client.put("/admin/delete-team-member", json!({ "teamMemberId": self.id_of(*other) })).await
            }
        }
    }

    pub(super) async fn applicant(&mut self, order: Order, applicant: Applicant) -> Option<Answer> {
        let known = self.known(order).clone();
        let id = known.id;
        let visitor = self.node().with_token(self.visitors.get(&id).cloned().unwrap_or_default());
        let answer = match applicant {
            Applicant::Track => self.node().anonymous().track(id, &known.email).await,
            Applicant::TrackWithOldAddress => self.node().anonymous().track(id, known.old_emails.last()?).await,
            Applicant::OpenMailedLink => self.node().anonymous().open_link(id, &self.newest_key(id).await?).await,
            Applicant::History => visitor.history(id).await,
            Applicant::Download => {
                let file1 = visitor.history(id).await.json["path"]["file1"].clone();
                let answer = visitor.download(id, file1).await;
                if let Some(path) = answer.json["path"].as_str() {
                    self.links.insert(id, path.to_owned());
                }
                answer
            }
            Applicant::SendPaper(paper) => {
                let content = match paper {
                    Paper::Photograph => photograph(Fault::None),
                    Paper::BankStatement => pdf(),
                };
                send(&visitor, id, paper.kind(), content).await
            }
            Applicant::SendPaperAnyway(paper) => {
                visitor.post("/front/send-paper-anyway", json!({ "orderId": id, "kind": paper.kind() })).await
            }
        };
        if let Some(token) = answer.json["visitorToken"].as_str() {
            self.visitors.insert(id, token.to_owned());
        }
        Some(answer)
    }

    pub(super) async fn create_order(&mut self, reference: u8, is_paid: bool) -> Answer {
        let ahead = self.node().clock.today(self.node().app.config.time_zone).checked_add_days(Days::new(20));
        let mut order = json!({
            "external_reference": format!("WEB-{reference}"), "full_name": format!("Traveller {}", letters(reference)),
            "contact_email_address": format!("traveller{reference}@post.example"), "visa_type": "C1", "nationality": "Australia",
            "processing_mode": if reference % 2 == 1 { "Priority Processing" } else { "Regular Processing" },
            "document_number": format!("PA12345{reference:02}"), "date_of_birth": "1990-05-17",
            "country_code": "44", "phone_number": format!("77009{reference:05}"),
        });
        if reference.is_multiple_of(2) {
            order["user"] = json!({ "email": order["contact_email_address"].take() });
        }
        if reference == 103 {
            order["processing_date"] = json!(ahead);
        }
        if is_paid {
            order["payment"] = payment(reference);
        }
        let answer = self.node().with_api_key(&self.key).post("/intake/orders", order).await;
        if answer.status == 200 {
            self.remember(&answer, reference);
        }
        answer
    }

    pub(super) async fn site(&self, site: Site) -> Answer {
        let client = self.node().with_api_key(&self.key);
        match site {
            Site::CreateOrder(..) => unreachable!("taken by `take`"),
            Site::AddPayment(order) => {
                let id = self.id(order);
                let reference = u8::try_from(id % 100).expect("a remainder of 100");
                client.post(&format!("/intake/orders/{id}/payment"), payment(reference)).await
            }
            Site::AddDocument(order, paper) => {
                let content = match paper {
                    Paper::Photograph => photograph(Fault::None),
                    Paper::BankStatement => pdf(),
                };
                let form = Form::new().part("file", Part::bytes(content).file_name("IMG_1.jpg"));
                client.upload(&format!("/intake/orders/{}/documents/{}", self.id(order), paper.kind()), form).await
            }
        }
    }

    async fn details(&self, client: &Client<'_>, order: Order) -> Value {
        client.get(&format!("/admin/get-orders-details/{}", self.id(order))).await.data().clone()
    }

    async fn save_dispute(&self, client: &Client<'_>, order: Order, outcome: Outcome) -> Answer {
        let dispute = self.details(client, order).await["chargeback"].clone();
        let text = |name: &str| dispute[name].as_str().unwrap_or_default().to_owned();
        let outcome = match outcome {
            Outcome::Won => "Won",
            Outcome::Lost => "Lost",
        };
        let body = json!({
            "orderId": self.id(order), "network": text("network"), "reasonGroup": text("reasonGroup"), "reasonCode": "",
            "caseId": "", "amount": "", "currency": "", "arn": "", "openedOn": text("openedOn"),
            "respondBy": text("respondBy"), "outcome": outcome, "updated_at": dispute["updated_at"],
        });
        client.post("/admin/save-chargeback", body).await
    }

    async fn newest_approval(&self) -> Value {
        let newest = refund_approvals::table.select(diesel::dsl::max(refund_approvals::approval_id));
        let id: Option<i64> = self.node().read(move |conn| Ok(newest.first(conn)?)).await;
        json!({ "approvalId": id.unwrap_or(999_999) })
    }

    async fn newest_document(&self, order: Order, kind: &'static str) -> i64 {
        let id = self.id(order);
        let newest = documents::table
            .filter(documents::order_id.eq(id))
            .filter(documents::kind.eq_any([kind, stored_kind(kind)]))
            .select(diesel::dsl::max(documents::document_id));
        let found: Option<i64> = self.node().read(move |conn| Ok(newest.first(conn)?)).await;
        found.unwrap_or(999_999)
    }

    /// The key of the newest link that was mailed about an order.
    async fn newest_key(&self, id: i64) -> Option<String> {
        let page = format!("/track-order/{}#key=", OrderId(id).encoded());
        let mut files: Vec<_> = std::fs::read_dir(self.node().app.config.data_dir.join("mail"))
            .ok()?
            .flatten()
            .map(|file| file.path())
            .collect();
        files.sort();
        let text_of = |file: &PathBuf| {
            let content = std::fs::read(file).expect("a mail");
            let message = MessageParser::default().parse(&content).expect("a message");
            message.body_text(0).expect("a text").into_owned()
        };
        files.iter().rev().find_map(|file| {
            let text = text_of(file);
            let (_, key) = text.split_once(&page)?;
            Some(key.chars().take_while(|one| one.is_ascii_alphanumeric() || "-_".contains(*one)).collect())
        })
    }
}

/// The address after the next correction.
pub(super) fn new_address(known: &Known) -> String {
    format!("corrected{}-{}@post.example", known.old_emails.len() + 1, known.id)
}

fn payment(reference: u8) -> Value {
    json!({ "gateway": "Stripe", "payment_reference": format!("pay_{reference}"), "amount": "149.00", "currency": "USD" })
}

/// A name of letters for a number.
pub(super) fn letters(number: u8) -> String {
    number.to_string().bytes().map(|digit| char::from(b'A' + (digit - b'0'))).collect()
}
