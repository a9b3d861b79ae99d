//! How parts are packed: compressed, and encrypted if there is a recipient. What is encrypted is a file of age, so that
//! `age --decrypt` reads it without us (<https://age-encryption.org/v1>).

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::errors::BackupError;
use super::manifest::Part;
use crate::error::{Error, Result};

/// Packs parts, for whoever has the secret key of its recipient, or for everybody.
#[derive(Clone)]
pub struct Packer {
    recipient: Option<Arc<age::x25519::Recipient>>,
}

impl Packer {
    /// Packs without encryption.
    pub fn plain() -> Self {
        Self { recipient: None }
    }

    /// Packs for the owner of this public key, which begins with `age1`.
    pub fn for_recipient(recipient: &str) -> Result<Self> {
        let recipient = recipient.trim().parse().map_err(|_| BackupError::InvalidRecipient)?;
        Ok(Self { recipient: Some(Arc::new(recipient)) })
    }

    /// Whether nobody else can read what it packs.
    pub fn encrypts(&self) -> bool {
        self.recipient.is_some()
    }

    /// The name of the object that keeps what is called `name`.
    pub fn object(&self, name: &str) -> String {
        if self.encrypts() { format!("{name}.age") } else { name.to_owned() }
    }

    /// Writes a part into `folder`, compressed.
    pub fn part(&self, folder: &Path, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<Part> {
        let object = self.object(&format!("{name}.gz"));
        let file = File::create(folder.join(&object)).map_err(Error::internal)?;
        let mut out = Digesting { to: BufWriter::new(file), bytes: 0, digest: Sha256::new() };
        self.encrypted(&mut out, &mut |out| {
            let mut compressed = GzEncoder::new(out, Compression::fast());
            fill(&mut compressed)?;
            compressed.finish().map(drop).map_err(Error::internal)
        })?;
        out.flush().map_err(Error::internal)?;
        let Digesting { bytes, digest, .. } = out;
        Ok(Part { name: name.to_owned(), object, bytes, sha256: hex::encode(digest.finalize()) })
    }

    /// Packs a whole content, without compression.
    pub fn content(&self, content: Bytes) -> Result<Bytes> {
        if !self.encrypts() {
            return Ok(content);
        }
        let mut packed = Vec::with_capacity(content.len() + 1_024);
        self.encrypted(&mut packed, &mut |out| out.write_all(&content).map_err(Error::internal))?;
        Ok(packed.into())
    }

    fn encrypted(&self, out: &mut dyn Write, fill: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        let Some(recipient) = &self.recipient else { return fill(out) };
        let recipients = std::iter::once(recipient.as_ref() as &dyn age::Recipient);
        let encryptor = age::Encryptor::with_recipients(recipients).map_err(Error::internal)?;
        let mut encrypted = encryptor.wrap_output(out).map_err(Error::internal)?;
        fill(&mut encrypted)?;
        encrypted.finish().map(drop).map_err(Error::internal)
    }
}

/// Unpacks what a [`Packer`] has packed.
#[derive(Clone, Default)]
pub struct Unpacker {
    identities: Option<Arc<Vec<Box<dyn age::Identity + Send + Sync>>>>,
}

impl Unpacker {
    /// Unpacks with the secret keys in a file, as `age-keygen` writes it.
    pub fn with_identities(file: &Path) -> Result<Self> {
        let invalid = |_| BackupError::InvalidIdentity(file.display().to_string());
        let content = File::open(file).map_err(|_| BackupError::InvalidIdentity(file.display().to_string()))?;
        let identities = age::IdentityFile::from_buffer(BufReader::new(content)).map_err(invalid)?;
        let identities = identities.into_identities();
        let identities = identities.map_err(|_| BackupError::InvalidIdentity(file.display().to_string()))?;
        Ok(Self { identities: Some(Arc::new(identities)) })
    }

    /// Whether it can read the object of that name.
    pub fn require_key_for(&self, object: &str) -> Result<()> {
        if object.ends_with(".age") && self.identities.is_none() {
            return Err(BackupError::BackupEncrypted.into());
        }
        Ok(())
    }

    /// Reads the object of that name, decrypted and decompressed as its name says.
    pub fn read(&self, object: &str, from: Box<dyn Read>) -> Result<Box<dyn Read>> {
        self.require_key_for(object)?;
        let (name, from) = match (object.strip_suffix(".age"), &self.identities) {
            (Some(name), Some(identities)) => {
                let sealed = |_| BackupError::BackupSealed(object.to_owned());
                let decryptor = age::Decryptor::new(from).map_err(sealed)?;
                let identities = identities.iter().map(|identity| identity.as_ref() as &dyn age::Identity);
                (name, Box::new(decryptor.decrypt(identities).map_err(sealed)?) as Box<dyn Read>)
            }
            _ => (object, from),
        };
        Ok(if name.ends_with(".gz") { Box::new(GzDecoder::new(from)) } else { from })
    }

    /// Unpacks a whole content.
    pub fn content(&self, object: &str, packed: Bytes) -> Result<Bytes> {
        let mut content = Vec::with_capacity(packed.len());
        let mut read = self.read(object, Box::new(io::Cursor::new(packed)))?;
        read.read_to_end(&mut content).map_err(|_| BackupError::BackupSealed(object.to_owned()))?;
        Ok(content.into())
    }
}

/// Passes on what is written, and sums it up.
struct Digesting<W> {
    to: W,
    bytes: u64,
    digest: Sha256,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        let length = self.to.write(content)?;
        self.bytes += length as u64;
        self.digest.update(&content[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
