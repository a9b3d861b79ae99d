//! The cryptography provider of TLS, for mail, PostgreSQL and S3.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};

/// Returns the provider and installs it as the process default, which the S3 client uses.
pub fn provider() -> Arc<CryptoProvider> {
    // An error means that it is installed already.
    let _ = ring::default_provider().install_default();
    CryptoProvider::get_default().cloned().unwrap_or_else(|| Arc::new(ring::default_provider()))
}
