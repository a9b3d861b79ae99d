//! The HTTP clients of the tests.

use std::time::Duration;

use reqwest::redirect::Policy;

/// Shorter than the server waits for the next request on a connection (`limits.head_seconds`), so that no request meets its end.
const MAX_IDLE: Duration = Duration::from_secs(5);

/// A client that follows no redirect and asks no proxy. It trusts no certificate authority, because reading those of the system takes
/// longer than most tests.
pub fn client() -> reqwest::Client {
    // The connections of a client belong to the runtime of the test that made them.
    thread_local!(static CLIENT: reqwest::Client = build());
    CLIENT.with(reqwest::Client::clone)
}

#[expect(clippy::disallowed_methods, reason = "the one place")]
fn build() -> reqwest::Client {
    visadesk::tls::provider();
    let builder = reqwest::Client::builder().redirect(Policy::none()).no_proxy().tls_certs_only([]);
    let builder = builder.pool_idle_timeout(MAX_IDLE);
    builder.build().expect("the client starts")
}
