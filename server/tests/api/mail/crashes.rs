//! kill -9 while mails are sent (safety F2): no mail is lost, and each kill causes at most one duplicate.

use chrono::TimeDelta;
use diesel::prelude::*;
use std::io::{Read as _, Seek as _};
use std::process::{Child, Stdio};
use std::time::Duration;
use visadesk::config::Config;
use visadesk::db::schema::{mail_attempts, mails};
use visadesk::db::{self, Db};
use visadesk::ids::OrderId;
use visadesk::mail::leases;
use visadesk::mail::outbox::{self, NewMail};
use visadesk::mail::rules::MailState::{Queued, Sent};
use visadesk::mail::rules::{Address, MailKind, MailState};
use visadesk::mail::templates::ComposedMail;
use visadesk::orders::status::ProcessStatus::Completed;
use visadesk::timestamp::Timestamp;

use crate::support::mailbox::{Fault, FaultyServer, Mailbox, ReceivedMail};
use crate::support::orders::add_order_to;
use crate::support::program::Installation;
use crate::support::rounds::rounds;
use crate::support::until;

/// An installation with an order, on which mail workers run.
pub struct Site {
    pub installation: Installation,
    db: Db,
    order: i64,
}

impl Site {
    pub async fn make() -> Self {
        let installation = Installation::make().await;
        let url = installation.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("the database opens"))
            .await
            .expect("the database opens");
        let order = add_order_to(&db, Completed, visadesk::clock::Clock::default().now(), |_| {}).await;
        Self { installation, db, order }
    }

    /// Starts `visadesk work` with this provider URL.
    fn work(&self, url: &str) -> Worker {
        let mut command = self.installation.command(&["work"]);
        command.env("VISADESK_MAIL__AWS", url).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(command.spawn().expect("the worker starts"))
    }

    pub async fn queue(&self, number: usize) -> i64 {
        let recipient = Address::parse(&format!("ana{number}@post.example")).expect("an address");
        let message =
            ComposedMail { subject: format!("Mail {number}"), text: "Text\n".into(), html: "<p>Text</p>\n".into() };
        let mail = NewMail::new(&Config::default(), OrderId(self.order), MailKind::Approval, recipient, message);
        let now = visadesk::clock::Clock::default().now();
        self.db.write(move |tx| outbox::queue(tx, &mail, now)).await.expect("the mail is queued")
    }

    /// Makes every postponed mail due now.
    async fn make_due(&self) {
        let updated = self.db.write(|tx| {
            let waiting = mails::table.filter(mails::due_at.is_not_null());
            diesel::update(waiting).set(mails::due_at.eq(long_ago())).execute(tx)?;
            Ok(())
        });
        updated.await.expect("the update succeeds");
    }

    /// Makes every postponed mail due now, and expires every lease.
    pub async fn expire_leases(&self) {
        self.make_due().await;
        let updated = self.db.write(|tx| {
            let leased = mails::table.filter(mails::leased_until.is_not_null());
            diesel::update(leased).set(mails::leased_until.eq(long_ago())).execute(tx)?;
            Ok(())
        });
        updated.await.expect("the update succeeds");
    }

    pub async fn states(&self) -> Vec<(i64, MailState)> {
        let rows = mails::table.order(mails::mail_id).select((mails::mail_id, mails::state));
        self.db.read(move |conn| Ok(rows.load(conn)?)).await.expect("the query succeeds")
    }

    /// The message ids of the mails in this state, without angle brackets.
    async fn message_ids(&self, state: MailState) -> Vec<String> {
        let rows = mails::table.filter(mails::state.eq(state)).select(mails::message_id.assume_not_null());
        let ids: Vec<String> = self.db.read(move |conn| Ok(rows.load(conn)?)).await.expect("the query succeeds");
        ids.iter().map(|id| id.trim_matches(['<', '>']).to_owned()).collect()
    }

    /// The end of the first mail's lease, and the time of the database.
    async fn lease(&self) -> (Timestamp, Timestamp) {
        let ends = mails::table.order(mails::mail_id).select(mails::leased_until.assume_not_null());
        let read = self.db.read(move |conn| Ok((ends.first(conn)?, db::database_now(conn)?)));
        read.await.expect("the query succeeds")
    }

    /// The attempts to send a mail, each with true if it has ended.
    async fn attempts_of(&self, mail_id: i64) -> Vec<bool> {
        let attempts = mail_attempts::table.filter(mail_attempts::mail_id.eq(mail_id)).order(mail_attempts::attempt);
        let ended = attempts.select(mail_attempts::ended_at.is_not_null());
        self.db.read(move |conn| Ok(ended.load(conn)?)).await.expect("the query succeeds")
    }

    /// The number of attempts.
    pub async fn attempts(&self) -> i64 {
        self.db.read(|conn| Ok(mail_attempts::table.count().get_result(conn)?)).await.expect("the query succeeds")
    }

    /// Waits for the provider's reply in this attempt, counted from 1, of the only mail.
    pub async fn answer_of_attempt(&self, attempt: i64) -> String {
        let answers = mail_attempts::table.order(mail_attempts::attempt).select(mail_attempts::answer);
        let index = usize::try_from(attempt - 1).expect("attempts count from 1");
        until("the attempt has a reply", async || {
            let answers: Vec<Option<String>> =
                self.db.read(move |conn| Ok(answers.load(conn)?)).await.expect("the query succeeds");
            answers.into_iter().nth(index).flatten()
        })
        .await
    }

    async fn open_attempts(&self) -> i64 {
        let open = mail_attempts::table.filter(mail_attempts::ended_at.is_null()).count();
        self.db.read(move |conn| Ok(open.get_result(conn)?)).await.expect("the query succeeds")
    }

    pub async fn wait_until_settled(&self) {
        until("no mail is queued", async || {
            self.states().await.iter().all(|(_, state)| *state != Queued).then_some(())
        })
        .await;
    }
}

fn long_ago() -> Timestamp {
    "2000-01-01T00:00:00Z".parse().expect("an instant")
}

/// A running worker. It is killed when the value is dropped.
pub struct Worker(pub Child);

impl Worker {
    fn kill(mut self) {
        self.0.kill().expect("the worker is running");
        self.0.wait().expect("the worker has exited");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ids(mails: &[ReceivedMail]) -> Vec<String> {
    mails.iter().map(ReceivedMail::message_id).collect()
}

#[tokio::test]
async fn a_mail_whose_worker_is_killed_before_the_text_is_sent_once() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let (silent, second_silent) = (FaultyServer::open(Fault::Silent).await, FaultyServer::open(Fault::Silent).await);
    for kills in 1..=3 {
        let worker = site.work(&silent.url());
        silent.wait_until(|server| server.connections() == kills).await;
        worker.kill();
        assert_eq!(site.open_attempts().await, 1);
        site.expire_leases().await;
        // The next worker first ends the interrupted attempt. The mail is due again afterwards.
        let worker = site.work(&second_silent.url());
        until("no attempt is open", async || (site.open_attempts().await == 0).then_some(())).await;
        worker.kill();
        site.make_due().await;
    }
    let mailbox = Mailbox::open();
    let _worker = site.work(&mailbox.url());
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(mailbox.mails().len(), 1);
}

#[tokio::test]
async fn a_mail_whose_worker_is_killed_after_the_text_is_sent_again_with_the_same_message_id() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let hangs = FaultyServer::open(Fault::HangAfterText).await;
    let worker = site.work(&hangs.url());
    hangs.wait_until(|server| server.received().len() == 1).await;
    worker.kill();
    assert_eq!(site.states().await, [(mail, Queued)], "a mail without the provider's reply is not marked as sent");
    site.expire_leases().await;
    let mailbox = Mailbox::open();
    let _worker = site.work(&mailbox.url());
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(ids(&mailbox.mails()), ids(&hangs.received()));
}

#[tokio::test]
async fn the_log_of_a_worker_holds_no_names_or_addresses() {
    let site = Site::make().await;
    for number in 1..=3 {
        site.queue(number).await;
    }
    let refuses = FaultyServer::open(Fault::Says("RCPT", "550 5.1.1 <ana@post.example> does not exist")).await;
    let mut command = site.installation.command(&["work"]);
    command.env("VISADESK_MAIL__AWS", refuses.url()).env("RUST_LOG", "trace").stdout(Stdio::null());
    // The log goes to a file, because a full pipe would block the worker.
    let mut log = tempfile::tempfile().expect("a file");
    let mut child = command.stderr(log.try_clone().expect("a handle")).spawn().expect("the worker starts");
    site.wait_until_settled().await;
    child.kill().expect("the worker is running");
    child.wait().expect("the worker has exited");
    let mut bytes = Vec::new();
    log.rewind().and_then(|()| log.read_to_end(&mut bytes)).expect("the log is read");
    let log = String::from_utf8_lossy(&bytes);
    assert_eq!(log.matches("a mail attempt ended").count(), 3, "{log}");
    assert!(!log.contains("post.example") && !log.contains("ana"), "{log}");
}

#[tokio::test]
async fn a_worker_finishes_its_mail_before_it_stops() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let slow = FaultyServer::open(Fault::Slow(300)).await;
    let worker = site.work(&slow.url());
    slow.wait_until(|server| server.connections() == 1).await;
    let mut child = worker;
    let signal = std::process::Command::new("sh").arg("-c").arg(format!("kill -TERM {}", child.0.id())).status();
    assert!(signal.expect("a shell").success());
    let ended =
        tokio::task::spawn_blocking(move || child.0.wait().expect("the worker exits")).await.expect("the worker exits");
    assert!(ended.success());
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(slow.received().len(), 1);
}

#[tokio::test]
async fn killed_at_any_moment_no_mail_is_lost_and_each_kill_causes_at_most_one_duplicate() {
    let site = Site::make().await;
    // Slow enough that most mails of a round are still being sent when the first was received.
    let server = FaultyServer::open(Fault::Slow(20)).await;
    let rounds = rounds(6, 100);
    let (mut queued, mut interrupted) = (0, 0);
    for round in 0..rounds {
        for _ in 0..8 {
            site.queue(queued).await;
            queued += 1;
        }
        let before = server.received().len();
        let worker = site.work(&server.url());
        server.wait_until(|server| server.received().len() > before).await;
        tokio::time::sleep(Duration::from_millis(10 * (round as u64 % 8))).await;
        worker.kill();
        interrupted += usize::from(site.open_attempts().await > 0);
        site.expire_leases().await;
    }
    assert!(interrupted > 0, "no kill interrupted an attempt");
    server.set(Fault::Nothing);
    let _worker = site.work(&server.url());
    until("every mail is settled", async || {
        site.make_due().await;
        site.states().await.iter().all(|(_, state)| *state != Queued).then_some(())
    })
    .await;
    let mut received = ids(&server.received());
    let copies = received.len();
    received.sort();
    received.dedup();
    // A mail that two kills interrupted in the middle of its text may not have arrived: it is shown as unknown, not as sent.
    let (sent, unknown) = (site.message_ids(Sent).await, site.message_ids(MailState::Unknown).await);
    assert_eq!(sent.len() + unknown.len(), queued, "every mail is sent or shown as unknown");
    assert!(sent.iter().all(|id| received.contains(id)), "every sent mail was received");
    assert!(copies - received.len() <= rounds, "{copies} copies of {} mails after {rounds} kills", received.len());
}

#[tokio::test]
async fn after_a_kill_a_mail_is_sent_again_as_soon_as_its_short_lease_ends() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let hangs = FaultyServer::open(Fault::HangAfterText).await;
    let worker = site.work(&hangs.url());
    hangs.wait_until(|server| server.received().len() == 1).await;
    worker.kill();
    let (leased_until, now) = site.lease().await;
    assert!(leases::LEASE <= TimeDelta::seconds(15) && leased_until <= now + leases::LEASE, "{leased_until:?} {now:?}");
    site.expire_leases().await;
    let mailbox = Mailbox::open();
    let _worker = site.work(&mailbox.url());
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(ids(&mailbox.mails()), ids(&hangs.received()));
}

#[tokio::test]
async fn a_mail_that_takes_longer_than_a_lease_stays_with_its_worker() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let hangs = FaultyServer::open(Fault::HangAfterText).await;
    let first = site.work(&hangs.url());
    hangs.wait_until(|server| server.received().len() == 1).await;
    let mailbox = Mailbox::open();
    let second = site.work(&mailbox.url());
    let (first_end, _) = site.lease().await;
    // More mails than one worker sends at once, and slow ones: when the second worker has sent one, it has looked for work.
    hangs.set(Fault::Slow(200));
    for number in 2..42 {
        site.queue(number).await;
    }
    until("the second worker sends mails", async || (!mailbox.mails().is_empty()).then_some(())).await;
    until("the first lease would have ended", async || (site.lease().await.1 > first_end).then_some(())).await;
    // A worker claims the mail that has been due longest first, so one that sends these would have taken over the first mail.
    let sent = mailbox.mails().len();
    for number in 42..82 {
        site.queue(number).await;
    }
    until("the second worker claims mails again", async || (mailbox.mails().len() > sent).then_some(())).await;
    assert_eq!(site.states().await[0], (mail, Queued));
    assert_eq!(site.attempts_of(mail).await, [false], "the first worker still sends the mail");
    drop((first, second));
}
