//! The faults of a provider (safety F9): nothing is lost, nobody waits, and what may have arrived is tried once more at most.

use chrono::TimeDelta;
use diesel::prelude::*;
use visadesk::db::schema::{mail_attempts, mails};
use visadesk::mail::rules::MailState::{Failed, Queued, Sent, Unknown};
use visadesk::mail::rules::Outcome::{Accepted, PutOff, Refused, Unknown as NotKnown};
use visadesk::mail::rules::{MailState, Outcome, Provider};
use visadesk::orders::rules::ProcessStatus::Completed;

use super::{due_at, queue_one, resend, send_due, state, to_server, tries};
use crate::support::TestApp;
use crate::support::mailbox::{Fault, Faulty, Mailbox};

/// The program, its mails going to a server with that fault, and a mail that was tried once.
async fn tried_once(fault: Fault) -> (TestApp, Faulty, i64) {
    let server = Faulty::open(fault).await;
    let url = server.url();
    let test = TestApp::start_with(|config| to_server(config, &url)).await;
    let mail = queue_one(&test, Provider::Aws).await;
    assert_eq!(send_due(&test).await, 1);
    (test, server, mail)
}

/// Whether the mail is tried again, and leaves once the fault is gone.
async fn leaves_later(test: &TestApp, server: &Faulty, mail: i64) {
    assert_eq!(state(test, mail).await, (Queued, None));
    server.set(Fault::Nothing);
    test.later(TimeDelta::seconds(2));
    assert_eq!(send_due(test).await, 1);
    assert_eq!(state(test, mail).await.0, Sent);
}

fn outcomes(tries: &[(Option<Outcome>, String)]) -> Vec<Option<Outcome>> {
    tries.iter().map(|(outcome, _)| *outcome).collect()
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_puts_a_mail_off() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let test = TestApp::start_with(|config| to_server(config, &format!("smtp://{closed}"))).await;
    let mail = queue_one(&test, Provider::Aws).await;
    send_due(&test).await;
    assert_eq!(state(&test, mail).await, (Queued, None));
    let tries = tries(&test, mail).await;
    assert_eq!(tries[0].0, Some(PutOff));
    assert!(tries[0].1.starts_with("The connection failed"), "{tries:?}");
}

#[tokio::test]
async fn a_refusal_for_now_puts_a_mail_off() {
    for (at, words) in [
        ("", "421 4.3.2 Not now"),
        ("EHLO", "421 4.7.0 Try later"),
        ("MAIL", "454 4.7.0 Throttling failure: Maximum sending rate exceeded."),
        ("RCPT", "451 4.7.1 Greylisted"),
        ("DATA", "429 Too many requests"),
        (".", "452 4.3.1 Insufficient storage"),
        // About us, not about the mail: somebody can mend that.
        ("", "554 5.7.1 No SMTP service here"),
        ("EHLO", "550 5.7.1 Access denied"),
    ] {
        let (test, server, mail) = tried_once(Fault::Says(at, words)).await;
        let first = tries(&test, mail).await;
        assert_eq!(outcomes(&first), [Some(PutOff)], "{at} {words}");
        assert_eq!(first[0].1, words);
        leaves_later(&test, &server, mail).await;
        assert_eq!(outcomes(&tries(&test, mail).await), [Some(PutOff), Some(Accepted)], "{at} {words}");
    }
}

#[tokio::test]
async fn a_refusal_for_good_fails_a_mail_with_its_reason() {
    for (at, words) in [
        ("MAIL", "501 5.1.7 Bad sender"),
        ("RCPT", "550 5.1.1 The mailbox does not exist"),
        ("DATA", "554 5.5.1 No valid recipients"),
        (".", "554 5.6.0 Message content rejected"),
    ] {
        let (test, server, mail) = tried_once(Fault::Says(at, words)).await;
        assert_eq!(state(&test, mail).await, (Failed, Some(words.to_owned())), "{at}");
        assert_eq!(outcomes(&tries(&test, mail).await), [Some(Refused)], "{at}");
        server.set(Fault::Nothing);
        test.later(TimeDelta::days(2));
        assert_eq!(send_due(&test).await, 0, "it is not tried again");
    }
}

#[tokio::test]
async fn a_break_or_a_silence_after_the_text_is_tried_once_more_and_then_left_to_a_person() {
    for fault in [Fault::CutAfterText, Fault::HangAfterText, Fault::CutInText, Fault::Says(".", "what?")] {
        let (test, server, mail) = tried_once(fault).await;
        assert_eq!(outcomes(&tries(&test, mail).await), [Some(NotKnown)], "{fault:?}");
        assert_eq!(state(&test, mail).await, (Queued, None), "{fault:?}");
        test.later(TimeDelta::seconds(2));
        assert_eq!(send_due(&test).await, 1);
        let (state, reason) = state(&test, mail).await;
        assert_eq!(state, Unknown, "{fault:?}");
        assert!(reason.unwrap_or_default().starts_with("It may have arrived"));
        test.later(TimeDelta::days(2));
        assert_eq!(send_due(&test).await, 0, "it is not tried a third time");
        let ids: Vec<String> = server.arrived().iter().map(crate::support::mailbox::Arrived::message_id).collect();
        assert!(ids.len() <= 2 && ids.iter().all(|id| *id == ids[0]), "{fault:?}: {ids:?}");
    }
}

#[tokio::test]
async fn one_that_was_cut_off_and_then_taken_is_sent() {
    let (test, server, mail) = tried_once(Fault::CutAfterText).await;
    leaves_later(&test, &server, mail).await;
    let arrived = server.arrived();
    assert_eq!(arrived.len(), 2);
    assert_eq!(arrived[0].message_id(), arrived[1].message_id(), "so that the second copy is known");
}

#[tokio::test]
async fn a_provider_that_talks_nonsense_or_not_at_all_puts_a_mail_off() {
    for fault in [Fault::Garbage, Fault::Silent, Fault::Slow(1_500)] {
        let (test, server, mail) = tried_once(fault).await;
        assert_eq!(outcomes(&tries(&test, mail).await), [Some(PutOff)], "{fault:?}");
        leaves_later(&test, &server, mail).await;
    }
}

#[tokio::test]
async fn a_provider_without_the_wanted_encryption_gets_nothing() {
    for (scheme, parameters) in [("smtps", ""), ("smtp", "?tls=required")] {
        let server = Faulty::open(Fault::Nothing).await;
        let url = format!("{scheme}://name:password@{}{parameters}", server.address);
        let test = TestApp::start_with(|config| to_server(config, &url)).await;
        let mail = queue_one(&test, Provider::Sendgrid).await;
        send_due(&test).await;
        assert_eq!(outcomes(&tries(&test, mail).await), [Some(PutOff)], "{scheme}");
        assert!(server.arrived().is_empty());
    }
}

#[tokio::test]
async fn a_slow_provider_is_waited_for_and_a_silent_goodbye_is_not() {
    for fault in [Fault::Slow(100), Fault::HangAtQuit] {
        let (test, server, mail) = tried_once(fault).await;
        assert_eq!(state(&test, mail).await.0, Sent, "{fault:?}");
        assert_eq!(server.left_at_quit(), 0, "the mail is sent before the goodbye is given up");
        assert_eq!(tries(&test, mail).await[0].1, "250 OK queued as 4711");
    }
}

#[tokio::test]
async fn waits_grow_and_after_a_day_a_mail_has_failed() {
    let (test, server, mail) = tried_once(Fault::Says("MAIL", "451 4.3.0 Later")).await;
    let mut waits = Vec::new();
    while let Some(due) = due_at(&test, mail).await {
        let wait = due - test.clock.now();
        waits.push(wait);
        if wait > TimeDelta::minutes(1) {
            assert_eq!(send_due(&test).await, 0, "not before its time");
        }
        test.later(wait + TimeDelta::milliseconds(1));
        assert_eq!(send_due(&test).await, 1);
        assert!(waits.len() < 500, "it ends");
    }
    assert!(waits[0] <= TimeDelta::seconds(1) && waits.iter().all(|wait| *wait <= TimeDelta::minutes(10)), "{waits:?}");
    assert!(waits[12] > TimeDelta::minutes(4), "{waits:?}");
    let (state, reason) = state(&test, mail).await;
    assert_eq!((state, reason.as_deref()), (Failed, Some("Nobody took it for 24 hours. 451 4.3.0 Later")));
    assert_eq!(server.arrived().len(), 0);
}

#[tokio::test]
async fn a_provider_that_is_away_keeps_nobody_else_waiting() {
    let (silent, mailbox) = (Faulty::open(Fault::Silent).await, Mailbox::open());
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
    let arrived = mailbox.wait_for(1).await;
    let open = mail_attempts::table.inner_join(mails::table).filter(mail_attempts::ended_at.is_null());
    let open = open.filter(mails::provider.eq(Provider::Aws)).count();
    let open: i64 = test.read(move |conn| Ok(open.get_result(conn)?)).await;
    assert_eq!(open, 4, "the silent provider is still waited for, by its own mails alone");
    assert_eq!(arrived[0].to, ["ana@post.example"]);
    assert_eq!(mailbox.mails().len(), 1, "the other provider takes nothing over");
    worker.abort();
    drop(stop);
}

#[tokio::test]
async fn a_mail_that_cannot_be_sent_keeps_no_other_waiting() {
    let server = Faulty::open(Fault::Nothing).await;
    let url = server.url();
    let test = TestApp::start_with(|config| to_server(config, &url)).await;
    let mut mails = Vec::new();
    for _ in 0..9 {
        mails.push(queue_one(&test, Provider::Aws).await);
    }
    let poison = mails[0];
    test.write(move |tx| {
        diesel::update(mails::table.find(poison)).set(mails::recipient.eq("nobody\r\nBcc: x")).execute(tx)?;
        Ok(())
    })
    .await;
    assert_eq!(send_due(&test).await, 9);
    assert_eq!(state(&test, poison).await.0, Failed);
    for mail in &mails[1..] {
        assert_eq!(state(&test, *mail).await.0, MailState::Sent);
    }
    assert_eq!(server.arrived().len(), 8);
}
