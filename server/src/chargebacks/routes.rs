//! The calls of chargebacks, by the tag under which the contract lists them.

use super::{Chargebacks, http, http_packs};
use crate::http::routes::Routes;

/// The calls of chargebacks.
pub fn routes() -> Routes<Chargebacks> {
    vec![("Chargebacks", http::endpoints().merge(http_packs::endpoints()))]
}
