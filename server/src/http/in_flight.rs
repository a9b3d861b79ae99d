//! The idempotent requests in progress in this process.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Caller, route and key of a request.
pub type Name = (String, String, String);

/// The requests in progress. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct InFlight(Arc<Mutex<HashSet<Name>>>);

/// A request in progress, until this is dropped.
pub struct Entry {
    in_flight: InFlight,
    name: Name,
}

impl InFlight {
    /// Enters a request. Returns none while another one of the same name is in progress.
    pub fn enter(&self, name: Name) -> Option<Entry> {
        let new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        new.then(|| Entry { in_flight: self.clone(), name })
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}
