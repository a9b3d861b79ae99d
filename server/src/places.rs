//! The country of an address, from a file in the binary: no outside service learns an applicant's address.

use std::borrow::Cow;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate};
use maxminddb::{PathElement, Reader};

/// IP Geolocation by DB-IP (<https://db-ip.com>, CC BY 4.0), from the web app's packages. Empty if they were not installed when the
/// binary was built.
static FILE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/dbip-country.mmdb"));

static COUNTRIES: LazyLock<Option<Countries>> = LazyLock::new(|| {
    let read = (!FILE.is_empty()).then(|| Countries::read(FILE.into()))?;
    if read.is_none() {
        tracing::warn!("the country file in this binary cannot be read: downloads will show no country");
    }
    read
});

/// English names by ISO 3166 code.
static NAMES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the file is part of the binary, and a test reads it")]
    serde_json::from_str(include_str!("places/countries.json")).expect("countries.json is names by code")
});

/// The country of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub country: String,
    /// The date of the file.
    pub as_of: NaiveDate,
}

/// The country of the address; none if the file does not know it or is missing.
pub fn find(address: IpAddr) -> Option<Place> {
    COUNTRIES.as_ref()?.find(address)
}

/// A country file.
struct Countries {
    reader: Reader<Cow<'static, [u8]>>,
    as_of: NaiveDate,
}

impl Countries {
    fn read(file: Cow<'static, [u8]>) -> Option<Self> {
        let reader = Reader::from_source(file).ok()?;
        let built_at = i64::try_from(reader.metadata().build_epoch).ok()?;
        let as_of = DateTime::from_timestamp(built_at, 0)?.date_naive();
        Some(Self { reader, as_of })
    }

    fn find(&self, address: IpAddr) -> Option<Place> {
        // A file with IPv4 networks only returns an error for an IPv6 address: its country is unknown.
        let code: Option<&str> =
            self.reader.lookup(address).ok()?.decode_path(&[PathElement::Key("country_code")]).ok()?;
        let country = name_of(code?)?;
        Some(Place { country, as_of: self.as_of })
    }
}

/// The name of the country, or its code if it has no name here.
fn name_of(code: &str) -> Option<String> {
    let known = NAMES.get(code).map(|name| (*name).to_owned());
    // `ZZ` means unknown.
    known.or_else(|| (code.len() == 2 && code != "ZZ").then(|| code.to_owned()))
}

#[cfg(test)]
mod tests;
