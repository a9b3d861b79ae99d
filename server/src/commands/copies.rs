//! `visadesk backup` and `visadesk restore`.

use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use visadesk::app::FILE_OWNERS;
use visadesk::backup::make::{self, Source};
use visadesk::backup::packing::{Packer, Unpacker};
use visadesk::backup::place::Place;
use visadesk::backup::restore::{self, Target};
use visadesk::clock::Clock;
use visadesk::config::Config;
use visadesk::error::{Error, Result};
use visadesk::files::Files;

use super::start::{open, say};

/// Makes a backup and says what is in it.
pub async fn backup(config: Config, place: String, recipient: Option<String>) -> Result<()> {
    let packer = recipient.as_deref().map_or_else(|| Ok(Packer::plain()), Packer::for_recipient)?;
    if !packer.encrypts() {
        eprintln!(
            "visadesk: the backup is not encrypted: whoever can read it can read every passport and forge sign-ins. Name a key of age \
             with --recipient"
        );
    }
    let place = Place::open(&place, true)?;
    let (files, secret_key_file, folder) = (Files::open(&config)?, config.secret_key_file(), config.data_dir.clone());
    let db = tokio::task::spawn_blocking(move || open(&config)).await.map_err(Error::internal)??;
    let source = Source { db, files, owners: FILE_OWNERS, clock: Clock::default(), secret_key_file, folder };
    let bar = progress();
    let made = make::run(&source, &place, &packer, &bar).await?;
    bar.finish_and_clear();
    say(&format!(
        "{}: the database, the secret key and {} files ({} of them new) are in {}.",
        made.name,
        made.files,
        made.new_files,
        place.name()
    ))
}

/// Restores a backup and says what to do next.
pub async fn restore(config: Config, place: String, set: Option<String>, identity: Option<PathBuf>) -> Result<()> {
    let unpacker = identity.as_deref().map_or_else(|| Ok(Unpacker::default()), Unpacker::with_identities)?;
    let place = Place::open(&place, false)?;
    config.make_data_dir()?;
    let target = Target {
        database_url: config.database_url(),
        files: Files::open(&config)?,
        clock: Clock::default(),
        secret_key_file: config.secret_key_file(),
        folder: config.data_dir,
    };
    let bar = progress();
    let restored = restore::run(&target, &place, set.as_deref(), &unpacker, &bar).await?;
    bar.finish_and_clear();
    say(&format!(
        "{} is restored: the database as it was at {}, and {} files. Check it with `visadesk verify-audit`, then start `visadesk serve`.",
        restored.name,
        restored.manifest.made_at.format("%Y-%m-%d %H:%M:%S UTC"),
        restored.files
    ))
}

fn progress() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} files, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
