//! Statements that take too long are ended, on both databases.

use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::support::TestApp;

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    numbers: i64,
}

fn count_to(end: i64) -> String {
    format!(
        "WITH RECURSIVE number (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM number WHERE n < {end})
         SELECT count(*) AS numbers FROM number"
    )
}

#[tokio::test]
async fn a_statement_that_reads_for_longer_than_ten_seconds_is_ended_and_its_connection_goes_on() {
    let test = TestApp::start().await;
    let count = async |end| {
        test.app.db.read(move |conn| Ok(diesel::sql_query(count_to(end)).get_result::<Counted>(conn)?.numbers)).await
    };
    let since = Instant::now();
    let refused = count(300_000_000).await.expect_err("it would take minutes");
    assert_eq!(refused.code(), "statement_timed_out", "{refused}");
    assert_eq!(refused.retry_after_seconds(), Some(1));
    assert!(since.elapsed() >= Duration::from_secs(10), "it had its time");
    // More reads than there are connections.
    for _ in 0..20 {
        assert_eq!(count(50_000).await.expect("a short statement"), 50_000);
    }
}
