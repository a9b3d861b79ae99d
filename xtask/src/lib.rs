//! The developer's commands: `cargo xtask run | build | test | mutants | seeds | gen | pictures | bench`.
//!
//! One file per verb (`run.rs`, `build.rs`, `test.rs`, `mutants.rs`, `seeds.rs`, `generate.rs`, `pictures.rs`); the verbs use the other files, and so does `bench/`,
//! a crate of its own, so that only those who measure compile it. Nothing here is part of the product.

#![cfg(target_os = "linux")]

mod advisories;
pub mod build;
pub mod cargo;
pub mod chromium;
mod corpora;
mod deny;
mod e2e;
mod errors;
mod fuzz;
pub mod generate;
pub mod mutants;
pub mod needs;
mod network;
mod node;
pub mod pictures;
pub mod postgres;
pub mod python;
mod reference;
mod report;
pub mod run;
mod sbom;
pub mod seeds;
pub mod stamp;
pub mod test;
mod times;
pub mod web;
pub mod workspace;
