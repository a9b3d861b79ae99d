//! Backups: the database, the files and the secret key as one set, and their restore.
//!
//! A place for backups, a folder or a bucket, looks like this:
//!
//! - `files/KEY`: each stored file, once. Stored files never change, so later backups add only new ones.
//! - `sets/TIME/`: one backup: the parts of the database, the list of its files, the secret key, and at last `manifest.json`. A set
//!   without a manifest was not finished.
//! - `read-to`, `files.sha256`: where the backups go on reading files again, and the digests of encrypted ones.
//!
//! - `make.rs` writes a set, and `rereading.rs` finds files that were damaged in the place since an earlier one.
//! - `restore.rs` reads a set into an empty place, `verify.rs` only reads it; `set.rs`: how both do. `errors.rs`: why a backup is not made
//!   or not restored.
//! - `manifest.rs`: the set's table of contents. `place.rs`: folders and buckets. `packing.rs`: compression; `encryption.rs`: age, which a
//!   first start is built without.
//! - `worker.rs` makes backups when they are due; `schedule.rs`: what the configuration asks for; `rules.rs`: when one is due.
//! - `store.rs`: the attempts, and the mark of a rehearsal.
//! - `http.rs`: the state of the backups, for Admins.
//! - `routes.rs`: the calls.

mod blocking;
#[cfg(feature = "encryption")]
mod encryption;
#[cfg(not(feature = "encryption"))]
#[path = "encryption/not_built.rs"]
mod encryption;
pub mod errors;
pub mod http;
pub mod make;
mod manifest;
pub mod packing;
pub mod place;
mod rereading;
pub mod restore;
pub mod routes;
pub mod rules;
pub mod schedule;
mod set;
pub mod store;
pub mod verify;
pub mod worker;

use std::sync::Arc;

use self::make::BackupSource;
use self::rules::Rehearsal;
use self::schedule::Schedule;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of the backups.
pub struct Backups {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub source: BackupSource,
    pub schedule: Option<Schedule>,
    /// The backup that this database was restored from to try it. A rehearsal makes no backups.
    pub rehearsal: Option<Rehearsal>,
}
