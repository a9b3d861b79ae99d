//! The calls of applicants, by the tag under which the contract lists them.

use super::{Public, http, http_codes, http_downloads, http_papers};
use crate::http::routes::Routes;

/// The calls of applicants.
pub fn routes() -> Routes<Public> {
    vec![(
        "Visitors",
        http::endpoints()
            .merge(http_downloads::endpoints())
            .merge(http_papers::endpoints())
            .merge(http_codes::endpoints()),
    )]
}
