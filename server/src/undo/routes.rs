//! The call of undo, by the tag under which the contract lists them.

use super::{Undo, http};
use crate::http::routes::Routes;

/// The call of undo.
pub fn routes() -> Routes<Undo> {
    vec![("Orders", http::endpoints())]
}
