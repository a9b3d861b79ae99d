//! The calls of sessions, second factors and members, by the tag under which the contract lists them.

use super::{
    Identity, http, http_colleagues, http_passkeys, http_second_factor, http_second_step, http_sessions, http_sign_in,
    http_team,
};
use crate::http::routes::Routes;

/// The calls of sessions, second factors and members.
pub fn routes() -> Routes<Identity> {
    vec![
        (
            "Session",
            http_sign_in::endpoints()
                .merge(http_second_step::endpoints())
                .merge(http::endpoints())
                .merge(http_sessions::endpoints()),
        ),
        ("Second factor", http_second_factor::endpoints().merge(http_passkeys::endpoints())),
        ("Team", http_team::endpoints().merge(http_colleagues::endpoints())),
    ]
}
