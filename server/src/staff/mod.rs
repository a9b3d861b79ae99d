//! Staff: who works here, how they sign in, and who of them may manage whom.
//!
//! - `rules.rs`: the types of staff, and the rules about members.
//! - `store.rs`: members, as rows. Password hashes never leave it.
//! - `sessions.rs`: sessions on the server; `tokens.rs`: the tokens that name them; `touched.rs`: when one was last used;
//!   `uploads_cookie.rs`: the cookie that opens files.
//! - `passwords.rs`: Argon2id in a bounded pool, and the list of common passwords.
//! - `http.rs`: sign-in, sign-out, the signed-in person, change-password; `team.rs`: what a member is, read from a form;
//!   `http_team.rs`: the team members' calls.
//! - `command.rs`: members from the command line.

pub mod command;
pub mod errors;
pub mod http;
pub mod http_team;
pub mod passwords;
pub mod rules;
pub mod sessions;
pub mod store;
pub mod team;
pub mod tokens;
pub mod touched;
pub mod uploads_cookie;

use std::sync::Arc;

use self::passwords::Passwords;
use self::rules::{Abilities, StaffType};
use self::tokens::Tokens;
use self::touched::Touched;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::secret::SecretKey;

/// What signing in and the team need.
#[derive(Clone)]
pub struct Identity {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub passwords: Arc<Passwords>,
    pub tokens: Arc<Tokens>,
    pub touched: Touched,
    /// What a type of staff may do: the table of access and the rooms' rules decide, which stand above this one.
    pub abilities: fn(StaffType) -> Abilities,
}
