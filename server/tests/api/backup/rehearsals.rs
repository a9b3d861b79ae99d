//! Rehearsals: restored only to try a backup. Every page says so, no mail is sent, and no file is removed.

use std::fs::{self, File};
use std::time::Duration;

use chrono::TimeDelta;
use serde_json::json;
use visadesk::clock::Clock;
use visadesk::demo::people::{PASSWORD, PEOPLE};

use super::{back_up, everything, restore};
use crate::support::mailbox::Mailbox;
use crate::support::program::{Installation, Program};
use crate::support::until;

/// Signs in as the Admin of the demo and sends a mail of the order again. Returns the answer's status.
async fn resend(program: &Program, order: i64) -> u16 {
    let client = reqwest::Client::new();
    let sign_in = json!({ "email": PEOPLE[0].1, "password": PASSWORD });
    let answer = client.post(program.url("/api/admin/admin-login")).json(&sign_in).send().await.expect("an answer");
    let answer: serde_json::Value = answer.json().await.expect("it is JSON");
    let token = answer["jwtToken"].as_str().expect("a token");
    let body = json!({ "orderId": order, "email": "ana@post.example" });
    let request = client.post(program.url("/api/admin/send-download-mail")).header("authorization", token).json(&body);
    request.send().await.expect("an answer").status().as_u16()
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
        // Without a row here: it may be the live installation's.
        let file = to.folder().join("files").join("0123456789abcdef0123456789abcdef");
        fs::write(&file, "a file of another installation").expect("it is written");
        let long_ago = Clock::default().now() - TimeDelta::hours(48);
        File::open(&file).and_then(|file| file.set_modified((*long_ago).into())).expect("it is old");
        let program = to.serve(&[
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
            tokio::time::sleep(Duration::from_secs(2)).await;
            assert_eq!(mailbox.mails().len(), 0);
            assert!(!backups.exists() && file.exists());
        } else {
            mailbox.wait_for(1).await;
            until("the file without a row is removed", async || (!file.exists()).then_some(())).await;
            program.says(&["a backup was made"]).await;
            let metrics =
                reqwest::get(program.url("/metrics")).await.expect("an answer").text().await.expect("metrics");
            assert!(metrics.contains("visadesk_last_backup_timestamp_seconds "), "{metrics}");
        }
    }
}
