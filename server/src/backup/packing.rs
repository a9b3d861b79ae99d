//! The packing of parts: they are compressed, and encrypted if there is a recipient.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::encryption::{Identities, Recipient};
use super::errors::BackupError;
use super::manifest::ManifestPart;
use crate::error::{Error, Result};

/// Compresses parts, and encrypts them if it has a recipient.
#[derive(Clone)]
pub struct Packer {
    recipient: Option<Recipient>,
}

impl Packer {
    /// Packs without encryption.
    pub fn plain() -> Self {
        Self { recipient: None }
    }

    /// Packs for the owner of this public key, which begins with `age1`.
    pub fn for_recipient(recipient: &str) -> Result<Self> {
        Ok(Self { recipient: Some(Recipient::parse(recipient)?) })
    }

    /// Returns true if it encrypts.
    pub fn encrypts(&self) -> bool {
        self.recipient.is_some()
    }

    /// The name of the object that keeps what is called `name`.
    pub fn object(&self, name: &str) -> String {
        if self.encrypts() { format!("{name}.age") } else { name.to_owned() }
    }

    /// Writes a part into `folder`, compressed.
    pub fn part(
        &self,
        folder: &Path,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
    ) -> Result<ManifestPart> {
        let object = self.object(&format!("{name}.gz"));
        let file = File::create(folder.join(&object)).map_err(Error::internal)?;
        let mut out = DigestWriter { to: BufWriter::new(file), bytes: 0, digest: Sha256::new() };
        self.encrypted(&mut out, &mut |out| {
            let mut compressed = GzEncoder::new(out, Compression::fast());
            fill(&mut compressed)?;
            compressed.finish().map(drop).map_err(Error::internal)
        })?;
        out.flush().map_err(Error::internal)?;
        let DigestWriter { bytes, digest, .. } = out;
        Ok(ManifestPart { name: name.to_owned(), object, bytes, sha256: hex::encode(digest.finalize()) })
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
        match &self.recipient {
            Some(recipient) => recipient.encrypt(out, fill),
            None => fill(out),
        }
    }
}

/// Unpacks what a [`Packer`] has packed.
#[derive(Clone, Default)]
pub struct Unpacker {
    identities: Option<Identities>,
}

impl Unpacker {
    /// Unpacks with the secret keys in a file, as `age-keygen` writes it.
    pub fn with_identities(file: &Path) -> Result<Self> {
        Ok(Self { identities: Some(Identities::open(file)?) })
    }

    /// Refuses the object of that name if it is encrypted and there is no secret key to read it with.
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
            (Some(name), Some(identities)) => (name, identities.decrypt(object, from)?),
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
struct DigestWriter<W> {
    to: W,
    bytes: u64,
    digest: Sha256,
}

impl<W: Write> Write for DigestWriter<W> {
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
