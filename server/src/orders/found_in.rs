//! Says where orders contain the term of a search.

use std::collections::HashMap;

use super::remarks;
use super::search::{FoundIn, Term};
use super::second_look::SearchedRow;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;

/// The characters around a term that an excerpt has on each side.
const AROUND: usize = 40;

/// Finds where the orders contain the term: in a field, or in a remark of `in_remarks`. An order that does not contain it any more is absent.
pub fn places(
    conn: &mut Conn,
    term: &Term,
    orders: &[OrderId],
    in_remarks: &HashMap<OrderId, i64>,
) -> Result<HashMap<OrderId, FoundIn>> {
    let mut places = HashMap::with_capacity(orders.len());
    for ids in orders.chunks(MAX_IDS) {
        for row in SearchedRow::list(conn, ids)? {
            let in_remark = in_remarks.contains_key(&row.order_id).then_some(FoundIn::Comment);
            if let Some(place) = term.place_in(row.order_id, &row.fields()).or(in_remark) {
                places.insert(row.order_id, place);
            }
        }
    }
    Ok(places)
}

/// Reads the part of a remark of each order that contains the term.
pub fn excerpts(conn: &mut Conn, term: &Term, in_remarks: &[(OrderId, i64)]) -> Result<HashMap<OrderId, String>> {
    let ids: Vec<i64> = in_remarks.iter().map(|(_, remark_id)| *remark_id).collect();
    let texts: HashMap<i64, String> = remarks::texts(conn, &ids)?.into_iter().collect();
    let excerpt_of = |remark_id| excerpt(texts.get(remark_id)?, term);
    Ok(in_remarks.iter().filter_map(|(order_id, remark_id)| Some((*order_id, excerpt_of(remark_id)?))).collect())
}

/// The first place in `text` with the term, in one line and with what is around it; none if it is not there.
fn excerpt(text: &str, term: &Term) -> Option<String> {
    let ends: Vec<usize> = text.char_indices().map(|(at, one)| at + one.len_utf8()).collect();
    // Each longer part contains it as well, so it ends, and begins, where the answer changes.
    let end = *ends.get(ends.partition_point(|&end| !text.get(..end).is_some_and(|part| term.is_in_text(part))))?;
    let begins: Vec<usize> = text.char_indices().map(|(at, _)| at).take_while(|&at| at < end).collect();
    let after = begins.partition_point(|&at| text.get(at..end).is_some_and(|part| term.is_in_text(part)));
    let begin = *begins.get(after.checked_sub(1)?)?;
    let before: Vec<char> = text.get(..begin)?.chars().rev().take(AROUND + 1).collect();
    let behind: Vec<char> = text.get(end..)?.chars().take(AROUND + 1).collect();
    let cut = |part: &[char]| if part.len() > AROUND { "…" } else { "" };
    let near = |part: &[char]| -> Vec<char> { part.iter().take(AROUND).copied().collect() };
    let middle = text.get(begin..end)?.chars();
    let line: String = near(&before).into_iter().rev().chain(middle).chain(near(&behind)).collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("{}{line}{}", cut(&before), cut(&behind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt_of(text: &str, typed: &str) -> Option<String> {
        excerpt(text, &Term::parse(typed).expect("a term"))
    }

    #[test]
    fn an_excerpt_has_the_term_in_one_line_with_what_is_around_it() {
        assert_eq!(excerpt_of("Asked José\nfor a photo.", "jose for").as_deref(), Some("Asked José for a photo."));
        let long = format!("{} the Straße is long {}", "before ".repeat(20), "after ".repeat(20));
        let found = excerpt_of(&long, "strasse").expect("an excerpt");
        assert_eq!(found, "…before before before before before the Straße is long after after after after after a…");
        assert_eq!(excerpt_of("Asked Jose", "josé"), None);
        assert_eq!(excerpt_of("", "jose"), None);
    }
}
