//! The archive that a workbook is.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use super::outcome::WorkbookRefusal;

/// The most entries. A sheet of orders has about ten.
const MAX_ENTRIES: usize = 1_000;

/// The most unpacked bytes of all entries.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// Unpacks each entry once, and keeps nothing of it.
///
/// # Errors
/// If entries are too many or too large, share a name, or hold anything else than the archive says.
pub fn check(workbook: &[u8]) -> Result<(), WorkbookRefusal> {
    let unreadable = |_| WorkbookRefusal::Unreadable;
    let mut archive = ZipArchive::new(Cursor::new(workbook)).map_err(unreadable)?;
    if archive.len() > MAX_ENTRIES {
        return Err(WorkbookRefusal::TooLarge);
    }
    // Readers differ in which of them counts.
    if archive.has_duplicate_names() {
        return Err(WorkbookRefusal::Unreadable);
    }
    let mut stated = 0;
    for index in 0..archive.len() {
        stated += archive.by_index_raw(index).map_err(unreadable)?.size().min(MAX_UNPACKED + 1);
    }
    if stated > MAX_UNPACKED {
        return Err(WorkbookRefusal::TooLarge);
    }
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(unreadable)?;
        let stated = entry.size();
        // One byte more tells that it goes on.
        let unpacked = io::copy(&mut entry.take(stated + 1), &mut io::sink());
        if unpacked.map_err(|_| WorkbookRefusal::Unreadable)? != stated {
            return Err(WorkbookRefusal::TooLarge);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    /// An archive of entries that repeat a byte so often.
    fn archive(entries: impl IntoIterator<Item = u64>) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, bytes) in entries.into_iter().enumerate() {
            archive.start_file(number.to_string(), SimpleFileOptions::default()).unwrap();
            io::copy(&mut io::repeat(0).take(bytes), &mut archive).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn an_archive_beyond_the_limits_is_refused() {
        assert_eq!(check(&archive([1; MAX_ENTRIES])), Ok(()));
        assert_eq!(check(&archive([1; MAX_ENTRIES + 1])), Err(WorkbookRefusal::TooLarge));
        assert_eq!(check(&archive([MAX_UNPACKED / 2, MAX_UNPACKED / 2])), Ok(()));
        assert_eq!(check(&archive([MAX_UNPACKED / 2, MAX_UNPACKED / 2 + 1])), Err(WorkbookRefusal::TooLarge));
    }

    #[test]
    fn an_entry_that_is_larger_than_the_archive_says_is_refused() {
        let mut lying = archive([70_000]);
        let stated = 70_000_u32.to_le_bytes();
        for place in 0..lying.len() - 4 {
            if lying[place..place + 4] == stated {
                lying[place..place + 4].copy_from_slice(&2_000_u32.to_le_bytes());
            }
        }
        assert_eq!(check(&lying), Err(WorkbookRefusal::Unreadable));
        assert_eq!(check(b"PK\x03\x04"), Err(WorkbookRefusal::Unreadable));
    }
}
