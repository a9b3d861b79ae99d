//! The calls of filing, by the tag under which the contract lists them.

use super::{FilingRoom, http, http_claims, http_kit, http_view};
use crate::http::routes::Routes;

/// The calls of filing.
pub fn routes() -> Routes<FilingRoom> {
    vec![(
        "Filing",
        http_view::endpoints().merge(http_claims::endpoints()).merge(http_kit::endpoints()).merge(http::endpoints()),
    )]
}
