//! The calls of reports, by the tag under which the contract lists them.

use super::{Reports, http, http_csv, http_days};
use crate::http::routes::Routes;

/// The calls of reports.
pub fn routes() -> Routes<Reports> {
    vec![("Reports", http::endpoints().merge(http_days::endpoints()).merge(http_csv::endpoints()))]
}
