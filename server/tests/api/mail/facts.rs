//! Facts of an order that change between the composing of its mail and the transaction that queues it.

use std::sync::{Mutex, mpsc};

use diesel::prelude::*;
use futures_util::future::join_all;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use visadesk::db::schema::{documents, mail_texts, orders};
use visadesk::orders::status::ProcessStatus::Awaiting;
use visadesk::staff::rules::StaffType::Team;

use super::all;
use crate::deliveries::visa;
use crate::support::database::{CONNECTIONS, is_postgres};
use crate::support::statements::Statements;
use crate::support::{Answer, Client, PATIENCE, TestApp, until};

/// The calls that queue a mail.
#[derive(Clone, Copy, Debug)]
enum Call {
    Resend,
    SendLink,
    UploadVisa,
}

impl Call {
    async fn make(self, desk: &Client<'_>, order: i64) -> Answer {
        let body = json!({ "orderId": order, "email": "ana@post.example" });
        match self {
            Self::Resend => desk.post("/admin/resend-mail", body).await,
            Self::SendLink => desk.post("/admin/send-download-mail", body).await,
            Self::UploadVisa => {
                let form = Form::new().text("orderId", order.to_string()).text("email", "ana@post.example");
                let form = form.part(
                    "uploadVisaDoc",
                    Part::bytes(visa("PA1234567", "ANA PUTRI", "17/05/1990")).file_name("visa.pdf"),
                );
                desk.upload("/admin/upload-visa-document", form).await
            }
        }
    }
}

/// Makes a call whose transaction begins only after the applicant has got another name. Its mail is composed with the old one.
///
/// Every writing connection is taken before the call: one has given the new name and does not commit, so that no reader sees it.
async fn call_before_a_new_name_commits(
    test: &TestApp,
    statements: &Statements,
    order: i64,
    call: impl Future<Output = Answer>,
) -> Answer {
    let (taken, mut all_taken) = tokio::sync::mpsc::unbounded_channel();
    let take = |is_renaming: bool| {
        let (release, released) = mpsc::channel::<()>();
        let (db, taken, released) = (test.db().clone(), taken.clone(), Mutex::new(released));
        let holding = tokio::spawn(async move {
            let held = db.write(move |tx| {
                if is_renaming {
                    diesel::update(orders::table.find(order)).set(orders::full_name.eq("Ana Wijaya")).execute(tx)?;
                }
                let _ = taken.send(());
                // An error means that the sender is dropped, which releases the connection.
                let _ = released.lock().expect("the mutex is not poisoned").recv();
                Ok(())
            });
            held.await.expect("it commits");
        });
        (release, holding)
    };
    let (commit, renaming) = take(true);
    let connections = if is_postgres() { CONNECTIONS } else { 1 };
    let others: Vec<_> = (1..connections).map(|_| take(false)).collect();
    for _ in 0..=others.len() {
        let is_taken = tokio::time::timeout(PATIENCE, all_taken.recv()).await;
        is_taken.expect("every connection can be taken");
    }
    statements.take();
    let commit_in_between = async {
        // After it has read the applicant, the call asks for the newest visa.
        let asks_for_visa = |text: &String| text.contains("GROUP BY") && text.contains("documents");
        until("a mail is composed", async || statements.take().iter().any(asks_for_visa).then_some(())).await;
        drop(commit);
    };
    let (answer, ()) = tokio::join!(call, commit_in_between);
    let (releases, holding): (Vec<_>, Vec<_>) = others.into_iter().unzip();
    drop(releases);
    for held in join_all(std::iter::once(renaming).chain(holding)).await {
        held.expect("the task ends");
    }
    answer
}

/// The texts of all mails.
async fn texts(test: &TestApp) -> Vec<String> {
    test.read(|conn| Ok(mail_texts::table.select(mail_texts::text_body).load(conn)?)).await
}

#[tokio::test]
async fn a_mail_composed_before_its_order_was_changed_is_refused_and_the_next_one_has_the_new_facts() {
    for call in [Call::Resend, Call::SendLink, Call::UploadVisa] {
        let test = TestApp::start().await;
        // The last use of the session would wait for a connection too.
        test.clock.stop();
        let order = test.add_order(Awaiting).await;
        let budi = test.as_staff(Team, "Budi");
        budi.id().await;
        let statements = Statements::watch(&test).await;
        let refused = call_before_a_new_name_commits(&test, &statements, order, call.make(&budi, order)).await;
        assert_eq!((refused.status, &refused.json["code"]), (409, &json!("mail_facts_changed")), "{call:?}: {refused}");
        assert_eq!(all(&test).await, [], "{call:?}");
        let stored: i64 = test.read(|conn| Ok(documents::table.count().get_result(conn)?)).await;
        assert_eq!(stored, 0, "{call:?}");

        let again = call.make(&budi, order).await;
        assert_eq!(again.status, 200, "{call:?}: {again}");
        let texts = texts(&test).await;
        assert!(texts.len() == 1 && texts[0].contains("Dear Ana Wijaya"), "{call:?}: {texts:?}");
    }
}
