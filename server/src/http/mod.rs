//! The HTTP kit: the listener, the answer envelope, limits, idempotency, observation. It names no room.
//!
//! - `server.rs`: the listener. `layers.rs`: what every request goes through; `kit.rs`: what that needs.
//! - `json.rs`: bodies, paths and queries, read strictly. `answer.rs`: the envelope of answers; `refusal.rs`: errors as answers.
//! - `address.rs`: whose address a request comes from. `limits.rs`: what one request may cost.
//! - `idempotency.rs`: a repeated request gets the first one's answer; `in_flight.rs`: those that go on at this moment.
//! - `failed_attempts.rs`: failures, counted so that guessing gets slow.
//! - `observe.rs`: log lines and measurements. `health.rs`: what load balancers ask. `pages.rs`: the web app.

pub mod address;
pub mod answer;
pub mod failed_attempts;
pub mod health;
pub mod idempotency;
pub mod in_flight;
pub mod json;
pub mod kit;
pub mod layers;
mod limits;
pub mod observe;
pub mod pages;
pub mod errors;
pub mod server;
