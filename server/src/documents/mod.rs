//! Documents: applicants' files and the issued visa.
//!
//! - `rules.rs`: which content is accepted, under which name, and how much of it; `limits.rs`: the size of a file; `errors.rs`: why a
//!   file is refused.
//! - `store.rs`: the rows that name stored files; `owners.rs`: the tables of all rooms that name files.
//! - `memory_permits.rs`: the cap on the memory of files. `forms.rs`: reads an upload, with a permit and at the pace of `pace.rs`;
//!   `file_names.rs`: the name of its file; `storing.rs`: inspects and stores its file. `sending.rs`: sends a file, with a permit and at
//!   a least pace.
//! - `inspection.rs`: inspects a file in a child process before it is stored; `page_images.rs`: renders pages of PDFs in another.
//! - `links.rs`: signed links, each for one viewer and five minutes; `http_links.rs`: serves files by their links;
//!   `http_pages.rs`: serves images of their pages; `noted_links.rs`: which links were noted as opened.
//! - `sweeper.rs`: removes files without a row; `check.rs`: finds rows without their file.

pub mod check;
pub mod errors;
mod file_names;
pub mod forms;
pub mod http_links;
pub mod http_pages;
pub mod inspection;
pub mod kinds;
pub mod limits;
pub mod links;
pub mod memory_permits;
pub mod noted_links;
pub mod owners;
mod pace;
pub mod page_images;
pub mod rules;
pub mod sending;
pub mod store;
pub mod storing;
pub mod sweeper;

use std::sync::Arc;

use self::inspection::Inspector;
use self::memory_permits::MemoryPermits;
use self::noted_links::NotedLinks;
use self::owners::FileOwners;
use self::page_images::PageRenderer;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::files::Files;
use crate::secret::SecretKey;

/// The dependencies of documents.
pub struct Documents {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub files: Files,
    pub inspector: Arc<Inspector>,
    pub pages: PageRenderer,
    pub noted_links: NotedLinks,
    pub owners: FileOwners,
    pub uploads: MemoryPermits,
    pub downloads: MemoryPermits,
}
