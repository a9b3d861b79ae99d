//! Compares the responses of a peer with those of this server, so that both are measured doing the same work.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Ensures that all a peer answers is also what this server answers, and that it leaves out nothing but these fields: `.data.name`, also
/// of each element of an array `data`. None: it may leave out any field.
///
/// # Errors
/// If the answers differ. The message names the place.
pub fn ensure_same(peer: &Value, this: &Value, left_out: Option<&[String]>) -> Result<()> {
    compare(peer, this, left_out, "")
}

fn compare(peer: &Value, this: &Value, left_out: Option<&[String]>, place: &str) -> Result<()> {
    match (peer, this) {
        (Value::Object(peer), Value::Object(this)) => {
            for (name, value) in peer {
                let place = format!("{place}.{name}");
                compare(value, this.get(name).with_context(|| format!("{place} is too much"))?, left_out, &place)?;
            }
            let missing = this.keys().filter(|name| !peer.contains_key(*name)).map(|name| format!("{place}.{name}"));
            let missing: Vec<String> =
                missing.filter(|field| left_out.is_some_and(|fields| !fields.contains(field))).collect();
            ensure!(missing.is_empty(), "without {}", missing.join(", "));
            Ok(())
        }
        (Value::Array(peer), Value::Array(this)) => {
            ensure!(peer.len() == this.len(), "{place} has {} elements instead of {}", peer.len(), this.len());
            peer.iter().zip(this).try_for_each(|(peer, this)| compare(peer, this, left_out, place))
        }
        (peer, this) => {
            ensure!(peer == this, "{place} is {peer} instead of {this}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_peer_answers_the_same_without_the_fields_that_it_may_leave_out() {
        let this = json!({"data": [{"id": 1, "name": "Ann", "allowed": true}], "total": 1});
        let peer = json!({"data": [{"id": 1, "name": "Ann"}], "total": 1});
        assert!(ensure_same(&peer, &this, Some(&[".data.allowed".to_owned()])).is_ok());
        assert!(ensure_same(&peer, &this, None).is_ok());
        let refused = ensure_same(&peer, &this, Some(&[".total".to_owned()])).map_err(|error| error.to_string());
        assert_eq!(refused, Err("without .data.allowed".to_owned()));
        for wrong in [json!({"data": []}), json!({"data": [{"id": 2}]}), json!({"sum": 1})] {
            assert!(ensure_same(&wrong, &this, None).is_err(), "{wrong}");
        }
    }
}
