//! Mails to members about their own account: a new device, and changes of how they sign in.

use std::io::{Read as _, Seek as _};
use std::process::{Child, Stdio};

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::{staff, staff_mails};
use visadesk::mail::{to_members, worker};
use visadesk::orders::status::ProcessStatus::Completed;
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::timestamp::Timestamp;

use super::to_server;
use crate::second_factor::passkeys::add_passkey;
use crate::second_factor::{challenge, enrol, second_step};
use crate::support::mailbox::{Fault, FaultyServer, Mailbox, ReceivedMail};
use crate::support::program::Installation;
use crate::support::{Answer, PASSWORD, TestApp, until};

const EMAIL: &str = "budi@visa-agency.net";
const CHROME: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/18.5 Mobile/15E148 Safari/604.1";

async fn with_mailbox() -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        to_server(config, &mailbox.url());
        // The address of the passkeys of `Device`.
        config.public_url = "http://localhost:8080".into();
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
    })
    .await;
    (test, mailbox)
}

/// Gives the member a mailbox at a domain that is not reserved.
async fn give_mailbox(test: &TestApp, staff_id: i64, email: &'static str) {
    test.write(move |tx| {
        let row = staff::table.filter(staff::staff_id.eq(staff_id));
        diesel::update(row).set((staff::email.eq(email), staff::email_key.eq(email))).execute(tx)?;
        Ok(())
    })
    .await;
}

async fn sign_in_with(test: &TestApp, user_agent: &str, address: &str) -> Answer {
    let desk = test.anonymous();
    let request = desk.request(reqwest::Method::POST, "/api/admin/admin-login").await;
    let request = request.header("user-agent", user_agent).header("x-forwarded-for", address);
    desk.send(request.json(&json!({ "email": EMAIL, "password": PASSWORD }))).await
}

/// Sends what waits, and returns what the mailbox received since the last call.
async fn received(test: &TestApp, mailbox: &Mailbox, seen: &mut usize) -> Vec<ReceivedMail> {
    while to_members::send_next(&test.app.mail).await.expect("the mails are sent") {}
    let new = mailbox.mails().split_off(*seen);
    *seen += new.len();
    new
}

fn text(mail: &ReceivedMail) -> String {
    mail.message().body_text(0).expect("a text").replace("\r\n", "\n")
}

async fn waiting(test: &TestApp) -> i64 {
    test.read(|conn| Ok(staff_mails::table.count().get_result(conn)?)).await
}

#[tokio::test]
async fn a_new_device_is_mailed_once_a_day_and_never_at_the_first_sign_in() {
    let (test, mailbox) = with_mailbox().await;
    give_mailbox(&test, test.add_member(Team, "Budi").await, EMAIL).await;
    let mut seen = 0;
    let newer = CHROME.replace("138", "151");
    for (user_agent, address) in [(CHROME, "8.8.8.8"), (CHROME, "8.8.4.4"), (&*newer, "8.8.8.8")] {
        assert_eq!(sign_in_with(&test, user_agent, address).await.status, 200);
    }
    assert_eq!(received(&test, &mailbox, &mut seen).await, [], "the first device is the member's own");

    assert_eq!(sign_in_with(&test, FIREFOX, "8.8.8.8").await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to, [EMAIL]);
    assert_eq!(mails[0].message().subject(), Some("A new device signed in to your account (Visa Desk)"));
    let text = text(&mails[0]);
    for part in ["Dear Budi,", "Device: Firefox on Linux\nPlace: United States\nTime: ", " UTC\n", "tell an Admin"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(mails[0].message().body_html(0).is_some_and(|html| html.contains("Firefox on Linux")));
    assert!(!mails[0].text.contains(PASSWORD) && mails[0].header("X-SES-MESSAGE-TAGS").is_none());

    assert_eq!(sign_in_with(&test, SAFARI, "8.8.8.8").await.status, 200);
    assert_eq!(received(&test, &mailbox, &mut seen).await, [], "one such mail a day");
    test.later(TimeDelta::hours(25));
    for known in [CHROME, FIREFOX, SAFARI] {
        assert_eq!(sign_in_with(&test, known, "8.8.8.8").await.status, 200);
    }
    assert_eq!(received(&test, &mailbox, &mut seen).await, [], "all three are known by now");
    assert_eq!(sign_in_with(&test, SAFARI, "1.1.1.1").await.status, 200);
    assert_eq!(received(&test, &mailbox, &mut seen).await.len(), 1, "a known device in another country");
    let wrong = json!({ "email": EMAIL, "password": "a wrong password" });
    test.later(TimeDelta::hours(25));
    assert_eq!(test.anonymous().post("/admin/admin-login", wrong).await.status, 401);
    assert_eq!(received(&test, &mailbox, &mut seen).await, [], "no one has signed in");
}

#[tokio::test]
async fn a_sign_in_with_a_second_factor_is_mailed_when_it_is_complete() {
    let (test, mailbox) = with_mailbox().await;
    let budi = test.as_staff(Team, "Budi");
    give_mailbox(&test, budi.id().await, EMAIL).await;
    assert_eq!(sign_in_with(&test, CHROME, "8.8.8.8").await.status, 200);
    let (phone, _) = enrol(&test, &budi).await;
    let mut seen = 0;
    received(&test, &mailbox, &mut seen).await;
    let open = challenge(&test, EMAIL).await;
    assert_eq!(received(&test, &mailbox, &mut seen).await, [], "half a sign-in");
    assert_eq!(second_step(&test, &open, &phone.code(&test)).await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!(mails.len(), 1);
    assert!(text(&mails[0]).contains("Device: Unknown on Unknown"), "{}", text(&mails[0]));
}

/// Recipient, first line and author of each mail.
fn summaries(mails: &[ReceivedMail]) -> Vec<(String, String, String)> {
    let summary = |mail: &ReceivedMail| {
        let text = text(mail);
        let event = text.lines().nth(2).expect("an event").trim_end_matches('.').to_owned();
        let by = text.lines().find_map(|line| line.strip_prefix("By: ")).expect("an author").to_owned();
        (mail.to.join(" "), event, by)
    };
    mails.iter().map(summary).collect()
}

#[tokio::test]
async fn changes_of_how_a_member_signs_in_are_mailed_to_the_member() {
    let (test, mailbox) = with_mailbox().await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    let id = budi.id().await;
    give_mailbox(&test, id, EMAIL).await;
    let (own, mut seen) = ("your own account", 0);
    let mail = |event: &str, by: &str| (EMAIL.to_owned(), event.to_owned(), by.to_owned());

    let (_, codes) = enrol(&test, &budi).await;
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!(summaries(&mails), [mail("An authenticator app was set up for your account", own)]);
    assert!(codes.iter().all(|code| !mails[0].text.contains(code)), "no code is in it");

    assert_eq!(budi.post("/admin/confirm-identity", json!({ "code": codes[0] })).await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!(summaries(&mails), [mail("A recovery code of your account was used", own)]);
    assert_eq!(budi.post("/admin/confirm-identity", json!({ "code": codes[0] })).await.status, 422);

    assert_eq!(budi.post("/admin/make-recovery-codes", json!({})).await.status, 200);
    assert_eq!(budi.post("/admin/remove-authenticator", json!({})).await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    let removed = mail("The authenticator app of your account was removed", own);
    assert_eq!(
        summaries(&mails),
        [mail("New recovery codes were made for your account", own), removed],
        "and the code that counted once was mailed once"
    );

    add_passkey(&budi, "Laptop").await;
    let passkey = budi.get("/admin/second-factor").await.data()["passkeys"][0]["id"].clone();
    assert_eq!(budi.post("/admin/remove-passkey", json!({ "id": passkey })).await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    let events = ["A passkey was added to your account", "A passkey of your account was removed"];
    assert_eq!(summaries(&mails), events.map(|event| mail(event, own)));

    enrol(&test, &budi).await;
    assert_eq!(ayu.post("/admin/remove-second-factor", json!({ "tmId": id })).await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!(summaries(&mails)[1..], [mail("The second factor of your account was removed", "Ayu")]);

    let update = |email: &str, password: &str| json!({ "tmId": id, "name": "Budi", "email": email, "type": "Team", "password": password });
    let set = async |body: Value| assert_eq!(ayu.post("/admin/update-team-member", body).await.status, 200);
    set(update(EMAIL, "another long password")).await;
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!(summaries(&mails), [mail("The password of your account was changed", "Ayu")]);
    assert!(!mails[0].text.contains("another long password"));

    set(update("budi@new-agency.net", "")).await;
    let mails = received(&test, &mailbox, &mut seen).await;
    let changed = "The email address of your account was changed";
    let to_new = ("budi@new-agency.net".to_owned(), changed.to_owned(), "Ayu".to_owned());
    assert_eq!(summaries(&mails), [mail(changed, "Ayu"), to_new]);
    assert!(!mails[0].text.contains("new-agency"), "the old address does not learn the new one");

    set(update("budi@new-agency.net", "")).await;
    assert_eq!(received(&test, &mailbox, &mut seen).await, [], "nothing changed");
    let again = test.begin_session(id, visadesk::staff::tokens::Remember::No).await;
    let change = json!({ "newPassword": "one more long password" });
    assert_eq!(test.with_token(again.token).post("/admin/change-password", change).await.status, 200);
    let mails = received(&test, &mailbox, &mut seen).await;
    assert_eq!((mails.len(), summaries(&mails)[0].2.as_str()), (1, own));
}

#[tokio::test]
async fn a_refused_change_and_addresses_of_the_demo_get_no_mail() {
    let test = TestApp::start().await;
    let (ayu, budi) = (test.as_staff(Admin, "Ayu"), test.as_staff(Team, "Budi"));
    enrol(&test, &budi).await;
    assert_eq!(waiting(&test).await, 0, "visadesk.example has no mailboxes");
    let id = budi.id().await;
    give_mailbox(&test, id, EMAIL).await;
    let stale = json!({ "tmId": id, "name": "Budi", "email": EMAIL, "type": "Team", "password": "another long password",
        "updated_at": "2020-01-01T00:00:00Z" });
    assert_eq!(ayu.post("/admin/update-team-member", stale).await.status, 409);
    assert_eq!(waiting(&test).await, 0);
}

#[tokio::test]
async fn mails_to_members_are_in_no_history_of_an_order_and_need_no_provider() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let ayu = test.as_staff(Admin, "Ayu");
    give_mailbox(&test, ayu.id().await, EMAIL).await;
    enrol(&test, &ayu).await;
    assert_eq!(worker::send_due(&test.app.mail).await.expect("the mails about orders are sent"), 0);
    assert!(to_members::send_next(&test.app.mail).await.expect("the mail is sent"));
    assert_eq!(waiting(&test).await, 0, "delivered mails are deleted");
    let files = std::fs::read_dir(test.app.config.data_dir.join("mail")).expect("the folder").count();
    assert_eq!(files, 1, "without a provider it is a file");
    let details = ayu.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["mailHistory"], json!([]));
}

#[tokio::test]
async fn a_mail_to_a_member_waits_for_its_provider_and_is_given_up_after_a_day() {
    let server = FaultyServer::open(Fault::Says("RCPT", "451 4.3.0 later")).await;
    let test = TestApp::start_with(|config| to_server(config, &server.url())).await;
    let budi = test.as_staff(Team, "Budi");
    give_mailbox(&test, budi.id().await, EMAIL).await;
    enrol(&test, &budi).await;
    let send = async || to_members::send_next(&test.app.mail).await.expect("an attempt");
    assert!(send().await);
    assert!(!send().await, "it waits before the next attempt");
    test.later(TimeDelta::hours(23));
    assert!(send().await);
    assert_eq!(waiting(&test).await, 1);
    test.later(TimeDelta::hours(2));
    assert!(send().await);
    assert_eq!((waiting(&test).await, server.received().len()), (0, 0));
}

/// A running worker of mails, which is killed when the value is dropped.
struct Worker(Child);

impl Worker {
    fn start(installation: &Installation, url: &str, log: Option<&std::fs::File>) -> Self {
        let mut command = installation.command(&["work"]);
        command.env("VISADESK_MAIL__AWS", url).env("RUST_LOG", "trace").stdout(Stdio::null());
        let log = log.map_or_else(Stdio::null, |log| log.try_clone().expect("a handle").into());
        Self(command.stderr(log).spawn().expect("the worker starts"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.kill().expect("the worker is running");
        self.0.wait().expect("the worker has exited");
    }
}

async fn expire_leases(test: &TestApp) {
    let past: Timestamp = "2000-01-01T00:00:00Z".parse().expect("an instant");
    test.write(move |tx| {
        let leased = staff_mails::table.filter(staff_mails::leased_until.is_not_null());
        diesel::update(leased).set((staff_mails::leased_until.eq(past), staff_mails::due_at.eq(past))).execute(tx)?;
        Ok(())
    })
    .await;
}

/// An installation in which a mail to Budi waits.
async fn with_one_mail() -> (Installation, TestApp) {
    let installation = Installation::make().await;
    let test = TestApp::on(&installation).await;
    let budi = test.as_staff(Team, "Budi");
    give_mailbox(&test, budi.id().await, EMAIL).await;
    enrol(&test, &budi).await;
    assert_eq!(waiting(&test).await, 1);
    (installation, test)
}

async fn until_none_waits(test: &TestApp) {
    until("no mail waits", async || (waiting(test).await == 0).then_some(())).await;
}

#[tokio::test]
async fn a_mail_to_a_member_whose_worker_is_killed_before_the_text_is_sent_once() {
    let (installation, test) = with_one_mail().await;
    let silent = FaultyServer::open(Fault::Silent).await;
    for kills in 1..=3 {
        let worker = Worker::start(&installation, &silent.url(), None);
        silent.wait_until(|server| server.connections() == kills).await;
        drop(worker);
        expire_leases(&test).await;
    }
    let mailbox = Mailbox::open();
    let _worker = Worker::start(&installation, &mailbox.url(), None);
    until_none_waits(&test).await;
    assert_eq!(mailbox.mails().len(), 1);
}

#[tokio::test]
async fn a_mail_to_a_member_whose_workers_are_killed_after_the_text_is_sent_twice_at_most() {
    let (installation, test) = with_one_mail().await;
    let hangs = FaultyServer::open(Fault::HangAfterText).await;
    for kills in 1..=2 {
        let worker = Worker::start(&installation, &hangs.url(), None);
        hangs.wait_until(|server| server.received().len() == kills).await;
        drop(worker);
        assert_eq!(waiting(&test).await, 1, "a mail without the provider's reply is not lost");
        expire_leases(&test).await;
    }
    let mailbox = Mailbox::open();
    let _worker = Worker::start(&installation, &mailbox.url(), None);
    until_none_waits(&test).await;
    assert_eq!(mailbox.mails(), []);
    let ids: Vec<String> = hangs.received().iter().map(ReceivedMail::message_id).collect();
    assert_eq!(ids[0], ids[1], "receivers recognise the second copy");
}

#[tokio::test]
async fn the_log_of_mails_to_members_holds_no_names_or_addresses() {
    let (installation, test) = with_one_mail().await;
    let refuses = FaultyServer::open(Fault::Says("RCPT", "550 5.1.1 <budi@visa-agency.net> does not exist")).await;
    // The log goes to a file, because a full pipe would block the worker.
    let mut log = tempfile::tempfile().expect("a file");
    let worker = Worker::start(&installation, &refuses.url(), Some(&log));
    until_none_waits(&test).await;
    drop(worker);
    let mut bytes = Vec::new();
    log.rewind().and_then(|()| log.read_to_end(&mut bytes)).expect("the log is read");
    let log = String::from_utf8_lossy(&bytes);
    assert_eq!(log.matches("a mail to a member was given up").count(), 1, "{log}");
    assert!(!log.contains("visa-agency") && !log.contains("Budi"), "{log}");
}
