//! Orders for tests, and the contents of the folders.

use serde_json::json;
use visadesk::audit::store::Actor;
use visadesk::db::Db;
use visadesk::orders::facts::Application;
use visadesk::orders::new_order::{self, NewOrder};
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus;
use visadesk::timestamp::Timestamp;

use super::{Client, TestApp};

/// An unassigned regular order of Ana Putri with this status.
pub fn new_order(status: ProcessStatus, now: Timestamp) -> NewOrder {
    NewOrder {
        source_id: None,
        kept: Vec::new(),
        external_reference: None,
        process_status: status,
        status_before_deletion: None,
        processing_mode: ProcessingMode::Regular,
        processing_date: None,
        full_name: "Ana Putri".into(),
        contact_email_address: "ana@post.example".into(),
        country_code: Some("62".into()),
        phone_number: Some("8123456789".into()),
        nationality: Some("Australia".into()),
        visa_type: Some("C1".into()),
        assign_to: None,
        processed_by: None,
        processed_at: None,
        refund_date: None,
        created_at: now,
        application: Application::default(),
        checkout: None,
        payment: None,
        transaction: None,
    }
}

/// Adds an order to a database: [`new_order`] with the changes of `change`.
pub async fn add_order_to(db: &Db, status: ProcessStatus, now: Timestamp, change: impl FnOnce(&mut NewOrder)) -> i64 {
    let mut order = new_order(status, now);
    change(&mut order);
    db.write(move |tx| new_order::add(tx, &order, &Actor::program("test"), now)).await.expect("the order is added").0
}

impl TestApp {
    /// Adds an unassigned regular order of Ana Putri with this status and the changes of `change`.
    pub async fn add_order_with(&self, status: ProcessStatus, change: impl FnOnce(&mut NewOrder)) -> i64 {
        add_order_to(self.db(), status, self.clock.now(), change).await
    }

    /// Adds an order with this status.
    pub async fn add_order(&self, status: ProcessStatus) -> i64 {
        self.add_order_with(status, |_| {}).await
    }
}

impl Client<'_> {
    /// The ids of the first thousand orders in a folder.
    pub async fn list(&self, folder: &str) -> Vec<i64> {
        self.get(&format!("/admin/get-orders-list/{folder}?limit=1000")).await.order_ids()
    }

    /// The ids of the first hundred orders that a search finds.
    pub async fn search(&self, folder: &str, text: &str) -> Vec<i64> {
        let body = json!({ "start": 0, "end": 100, "searchVal": text, "folderName": folder });
        self.post("/admin/search-order", body).await.order_ids()
    }

    /// The number of orders in a folder, by the key of its count.
    pub async fn count(&self, key: &str) -> i64 {
        let answer = self.get("/admin/get-all-folder-count").await;
        answer.data()[key].as_i64().unwrap_or_else(|| panic!("{key} is not a number in {answer}"))
    }
}

impl super::Answer {
    /// The ids of the orders in a list.
    pub fn order_ids(&self) -> Vec<i64> {
        assert_eq!(self.status, 200, "{self}");
        let rows = self.data().as_array().unwrap_or_else(|| panic!("no list in {self}"));
        rows.iter().filter_map(|row| row["order_id"].as_i64()).collect()
    }
}
