//! Checks of papers that run by themselves.

mod corpus;
mod hostile;
mod lifecycle;
mod names;
mod photographs;

use std::path::PathBuf;

use serde_json::Value;
use visadesk::audit::store::Actor;
use visadesk::documents::rules::{MediaType, StoredFile};
use visadesk::documents::store::{self as documents, NewDocument};
use visadesk::error::Permission;
use visadesk::ids::OrderId;
use visadesk::orders::facts::Application;
use visadesk::orders::new_order::NewOrder;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::papers::{ocr, store};

pub use self::corpus::typed;
use crate::support::passports::Passport;
use crate::support::{Client, TestApp};

/// Tesseract, which `cargo xtask test` installs.
pub fn tesseract() -> PathBuf {
    ocr::find("").expect("tesseract-ocr is installed: cargo xtask test installs it")
}

/// Adds an order with what the owner of the passport types, and the changes of `change`.
pub async fn order_of(test: &TestApp, passport: &Passport, change: impl FnOnce(&mut NewOrder)) -> i64 {
    let typed = typed(passport);
    let fill_in = |order: &mut NewOrder| {
        order.full_name = typed.full_name;
        order.nationality = typed.nationality;
        order.application = Application {
            first_name: typed.first_name,
            last_name: typed.last_name,
            sex: typed.sex,
            date_of_birth: typed.date_of_birth,
            passport_from: typed.passport_from,
            document_number: typed.document_number,
            date_of_expiry: typed.date_of_expiry,
            ..Application::default()
        };
        change(order);
    };
    test.add_order_with(New, fill_in).await
}

/// Adds a file to order 100001 and requests its check.
async fn give(test: &TestApp, kind: &str, content: Vec<u8>) {
    give_to(test, 100_001, kind, content).await;
}

/// [`give`] to an order.
pub async fn give_to(test: &TestApp, order: i64, kind: &str, content: Vec<u8>) {
    let media_type = MediaType::of(&content).expect("a known type");
    let stored =
        test.app.documents.files.put(content.into(), Permission::in_background()).await.expect("the file is stored");
    let (kind, now, order) = (kind.to_owned(), test.clock.now(), OrderId(order));
    test.write(move |tx| {
        let file =
            StoredFile { stored: stored.clone(), original_name: "a file".into(), media_type, original_sha256: None };
        let new = NewDocument { order_id: order, kind: kind.clone(), file, uploaded_by: None };
        let document_id = documents::add(tx, &new, &Actor::program("a test"), now)?;
        store::request(tx, order, document_id, &kind, now)
    })
    .await;
}

/// The check of the passport of order 100001, as staff see it.
async fn papers(client: &Client<'_>) -> Value {
    let answer = client.get("/admin/order-papers/100001").await;
    assert_eq!(answer.status, 200, "{answer}");
    answer.data()["checks"][0].clone()
}
