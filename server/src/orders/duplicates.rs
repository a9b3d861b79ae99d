//! Orders that may share a fact with an order: candidates from the indexes on normalized facts, and the facts that are compared.

use std::collections::HashMap;

use diesel::prelude::*;

use super::dialect::{IndexedFact, newest_with};
use super::purchases;
use super::rules::duplicates::DuplicateFacts;
use crate::db::schema::{applications, checkouts, orders, payments};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;

/// The maximum number of orders with the same fact that are read, the newest first. Of an agent who orders for many customers, older ones
/// are left out.
const MAX_EACH: i64 = 50;

/// The same for the last four digits of a card, which strangers share.
const MAX_SAME_DIGITS: i64 = 200;

/// The ids of other orders that may share a fact with `order`, ascending. Each index is read up to a limit, so the cost does not grow
/// with the number of orders.
pub fn candidates(conn: &mut Conn, order_id: OrderId, order: &DuplicateFacts) -> Result<Vec<OrderId>> {
    let facts = [
        (IndexedFact::Email, Some(&order.email), MAX_EACH),
        (IndexedFact::Phone, order.phone_number.as_ref(), MAX_EACH),
        (IndexedFact::Document, order.document_number.as_ref(), MAX_EACH),
        (IndexedFact::CardDigits, order.card_last_four.as_ref(), MAX_SAME_DIGITS),
    ];
    let mut found = Vec::new();
    for (fact, value, max) in facts {
        if let Some(value) = value {
            found.extend(newest_with(conn, fact, value, max)?);
        }
    }
    if let Some(device) = &order.device_id {
        found.extend(purchases::newest_of_device(conn, device, MAX_EACH)?);
    }
    found.retain(|id| *id != order_id);
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The newest orders whose contact address is that one, in whatever case.
pub fn newest_of_contact(conn: &mut Conn, email: &str) -> Result<Vec<OrderId>> {
    newest_with(conn, IndexedFact::Email, email, MAX_EACH)
}

/// The columns of [`DuplicateFacts`], in its order.
type ComparedRow = (
    (OrderId, String, String, Option<String>, Option<String>, Option<String>),
    (Option<String>, Option<String>, Option<String>),
    (Option<String>, Option<String>),
    (Option<String>, Option<String>),
);

/// The compared facts of those orders that exist.
pub fn compared(conn: &mut Conn, order_ids: &[OrderId]) -> Result<HashMap<OrderId, DuplicateFacts>> {
    let mut found = HashMap::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = orders::table
            .left_join(applications::table)
            .left_join(checkouts::table)
            .left_join(payments::table)
            .filter(orders::order_id.eq_any(ids))
            .select((
                (
                    orders::order_id,
                    orders::full_name,
                    orders::contact_email_address,
                    orders::country_code,
                    orders::phone_number,
                    orders::nationality,
                ),
                (
                    applications::last_name.nullable(),
                    applications::passport_from.nullable(),
                    applications::document_number.nullable(),
                ),
                (checkouts::device_id.nullable(), checkouts::purchase_ip.nullable()),
                (payments::card_brand.nullable(), payments::card_last_four.nullable()),
            ));
        let rows = rows.load::<ComparedRow>(conn)?.into_iter();
        found.extend(rows.map(|(order, application, checkout, card)| {
            let (order_id, full_name, email, country_code, phone_number, nationality) = order;
            let (last_name, passport_from, document_number) = application;
            let ((device_id, purchase_ip), (card_brand, card_last_four)) = (checkout, card);
            let compared = DuplicateFacts {
                full_name,
                last_name,
                email,
                country_code,
                phone_number,
                nationality,
                passport_from,
                document_number,
                device_id,
                purchase_ip,
                card_brand,
                card_last_four,
            };
            (order_id, compared)
        }));
    }
    Ok(found)
}
