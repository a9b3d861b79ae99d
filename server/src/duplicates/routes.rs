//! The call of duplicates, by the tag under which the contract lists them.

use super::{Duplicates, http};
use crate::http::routes::Routes;

/// The call of duplicates.
pub fn routes() -> Routes<Duplicates> {
    vec![("Orders", http::endpoints())]
}
