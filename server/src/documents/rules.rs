//! Which files an order may hold. The content decides the type of a file, never its name or the declared type. Pure.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use chrono::TimeDelta;
use memchr::memmem;
use unicode_normalization::UnicodeNormalization;

use super::errors::{DocumentError, MemberUploadLimit};
use super::kinds::{FILING_RECEIPT, VISA, WAITING_VISA, WITHDRAWN_VISA, is_of_applicant};
use super::limits::MAX_BYTES;
use crate::characters::is_unseen;
use crate::config::Limits;
use crate::error::Permission;
use crate::files::StoredContent;
use crate::orders::rules::filter::RequiredDocuments;
use crate::orders::status::ProcessStatus;
use crate::text_enum;
use crate::visas::catalogue::{self, VisaType};

/// Readers search so many bytes for the header of a PDF (Adobe's implementation note 13 on ISO 32000-1).
const PDF_HEADER_WITHIN: usize = 1_024;

text_enum! {
    /// The type of a file.
    pub enum MediaType {
        Pdf = "application/pdf",
        Jpeg = "image/jpeg",
        Png = "image/png",
        Webp = "image/webp",
        Gif = "image/gif",
    }
}

/// A stored file without a row.
#[derive(Clone, Debug)]
pub struct StoredFile {
    pub stored: StoredContent,
    /// The client's name for it, safe to show.
    pub original_name: String,
    pub media_type: MediaType,
    /// The digest of the file as it came, in hexadecimal digits, if it is stored rewritten.
    pub original_sha256: Option<String>,
}

impl MediaType {
    /// The extension of its stored name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
        }
    }

    /// Detects the type by the first bytes. Where the file ends is looked for when it is parsed.
    pub fn of(content: &[u8]) -> Result<Self, DocumentError> {
        recognise(content).ok_or_else(|| refused(content))
    }
}

fn recognise(content: &[u8]) -> Option<MediaType> {
    match content {
        // Programs append all kinds of data to pictures.
        [0xff, 0xd8, 0xff, ..] => Some(MediaType::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0, 0, 0, 13, b'I', b'H', b'D', b'R', ..] => {
            Some(MediaType::Png)
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P', b'8', ..] => Some(MediaType::Webp),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(MediaType::Gif),
        _ => is_pdf(content).then_some(MediaType::Pdf),
    }
}

/// The header of a PDF among the first bytes, as readers search it. Neither a web page nor a picture may precede its first object.
fn is_pdf(content: &[u8]) -> bool {
    let start = &content[..content.len().min(PDF_HEADER_WITHIN)];
    let is_picture = [&b"\xff\xd8\xff"[..], b"\x89PNG", b"RIFF", b"GIF8"].iter().any(|mark| start.starts_with(mark));
    let objects_at = memmem::find(start, b" obj").unwrap_or(start.len());
    !is_picture && memmem::find(start, b"%PDF-").is_some() && !holds_markup(&start[..objects_at])
}

/// Why a file of another type is refused.
fn refused(content: &[u8]) -> DocumentError {
    let head = &content[..content.len().min(64)];
    let is_avif = || head.windows(4).any(|brand| brand == b"avif" || brand == b"avis");
    match head {
        // HEIF, of which AVIF is another kind.
        [_, _, _, _, b'f', b't', b'y', b'p', b'm', b'i' | b's', b'f', b'1', ..] if is_avif() => {
            DocumentError::UnsupportedPicture
        }
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => match brand.first_chunk() {
            Some(b"heic" | b"heix" | b"hevc" | b"heim" | b"mif1" | b"msf1") => DocumentError::HeicPhoto,
            Some(b"avif" | b"avis") => DocumentError::UnsupportedPicture,
            _ => DocumentError::NotPdfOrImage,
        },
        _ if is_other_picture(content) => DocumentError::UnsupportedPicture,
        _ => DocumentError::NotPdfOrImage,
    }
}

/// TIFF (and raw photos), BMP, JPEG XL, JPEG 2000, Photoshop, SVG.
fn is_other_picture(content: &[u8]) -> bool {
    let starts =
        [&b"II*\0"[..], b"MM\0*", b"\xff\x0a", b"\0\0\0\x0cJXL \r\n\x87\n", b"\0\0\0\x0cjP  \r\n\x87\n", b"8BPS\0\x01"];
    // The length of the second head of a BMP, in all of its versions.
    let is_bitmap =
        content.starts_with(b"BM") && content.get(14..18).is_some_and(|length| matches!(length, [12..=124, 0, 0, 0]));
    starts.iter().any(|start| content.starts_with(start)) || is_bitmap || is_svg(content)
}

fn is_svg(content: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&content[..content.len().min(1_024)]).to_ascii_lowercase();
    let text = head.trim_start_matches('\u{feff}').trim_start();
    text.starts_with("<svg")
        || (text.starts_with("<?xml") && text.contains("<svg"))
        || text.starts_with("<!doctype svg")
}

/// The end record of a ZIP, which readers search from the end of any file (some run a JAR appended to a picture).
pub fn holds_archive(content: &[u8]) -> bool {
    let tail = &content[content.len().saturating_sub(66 * 1024)..];
    tail.windows(4).any(|window| window == b"PK\x05\x06")
}

/// Markup that a browser takes for a page, among the first bytes.
pub fn holds_markup(content: &[u8]) -> bool {
    let head = content[..content.len().min(1_024)].to_ascii_lowercase();
    ["<html", "<script", "<svg", "<!doctype", "<?xml"].iter().any(|tag| memmem::find(&head, tag.as_bytes()).is_some())
}

/// The label of a kind of file, from the catalogue or the specification.
pub fn label_of(kind: &str) -> String {
    match kind {
        "passport_picture" => "Travel document".to_owned(),
        "upload_picture" => "Photo".to_owned(),
        VISA => "Visa".to_owned(),
        FILING_RECEIPT => "Receipt of the portal's fee".to_owned(),
        WAITING_VISA => "Visa, not delivered yet".to_owned(),
        WITHDRAWN_VISA => "Withdrawn visa".to_owned(),
        kind => catalogue::document_label(kind).map_or_else(|| kind.replace('_', " "), str::to_owned),
    }
}

/// A document that a visa type needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededDocument {
    /// Its key in the catalogue.
    pub key: &'static str,
    /// The kind under which the sales site uploads it. For two keys that is a picture that every order has.
    pub kind: &'static str,
    pub label: &'static str,
    /// False: only some applicants need it.
    pub required: bool,
    /// The applicants who need it; None: all.
    pub when: Option<&'static str>,
    /// The content that it must show; None: nothing in particular.
    pub note: Option<&'static str>,
    /// The least that a bank statement must show, in US dollars.
    pub min_funds_usd: Option<u32>,
}

impl NeededDocument {
    /// Returns true if a file of `kind` is this document.
    pub fn is_of_kind(&self, kind: &str) -> bool {
        kind == self.kind || kind == self.key
    }

    /// Returns true if every applicant needs it, and no file of `given` is it.
    pub fn is_missing(&self, given: &HashSet<String>) -> bool {
        self.required && !given.contains(self.kind) && !given.contains(self.key)
    }
}

/// Returns true if staff wait for the required documents of an order: it is paid, and neither filed with the government nor closed nor
/// delivered before.
pub fn awaits_documents(status: ProcessStatus, had_visa_or_dispute: bool) -> bool {
    status.needs_documents() && !had_visa_or_dispute
}

/// The documents that a visa type needs, in the order of the catalogue. A retired code needs those of its successor; an unknown one
/// none.
pub fn needed_documents(visa_type: &str) -> &'static [NeededDocument] {
    static BY_CODE: LazyLock<HashMap<&str, Vec<NeededDocument>>> =
        LazyLock::new(|| catalogue::codes().map(|(code, visa)| (code, documents_of(visa))).collect());
    BY_CODE.get(visa_type).map(Vec::as_slice).unwrap_or_default()
}

/// The documents that visa types always require, for a filter of orders.
pub fn required_documents() -> &'static [RequiredDocuments] {
    static REQUIRED: LazyLock<Vec<RequiredDocuments>> = LazyLock::new(|| {
        let mut alike: BTreeMap<Vec<[&str; 2]>, Vec<&str>> = BTreeMap::new();
        for (code, visa) in catalogue::codes() {
            let required = documents_of(visa).into_iter().filter(|document| document.required);
            alike.entry(required.map(|document| [document.kind, document.key]).collect()).or_default().push(code);
        }
        alike.remove(&Vec::new());
        alike.into_iter().map(|(documents, visa_types)| RequiredDocuments { visa_types, documents }).collect()
    });
    &REQUIRED
}

/// The papers of an order that staff look at: those that its visa type needs. Of an order whose visa type is not known, the passport and the
/// photograph.
pub fn desk_documents(visa_type: Option<&str>) -> &'static [NeededDocument] {
    static PICTURES_ONLY: LazyLock<Vec<NeededDocument>> =
        LazyLock::new(|| ["passport", "recent_photo"].iter().filter_map(|key| needed(key, None, None)).collect());
    let needed = visa_type.map(needed_documents).unwrap_or_default();
    if needed.is_empty() { &PICTURES_ONLY } else { needed }
}

/// The kind under which a document of the catalogue is stored. For two keys that is a picture that every order has.
pub fn stored_kind(key: &str) -> &str {
    match key {
        "passport" => "passport_picture",
        "recent_photo" => "upload_picture",
        key => key,
    }
}

/// A document of the catalogue, and who needs it.
fn needed(key: &'static str, when: Option<&'static str>, min_funds_usd: Option<u32>) -> Option<NeededDocument> {
    let document = catalogue::document(key)?;
    Some(NeededDocument {
        key,
        kind: stored_kind(key),
        label: &document.label,
        required: when.is_none(),
        when,
        note: document.note.as_deref(),
        min_funds_usd: min_funds_usd.filter(|_| key == "bank_statement"),
    })
}

fn documents_of(visa: &'static VisaType) -> Vec<NeededDocument> {
    let always = visa.documents.iter().filter_map(|key| needed(key, None, visa.min_funds_usd));
    let sometimes = visa
        .documents_conditional
        .iter()
        .filter_map(|document| needed(&document.key, Some(&document.when), visa.min_funds_usd));
    always.chain(sometimes).collect()
}

/// Checks a kind of document that the sales site may upload.
pub fn applicants_kind(kind: &str) -> Result<&str, DocumentError> {
    if is_of_applicant(kind) { Ok(kind) } else { Err(DocumentError::UnknownDocumentKind) }
}

/// A file name that is safe to show: without folders, control or reordering characters, on one line, at most 150 characters, with the
/// extension of the detected type.
pub fn shown_name(given: &str, media_type: MediaType) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or("");
    let on_one_line = last.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain: String = on_one_line.nfc().filter(|one| !is_unseen(*one) && !"<>|:*?;".contains(*one)).collect();
    let is_extension = |end: &str| (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let stem = plain.rsplit_once('.').filter(|(_, end)| is_extension(end)).map_or(plain.as_str(), |(stem, _)| stem);
    let stem: String = stem.trim_end_matches([' ', '.']).trim_start().chars().take(145).collect();
    let stem = if stem.is_empty() { "document" } else { &stem };
    format!("{stem}.{}", media_type.extension())
}

/// The number and size of an order's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub files: i64,
    pub bytes: i64,
}

/// Refuses an empty file, and one that is too large.
pub fn check_size(bytes: usize) -> Result<(), DocumentError> {
    match bytes {
        0 => Err(DocumentError::EmptyFile),
        _ if bytes > MAX_BYTES => Err(DocumentError::FileTooLarge),
        _ => Ok(()),
    }
}

/// Refuses a file if the order would hold too many, or too many bytes.
pub fn check_quota(usage: Usage, more_bytes: i64, limits: &Limits) -> Result<(), DocumentError> {
    let files = usize::try_from(usage.files).unwrap_or(usize::MAX);
    if files >= limits.files_per_order {
        return Err(DocumentError::TooManyFilesInOrder(limits.files_per_order));
    }
    let bytes = u64::try_from(usage.bytes.saturating_add(more_bytes)).unwrap_or(0);
    if bytes > limits.file_bytes_per_order {
        return Err(DocumentError::OrderFilesTooLarge(limits.file_bytes_per_order / 1024 / 1024));
    }
    Ok(())
}

/// The window in which a member's uploads are counted.
pub const MEMBERS_DAY: TimeDelta = TimeDelta::hours(24);

/// Refuses a file if the member of staff has uploaded too many in [`MEMBERS_DAY`].
pub fn check_member(_: Permission<MemberUploadLimit>, uploaded: i64, limits: &Limits) -> Result<(), DocumentError> {
    let max = limits.files_per_member_and_day;
    if uploaded < i64::from(max) { Ok(()) } else { Err(DocumentError::TooManyUploadsInDay(max)) }
}

#[cfg(test)]
mod tests;
