//! Visadesk: the back office of an agency that sells e-visa applications.
//!
//! In reading order: the floor, which knows no noun of the product, and then the rooms, one noun each.

pub mod app;
pub mod attempts;
pub mod child;
pub mod clock;
pub mod coded;
pub mod config;
pub mod csv;
pub mod db;
pub mod error;
pub mod files;
pub mod http;
pub mod jwt;
pub mod pdf;
pub mod secret;
pub mod text;
pub mod tls;
pub mod work;

pub mod audit;
pub mod chargebacks;
pub mod documents;
pub mod gateways;
pub mod intake;
pub mod mail;
pub mod orders;
pub mod reports;
pub mod staff;
pub mod tracking;
pub mod visas;
