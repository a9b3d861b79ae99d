//! The calls of details, by the tag under which the contract lists them.

use super::{DetailsRoom, http, http_history};
use crate::http::routes::Routes;

/// The calls of details.
pub fn routes() -> Routes<DetailsRoom> {
    vec![("Orders", http::endpoints().merge(http_history::endpoints()))]
}
