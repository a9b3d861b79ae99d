//! The rounds of the long corpus that are checked, in a file, so that it may be interrupted and goes on later.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Scores;
use crate::support::program::BINARY;

/// The rounds with their scores.
pub struct Progress {
    /// None: nothing is kept.
    file: Option<PathBuf>,
    stored: StoredRounds,
}

#[derive(Default, Serialize, Deserialize)]
struct StoredRounds {
    /// The digest of what decides about the scores.
    of: String,
    rounds: BTreeMap<usize, Scores>,
}

impl Progress {
    /// The rounds that were checked with this program and these pages, if they are to be kept.
    pub fn open(is_kept: bool) -> Self {
        let sources = [
            &include_bytes!("../corpus.rs")[..],
            include_bytes!("../../support/passports.rs"),
            include_bytes!("../../support/damage.rs"),
            &fs::read(BINARY).expect("the program"),
        ];
        let of = hex::encode(Sha256::digest(sources.concat()));
        let file = is_kept.then(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("passport-corpus.json"));
        let stored = file.as_ref().and_then(|file| serde_json::from_slice(&fs::read(file).ok()?).ok());
        let stored = stored.filter(|stored: &StoredRounds| stored.of == of);
        Self { file, stored: stored.unwrap_or_else(|| StoredRounds { of, ..StoredRounds::default() }) }
    }

    /// Returns the scores of a round, which `check` makes unless it was checked before.
    pub fn round(&mut self, round: usize, check: impl FnOnce() -> Scores) -> &Scores {
        if let Entry::Vacant(free) = self.stored.rounds.entry(round) {
            free.insert(check());
            self.save();
        }
        &self.stored.rounds[&round]
    }

    fn save(&self) {
        let Some(file) = &self.file else { return };
        let text = serde_json::to_vec(&self.stored).expect("scores are JSON");
        fs::write(file, text).expect("the file is written");
    }
}
