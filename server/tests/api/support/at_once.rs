//! Requests that the database serves at the same time.

use std::cell::Cell;

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use futures_util::future::{join, join_all};

use super::database::{apart, connect, is_postgres};
use super::{Answer, TestApp, until};

#[derive(QueryableByName)]
struct Waiting {
    #[diesel(sql_type = BigInt)]
    transactions: i64,
}

const WAITING: &str = "SELECT count(*) AS transactions FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// Makes all requests at once: on each node fewer than it has connections. On PostgreSQL a transaction takes the locks of the statement `hold`
/// until each request is answered or waits for a lock, so that a request that decides before it takes its locks does so on what the others are
/// about to change. SQLite has one writer.
pub async fn at_once(test: &TestApp, hold: &str, requests: Vec<impl Future<Output = Answer>>) -> Vec<Answer> {
    if !is_postgres() {
        return join_all(requests).await;
    }
    let mut holder = connect(&test.app.config.database_url);
    apart(|| holder.batch_execute(&format!("BEGIN; {hold}"))).expect("the locks are taken");
    let (count, answered) = (requests.len(), Cell::new(0));
    let answers = requests.into_iter().map(async |request| {
        let answer = request.await;
        answered.set(answered.get() + 1);
        answer
    });
    let release = async {
        until("each request is answered or waits", async || {
            let waiting = test.read(|conn| Ok(sql_query(WAITING).get_result::<Waiting>(conn)?)).await.transactions;
            (answered.get() + usize::try_from(waiting).expect("a count") >= count).then_some(())
        })
        .await;
        apart(|| holder.batch_execute("ROLLBACK")).expect("the locks are free");
    };
    join(join_all(answers), release).await.0
}
