//! The call of live, by the tag under which the contract lists it.

use super::{Live, http};
use crate::http::routes::Routes;

/// The call of live.
pub fn routes() -> Routes<Live> {
    vec![("Orders", http::endpoints())]
}
