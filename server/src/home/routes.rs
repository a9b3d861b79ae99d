//! The calls of the home screen and the inbox, by the tag under which the contract lists them.

use super::{HomeRoom, http, http_inbox};
use crate::http::routes::Routes;

/// The calls of the home screen and the inbox.
pub fn routes() -> Routes<HomeRoom> {
    vec![("Reports", http::endpoints()), ("Orders", http_inbox::endpoints())]
}
