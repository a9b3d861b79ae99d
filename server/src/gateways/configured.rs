//! Brings the gateways that the config names into the database: when the program starts, and after a switch.

use super::rules::{Changes, changes};
use super::store;
use crate::db::Conn;
use crate::error::{Error, Result};

/// Adds what is new, retires what left the config unless it is active, and makes the first active while none is.
pub fn sync(tx: &mut Conn, wanted: &[String]) -> Result<()> {
    let known = store::lock(tx)?;
    let Changes { add, retire, bring_back } = changes(&known, wanted);
    for name in &add {
        store::add(tx, name)?;
    }
    if !retire.is_empty() {
        store::set_retired(tx, &retire, true)?;
    }
    if !bring_back.is_empty() {
        store::set_retired(tx, &bring_back, false)?;
    }
    if known.iter().any(|gateway| gateway.is_active) {
        return Ok(());
    }
    let first = store::list(tx)?.into_iter().find(|gateway| wanted.first() == Some(&gateway.name));
    store::activate(tx, first.ok_or_else(|| Error::invalid("The configuration names no payment gateway"))?.id)
}
