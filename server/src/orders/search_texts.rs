//! The rows of search texts: samples of them, and the orders whose texts contain a term, read one after another.

use diesel::prelude::*;
use diesel::sql_types::Text;

use super::search::{Term, VERSION};
use super::selection::Selection;
use super::store::{RowWindow, filter, newest_first, order_by, soonest_first};
use crate::db::Conn;
use crate::db::one_of::one_of;
use crate::db::schema::{orders, search_texts};
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;

diesel::define_sql_function! {
    /// Where `part` begins in `text`, counted from 1; 0: nowhere. Of SQLite alone.
    fn instr(text: Text, part: Text) -> diesel::sql_types::BigInt;
}

/// The condition on a search text that it matches `pattern`.
macro_rules! is_like {
    ($pattern:expr) => {
        search_texts::search_text.like($pattern.to_owned()).escape('\\')
    };
}

/// The condition that it does, or that older rules wrote it and it matches `older`.
macro_rules! is_like_either {
    ($pattern:expr, $older:expr) => {
        is_like!($pattern).or(search_texts::search_version.lt(VERSION).and(is_like!($older)))
    };
}

/// The condition that the search text of an order meets `condition`. As a subquery, it leaves the order of reading to the list.
macro_rules! of_order {
    ($condition:expr) => {
        diesel::dsl::exists(search_texts::table.filter(search_texts::order_id.eq(orders::order_id)).filter($condition))
    };
}

/// Lists the search texts of the newest orders.
pub fn newest_texts(conn: &mut Conn, how_many: i64) -> Result<Vec<String>> {
    let newest = search_texts::table.order((search_texts::created_at.desc(), search_texts::order_id.desc()));
    Ok(newest.select(search_texts::search_text).limit(how_many).load(conn)?)
}

/// Lists the search texts of at most so many orders, whose ids lie evenly between the first and the last.
pub fn texts_throughout(conn: &mut Conn, how_many: i64) -> Result<Vec<String>> {
    let ids = search_texts::table.select(search_texts::order_id);
    let first: Option<OrderId> = ids.order(search_texts::order_id.asc()).first(conn).optional()?;
    let last: Option<OrderId> = ids.order(search_texts::order_id.desc()).first(conn).optional()?;
    let (Some(first), Some(last)) = (first, last) else { return Ok(Vec::new()) };
    let step = (last.0 - first.0) / how_many + 1;
    let ids: Vec<OrderId> = (0..how_many).map(|place| OrderId(first.0 + place * step)).collect();
    let texts = search_texts::table.filter(one_of(search_texts::order_id, &ids)).select(search_texts::search_text);
    Ok(on_either!(conn => texts.load(conn)?))
}

/// Lists the ids of a window of the orders whose search text contains the plain term: reads texts until the window is full.
pub fn list_ids_with(conn: &mut Conn, selection: &Selection, term: &Term, window: RowWindow) -> Result<Vec<OrderId>> {
    if let Selection::Everything = selection {
        macro_rules! newest {
            ($condition:expr) => {
                search_texts::table
                    .filter($condition)
                    .order((search_texts::created_at.desc(), search_texts::order_id.desc()))
                    .offset(window.start)
                    .limit(window.length)
                    .select(search_texts::order_id)
            };
        }
        return Ok(match conn {
            // Both are folded, so bytes are compared, which is faster than LIKE.
            Conn::Sqlite(conn) => newest!(instr(search_texts::search_text, &term.text).gt(0)).load(conn)?,
            Conn::Postgres(conn) => newest!(search_texts::search_text.like(&term.like).escape('\\')).load(conn)?,
        });
    }
    let ids = orders::table.select(orders::order_id).into_boxed();
    let ids = filter!(ids, selection).filter(of_order!(is_like!(&term.like)));
    Ok(order_by!(ids, selection, window).load(conn)?)
}

/// The same for a term whose orders are looked at afterwards: also reads what is around accented letters, and texts that older rules wrote.
pub fn list_ids_that_may_have(
    conn: &mut Conn,
    selection: &Selection,
    term: &Term,
    window: RowWindow,
) -> Result<Vec<OrderId>> {
    let patterns = term.patterns();
    if let Selection::Everything = selection {
        let mut texts = search_texts::table.select(search_texts::order_id).into_boxed();
        for pattern in patterns {
            texts = match &term.older {
                Some(older) => texts.filter(is_like_either!(pattern, &older.like)),
                None => texts.filter(is_like!(pattern)),
            };
        }
        let newest = texts.order((search_texts::created_at.desc(), search_texts::order_id.desc()));
        return Ok(newest.offset(window.start).limit(window.length).load(conn)?);
    }
    let ids = orders::table.select(orders::order_id).into_boxed();
    let mut ids = filter!(ids, selection);
    for pattern in patterns {
        ids = match &term.older {
            Some(older) => ids.filter(of_order!(is_like_either!(pattern, &older.like))),
            None => ids.filter(of_order!(is_like!(pattern))),
        };
    }
    Ok(order_by!(ids, selection, window).load(conn)?)
}
