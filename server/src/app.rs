//! App: all that a handler or a worker may use.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;

use crate::audit::access_log::AccessLog;
use crate::chargebacks::packs::templates::PackTemplates;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::inspection::Inspector;
use crate::error::{Error, Result};
use crate::files::Files;
use crate::http;
use crate::http::access::AccessTable;
use crate::http::address::TrustedProxies;
use crate::http::health::Readiness;
use crate::http::idempotency::InFlight;
use crate::http::pages::visitor::VisitorPages;
use crate::mail::outbox::Bell;
use crate::mail::templates::Templates;
use crate::mail::transports::Transports;
use crate::pdf::Typesetter;
use crate::secret::SecretKey;
use crate::staff::passwords::Passwords;
use crate::staff::rules::Staff;
use crate::staff::sessions::Tokens;
use crate::tracking::limits::PublicCalls;

/// The running program. Clones are one more handle on the same.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What the program is made of.
pub struct Parts {
    pub config: Config,
    pub db: Db,
    pub clock: Clock,
    pub files: Files,
    pub inspector: Inspector,
    pub typesetter: Typesetter,
    pub secret: SecretKey,
    pub passwords: Passwords,
    pub tokens: Tokens,
    pub access: AccessTable,
    pub access_log: AccessLog,
    pub trusted_proxies: TrustedProxies,
    pub in_flight: InFlight,
    pub public_calls: PublicCalls,
    pub readiness: Readiness,
    pub visitor_pages: VisitorPages,
    pub mail_templates: Templates,
    pub mail_transports: Transports,
    pub mail_bell: Bell,
    pub pack_templates: PackTemplates,
    pub measurements: PrometheusHandle,
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What the program stands in, and tests put in its place.
pub struct Around {
    pub files: Files,
    /// The program itself, to start it once more for work that may break it.
    pub program: PathBuf,
}

/// This very file, also after an update has put another one in its place.
pub fn this_program() -> Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if running.exists() { Ok(running.to_owned()) } else { std::env::current_exe().map_err(Error::internal) }
}

impl App {
    /// Puts the program together over an open, migrated database. Must be called on the async runtime.
    pub fn new(config: Config, db: Db, clock: Clock, measurements: PrometheusHandle) -> Result<Self> {
        let around = Around { files: Files::open(&config)?, program: this_program()? };
        Self::within(around, config, db, clock, measurements)
    }

    /// [`Self::new`], with what is around the program chosen by the caller.
    pub fn within(
        around: Around,
        config: Config,
        db: Db,
        clock: Clock,
        measurements: PrometheusHandle,
    ) -> Result<Self> {
        let secret = SecretKey::open(&config.secret_key_file())?;
        Ok(Self(Arc::new(Parts {
            files: around.files,
            pack_templates: PackTemplates::open(&config, &around.program)?,
            typesetter: Typesetter::new(around.program.clone()),
            inspector: Inspector::new(around.program),
            passwords: Passwords::new(&config.passwords)?,
            tokens: Tokens::new(&secret),
            access_log: AccessLog::start(db.clone(), clock.clone()),
            access: AccessTable::of(&http::contract())?,
            trusted_proxies: TrustedProxies::parse(&config.trusted_proxies)?,
            in_flight: InFlight::default(),
            public_calls: PublicCalls::default(),
            readiness: Readiness::default(),
            visitor_pages: VisitorPages::fill_in(&config.marketing_url),
            mail_templates: Templates::open(&config)?,
            mail_transports: Transports::open(&config)?,
            mail_bell: Bell::default(),
            secret,
            measurements,
            db,
            clock,
            config,
        })))
    }

    /// Notes that `staff` asked for what they may not do, by the operation id of the call.
    pub fn log_denial(&self, staff: &Staff, operation: &'static str) {
        tracing::warn!(staff_id = staff.id, staff_type = staff.staff_type.as_str(), operation, "denied");
        self.access_log.note_denial(staff, operation);
    }
}
