//! Documents: applicants' files and the issued visa.
//!
//! - `rules.rs`: which content is taken, under which name, and how much of it.
//! - `store.rs`: the rows that name stored files.
//! - `forms.rs`: uploads as they come in; `arrivals.rs`: from there to a stored file.
//! - `inspection.rs`: looking into a file, in a process of its own, before anybody else does.
//! - `links.rs`: signed links, each for one viewer and five minutes; `viewers.rs`: who opens one.
//! - `http.rs`: the upload of an issued visa; `http_links.rs`: files by their links.
//! - `sweeper.rs`: files without a row; `check.rs`: rows without their file.

pub mod arrivals;
pub mod check;
pub mod forms;
pub mod http;
pub mod http_links;
pub mod inspection;
pub mod links;
pub mod rules;
pub mod store;
pub mod sweeper;
pub mod viewers;
