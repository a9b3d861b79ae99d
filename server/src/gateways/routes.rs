//! The calls of gateways, by the tag under which the contract lists them.

use super::{Gateways, http};
use crate::http::routes::Routes;

/// The calls of gateways.
pub fn routes() -> Routes<Gateways> {
    vec![("Gateways", http::endpoints())]
}
