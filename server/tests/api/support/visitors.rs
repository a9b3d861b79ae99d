//! An applicant, and what the public pages show.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::config::Config;
use visadesk::db::schema::documents;

use super::{Answer, Desk, TestApp};

impl TestApp {
    /// Starts the program with public pages that bear any number of calls.
    pub async fn start_open() -> Self {
        Self::start_with(without_limits).await
    }

    /// The applicant of that order, who has confirmed the email that orders for tests have.
    pub async fn as_visitor(&self, order: i64) -> Desk<'_> {
        let tracked = self.anonymous().track(order, "ana@post.example").await;
        assert_eq!(tracked.status, 200, "{tracked}");
        self.with_token(tracked.json["visitorToken"].as_str().expect("a token"))
    }

    /// Notes an issued visa for the order; answers its file's name. The file itself is not there.
    pub async fn add_visa(&self, order: i64) -> String {
        let (file1, now) = (format!("{:032x}", rand::random::<u128>()), self.clock.now());
        let name = file1.clone();
        self.write(move |tx| {
            let row = (
                documents::order_id.eq(order),
                documents::kind.eq("visa"),
                documents::file1.eq(&name),
                documents::original_name.eq("visa.pdf"),
                documents::media_type.eq("application/pdf"),
                documents::size_bytes.eq(10),
                documents::sha256.eq("00"),
                documents::created_at.eq(now),
            );
            Ok(diesel::insert_into(documents::table).values(row).execute(tx)?)
        })
        .await;
        file1
    }
}

/// Public pages that bear any number of calls, wrong ones too.
pub fn without_limits(config: &mut Config) {
    config.limits.wrong_emails_per_order = 1_000_000;
    config.limits.tracks_per_address = 1_000_000;
    config.limits.public_calls_per_address = 1_000_000;
    config.limits.public_calls = 1_000_000;
}

impl Desk<'_> {
    /// Names an order and an email.
    pub async fn track(&self, order: impl Into<Value>, email: &str) -> Answer {
        self.post("/front/track-order", json!({ "orderId": order.into(), "email": email })).await
    }

    /// Asks how the order stands.
    pub async fn history(&self, order: impl Into<Value>) -> Answer {
        self.post("/front/get-download-history", json!({ "orderId": order.into() })).await
    }

    /// Asks for the visa.
    pub async fn download(&self, order: impl Into<Value>, file1: impl Into<Value>) -> Answer {
        let body = json!({ "orderId": order.into(), "customername": "customer", "file1": file1.into() });
        self.post("/front/download-passport-doc-pdf", body).await
    }
}
