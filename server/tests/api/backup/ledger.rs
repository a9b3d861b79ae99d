//! Backups of a busy installation: what was acknowledged before a backup began is in it, and whatever is in it is whole.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use diesel::prelude::*;
use reqwest::Client;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use visadesk::db::schema::{audit, documents, remarks};
use visadesk::demo::people::{PASSWORD, PEOPLE};

use super::upgrades::the_disputed_order_is_whole;
use super::{back_up, everything, open, outcome, restore};
use crate::support::program::{Installation, Program};
use crate::support::rounds::rounds;
use crate::support::sample_files::pdf;
use crate::support::{TestApp, http, until};

/// The names of the remarks and files that were sent, and of those that the server acknowledged.
#[derive(Default)]
struct Ledger {
    asked: Mutex<BTreeSet<String>>,
    acknowledged: Mutex<BTreeSet<String>>,
}

impl Ledger {
    fn of(set: &Mutex<BTreeSet<String>>) -> BTreeSet<String> {
        set.lock().expect("the mutex is not poisoned").clone()
    }
}

/// Members and a sales site who work without a pause.
struct Work {
    client: Client,
    program: Program,
    token: String,
    api_key: String,
    ledger: Ledger,
    next: AtomicUsize,
    is_over: AtomicBool,
}

/// The orders of [`everything::installation`] that are worked on.
const ORDERS: std::ops::Range<usize> = 100_001..100_020;

impl Work {
    async fn start(installation: &Installation) -> Self {
        let key = outcome(installation, &["api-key", "add", "busy shop"]).expect("a key").trim().to_owned();
        // The upload limits would end the work.
        let program = installation.serve(&[("VISADESK_LIMITS__FILES_PER_ORDER", "100000")]);
        let client = http::client();
        let sign_in = json!({ "email": PEOPLE[0].1, "password": PASSWORD });
        let answer = client.post(program.url("/api/admin/admin-login")).json(&sign_in).send().await.expect("an answer");
        let answer: Value = answer.json().await.expect("it is JSON");
        let token = answer["jwtToken"].as_str().expect("a token").to_owned();
        Self {
            client,
            program,
            token,
            api_key: key,
            ledger: Ledger::default(),
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    /// Adds remarks and papers in turn until the work is over.
    async fn go_on(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let order = ORDERS.start + number % ORDERS.len();
            let name = format!("work-{number}.pdf");
            self.ledger.asked.lock().expect("the mutex is not poisoned").insert(name.clone());
            let request = if number.is_multiple_of(2) {
                let request = self.client.post(self.program.url("/api/admin/add-new-remark"));
                request.header("authorization", &self.token).json(&json!({ "orderId": order, "remark": name }))
            } else {
                let path = format!("/api/intake/orders/{order}/documents/bank_statement");
                let form = Form::new().part("file", Part::bytes(pdf()).file_name(name.clone()));
                self.client.post(self.program.url(&path)).header("x-api-key", &self.api_key).multipart(form)
            };
            let answer = request.send().await.expect("an answer");
            assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap_or_default());
            self.ledger.acknowledged.lock().expect("the mutex is not poisoned").insert(name);
        }
    }
}

/// The remarks and papers of the work in an installation. Each has its audit row, because they were committed together.
async fn found(installation: &Installation) -> BTreeSet<String> {
    let db = open(installation).await;
    let found = db.read(|conn| {
        let names: Vec<String> = documents::table
            .filter(documents::original_name.like("work-%"))
            .select(documents::original_name)
            .load(conn)?;
        let texts: Vec<String> =
            remarks::table.filter(remarks::remark.like("work-%")).select(remarks::remark).load(conn)?;
        let audited: i64 =
            audit::table.filter(audit::action.eq_any(["remark.add", "document.take-in"])).count().get_result(conn)?;
        // The two remarks of `everything`.
        assert_eq!(audited, 2 + (names.len() + texts.len()) as i64);
        Ok(names.into_iter().chain(texts).collect::<BTreeSet<String>>())
    });
    found.await.expect("it is read")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_before_a_backup_is_in_it_and_everything_in_it_is_whole() {
    let rounds = rounds(2, 20);
    let (from, _) = everything::installation().await;
    let from = Arc::new(from);
    let work = Arc::new(Work::start(&from).await);
    let workers: Vec<_> = (0..4)
        .map(|_| {
            let work = work.clone();
            tokio::spawn(async move { work.go_on().await })
        })
        .collect();
    for round in 1..=rounds {
        let enough = round * 20;
        until("there is work", async || (Ledger::of(&work.ledger.acknowledged).len() >= enough).then_some(())).await;
        let before = Ledger::of(&work.ledger.acknowledged);
        let source = from.clone();
        let (place, _) = tokio::task::spawn_blocking(move || back_up(&source, &[])).await.expect("the backup is made");
        let asked = Ledger::of(&work.ledger.asked);
        assert!(asked.len() > before.len(), "the work went on");

        let to = Installation::make_empty().await;
        restore(&to, &place, &[]).expect("it is restored");
        let found = found(&to).await;
        let lost: Vec<_> = before.difference(&found).collect();
        assert!(lost.is_empty(), "round {round}: {lost:?} are lost");
        assert!(found.is_subset(&asked), "nothing is made up");
        for check in ["check-files", "verify-audit"] {
            outcome(&to, &[check]).unwrap_or_else(|complaint| panic!("round {round}: {check}: {complaint}"));
        }
        the_disputed_order_is_whole(&TestApp::on(&to).await).await;
    }
    work.is_over.store(true, Ordering::Relaxed);
    for worker in workers {
        worker.await.expect("every request was answered");
    }
}
