//! The calls of deliveries, by the tag under which the contract lists them.

use super::{Deliveries, http, http_check, http_waiting};
use crate::http::routes::Routes;

/// The calls of deliveries.
pub fn routes() -> Routes<Deliveries> {
    vec![("Documents", http::endpoints().merge(http_check::endpoints()).merge(http_waiting::endpoints()))]
}
