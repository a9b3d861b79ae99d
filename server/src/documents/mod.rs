//! Documents: applicants' files and the issued visa.
//!
//! - `rules.rs`: which content is taken, under which name, and how much of it.
//! - `store.rs`: the rows that name stored files; `owners.rs`: those and the rows of other rooms that do.
//! - `forms.rs`: uploads as they come in; `storing.rs`: from there to a stored file.
//! - `inspection.rs`: looking into a file, in a process of its own, before it is kept.
//! - `links.rs`: signed links, each for one viewer and five minutes; `http_links.rs`: files by their links.
//! - `sweeper.rs`: files without a row; `check.rs`: rows without their file.

pub mod check;
pub mod forms;
pub mod http_links;
pub mod inspection;
pub mod links;
pub mod owners;
pub mod rules;
pub mod store;
pub mod storing;
pub mod sweeper;

use std::sync::Arc;

use self::inspection::Inspector;
use self::owners::FileOwners;
use crate::audit::access_log::AccessLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::files::Files;
use crate::secret::SecretKey;

/// What files and the links to them need.
#[derive(Clone)]
pub struct Documents {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub access_log: AccessLog,
    pub files: Files,
    pub inspector: Arc<Inspector>,
    pub owners: FileOwners,
}
