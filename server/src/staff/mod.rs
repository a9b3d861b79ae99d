//! Staff: who works here, how they sign in, and what each may do.
//!
//! - `rules.rs`: the types, the one table of who may call what, and the finer rules.
//! - `store.rs`: members, as rows. Password hashes never leave it.
//! - `sessions.rs`: sessions on the server, and the tokens that name them; `uploads_cookie.rs`: the cookie that opens files.
//! - `passwords.rs`: Argon2id in a bounded pool, and the list of common passwords.
//! - `http.rs`: sign-in, sign-out, the signed-in person, change-password; `team.rs`: the team members' calls.
//! - `command.rs`: members from the command line; `demo.rs`: the five people of a demo.

pub mod command;
pub mod demo;
pub mod http;
pub mod passwords;
pub mod rules;
pub mod sessions;
pub mod store;
pub mod team;
pub mod uploads_cookie;
