//! `visadesk backup` and `visadesk restore`.

use std::path::PathBuf;

use visadesk::app::FILE_OWNERS;
use visadesk::backup::make::Source;
use visadesk::backup::packing::{Packer, Unpacker};
use visadesk::backup::place::Place;
use visadesk::backup::restore::{self, Target};
use visadesk::backup::worker;
use visadesk::clock::Clock;
use visadesk::config::Config;
use visadesk::documents::check::progress_bar;
use visadesk::error::{Error, Result};
use visadesk::files::Files;

use super::start::{open, say};

/// Makes a backup and says what is in it.
pub async fn backup(config: Config, place: String, recipient: Option<String>) -> Result<()> {
    let packer = recipient.as_deref().map_or_else(|| Ok(Packer::plain()), Packer::for_recipient)?;
    if !packer.encrypts() {
        eprintln!(
            "visadesk: the backup is not encrypted. It contains every passport, and the secret key that signs sessions and links. \
             To encrypt it, pass an age public key: --recipient age1…"
        );
    }
    let place = Place::open(&place, true)?;
    let (files, secret_key_file, folder) = (Files::open(&config)?, config.secret_key_file(), config.data_dir.clone());
    let db = tokio::task::spawn_blocking(move || open(&config)).await.map_err(Error::internal)??;
    let source = Source { db, files, owners: FILE_OWNERS, clock: Clock::default(), secret_key_file, folder };
    let bar = progress_bar(0);
    let made = worker::make_now(&source, &place, &packer, &bar).await?;
    bar.finish_and_clear();
    if let Some(fault) = made.fault() {
        return Err(fault.into());
    }
    say(&format!(
        "{}: the database, the secret key and {} files ({} of them new) are in {}.",
        made.name,
        made.files,
        made.new_files,
        place.name()
    ))
}

/// What to restore.
#[derive(clap::Args)]
pub struct RestoreFrom {
    /// The folder or bucket that the backup was made in.
    place: String,
    /// The name of the backup; the newest by default.
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
    /// The file with the age secret key of an encrypted backup.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    /// Only tries the backup: the restored installation says so on every page, sends no mail and makes no backups.
    #[arg(long)]
    rehearsal: bool,
}

/// Restores a backup and says what to do next.
pub async fn restore(config: Config, from: RestoreFrom) -> Result<()> {
    let RestoreFrom { place, set, identity, rehearsal } = from;
    let unpacker = identity.as_deref().map_or_else(|| Ok(Unpacker::default()), Unpacker::with_identities)?;
    let place = Place::open(&place, false)?;
    config.make_data_dir()?;
    let target = Target {
        database_url: config.database_url(),
        files: Files::open(&config)?,
        clock: Clock::default(),
        secret_key_file: config.secret_key_file(),
        folder: config.data_dir,
        is_rehearsal: rehearsal,
    };
    let bar = progress_bar(0);
    let restored = restore::run(&target, &place, set.as_deref(), &unpacker, &bar).await?;
    bar.finish_and_clear();
    say(&format!(
        "{} is restored: the database as it was at {}, and {} files. Check it with `visadesk verify-audit`, then start `visadesk serve`.",
        restored.name,
        restored.manifest.made_at.format("%Y-%m-%d %H:%M:%S UTC"),
        restored.files
    ))?;
    if rehearsal {
        say("It is a rehearsal: every page says so, and it sends no mail and makes no backups.")
    } else {
        Ok(())
    }
}
