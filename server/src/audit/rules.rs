//! The links of the hash chain: their digests, and what is wrong with one. Pure.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::store::{ChainLink, Record};

/// The digest of rows, in ascending id order. Each row is a line of JSON, the same on both databases.
pub fn digest(rows: &[Record]) -> String {
    let mut hash = Sha256::new();
    for row in rows {
        let at = row.at.format("%Y-%m-%dT%H:%M:%S%.6f").to_string();
        let (actor, action, before, after) = (&row.actor, &row.action, &row.before, &row.after);
        let line = json!([row.audit_id, at, row.staff_id, actor, action, row.order_id, before, after, row.ip]);
        hash.update(line.to_string());
        hash.update("\n");
    }
    hex::encode(hash.finalize())
}

/// The digest of a link, which the next one holds.
pub fn digest_of_link(link: &ChainLink) -> String {
    let line = json!([link.first_id, link.last_id, link.row_count, link.rows_hash, link.before_hash]);
    hex::encode(Sha256::digest(line.to_string()))
}

/// The first id in the range of the link after `previous`.
pub fn first_after(previous: Option<&ChainLink>) -> i64 {
    previous.map_or(1, |link| link.last_id + 1)
}

/// The digest of `previous` that the next link holds; empty in the first link.
pub fn hash_before(previous: Option<&ChainLink>) -> String {
    previous.map(digest_of_link).unwrap_or_default()
}

/// Returns the fault of a link, given the previous one and the rows that are in its range now.
pub fn fault(link: &ChainLink, previous: Option<&ChainLink>, rows: &[Record]) -> Option<&'static str> {
    if link.first_id != first_after(previous) {
        return Some("it does not begin where the previous link ends");
    }
    if link.before_hash != hash_before(previous) {
        return Some("the previous link was altered");
    }
    if i64::try_from(rows.len()) != Ok(link.row_count) {
        return Some("rows were added or removed");
    }
    (digest(rows) != link.rows_hash).then_some("a row was altered")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::ids::{OrderId, StaffId};

    fn row(audit_id: i64) -> Record {
        Record {
            audit_id,
            at: DateTime::from_timestamp_micros(1_767_323_045_000_007).unwrap_or_default().into(),
            staff_id: Some(StaffId(1)),
            actor: "Ayu".into(),
            action: "order.move".into(),
            order_id: Some(OrderId(100_001)),
            before: Some("New".into()),
            after: None,
            ip: None,
        }
    }

    fn link(previous: Option<&ChainLink>, last_id: i64, rows: &[Record]) -> ChainLink {
        ChainLink {
            link_id: 0,
            first_id: first_after(previous),
            last_id,
            row_count: rows.len() as i64,
            rows_hash: digest(rows),
            before_hash: hash_before(previous),
        }
    }

    #[test]
    fn a_digest_never_changes() {
        // A different digest would make every existing link look broken.
        assert_eq!(digest(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let line = r#"[7,"2026-01-02T03:04:05.000007",1,"Ayu","order.move",100001,"New",null,null]"#;
        assert_eq!(digest(&[row(7)]), hex::encode(Sha256::digest(format!("{line}\n"))));
    }

    #[test]
    fn any_change_of_a_row_or_a_link_is_found() {
        let (one, two) = ([row(1), row(3)], [row(4)]);
        let first = link(None, 3, &one);
        let second = link(Some(&first), 4, &two);
        assert_eq!(fault(&first, None, &one), None);
        assert_eq!(fault(&second, Some(&first), &two), None);

        let changes: [fn(&mut Record); 9] = [
            |row| row.audit_id = 9,
            |row| row.at = row.at + chrono::TimeDelta::microseconds(1),
            |row| row.staff_id = None,
            |row| row.actor.push('x'),
            |row| row.action.push('x'),
            |row| row.order_id = None,
            |row| row.before = None,
            |row| row.after = Some(String::new()),
            |row| row.ip = Some("127.0.0.1".into()),
        ];
        for change in changes {
            let mut altered = one.clone();
            change(&mut altered[1]);
            assert_eq!(fault(&first, None, &altered), Some("a row was altered"));
        }
        assert_eq!(fault(&first, None, &one[..1]), Some("rows were added or removed"));

        let forged = link(None, 3, &one[..1]);
        assert_eq!(fault(&second, Some(&forged), &two), Some("the previous link was altered"));
        assert_eq!(fault(&second, None, &two), Some("it does not begin where the previous link ends"));
    }
}
