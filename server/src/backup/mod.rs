//! Backups: the database, the files and the secret key as one set, and their restore.
//!
//! A place for backups, a folder or a bucket, looks like this:
//!
//! - `files/KEY`: each stored file, once. Stored files never change, so later backups add only new ones.
//! - `sets/TIME/`: one backup: the parts of the database, the list of its files, the secret key, and at last `manifest.json`. A set
//!   without a manifest was not finished.
//!
//! `make.rs` writes a set, `restore.rs` reads one into an empty place, `manifest.rs` is the set's table of contents. `place.rs`: folders and
//! buckets. `packing.rs`: compression; `encryption.rs`: age, which a first start is built without. `errors.rs`: why a backup is not made or not restored.

#[cfg(feature = "encryption")]
mod encryption;
#[cfg(not(feature = "encryption"))]
#[path = "encryption/not_built.rs"]
mod encryption;
pub mod errors;
pub mod make;
mod manifest;
pub mod packing;
pub mod place;
pub mod restore;
