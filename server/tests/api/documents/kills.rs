//! The program killed in the middle of an upload: no row without a whole file, nothing acknowledged lost, nothing twice.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use chrono::TimeDelta;
use diesel::prelude::*;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::db::schema::{documents, idempotency};
use visadesk::db::{Db, lock_orders};
use visadesk::documents::sweeper;

use crate::intake::order;
use crate::support::TestApp;
use crate::support::papers::{pdf_with, stream};
use crate::support::program::{Installation, Program};

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

/// An installation with an order, and what is known of it from outside.
struct Desk {
    installation: Installation,
    api_key: String,
    db: Db,
}

impl Desk {
    async fn make() -> Self {
        let installation = Installation::make().await;
        let made = installation.run(&["api-key", "add", "shop"], "").stdout;
        let api_key = String::from_utf8(made).unwrap().trim().to_owned();
        let server = installation.serve(&[]);
        add_order(&server, &api_key).await;
        drop(server);
        let url = installation.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).unwrap()).await.unwrap();
        Self { installation, api_key, db }
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

    /// What must hold after every kill: the program starts, each row has its whole file, and each acknowledged upload its row.
    async fn check(&self, acknowledged: &[String]) {
        let found = self.installation.run(&["check-files"], "");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
        let kept = idempotency::table.filter(idempotency::key.like("upload-%")).select(idempotency::key);
        let kept: HashSet<String> = self.db.read(move |conn| Ok(kept.load(conn)?)).await.unwrap().into_iter().collect();
        assert_eq!(self.rows().await, kept.len(), "each upload made one row");
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
        sweeper::sweep(&test.app).await.unwrap();
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
    tokio::time::sleep(Duration::from_millis(100)).await;
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
    // The order is held, so that the row has to wait.
    let (held, holds) = mpsc::channel::<()>();
    let (release, released) = mpsc::channel::<()>();
    let (db, released) = (desk.db.clone(), std::sync::Mutex::new(released));
    let holding = tokio::spawn(async move {
        db.write(move |tx| {
            lock_orders(tx, &[100_001])?;
            let _ = held.send(());
            // Until the test says so, or has failed.
            let _ = released.lock().unwrap().recv();
            Ok(())
        })
        .await
    });
    tokio::task::spawn_blocking(move || holds.recv().unwrap()).await.unwrap();
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
    release.send(()).unwrap();
    holding.await.unwrap().unwrap();
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
            let (server, api_key) = (&server, &desk.api_key);
            async move {
                let answer = send(server, api_key, &key, large(50_000 * (number + 1), &mark)).await;
                answer.filter(|(status, _)| *status == 200).map(|_| key)
            }
        });
        let moment = Duration::from_millis(rand::random_range(0..400));
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
