//! The call of the home screen, by the tag under which the contract lists them.

use super::{HomeRoom, http};
use crate::http::routes::Routes;

/// The call of the home screen.
pub fn routes() -> Routes<HomeRoom> {
    vec![("Reports", http::endpoints())]
}
