//! Builds the program: each room from its dependencies, the router, and the background work.

pub mod attached;
pub mod contract;
pub mod maintenance;
pub mod router;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::Notify;

use crate::access;
use crate::audit::Audit;
use crate::audit::access_log::AccessLog;
use crate::audit::members::Members;
use crate::backup::Backups;
use crate::backup::make::BackupSource;
use crate::backup::rules::Rehearsal;
use crate::backup::schedule::Schedule;
use crate::backup::store as backups;
use crate::canned_texts::CannedTexts;
use crate::casework::Casework;
use crate::chargebacks::Chargebacks;
use crate::chargebacks::packs::store as packs;
use crate::chargebacks::packs::templates::PackTemplates;
use crate::child::Children;
use crate::clock::Clock;
use crate::config::Config;
use crate::corrections::Corrections;
use crate::db::Db;
use crate::db::minute_cache::MinuteCache;
use crate::deliveries::Deliveries;
use crate::deliveries::text::TextReader;
use crate::details::DetailsRoom;
use crate::documents::inspection::Inspector;
use crate::documents::memory_permits::MemoryPermits;
use crate::documents::noted_links::NotedLinks;
use crate::documents::owners::{FileOwner, FileOwners};
use crate::documents::page_images::PageRenderer;
use crate::documents::{self, Documents};
use crate::duplicates::Duplicates;
use crate::error::{Error, Result};
use crate::files::Files;
use crate::filing::FilingRoom;
use crate::gateways::Gateways;
use crate::home::HomeRoom;
use crate::home::cache::HomeCache;
use crate::http::forwarded::HeaderFaults;
use crate::http::health::Readiness;
use crate::http::in_flight::InFlight;
use crate::http::kit::Kit;
use crate::http::pages::StaffPages;
use crate::http::pages::visitor::VisitorPages;
use crate::http::staff_networks::StaffNetworks;
use crate::http::touched::PendingUses;
use crate::intake::Intake;
use crate::intake::key_calls::KeyCalls;
use crate::lifecycle::Lifecycle;
use crate::lists::Lists;
use crate::live::Live;
use crate::live::feed::Feed;
use crate::mail::Mail;
use crate::mail::notify::MailNotify;
use crate::mail::templates::Templates;
use crate::mail::transports::Transports;
use crate::paper_requests::PaperRequests;
use crate::papers::{Papers, inspect};
use crate::pdf::Typesetter;
use crate::public::Public;
use crate::refunds::Refunds;
use crate::remarks::Remarks;
use crate::reports::Reports;
use crate::secret::SecretKey;
use crate::staff::Identity;
use crate::staff::passwords::Passwords;
use crate::staff::relying_party::RelyingParty;
use crate::staff::rules::second_factor::SecondFactorRule;
use crate::staff::store as members;
use crate::staff::tokens::Tokens;
use crate::tracking::Tracking;
use crate::tracking::limits::PublicCalls;
use crate::undo::Undo;
use crate::visas;

/// The tables whose rows name stored files.
pub const FILE_OWNERS: FileOwners = FileOwners(&OWNERS);
const OWNERS: [FileOwner; 2] = [documents::store::OWNER, packs::OWNER];

/// The functions by which the audit finds the names of members.
const MEMBERS: Members = Members { names: members::names, ids_named: members::ids_named };

/// The running program: the kit around its calls, and its rooms. Clones share it.
#[derive(Clone)]
pub struct App {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub kit: Arc<Kit>,
    pub readiness: Readiness,
    pub measurements: PrometheusHandle,
    pub staff_pages: Arc<StaffPages>,
    pub visitor_pages: VisitorPages,
    pub audit: Arc<Audit>,
    pub staff: Arc<Identity>,
    pub gateways: Arc<Gateways>,
    pub lifecycle: Arc<Lifecycle>,
    pub documents: Arc<Documents>,
    pub paper_requests: Arc<PaperRequests>,
    pub canned_texts: Arc<CannedTexts>,
    pub papers: Arc<Papers>,
    pub mail: Arc<Mail>,
    pub tracking: Arc<Tracking>,
    pub deliveries: Arc<Deliveries>,
    pub chargebacks: Arc<Chargebacks>,
    pub remarks: Arc<Remarks>,
    pub corrections: Arc<Corrections>,
    pub refunds: Arc<Refunds>,
    pub duplicates: Arc<Duplicates>,
    pub filing: Arc<FilingRoom>,
    pub undo: Arc<Undo>,
    pub home: Arc<HomeRoom>,
    pub lists: Arc<Lists>,
    pub live: Arc<Live>,
    pub details: Arc<DetailsRoom>,
    pub casework: Arc<Casework>,
    pub intake: Arc<Intake>,
    pub reports: Arc<Reports>,
    pub public: Arc<Public>,
    pub backups: Arc<Backups>,
}

/// The parts of the environment that tests replace.
pub struct Dependencies {
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
    /// Puts the program together over an open, migrated database.
    ///
    /// # Errors
    /// If a setting cannot be used; the error names it.
    pub async fn new(config: Config, db: Db, clock: Clock, measurements: PrometheusHandle) -> Result<Self> {
        let dependencies = Dependencies { files: Files::open(&config)?, program: this_program()? };
        Self::with(dependencies, config, db, clock, measurements).await
    }

    /// [`Self::new`], with the program's dependencies chosen by the caller.
    ///
    /// # Errors
    /// If a setting cannot be used; the error names it.
    pub async fn with(
        dependencies: Dependencies,
        config: Config,
        db: Db,
        clock: Clock,
        measurements: PrometheusHandle,
    ) -> Result<Self> {
        let Dependencies { files, program } = dependencies;
        visas::portal::check()?;
        visas::rules::check_release(&config.release_by_window)?;
        let config = Arc::new(config);
        let secret = SecretKey::open(&config.secret_key_file())?;
        let access_log = AccessLog::start(db.clone(), clock.clone(), secret.clone(), &config.access);
        // It cannot change while we run: only a restore into an empty database marks one.
        let rehearsal = db.read(backups::find_rehearsal).await?;
        let notice = rehearsal.as_ref().map(Rehearsal::notice);
        macro_rules! room {
            ($room:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {
                Arc::new($room { db: db.clone(), clock: clock.clone(), config: config.clone(), $($field $(: $value)?),* })
            };
        }
        let kit = room!(Kit {
            secret: secret.clone(),
            proxies: Arc::new(config.trusted_proxies.clone()),
            header_faults: HeaderFaults::default(),
            in_flight: InFlight::default(),
            staff_networks: StaffNetworks::default(),
        });
        // What applicants and strangers read and write, beside staff.
        let public_db = db.share();
        let audit = room!(Audit { access_log: access_log.clone(), members: MEMBERS });
        let staff = room!(Identity {
            secret: secret.clone(),
            passwords: Arc::new(Passwords::new(&config.passwords)?),
            tokens: Arc::new(Tokens::new(&secret)),
            touched: PendingUses::default(),
            second_factor: SecondFactorRule::of(&config.second_factor)?,
            relying_party: RelyingParty::open(&config.public_url)?.map(Arc::new),
            abilities: access::abilities,
        });
        let documents = room!(Documents {
            secret: secret.clone(),
            files: files.clone(),
            inspector: Arc::new(Inspector::new(program.clone())),
            pages: PageRenderer::new(program.clone()),
            noted_links: NotedLinks::default(),
            owners: FILE_OWNERS,
            uploads: MemoryPermits::for_uploads(&config.limits),
            downloads: MemoryPermits::for_downloads(&config.limits),
        });
        let paper_requests = room!(PaperRequests {});
        let canned_texts = room!(CannedTexts {});
        let lifecycle = room!(Lifecycle { attached: attached::all(&config) });
        let papers = room!(Papers {
            documents: documents.clone(),
            lifecycle: lifecycle.clone(),
            portal_versions: Children::new(program.clone(), inspect::SPEC),
            program: program.clone(),
            notify: Notify::default(),
        });
        let mail = room!(Mail {
            secret: secret.clone(),
            files,
            templates: Arc::new(Templates::open(&config)?),
            transports: Arc::new(Transports::open(&config)?),
            notify: MailNotify::default(),
        });
        let tracking = Arc::new(Tracking {
            db: public_db.clone(),
            clock: clock.clone(),
            config: config.clone(),
            secret: secret.clone(),
            calls: Arc::new(PublicCalls::default()),
        });
        let chargebacks = room!(Chargebacks {
            documents: documents.clone(),
            templates: Arc::new(PackTemplates::open(&config, &program)?),
            typesetter: Arc::new(Typesetter::new(program.clone())),
            making: InFlight::default(),
        });
        let deliveries = room!(Deliveries {
            documents: documents.clone(),
            mail: mail.clone(),
            lifecycle: lifecycle.clone(),
            texts: TextReader::new(program.clone()),
            program,
            notify: Notify::default(),
        });
        let backups = room!(Backups {
            source: BackupSource {
                db: db.clone(),
                files: documents.files.clone(),
                owners: FILE_OWNERS,
                clock: clock.clone(),
                secret_key_file: config.secret_key_file(),
                verify_within: config.backups.verify_within,
                folder: config.data_dir.clone(),
            },
            schedule: Schedule::of(&config)?,
            rehearsal,
        });
        let intake = room!(Intake {
            documents: documents.clone(),
            papers: papers.clone(),
            lifecycle: lifecycle.clone(),
            access_log,
            key_calls: KeyCalls::default(),
            touched: PendingUses::default(),
        });
        let public = Arc::new(Public {
            db: public_db,
            clock: clock.clone(),
            config: config.clone(),
            secret,
            documents: documents.clone(),
            mail: mail.clone(),
            papers: papers.clone(),
            lifecycle: lifecycle.clone(),
            tracking: tracking.clone(),
        });
        Ok(Self {
            readiness: Readiness::new(db.clone(), clock.clone(), backups::last_finished),
            measurements,
            staff_pages: Arc::new(StaffPages { config: config.clone(), notice: notice.clone() }),
            visitor_pages: VisitorPages::fill_in(&config.marketing_url, notice.as_deref()),
            gateways: room!(Gateways {}),
            remarks: room!(Remarks {}),
            corrections: room!(Corrections { mail: mail.clone() }),
            refunds: room!(Refunds { mail: mail.clone() }),
            duplicates: room!(Duplicates {}),
            filing: room!(FilingRoom { documents: documents.clone(), lifecycle: lifecycle.clone() }),
            undo: room!(Undo { lifecycle: lifecycle.clone() }),
            home: room!(HomeRoom { cache: HomeCache::default() }),
            lists: room!(Lists {
                samples: MinuteCache::default(),
                returned: MinuteCache::default(),
                view_counts: MinuteCache::default(),
            }),
            live: Arc::new(Live { db: db.clone(), clock: clock.clone(), feed: Feed::default() }),
            details: room!(DetailsRoom { documents: documents.clone() }),
            casework: room!(Casework { mail: mail.clone(), lifecycle: lifecycle.clone() }),
            lifecycle,
            reports: room!(Reports {}),
            kit,
            audit,
            staff,
            documents,
            paper_requests,
            canned_texts,
            papers,
            mail,
            tracking,
            deliveries,
            chargebacks,
            intake,
            public,
            backups,
            db,
            clock,
            config,
        })
    }
}
