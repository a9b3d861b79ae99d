//! Seals: what one says of its rows, and how they hang together. Pure.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::store::{Record, Seal};

/// The digest of rows, in the order of their ids: each is a line of JSON, the same on both databases.
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

/// The digest of a seal itself, which the next one holds.
pub fn digest_of_seal(seal: &Seal) -> String {
    let line = json!([seal.first_id, seal.last_id, seal.row_count, seal.rows_hash, seal.before_hash]);
    hex::encode(Sha256::digest(line.to_string()))
}

/// The first id of the seal that follows `previous`.
pub fn first_after(previous: Option<&Seal>) -> i64 {
    previous.map_or(1, |seal| seal.last_id + 1)
}

/// What the seal that follows `previous` holds of it.
pub fn hash_before(previous: Option<&Seal>) -> String {
    previous.map(digest_of_seal).unwrap_or_default()
}

/// What is wrong with a seal, given the one before it and the rows in its range now.
pub fn fault(seal: &Seal, previous: Option<&Seal>, rows: &[Record]) -> Option<&'static str> {
    if seal.first_id != first_after(previous) {
        return Some("it does not begin where the seal before it ends");
    }
    if seal.before_hash != hash_before(previous) {
        return Some("the seal before it was altered");
    }
    if i64::try_from(rows.len()) != Ok(seal.row_count) {
        return Some("rows were added or removed");
    }
    (digest(rows) != seal.rows_hash).then_some("a row was altered")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn row(audit_id: i64) -> Record {
        Record {
            audit_id,
            at: DateTime::from_timestamp_micros(1_767_323_045_000_007).unwrap_or_default().naive_utc(),
            staff_id: Some(1),
            actor: "Ayu".into(),
            action: "order.move".into(),
            order_id: Some(100_001),
            before: Some("New".into()),
            after: None,
            ip: None,
        }
    }

    fn seal(previous: Option<&Seal>, last_id: i64, rows: &[Record]) -> Seal {
        Seal {
            seal_id: 0,
            first_id: first_after(previous),
            last_id,
            row_count: rows.len() as i64,
            rows_hash: digest(rows),
            before_hash: hash_before(previous),
        }
    }

    #[test]
    fn a_digest_is_the_same_for_ever() {
        // A change of it would make every seal that there is look broken.
        assert_eq!(digest(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let line = r#"[7,"2026-01-02T03:04:05.000007",1,"Ayu","order.move",100001,"New",null,null]"#;
        assert_eq!(digest(&[row(7)]), hex::encode(Sha256::digest(format!("{line}\n"))));
    }

    #[test]
    fn whatever_changes_in_a_row_or_a_seal_shows() {
        let (one, two) = ([row(1), row(3)], [row(4)]);
        let first = seal(None, 3, &one);
        let second = seal(Some(&first), 4, &two);
        assert_eq!(fault(&first, None, &one), None);
        assert_eq!(fault(&second, Some(&first), &two), None);

        let changes: [fn(&mut Record); 9] = [
            |row| row.audit_id = 9,
            |row| row.at += chrono::TimeDelta::microseconds(1),
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

        let forged = seal(None, 3, &one[..1]);
        assert_eq!(fault(&second, Some(&forged), &two), Some("the seal before it was altered"));
        assert_eq!(fault(&second, None, &two), Some("it does not begin where the seal before it ends"));
    }
}
