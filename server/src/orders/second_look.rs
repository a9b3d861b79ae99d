//! Looks at the orders themselves where a search text does not decide: a term has accented letters, it is a telephone number of another country, or
//! older rules wrote the text.

use std::collections::HashSet;

use diesel::prelude::*;

use super::search::{SearchedFields, Term};
use super::search_texts::list_ids_that_may_have;
use super::selection::Selection;
use super::store::RowWindow;
use crate::db::one_of::one_of;
use crate::db::schema::{applications, orders};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;

/// The orders that are looked at first to fill a page, and at most. Texts that contain the parts of a term nearly always contain the term, so more are
/// hardly ever read.
const FIRST_LOOK: i64 = 100;
const MAX_LOOKS: i64 = 100_000;

/// The searched fields of an order as they are stored.
#[derive(Debug, Queryable)]
pub struct SearchedRow {
    pub order_id: OrderId,
    full_name: String,
    contact_email_address: String,
    country_code: Option<String>,
    phone_number: Option<String>,
    account_email: Option<String>,
    document_number: Option<String>,
}

impl SearchedRow {
    /// Lists those of at most [`MAX_IDS`] orders that exist, unordered.
    pub fn list(conn: &mut Conn, ids: &[OrderId]) -> Result<Vec<Self>> {
        let rows = orders::table.left_join(applications::table).filter(one_of(orders::order_id, ids)).select((
            orders::order_id,
            orders::full_name,
            orders::contact_email_address,
            orders::country_code,
            orders::phone_number,
            applications::account_email.nullable(),
            applications::document_number.nullable(),
        ));
        Ok(on_either!(conn => rows.load(conn)?))
    }

    pub fn fields(&self) -> SearchedFields<'_> {
        SearchedFields {
            full_name: &self.full_name,
            contact_email_address: &self.contact_email_address,
            account_email: self.account_email.as_deref(),
            country_code: self.country_code.as_deref(),
            phone_number: self.phone_number.as_deref(),
            document_number: self.document_number.as_deref(),
        }
    }
}

/// Those of `ids` that have the term, in their order.
pub fn confirm(conn: &mut Conn, term: &Term, ids: &[OrderId]) -> Result<Vec<OrderId>> {
    let mut having: HashSet<OrderId> = HashSet::new();
    for ids in ids.chunks(MAX_IDS) {
        let rows = SearchedRow::list(conn, ids)?;
        having.extend(rows.iter().filter(|row| term.is_in(row.order_id, &row.fields())).map(|row| row.order_id));
    }
    Ok(ids.iter().copied().filter(|id| having.contains(id)).collect())
}

/// Lists the ids of a window of the orders that have the term: reads texts until the window is full.
pub fn list_ids_with(conn: &mut Conn, selection: &Selection, term: &Term, window: RowWindow) -> Result<Vec<OrderId>> {
    let wanted = window.start.saturating_add(window.length);
    let (mut having, mut start, mut length) = (Vec::new(), 0, wanted.clamp(FIRST_LOOK, MAX_LOOKS));
    loop {
        let ids = list_ids_that_may_have(conn, selection, term, RowWindow { start, length })?;
        having.extend(confirm(conn, term, &ids)?);
        start += length;
        let is_end = (ids.len() as i64) < length || start >= MAX_LOOKS;
        if is_end || having.len() as i64 >= wanted {
            return Ok(window.cut(having));
        }
        length *= 4;
    }
}
