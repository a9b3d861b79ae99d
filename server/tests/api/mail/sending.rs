//! Sent mails: headers, parts and the single recipient; and concurrent workers, each mail sent by one.

use std::time::Duration;

use bytes::Bytes;
use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use visadesk::db::schema::{documents, mails};
use visadesk::error::Permission;
use visadesk::ids::OrderId;
use visadesk::mail::rules::MailState::{Queued, Sent};
use visadesk::mail::rules::{MailKind, Provider};
use visadesk::mail::templates::Letter;
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::Completed;

use super::{attempts, expire_leases, new_mail, queue, queue_one, send_due, state, to_server};
use crate::support::mailbox::{Fault, FaultyServer, Mailbox, ReceivedMail};
use crate::support::{TestApp, until};

async fn with_mailbox() -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        to_server(config, &mailbox.url());
        config.mail.agree_seconds = 20;
        config.mail.answer_seconds = 20;
    })
    .await;
    (test, mailbox)
}

#[tokio::test]
async fn a_mail_has_text_and_html_one_recipient_and_the_headers_of_its_provider() {
    let (test, mailbox) = with_mailbox().await;
    for provider in [Provider::Aws, Provider::Sendgrid] {
        let mail = queue_one(&test, provider).await;
        send_due(&test).await;
        assert_eq!(state(&test, mail).await, (Sent, None));
        let received = mailbox.mails().pop().expect("the mail was received");
        assert_eq!(received.to, ["ana@post.example"]);
        let message = received.message();
        assert_eq!(
            message.from().and_then(|from| from.first()).and_then(|from| from.address()),
            Some("visa@desk.example")
        );
        let to: Vec<_> = message.to().expect("a recipient").iter().filter_map(|to| to.address()).collect();
        assert_eq!(to, ["ana@post.example"]);
        assert!(message.cc().is_none() && message.bcc().is_none());
        assert!(message.subject().is_some_and(|subject| subject.starts_with("Your e-visa is ready (VD-1000")));
        assert!(received.message_id().ends_with("@desk.example"), "{}", received.message_id());
        for part in [message.body_text(0), message.body_html(0)] {
            assert!(part.expect("the part").contains("https://desk.example/track-order/"));
        }
        assert_eq!(message.attachment_count(), 0);
        let headers = ["X-SES-MESSAGE-TAGS", "X-SMTPAPI", "X-SES-CONFIGURATION-SET"].map(|name| received.header(name));
        match provider {
            Provider::Aws => assert_eq!(headers, [Some(format!("mail_id={mail}")), None, None]),
            Provider::Sendgrid => {
                let arguments = format!("{{\"unique_args\":{{\"mail_id\":\"{mail}\"}}}}");
                assert_eq!(headers, [None, Some(arguments), None]);
            }
        }
    }
}

#[tokio::test]
async fn only_ses_gets_the_configuration_set() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        to_server(config, &mailbox.url());
        config.mail.aws_configuration_set = "visadesk".into();
    })
    .await;
    for provider in [Provider::Aws, Provider::Sendgrid] {
        queue_one(&test, provider).await;
    }
    send_due(&test).await;
    let mut sets: Vec<_> = mailbox.mails().iter().map(|mail| mail.header("X-SES-CONFIGURATION-SET")).collect();
    sets.sort();
    assert_eq!(sets, [None, Some("visadesk".to_owned())]);
}

#[tokio::test]
async fn without_a_provider_mails_are_stored_as_files() {
    let test = TestApp::start().await;
    let mail = queue_one(&test, Provider::Aws).await;
    queue_one(&test, Provider::Sendgrid).await;
    assert_eq!(send_due(&test).await, 2);
    let folder = test.app.config.data_dir.join("mail");
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2);
    for file in &files {
        assert_eq!(file.extension().and_then(|ending| ending.to_str()), Some("eml"));
        let stored = ReceivedMail { to: Vec::new(), text: std::fs::read_to_string(file).unwrap() };
        assert!(stored.message().body_text(0).is_some_and(|text| text.contains("track-order")));
    }
    assert!(attempts(&test, mail).await[0].1.starts_with("Stored as the file mail/"));
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_postpones_a_mail() {
    let test = TestApp::start().await;
    std::fs::write(test.app.config.data_dir.join("mail"), b"in the way").unwrap();
    let mail = queue_one(&test, Provider::Aws).await;
    send_due(&test).await;
    assert_eq!(state(&test, mail).await, (Queued, None));
    std::fs::remove_file(test.app.config.data_dir.join("mail")).unwrap();
    test.later(TimeDelta::seconds(2));
    send_due(&test).await;
    assert_eq!(state(&test, mail).await.0, Sent);
}

#[tokio::test]
async fn hostile_names_add_no_recipients_headers_or_html() {
    let (test, mailbox) = with_mailbox().await;
    let plain_order = test.add_order(Completed).await;
    queue(&test, new_mail(&test, plain_order, "ana@post.example", Provider::Aws)).await;
    send_due(&test).await;
    let plain = mailbox.wait_for(1).await.remove(0);
    let tags = |mail: &ReceivedMail| mail.message().body_html(0).expect("HTML").matches('<').count();
    for name in [
        "<a href=//evil>",
        "</td><img src=//x>",
        "{{7*7}}",
        "&#60;script",
        "evil.com",
        "javascript:",
        "Bob\r\nBcc: x@y.example",
        "Bob%0d%0aBcc: x@y.example",
        "a\u{2028}b",
        "\r\n.\r\nMAIL FROM:<x@y.example>\r\nRCPT TO:<x@y.example>\r\nDATA",
        &"x".repeat(10_240),
        "=?utf-8?q?Bcc:_x?=",
    ] {
        let before = mailbox.mails().len();
        let order = test.add_order(Completed).await;
        let mut mail = new_mail(&test, order, "ana@post.example", Provider::Sendgrid);
        let letter = Letter {
            order_id: OrderId(order),
            full_name: name.into(),
            visa_type: Some("C1".into()),
            is_issued: true,
            has_page: true,
        };
        mail.message = test.app.mail.templates.compose(MailKind::Approval, &letter).expect("the mail is rendered");
        queue(&test, mail).await;
        assert_eq!(send_due(&test).await, 1);
        let received = mailbox.mails();
        assert_eq!(received.len(), before + 1, "{name:?}: exactly one mail");
        let mail = &received[before];
        assert_eq!(mail.to, ["ana@post.example"], "{name:?}");
        assert_eq!(tags(mail), tags(&plain), "{name:?} adds no element");
        let message = mail.message();
        let html = message.body_html(0).expect("HTML").into_owned();
        let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        assert!(links.clone().count() > 0);
        for link in links {
            assert!(link.starts_with("https://desk.example/track-order/"), "{name:?}: {link}");
        }
        assert!(!html.contains("src="), "{name:?}");
        assert!(message.bcc().is_none() && message.cc().is_none(), "{name:?}");
    }
}

#[tokio::test]
async fn smtp_commands_in_a_text_stay_part_of_the_text() {
    let (test, mailbox) = with_mailbox().await;
    let order = test.add_order(Completed).await;
    let mut mail = new_mail(&test, order, "ana@post.example", Provider::Aws);
    mail.message.text = "one\r\n.\r\nMAIL FROM:<x@y.example>\r\n.two\r\n..\r\nend\r\n".into();
    mail.message.subject = format!("Ünïcode {}\r\nBcc: x@y.example", "long ".repeat(60));
    queue(&test, mail).await;
    send_due(&test).await;
    let received = mailbox.mails();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].to, ["ana@post.example"]);
    let message = received[0].message();
    assert!(message.bcc().is_none());
    let text = message.body_text(0).expect("the text").replace("\r\n", "\n");
    assert_eq!(text.trim_end(), "one\n.\nMAIL FROM:<x@y.example>\n.two\n..\nend");
}

#[tokio::test]
async fn a_non_ascii_address_is_sent_in_its_ascii_form() {
    let (test, mailbox) = with_mailbox().await;
    let order = test.add_order(Completed).await;
    queue(&test, new_mail(&test, order, "ana@bücher.example", Provider::Aws)).await;
    send_due(&test).await;
    assert_eq!(mailbox.mails()[0].to, ["ana@xn--bcher-kva.example"]);
}

/// Stores an issued visa of this size for the order and returns its id.
async fn add_visa(test: &TestApp, order: i64, size: usize) -> i64 {
    let content = Bytes::from([b"%PDF-1.7 ".as_slice(), &vec![b'x'; size]].concat());
    let stored = test.app.documents.files.put(content, Permission::in_background()).await.expect("the file is stored");
    let now = test.clock.now();
    test.write(move |tx| {
        Ok(diesel::insert_into(documents::table)
            .values((
                documents::order_id.eq(order),
                documents::kind.eq("visa"),
                documents::file1.eq(&stored.key),
                documents::original_name.eq("visa.pdf"),
                documents::media_type.eq("application/pdf"),
                documents::size_bytes.eq(stored.size_bytes),
                documents::sha256.eq(&stored.sha256),
                documents::created_at.eq(now),
            ))
            .returning(documents::document_id)
            .get_result(tx)?)
    })
    .await
}

#[tokio::test]
async fn the_visa_is_attached_only_if_configured_and_only_for_the_applicant() {
    for (attach, recipient, size, attached) in [
        (false, "ana@post.example", 100, 0),
        (true, "ana@post.example", 100, 1),
        (true, "ANA@post.example", 100, 1),
        (true, "stranger@post.example", 100, 0),
        (true, "ana@post.example", 10 * 1024 * 1024, 0),
    ] {
        let mailbox = Mailbox::open();
        let test = TestApp::start_with(|config| {
            to_server(config, &mailbox.url());
            config.mail.attach_visa = attach;
            config.mail.agree_seconds = 20;
            config.mail.answer_seconds = 20;
        })
        .await;
        let order = test.add_order(Completed).await;
        let visa = add_visa(&test, order, size).await;
        let mut mail = new_mail(&test, order, recipient, Provider::Aws);
        mail.document_id = Some(visa);
        queue(&test, mail).await;
        send_due(&test).await;
        let received = mailbox.mails();
        let message = received[0].message();
        assert_eq!(message.attachment_count(), attached, "{attach} {recipient} {size}");
        if let Some(file) = message.attachment(0) {
            use mail_parser::MimeHeaders;
            assert_eq!(file.attachment_name(), Some("VD-100001.pdf"));
            assert!(file.contents().starts_with(b"%PDF-1.7 "));
        }
        assert!(
            message.body_text(0).is_some_and(|text| text.contains("track-order")),
            "the link is always in the text"
        );
    }
}

#[tokio::test]
async fn concurrent_workers_send_no_mail_twice() {
    let (test, mailbox) = with_mailbox().await;
    let nodes = [test.another_node().await, test.another_node().await, test.another_node().await];
    let order = test.add_order(Completed).await;
    for number in 0..60 {
        let provider = if number % 2 == 0 { Provider::Aws } else { Provider::Sendgrid };
        queue(&test, new_mail(&test, order, &format!("ana{number}@post.example"), provider)).await;
    }
    let attempted = join_all(nodes.iter().chain([&test]).map(|node| worker::send_due(&node.app.mail))).await;
    let attempted: usize = attempted.into_iter().map(|attempts| attempts.expect("the mails are sent")).sum();
    assert_eq!(attempted, 60);
    let mut to: Vec<String> = mailbox.mails().into_iter().flat_map(|mail| mail.to).collect();
    to.sort();
    to.dedup();
    assert_eq!((to.len(), mailbox.mails().len()), (60, 60));
    let unsent = mails::table.filter(mails::state.ne(Sent)).count();
    assert_eq!(test.read(move |conn| Ok(unsent.get_result::<i64>(conn)?)).await, 0);
}

#[tokio::test]
async fn a_wrong_clock_expires_no_lease() {
    let server = FaultyServer::open(Fault::HangAfterText).await;
    let test = TestApp::start_with(|config| {
        to_server(config, &server.url());
        config.mail.answer_seconds = 60;
    })
    .await;
    let other = test.another_node().await;
    let mail = queue_one(&test, Provider::Aws).await;
    let app = test.app.clone();
    let sending = tokio::spawn(async move { worker::send_due(&app.mail).await });
    server.wait_until(|server| server.received().len() == 1).await;
    // Both nodes share this clock, which is now an hour ahead of the database.
    other.later(TimeDelta::hours(1));
    assert_eq!(send_due(&other).await, 0, "the mail is being sent");
    assert_eq!(server.received().len(), 1);
    assert!(attempts(&test, mail).await[0].0.is_none(), "the other node has not ended the attempt");
    sending.abort();
}

#[tokio::test]
async fn after_a_clock_steps_back_new_mails_go_out_at_once_and_older_ones_when_it_has_caught_up() {
    let (test, mailbox) = with_mailbox().await;
    let older = queue_one(&test, Provider::Aws).await;
    test.clock.shift(-TimeDelta::hours(1));
    let new = queue_one(&test, Provider::Aws).await;
    assert_eq!(send_due(&test).await, 1);
    assert_eq!((state(&test, older).await, state(&test, new).await), ((Queued, None), (Sent, None)));
    test.later(TimeDelta::hours(1));
    assert_eq!(send_due(&test).await, 1);
    assert_eq!(state(&test, older).await, (Sent, None));
    assert_eq!(mailbox.mails().len(), 2);
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_sends_nothing_more() {
    // Each reply is so slow that the lease expires before the text is sent.
    let server = FaultyServer::open(Fault::Slow(1_000)).await;
    let test = TestApp::start_with(|config| {
        to_server(config, &server.url());
        config.mail.agree_seconds = 30;
    })
    .await;
    let mail = queue_one(&test, Provider::Aws).await;
    let app = test.app.clone();
    let slow = tokio::spawn(async move { worker::send_due(&app.mail).await });
    server.wait_until(|server| server.connections() == 1).await;
    // Applies to later connections.
    server.set(Fault::Says("MAIL", "451 4.3.0 Later"));
    expire_leases(&test).await;
    assert_eq!(send_due(&test).await, 0, "the attempt is ended and the mail postponed");
    slow.await.expect("the task ends").expect("the worker succeeds");
    assert_eq!(server.received().len(), 0, "the text was not sent");
    server.set(Fault::Nothing);
    test.later(TimeDelta::seconds(60));
    // The renewal of the lost lease may still lock the mail, which a worker then leaves for its next turn.
    until("the mail is attempted", async || Some(send_due(&test).await).filter(|attempts| *attempts == 1)).await;
    assert_eq!(state(&test, mail).await.0, Sent);
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn a_queued_mail_is_sent_at_once() {
    let (test, mailbox) = with_mailbox().await;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let app = test.app.clone();
    let worker = tokio::spawn(async move { worker::run(&app.mail, stopped).await });
    let mail = queue_one(&test, Provider::Aws).await;
    test.app.mail.notify.notify();
    mailbox.wait_for(1).await;
    // A mail queued by another process does not notify this worker.
    queue_one(&test, Provider::Sendgrid).await;
    mailbox.wait_for(2).await;
    stop.send_replace(true);
    tokio::time::timeout(Duration::from_secs(30), worker)
        .await
        .expect("the worker stops")
        .expect("the worker succeeds");
    assert_eq!(state(&test, mail).await.0, Sent);
}

#[tokio::test]
async fn a_stop_waits_for_mails_that_are_being_sent() {
    let server = FaultyServer::open(Fault::Slow(150)).await;
    let test = TestApp::start_with(|config| {
        to_server(config, &server.url());
        config.mail.agree_seconds = 20;
    })
    .await;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let app = test.app.clone();
    let mail = queue_one(&test, Provider::Aws).await;
    let worker = tokio::spawn(async move { worker::run(&app.mail, stopped).await });
    server.wait_until(|server| server.connections() == 1).await;
    stop.send_replace(true);
    tokio::time::timeout(Duration::from_secs(30), worker)
        .await
        .expect("the worker stops")
        .expect("the worker succeeds");
    assert_eq!(state(&test, mail).await.0, Sent);
    assert_eq!(server.received().len(), 1);
}
