//! kill -9 around the sending (safety F2): nothing is lost, and no kill makes more than one copy too many.

use std::io::{Read as _, Seek as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use chrono::NaiveDateTime;
use diesel::prelude::*;
use visadesk::db::Db;
use visadesk::db::schema::{mail_attempts, mails};
use visadesk::ids::OrderId;
use visadesk::mail::leases;
use visadesk::mail::outbox::{self, NewMail};
use visadesk::mail::rules::MailState::{Queued, Sent};
use visadesk::mail::rules::{Address, MailKind, MailState, Provider};
use visadesk::mail::templates::Composed;
use visadesk::orders::rules::ProcessStatus::Completed;

use crate::support::mailbox::{Arrived, Fault, Faulty, Mailbox};
use crate::support::orders::add_order_to;
use crate::support::program::Installation;

/// An installation with an order, and what a worker does on it.
pub struct Site {
    pub here: Installation,
    db: Db,
    order: i64,
}

impl Site {
    pub async fn make() -> Self {
        let here = Installation::make().await;
        let url = here.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens");
        let order = add_order_to(&db, Completed, visadesk::clock::Clock::default().now(), |_| {}).await;
        Self { here, db, order }
    }

    /// Starts `visadesk work`, with mails going to that address.
    fn work(&self, url: &str) -> Worker {
        let mut command = self.here.command(&["work"]);
        command.env("VISADESK_MAIL__AWS", url).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(command.spawn().expect("it starts"))
    }

    pub async fn queue(&self, number: usize) -> i64 {
        let mail = NewMail {
            order_id: OrderId(self.order),
            document_id: None,
            staff_id: None,
            kind: MailKind::Approval,
            recipient: Address::parse(&format!("ana{number}@post.example")).expect("an address"),
            provider: Provider::Aws,
            message: Composed {
                subject: format!("Mail {number}"),
                text: "Text\n".into(),
                html: "<p>Text</p>\n".into(),
            },
            message_id: outbox::draw_message_id("https://desk.example"),
        };
        let now = visadesk::clock::Clock::default().now();
        self.db.write(move |tx| outbox::queue(tx, &mail, now)).await.expect("it is queued")
    }

    /// As if enough time had passed: what was put off is due.
    async fn waits_pass(&self) {
        let passed = self.db.write(|tx| {
            let waiting = mails::table.filter(mails::due_at.is_not_null());
            diesel::update(waiting).set(mails::due_at.eq(long_ago())).execute(tx)?;
            Ok(())
        });
        passed.await.expect("time passes");
    }

    /// As if more time had passed: the leases of those that are gone have run out as well.
    pub async fn leases_pass(&self) {
        self.waits_pass().await;
        let passed = self.db.write(|tx| {
            let leased = mails::table.filter(mails::leased_until.is_not_null());
            diesel::update(leased).set(mails::leased_until.eq(long_ago())).execute(tx)?;
            Ok(())
        });
        passed.await.expect("time passes");
    }

    pub async fn states(&self) -> Vec<(i64, MailState)> {
        let rows = mails::table.order(mails::mail_id).select((mails::mail_id, mails::state));
        self.db.read(move |conn| Ok(rows.load(conn)?)).await.expect("they are there")
    }

    /// How many tries there were.
    pub async fn attempts(&self) -> i64 {
        self.db.read(|conn| Ok(mail_attempts::table.count().get_result(conn)?)).await.expect("they are there")
    }

    /// What the provider said in that try, from 1 on, of the one mail there is.
    pub async fn answer_of_attempt(&self, attempt: i64) -> String {
        let answers = mail_attempts::table.order(mail_attempts::attempt).select(mail_attempts::answer);
        for _ in 0..1_500 {
            let answers: Vec<Option<String>> =
                self.db.read(move |conn| Ok(answers.load(conn)?)).await.expect("they are there");
            let place = usize::try_from(attempt - 1).expect("from 1 on");
            if let Some(answer) = answers.into_iter().nth(place).flatten() {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("there is no try {attempt}")
    }

    async fn open_attempts(&self) -> i64 {
        let open = mail_attempts::table.filter(mail_attempts::ended_at.is_null()).count();
        self.db.read(move |conn| Ok(open.get_result(conn)?)).await.expect("they are there")
    }

    pub async fn wait_until_settled(&self) {
        for _ in 0..1_500 {
            if self.states().await.iter().all(|(_, state)| *state != Queued) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("mails still wait: {:?}", self.states().await);
    }
}

fn long_ago() -> NaiveDateTime {
    "2000-01-01T00:00:00".parse().expect("an instant")
}

/// A running worker, to be killed.
pub struct Worker(pub Child);

impl Worker {
    fn kill(mut self) {
        self.0.kill().expect("it lives");
        self.0.wait().expect("it is gone");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ids(mails: &[Arrived]) -> Vec<String> {
    mails.iter().map(Arrived::message_id).collect()
}

#[tokio::test]
async fn killed_before_the_text_a_mail_is_sent_once() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let (silent, also_silent) = (Faulty::open(Fault::Silent).await, Faulty::open(Fault::Silent).await);
    for kills in 1..=3 {
        let worker = site.work(&silent.url());
        silent.wait_until(|server| server.connections() == kills).await;
        worker.kill();
        assert_eq!(site.open_attempts().await, 1);
        site.leases_pass().await;
        // The first look only ends what was cut off; the mail is due again after that.
        let worker = site.work(&also_silent.url());
        while site.open_attempts().await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        worker.kill();
        site.waits_pass().await;
    }
    let mailbox = Mailbox::open();
    let _worker = site.work(&mailbox.url());
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(mailbox.mails().len(), 1);
}

#[tokio::test]
async fn killed_after_the_text_a_mail_is_sent_once_more_under_the_same_name() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let hangs = Faulty::open(Fault::HangAfterText).await;
    let worker = site.work(&hangs.url());
    hangs.wait_until(|server| server.arrived().len() == 1).await;
    worker.kill();
    assert_eq!(site.states().await, [(mail, Queued)], "only what was said to be taken is sent");
    site.leases_pass().await;
    let mailbox = Mailbox::open();
    let _worker = site.work(&mailbox.url());
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(ids(&mailbox.mails()), ids(&hangs.arrived()));
}

#[tokio::test]
async fn what_a_worker_logs_names_no_person() {
    let site = Site::make().await;
    for number in 1..=3 {
        site.queue(number).await;
    }
    let refuses = Faulty::open(Fault::Says("RCPT", "550 5.1.1 <ana@post.example> does not exist")).await;
    let mut command = site.here.command(&["work"]);
    command.env("VISADESK_MAIL__AWS", refuses.url()).env("RUST_LOG", "trace").stdout(Stdio::null());
    // A file takes any length; a full pipe would stop the worker.
    let mut log = tempfile::tempfile().expect("a file");
    let mut child = command.stderr(log.try_clone().expect("a handle")).spawn().expect("it starts");
    site.wait_until_settled().await;
    child.kill().expect("it lives");
    child.wait().expect("it is gone");
    let mut bytes = Vec::new();
    log.rewind().and_then(|()| log.read_to_end(&mut bytes)).expect("the log is read");
    let log = String::from_utf8_lossy(&bytes);
    assert_eq!(log.matches("a mail attempt ended").count(), 3, "{log}");
    assert!(!log.contains("post.example") && !log.contains("ana"), "{log}");
}

#[tokio::test]
async fn a_worker_told_to_stop_ends_the_mail_on_its_way() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let slow = Faulty::open(Fault::Slow(300)).await;
    let worker = site.work(&slow.url());
    slow.wait_until(|server| server.connections() == 1).await;
    let mut child = worker;
    let told = std::process::Command::new("sh").arg("-c").arg(format!("kill -TERM {}", child.0.id())).status();
    assert!(told.expect("a shell").success());
    let ended = tokio::task::spawn_blocking(move || child.0.wait().expect("it ends")).await.expect("it ends");
    assert!(ended.success());
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(slow.arrived().len(), 1);
}

#[tokio::test]
async fn killed_at_any_moment_nothing_is_lost_and_no_kill_makes_more_than_one_copy_of_a_mail() {
    let site = Site::make().await;
    // Slow enough that most of a round's mails are still on their way when the first has arrived.
    let server = Faulty::open(Fault::Slow(20)).await;
    let rounds = if std::env::var_os("VISADESK_TEST_LONG").is_some() { 100 } else { 6 };
    let (mut queued, mut hits) = (0, 0);
    for round in 0..rounds {
        for _ in 0..8 {
            site.queue(queued).await;
            queued += 1;
        }
        let before = server.arrived().len();
        let worker = site.work(&server.url());
        server.wait_until(|server| server.arrived().len() > before).await;
        tokio::time::sleep(Duration::from_millis(10 * (round as u64 % 8))).await;
        worker.kill();
        hits += usize::from(site.open_attempts().await > 0);
        site.leases_pass().await;
    }
    assert!(hits > 0, "no kill fell into the sending");
    server.set(Fault::Nothing);
    let _worker = site.work(&server.url());
    while site.states().await.iter().any(|(_, state)| *state == Queued) {
        site.waits_pass().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let mut arrived = ids(&server.arrived());
    let copies = arrived.len();
    arrived.sort();
    arrived.dedup();
    assert_eq!(arrived.len(), queued, "every mail has arrived");
    assert!(copies - queued <= rounds, "{copies} copies of {queued} mails after {rounds} kills");
    assert!(site.states().await.iter().all(|(_, state)| *state == Sent || *state == MailState::Unknown));
}

#[tokio::test]
async fn after_a_kill_a_mail_is_sent_again_within_half_a_minute() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let hangs = Faulty::open(Fault::HangAfterText).await;
    let worker = site.work(&hangs.url());
    hangs.wait_until(|server| server.arrived().len() == 1).await;
    worker.kill();
    let since = Instant::now();
    let mailbox = Mailbox::open();
    let _worker = site.work(&mailbox.url());
    let sent = tokio::time::timeout(Duration::from_secs(120), site.wait_until_settled()).await;
    sent.expect("it is sent again");
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert!(since.elapsed() < Duration::from_secs(30), "it took {:?}", since.elapsed());
    assert_eq!(ids(&mailbox.mails()), ids(&hangs.arrived()));
}

#[tokio::test]
async fn a_mail_that_takes_longer_than_a_lease_stays_with_its_worker() {
    let site = Site::make().await;
    let mail = site.queue(1).await;
    let hangs = Faulty::open(Fault::HangAfterText).await;
    let first = site.work(&hangs.url());
    hangs.wait_until(|server| server.arrived().len() == 1).await;
    let mailbox = Mailbox::open();
    let second = site.work(&mailbox.url());
    // Well over the time of a lease, and less than a provider may take to answer.
    tokio::time::sleep(leases::LEASE.to_std().expect("a duration") + Duration::from_secs(8)).await;
    assert_eq!(site.states().await, [(mail, Queued)]);
    assert_eq!((site.attempts().await, mailbox.mails().len()), (1, 0), "nobody else has taken it");
    drop((first, second));
}
