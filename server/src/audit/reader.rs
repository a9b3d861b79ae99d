//! The member of staff who makes a request, and notes what they are about to see.

use super::access_log::AccessLog;
use super::seen::SeenData;
use super::store::Actor;
use crate::error::Result;

/// The member who makes the request. Handlers extract it and note what they are about to show.
#[derive(Clone)]
pub struct Reader {
    log: AccessLog,
    pub by: Actor,
    rows_per_hour: u32,
}

impl Reader {
    /// The member, with the budget of their type; 0: none.
    pub fn new(log: AccessLog, by: Actor, rows_per_hour: u32) -> Self {
        Self { log, by, rows_per_hour }
    }

    /// Notes what the response shows. The response must not leave before.
    ///
    /// # Errors
    /// [`super::errors::AuditError::RowBudgetReached`] if the settings stop members at their budget.
    /// [`super::errors::AuditError::AccessLogBusy`] if too many notes wait to be written.
    pub async fn note(&self, seen: SeenData) -> Result<()> {
        self.log.note(&self.by, self.rows_per_hour, seen).await
    }
}
