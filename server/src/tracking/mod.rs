//! Tracking: the grants by which applicants see an order, and the downloads of visas.
//!
//! - `grants.rs`: a grant of half an hour for an applicant who confirmed an order's email; `tokens.rs`: the signed token of a grant.
//! - `codes.rs`: codes by mail. `rules.rs`: the limits of codes and of guesses.
//! - `limits.rs`: the limit of public calls per minute; `errors.rs`: why a call is refused.
//! - `failed_tracks.rs`: wrong tries to open an order, by network and hour; `rules/traces.rs`: where each counts.
//! - `store.rs`: downloads; `evidence.rs`: downloads as evidence.

pub mod codes;
pub mod errors;
pub mod evidence;
pub mod failed_tracks;
pub mod grants;
pub mod limits;
pub mod rules;
pub mod store;
pub mod tokens;

use std::sync::Arc;

use self::limits::PublicCalls;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::secret::SecretKey;

/// The dependencies of grants and limits.
pub struct Tracking {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub calls: Arc<PublicCalls>,
}
