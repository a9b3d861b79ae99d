//! Two nodes are two processes: they share the database, the files and the secret, and nothing else.

use std::collections::HashSet;

use futures_util::future::join_all;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use visadesk::clock::Clock;
use visadesk::db::Db;
use visadesk::orders::status::ProcessStatus::New;

use crate::support::http;
use crate::support::orders::add_order_to;
use crate::support::program::{Installation, Program};
use crate::support::sample_files::pdf;

const PASSWORD: &str = "walks-on-the-beach-7";

/// Two running servers on one installation, with a member for each name.
struct Nodes {
    installation: Installation,
    nodes: [Program; 2],
    /// One client, because making one takes longer than a request: two requests at once would come one after the other.
    client: Client,
}

impl Nodes {
    async fn start(names: &[&str]) -> Self {
        let installation = Installation::make().await;
        for name in names {
            let email = format!("{name}@desk.example");
            let add = ["staff", "add", "--name", name, "--email", &email, "--type", "Team", "--password-stdin"];
            assert!(installation.run(&add, PASSWORD).status.success());
        }
        let nodes = [installation.serve(&[]), installation.serve(&[])];
        Self { installation, nodes, client: http::client() }
    }

    async fn add_orders(&self, count: usize) -> Vec<i64> {
        let url = self.installation.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens");
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(add_order_to(&db, New, Clock::default().now(), |_| {}).await);
        }
        ids
    }

    async fn sign_in(&self, node: usize, name: &str, password: &str) -> (StatusCode, Value) {
        let request = self.client.post(self.nodes[node].url("/api/admin/admin-login"));
        let body = json!({ "email": format!("{name}@desk.example"), "password": password });
        answer(request.json(&body)).await
    }

    async fn token(&self, node: usize, name: &str) -> String {
        let (status, answer) = self.sign_in(node, name, PASSWORD).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["jwtToken"].as_str().expect("a token").to_owned()
    }

    async fn assign(&self, node: usize, token: &str, name: &str, orders: &[i64]) -> StatusCode {
        let request = self.client.put(self.nodes[node].url("/api/admin/assign-order-status"));
        let body = json!({ "orderId": orders, "assignto": name });
        request.header("authorization", token).json(&body).send().await.expect("the node answers").status()
    }

    async fn get(&self, node: usize, token: &str, path: &str) -> (StatusCode, Value) {
        answer(self.client.get(self.nodes[node].url(path)).header("authorization", token)).await
    }

    /// Adds a remark to the order, with this `Idempotency-Key`.
    async fn remark(&self, node: usize, token: &str, key: &str, order: i64) -> (StatusCode, Value) {
        let request = self.client.post(self.nodes[node].url("/api/admin/add-new-remark"));
        let request = request.header("authorization", token).header("idempotency-key", key);
        answer(request.json(&json!({ "orderId": order, "remark": "Called." }))).await
    }
}

async fn answer(request: RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.expect("the node answers");
    (response.status(), response.json().await.expect("JSON"))
}

#[tokio::test]
async fn an_order_taken_on_two_nodes_at_once_gets_one_owner() {
    let nodes = Nodes::start(&["Budi", "Sari"]).await;
    let orders = nodes.add_orders(20).await;
    let (budi, sari) = (nodes.token(0, "Budi").await, nodes.token(1, "Sari").await);
    let taken = join_all(orders.iter().map(async |order| {
        let order = [*order];
        tokio::join!(nodes.assign(0, &budi, "Budi", &order), nodes.assign(1, &sari, "Sari", &order))
    }));
    for (one, other) in taken.await {
        let mut both = [one, other];
        both.sort();
        assert_eq!(both, [StatusCode::OK, StatusCode::CONFLICT]);
    }
    let mut owned = HashSet::new();
    for (node, token) in [(1, &budi), (0, &sari)] {
        let (status, list) = nodes.get(node, token, "/api/admin/get-orders-list/myOrder?limit=100").await;
        assert_eq!(status, StatusCode::OK, "{list}");
        owned.extend(list["data"].as_array().expect("rows").iter().map(|row| row["order_id"].as_i64().expect("an id")));
    }
    assert_eq!(owned, orders.into_iter().collect(), "each node lists what the other assigned");
}

#[tokio::test]
async fn sessions_and_failed_sign_ins_hold_on_every_node() {
    let nodes = Nodes::start(&["Budi", "Sari"]).await;
    let budi = nodes.token(0, "Budi").await;
    let (status, answer) = nodes.get(1, &budi, "/api/user_info").await;
    assert_eq!((status, answer["data"]["name"].as_str()), (StatusCode::OK, Some("Budi")));
    let sign_out = nodes.client.post(nodes.nodes[1].url("/api/admin/sign-out"));
    let signed_out = sign_out.header("authorization", &budi).send().await.expect("the node answers");
    assert_eq!(signed_out.status(), StatusCode::OK);
    let (status, _) = nodes.get(0, &budi, "/api/user_info").await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "a session that ended on one node ends on the other");

    for attempt in 0..5 {
        let (status, answer) = nodes.sign_in(attempt % 2, "Sari", "wrong").await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{answer}");
    }
    for node in [0, 1] {
        let (status, answer) = nodes.sign_in(node, "Sari", PASSWORD).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
    }
}

#[tokio::test]
async fn a_file_uploaded_on_one_node_opens_on_both() {
    let nodes = Nodes::start(&["Budi"]).await;
    let order = nodes.add_orders(1).await[0];
    let key = nodes.installation.run(&["api-key", "add", "shop"], "").stdout;
    let key = String::from_utf8(key).expect("the key is text");
    let upload = format!("/api/intake/orders/{order}/documents/passport_picture");
    let upload = nodes.client.post(nodes.nodes[0].url(&upload)).header("x-api-key", key.trim());
    let form = Form::new().part("file", Part::bytes(pdf()).file_name("passport.pdf"));
    let (status, uploaded) = answer(upload.multipart(form)).await;
    assert_eq!(status, StatusCode::OK, "{uploaded}");

    let budi = nodes.token(1, "Budi").await;
    let details = format!("/api/admin/get-orders-details/{order}");
    for (signing, opening) in [(1, 1), (1, 0), (0, 1)] {
        let (_, details) = nodes.get(signing, &budi, &details).await;
        let link = details["data"]["documents"][0]["link"].as_str().expect("a link");
        let file = nodes.client.get(nodes.nodes[opening].url(&format!("/{link}"))).header("authorization", &budi);
        let file = file.send().await.expect("the node answers");
        assert_eq!(file.status(), StatusCode::OK, "signed by node {signing}, opened on node {opening}");
        assert_eq!(file.bytes().await.expect("the file"), pdf());
    }
}

#[tokio::test]
async fn one_key_sent_to_two_nodes_at_once_acts_once() {
    let nodes = Nodes::start(&["Budi"]).await;
    let order = nodes.add_orders(1).await[0];
    let budi = nodes.token(0, "Budi").await;
    let rounds = 20;
    for round in 0..rounds {
        let key = format!("remark {round}");
        let (one, other) = tokio::join!(nodes.remark(0, &budi, &key, order), nodes.remark(1, &budi, &key, order));
        let done = [&one, &other].into_iter().filter(|(status, _)| *status == StatusCode::OK);
        let done: Vec<&Value> = done.map(|(_, body)| body).collect();
        assert!(!done.is_empty() && done.iter().all(|body| *body == done[0]), "{one:?} {other:?}");
        for (status, body) in [&one, &other] {
            let is_put_off = (*status, &body["code"]) == (StatusCode::CONFLICT, &json!("request_in_progress"));
            assert!(*status == StatusCode::OK || is_put_off, "{status} {body}");
        }
    }
    let (_, details) = nodes.get(1, &budi, &format!("/api/admin/get-orders-details/{order}")).await;
    assert_eq!(details["data"]["remark"].as_array().map(Vec::len), Some(rounds), "{details}");
}
