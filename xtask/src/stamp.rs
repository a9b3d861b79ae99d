//! Stamps: whether something was made from the files as they are now.
//!
//! By content, not by time: a fresh clone or a change of branch and back leaves nothing to do, and the few hundred
//! files in question are read in milliseconds.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A file that remembers which sources something was made from.
pub struct Stamp {
    file: PathBuf,
    now: String,
}

impl Stamp {
    /// Reads the sources (files, or folders with all that is in them; absent ones count as empty).
    ///
    /// # Errors
    /// If a source cannot be read.
    pub fn of(file: PathBuf, sources: &[PathBuf]) -> Result<Stamp> {
        let mut hash = DefaultHasher::new();
        for source in sources {
            add(&mut hash, source)?;
        }
        Ok(Stamp { file, now: format!("{:016x}\n", hash.finish()) })
    }

    /// A stamp of a text that contains all inputs.
    pub fn of_text(file: PathBuf, text: &str) -> Stamp {
        let mut hash = DefaultHasher::new();
        hash.write(text.as_bytes());
        Stamp { file, now: format!("{:016x}\n", hash.finish()) }
    }

    /// Whether the last `set` saw the same sources.
    pub fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|seen| seen == self.now)
    }

    /// Remembers the sources, after the thing was made.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn set(&self) -> Result<()> {
        fs::write(&self.file, &self.now).with_context(|| format!("cannot write {}", self.file.display()))
    }
}

fn add(hash: &mut DefaultHasher, source: &Path) -> Result<()> {
    let unreadable = || format!("cannot read {}", source.display());
    if source.is_dir() {
        let mut inside = fs::read_dir(source)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>())
            .with_context(unreadable)?;
        inside.sort();
        inside.iter().try_for_each(|path| add(hash, path))
    } else if source.exists() {
        let content = fs::read(source).with_context(unreadable)?;
        hash.write(source.as_os_str().as_encoded_bytes());
        hash.write_usize(content.len());
        hash.write(&content);
        Ok(())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_fresh_until_a_source_changes_appears_or_goes() -> Result<()> {
        let dir = tempfile::tempdir()?;
        let (src, stamp) = (dir.path().join("src"), dir.path().join("stamp"));
        let read = || Stamp::of(stamp.clone(), std::slice::from_ref(&src));
        fs::create_dir_all(src.join("deep"))?;
        fs::write(src.join("deep/a.ts"), "1")?;

        assert!(!read()?.is_fresh(), "nothing was made yet");
        read()?.set()?;
        assert!(read()?.is_fresh());

        fs::write(src.join("deep/a.ts"), "2")?;
        assert!(!read()?.is_fresh(), "changed");
        fs::write(src.join("deep/a.ts"), "1")?;
        assert!(read()?.is_fresh(), "changed back");

        fs::write(src.join("b.ts"), "")?;
        assert!(!read()?.is_fresh(), "an empty file appeared");
        fs::remove_file(src.join("b.ts"))?;
        fs::remove_dir_all(src.join("deep"))?;
        assert!(!read()?.is_fresh(), "a file went");
        Ok(())
    }
}
