//! Rehearsals: restored only to try a backup. Every page says so, no mail is sent, and no file is removed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::time::Duration;

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::json;
use visadesk::clock::Clock;
use visadesk::db::schema::mails;
use visadesk::demo::people::{PASSWORD, PEOPLE};

use super::{back_up, everything, open, restore};
use crate::support::mailbox::{Mailbox, ReceivedMail};
use crate::support::program::{Installation, Program};
use crate::support::{http, until};

/// Signs in as the Admin of the demo and sends a mail of the order again. Returns the answer's status.
async fn resend(program: &Program, order: i64) -> u16 {
    let client = http::client();
    let sign_in = json!({ "email": PEOPLE[0].1, "password": PASSWORD });
    let answer = client.post(program.url("/api/admin/admin-login")).json(&sign_in).send().await.expect("an answer");
    let answer: serde_json::Value = answer.json().await.expect("it is JSON");
    let token = answer["jwtToken"].as_str().expect("a token");
    let body = json!({ "orderId": order, "email": "ana@post.example" });
    let request = client.post(program.url("/api/admin/send-download-mail")).header("authorization", token).json(&body);
    request.send().await.expect("an answer").status().as_u16()
}

/// Requests a code, which is mailed to the order's own address.
async fn request_code(program: &Program, order: i64) -> u16 {
    let request = http::client().post(program.url("/api/front/send-tracking-code"));
    request.json(&json!({ "orderId": order })).send().await.expect("an answer").status().as_u16()
}

/// What was mailed, as far as this test is about it.
fn kinds(mails: &[ReceivedMail]) -> BTreeSet<&'static str> {
    let kind = |mail: &ReceivedMail| match mail.to[0].as_str() {
        _ if mail.message().subject().is_some_and(|subject| subject.starts_with("Your code")) => "a code",
        "ana@post.example" => "resent by staff",
        "dewi@visa-agency.net" => "to a member",
        _ => "another",
    };
    mails.iter().map(kind).collect()
}

/// The codes that the background jobs have put into the outbox.
async fn codes(installation: &Installation) -> i64 {
    let db = open(installation).await;
    let count = db.read(|conn| Ok(mails::table.filter(mails::kind.eq("tracking code")).count().get_result(conn)?));
    count.await.expect("the outbox is read")
}

#[tokio::test]
async fn a_rehearsal_says_so_on_every_page_sends_no_mail_removes_no_file_and_makes_no_backup() {
    let (from, order) = everything::installation().await;
    let (place, _) = back_up(&from, &[]);
    for rehearsal in [true, false] {
        let (to, mailbox) = (Installation::make_empty().await, Mailbox::open());
        let printed = restore(&to, &place, if rehearsal { &["--rehearsal"] } else { &[] }).expect("it is restored");
        assert_eq!(printed.contains("It is a rehearsal"), rehearsal, "{printed}");
        let backups = to.folder().join("scheduled");
        let codes_before = codes(&to).await;
        // Without a row here: it may be the live installation's.
        let file = to.folder().join("files").join("0123456789abcdef0123456789abcdef");
        fs::write(&file, "a file of another installation").expect("it is written");
        let long_ago = Clock::default().now() - TimeDelta::hours(48);
        File::open(&file).and_then(|file| file.set_modified((*long_ago).into())).expect("it is old");
        let mut program = to.serve(&[
            ("VISADESK_MAIL__AWS", &mailbox.url()),
            ("VISADESK_MAIL__FROM", "Visa Desk <visa@desk.example>"),
            ("VISADESK_BACKUPS__PLACE", backups.to_str().expect("a path")),
        ]);
        for page in ["/", "/admin/new-order", "/track-order/MTAwMDAx", "/get-new-order-details/MTAwMDAx"] {
            let html = reqwest::get(program.url(page)).await.expect("an answer").text().await.expect("a page");
            assert_eq!(html.contains("<p class=\"notice\""), rehearsal, "{page}: {html}");
        }
        assert_eq!(resend(&program, order).await, 200);
        if rehearsal {
            program.says(&["a rehearsal: no mail is sent and no file is removed"]).await;
            // Two rounds of the jobs, so that what the first one queued has had its time.
            for round in 1..=2 {
                until("the jobs have queued a code", async || (codes(&to).await >= codes_before + round).then_some(()))
                    .await;
                assert_eq!(request_code(&program, order).await, 200);
            }
            program.terminate();
            assert!(program.ends_within(Duration::from_secs(60)).await, "it waits for mails in delivery");
            assert_eq!(kinds(&mailbox.mails()), BTreeSet::new());
            assert!(!backups.exists() && file.exists());
        } else {
            let expected = BTreeSet::from(["resent by staff", "to a member", "a code"]);
            until("each kind is mailed", async || kinds(&mailbox.mails()).is_superset(&expected).then_some(())).await;
            until("the file without a row is removed", async || (!file.exists()).then_some(())).await;
            program.says(&["a backup was made"]).await;
            let metrics =
                reqwest::get(program.url("/metrics")).await.expect("an answer").text().await.expect("metrics");
            assert!(metrics.contains("visadesk_last_backup_timestamp_seconds "), "{metrics}");
        }
    }
}
