//! The ceremonies of passkeys (WebAuthn): asks browsers for keys and signatures, and verifies what they answer.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde_json::Value;
use webauthn_rs::prelude::{
    Passkey, PasskeyAuthentication, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential, Uuid,
    WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

use super::errors::StaffError;
use super::rules::passkeys::{Assertion, AssertionOutcome, CeremonyStart, CreatedPasskey, site};
use crate::error::{Error, Result};

/// The name that browsers show beside the account.
const NAME: &str = "Visadesk";

/// The installation, as passkeys know it.
pub struct RelyingParty(Webauthn);

impl RelyingParty {
    /// The relying party at `public_url`. None where browsers offer no passkeys.
    pub fn open(public_url: &str) -> Result<Option<Self>> {
        let Some(site) = site(public_url) else { return Ok(None) };
        let builder = WebauthnBuilder::new(&site.host, &site.origin).map_err(Error::internal)?;
        Ok(Some(Self(builder.rp_name(NAME).build().map_err(Error::internal)?)))
    }

    /// Asks for a new passkey of the member whose `handle`, email and name are given. `credentials` are those that the member has.
    pub fn begin_registration(
        &self,
        handle: [u8; 16],
        (email, name): (&str, &str),
        credentials: &[String],
    ) -> Result<CeremonyStart> {
        let known = read_all(credentials)?.iter().map(|one| one.cred_id().clone()).collect();
        let begun = self.0.start_passkey_registration(Uuid::from_bytes(handle), email, name, Some(known));
        let (options, state) = begun.map_err(Error::internal)?;
        let options = serde_json::to_value(options.public_key).map_err(Error::internal)?;
        Ok(CeremonyStart { options, state: serde_json::to_string(&state).map_err(Error::internal)? })
    }

    /// Verifies a new passkey. None if it was refused.
    ///
    /// # Errors
    /// [`StaffError::PasskeyUnreadable`].
    pub fn register(&self, state: &str, answer: Value) -> Result<Option<CreatedPasskey>> {
        let state: PasskeyRegistration = serde_json::from_str(state).map_err(Error::internal)?;
        let answer: RegisterPublicKeyCredential = read(answer)?;
        let Ok(passkey) = self.0.finish_passkey_registration(&answer, &state) else { return Ok(None) };
        let credential = serde_json::to_string(&passkey).map_err(Error::internal)?;
        Ok(Some(CreatedPasskey { credential_id: encode(passkey.cred_id()), credential }))
    }

    /// Asks for a signature by one of the member's `credentials`.
    pub fn begin_assertion(&self, credentials: &[String]) -> Result<CeremonyStart> {
        let begun = self.0.start_passkey_authentication(&read_all(credentials)?);
        let (options, state) = begun.map_err(Error::internal)?;
        let options = serde_json::to_value(options.public_key).map_err(Error::internal)?;
        Ok(CeremonyStart { options, state: serde_json::to_string(&state).map_err(Error::internal)? })
    }

    /// Verifies a signature by one of the member's `credentials`.
    ///
    /// # Errors
    /// [`StaffError::PasskeyUnreadable`].
    pub fn verify(&self, state: &str, answer: Value, credentials: &[String]) -> Result<AssertionOutcome> {
        let state: PasskeyAuthentication = serde_json::from_str(state).map_err(Error::internal)?;
        let answer: PublicKeyCredential = read(answer)?;
        let credential_id = encode(&answer.raw_id);
        let result = match self.0.finish_passkey_authentication(&answer, &state) {
            Ok(result) => result,
            Err(WebauthnError::CredentialPossibleCompromise) => return Ok(AssertionOutcome::Copied { credential_id }),
            Err(_) => return Ok(AssertionOutcome::Wrong),
        };
        let known = read_all(credentials)?.into_iter().find(|one| one.cred_id() == result.cred_id());
        // It was removed after the browser was asked.
        let Some(mut passkey) = known else { return Ok(AssertionOutcome::Wrong) };
        passkey.update_credential(&result);
        let credential = serde_json::to_string(&passkey).map_err(Error::internal)?;
        Ok(AssertionOutcome::Right(Assertion { credential_id, credential, sign_count: result.counter().into() }))
    }
}

/// Reads what a browser answered.
fn read<T: DeserializeOwned>(answer: Value) -> Result<T> {
    serde_json::from_value(answer).map_err(|error| Error::from(StaffError::PasskeyUnreadable).caused_by(error))
}

fn read_all(credentials: &[String]) -> Result<Vec<Passkey>> {
    credentials.iter().map(|one| serde_json::from_str(one).map_err(Error::internal)).collect()
}

fn encode(credential_id: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(credential_id)
}
