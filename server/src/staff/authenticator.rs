//! The codes of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds, as every app knows them).
//!
//! The secret of an app is derived from the installation's key and a random salt. The database has only the salt, so a copy of it
//! yields no code.

use totp_rs::{Builder, Totp};

use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// The name that an app shows beside the account.
const ISSUER: &str = "Visadesk";
/// The bytes of a salt.
const SALT_LEN: usize = 16;
/// The bytes of a secret: as many as SHA-1 has (RFC 4226 §4).
const SECRET_LEN: usize = 20;
/// The steps before and after the present one whose codes count, because clocks differ and typing takes time (RFC 6238 §5.2).
const SKEW: u16 = 1;

/// The app of one member.
pub struct Authenticator(Totp);

/// Draws the salt of a new secret.
pub fn draw_salt() -> String {
    hex::encode(rand::random::<[u8; SALT_LEN]>())
}

/// Returns true if the text has the form of a salt.
pub fn is_salt(text: &str) -> bool {
    hex::decode(text).is_ok_and(|bytes| bytes.len() == SALT_LEN)
}

impl Authenticator {
    /// The app with the secret of that salt.
    pub fn of(key: &SecretKey, staff_id: StaffId, salt: &str, email: &str) -> Result<Self> {
        let secret = key.sign("authenticator secrets", format!("{staff_id} {salt}").as_bytes());
        let totp = Builder::new()
            .with_secret(secret[..SECRET_LEN].to_vec())
            .with_skew(SKEW)
            .with_issuer(Some(ISSUER))
            // A colon separates the issuer from the account.
            .with_account_name(email.replace(':', " "))
            .build();
        Ok(Self(totp.map_err(|error| Error::internal(error.to_string()))?))
    }

    /// The time step that the code belongs to; none if it is wrong. A step must be accepted only once.
    pub fn step_of(&self, code: &str, now: Timestamp) -> Option<i64> {
        let step = self.0.check(code, u64::try_from(now.timestamp()).ok()?)?;
        i64::try_from(step).ok()
    }

    /// The secret in Base32, for typing it into an app.
    pub fn secret(&self) -> String {
        self.0.secret().to_base32()
    }

    /// The `otpauth` address, for a QR code.
    pub fn url(&self) -> Result<String> {
        self.0.to_url().map_err(|error| Error::internal(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn key() -> Result<SecretKey> {
        let folder = tempfile::tempdir().map_err(Error::internal)?;
        SecretKey::open(&folder.path().join("secret.key"))
    }

    #[test]
    fn a_code_counts_in_its_own_step_and_in_those_beside_it() -> Result<()> {
        let app = Authenticator::of(&key()?, StaffId(1), &draw_salt(), "ayu@agency.example")?;
        let at = |seconds: i64| Timestamp::EPOCH + TimeDelta::seconds(1_800_000_000 + seconds);
        let code = app.0.generate(1_800_000_000).to_string();
        assert_eq!(code.len(), 6);
        let steps = [-31, -30, 0, 29, 30, 59, 60].map(|seconds| app.step_of(&code, at(seconds)));
        assert_eq!(
            steps,
            [None, Some(60_000_000), Some(60_000_000), Some(60_000_000), Some(60_000_000), Some(60_000_000), None]
        );
        Ok(())
    }

    #[test]
    fn each_member_and_each_salt_has_a_secret_of_its_own() -> Result<()> {
        let (key, salt) = (key()?, draw_salt());
        let secret = |id, salt: &str| Authenticator::of(&key, StaffId(id), salt, "a@b.example").map(|app| app.secret());
        assert_eq!(secret(1, &salt)?, secret(1, &salt)?);
        assert_ne!(secret(1, &salt)?, secret(2, &salt)?);
        assert_ne!(secret(1, &salt)?, secret(1, &draw_salt())?);
        let url = Authenticator::of(&key, StaffId(1), &salt, "a:b@agency.example")?.url()?;
        assert_eq!(
            url,
            format!("otpauth://totp/Visadesk:a%20b%40agency.example?secret={}&issuer=Visadesk", secret(1, &salt)?)
        );
        Ok(())
    }
}
