//! Applications are attached to their orders: an undone filing closes its application, and its number is free again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rules::FilingOutcome;
use super::store::{self, FilingEnd};
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::lifecycle::attached::{AttachedRows, Cause, Transition};

/// The name of applications in the records of changes.
pub const NAME: &str = "filing";

/// An application that was filed, and the one that it replaced.
#[derive(Serialize, Deserialize)]
struct KeptFiling {
    filed: i64,
    replaced: Option<i64>,
}

/// Returns the values that the undo of a filing needs.
pub fn kept(filed: i64, replaced: Option<i64>) -> Value {
    serde_json::json!(KeptFiling { filed, replaced })
}

/// The applications of orders.
pub struct Filings;

impl AttachedRows for Filings {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tables(&self) -> &'static [&'static str] {
        &["filings"]
    }

    /// An application stays open whatever becomes of its order: the government decides about it.
    fn follow(&self, _tx: &mut Conn, _changes: &[Transition], _cause: &Cause) -> Result<Vec<(OrderId, Value)>> {
        Ok(Vec::new())
    }

    fn restore(&self, tx: &mut Conn, _order_id: OrderId, kept: &Value, cause: &Cause) -> Result<()> {
        let KeptFiling { filed, replaced } = KeptFiling::deserialize(kept).map_err(Error::internal)?;
        let by = cause.by.staff_id.ok_or_else(|| Error::internal("an undo without a member"))?;
        store::close(tx, filed, &FilingEnd { outcome: FilingOutcome::Replaced, reason: None, by }, cause.now)?;
        match replaced {
            Some(replaced) => store::reopen(tx, replaced),
            None => Ok(()),
        }
    }
}
