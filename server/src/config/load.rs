//! Reads the settings. An unknown key is refused with the nearest known one.
//!
//! Not by serde's `deny_unknown_fields`: the error would lack the nearest key and its path, and the defaults would have to be merged by
//! `#[serde(default)]` on every struct.

use std::path::Path;

use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use figment::value::Value;

use super::Config;
use super::errors::ConfigError;
use crate::error::Result;

const PREFIX: &str = "VISADESK_";

impl Config {
    /// Reads the defaults, then `file`, then the environment. An unknown key is refused with its name and the nearest known one.
    pub fn load(file: Option<&Path>) -> Result<Self> {
        let mut given = Figment::new();
        if let Some(file) = file {
            if !file.is_file() {
                return Err(ConfigError::ConfigFileMissing(file.into()).into());
            }
            given = given.merge(Toml::file_exact(file));
        }
        let given = given.merge(Env::prefixed(PREFIX).split("__"));
        refuse_unknown_keys(&given)?;
        let config: Self = Figment::from(Serialized::defaults(Self::default()))
            .merge(given)
            .extract()
            .map_err(|error| ConfigError::ConfigUnreadable(error.into()))?;
        config.check()?;
        Ok(config)
    }
}

fn refuse_unknown_keys(given: &Figment) -> Result<()> {
    let known = keys_of(&Figment::from(Serialized::defaults(Config::default())))?;
    for key in keys_of(given)? {
        if known.contains(&key) {
            continue;
        }
        let nearest = known
            .iter()
            .max_by(|left, right| strsim::jaro_winkler(left, &key).total_cmp(&strsim::jaro_winkler(right, &key)));
        return Err(ConfigError::UnknownConfigKey { key, nearest: nearest.cloned().unwrap_or_default() }.into());
    }
    Ok(())
}

/// The dotted names of all leaves.
fn keys_of(figment: &Figment) -> Result<Vec<String>> {
    fn collect(value: &Value, name: &str, into: &mut Vec<String>) {
        match value {
            Value::Dict(_, entries) => {
                for (key, value) in entries {
                    let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                    collect(value, &name, into);
                }
            }
            _ => into.push(name.to_owned()),
        }
    }
    let value = figment.extract::<Value>().map_err(|error| ConfigError::ConfigUnreadable(error.into()))?;
    let mut keys = Vec::new();
    collect(&value, "", &mut keys);
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_known_one() {
        let given = Figment::new().merge(Toml::string("listne = '127.0.0.1:1'"));
        let refused = refuse_unknown_keys(&given).map_err(|error| error.message());
        assert_eq!(refused, Err("The configuration key listne is not known. Did you mean listen?".into()));
    }
}
