//! Writes files as one ZIP. Nothing is compressed: they are images and PDFs.

use std::io::{Cursor, Write};

use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::error::{Error, Result};

/// A ZIP in memory, which grows file by file.
pub struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    /// An empty ZIP, with room for about `bytes`.
    pub fn with_capacity(bytes: usize) -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::with_capacity(bytes))))
    }

    /// Adds a file. No two files may have the same name.
    ///
    /// # Errors
    /// For a name that is taken.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.0.start_file(name, options).map_err(Error::internal)?;
        self.0.write_all(content).map_err(Error::internal)
    }

    /// The whole ZIP.
    ///
    /// # Errors
    /// If its end cannot be written, which memory does not cause.
    pub fn finish(self) -> Result<Bytes> {
        Ok(self.0.finish().map_err(Error::internal)?.into_inner().into())
    }
}
