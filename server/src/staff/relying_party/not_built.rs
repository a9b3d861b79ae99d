//! Takes the place of passkeys in a program that was built without them.

use serde_json::Value;

use super::rules::passkeys::{AssertionOutcome, CeremonyStart, CreatedPasskey};
use crate::error::Result;

/// There is none.
pub enum RelyingParty {}

impl RelyingParty {
    pub fn open(_: &str) -> Result<Option<Self>> {
        Ok(None)
    }

    pub fn begin_registration(&self, _: [u8; 16], _: (&str, &str), _: &[String]) -> Result<CeremonyStart> {
        match *self {}
    }

    pub fn register(&self, _: &str, _: Value) -> Result<Option<CreatedPasskey>> {
        match *self {}
    }

    pub fn begin_assertion(&self, _: &[String]) -> Result<CeremonyStart> {
        match *self {}
    }

    pub fn verify(&self, _: &str, _: Value, _: &[String]) -> Result<AssertionOutcome> {
        match *self {}
    }
}
