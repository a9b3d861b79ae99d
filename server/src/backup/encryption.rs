//! Encryption in the age format (<https://age-encryption.org/v1>), so that the `age` program can decrypt a backup as well.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

use super::errors::BackupError;
use crate::error::{Error, Result};

/// An age public key. Only its secret key decrypts.
#[derive(Clone)]
pub struct Recipient(Arc<age::x25519::Recipient>);

impl Recipient {
    /// Parses a key that begins with `age1`.
    ///
    /// # Errors
    /// [`BackupError::InvalidBackupKey`].
    pub fn parse(key: &str) -> Result<Self> {
        Ok(Self(Arc::new(key.trim().parse().map_err(|_| BackupError::InvalidBackupKey)?)))
    }

    /// Encrypts what `fill` writes.
    pub fn encrypt(&self, out: &mut dyn Write, fill: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        let recipients = std::iter::once(self.0.as_ref() as &dyn age::Recipient);
        let encryptor = age::Encryptor::with_recipients(recipients).map_err(Error::internal)?;
        let mut encrypted = encryptor.wrap_output(out).map_err(Error::internal)?;
        fill(&mut encrypted)?;
        encrypted.finish().map(drop).map_err(Error::internal)
    }
}

/// Secret keys.
#[derive(Clone)]
pub struct Identities(Arc<Vec<Box<dyn age::Identity + Send + Sync>>>);

impl Identities {
    /// Reads the secret keys in a file, as `age-keygen` writes it.
    ///
    /// # Errors
    /// [`BackupError::InvalidIdentityFile`].
    pub fn open(file: &Path) -> Result<Self> {
        let invalid = || BackupError::InvalidIdentityFile(file.display().to_string());
        let content = File::open(file).map_err(|_| invalid())?;
        let identities = age::IdentityFile::from_buffer(BufReader::new(content)).map_err(|_| invalid())?;
        Ok(Self(Arc::new(identities.into_identities().map_err(|_| invalid())?)))
    }

    /// Decrypts the object of that name.
    ///
    /// # Errors
    /// [`BackupError::BackupSealed`] if none of the keys opens it.
    pub fn decrypt(&self, object: &str, from: Box<dyn Read>) -> Result<Box<dyn Read>> {
        let sealed = |_| BackupError::BackupSealed(object.to_owned());
        let decryptor = age::Decryptor::new(from).map_err(sealed)?;
        let identities = self.0.iter().map(|identity| identity.as_ref() as &dyn age::Identity);
        Ok(Box::new(decryptor.decrypt(identities).map_err(sealed)?))
    }
}
