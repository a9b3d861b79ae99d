//! The program is killed during an upload: no row without its file, no acknowledged upload lost, none stored twice.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use chrono::TimeDelta;
use diesel::prelude::*;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::db::Db;
use visadesk::db::schema::{documents, idempotency, mails, orders};
use visadesk::documents::sweeper;
use visadesk::ids::OrderId;
use visadesk::orders::dialect::lock_orders;

use crate::intake::order;
use crate::support::program::{Installation, Program};
use crate::support::rounds::rounds;
use crate::support::sample_files::{pdf_with, stream};
use crate::support::{PASSWORD, TestApp, http, until};

/// Creates order 100001.
pub async fn add_order(server: &Program, key: &str) {
    let request = http::client().post(server.url("/api/intake/orders")).header("x-api-key", key);
    let answer = request.json(&order(json!({}))).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

/// Uploads a file for order 100001. Returns status and body, or None if the connection broke.
pub async fn send(server: &Program, api_key: &str, key: &str, content: Vec<u8>) -> Option<(u16, String)> {
    try_send(server, api_key, key, content).await.ok()
}

async fn try_send(server: &Program, api_key: &str, key: &str, content: Vec<u8>) -> reqwest::Result<(u16, String)> {
    let form = Form::new().part("file", Part::bytes(content).file_name("x.pdf"));
    let url = server.url("/api/intake/orders/100001/documents/bank_statement");
    let request = http::client().post(url).header("x-api-key", api_key).header("idempotency-key", key);
    let answer = request.multipart(form).send().await?;
    Ok((answer.status().as_u16(), answer.text().await?))
}

/// Uploads the issued visa for order 100001. Returns the same as [`send`].
async fn upload_visa(server: &Program, token: &str, key: &str, content: Vec<u8>) -> Option<(u16, String)> {
    try_upload_visa(server, token, key, content).await.ok()
}

async fn try_upload_visa(server: &Program, token: &str, key: &str, content: Vec<u8>) -> reqwest::Result<(u16, String)> {
    let form = Form::new().text("orderId", "100001").text("email", "ann@example.com");
    let form = form.part("uploadVisaDoc", Part::bytes(content).file_name("visa.pdf"));
    let request = http::client().post(server.url("/api/admin/upload-visa-document"));
    let request = request.header("authorization", token).header("idempotency-key", key);
    let answer = request.multipart(form).send().await?;
    Ok((answer.status().as_u16(), answer.text().await?))
}

const ADD_BUDI: &[&str] =
    &["staff", "add", "--name", "Budi", "--email", "budi@desk.example", "--type", "Team", "--password-stdin"];

/// The token of Budi's session.
async fn sign_in(server: &Program) -> String {
    let request = http::client().post(server.url("/api/admin/admin-login"));
    let body = json!({ "email": "budi@desk.example", "password": PASSWORD });
    let answer: serde_json::Value = request.json(&body).send().await.unwrap().json().await.unwrap();
    answer["jwtToken"].as_str().unwrap().to_owned()
}

/// An installation with order 100001, an API key and a staff session.
struct Site {
    installation: Installation,
    api_key: String,
    /// The token of a staff session.
    token: String,
    db: Db,
}

impl Site {
    async fn make() -> Self {
        let installation = Installation::make().await;
        let output = installation.run(&["api-key", "add", "shop"], "").stdout;
        let api_key = String::from_utf8(output).unwrap().trim().to_owned();
        let server = installation.serve(&[]);
        add_order(&server, &api_key).await;
        assert!(installation.run(ADD_BUDI, PASSWORD).status.success());
        let token = sign_in(&server).await;
        drop(server);
        let url = installation.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).unwrap()).await.unwrap();
        Self { installation, api_key, token, db }
    }

    /// Starts the server with limits that do not stop the test.
    fn serve(&self) -> Program {
        self.installation.serve(&[
            ("VISADESK_LIMITS__FILES_PER_ORDER", "5000"),
            ("VISADESK_LIMITS__FILES_PER_MEMBER_AND_DAY", "5000"),
            // A visa of these tests has no text. It completes its order at once.
            ("VISADESK_DELIVERY__CHECK", "warn"),
        ])
    }

    fn files(&self) -> HashSet<PathBuf> {
        let entries = std::fs::read_dir(self.installation.folder().join("files")).unwrap();
        entries.map(|entry| entry.unwrap().path()).filter(|path| !path.to_string_lossy().contains('#')).collect()
    }

    async fn rows(&self) -> usize {
        let rows = self.db.read(|conn| Ok(documents::table.count().get_result::<i64>(conn)?)).await.unwrap();
        usize::try_from(rows).unwrap()
    }

    /// Locks the order until the returned sender is dropped, so that inserts of its documents wait.
    async fn lock_order(&self) -> mpsc::Sender<()> {
        let (locked_sender, locked) = mpsc::channel::<()>();
        let (release, released) = mpsc::channel::<()>();
        let (db, released) = (self.db.clone(), Mutex::new(released));
        tokio::spawn(async move {
            let transaction = db.write(move |tx| {
                lock_orders(tx, &[OrderId(100_001)])?;
                let _ = locked_sender.send(());
                let _ = released.lock().unwrap().recv();
                Ok(())
            });
            transaction.await.unwrap();
        });
        tokio::task::spawn_blocking(move || locked.recv().unwrap()).await.unwrap();
        release
    }

    /// The status of the order, and the number of mails.
    async fn status_and_mails(&self) -> (String, usize) {
        let (status, mail_count) = self
            .db
            .read(|conn| {
                let status = orders::table.find(100_001).select(orders::process_status).first::<String>(conn)?;
                Ok((status, mails::table.count().get_result::<i64>(conn)?))
            })
            .await
            .unwrap();
        (status, usize::try_from(mail_count).unwrap())
    }

    /// Checks the invariants after a kill: each row has its complete file, each acknowledged upload its row, and each visa
    /// its mail and a completed order.
    async fn check(&self, acknowledged: &[String]) {
        let check = self.installation.run(&["check-files"], "");
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
        let stored_keys = idempotency::table.filter(idempotency::key.like("upload-%")).select(idempotency::key);
        let stored_keys: HashSet<String> =
            self.db.read(move |conn| Ok(stored_keys.load(conn)?)).await.unwrap().into_iter().collect();
        assert_eq!(self.rows().await, stored_keys.len(), "each upload made one row");
        let visas = documents::table.filter(documents::kind.eq("visa")).count();
        let visas = self.db.read(move |conn| Ok(visas.get_result::<i64>(conn)?)).await.unwrap();
        let (status, mail_count) = self.status_and_mails().await;
        assert_eq!(
            (i64::try_from(mail_count).unwrap(), status == "Completed"),
            (visas, visas > 0),
            "each visa has its mail and completes its order"
        );
        for key in acknowledged {
            assert!(stored_keys.contains(key), "{key} was acknowledged but is lost");
        }
    }

    /// Sweeps a day later and checks that each remaining file has a row.
    async fn sweep(self) {
        let (rows, folder) = (self.rows().await, self.installation.folder().join("files"));
        let files = visadesk::files::Files::open(&visadesk::config::Config {
            files_url: format!("file://{}", folder.display()),
            ..visadesk::config::Config::default()
        });
        let test = TestApp::over(self.db.clone(), files.unwrap()).await;
        test.later(TimeDelta::hours(25));
        sweeper::sweep(&test.app.documents).await.unwrap();
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), rows);
    }
}

/// A PDF of about `bytes` bytes.
fn large(bytes: usize, mark: &str) -> Vec<u8> {
    pdf_with("", &[&stream("", &mark.repeat(bytes / mark.len()))])
}

#[tokio::test]
async fn killed_in_the_middle_of_the_request_body() {
    let site = Site::make().await;
    let server = site.serve();
    let head = format!(
        "POST /api/intake/orders/100001/documents/bank_statement HTTP/1.1\r\nhost: desk\r\nx-api-key: {}\r\n\
         idempotency-key: upload-1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n\
         --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.pdf\"\r\n\r\n%PDF-1.7\n",
        site.api_key
    );
    let mut wire = crate::support::wire::Wire::open(server.address).await;
    assert!(wire.send(head).await && wire.send(vec![b'x'; 50_000]).await);
    wire.until_read().await;
    drop(server);
    site.check(&[]).await;
    assert_eq!((site.rows().await, site.files().len()), (0, 0));
    let server = site.serve();
    assert_eq!(send(&server, &site.api_key, "upload-1", large(100_000, "x")).await.unwrap().0, 200);
    drop(server);
    site.check(&["upload-1".into()]).await;
}

#[tokio::test]
async fn killed_after_storing_the_file_and_before_inserting_its_row() {
    let site = Site::make().await;
    let server = site.serve();
    let lock = site.lock_order().await;
    let content = large(300_000, "y");
    let waiting = send(&server, &site.api_key, "upload-1", content.clone());
    let kill = async {
        until("the file is stored", async || (site.files().len() == 1).then_some(())).await;
        server.kill();
    };
    // The program is killed while its request waits for the lock.
    let (answer, ()) = tokio::join!(waiting, kill);
    assert_eq!(answer, None);
    drop(server);
    drop(lock);
    site.check(&[]).await;
    assert_eq!((site.rows().await, site.files().len()), (0, 1), "a file without a row");

    let server = site.serve();
    for _ in 0..2 {
        assert_eq!(send(&server, &site.api_key, "upload-1", content.clone()).await.unwrap().0, 200);
    }
    drop(server);
    site.check(&["upload-1".into()]).await;
    assert_eq!((site.rows().await, site.files().len()), (1, 2));
    site.sweep().await;
}

#[tokio::test]
async fn killed_before_inserting_a_visa_no_mail_is_queued_and_the_order_is_unchanged() {
    let site = Site::make().await;
    let server = site.serve();
    let lock = site.lock_order().await;
    let content = large(300_000, "v");
    let waiting = upload_visa(&server, &site.token, "upload-1", content.clone());
    let kill = async {
        until("the file is stored", async || (site.files().len() == 1).then_some(())).await;
        server.kill();
    };
    let (answer, ()) = tokio::join!(waiting, kill);
    assert_eq!(answer, None);
    drop((server, lock));
    site.check(&[]).await;
    assert_eq!((site.rows().await, site.status_and_mails().await.1), (0, 0));

    let server = site.serve();
    for _ in 0..2 {
        assert_eq!(upload_visa(&server, &site.token, "upload-1", content.clone()).await.unwrap().0, 200);
    }
    drop(server);
    site.check(&["upload-1".into()]).await;
    assert_eq!((site.rows().await, site.status_and_mails().await), (1, ("Completed".into(), 1)));
    site.sweep().await;
}

#[tokio::test]
async fn killed_after_inserting_the_row_and_before_the_client_reads_the_response() {
    let site = Site::make().await;
    let server = site.serve();
    let content = large(300_000, "z");
    // The client never reads the response.
    let form = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.pdf\"\r\n\r\n";
    let body = [&form[..], &content, b"\r\n--x--\r\n"].concat();
    let head = format!(
        "POST /api/intake/orders/100001/documents/bank_statement HTTP/1.1\r\nhost: desk\r\nx-api-key: {}\r\n\
         idempotency-key: upload-1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
        site.api_key,
        body.len()
    );
    let mut wire = crate::support::wire::Wire::open(server.address).await;
    assert!(wire.send(head).await && wire.send(body).await);
    until("the row is stored", async || (site.rows().await == 1).then_some(())).await;
    drop(server);
    site.check(&[]).await;
    let server = site.serve();
    assert_eq!(send(&server, &site.api_key, "upload-1", content).await.unwrap().0, 200);
    drop(server);
    site.check(&["upload-1".into()]).await;
    assert_eq!(site.rows().await, 1, "the repeated upload adds no second document");
    site.sweep().await;
}

/// Sends upload after upload until the connection breaks. Returns the keys of those that were acknowledged, and whether the last one was
/// interrupted: its request had been sent.
async fn send_until_killed(
    site: &Site,
    server: &Program,
    name: &str,
    acknowledged: &AtomicUsize,
) -> (Vec<String>, bool) {
    let mut keys = Vec::new();
    loop {
        let number = keys.len();
        let (key, content) =
            (format!("upload-{name}-{number}"), large(50_000 * (number % 3 + 1), &format!("{name}.{number} ")));
        let sent = match name.ends_with("visa") {
            true => try_upload_visa(server, &site.token, &key, content).await,
            false => try_send(server, &site.api_key, &key, content).await,
        };
        match sent {
            Ok((status, answer)) => assert_eq!(status, 200, "{key}: {answer}"),
            Err(error) => return (keys, !error.is_connect()),
        }
        keys.push(key);
        acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn killed_at_any_moment_an_acknowledged_upload_is_kept_and_an_interrupted_one_leaves_no_half() {
    let rounds = rounds(6, 100);
    let site = Site::make().await;
    let (mut acknowledged, mut interrupted) = (Vec::new(), 0);
    for round in 0..rounds {
        let server = site.serve();
        let count = AtomicUsize::new(0);
        let names = ["visa", "one", "two"].map(|name| format!("{round}-{name}"));
        let clients = names.iter().map(|name| send_until_killed(&site, &server, name, &count));
        // Each kill comes while the clients send, at another moment after some of their uploads.
        let kill = async {
            until("some uploads are acknowledged", async || (count.load(Ordering::SeqCst) > round % 3).then_some(()))
                .await;
            tokio::time::sleep(Duration::from_millis(round as u64 * 7 % 50)).await;
            server.kill();
        };
        let (ended, ()) = tokio::join!(futures_util::future::join_all(clients), kill);
        interrupted += ended.iter().filter(|(_, is_interrupted)| *is_interrupted).count();
        acknowledged.extend(ended.into_iter().flat_map(|(keys, _)| keys));
        drop(server);
        site.check(&acknowledged).await;
    }
    assert!(
        acknowledged.len() >= rounds && interrupted > 0,
        "{} acknowledged, {interrupted} interrupted",
        acknowledged.len()
    );
    site.sweep().await;
}
