//! The one implementation of cryptography that TLS uses, for mail, PostgreSQL and S3.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};

/// Returns it, after making it the process's own: the S3 client asks for that one.
pub fn provider() -> Arc<CryptoProvider> {
    // An error says that it was done before.
    let _ = ring::default_provider().install_default();
    CryptoProvider::get_default().cloned().unwrap_or_else(|| Arc::new(ring::default_provider()))
}
