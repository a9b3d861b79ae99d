//! Reads lists of names from a setting.

use serde::{Deserialize, Deserializer};

/// Reads a list of names, or one text of names separated by commas. An empty text has none.
pub fn read_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum NamesValue {
        List(Vec<String>),
        Text(String),
    }
    let names = match NamesValue::deserialize(deserializer)? {
        NamesValue::List(names) => names,
        NamesValue::Text(names) if names.trim().is_empty() => Vec::new(),
        NamesValue::Text(names) => names.split(',').map(str::to_owned).collect(),
    };
    Ok(names.into_iter().map(|name| name.trim().to_owned()).collect())
}
