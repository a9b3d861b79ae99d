//! The secret key of this installation. What must not be forged is signed (HMAC) with a key derived from it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use derive::Reason;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::Result;

/// Why the server does not start with the secret key that it finds.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum SecretKeyError {
    #[error("The secret key {} cannot be {verb}: {error}", .file.display())]
    SecretKeyUnusable { verb: &'static str, file: PathBuf, error: io::Error },
    #[error(
        "The secret key in {} is too short or too simple. It must be at least {MIN_BYTES} random bytes in hexadecimal digits. To get \
         a new one, remove the file and start again; all staff then have to sign in again", .0.display()
    )]
    SecretKeyWeak(PathBuf),
    #[error("Other users of this machine may read or change the secret key {file}. Restrict it: chmod 600 {file}", file = .0.display())]
    SecretKeyExposed(PathBuf),
}

/// The shortest key, in bytes: 256 bits.
const MIN_BYTES: usize = 32;

/// The key. All nodes of one installation share it.
#[derive(Clone)]
pub struct SecretKey(Vec<u8>);

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("SecretKey(…)")
    }
}

impl SecretKey {
    /// Reads the key from `file`, or creates one there that only its owner may read.
    ///
    /// # Errors
    /// [`SecretKeyError`].
    pub fn open(file: &Path) -> Result<Self> {
        if !file.exists() {
            make(file).map_err(|error| unusable("created", file, error))?;
        }
        require_private(file)?;
        let text = fs::read_to_string(file).map_err(|error| unusable("read", file, error))?;
        Self::parse(&text).ok_or_else(|| SecretKeyError::SecretKeyWeak(file.into()).into())
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = hex::decode(text.trim()).ok()?;
        let mut distinct = bytes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // Random keys practically always have 16 distinct bytes among 32; `000…` and `deadbeef…` do not.
        (bytes.len() >= MIN_BYTES && distinct.len() >= 16).then_some(Self(bytes))
    }

    /// A separate key for each purpose, so that a signature for one is worthless for another.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        mac(&self.0, purpose.as_bytes())
    }

    /// The HMAC-SHA-256 of `content` for `purpose`.
    pub fn sign(&self, purpose: &str, content: &[u8]) -> [u8; 32] {
        mac(&self.derive(purpose), content)
    }

    /// Returns true if `signature` is the HMAC of `content` for `purpose`. Compares in constant time.
    pub fn verify(&self, purpose: &str, content: &[u8], signature: &[u8]) -> bool {
        mac_of(&self.derive(purpose), content).verify_slice(signature).is_ok()
    }

    /// Returns true if `start` is the non-empty beginning of the HMAC of `content` for `purpose`. Compares in constant time.
    pub fn verify_start(&self, purpose: &str, content: &[u8], start: &[u8]) -> bool {
        mac_of(&self.derive(purpose), content).verify_truncated_left(start).is_ok()
    }
}

fn mac(key: &[u8], content: &[u8]) -> [u8; 32] {
    mac_of(key, content).finalize().into_bytes().into()
}

fn mac_of(key: &[u8], content: &[u8]) -> Hmac<Sha256> {
    // HMAC takes keys of every length: hashing an over-long one is the only other case.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { unreachable!("HMAC takes keys of every length") };
    mac.update(content);
    mac
}

/// Writes a new key beside `file` and links it there whole: of two processes that start together, one key stays.
fn make(file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = file.with_extension(format!("{:016x}", rand::random::<u64>()));
    let mut open = OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let mut written = open.open(&draft)?;
    writeln!(written, "{}", hex::encode(rand::random::<[u8; 32]>()))?;
    written.sync_all()?;
    let linked = fs::hard_link(&draft, file);
    fs::remove_file(&draft)?;
    File::open(folder)?.sync_all()?;
    linked.or_else(|error| if error.kind() == io::ErrorKind::AlreadyExists { Ok(()) } else { Err(error) })
}

/// The owner's group may read it, as orchestrators hand secrets out; no other user may, and only the owner may change it.
#[cfg(unix)]
fn require_private(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(file).map_err(|error| unusable("read", file, error))?.permissions().mode();
    if mode & 0o037 == 0 {
        return Ok(());
    }
    Err(SecretKeyError::SecretKeyExposed(file.into()).into())
}

#[cfg(not(unix))]
fn require_private(_: &Path) -> Result<()> {
    Ok(())
}

fn unusable(verb: &'static str, file: &Path, error: io::Error) -> SecretKeyError {
    SecretKeyError::SecretKeyUnusable { verb, file: file.into(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_or_simple_key_is_refused() {
        let random = hex::encode(rand::random::<[u8; 32]>());
        assert!(SecretKey::parse(&random).is_some());
        for refused in ["", "changeme", &random[..62], &"00".repeat(32), &"deadbeef".repeat(8), &"zz".repeat(32)] {
            assert!(SecretKey::parse(refused).is_none(), "{refused}");
        }
    }

    #[test]
    fn a_signature_for_one_purpose_does_not_verify_for_another() {
        let key = SecretKey((0..32).collect());
        assert_ne!(key.sign("one", b"content"), key.sign("other", b"content"));
        assert_eq!(key.sign("one", b"content"), key.sign("one", b"content"));
        let signature = key.sign("one", b"content");
        assert!(key.verify("one", b"content", &signature) && !key.verify("other", b"content", &signature));
        assert!(!key.verify("one", b"content", &signature[..31]) && !key.verify("one", b"contents", &signature));
    }

    #[cfg(unix)]
    #[test]
    fn the_key_is_made_once_for_its_owner_alone() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("data/secret.key");
        let first = SecretKey::open(&file).map_err(io::Error::other)?;
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o600);
        assert_eq!(SecretKey::open(&file).map_err(io::Error::other)?.0, first.0);
        assert_eq!(fs::read_dir(folder.path().join("data"))?.count(), 1, "no draft stays behind");

        fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
        let refused = SecretKey::open(&file).err().map(|error| error.message()).unwrap_or_default();
        assert!(refused.contains("chmod 600"), "{refused}");
        Ok(())
    }
}
