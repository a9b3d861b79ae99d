//! Why a backup is not made or not restored.

use derive::Reason;

/// Why a backup is not made or not restored.
#[derive(Debug, thiserror::Error, Reason)]
pub enum BackupError {
    #[error("{place} cannot be used for backups: {error}")]
    #[reason(Unavailable)]
    BackupPlaceUnusable { place: String, error: String },
    #[error(
        "The recipient is not an age public key. It begins with age1; `age-keygen` creates it together with its secret key"
    )]
    #[reason(Invalid)]
    InvalidBackupKey,
    #[error("{0} contains no age secret key. `age-keygen -o FILE` creates one")]
    #[reason(Invalid)]
    InvalidIdentityFile(String),
    #[error("This program was built without encryption. Use the release, or build it with the feature `encryption`")]
    #[reason(Invalid)]
    EncryptionNotBuilt,
    #[error(
        "{copied} files are in the backup, {missing} are not: they are missing or damaged here. `visadesk check-files` names them"
    )]
    #[reason(Damaged)]
    FilesMissing { copied: u64, missing: u64 },
    #[error("There is no finished backup in {0}")]
    #[reason(NotFound)]
    NoBackup(String),
    #[error("There is no finished backup named {0}")]
    #[reason(NotFound)]
    BackupNotFound(String),
    #[error("This backup is encrypted. Name the file with the secret key: --identity FILE")]
    #[reason(Invalid)]
    BackupEncrypted,
    #[error("{0} cannot be decrypted with this secret key, or is damaged")]
    #[reason(Damaged)]
    BackupSealed(String),
    #[error("{0} is damaged: it is not what was written")]
    #[reason(Damaged)]
    BackupDamaged(String),
    #[error("{0} is missing")]
    #[reason(Damaged)]
    BackupIncomplete(String),
    #[error("{0} was not written by Visadesk, or by a newer version of it")]
    #[reason(Invalid)]
    BackupForeign(String),
    #[error("{manifest} is a backup of {made}, and database_url names {here}. Nothing was restored")]
    #[reason(Invalid)]
    OtherDatabase { manifest: String, made: &'static str, here: &'static str },
    #[error("The secret key {0} differs from the one in the backup. Restore into an empty data folder")]
    #[reason(Conflict)]
    OtherSecretKey(String),
    #[error(
        "There are files in the storage already, {0} among them. Nothing was restored. Set files_url to an empty storage, never to that of \
         another installation"
    )]
    #[reason(Conflict)]
    FilesInUse(String),
}
