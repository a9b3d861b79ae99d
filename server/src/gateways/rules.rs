//! Which gateway may be chosen, and what the config's list changes. Pure.

use serde_json::Value;

use crate::error::{Error, Result};
use crate::ids;

/// A payment gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    pub id: i64,
    pub name: String,
    /// It left the config and can be chosen no more.
    pub retired: bool,
    pub is_active: bool,
}

/// The gateway that a form names, by its number as it is or encoded.
pub fn chosen(given: Option<&Value>) -> Result<i64> {
    let missing = || Error::invalid("Please select gateway");
    let number = match given {
        None | Some(Value::Null) => return Err(missing()),
        Some(Value::String(text)) if text.trim().is_empty() => return Err(missing()),
        Some(Value::String(text)) => ids::parse(text),
        Some(Value::Number(number)) => number.as_i64().filter(|number| (1..=ids::LARGEST).contains(number)),
        Some(_) => None,
    };
    number.ok_or_else(|| Error::invalid("gatewayId is not a gateway's id. Please select gateway"))
}

/// The gateway of that id among `known`, if it may become the active one.
pub fn check_choice(known: &[Gateway], id: i64) -> Result<&Gateway> {
    let gateway = known.iter().find(|gateway| gateway.id == id);
    let gateway = gateway.ok_or_else(|| Error::not_found("There is no such gateway. Please select another one"))?;
    if gateway.retired {
        return Err(Error::conflict(format!("{} is not in use any more. Please select another gateway", gateway.name)));
    }
    Ok(gateway)
}

/// The gateways that a form offers. The active one is among them, for it is never retired.
pub fn shown(known: Vec<Gateway>) -> Vec<Gateway> {
    known.into_iter().filter(|gateway| !gateway.retired).collect()
}

/// What makes the known gateways those of the config.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub add: Vec<String>,
    pub retire: Vec<i64>,
    pub bring_back: Vec<i64>,
}

/// Compares the known gateways with the names in the config. The active one is never retired.
pub fn changes(known: &[Gateway], wanted: &[String]) -> Changes {
    let is_wanted = |gateway: &&Gateway| wanted.contains(&gateway.name);
    let is_known = |name: &&String| known.iter().any(|gateway| gateway.name == **name);
    let ids = |chosen: &dyn Fn(&&Gateway) -> bool| known.iter().filter(chosen).map(|gateway| gateway.id).collect();
    Changes {
        add: wanted.iter().filter(|name| !is_known(name)).cloned().collect(),
        retire: ids(&|gateway| !gateway.retired && !gateway.is_active && !is_wanted(gateway)),
        bring_back: ids(&|gateway| gateway.retired && is_wanted(gateway)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn gateway(id: i64, name: &str, retired: bool, is_active: bool) -> Gateway {
        Gateway { id, name: name.into(), retired, is_active }
    }

    #[test]
    fn a_gateway_is_named_by_its_number_plain_or_encoded() {
        for seven in [json!(7), json!("7"), json!("MTQ=")] {
            assert_eq!(chosen(Some(&seven)).ok(), Some(7), "{seven}");
        }
        for nothing in [None, Some(&json!(null)), Some(&json!("")), Some(&json!(" "))] {
            assert_eq!(
                chosen(nothing).map_err(|error| error.message().to_owned()),
                Err("Please select gateway".into())
            );
        }
        for odd in [json!(0), json!(-1), json!(1.5), json!("x"), json!([7]), json!(true), json!(u64::MAX)] {
            assert!(chosen(Some(&odd)).is_err(), "{odd}");
        }
    }

    #[test]
    fn the_config_adds_retires_and_brings_back_but_never_retires_the_active_one() {
        let known = [gateway(1, "A", false, true), gateway(2, "B", false, false), gateway(3, "C", true, false)];
        let wanted = ["C", "D"].map(String::from);
        let expected = Changes { add: vec!["D".into()], retire: vec![2], bring_back: vec![3] };
        assert_eq!(changes(&known, &wanted), expected);
        let same = [gateway(1, "A", false, true)];
        assert_eq!(changes(&same, &["A".into()]), Changes::default());
    }
}
