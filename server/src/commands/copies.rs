//! `visadesk backup`, `visadesk verify-backup` and `visadesk restore`.

use std::path::PathBuf;

use crate::app::FILE_OWNERS;
use crate::backup::make::{BackupSource, FinishedBackup};
use crate::backup::packing::{Packer, Unpacker};
use crate::backup::place::BackupPlace;
use crate::backup::restore::{self, Target};
use crate::backup::verify::{self, VerifiedSet};
use crate::backup::worker;
use crate::clock::Clock;
use crate::config::Config;
use crate::documents::check::progress_bar;
use crate::error::{Error, Kind, Result};
use crate::files::Files;

use super::errors::CommandError;
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
    let place = BackupPlace::open(&place, true)?;
    let (files, secret_key_file, folder) = (Files::open(&config)?, config.secret_key_file(), config.data_dir.clone());
    let verify_within = config.backups.verify_within;
    let db = tokio::task::spawn_blocking(move || open(&config)).await.map_err(Error::internal)??;
    let (owners, clock) = (FILE_OWNERS, Clock::default());
    let source = BackupSource { db, files, owners, clock, secret_key_file, verify_within, folder };
    let bar = progress_bar(0);
    let made = worker::make_now(&source, &place, &packer, &bar).await?;
    bar.finish_and_clear();
    if let Some(fault) = made.fault() {
        return Err(fault.into());
    }
    let FinishedBackup { name, files, new_files, repaired, .. } = made;
    let place = place.name();
    say(&format!("{name}: the database, the secret key and {files} files ({new_files} of them new) are in {place}."))?;
    match repaired {
        0 => Ok(()),
        repaired => say(&format!("Files that were damaged there and are written again: {repaired}.")),
    }
}

/// Which backup.
#[derive(clap::Args)]
pub struct WantedBackup {
    /// The folder or bucket that the backup was made in.
    place: String,
    /// The name of the backup; the newest by default.
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
    /// The file with the age secret key of an encrypted backup.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

impl WantedBackup {
    fn open(&self) -> Result<(BackupPlace, Unpacker)> {
        let unpacker = self.identity.as_deref().map_or_else(|| Ok(Unpacker::default()), Unpacker::with_identities)?;
        Ok((BackupPlace::open(&self.place, false)?, unpacker))
    }
}

/// Reads a whole backup, and names what is missing or damaged.
pub async fn verify(wanted: WantedBackup) -> Result<()> {
    let (place, unpacker) = wanted.open()?;
    let bar = progress_bar(0);
    let found = verify::run(&place, wanted.set.as_deref(), &unpacker, &bar, |fault| say(&fault)).await?;
    bar.finish_and_clear();
    let VerifiedSet { name, files, faults } = found;
    match faults {
        0 => say(&format!("{name} is whole: the database, the secret key and {files} files.")),
        faults => Err(CommandError::BackupFaulty { name, faults }.into()),
    }
}

/// The backup to restore.
#[derive(clap::Args)]
pub struct RestoreFrom {
    #[command(flatten)]
    wanted: WantedBackup,
    /// Only tries the backup: the restored installation says so on every page, sends no mail and makes no backups.
    #[arg(long)]
    rehearsal: bool,
}

/// Restores a backup and says what to do next.
pub async fn restore(config: Config, from: RestoreFrom) -> Result<()> {
    let RestoreFrom { wanted, rehearsal } = from;
    let (place, unpacker) = wanted.open()?;
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
    let restored = restore::run(&target, &place, wanted.set.as_deref(), &unpacker, &bar).await;
    let restored = restored.inspect_err(|error| {
        if error.kind() == Kind::Damaged {
            eprintln!(
                "visadesk: nothing was restored. `visadesk verify-backup` names everything that is damaged; --set takes an earlier \
                 backup"
            );
        }
    })?;
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
