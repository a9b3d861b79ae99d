//! The HTTP clients of the tests.

use reqwest::redirect::Policy;

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
    builder.build().expect("the client starts")
}
