//! Why a backup is not made or not restored.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a backup is not made or not restored.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum BackupError {
    #[error("{place} cannot be used for backups: {error}")]
    BackupPlaceUnusable { place: String, error: String },
    #[error(
        "The recipient is not an age public key. It begins with age1; `age-keygen` creates it together with its secret key"
    )]
    InvalidBackupKey,
    #[error("{0} contains no age secret key. `age-keygen -o FILE` creates one")]
    InvalidIdentityFile(String),
    #[error("This program was built without encryption. Use the release, or build it with the feature `encryption`")]
    EncryptionNotBuilt,
    #[error(
        "{copied} files are in the backup, {missing} are not: they are missing or damaged here. `visadesk check-files` names them"
    )]
    FilesMissing { copied: u64, missing: u64 },
    #[error("There is no finished backup in {0}")]
    NoBackup(String),
    #[error("There is no finished backup named {0}")]
    BackupNotFound(String),
    #[error("This backup is encrypted. Name the file with the secret key: --identity FILE")]
    BackupEncrypted,
    #[error("{0} cannot be decrypted with this secret key, or is damaged")]
    BackupSealed(String),
    #[error("{0} is damaged: it is not what was written")]
    BackupDamaged(String),
    #[error("{0} is missing")]
    BackupIncomplete(String),
    #[error("{0} was not written by Visadesk, or by a newer version of it")]
    BackupForeign(String),
    #[error("{manifest} is a backup of {made}, and database_url names {here}. Nothing was restored")]
    OtherDatabase { manifest: String, made: &'static str, here: &'static str },
    #[error("The secret key {0} differs from the one in the backup. Restore into an empty data folder")]
    OtherSecretKey(String),
    #[error(
        "There are files in the storage already, {0} among them. Nothing was restored. Set files_url to an empty storage, never to that of \
         another installation"
    )]
    FilesInUse(String),
}

impl Reason for BackupError {
    fn kind(&self) -> Kind {
        match self {
            Self::BackupPlaceUnusable { .. } => Kind::Unavailable,
            Self::InvalidBackupKey
            | Self::InvalidIdentityFile(_)
            | Self::EncryptionNotBuilt
            | Self::BackupEncrypted
            | Self::BackupForeign(_)
            | Self::OtherDatabase { .. } => Kind::Invalid,
            Self::NoBackup(_) | Self::BackupNotFound(_) => Kind::NotFound,
            Self::FilesMissing { .. } | Self::BackupDamaged(_) | Self::BackupSealed(_) | Self::BackupIncomplete(_) => {
                Kind::Damaged
            }
            Self::OtherSecretKey(_) | Self::FilesInUse(_) => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
