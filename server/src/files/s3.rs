//! A bucket of S3, or of a provider that speaks its protocol.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::prefix::PrefixStore;
use object_store::{ClientConfigKey, ObjectStore, RetryConfig};

use super::errors::FileError;
use crate::error::Result;

/// The time that a call to a storage may take.
pub const MAX_REQUEST_TIME: Duration = Duration::from_secs(30);
/// The time that connecting may take.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(5);
/// The number of times that a call is retried if the provider is busy or the connection breaks off.
const RETRIES: usize = 2;

/// Opens `place`, which is `bucket` or `bucket/prefix`.
///
/// # Errors
/// [`FileError`] for a place without a bucket, and for settings that make no client.
pub fn open(settings: AmazonS3Builder, place: &str) -> Result<Arc<dyn ObjectStore>> {
    crate::tls::provider();
    let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
    if bucket.is_empty() {
        return Err(FileError::NoBucket.into());
    }
    let endpoint = settings.get_config_value(&AmazonS3ConfigKey::Endpoint).unwrap_or_default();
    let retries = RetryConfig { max_retries: RETRIES, retry_timeout: MAX_REQUEST_TIME, ..RetryConfig::default() };
    let seconds = |duration: Duration| format!("{} seconds", duration.as_secs());
    let store = settings
        .with_bucket_name(bucket)
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ConnectTimeout), seconds(MAX_CONNECT_TIME))
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), seconds(MAX_REQUEST_TIME))
        // Plain HTTP only if the endpoint says so: files travel in clear.
        .with_allow_http(endpoint.starts_with("http://"))
        .with_retry(retries)
        .build()
        .map_err(FileError::UnusableBucket)?;
    match prefix.trim_matches('/') {
        "" => Ok(Arc::new(store)),
        prefix => Ok(Arc::new(PrefixStore::new(store, prefix))),
    }
}
