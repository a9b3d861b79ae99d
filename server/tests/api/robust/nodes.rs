//! Two nodes are two processes: they share the database, the files and the secret, and nothing else.

use std::collections::HashSet;

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};
use visadesk::clock::Clock;
use visadesk::db::Db;
use visadesk::orders::rules::ProcessStatus::New;

use crate::support::orders::add_order_to;
use crate::support::program::{Installation, Program};

const PASSWORD: &str = "walks-on-the-beach-7";

/// Two running servers on one installation, with a member for each name.
struct Nodes {
    installation: Installation,
    nodes: [Program; 2],
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
        Self { installation, nodes }
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
        let request = reqwest::Client::new().post(self.nodes[node].url("/api/admin/admin-login"));
        let body = json!({ "email": format!("{name}@desk.example"), "password": password });
        let response = request.json(&body).send().await.expect("the node answers");
        (response.status(), response.json().await.expect("JSON"))
    }

    async fn token(&self, node: usize, name: &str) -> String {
        let (status, answer) = self.sign_in(node, name, PASSWORD).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["jwtToken"].as_str().expect("a token").to_owned()
    }

    async fn assign(&self, node: usize, token: &str, name: &str, orders: &[i64]) -> StatusCode {
        let request = reqwest::Client::new().put(self.nodes[node].url("/api/admin/assign-order-status"));
        let body = json!({ "orderId": orders, "assignto": name });
        request.header("authorization", token).json(&body).send().await.expect("the node answers").status()
    }

    async fn get(&self, node: usize, token: &str, path: &str) -> (StatusCode, Value) {
        let request = reqwest::Client::new().get(self.nodes[node].url(path)).header("authorization", token);
        let response = request.send().await.expect("the node answers");
        (response.status(), response.json().await.expect("JSON"))
    }
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
    let sign_out = reqwest::Client::new().post(nodes.nodes[1].url("/api/admin/sign-out"));
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
