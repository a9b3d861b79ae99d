//! The call of backups, by the tag under which the contract lists them.

use super::{Backups, http};
use crate::http::routes::Routes;

/// The call of backups.
pub fn routes() -> Routes<Backups> {
    vec![("Backups", http::endpoints())]
}
