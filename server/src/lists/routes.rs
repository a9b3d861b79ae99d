//! The calls of lists, by the tag under which the contract lists them.

use super::{Lists, http, http_csv, http_find, http_rows, http_settings, http_views};
use crate::http::routes::Routes;

/// The calls of lists.
pub fn routes() -> Routes<Lists> {
    vec![(
        "Orders",
        http::endpoints()
            .merge(http_rows::endpoints())
            .merge(http_csv::endpoints())
            .merge(http_settings::endpoints())
            .merge(http_views::endpoints())
            .merge(http_find::endpoints()),
    )]
}
