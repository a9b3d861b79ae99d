//! HTTP without any noun of the product: the listener, layers, the response envelope, errors, limits and idempotency.
//!
//! - `server.rs`: the listener; `staff_networks.rs`: whom it accepts when it is almost full.
//! - `layers.rs`: the layers around every request; `kit.rs`: what they need.
//! - `json.rs`: bodies, paths and queries. `answer.rs`: the response envelope. `errors.rs`: errors as responses.
//! - `address.rs`, `forwarded.rs`, `proxy_protocol.rs`: the client's address. `limits.rs`: size, encoding and time of a request.
//! - `unread.rs`: a body that was not read.
//! - `idempotency.rs`: repeated requests get the first response. `in_flight.rs`: the requests in progress.
//! - `failed_attempts.rs`: limits on guessing. `touched.rs`: one write at a time of the last use of a session or a key.
//! - `observe.rs`: logs and measurements. `health.rs`: health checks. `pages.rs`: the web app.
//! - `routes.rs`: the calls that a room offers.

pub mod address;
pub mod answer;
pub mod errors;
pub mod etag;
pub mod failed_attempts;
pub mod forwarded;
pub mod health;
pub mod idempotency;
pub mod in_flight;
pub mod json;
pub mod kit;
pub mod layers;
mod limits;
pub mod observe;
pub mod pages;
mod proxy_protocol;
pub mod routes;
pub mod server;
pub mod staff_networks;
pub mod touched;
mod unread;
