//! Takes the place of encryption in a program that was built without it.

use std::io::{Read, Write};
use std::path::Path;

use super::errors::BackupError;
use crate::error::Result;

/// There is none.
#[derive(Clone)]
pub enum Recipient {}

impl Recipient {
    pub fn parse(_: &str) -> Result<Self> {
        Err(BackupError::EncryptionNotBuilt.into())
    }

    pub fn encrypt(&self, _: &mut dyn Write, _: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        match *self {}
    }
}

/// There are none.
#[derive(Clone)]
pub enum Identities {}

impl Identities {
    pub fn open(_: &Path) -> Result<Self> {
        Err(BackupError::EncryptionNotBuilt.into())
    }

    pub fn decrypt(&self, _: &str, _: Box<dyn Read>) -> Result<Box<dyn Read>> {
        match *self {}
    }
}
