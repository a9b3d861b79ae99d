//! Where a document begins and ends in its file. Servers and mail programs put lines before and behind one, which every reader tolerates.

use memchr::memmem;

use crate::documents::inspection::outcome::Refusal;
use crate::documents::rules::holds_markup;

/// Marks of the end of a document. One of them follows its last object.
const ENDS: [&[u8]; 3] = [b"trailer", b"startxref", b"/XRef"];

/// Returns the number of bytes to keep: all of them, unless a web page follows the document.
pub fn kept_length(content: &[u8]) -> Result<usize, Refusal> {
    if is_cut_off(content) || has_second_document(content) {
        return Err(Refusal::DamagedPdf);
    }
    let Some(end) = memmem::rfind(content, b"%%EOF").map(|at| at + b"%%EOF".len()) else { return Ok(content.len()) };
    let behind = &content[end..];
    if holds_archive(content, end) {
        return Err(Refusal::Unreadable);
    }
    if !holds_markup(behind) {
        return Ok(content.len());
    }
    // A signature covers the bytes of a file, so a signed one stays as it is or is not taken.
    if memmem::find(content, b"/ByteRange").is_some() {
        return Err(Refusal::Unreadable);
    }
    Ok(end + line_break(behind))
}

/// Returns true if the file ends within an object or before its trailer.
fn is_cut_off(content: &[u8]) -> bool {
    let end = ENDS.iter().filter_map(|mark| memmem::rfind(content, mark)).max();
    end.is_none_or(|end| memmem::find(&content[end..], b" obj").is_some())
}

/// Returns true if another document follows the end of one. An update of a document has no header.
fn has_second_document(content: &[u8]) -> bool {
    memmem::find_iter(content, b"%%EOF").any(|at| {
        let behind = content[at + b"%%EOF".len()..].trim_ascii_start();
        behind.starts_with(b"%PDF-")
    })
}

/// The end record of a ZIP behind the document, or anywhere if its directory is there, too: many programs open such a file as an archive.
fn holds_archive(content: &[u8], end: usize) -> bool {
    memmem::find_iter(content, b"PK\x05\x06").any(|at| at >= end || has_directory(content, at))
}

/// Returns true if the directory of an archive lies before its end record, where that says (APPNOTE 4.3.16).
fn has_directory(content: &[u8], at: usize) -> bool {
    let size = content.get(at + 12..at + 16).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let start = size.and_then(|size| at.checked_sub(usize::try_from(size).ok()?));
    start.is_some_and(|start| content[start..].starts_with(b"PK\x01\x02"))
}

/// The length of the line break at the beginning of `behind`.
fn line_break(behind: &[u8]) -> usize {
    match behind {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}
