//! The calls of live, by the tag under which the contract lists them.

use super::{Live, http, http_presence};
use crate::http::routes::Routes;

/// The calls of live.
pub fn routes() -> Routes<Live> {
    vec![("Orders", http::endpoints().merge(http_presence::endpoints()))]
}
