//! The statements of searches, and the indexes that answer them.

use diesel::prelude::*;
use diesel::sql_types::Text;
use visadesk::db::Conn;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Admin;

use crate::support::TestApp;
use crate::support::database::is_postgres;
use crate::support::statements::Statements;

/// The statements of a search, without their values.
async fn statements_of(test: &TestApp, statements: &Statements, term: &str) -> Vec<String> {
    let staff = test.as_staff(Admin, "Ayu");
    staff.search("allOrder", term).await;
    statements.take();
    assert_ne!(staff.search("allOrder", term).await.len(), 0, "{term}");
    let sent = statements.take().into_iter().map(|sql| sql.split(" -- binds").next().unwrap_or_default().to_owned());
    let is_of_search = |sql: &String| {
        ["search_text", "order_trigrams", "order_grams", "remark_trigrams"].iter().any(|name| sql.contains(name))
    };
    sent.filter(is_of_search).collect()
}

/// The plan of a statement without parameters. PostgreSQL does not read whole tables if it can avoid it.
pub fn plan(conn: &mut Conn, statement: &str) -> String {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text)]
        detail: String,
    }
    #[derive(QueryableByName)]
    struct PostgresLine {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    match conn {
        Conn::Sqlite(conn) => {
            let lines: Vec<Line> =
                diesel::sql_query(format!("EXPLAIN QUERY PLAN {statement}")).load(conn).expect("a plan");
            lines.into_iter().map(|line| line.detail).collect::<Vec<_>>().join("; ")
        }
        Conn::Postgres(conn) => {
            // A few rows are read faster without an index.
            diesel::sql_query("SET LOCAL enable_seqscan = off").execute(conn).expect("a setting");
            let lines: Vec<PostgresLine> =
                diesel::sql_query(format!("EXPLAIN {statement}")).load(conn).expect("a plan");
            lines.into_iter().map(|line| line.line).collect::<Vec<_>>().join("; ")
        }
    }
}

#[tokio::test]
async fn a_plain_term_asks_one_index_and_reads_the_candidates_and_an_accented_one_their_orders_too() {
    let test = TestApp::start().await;
    test.add_order_with(New, |order| order.full_name = "José García".into()).await;
    test.clock.stop();
    test.as_staff(Admin, "Ayu").id().await;
    let statements = Statements::watch(&test).await;
    let plain = statements_of(&test, &statements, "garcia").await;
    assert_eq!(plain.len(), 3, "the fields twice, and the remarks: {plain:#?}");
    assert!(plain.iter().all(|sql| !sql.contains("search_version") && !sql.contains("applications")), "{plain:#?}");
    let index = if is_postgres() {
        r#"SELECT "search_texts"."order_id" FROM "search_texts" WHERE ("search_texts"."search_text" LIKE $1 ESCAPE $2) LIMIT $3"#
    } else {
        "SELECT rowid FROM order_trigrams WHERE order_trigrams MATCH ? LIMIT ?"
    };
    assert_eq!(plain[0], index);
    let of_remarks = if is_postgres() {
        r#"SELECT "remarks"."remark_id" FROM "remarks" WHERE ("remarks"."search_text" LIKE $1 ESCAPE $2) LIMIT $3"#
    } else {
        "SELECT rowid FROM remark_trigrams WHERE remark_trigrams MATCH ? LIMIT ?"
    };
    assert_eq!(plain[2], of_remarks);
    let accented = statements_of(&test, &statements, "garcía").await;
    assert_eq!(accented.len(), 3, "{accented:#?}");
    assert!(accented.iter().all(|sql| !sql.contains("search_version")), "{accented:#?}");
}

#[tokio::test]
async fn each_question_to_an_index_is_answered_by_it() {
    let test = TestApp::start().await;
    test.add_order_with(New, |order| order.full_name = "José García".into()).await;
    let questions: &[(&str, &str)] = if is_postgres() {
        &[
            (
                r"SELECT order_id FROM search_texts WHERE search_text LIKE '%garcia%' ESCAPE '\'",
                "search_texts_trigrams",
            ),
            (
                r"SELECT remark_id FROM remarks WHERE search_text LIKE '%garcia%' ESCAPE '\' LIMIT 1001",
                "remarks_trigrams",
            ),
            (
                "SELECT order_id FROM search_texts WHERE order_grams(search_text) @> ARRAY['10002']",
                "search_texts_grams",
            ),
            (
                r"SELECT order_id FROM search_texts WHERE search_text LIKE '%garcia%' ESCAPE '\' AND search_text LIKE '%rcía%' ESCAPE '\' LIMIT 1001",
                "search_texts_trigrams",
            ),
        ]
    } else {
        &[
            (
                "SELECT rowid FROM order_trigrams WHERE order_trigrams MATCH '\"rcí\" AND \"cía\"' LIMIT 1001",
                "VIRTUAL TABLE INDEX",
            ),
            (
                "SELECT rowid FROM remark_trigrams WHERE remark_trigrams MATCH '\"rci\" AND \"cia\"' LIMIT 1001",
                "VIRTUAL TABLE INDEX",
            ),
            ("SELECT rowid FROM order_grams WHERE order_grams MATCH '\"e9\"' LIMIT 1001", "VIRTUAL TABLE INDEX"),
        ]
    };
    for &(statement, index) in questions {
        let plan = test.write(move |tx| Ok(plan(tx, statement))).await;
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{statement}: {plan}");
    }
}
