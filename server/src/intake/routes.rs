//! The calls of intake, by the tag under which the contract lists them.

use super::{Intake, http, http_by_phone, http_keys};
use crate::http::routes::Routes;

/// The calls of intake.
pub fn routes() -> Routes<Intake> {
    vec![("Orders", http_by_phone::endpoints()), ("API keys", http_keys::endpoints()), ("Intake", http::endpoints())]
}
