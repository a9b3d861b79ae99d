//! Reads files of the place again, a share of them with each backup, so that damage is noticed while the file can still be copied again.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::packing::Packer;
use super::place::BackupPlace;
use super::rules;
use crate::error::Result;
use crate::files::StoredContent;

/// The object that names the last file that was read again.
const READ_TO: &str = "read-to";
/// The object with the digests of the encrypted files, as `sha256sum` writes and checks them: the server cannot decrypt them.
const DIGESTS: &str = "files.sha256";

/// The state of a file in the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    Nothing,
    Whole,
    /// Its turn has come, and no digest of it is recorded: an interrupted backup or an older version has written it.
    Unknown,
    Damaged,
}

/// The files that one backup reads again, and what they should be.
pub struct RereadPlan {
    due: HashSet<String>,
    last: Option<String>,
    digests: BTreeMap<String, String>,
}

impl RereadPlan {
    /// Chooses the share after that of the last backup. After `runs` backups every file in the place was read again.
    pub async fn begin(place: &BackupPlace, packer: &Packer, there: &HashMap<String, u64>, runs: u32) -> Result<Self> {
        let read_to = place.get(READ_TO).await?.unwrap_or_default();
        let mut names: Vec<&String> = there.keys().collect();
        names.sort_unstable();
        let due = rules::next_share(&names, &String::from_utf8_lossy(&read_to), runs);
        let last = due.last().cloned();
        let digests = if packer.encrypts() { place.get(DIGESTS).await?.unwrap_or_default() } else { "".into() };
        let digests = String::from_utf8_lossy(&digests);
        let digests = digests.lines().filter_map(|line| line.split_once("  "));
        let digests = digests.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect();
        Ok(Self { due: due.into_iter().collect(), last, digests })
    }

    /// Returns the state of the file `name` in the place, where it is `length` bytes long. It is read if its turn has come.
    pub async fn look(
        &self,
        place: &BackupPlace,
        packer: &Packer,
        name: &str,
        length: Option<u64>,
        stored: &StoredContent,
    ) -> Result<FileState> {
        let Some(length) = length else { return Ok(FileState::Nothing) };
        // What is encrypted has another length.
        if !packer.encrypts() && length != stored.size_bytes.unsigned_abs() {
            return Ok(FileState::Damaged);
        }
        if !self.due.contains(name) {
            return Ok(FileState::Whole);
        }
        let expected = if packer.encrypts() { self.digests.get(name) } else { Some(&stored.sha256) };
        let Some(expected) = expected else { return Ok(FileState::Unknown) };
        let is_whole = place.read_through(name, None).await?.is_some_and(|(_, sha256)| sha256 == *expected);
        Ok(if is_whole { FileState::Whole } else { FileState::Damaged })
    }

    /// Leaves in the place what the next backup needs to go on. `written` are the names and digests of new objects.
    pub async fn finish(mut self, place: &BackupPlace, packer: &Packer, written: Vec<(String, String)>) -> Result<()> {
        if packer.encrypts() {
            self.digests.extend(written);
            let lines: String = self.digests.iter().map(|(name, sha256)| format!("{sha256}  {name}\n")).collect();
            place.put(DIGESTS, lines.into()).await?;
        }
        match self.last {
            Some(name) => place.put(READ_TO, name.into()).await,
            None => Ok(()),
        }
    }
}
