//! Statements as they are sent, and what the server answers.

use std::pin::pin;
use std::sync::Arc;

use futures_util::TryStreamExt;
use tokio_postgres::{Client, Statement};

use super::rows::Bind;

/// A prepared statement, or the text of one that is used once.
#[derive(Clone)]
pub enum CachedStatement {
    Named(Arc<Statement>),
    Once(String),
}

impl PartialEq for CachedStatement {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(one), Self::Named(other)) => Arc::ptr_eq(one, other),
            (Self::Once(one), Self::Once(other)) => one == other,
            _ => false,
        }
    }
}

/// The result of a statement.
#[derive(Clone, Default)]
pub struct Answer {
    pub rows: Arc<Vec<tokio_postgres::Row>>,
    pub affected: u64,
}

/// Sends a statement and reads its rows.
pub async fn ask(
    client: &Client,
    statement: &CachedStatement,
    binds: Vec<Bind>,
) -> Result<Answer, tokio_postgres::Error> {
    let mut stream = pin!(match statement {
        CachedStatement::Named(statement) => client.query_raw(&**statement, binds).await?,
        // Parsed, bound and executed in one round trip.
        CachedStatement::Once(sql) => client.query_typed_raw(sql, binds.into_iter().map(Bind::with_type)).await?,
    });
    let mut rows = Vec::new();
    while let Some(row) = stream.try_next().await? {
        rows.push(row);
    }
    Ok(Answer { rows: Arc::new(rows), affected: stream.rows_affected().unwrap_or(0) })
}
