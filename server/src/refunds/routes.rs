//! The calls of refunds, by the tag under which the contract lists them.

use super::{Refunds, http, http_approvals, http_mails, http_take_back};
use crate::http::routes::Routes;

/// The calls of refunds.
pub fn routes() -> Routes<Refunds> {
    vec![(
        "Orders",
        http::endpoints()
            .merge(http_approvals::endpoints())
            .merge(http_mails::endpoints())
            .merge(http_take_back::endpoints()),
    )]
}
