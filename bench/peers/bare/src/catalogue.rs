//! The documents that each visa type needs, from the server's own catalogue.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::{Value, json};

/// A document that a visa type needs.
pub struct Needed {
    pub kind: String,
    pub key: String,
    pub is_required: bool,
    /// What the details say about it, without the end of the object.
    pub shown: String,
}

pub struct Visa {
    pub needed: Vec<Needed>,
    /// What is issued for the code.
    pub issued: String,
}

static VISAS: OnceLock<HashMap<String, Visa>> = OnceLock::new();

/// Reads the catalogue, once, before the first request.
pub fn load() -> serde_json::Result<()> {
    let catalogue: Value = serde_json::from_str(include_str!("../../../../server/src/visas/catalogue.json"))?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut visas = HashMap::new();
    let purposes = list(&catalogue["purposes"]);
    let subs = purposes.iter().flat_map(|purpose| list(&purpose["sub_purposes"]));
    for visa in subs.flat_map(|sub| list(&sub["visa_types"])) {
        visas.insert(visa["code"].as_str().unwrap_or_default().to_owned(), visa);
    }
    for retired in list(&catalogue["retired_codes"]) {
        let successor = visas.get(retired["replaced_by"].as_str().unwrap_or_default()).cloned();
        visas.extend(successor.map(|visa| (retired["code"].as_str().unwrap_or_default().to_owned(), visa)));
    }
    let visas = visas.into_iter().map(|(code, visa)| (code, of(&visa, &catalogue["documents"]))).collect();
    VISAS.get_or_init(|| visas);
    Ok(())
}

fn of(visa: &Value, documents: &Value) -> Visa {
    let always = visa["documents"].as_array().into_iter().flatten().map(|key| (key, &Value::Null));
    let sometimes = visa["documents_conditional"].as_array().into_iter().flatten();
    let sometimes = sometimes.map(|document| (&document["key"], &document["when"]));
    let needed = always.chain(sometimes).map(|(key, when)| {
        let key = key.as_str().unwrap_or_default();
        let kind = match key {
            "passport" => "passport_picture",
            "recent_photo" => "upload_picture",
            key => key,
        };
        let funds = if key == "bank_statement" { &visa["min_funds_usd"] } else { &Value::Null };
        let shown = json!({
            "kind": kind, "catalogue_key": key, "label": documents[key]["label"], "required": when.is_null(), "when": when,
            "note": documents[key]["note"], "min_funds_usd": funds,
        });
        let mut shown = shown.to_string();
        shown.pop();
        Needed { kind: kind.to_owned(), key: key.to_owned(), is_required: when.is_null(), shown }
    });
    let issued = json!({
        "code": visa["code"], "label": visa["label"], "entry": visa["entry"], "stay_days": visa["stay_days"],
        "unlimited_stay": visa["unlimited_stay"].as_bool().unwrap_or(false), "window": visa["window"],
    });
    Visa { needed: needed.collect(), issued: issued.to_string() }
}

pub fn find(code: &str) -> Option<&'static Visa> {
    VISAS.get()?.get(code)
}

/// How many documents are missing that the visa type always requires. `kinds` are those on file, separated by commas.
pub fn count_missing(code: &str, kinds: &str) -> i64 {
    let needed = find(code).map(|visa| visa.needed.as_slice()).unwrap_or_default();
    let is_given = |one: &Needed| kinds.split(',').any(|kind| kind == one.kind || kind == one.key);
    let missing = needed.iter().filter(|one| one.is_required && !is_given(one)).count();
    i64::try_from(missing).unwrap_or(i64::MAX)
}
