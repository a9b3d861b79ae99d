//! The calls of paper requests, by the tag under which the contract lists them.

use super::{PaperRequests, http};
use crate::http::routes::Routes;

/// The calls of paper requests.
pub fn routes() -> Routes<PaperRequests> {
    vec![("Documents", http::endpoints())]
}
