//! Requests in progress in this process, by name: the second of the same name is refused.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The requests in progress, each under a name of type `N`. Clones share them.
#[derive(Clone, Debug)]
pub struct InFlight<N>(Arc<Mutex<HashSet<N>>>);

impl<N> Default for InFlight<N> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// A request in progress, until this is dropped.
pub struct RequestInFlight<N: Clone + Eq + Hash> {
    in_flight: InFlight<N>,
    name: N,
}

impl<N: Clone + Eq + Hash> InFlight<N> {
    /// Enters a request. Returns none while another one of the same name is in progress.
    pub fn enter(&self, name: N) -> Option<RequestInFlight<N>> {
        let new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        new.then(|| RequestInFlight { in_flight: self.clone(), name })
    }
}

impl<N: Clone + Eq + Hash> Drop for RequestInFlight<N> {
    fn drop(&mut self) {
        self.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}
