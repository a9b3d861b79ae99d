//! The limits of an API key, and the options of a new one. Pure.

use std::net::IpAddr;

use chrono::Datelike;
use chrono_tz::Tz;
use strum::IntoStaticStr;

use crate::calendar;
use crate::characters::is_unseen;
use crate::intake::errors::IntakeError;
use crate::networks::{InvalidNetwork, Networks};
use crate::orders::rules::dates::{parse_date, parse_instant};
use crate::text::{MAX_NAME_LEN, PersonName, format_instant};
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// A right of a key.
    pub enum KeyRight {
        /// Create orders.
        Orders = "orders",
        /// Add payments to orders.
        Payments = "payments",
        /// Add documents to orders.
        Documents = "documents",
        /// Read the active payment gateway.
        Gateway = "gateway",
    }
}

/// The most networks of one key.
const MAX_NETWORKS: usize = 50;
/// The most calls a minute that a limit may name.
const MAX_CALLS_PER_MINUTE: i64 = 100_000;
/// The last year that a key may expire in.
const LAST_YEAR: i32 = 2100;

/// The limits of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLimits {
    /// In the order of their declaration.
    pub rights: Vec<KeyRight>,
    /// The first instant at which the key is refused.
    pub expires_at: Option<Timestamp>,
    /// Where calls may come from; empty: from everywhere.
    pub networks: Networks,
    pub calls_per_minute: Option<u32>,
    /// An order is refused if a field of it is not in its normal form.
    pub is_strict: bool,
}

impl Default for KeyLimits {
    /// A key without options may do everything, from everywhere, for ever.
    fn default() -> Self {
        let networks = Networks::default();
        Self { rights: KeyRight::ALL.to_vec(), expires_at: None, networks, calls_per_minute: None, is_strict: false }
    }
}

/// Why a known key is refused. The caller gets the same response as for an unknown key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub enum KeyRefusal {
    #[strum(serialize = "revoked")]
    Revoked,
    #[strum(serialize = "expired")]
    Expired,
    #[strum(serialize = "wrong network")]
    WrongNetwork,
}

impl KeyLimits {
    /// Checks that a key with these limits may be used now from `address`.
    ///
    /// # Errors
    /// [`KeyRefusal::Expired`], [`KeyRefusal::WrongNetwork`].
    pub fn check_use(&self, address: IpAddr, now: Timestamp) -> Result<(), KeyRefusal> {
        if self.expires_at.is_some_and(|expires_at| now >= expires_at) {
            return Err(KeyRefusal::Expired);
        }
        if !self.networks.is_empty() && !self.networks.contain(address) {
            return Err(KeyRefusal::WrongNetwork);
        }
        Ok(())
    }

    /// Refuses a call that needs another right.
    ///
    /// # Errors
    /// [`IntakeError::ApiKeyRightMissing`].
    pub fn check_right(&self, right: KeyRight) -> Result<(), IntakeError> {
        if self.rights.contains(&right) { Ok(()) } else { Err(IntakeError::ApiKeyRightMissing(right.as_str())) }
    }

    /// The stored form of the rights; none for all of them.
    pub fn stored_rights(&self) -> Option<String> {
        (self.rights.len() < KeyRight::ALL.len()).then(|| names(&self.rights, ","))
    }
}

/// The rights in their stored form. Unknown ones, of a later version, are left out.
pub fn read_stored_rights(stored: Option<&str>) -> Vec<KeyRight> {
    match stored {
        None => KeyRight::ALL.to_vec(),
        Some(stored) => stored.split(',').filter_map(KeyRight::parse).collect(),
    }
}

fn names(rights: &[KeyRight], between: &str) -> String {
    rights.iter().map(|right| right.as_str()).collect::<Vec<_>>().join(between)
}

/// The options of a new key, as typed.
#[derive(Clone, Debug, Default)]
pub struct TypedKey {
    pub name: String,
    /// The name of the sales site; a new name adds a source.
    pub source: Option<String>,
    /// None: all rights.
    pub rights: Option<Vec<String>>,
    /// The last day in the agency's time zone, as YYYY-MM-DD, or an instant in ISO 8601.
    pub expires: Option<String>,
    /// Addresses and networks, separated by commas.
    pub networks: Option<String>,
    pub calls_per_minute: Option<i64>,
    pub is_strict: bool,
}

/// A validated key that has no id yet.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub name: String,
    pub source: Option<PersonName>,
    pub limits: KeyLimits,
}

impl NewKey {
    /// The key without limits of that name.
    ///
    /// # Errors
    /// [`IntakeError::InvalidApiKeyName`].
    pub fn unlimited(name: &str) -> Result<Self, IntakeError> {
        Ok(Self { name: read_name(name)?, source: None, limits: KeyLimits::default() })
    }

    /// Validates what was typed.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn check(typed: &TypedKey, now: Timestamp, zone: Tz) -> Result<Self, IntakeError> {
        let given =
            |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let source = given(&typed.source).map(|source| PersonName::parse(&source, ""));
        Ok(Self {
            name: read_name(&typed.name)?,
            source: source.transpose().map_err(|_| IntakeError::InvalidSourceName)?,
            limits: KeyLimits {
                rights: typed.rights.as_deref().map_or_else(|| Ok(KeyRight::ALL.to_vec()), read_rights)?,
                expires_at: given(&typed.expires).map(|text| read_expiry(&text, now, zone)).transpose()?,
                networks: given(&typed.networks)
                    .map_or_else(|| Ok(Networks::default()), |list| read_networks(&list))?,
                calls_per_minute: typed.calls_per_minute.map(read_rate).transpose()?,
                is_strict: typed.is_strict,
            },
        })
    }

    /// The text in the audit: the name, and what limits the key.
    pub fn describe(&self) -> String {
        let source = self.source.as_ref().map(|source| format!("source {}", source.as_str()));
        let limits = describe(&self.limits, chrono_tz::UTC);
        [Some(self.name.clone()), source].into_iter().flatten().chain(limits).collect::<Vec<_>>().join("; ")
    }
}

/// The limits in words, with times in `zone`; none for a key without limits.
pub fn describe(limits: &KeyLimits, zone: Tz) -> Vec<String> {
    let rights = limits.stored_rights().map(|_| format!("rights {}", names(&limits.rights, ", ")));
    let expiry = limits.expires_at.map(|at| format!("expires {}", format_instant(at, zone)));
    let networks = (!limits.networks.is_empty()).then(|| format!("from {}", limits.networks));
    let rate = limits.calls_per_minute.map(|calls| format!("{calls} calls a minute"));
    let strictness = limits.is_strict.then(|| "strict".to_owned());
    [rights, expiry, networks, rate, strictness].into_iter().flatten().collect()
}

fn read_name(typed: &str) -> Result<String, IntakeError> {
    let name = typed.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_LEN || name.chars().any(is_unseen) {
        return Err(IntakeError::InvalidApiKeyName);
    }
    Ok(name.to_owned())
}

fn read_rights(typed: &[String]) -> Result<Vec<KeyRight>, IntakeError> {
    let mut rights = Vec::new();
    for text in typed {
        let right =
            KeyRight::parse(text.trim()).ok_or_else(|| IntakeError::UnknownApiKeyRight(names(KeyRight::ALL, ", ")))?;
        rights.push(right);
    }
    rights.sort_unstable();
    rights.dedup();
    if rights.is_empty() { Err(IntakeError::ApiKeyRightsMissing) } else { Ok(rights) }
}

fn read_expiry(typed: &str, now: Timestamp, zone: Tz) -> Result<Timestamp, IntakeError> {
    let at = match parse_date(typed) {
        Some(last_day) => Some(calendar::end(last_day, zone)),
        None => parse_instant(typed),
    };
    let at = at.filter(|at| at.year() <= LAST_YEAR).ok_or(IntakeError::InvalidApiKeyExpiry)?;
    if at > now { Ok(at) } else { Err(IntakeError::ApiKeyExpiryPast) }
}

fn read_networks(typed: &str) -> Result<Networks, IntakeError> {
    let networks: Networks = typed.parse().map_err(|InvalidNetwork(part)| IntakeError::InvalidApiKeyNetwork(part))?;
    if networks.len() > MAX_NETWORKS { Err(IntakeError::TooManyApiKeyNetworks(MAX_NETWORKS)) } else { Ok(networks) }
}

fn read_rate(typed: i64) -> Result<u32, IntakeError> {
    let rate = Some(typed).filter(|calls| (1..=MAX_CALLS_PER_MINUTE).contains(calls));
    rate.and_then(|calls| u32::try_from(calls).ok()).ok_or(IntakeError::InvalidApiKeyRate(MAX_CALLS_PER_MINUTE))
}

#[cfg(test)]
mod tests;
