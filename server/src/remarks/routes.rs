//! The call of remarks, by the tag under which the contract lists them.

use super::{Remarks, http};
use crate::http::routes::Routes;

/// The call of remarks.
pub fn routes() -> Routes<Remarks> {
    vec![("Orders", http::endpoints())]
}
