//! The calls of the audit and of the access log, by the tag under which the contract lists them.

use super::{Audit, http, http_access_log};
use crate::http::routes::Routes;

/// The calls of the audit and of the access log.
pub fn routes() -> Routes<Audit> {
    vec![("Audit", http::endpoints().merge(http_access_log::endpoints()))]
}
