//! The calls of mail, by the tag under which the contract lists them.

use super::{Mail, http};
use crate::http::routes::Routes;

/// The calls of mail.
pub fn routes() -> Routes<Mail> {
    vec![("Mail", http::endpoints())]
}
