//! Faults of a provider (safety F9): no mail is lost, no other mail waits, and an unknown outcome is retried once.

use chrono::TimeDelta;
use diesel::prelude::*;
use visadesk::db::schema::{mail_attempts, mails};
use visadesk::mail::rules::MailState::{Failed, Queued, Sent, Unknown};
use visadesk::mail::rules::Outcome::{Accepted, PutOff, Refused, Unknown as OutcomeUnknown};
use visadesk::mail::rules::{MailState, Outcome, Provider};
use visadesk::orders::status::ProcessStatus::Completed;

use super::{attempts, due_at, queue_one, resend, send_due, state, to_server};
use crate::support::TestApp;
use crate::support::mailbox::{Fault, FaultyServer, Mailbox};

/// Starts the program with a faulty provider, and attempts to send one mail.
async fn attempt_once(fault: Fault) -> (TestApp, FaultyServer, i64) {
    let server = FaultyServer::open(fault).await;
    let url = server.url();
    let test = TestApp::start_with(|config| to_server(config, &url)).await;
    let mail = queue_one(&test, Provider::Aws).await;
    assert_eq!(send_due(&test).await, 1);
    (test, server, mail)
}

/// Checks that the mail is queued, and is sent once the fault is gone.
async fn assert_sent_later(test: &TestApp, server: &FaultyServer, mail: i64) {
    assert_eq!(state(test, mail).await, (Queued, None));
    server.set(Fault::Nothing);
    test.later(TimeDelta::seconds(2));
    assert_eq!(send_due(test).await, 1);
    assert_eq!(state(test, mail).await.0, Sent);
}

fn outcomes(attempts: &[(Option<Outcome>, String)]) -> Vec<Option<Outcome>> {
    attempts.iter().map(|(outcome, _)| *outcome).collect()
}

#[tokio::test]
async fn an_unreachable_provider_postpones_a_mail() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let test = TestApp::start_with(|config| to_server(config, &format!("smtp://{closed}"))).await;
    let mail = queue_one(&test, Provider::Aws).await;
    send_due(&test).await;
    assert_eq!(state(&test, mail).await, (Queued, None));
    let attempts = attempts(&test, mail).await;
    assert_eq!(attempts[0].0, Some(PutOff));
    assert!(attempts[0].1.starts_with("The connection failed"), "{attempts:?}");
}

#[tokio::test]
async fn a_temporary_error_postpones_a_mail() {
    for (at, reply) in [
        ("", "421 4.3.2 Not now"),
        ("EHLO", "421 4.7.0 Try later"),
        ("MAIL", "454 4.7.0 Throttling failure: Maximum sending rate exceeded."),
        ("RCPT", "451 4.7.1 Greylisted"),
        ("DATA", "429 Too many requests"),
        (".", "452 4.3.1 Insufficient storage"),
        // These errors concern our access, not the mail, and can be fixed.
        ("", "554 5.7.1 No SMTP service here"),
        ("EHLO", "550 5.7.1 Access denied"),
    ] {
        let (test, server, mail) = attempt_once(Fault::Says(at, reply)).await;
        let first = attempts(&test, mail).await;
        assert_eq!(outcomes(&first), [Some(PutOff)], "{at} {reply}");
        assert_eq!(first[0].1, reply);
        assert_sent_later(&test, &server, mail).await;
        assert_eq!(outcomes(&attempts(&test, mail).await), [Some(PutOff), Some(Accepted)], "{at} {reply}");
    }
}

#[tokio::test]
async fn a_permanent_error_fails_a_mail_with_its_reason() {
    for (at, reply) in [
        ("MAIL", "501 5.1.7 Bad sender"),
        ("RCPT", "550 5.1.1 The mailbox does not exist"),
        ("DATA", "554 5.5.1 No valid recipients"),
        (".", "554 5.6.0 Message content rejected"),
    ] {
        let (test, server, mail) = attempt_once(Fault::Says(at, reply)).await;
        assert_eq!(state(&test, mail).await, (Failed, Some(reply.to_owned())), "{at}");
        assert_eq!(outcomes(&attempts(&test, mail).await), [Some(Refused)], "{at}");
        server.set(Fault::Nothing);
        test.later(TimeDelta::days(2));
        assert_eq!(send_due(&test).await, 0, "the mail is not attempted again");
    }
}

#[tokio::test]
async fn an_unknown_outcome_is_retried_once_and_then_left_to_staff() {
    for fault in [Fault::CutAfterText, Fault::HangAfterText, Fault::CutInText, Fault::Says(".", "what?")] {
        let (test, server, mail) = attempt_once(fault).await;
        assert_eq!(outcomes(&attempts(&test, mail).await), [Some(OutcomeUnknown)], "{fault:?}");
        assert_eq!(state(&test, mail).await, (Queued, None), "{fault:?}");
        test.later(TimeDelta::seconds(2));
        assert_eq!(send_due(&test).await, 1);
        let (state, reason) = state(&test, mail).await;
        assert_eq!(state, Unknown, "{fault:?}");
        assert!(reason.unwrap_or_default().starts_with("It may have arrived"));
        test.later(TimeDelta::days(2));
        assert_eq!(send_due(&test).await, 0, "there is no third attempt");
        let ids: Vec<String> =
            server.received().iter().map(crate::support::mailbox::ReceivedMail::message_id).collect();
        assert!(ids.len() <= 2 && ids.iter().all(|id| *id == ids[0]), "{fault:?}: {ids:?}");
    }
}

#[tokio::test]
async fn an_interrupted_mail_that_is_then_accepted_is_sent() {
    let (test, server, mail) = attempt_once(Fault::CutAfterText).await;
    assert_sent_later(&test, &server, mail).await;
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].message_id(), received[1].message_id(), "the duplicate has the same id");
}

#[tokio::test]
async fn a_provider_that_is_silent_slow_or_not_smtp_postpones_a_mail() {
    for fault in [Fault::Garbage, Fault::Silent, Fault::Slow(1_500)] {
        let (test, server, mail) = attempt_once(fault).await;
        assert_eq!(outcomes(&attempts(&test, mail).await), [Some(PutOff)], "{fault:?}");
        assert_sent_later(&test, &server, mail).await;
    }
}

#[tokio::test]
async fn a_provider_without_the_required_tls_receives_nothing() {
    for (scheme, parameters) in [("smtps", ""), ("smtp", "?tls=required")] {
        let server = FaultyServer::open(Fault::Nothing).await;
        let url = format!("{scheme}://name:password@{}{parameters}", server.address);
        let test = TestApp::start_with(|config| to_server(config, &url)).await;
        let mail = queue_one(&test, Provider::Sendgrid).await;
        send_due(&test).await;
        assert_eq!(outcomes(&attempts(&test, mail).await), [Some(PutOff)], "{scheme}");
        assert!(server.received().is_empty());
    }
}

#[tokio::test]
async fn a_mail_is_sent_although_the_provider_is_slow_or_never_answers_quit() {
    for fault in [Fault::Slow(100), Fault::HangAtQuit] {
        let (test, server, mail) = attempt_once(fault).await;
        assert_eq!(state(&test, mail).await.0, Sent, "{fault:?}");
        assert_eq!(server.left_at_quit(), 0, "the mail counts as sent before QUIT times out");
        assert_eq!(attempts(&test, mail).await[0].1, "250 OK queued as 4711");
    }
}

#[tokio::test]
async fn the_time_between_attempts_grows_and_after_a_day_the_mail_fails() {
    let (test, server, mail) = attempt_once(Fault::Says("MAIL", "451 4.3.0 Later")).await;
    let mut waits = Vec::new();
    while let Some(due) = due_at(&test, mail).await {
        let wait = due - test.clock.now();
        waits.push(wait);
        if wait > TimeDelta::minutes(1) {
            assert_eq!(send_due(&test).await, 0, "no attempt before the mail is due");
        }
        test.later(wait + TimeDelta::milliseconds(1));
        assert_eq!(send_due(&test).await, 1);
        assert!(waits.len() < 500, "the attempts end");
    }
    assert!(waits[0] <= TimeDelta::seconds(1) && waits.iter().all(|wait| *wait <= TimeDelta::minutes(10)), "{waits:?}");
    assert!(waits[12] > TimeDelta::minutes(4), "{waits:?}");
    let (state, reason) = state(&test, mail).await;
    assert_eq!((state, reason.as_deref()), (Failed, Some("Nobody took it for 24 hours. 451 4.3.0 Later")));
    assert_eq!(server.received().len(), 0);
}

#[tokio::test]
async fn a_silent_provider_does_not_delay_the_mails_of_the_other() {
    let (silent, mailbox) = (FaultyServer::open(Fault::Silent).await, Mailbox::open());
    let test = TestApp::start_with(|config| {
        to_server(config, &silent.url());
        config.mail.sendgrid = mailbox.url();
        config.mail.agree_seconds = 60;
    })
    .await;
    for _ in 0..6 {
        queue_one(&test, Provider::Aws).await;
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let app = test.app.clone();
    let worker = tokio::spawn(async move { visadesk::mail::worker::run(&app.mail, stopped).await });
    silent.wait_until(|server| server.connections() > 0).await;

    let order = test.add_order(Completed).await;
    assert_eq!(resend(&test, order, "ana@post.example", "AWS").await.status, 200);
    assert_eq!(resend(&test, order, "ana@post.example", "Sendgrid").await.status, 200);
    let received = mailbox.wait_for(1).await;
    let open = mail_attempts::table.inner_join(mails::table).filter(mail_attempts::ended_at.is_null());
    let open = open.filter(mails::provider.eq(Provider::Aws)).count();
    let open: i64 = test.read(move |conn| Ok(open.get_result(conn)?)).await;
    assert_eq!(open, 4, "only mails of the silent provider are still waiting");
    assert_eq!(received[0].to, ["ana@post.example"]);
    assert_eq!(mailbox.mails().len(), 1, "the other provider does not send its mails");
    worker.abort();
    drop(stop);
}

#[tokio::test]
async fn a_mail_that_cannot_be_sent_does_not_delay_others() {
    let server = FaultyServer::open(Fault::Nothing).await;
    let url = server.url();
    let test = TestApp::start_with(|config| to_server(config, &url)).await;
    let mut mails = Vec::new();
    for _ in 0..9 {
        mails.push(queue_one(&test, Provider::Aws).await);
    }
    let invalid = mails[0];
    test.write(move |tx| {
        diesel::update(mails::table.find(invalid)).set(mails::recipient.eq("nobody\r\nBcc: x")).execute(tx)?;
        Ok(())
    })
    .await;
    assert_eq!(send_due(&test).await, 9);
    assert_eq!(state(&test, invalid).await.0, Failed);
    for mail in &mails[1..] {
        assert_eq!(state(&test, *mail).await.0, MailState::Sent);
    }
    assert_eq!(server.received().len(), 8);
}
