//! PDFs: one with active content, embedded files, encryption or decompression bombs is refused. Others stay unchanged.

use lopdf::xref::XrefEntry;
use lopdf::{DecompressError, Dictionary, Document, Error, LoadOptions, Object, Stream};

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

/// Keys that run something, or hold files and forms that do. Opening at a page is no action: see [`opens`].
const ACTIVE_KEYS: [&[u8]; 9] =
    [b"JavaScript", b"JS", b"Launch", b"EmbeddedFile", b"EmbeddedFiles", b"AA", b"XFA", b"EF", b"AF"];

/// Names that mean an action or a file within, and nothing else anywhere. The short keys may also name a glyph or font.
const ACTIVE_WORDS: [&[u8]; 9] = [
    b"JavaScript",
    b"Launch",
    b"EmbeddedFile",
    b"EmbeddedFiles",
    b"RichMedia",
    b"SubmitForm",
    b"ImportData",
    b"GoToR",
    b"GoToE",
];

/// The other actions (ISO 32000-2, table 201), each the value of `S`. Only links to a URL and to a place in the file pass.
const ACTIONS: [&[u8]; 12] = [
    b"GoToDp",
    b"Thread",
    b"Sound",
    b"Movie",
    b"Hide",
    b"Named",
    b"ResetForm",
    b"SetOCGState",
    b"Rendition",
    b"Trans",
    b"GoTo3DView",
    b"RichMediaExecute",
];

const OPENS: &[u8] = b"OpenAction";

/// Refuses a PDF that staff and applicants must not open.
pub fn check(content: &[u8]) -> Result<(), Refusal> {
    // The raw bytes, however a reader interprets them.
    check_words(content)?;
    // Readers find objects through the cross-reference table, or by scanning if it is broken. Both results must be harmless.
    let mut budget = Budget { others: MAX_UNPACKED, pictures: MAX_PICTURES_BYTES };
    let document = load(content, false)?;
    check_objects(&document, &mut budget)?;
    check_unread(content, &document)?;
    let searched = load(content, true)?;
    check_unread(content, &searched)?;
    let of_objects = |id| searched.objects.get(id) != document.objects.get(id);
    check_dictionary(&searched, &searched.trailer)?;
    for (_, object) in searched.objects.iter().filter(|(id, _)| of_objects(id)) {
        check_object(&searched, object, &mut budget)?;
    }
    if document.page_iter().take(MAX_PAGES + 1).count() > MAX_PAGES {
        return Err(Refusal::TooManyPages);
    }
    Ok(())
}

fn load(content: &[u8], force_reconstruct: bool) -> Result<Document, Refusal> {
    let options =
        LoadOptions { max_decompressed_size: Some(MAX_UNPACKED), force_reconstruct, ..LoadOptions::default() };
    let document = Document::load_mem_with_options(content, options).map_err(|error| refused(&error))?;
    if document.trailer.has(b"Encrypt") || document.was_encrypted() {
        return Err(Refusal::Encrypted);
    }
    Ok(document)
}

fn refused(error: &Error) -> Refusal {
    if inflates(error) { Refusal::Inflates } else { Refusal::Unreadable }
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
        if !is_read && content.get(start..).is_some_and(|object| depth(object) > MAX_DEPTH) {
            return Err(Refusal::Inflates);
        }
    }
    Ok(())
}

/// The nesting depth of the object that begins here.
fn depth(object: &[u8]) -> usize {
    let end = object.windows(6).position(|word| word == b"endobj").unwrap_or(object.len());
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

fn check_objects(document: &Document, budget: &mut Budget) -> Result<(), Refusal> {
    check_dictionary(document, &document.trailer)?;
    document.objects.values().try_for_each(|object| check_object(document, object, budget))
}

fn check_object(document: &Document, object: &Object, budget: &mut Budget) -> Result<(), Refusal> {
    match object {
        Object::Dictionary(entries) => check_dictionary(document, entries),
        Object::Array(items) => items.iter().try_for_each(|item| check_object(document, item, budget)),
        Object::Name(name) => check_word(name),
        Object::Stream(stream) => {
            check_dictionary(document, &stream.dict)?;
            check_stream(stream, budget)
        }
        _ => Ok(()),
    }
}

fn check_dictionary(document: &Document, entries: &Dictionary) -> Result<(), Refusal> {
    // Streams are indirect objects, never values here, so nothing is unpacked.
    let mut nothing = Budget { others: 0, pictures: 0 };
    for (key, value) in entries {
        if ACTIVE_KEYS.contains(&key.as_slice()) || (key == OPENS && !opens(document, value)) {
            return Err(active(key));
        }
        if key == b"S" {
            check_action(document, value)?;
        }
        check_object(document, value, &mut nothing)?;
    }
    Ok(())
}

/// Refuses the value of `S` if it names an action. Groups, borders and the structure of a text have an `S`, too, with other names.
fn check_action(document: &Document, value: &Object) -> Result<(), Refusal> {
    match document.dereference(value) {
        Ok((_, Object::Name(name))) if ACTIONS.contains(&name.as_slice()) => Err(active(name)),
        _ => Ok(()),
    }
}

/// Returns true if the value of `OpenAction` only sets the page and zoom at which the document opens, as many programs write it: the
/// place itself, or the action that goes there.
fn opens(document: &Document, value: &Object) -> bool {
    let plain = |item: &Object| {
        matches!(item, Object::Null | Object::Integer(_) | Object::Real(_) | Object::Name(_) | Object::Reference(_))
    };
    let is_place = |value: &Object| match document.dereference(value) {
        Ok((_, Object::Array(place))) => place.iter().all(plain),
        Ok((_, Object::Name(_) | Object::String(..))) => true,
        _ => false,
    };
    match document.dereference(value) {
        Ok((_, Object::Dictionary(action))) => {
            let goes = action.get(b"S").and_then(Object::as_name).is_ok_and(|name| name == b"GoTo");
            goes && !action.has(b"Next") && action.get(b"D").is_ok_and(is_place)
        }
        Ok((_, Object::Array(place))) => place.iter().all(plain),
        _ => false,
    }
}

/// Unpacks the stream within the budget and checks its content.
fn check_stream(stream: &Stream, budget: &mut Budget) -> Result<(), Refusal> {
    let is_picture = stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Image");
    let most = if is_picture { budget.pictures.min(MAX_PICTURE_BYTES) } else { budget.others };
    match stream.decompressed_content_with_limit(most) {
        Ok(unpacked) if is_picture => budget.pictures -= unpacked.len(),
        Ok(unpacked) => {
            budget.others -= unpacked.len();
            check_words(&unpacked)?;
        }
        Err(error) if inflates(&error) => return Err(Refusal::Inflates),
        // It may hold objects that another reader finds.
        Err(_) if stream.dict.has_type(b"ObjStm") => return Err(Refusal::Unreadable),
        // Encoded as a JPEG, for example, or broken.
        Err(_) => {}
    }
    Ok(())
}

fn check_word(name: &[u8]) -> Result<(), Refusal> {
    if ACTIVE_WORDS.contains(&name) { Err(active(name)) } else { Ok(()) }
}

fn active(name: &[u8]) -> Refusal {
    Refusal::Active(String::from_utf8_lossy(name).into_owned())
}

/// Checks every name in `bytes`, also inside what looks like text, because readers differ in what they take as text. Only names after
/// `://` count as part of a URL.
fn check_words(bytes: &[u8]) -> Result<(), Refusal> {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'/') {
        at += found + 1;
        let name = name(&bytes[at..]);
        let refused = if name == b"Encrypt" { Err(Refusal::Encrypted) } else { check_word(&name) };
        if refused.is_err() && !is_in_address(&bytes[..at]) {
            return refused;
        }
    }
    Ok(())
}

/// Returns true if `before` ends inside a URL.
fn is_in_address(before: &[u8]) -> bool {
    let word =
        before.rsplit(|byte| byte.is_ascii_whitespace() || b"()<>[]{}".contains(byte)).next().unwrap_or_default();
    word.windows(3).any(|window| window == b"://")
}

/// The name at this place, with `#4a` decoded, up to the length of the longest known name.
fn name(bytes: &[u8]) -> Vec<u8> {
    const MAX_LEN: usize = 16;
    let mut name = Vec::with_capacity(MAX_LEN);
    let mut at = 0;
    while let Some(byte) = bytes.get(at).filter(|_| name.len() < MAX_LEN) {
        let ends = matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ' | b'(' | b')' | b'<' | b'>' | b'[' | b']')
            || matches!(byte, b'{' | b'}' | b'/' | b'%');
        if ends {
            break;
        }
        let escaped = bytes.get(at + 1..at + 3).filter(|_| *byte == b'#').and_then(|digits| hex::decode(digits).ok());
        name.push(escaped.as_ref().map_or(*byte, |decoded| decoded[0]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    name
}

#[cfg(test)]
mod tests;
