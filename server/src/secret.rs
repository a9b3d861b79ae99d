//! The secret key of this installation: whatever must not be forged is sealed with a key derived from it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::{Error, Result};

/// The fewest bytes that a key may have: 256 bits.
const FEWEST_BYTES: usize = 32;

/// The key. All nodes of one installation share it.
#[derive(Clone)]
pub struct SecretKey(Vec<u8>);

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("SecretKey(…)")
    }
}

impl SecretKey {
    /// Reads the key from `file`, and makes one for its owner alone when there is none.
    ///
    /// A short or simple key is refused, and so is one that others on this machine may read.
    pub fn open(file: &Path) -> Result<Self> {
        if !file.exists() {
            make(file).map_err(|error| cannot("made", file, &error))?;
        }
        require_private(file)?;
        let text = fs::read_to_string(file).map_err(|error| cannot("read", file, &error))?;
        Self::parse(&text).ok_or_else(|| {
            Error::invalid(format!(
                "The secret key in {} is too short or too simple. It must be at least {FEWEST_BYTES} random bytes in \
                 hexadecimal digits. To get a new one, remove the file and start again; everybody then signs in anew",
                file.display()
            ))
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = hex::decode(text.trim()).ok()?;
        let mut distinct = bytes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // 32 random bytes hold fewer than 16 different ones about never; `000…` and `deadbeef…` do.
        (bytes.len() >= FEWEST_BYTES && distinct.len() >= 16).then_some(Self(bytes))
    }

    /// A key of its own for each purpose, so that what is sealed for one cannot serve as the other.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        mac(&self.0, purpose.as_bytes())
    }

    /// The seal of `content` for `purpose`: it can be repeated, and neither guessed nor turned back without the key.
    pub fn seal(&self, purpose: &str, content: &[u8]) -> [u8; 32] {
        mac(&self.derive(purpose), content)
    }

    /// Whether `seal` is the seal of `content` for `purpose`. Takes as long for every wrong one.
    pub fn is_seal(&self, purpose: &str, content: &[u8], seal: &[u8]) -> bool {
        mac_of(&self.derive(purpose), content).verify_slice(seal).is_ok()
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

/// The owner's group may read it, as orchestrators hand secrets out; nobody else, and only the owner may change it.
#[cfg(unix)]
fn require_private(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(file).map_err(|error| cannot("read", file, &error))?.permissions().mode();
    if mode & 0o037 == 0 {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "Others on this machine may read or change the secret key {path}. Take that from them: chmod 600 {path}",
        path = file.display()
    )))
}

#[cfg(not(unix))]
fn require_private(_: &Path) -> Result<()> {
    Ok(())
}

fn cannot(verb: &str, file: &Path, error: &io::Error) -> Error {
    Error::invalid(format!("The secret key {} cannot be {verb}: {error}", file.display()))
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
    fn what_is_sealed_for_one_purpose_is_not_sealed_for_another() {
        let key = SecretKey((0..32).collect());
        assert_ne!(key.seal("one", b"content"), key.seal("other", b"content"));
        assert_eq!(key.seal("one", b"content"), key.seal("one", b"content"));
        let seal = key.seal("one", b"content");
        assert!(key.is_seal("one", b"content", &seal) && !key.is_seal("other", b"content", &seal));
        assert!(!key.is_seal("one", b"content", &seal[..31]) && !key.is_seal("one", b"contents", &seal));
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
        let refused = SecretKey::open(&file).err().map(|error| error.message().to_owned()).unwrap_or_default();
        assert!(refused.contains("chmod 600"), "{refused}");
        Ok(())
    }
}
