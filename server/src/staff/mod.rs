//! Staff: members, sign-in, sessions, passwords, and which members may manage which.
//!
//! - `rules.rs`: the types of staff, and the rules about members; `rules/passwords.rs`: which passwords may be set; `errors.rs`: why a
//!   call is refused.
//! - `store.rs`: members as rows. Password hashes never leave it.
//! - `http_sign_in.rs`, `http_second_step.rs`: sign-in; `challenges.rs`: sign-ins that lack the second factor.
//! - `second_factor.rs`: second factors as rows; `authenticator.rs`: the codes of an app; `http_second_factor.rs`: a member's own second
//!   factor; `confirmation.rs`: proves once more who is behind a session; `http_sessions.rs`: a member's own sessions.
//! - `relying_party.rs`: verifies what passkeys sign; `passkeys.rs`, `ceremonies.rs`: passkeys, and what browsers were asked to sign, as
//!   rows; `passkey_steps.rs`: asks and verifies; `http_passkeys.rs`: a member's own passkeys.
//! - `sessions.rs`: sessions on the server; `tokens.rs`: the tokens that name them;
//!   `uploads_cookie.rs`: the cookie that opens files.
//! - `known_devices.rs`: the devices that a member signed in from; `member_mails.rs`: mails to members about their own account;
//!   `rules/notices.rs`: what they report, and when.
//! - `inbox.rs`: what members are told about orders. `http_colleagues.rs`: the names of the others.
//! - `list_settings.rs`: how a member wants to see the lists of orders.
//! - `passwords.rs`: hashes passwords with Argon2id, in a bounded pool; `hashing_seats.rs`: its seats.
//! - `http.rs`: sign-out, the signed-in person, change-password; `http_team.rs`: the team members' calls; `team.rs`: reads a
//!   member from a form.
//! - `command.rs`: adds members from the command line.
//! - `routes.rs`: the calls.

pub mod authenticator;
pub mod ceremonies;
pub mod challenges;
pub mod command;
pub mod confirmation;
pub mod errors;
pub mod hashing_seats;
pub mod http;
pub mod http_colleagues;
pub mod http_passkeys;
pub mod http_second_factor;
pub mod http_second_step;
pub mod http_sessions;
pub mod http_sign_in;
pub mod http_team;
pub mod inbox;
pub mod known_devices;
pub mod list_settings;
pub mod member_mails;
pub mod passkey_steps;
pub mod passkeys;
pub mod passwords;
#[cfg(feature = "passkeys")]
pub mod relying_party;
pub mod routes;
#[cfg(not(feature = "passkeys"))]
#[path = "relying_party/not_built.rs"]
pub mod relying_party;
pub mod rules;
pub mod second_factor;
pub mod sessions;
pub mod store;
pub mod team;
pub mod tokens;
pub mod uploads_cookie;

use std::sync::Arc;

use self::passwords::Passwords;
use self::relying_party::RelyingParty;
use self::rules::second_factor::SecondFactorRule;
use self::rules::{Abilities, StaffType};
use self::tokens::Tokens;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::http::touched::PendingUses;
use crate::secret::SecretKey;

/// The dependencies of sign-in and the team.
pub struct Identity {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub passwords: Arc<Passwords>,
    pub tokens: Arc<Tokens>,
    pub touched: PendingUses,
    /// The members who must have a second factor, and when a proof is asked for again.
    pub second_factor: SecondFactorRule,
    /// Verifies passkeys; none where they are not offered.
    pub relying_party: Option<Arc<RelyingParty>>,
    /// The abilities of a type of staff. The access table and the rules of later rooms decide them, so this room gets a function.
    pub abilities: fn(StaffType) -> Abilities,
}
