//! PDFs: what is executed when a document is opened or clicked, files within, passwords, decompression bombs and documents without a page are refused.
//! Others stay unchanged, except that a web page behind one is cut off.
//!
//! - `pdf/actions.rs`: what is executed, and where.
//! - `pdf/frame.rs`: where the document begins and ends in its file.

mod actions;
mod frame;

use bytes::Bytes;
use lopdf::xref::XrefEntry;
use lopdf::{DecompressError, Document, Error, LoadOptions, Object, ObjectId, Stream};

use super::outcome::Refusal;
use crate::documents::limits::MAX_PAGES;

/// The most unpacked bytes of everything but pictures.
const MAX_UNPACKED: usize = 64 * 1024 * 1024;
/// The most unpacked bytes of one picture: 50 megapixels of four colours.
const MAX_PICTURE_BYTES: usize = 200_000_000;
/// The most unpacked bytes of all pictures.
const MAX_PICTURES_BYTES: usize = 1_000_000_000;

/// The deepest nesting of an object; each dictionary counts twice.
const MAX_DEPTH: usize = 64;

/// Returns the content to store, or why staff and applicants must not get this PDF.
pub fn check(content: &Bytes) -> Result<Bytes, Refusal> {
    let kept = content.slice(..frame::kept_length(content)?);
    // Readers find objects through the cross-reference table, or by searching if it is broken. Both results must be harmless.
    let mut budget = Budget { others: MAX_UNPACKED, pictures: MAX_PICTURES_BYTES };
    let document = load(&kept, false)?;
    actions::check(&document)?;
    check_streams(document.objects.values(), &mut budget)?;
    check_unread(&kept, &document)?;
    let searched = load(&kept, true)?;
    check_unread(&kept, &searched)?;
    actions::check_others(&searched, &document)?;
    let others = searched.objects.iter().filter(|(id, object)| document.objects.get(id) != Some(object));
    check_streams(others.map(|(_, object)| object), &mut budget)?;
    check_pages(&document)?;
    Ok(kept)
}

fn load(content: &[u8], force_reconstruct: bool) -> Result<Document, Refusal> {
    let options =
        LoadOptions { max_decompressed_size: Some(MAX_UNPACKED), force_reconstruct, ..LoadOptions::default() };
    let document = Document::load_mem_with_options(content, options).map_err(|error| refused(&error))?;
    // Documents that open without a password have been decrypted.
    match document.get_encrypted() {
        Ok(_) if is_protected_by_password(&document) => Err(Refusal::Encrypted),
        Ok(_) => Err(Refusal::UnknownProtection),
        Err(_) if document.trailer.has(b"Encrypt") => Err(Refusal::UnknownProtection),
        Err(_) => Ok(document),
    }
}

/// Returns true if a password opens the document: the standard handler and its revisions (ISO 32000-2, 7.6.4).
fn is_protected_by_password(document: &Document) -> bool {
    let Ok(handler) = document.get_encrypted() else { return false };
    let is_standard = handler.get(b"Filter").and_then(Object::as_name).is_ok_and(|name| name == b"Standard");
    let number = |key: &[u8]| handler.get(key).and_then(Object::as_i64).unwrap_or_default();
    is_standard && matches!(number(b"V"), 1 | 2 | 4 | 5) && matches!(number(b"R"), 2..=6)
}

fn refused(error: &Error) -> Refusal {
    if inflates(error) { Refusal::Inflates } else { Refusal::DamagedPdf }
}

fn inflates(error: &Error) -> bool {
    use DecompressError::{MemoryLimitExceeded, TooManyFilters};
    matches!(error, Error::Decompress(MemoryLimitExceeded { .. } | TooManyFilters { .. }))
}

/// Refuses objects that nest too deep to be read: a reader without such a limit would crash.
fn check_unread(content: &[u8], document: &Document) -> Result<(), Refusal> {
    for (number, entry) in &document.reference_table.entries {
        let XrefEntry::Normal { offset, generation } = *entry else { continue };
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let is_read = document.objects.contains_key(&(*number, generation));
        let head = format!("{number} {generation} obj");
        let object = content.get(start..).filter(|object| object.trim_ascii_start().starts_with(head.as_bytes()));
        if !is_read && object.is_some_and(|object| depth(object) > MAX_DEPTH) {
            return Err(Refusal::Inflates);
        }
    }
    Ok(())
}

/// The nesting depth of the object that begins here.
fn depth(object: &[u8]) -> usize {
    let end = memchr::memmem::find(object, b"endobj").unwrap_or(object.len());
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in &object[..end] {
        match byte {
            b'[' | b'<' => depth += 1,
            b']' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The bytes that may still be unpacked.
struct Budget {
    others: usize,
    pictures: usize,
}

/// Unpacks all streams within the budget.
fn check_streams<'a>(objects: impl Iterator<Item = &'a Object>, budget: &mut Budget) -> Result<(), Refusal> {
    objects.filter_map(|object| object.as_stream().ok()).try_for_each(|stream| check_stream(stream, budget))
}

fn check_stream(stream: &Stream, budget: &mut Budget) -> Result<(), Refusal> {
    let is_picture = stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Image");
    let most = if is_picture { budget.pictures.min(MAX_PICTURE_BYTES) } else { budget.others };
    match stream.decompressed_content_with_limit(most) {
        Ok(unpacked) if is_picture => budget.pictures -= unpacked.len(),
        Ok(unpacked) => budget.others -= unpacked.len(),
        Err(error) if inflates(&error) => return Err(Refusal::Inflates),
        // It may hold objects that another reader finds.
        Err(_) if stream.dict.has_type(b"ObjStm") => return Err(Refusal::DamagedPdf),
        // Encoded as a JPEG, for example, or broken.
        Err(_) => {}
    }
    Ok(())
}

/// Refuses a document with too many pages, or without one that can be shown.
fn check_pages(document: &Document) -> Result<(), Refusal> {
    let pages: Vec<ObjectId> =
        document.page_iter().filter(|id| document.get_dictionary(*id).is_ok()).take(MAX_PAGES + 1).collect();
    match pages.len() {
        0 => Err(Refusal::NoPages),
        count if count > MAX_PAGES => Err(Refusal::TooManyPages),
        _ if pages.iter().any(|page| is_readable(document, *page)) => Ok(()),
        _ => Err(Refusal::NoPages),
    }
}

/// Returns true if all content of the page unpacks. A page without content is blank.
fn is_readable(document: &Document, page: ObjectId) -> bool {
    let contents = document.get_page_contents(page).into_iter();
    contents.filter_map(|id| document.get_object(id).ok()?.as_stream().ok()).all(unpacks)
}

fn unpacks(stream: &Stream) -> bool {
    let Ok(filters) = stream.filters() else { return true };
    // What does not begin as deflated data is unpacked to something by the library, and to nothing by readers.
    if stream.content.is_empty() {
        return true;
    }
    let is_damaged = filters.first() == Some(&&b"FlateDecode"[..]) && !begins_as_zlib(&stream.content);
    !is_damaged && stream.decompressed_content_with_limit(MAX_UNPACKED).is_ok()
}

/// The two bytes before deflated data (RFC 1950, 2.2).
fn begins_as_zlib(content: &[u8]) -> bool {
    content.first_chunk().is_some_and(|head| head[0] & 0x0f == 8 && u16::from_be_bytes(*head).is_multiple_of(31))
}

#[cfg(test)]
mod tests;
