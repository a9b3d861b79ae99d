//! Visadesk: the back office of an agency that sells e-visa applications.
//!
//! In dependency order: each module uses only those above it. `tests/api/tidy` enforces it.

// The floor: knows no noun of the product.
pub mod error;
pub mod timestamp;
pub mod clock;
pub mod characters;
pub mod text;
pub mod email;
pub mod money;
pub mod calendar;
pub mod ids;
pub mod networks;
pub mod process;
pub mod secret;
pub mod jwt;
pub mod tls;
pub mod config;
pub mod db;
pub mod files;
pub mod child;
pub mod pdf;
pub mod csv;
pub mod devices;
pub mod places;
pub mod http;

// The rooms: one noun each, from independent ones to those that compose others.
pub mod audit;
pub mod staff;
pub mod visas;
pub mod gateways;
pub mod orders;
pub mod lifecycle;
pub mod remarks;
pub mod documents;
pub mod paper_requests;
pub mod papers;
pub mod mail;
pub mod tracking;
pub mod corrections;
pub mod refunds;
pub mod duplicates;
pub mod deliveries;
pub mod filing;
pub mod chargebacks;
pub mod undo;
pub mod home;
pub mod lists;
pub mod live;
pub mod details;
pub mod canned_texts;
pub mod casework;
pub mod intake;
pub mod reports;
pub mod public;
pub mod backup;

// The top: the only place that knows all rooms.
pub mod access;
pub mod app;
pub mod demo;
pub mod commands;
