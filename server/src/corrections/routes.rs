//! The call of corrections, by the tag under which the contract lists them.

use super::{Corrections, http};
use crate::http::routes::Routes;

/// The call of corrections.
pub fn routes() -> Routes<Corrections> {
    vec![("Orders", http::endpoints())]
}
