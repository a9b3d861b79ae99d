//! The server's tests: the real router over a real listener, on a real database of either kind. One binary.

#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

mod access;
mod admins;
mod allowed_actions;
mod api_keys;
mod audit;
mod backup;
mod canned_texts;
mod chargebacks;
mod contract;
mod corrections;
mod counts;
mod deliveries;
mod details;
mod documents;
mod duplicates;
mod filing;
mod find_orders;
mod gateways;
mod health;
mod home;
mod idempotency;
mod import;
mod inputs;
mod intake;
mod lifecycle;
mod live;
mod mail;
mod migrations;
mod model;
mod moves;
mod order_fields;
mod orders;
mod packs;
mod pages;
mod paper_requests;
mod papers;
mod refunds;
mod remarks;
mod reports;
mod robust;
mod search;
mod second_factor;
mod seed;
mod sessions;
mod staff;
mod team;
mod tidy;
mod tokens;
mod tracking;
mod visas;
mod workload;
