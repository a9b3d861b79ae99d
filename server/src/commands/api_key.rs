//! `visadesk api-key add`.

use crate::intake::rules::keys::TypedKey;

/// A new API key.
#[derive(clap::Args)]
pub struct ApiKeyArguments {
    /// A name that no other key has or had.
    name: String,
    /// The sales site it belongs to: the key sees only the orders of this source, and old orders without one.
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// The rights of the key, separated by commas: orders, payments, documents, gateway. Everything by default.
    #[arg(long, value_delimiter = ',')]
    rights: Option<Vec<String>>,
    /// Its last day, as 2027-01-31 in the agency's time zone, or an instant as 2027-01-31T13:45:00Z.
    #[arg(long, value_name = "DATE")]
    expires: Option<String>,
    /// Addresses and networks that it may be used from, separated by commas: 203.0.113.7, 10.0.0.0/8.
    #[arg(long)]
    networks: Option<String>,
    /// The number of calls that it may make a minute.
    #[arg(long, value_name = "CALLS")]
    rate: Option<i64>,
    /// Refuses an order of which a field is not in its normal form, instead of keeping the field as it was sent.
    #[arg(long)]
    strict: bool,
}

impl From<ApiKeyArguments> for TypedKey {
    fn from(new: ApiKeyArguments) -> Self {
        let ApiKeyArguments { name, source, rights, expires, networks, rate, strict } = new;
        Self { name, source, rights, expires, networks, calls_per_minute: rate, is_strict: strict }
    }
}
