//! Visadesk: the back office of an agency that sells e-visa applications.
//!
//! The floor knows no noun of the product; each room holds one.

pub mod clock;
pub mod config;
pub mod db;
pub mod error;
