//! The queries of orders that SQLite and PostgreSQL spell differently.

use std::marker::PhantomData;

use chrono::NaiveDate;
use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{self, Array, BigInt, Bool, Date, Text};
use diesel::sqlite::Sqlite;

use super::grams::{self, TermParts, like_patterns, match_digit_runs, match_grams, match_trigrams, trigrams};
use super::rules::next_order::FreeOrder;
use super::search::Term;
use crate::db::one_of::one_of;
use crate::db::schema::{orders, refund_approvals, remarks, search_texts};
use crate::db::{Conn, PgConnection};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The trigrams of a term for which SQLite's index of remarks is queried; more would cost more than they leave out.
const MAX_TRIGRAMS_OF_REMARKS: usize = 6;

/// Locks the rows of the orders `ids` in ascending order, so that two bulk changes cannot deadlock.
pub fn lock_orders(tx: &mut Conn, ids: &[OrderId]) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        orders::table
            .filter(one_of(orders::order_id, ids))
            .select(orders::order_id)
            .order(orders::order_id)
            .for_no_key_update()
            .load::<OrderId>(tx)?;
    }
    Ok(())
}

/// Locks a request for a refund until the transaction ends.
pub fn lock_refund_approval(tx: &mut Conn, approval_id: i64) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        let row = refund_approvals::table.find(approval_id).select(refund_approvals::approval_id);
        row.for_no_key_update().load::<i64>(tx)?;
    }
    Ok(())
}

/// Free orders, in the sequence of an index.
#[derive(Clone, Copy, Debug)]
pub enum FreeOrders {
    /// Those that have been New since that instant, the oldest first.
    NewSince(Timestamp),
    /// All of them, by their rank.
    Ranked,
}

impl FreeOrders {
    /// The query for the first of them. On PostgreSQL it locks the row of `orders` alone, as every change does first: a second lock here could
    /// become a deadlock with a change. The row is read once more when it is locked, hence the comparison of its queue.
    fn query(self, without: &[OrderId], parameter: &str, lock: &str) -> String {
        let ids: Vec<String> = without.iter().map(ToString::to_string).collect();
        let without = match &ids[..] {
            [] => String::new(),
            ids => format!("AND new_orders.order_id NOT IN ({})", ids.join(", ")),
        };
        let (condition, sequence) = match self {
            Self::NewSince(_) => (format!("AND new_since <= {parameter}"), "new_since"),
            Self::Ranked => (String::new(), "is_regular, has_no_papers, arrives_on, new_since"),
        };
        format!(
            "SELECT is_regular, has_no_papers, arrives_on, new_since, new_orders.order_id
             FROM new_orders CROSS JOIN orders
             WHERE is_free {condition} {without} AND orders.order_id = new_orders.order_id AND orders.queue IN ('New', 'Priority')
             ORDER BY {sequence}, new_orders.order_id LIMIT 1 {lock}"
        )
    }
}

#[derive(QueryableByName)]
struct FreeOrderRow {
    #[diesel(sql_type = Bool)]
    is_regular: bool,
    #[diesel(sql_type = Bool)]
    has_no_papers: bool,
    #[diesel(sql_type = Date)]
    arrives_on: NaiveDate,
    #[diesel(sql_type = sql_types::Timestamp)]
    new_since: Timestamp,
    #[diesel(sql_type = BigInt)]
    order_id: OrderId,
}

/// Finds the first of those free orders that is not in `without`, and locks it until the transaction ends. Skips orders that another
/// transaction has locked.
pub fn lock_first_free(tx: &mut Conn, free: FreeOrders, without: &[OrderId]) -> Result<Option<FreeOrder>> {
    macro_rules! first {
        ($tx:expr, $backend:ty, $parameter:literal, $lock:literal) => {{
            let mut first = diesel::sql_query(free.query(without, $parameter, $lock)).into_boxed::<$backend>();
            if let FreeOrders::NewSince(instant) = free {
                first = first.bind::<sql_types::Timestamp, _>(instant);
            }
            first.get_result::<FreeOrderRow>($tx).optional()?
        }};
    }
    let row = match tx {
        Conn::Sqlite(tx) => first!(tx, Sqlite, "?1", ""),
        Conn::Postgres(tx) => first!(tx, Pg, "$1", "FOR NO KEY UPDATE OF orders SKIP LOCKED"),
    };
    Ok(row.map(|FreeOrderRow { is_regular, has_no_papers, arrives_on, new_since, order_id }| FreeOrder {
        is_regular,
        has_no_papers,
        arrives_on,
        new_since,
        order_id,
    }))
}

#[derive(QueryableByName)]
struct MatchedOrder {
    #[diesel(sql_type = BigInt)]
    order_id: OrderId,
}

/// Allocates `how_many` order ids, ascending. On SQLite they are reserved only within this transaction, of which there is one at a
/// time.
pub fn allocate_order_ids(tx: &mut Conn, how_many: i64) -> Result<Vec<OrderId>> {
    let found: Vec<MatchedOrder> = match tx {
        Conn::Sqlite(tx) => {
            let last = diesel::sql_query("SELECT seq AS order_id FROM sqlite_sequence WHERE name = 'orders'")
                .get_result::<MatchedOrder>(tx)?
                .order_id;
            return Ok((last.0 + 1..=last.0 + how_many).map(OrderId).collect());
        }
        Conn::Postgres(tx) => diesel::sql_query(
            "SELECT nextval(pg_get_serial_sequence('orders', 'order_id')) AS order_id FROM generate_series(1, $1)",
        )
        .bind::<BigInt, _>(how_many)
        .load(tx)?,
    };
    Ok(found.into_iter().map(|found| found.order_id).collect())
}

/// Adds an order to SQLite's search indexes. PostgreSQL keeps its own from `search_texts`.
///
/// `grams` are the distinct single and neighbouring characters of `search_text`, each spelled as one word of letters and digits.
pub fn index_for_search(tx: &mut Conn, order_id: OrderId, search_text: &str, grams: &str) -> Result<()> {
    let Conn::Sqlite(tx) = tx else { return Ok(()) };
    diesel::sql_query("INSERT INTO order_trigrams (rowid, search_text) VALUES (?, ?)")
        .bind::<BigInt, _>(order_id)
        .bind::<Text, _>(search_text)
        .execute(tx)?;
    diesel::sql_query("INSERT INTO order_grams (rowid, grams) VALUES (?, ?)")
        .bind::<BigInt, _>(order_id)
        .bind::<Text, _>(grams)
        .execute(tx)?;
    Ok(())
}

/// Removes an order from SQLite's search indexes, which need the texts that it was added with.
pub fn remove_from_search(tx: &mut Conn, order_id: OrderId, search_text: &str, grams: &str) -> Result<()> {
    let Conn::Sqlite(tx) = tx else { return Ok(()) };
    diesel::sql_query("INSERT INTO order_trigrams (order_trigrams, rowid, search_text) VALUES ('delete', ?, ?)")
        .bind::<BigInt, _>(order_id)
        .bind::<Text, _>(search_text)
        .execute(tx)?;
    diesel::sql_query("INSERT INTO order_grams (order_grams, rowid, grams) VALUES ('delete', ?, ?)")
        .bind::<BigInt, _>(order_id)
        .bind::<Text, _>(grams)
        .execute(tx)?;
    Ok(())
}

/// At most `max` orders whose search text may contain the term, because it has these parts of it, unordered. The caller checks each against its
/// row.
pub fn search_index(conn: &mut Conn, term: &Term, parts: &TermParts, max: i64) -> Result<Vec<OrderId>> {
    let is_gram = grams::is_gram(&term.text);
    match conn {
        Conn::Sqlite(conn) => Ok(match parts {
            TermParts::DigitRuns(runs) => FullText::<OrderGrams>::with(match_digit_runs(runs), max).load(conn)?,
            TermParts::Whole if is_gram => FullText::<OrderGrams>::with(match_grams([&*term.text]), max).load(conn)?,
            TermParts::Whole => {
                FullText::<OrderTrigrams>::with(match_trigrams(&trigrams(&term.text)), max).load(conn)?
            }
            TermParts::Accented(none) if none.is_empty() => {
                let parts = term.accented.iter().map(String::as_str);
                FullText::<OrderGrams>::with(match_grams(parts), max).load(conn)?
            }
            TermParts::Trigrams(some) | TermParts::Accented(some) => {
                FullText::<OrderTrigrams>::with(match_trigrams(some), max).load(conn)?
            }
        }),
        Conn::Postgres(conn) => {
            let patterns = match parts {
                TermParts::DigitRuns(runs) => {
                    return Ok(WithGrams { grams: runs.iter().map(String::from_iter).collect(), max }.load(conn)?);
                }
                TermParts::Whole if is_gram => return Ok(WithGrams { grams: vec![term.text.clone()], max }.load(conn)?),
                TermParts::Whole => vec![term.like.clone()],
                TermParts::Accented(none) if none.is_empty() => {
                    return Ok(WithGrams { grams: term.accented.clone(), max }.load(conn)?);
                }
                TermParts::Accented(_) => term.patterns(),
                TermParts::Trigrams(some) => like_patterns(term, some),
            };
            let mut texts = search_texts::table.select(search_texts::order_id).limit(max).into_boxed();
            for pattern in patterns {
                texts = texts.filter(search_texts::search_text.like(pattern).escape('\\'));
            }
            Ok(texts.load(conn)?)
        }
    }
}

/// At most `max` remarks that may contain the term, of three characters or more, unordered. The caller looks at each.
pub fn search_remarks(conn: &mut Conn, term: &Term, max: i64) -> Result<Vec<i64>> {
    Ok(match conn {
        Conn::Sqlite(conn) => {
            // They are sorted, and more remarks have those with a space, which come first.
            let trigrams: Vec<_> = trigrams(&term.text).into_iter().rev().take(MAX_TRIGRAMS_OF_REMARKS).collect();
            FullText::<RemarkTrigrams>::with(match_trigrams(&trigrams), max).load(conn)?
        }
        Conn::Postgres(conn) => {
            let with_term = remarks::table.filter(remarks::search_text.like(&term.like).escape('\\'));
            with_term.select(remarks::remark_id).limit(max).load(conn)?
        }
    })
}

/// The question to PostgreSQL's index of grams, which stays prepared.
#[derive(QueryId)]
struct WithGrams {
    grams: Vec<String>,
    max: i64,
}

impl Query for WithGrams {
    type SqlType = BigInt;
}

impl RunQueryDsl<PgConnection> for WithGrams {}

impl QueryFragment<Pg> for WithGrams {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT order_id FROM search_texts WHERE order_grams(search_text) @> ");
        out.push_bind_param::<Array<Text>, _>(&self.grams)?;
        out.push_sql(" LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.max)
    }
}

/// A search index of SQLite. Its rows have the ids of the orders or remarks.
trait SearchIndex {
    const NAME: &str;
}

#[derive(QueryId)]
struct OrderTrigrams;

impl SearchIndex for OrderTrigrams {
    const NAME: &str = "order_trigrams";
}

#[derive(QueryId)]
struct OrderGrams;

impl SearchIndex for OrderGrams {
    const NAME: &str = "order_grams";
}

#[derive(QueryId)]
struct RemarkTrigrams;

impl SearchIndex for RemarkTrigrams {
    const NAME: &str = "remark_trigrams";
}

/// The question to a search index. Its type names the statement, so it stays prepared.
#[derive(QueryId)]
struct FullText<Index> {
    expression: String,
    max: i64,
    index: PhantomData<Index>,
}

impl<Index> FullText<Index> {
    /// At most `max` rows that match the expression.
    fn with(expression: String, max: i64) -> Self {
        Self { expression, max, index: PhantomData }
    }
}

impl<Index> Query for FullText<Index> {
    type SqlType = BigInt;
}

impl<Index> RunQueryDsl<SqliteConnection> for FullText<Index> {}

impl<Index: SearchIndex> QueryFragment<Sqlite> for FullText<Index> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        for part in ["SELECT rowid FROM ", Index::NAME, " WHERE ", Index::NAME, " MATCH "] {
            out.push_sql(part);
        }
        out.push_bind_param::<Text, _>(&self.expression)?;
        out.push_sql(" LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.max)
    }
}

/// A fact with an index on its normalized form, so that orders with the same one are found without reading others.
#[derive(Clone, Copy, Debug)]
pub enum IndexedFact {
    Email,
    /// Compares the last seven digits, whatever stands before them.
    Phone,
    /// The number of the travel document.
    Document,
    CardDigits,
}

impl IndexedFact {
    /// Table and column.
    fn column(self) -> (&'static str, &'static str) {
        match self {
            Self::Email => ("orders", "contact_email_address"),
            Self::Phone => ("orders", "phone_number"),
            Self::Document => ("applications", "document_number"),
            Self::CardDigits => ("payments", "card_last_four"),
        }
    }

    /// The normalized form of `text`, an SQL expression: of a column, it is that of its index.
    fn normalized(self, text: &str, is_postgres: bool) -> String {
        let without = |text: String, one: &str| format!("replace({text}, '{one}', '')");
        match self {
            Self::Email => format!("lower({text})"),
            Self::Phone => {
                let digits = [" ", "-", "(", ")", ".", "+"].into_iter().fold(text.to_owned(), without);
                if is_postgres {
                    format!("right(ltrim({digits}, '0'), 7)")
                } else {
                    format!("substr(ltrim({digits}, '0'), -7)")
                }
            }
            Self::Document => format!("upper({})", [" ", "-"].into_iter().fold(text.to_owned(), without)),
            Self::CardDigits => text.to_owned(),
        }
    }

    /// The query for the newest orders whose fact is the first parameter, at most as many as the second.
    fn query(self, is_postgres: bool) -> String {
        let (table, column) = self.column();
        let (value, max) = if is_postgres { ("$1", "$2") } else { ("?1", "?2") };
        let (stored, given) = (self.normalized(column, is_postgres), self.normalized(value, is_postgres));
        format!(
            "SELECT order_id FROM {table} WHERE {stored} = {given} AND {column} IS NOT NULL ORDER BY order_id DESC LIMIT {max}"
        )
    }
}

/// The newest orders whose fact equals `value` in its normalized form, at most `max`. The caller compares them exactly.
pub fn newest_with(conn: &mut Conn, fact: IndexedFact, value: &str, max: i64) -> Result<Vec<OrderId>> {
    let found: Vec<MatchedOrder> = match conn {
        Conn::Sqlite(conn) => {
            diesel::sql_query(fact.query(false)).bind::<Text, _>(value).bind::<BigInt, _>(max).load(conn)?
        }
        Conn::Postgres(conn) => {
            diesel::sql_query(fact.query(true)).bind::<Text, _>(value).bind::<BigInt, _>(max).load(conn)?
        }
    };
    Ok(found.into_iter().map(|found| found.order_id).collect())
}

/// Makes the rest of this transaction read lists in index order, row by row, until a page is full.
///
/// PostgreSQL estimates how many rows contain a term; after too low an estimate it would fetch and sort them all, or read the whole table.
/// Without the term, it would not even estimate.
pub fn walk_in_order(conn: &mut Conn) -> Result<()> {
    if let Conn::Postgres(conn) = conn {
        conn.batch_execute(
            "SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off;
             SET LOCAL plan_cache_mode = force_custom_plan;",
        )?;
    }
    Ok(())
}
