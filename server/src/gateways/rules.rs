//! Which gateway may be chosen, and what the configured list changes. Pure.

use serde_json::Value;

use super::errors::GatewayError;
use crate::ids;

/// A payment gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    pub id: i64,
    pub name: String,
    /// It left the configuration and can no longer be chosen.
    pub retired: bool,
    pub is_active: bool,
}

/// The id of the gateway that a form names, plain or encoded.
///
/// # Errors
/// [`GatewayError::GatewayMissing`], [`GatewayError::InvalidGatewayId`].
pub fn parse_choice(given: Option<&Value>) -> Result<i64, GatewayError> {
    let number = match given {
        None | Some(Value::Null) => return Err(GatewayError::GatewayMissing),
        Some(Value::String(text)) if text.trim().is_empty() => return Err(GatewayError::GatewayMissing),
        Some(Value::String(text)) => ids::parse(text),
        Some(Value::Number(number)) => number.as_i64().filter(|number| (1..=ids::LARGEST).contains(number)),
        Some(_) => None,
    };
    number.ok_or(GatewayError::InvalidGatewayId)
}

/// The gateway with that id among `known`, if it may become the active one.
///
/// # Errors
/// [`GatewayError::GatewayNotFound`], [`GatewayError::GatewayRetired`].
pub fn check_choice(known: &[Gateway], id: i64) -> Result<&Gateway, GatewayError> {
    let gateway = known.iter().find(|gateway| gateway.id == id);
    let gateway = gateway.ok_or(GatewayError::GatewayNotFound)?;
    if gateway.retired {
        return Err(GatewayError::GatewayRetired(gateway.name.clone()));
    }
    Ok(gateway)
}

/// The gateways that a form offers. They include the active one, which is never retired.
pub fn selectable(known: Vec<Gateway>) -> Vec<Gateway> {
    known.into_iter().filter(|gateway| !gateway.retired).collect()
}

/// The changes that make the known gateways equal to the configured ones.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub add: Vec<String>,
    pub retire: Vec<i64>,
    pub reinstate: Vec<i64>,
}

/// Compares the known gateways with the configured names. The active one is never retired.
pub fn changes(known: &[Gateway], wanted: &[String]) -> Changes {
    let is_wanted = |gateway: &&Gateway| wanted.contains(&gateway.name);
    let is_known = |name: &&String| known.iter().any(|gateway| gateway.name == **name);
    let ids = |chosen: &dyn Fn(&&Gateway) -> bool| known.iter().filter(chosen).map(|gateway| gateway.id).collect();
    Changes {
        add: wanted.iter().filter(|name| !is_known(name)).cloned().collect(),
        retire: ids(&|gateway| !gateway.retired && !gateway.is_active && !is_wanted(gateway)),
        reinstate: ids(&|gateway| gateway.retired && is_wanted(gateway)),
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
            assert_eq!(parse_choice(Some(&seven)).ok(), Some(7), "{seven}");
        }
        for nothing in [None, Some(&json!(null)), Some(&json!("")), Some(&json!(" "))] {
            assert_eq!(parse_choice(nothing).map_err(|error| error.to_string()), Err("Please select gateway".into()));
        }
        for odd in [json!(0), json!(-1), json!(1.5), json!("x"), json!([7]), json!(true), json!(u64::MAX)] {
            assert!(matches!(parse_choice(Some(&odd)), Err(GatewayError::InvalidGatewayId)), "{odd}");
        }
    }

    #[test]
    fn the_configuration_adds_retires_and_reinstates_but_never_retires_the_active_one() {
        let known = [gateway(1, "A", false, true), gateway(2, "B", false, false), gateway(3, "C", true, false)];
        let wanted = ["C", "D"].map(String::from);
        let expected = Changes { add: vec!["D".into()], retire: vec![2], reinstate: vec![3] };
        assert_eq!(changes(&known, &wanted), expected);
        let same = [gateway(1, "A", false, true)];
        assert_eq!(changes(&same, &["A".into()]), Changes::default());
    }
}
