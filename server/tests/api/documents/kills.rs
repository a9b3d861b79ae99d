//! The program killed in the middle of an upload: no row without a whole file, nothing acknowledged lost, nothing twice.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use chrono::TimeDelta;
use diesel::prelude::*;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::db::Db;
use visadesk::db::schema::{documents, idempotency, mails, orders};
use visadesk::documents::sweeper;
use visadesk::orders::dialect::lock_orders;

use crate::intake::order;
use crate::support::papers::{pdf_with, stream};
use crate::support::program::{Installation, Program};
use crate::support::{PASSWORD, TestApp};

/// Takes the order 100001 in.
pub async fn add_order(server: &Program, key: &str) {
    let request = reqwest::Client::new().post(server.url("/api/intake/orders")).header("x-api-key", key);
    let answer = request.json(&order(json!({}))).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

/// Uploads a file for it: the answer's status and text, or nothing when the connection broke.
pub async fn send(server: &Program, api_key: &str, key: &str, content: Vec<u8>) -> Option<(u16, String)> {
    let form = Form::new().part("file", Part::bytes(content).file_name("x.pdf"));
    let url = server.url("/api/intake/orders/100001/documents/bank_statement");
    let request = reqwest::Client::new().post(url).header("x-api-key", api_key).header("idempotency-key", key);
    let answer = request.multipart(form).send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, answer.text().await.ok()?))
}

/// Uploads the issued visa for it, likewise.
async fn issue(server: &Program, token: &str, key: &str, content: Vec<u8>) -> Option<(u16, String)> {
    let form = Form::new().text("orderId", "100001").text("email", "ann@example.com");
    let form = form.part("uploadVisaDoc", Part::bytes(content).file_name("visa.pdf"));
    let request = reqwest::Client::new().post(server.url("/api/admin/upload-visa-document"));
    let request = request.header("authorization", token).header("idempotency-key", key);
    let answer = request.multipart(form).send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, answer.text().await.ok()?))
}

const ADD_BUDI: &[&str] =
    &["staff", "add", "--name", "Budi", "--email", "budi@desk.example", "--type", "Team", "--password-stdin"];

/// The token of Budi's session.
async fn sign_in(server: &Program) -> String {
    let request = reqwest::Client::new().post(server.url("/api/admin/admin-login"));
    let body = json!({ "email": "budi@desk.example", "password": PASSWORD });
    let answer: serde_json::Value = request.json(&body).send().await.unwrap().json().await.unwrap();
    answer["jwtToken"].as_str().unwrap().to_owned()
}

/// An installation with an order, and what is known of it from outside.
struct Desk {
    installation: Installation,
    api_key: String,
    /// Of a member of staff.
    token: String,
    db: Db,
}

impl Desk {
    async fn make() -> Self {
        let installation = Installation::make().await;
        let made = installation.run(&["api-key", "add", "shop"], "").stdout;
        let api_key = String::from_utf8(made).unwrap().trim().to_owned();
        let server = installation.serve(&[]);
        add_order(&server, &api_key).await;
        assert!(installation.run(ADD_BUDI, PASSWORD).status.success());
        let token = sign_in(&server).await;
        drop(server);
        let url = installation.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).unwrap()).await.unwrap();
        Self { installation, api_key, token, db }
    }

    /// Up to two hundred files, so that no quota stops the test.
    fn serve(&self) -> Program {
        self.installation.serve(&[("VISADESK_LIMITS__FILES_PER_ORDER", "200")])
    }

    fn files(&self) -> HashSet<PathBuf> {
        let entries = std::fs::read_dir(self.installation.folder().join("files")).unwrap();
        entries.map(|entry| entry.unwrap().path()).filter(|path| !path.to_string_lossy().contains('#')).collect()
    }

    async fn rows(&self) -> usize {
        let rows = self.db.read(|conn| Ok(documents::table.count().get_result::<i64>(conn)?)).await.unwrap();
        usize::try_from(rows).unwrap()
    }

    /// Waits until `is_so`, for as long as a slow machine may take.
    async fn until(&self, what: &str, is_so: impl AsyncFn() -> bool) {
        for _ in 0..2_000 {
            if is_so().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it never came to this: {what}");
    }

    /// Holds the order, so that whoever adds a row to it has to wait, until what this answers is dropped.
    async fn hold_order(&self) -> mpsc::Sender<()> {
        let (held, holds) = mpsc::channel::<()>();
        let (release, released) = mpsc::channel::<()>();
        let (db, released) = (self.db.clone(), Mutex::new(released));
        tokio::spawn(async move {
            let holding = db.write(move |tx| {
                lock_orders(tx, &[100_001])?;
                let _ = held.send(());
                let _ = released.lock().unwrap().recv();
                Ok(())
            });
            holding.await.unwrap();
        });
        tokio::task::spawn_blocking(move || holds.recv().unwrap()).await.unwrap();
        release
    }

    /// How the order stands, and how many mails there are about it.
    async fn told(&self) -> (String, usize) {
        let (status, told) = self
            .db
            .read(|conn| {
                let status = orders::table.find(100_001).select(orders::process_status).first::<String>(conn)?;
                Ok((status, mails::table.count().get_result::<i64>(conn)?))
            })
            .await
            .unwrap();
        (status, usize::try_from(told).unwrap())
    }

    /// What must hold after every kill: the program starts, each row has its whole file, each acknowledged upload its row, and
    /// each visa its mail and a completed order.
    async fn check(&self, acknowledged: &[String]) {
        let found = self.installation.run(&["check-files"], "");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
        let kept = idempotency::table.filter(idempotency::key.like("upload-%")).select(idempotency::key);
        let kept: HashSet<String> = self.db.read(move |conn| Ok(kept.load(conn)?)).await.unwrap().into_iter().collect();
        assert_eq!(self.rows().await, kept.len(), "each upload made one row");
        let visas = documents::table.filter(documents::kind.eq("visa")).count();
        let visas = self.db.read(move |conn| Ok(visas.get_result::<i64>(conn)?)).await.unwrap();
        let (status, told) = self.told().await;
        assert_eq!(
            (i64::try_from(told).unwrap(), status == "Completed"),
            (visas, visas > 0),
            "a visa, its mail, its order"
        );
        for key in acknowledged {
            assert!(kept.contains(key), "{key} was acknowledged and is lost");
        }
    }

    /// After a day and a sweep there are as many files as rows.
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

/// A PDF of about that many bytes.
fn large(bytes: usize, mark: &str) -> Vec<u8> {
    pdf_with("", &[&stream("", &mark.repeat(bytes / mark.len()))])
}

#[tokio::test]
async fn killed_while_half_of_it_has_come() {
    let desk = Desk::make().await;
    let server = desk.serve();
    let head = format!(
        "POST /api/intake/orders/100001/documents/bank_statement HTTP/1.1\r\nhost: desk\r\nx-api-key: {}\r\n\
         idempotency-key: upload-1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n\
         --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.pdf\"\r\n\r\n%PDF-1.7\n",
        desk.api_key
    );
    let mut wire = crate::support::wire::Wire::open(server.address).await;
    assert!(wire.send(head).await && wire.send(vec![b'x'; 50_000]).await);
    wire.until_read().await;
    drop(server);
    desk.check(&[]).await;
    assert_eq!((desk.rows().await, desk.files().len()), (0, 0));
    let server = desk.serve();
    assert_eq!(send(&server, &desk.api_key, "upload-1", large(100_000, "x")).await.unwrap().0, 200);
    drop(server);
    desk.check(&["upload-1".into()]).await;
}

#[tokio::test]
async fn killed_after_the_file_was_stored_and_before_its_row_was() {
    let desk = Desk::make().await;
    let server = desk.serve();
    let held = desk.hold_order().await;
    let content = large(300_000, "y");
    let waiting = send(&server, &desk.api_key, "upload-1", content.clone());
    let kill = async {
        desk.until("the file is stored", async || desk.files().len() == 1).await;
        server.kill();
    };
    // The program is ended while its request waits.
    let (answer, ()) = tokio::join!(waiting, kill);
    assert_eq!(answer, None);
    drop(server);
    drop(held);
    desk.check(&[]).await;
    assert_eq!((desk.rows().await, desk.files().len()), (0, 1), "a file without a row");

    let server = desk.serve();
    for _ in 0..2 {
        assert_eq!(send(&server, &desk.api_key, "upload-1", content.clone()).await.unwrap().0, 200);
    }
    drop(server);
    desk.check(&["upload-1".into()]).await;
    assert_eq!((desk.rows().await, desk.files().len()), (1, 2));
    desk.sweep().await;
}

#[tokio::test]
async fn a_visa_killed_before_its_row_leaves_no_mail_and_its_order_as_it_was() {
    let desk = Desk::make().await;
    let server = desk.serve();
    let held = desk.hold_order().await;
    let content = large(300_000, "v");
    let waiting = issue(&server, &desk.token, "upload-1", content.clone());
    let kill = async {
        desk.until("the file is stored", async || desk.files().len() == 1).await;
        server.kill();
    };
    let (answer, ()) = tokio::join!(waiting, kill);
    assert_eq!(answer, None);
    drop((server, held));
    desk.check(&[]).await;
    assert_eq!((desk.rows().await, desk.told().await.1), (0, 0));

    let server = desk.serve();
    for _ in 0..2 {
        assert_eq!(issue(&server, &desk.token, "upload-1", content.clone()).await.unwrap().0, 200);
    }
    drop(server);
    desk.check(&["upload-1".into()]).await;
    assert_eq!((desk.rows().await, desk.told().await), (1, ("Completed".into(), 1)));
    desk.sweep().await;
}

#[tokio::test]
async fn killed_after_the_row_was_kept_and_before_anybody_heard_of_it() {
    let desk = Desk::make().await;
    let server = desk.serve();
    let content = large(300_000, "z");
    // Whoever asks hears nothing: the answer stays in the wire.
    let form = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.pdf\"\r\n\r\n";
    let body = [&form[..], &content, b"\r\n--x--\r\n"].concat();
    let head = format!(
        "POST /api/intake/orders/100001/documents/bank_statement HTTP/1.1\r\nhost: desk\r\nx-api-key: {}\r\n\
         idempotency-key: upload-1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
        desk.api_key,
        body.len()
    );
    let mut wire = crate::support::wire::Wire::open(server.address).await;
    assert!(wire.send(head).await && wire.send(body).await);
    desk.until("the row is kept", async || desk.rows().await == 1).await;
    drop(server);
    desk.check(&[]).await;
    let server = desk.serve();
    assert_eq!(send(&server, &desk.api_key, "upload-1", content).await.unwrap().0, 200);
    drop(server);
    desk.check(&["upload-1".into()]).await;
    assert_eq!(desk.rows().await, 1, "the same upload once more made no second document");
    desk.sweep().await;
}

#[tokio::test]
async fn killed_at_any_moment() {
    let rounds = if std::env::var_os("VISADESK_TEST_LONG").is_some() { 100 } else { 6 };
    let desk = Desk::make().await;
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let server = desk.serve();
        let uploads = (0..3).map(|number| {
            let (key, mark) = (format!("upload-{round}-{number}"), format!("{round}.{number} "));
            let (server, desk, content) = (&server, &desk, large(50_000 * (number + 1), &mark));
            async move {
                let answer = match number {
                    0 => issue(server, &desk.token, &key, content).await,
                    _ => send(server, &desk.api_key, &key, content).await,
                };
                answer.filter(|(status, _)| *status == 200).map(|_| key)
            }
        });
        // Spread over the time that three uploads take, the same in each run.
        let moment = Duration::from_millis(round * 67 % 400);
        let kill = async {
            tokio::time::sleep(moment).await;
            server.kill();
        };
        let (heard, ()) = tokio::join!(futures_util::future::join_all(uploads), kill);
        acknowledged.extend(heard.into_iter().flatten());
        drop(server);
        desk.check(&acknowledged).await;
    }
    desk.sweep().await;
}
