//! The dependencies of the layers around every call.

use std::sync::Arc;

use super::forwarded::HeaderFaults;
use super::in_flight::InFlight;
use super::staff_networks::StaffNetworks;
use crate::clock::Clock;
use crate::config::Config;
use crate::config::proxies::TrustedProxies;
use crate::db::Db;
use crate::secret::SecretKey;

/// The dependencies of the layers.
pub struct Kit {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub proxies: Arc<TrustedProxies>,
    /// Headers of trusted proxies that were not understood.
    pub header_faults: HeaderFaults,
    /// Whose connections are accepted when strangers have taken almost all.
    pub staff_networks: StaffNetworks,
    /// The idempotent requests in progress, by caller, route and key.
    pub in_flight: InFlight<(String, String, String)>,
}
