//! An applicant, and the calls of the public pages.

use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::config::Config;
use visadesk::db::schema::documents;

use super::{Answer, Client, TestApp};

impl TestApp {
    /// Starts the program without rate limits on the public pages.
    pub async fn start_open() -> Self {
        Self::start_with(without_limits).await
    }

    /// A client with a grant for the order, obtained with the email of test orders.
    pub async fn as_visitor(&self, order: i64) -> Client<'_> {
        let tracked = self.anonymous().track(order, "ana@post.example").await;
        assert_eq!(tracked.status, 200, "{tracked}");
        self.with_token(tracked.json["visitorToken"].as_str().expect("a token"))
    }

    /// Adds the row of an issued visa and returns its file name. There is no stored file.
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

/// Removes the rate limits of the public pages, also for failed calls.
pub fn without_limits(config: &mut Config) {
    config.limits.wrong_emails_per_order = 1_000_000;
    config.limits.wrong_tries_per_email = 1_000_000;
    config.limits.tracks_per_address = 1_000_000;
    config.limits.public_calls_per_address = 1_000_000;
    config.limits.public_calls = 1_000_000;
    config.limits.tracks = 1_000_000;
}

impl Client<'_> {
    /// Tracks an order by its id and email.
    pub async fn track(&self, order: impl Into<Value>, email: &str) -> Answer {
        self.post("/front/track-order", json!({ "orderId": order.into(), "email": email })).await
    }

    /// Asks for a code by mail.
    pub async fn send_code(&self, order: impl Into<Value>, email: Option<&str>) -> Answer {
        self.post("/front/send-tracking-code", json!({ "orderId": order.into(), "email": email })).await
    }

    /// Confirms the order by the code, with the ticket of its request.
    pub async fn confirm_code(&self, order: impl Into<Value>, code: &str, ticket: &str) -> Answer {
        let body = json!({ "orderId": order.into(), "code": code, "codeToken": ticket });
        self.post("/front/confirm-tracking-code", body).await
    }

    /// Opens the order with the key of a mailed link.
    pub async fn open_link(&self, order: impl Into<Value>, key: &str) -> Answer {
        self.post("/front/open-mailed-link", json!({ "orderId": order.into(), "key": key })).await
    }

    /// Requests the status and the downloads of the order.
    pub async fn history(&self, order: impl Into<Value>) -> Answer {
        self.post("/front/get-download-history", json!({ "orderId": order.into() })).await
    }

    /// Requests the visa.
    pub async fn download(&self, order: impl Into<Value>, file1: impl Into<Value>) -> Answer {
        let body = json!({ "orderId": order.into(), "customername": "customer", "file1": file1.into() });
        self.post("/front/download-passport-doc-pdf", body).await
    }
}
