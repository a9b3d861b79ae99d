//! The yardstick of the bench: axum and rusqlite, with the URLs and the answers of Visadesk, and nothing else.
//!
//! `bare DATABASE MEMBER` serves a SQLite file of Visadesk on a free port of this machine, and prints where.

mod catalogue;
mod database;
mod details;
mod json;
mod lists;
mod writer;

use std::env;
use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::routing::{get, post, put};
use serde::Deserialize;
use tokio::net::TcpListener;

use lists::{Lists, Window};
use writer::{Assignment, Writer};

struct App {
    lists: Lists,
    writer: Writer,
}

type Answer = Response<Body>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (database, member) = (
        arguments.next().ok_or("call it with a database and a member's email")?,
        arguments.next().ok_or("a member's email is missing")?,
    );
    catalogue::load()?;
    database::set_path(database.into());
    let writer = Writer::start()?;
    let app = App { lists: database::read(|connection| Lists::new(connection, &member))?, writer };
    let router = Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/api/admin/get-all-folder-count", get(counts))
        .route("/api/admin/get-orders-list/allOrder", get(list))
        .route("/api/admin/search-order", post(search))
        .route("/api/admin/get-orders-details/{id}", get(order))
        .route("/api/admin/assign-order-status", put(assign))
        .with_state(Arc::new(app));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("ready at http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

async fn counts(State(app): State<Arc<App>>) -> Answer {
    answer(database::read(|connection| app.lists.counts(connection).map(Some)))
}

#[derive(Deserialize)]
struct PageQuery {
    page: i64,
    limit: i64,
}

async fn list(State(app): State<Arc<App>>, Query(PageQuery { page, limit }): Query<PageQuery>) -> Answer {
    let window = Window { start: (page - 1) * limit, length: limit };
    answer(database::read(|connection| app.lists.page(connection, window).map(Some)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchBody {
    start: i64,
    end: i64,
    search_val: String,
}

async fn search(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let Ok(SearchBody { start, end, search_val }) = serde_json::from_slice(&body) else { return refused() };
    let (term, window) = (search_val.to_lowercase(), Window { start, length: end - start });
    answer(database::read(|connection| app.lists.search(connection, &term, window).map(Some)))
}

async fn order(Path(id): Path<i64>) -> Answer {
    answer(database::read(|connection| details::find(connection, id)))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Selected {
    One(i64),
    Several(Vec<i64>),
}

#[derive(Deserialize)]
struct AssignBody {
    #[serde(rename = "orderId")]
    orders: Selected,
    assignto: String,
}

async fn assign(State(app): State<Arc<App>>, body: Bytes) -> Answer {
    let Ok(AssignBody { orders, assignto: owner }) = serde_json::from_slice(&body) else { return refused() };
    let orders = match orders {
        Selected::One(order) => vec![order],
        Selected::Several(orders) => orders,
    };
    if app.writer.assign(Assignment { orders, owner }).await {
        answer(Ok(Some(br#"{"status":1,"message":"Order has been assigned successfully"}"#.to_vec())))
    } else {
        refused()
    }
}

fn answer(found: rusqlite::Result<Option<Vec<u8>>>) -> Answer {
    match found {
        Ok(Some(json)) => {
            let mut response = Response::new(Body::from(json));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Ok(None) => status(StatusCode::NOT_FOUND),
        Err(error) => {
            eprintln!("{error}");
            status(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

fn refused() -> Answer {
    status(StatusCode::BAD_REQUEST)
}

fn status(status: StatusCode) -> Answer {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
