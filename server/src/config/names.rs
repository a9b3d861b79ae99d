//! Reads lists of names from a setting.

use serde::{Deserialize, Deserializer};

/// Reads a list of names, or one text of names separated by commas. An empty text has none.
pub fn read_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        List(Vec<String>),
        Text(String),
    }
    let names = match Given::deserialize(deserializer)? {
        Given::List(names) => names,
        Given::Text(names) if names.trim().is_empty() => Vec::new(),
        Given::Text(names) => names.split(',').map(str::to_owned).collect(),
    };
    Ok(names.into_iter().map(|name| name.trim().to_owned()).collect())
}
