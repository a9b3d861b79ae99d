//! Visas: the static catalogue of visa types and their documents.
//!
//! - `catalogue.json`: purpose, sub-purpose, visa type, documents. The codes are those of the Indonesian decree
//!   M.IP-08.GR.01.01 of 2025 with four more that have a government page; a type names the pages it was read from in
//!   `sources`, and in `confidence` how sure that is: `official` (government page or regulation), `official_quoted` (quoted by
//!   others), `secondary` (law firm, press, agency), `name_only`. A field that is not known is absent, never guessed. The
//!   grouping into purposes is ours. It is no legal advice: look at the government's page of a code before trusting its list.
//! - `catalogue.rs`: parses the file once and looks things up in it.
//! - `portal.json`: the form and the limits of the government's portal, with sources; `portal.rs`: parses and checks it.
//! - `rules.rs`: what the rules of a visa type say about a trip.
//! - `errors.rs`: why a setting about visas is refused.
//! - `http.rs`: serves the catalogue to the app.

pub mod catalogue;
pub mod errors;
pub mod http;
pub mod portal;
pub mod rules;
