//! Syncs the gateways of the configuration into the database, at the start of the program and after a switch.

use super::errors::GatewayError;
use super::rules::{Changes, changes};
use super::store;
use crate::db::Conn;
use crate::error::Result;

/// Adds new gateways, retires inactive ones that left the configuration, and activates the first one if none is active.
pub fn sync(tx: &mut Conn, wanted: &[String]) -> Result<()> {
    let known = store::lock(tx)?;
    let Changes { add, retire, reinstate } = changes(&known, wanted);
    for name in &add {
        store::add(tx, name)?;
    }
    if !retire.is_empty() {
        store::set_retired(tx, &retire, true)?;
    }
    if !reinstate.is_empty() {
        store::set_retired(tx, &reinstate, false)?;
    }
    if known.iter().any(|gateway| gateway.is_active) {
        return Ok(());
    }
    let first = store::list(tx)?.into_iter().find(|gateway| wanted.first() == Some(&gateway.name));
    store::activate(tx, first.ok_or(GatewayError::NoConfiguredGateway)?.id)
}
