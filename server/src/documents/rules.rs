//! Which files an order may hold. The content decides what a file is, never its name or what the sender calls it. Pure.

use chrono::TimeDelta;
use unicode_normalization::UnicodeNormalization;

use crate::config::Limits;
use crate::error::{Error, Result};
use crate::files::Stored;
use crate::orders::rules::ProcessStatus;
use crate::text::is_unseen;
use crate::text_enum;
use crate::visas::catalogue;

/// The most bytes of one file.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;

/// What every refused content is told.
pub const ONLY_PDF_OR_IMAGES: &str = "Only PDF or image files are allowed";

/// What a HEIC photo is told.
const NO_HEIC: &str = "Only PDF or image files are allowed. This is a HEIC photo: please save or share it as JPEG and \
                       upload that";

/// The kind of the issued visa. It is never an applicant's to give.
pub const VISA: &str = "visa";

/// The kinds that every order has, beside the documents of the catalogue.
pub const PICTURES: [&str; 2] = ["passport_picture", "upload_picture"];

text_enum! {
    /// What a file is.
    pub enum MediaType {
        Pdf = "application/pdf",
        Jpeg = "image/jpeg",
        Png = "image/png",
        Webp = "image/webp",
        Gif = "image/gif",
    }
}

/// A stored file that has no row yet.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub stored: Stored,
    /// The sender's name for it, as text to show.
    pub original_name: String,
    pub media_type: MediaType,
}

impl MediaType {
    /// The extension that we give it.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
        }
    }

    /// What `content` looks like: its first bytes say so, its last ones agree, and no other kind of file hangs on to it.
    pub fn of(content: &[u8]) -> Result<Self> {
        let refused = || Error::unsupported(if is_heic(content) { NO_HEIC } else { ONLY_PDF_OR_IMAGES });
        let media_type = recognise(content).ok_or_else(refused)?;
        if holds_archive(content) || (media_type == Self::Pdf && holds_markup(content)) {
            return Err(refused());
        }
        Ok(media_type)
    }
}

fn recognise(content: &[u8]) -> Option<MediaType> {
    let ends_with = |end: &[u8], within: usize| {
        let tail = &content[content.len().saturating_sub(within)..];
        tail.windows(end.len()).any(|window| window == end)
    };
    match content {
        [b'%', b'P', b'D', b'F', b'-', ..] if ends_with(b"%%EOF", 1_024) => Some(MediaType::Pdf),
        // Telephones hang films on to photos. Whether the photo itself has an end shows when it is taken apart.
        [0xff, 0xd8, 0xff, ..] => Some(MediaType::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0, 0, 0, 13, b'I', b'H', b'D', b'R', ..]
            if content.ends_with(b"IEND\xaeB`\x82") =>
        {
            Some(MediaType::Png)
        }
        [b'R', b'I', b'F', b'F', a, b, c, d, b'W', b'E', b'B', b'P', b'V', b'P', b'8', ..]
            if u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + 8 == content.len() as u64 =>
        {
            Some(MediaType::Webp)
        }
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', .., 0x3b] if content.len() > 13 => Some(MediaType::Gif),
        _ => None,
    }
}

/// A photo as iPhones keep it.
fn is_heic(content: &[u8]) -> bool {
    let brands = [&b"heic"[..], b"heix", b"hevc", b"heim", b"mif1", b"msf1"];
    content.get(4..8) == Some(b"ftyp") && content.get(8..12).is_some_and(|brand| brands.contains(&brand))
}

/// The end record of a ZIP, which readers look for from the end of any file (a JAR behind a picture is run by some).
fn holds_archive(content: &[u8]) -> bool {
    let tail = &content[content.len().saturating_sub(66 * 1024)..];
    tail.windows(4).any(|window| window == b"PK\x05\x06")
}

/// A page of markup that begins like a PDF.
fn holds_markup(content: &[u8]) -> bool {
    let head = content[..content.len().min(1_024)].to_ascii_lowercase();
    ["<html", "<script", "<svg", "<!doctype", "<?xml"]
        .iter()
        .any(|tag| head.windows(tag.len()).any(|window| window == tag.as_bytes()))
}

/// What a kind of file is called: the catalogue's words, or the spec's.
pub fn label_of(kind: &str) -> String {
    match kind {
        "passport_picture" => "Travel document".to_owned(),
        "upload_picture" => "Photo".to_owned(),
        VISA => "Visa".to_owned(),
        kind => catalogue::document_label(kind).map_or_else(|| kind.replace('_', " "), str::to_owned),
    }
}

/// A document that a visa type asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its key in the catalogue.
    pub key: &'static str,
    /// The kind under which the sales site gives it: of two of them the order has a picture anyway.
    pub kind: &'static str,
    pub label: &'static str,
    /// False: only some applicants need it.
    pub required: bool,
}

/// What the visa type of that code asks for, in the order of the catalogue. A retired code asks for what its successor does.
pub fn asked_for(visa_type: &str) -> Vec<Asked> {
    let successor = catalogue::get().retired_codes.iter().find(|retired| retired.code == visa_type);
    let code = successor.map_or(visa_type, |retired| &retired.replaced_by);
    let Some(visa) = catalogue::find(code) else { return Vec::new() };
    let asked = |key: &'static String, required| {
        let kind = match key.as_str() {
            "passport" => "passport_picture",
            "recent_photo" => "upload_picture",
            key => key,
        };
        Some(Asked { key, kind, label: catalogue::document_label(key)?, required })
    };
    let always = visa.documents.iter().filter_map(|key| asked(key, true));
    let sometimes = visa.documents_conditional.iter().filter_map(|document| asked(&document.key, false));
    always.chain(sometimes).collect()
}

/// The kind of document that the sales site may give under this name.
pub fn applicants_kind(kind: &str) -> Result<&str> {
    if PICTURES.contains(&kind) || catalogue::document_label(kind).is_some() {
        Ok(kind)
    } else {
        Err(Error::not_found("There is no document of that kind"))
    }
}

/// A file's name as text to show: without folders, controls or tricks, at most 150 letters, with the extension of what it is.
pub fn shown_name(given: &str, media_type: MediaType) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or("");
    let plain = |one: &char| !is_unseen(*one) && !"\"<>|:*?;%".contains(*one);
    let plain: String = last.nfc().filter(plain).collect();
    let stem = plain.rsplit_once('.').map_or(plain.as_str(), |(stem, _)| stem).trim_matches([' ', '.']);
    let stem: String = stem.chars().take(145).collect();
    let stem = if stem.is_empty() { "document" } else { &stem };
    format!("{stem}.{}", media_type.extension())
}

/// What an order's files come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub files: i64,
    pub bytes: i64,
}

/// Refuses a file that is empty or larger than files may be.
pub fn check_size(bytes: usize) -> Result<()> {
    match bytes {
        0 => Err(Error::unsupported(ONLY_PDF_OR_IMAGES)),
        _ if bytes > MAX_BYTES => Err(too_large()),
        _ => Ok(()),
    }
}

/// The refusal of a file that is too large.
pub fn too_large() -> Error {
    Error::too_large(format!("The file is larger than {} MB", MAX_BYTES / 1024 / 1024))
}

/// Refuses a file more than an order may hold.
pub fn check_quota(usage: Usage, more_bytes: i64, limits: &Limits) -> Result<()> {
    let files = usize::try_from(usage.files).unwrap_or(usize::MAX);
    if files >= limits.files_per_order {
        return Err(Error::too_large(format!("An order may hold at most {} files", limits.files_per_order)));
    }
    let bytes = u64::try_from(usage.bytes.saturating_add(more_bytes)).unwrap_or(0);
    if bytes > limits.file_bytes_per_order {
        let most = limits.file_bytes_per_order / 1024 / 1024;
        return Err(Error::too_large(format!("The files of an order may hold at most {most} MB")));
    }
    Ok(())
}

/// Over how long a member's uploads are counted.
pub const MEMBERS_DAY: TimeDelta = TimeDelta::hours(24);

/// Refuses a file more than a member of staff may upload in a day.
pub fn check_member(uploaded: i64, limits: &Limits) -> Result<()> {
    if uploaded < i64::from(limits.files_per_member_and_day) {
        return Ok(());
    }
    let most = limits.files_per_member_and_day;
    Err(Error::too_large(format!(
        "You have uploaded {most} files in 24 hours, which is the most. Please go on tomorrow"
    )))
}

/// Whether an issued visa completes an order of that status.
pub fn completes(status: ProcessStatus) -> bool {
    use ProcessStatus::{ChargeBack, Completed, Deleted, Refunds};
    !matches!(status, Completed | Refunds | ChargeBack | Deleted)
}

#[cfg(test)]
mod tests;
