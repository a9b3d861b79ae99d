//! The calls of canned texts, by the tag under which the contract lists them.

use super::{CannedTexts, http};
use crate::http::routes::Routes;

/// The calls of canned texts.
pub fn routes() -> Routes<CannedTexts> {
    vec![("Orders", http::endpoints())]
}
