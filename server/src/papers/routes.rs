//! The calls of papers, by the tag under which the contract lists them.

use super::{Papers, http, portal_version};
use crate::http::routes::Routes;

/// The calls of papers.
pub fn routes() -> Routes<Papers> {
    vec![("Documents", http::endpoints().merge(portal_version::endpoints()))]
}
