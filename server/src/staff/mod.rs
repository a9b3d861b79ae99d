//! Staff: members, sign-in, sessions, passwords, and which members may manage which.
//!
//! - `rules.rs`: the types of staff, and the rules about members; `rules/passwords.rs`: which passwords may be set; `errors.rs`: why a
//!   call is refused.
//! - `store.rs`: members as rows. Password hashes never leave it.
//! - `sessions.rs`: sessions on the server; `tokens.rs`: the tokens that name them;
//!   `uploads_cookie.rs`: the cookie that opens files.
//! - `passwords.rs`: hashes passwords with Argon2id, in a bounded pool.
//! - `http.rs`: sign-in, sign-out, the signed-in person, change-password; `http_team.rs`: the team members' calls; `team.rs`: reads a
//!   member from a form.
//! - `command.rs`: adds members from the command line.

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
pub mod uploads_cookie;

use std::sync::Arc;

use self::passwords::Passwords;
use self::rules::{Abilities, StaffType};
use self::tokens::Tokens;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::http::touched::Touched;
use crate::secret::SecretKey;

/// The dependencies of sign-in and the team.
pub struct Identity {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub passwords: Arc<Passwords>,
    pub tokens: Arc<Tokens>,
    pub touched: Touched,
    /// The abilities of a type of staff. The access table and the rules of later rooms decide them, so this room gets a function.
    pub abilities: fn(StaffType) -> Abilities,
}
