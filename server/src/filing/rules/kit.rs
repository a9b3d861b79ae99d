//! The files of an order that the portal takes: which, under which names, and what is wrong with one. Pure.

use serde::Serialize;
use utoipa::ToSchema;

use crate::documents::kinds::{Origin, PORTAL_PHOTOGRAPH};
use crate::documents::rules::{MediaType, label_of};
use crate::documents::store::Document;
use crate::ids::OrderId;
use crate::papers::rules::Paper;
use crate::text_enum;
use crate::visas::portal::Portal;

text_enum! {
    /// Why a file is not in the kit.
    pub enum KitProblem {
        /// It is larger than the portal takes.
        TooBig = "too_big",
        /// The portal does not take files of its type.
        WrongFormat = "wrong_format",
    }
}

/// A file of the kit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct KitFile {
    /// The stored file.
    #[serde(skip)]
    pub document_id: i64,
    /// The name that it is given: the order's number, and what it is.
    pub name: String,
    /// The kind of file, for people.
    pub label: String,
    /// Its type as it is stored.
    pub media_type: MediaType,
    /// Its size in bytes as it is stored.
    pub size_bytes: i64,
    /// True if it is stored as a PDF. Its first page then becomes an image.
    pub is_from_pdf: bool,
    /// Why it is left out of the download; null: it is in it.
    pub problem: Option<KitProblem>,
    /// The portal's limit in bytes; null: not known.
    pub max_bytes: Option<usize>,
}

/// The limits of the portal for one of its files.
struct FileLimits {
    formats: Option<Vec<MediaType>>,
    max_bytes: Option<usize>,
}

impl FileLimits {
    fn new(formats: Option<&[String]>, max_bytes: Option<usize>) -> Self {
        let known = |formats: &[String]| formats.iter().filter_map(|format| MediaType::parse(format)).collect();
        Self { formats: formats.map(known), max_bytes }
    }

    fn takes(&self, media_type: MediaType) -> bool {
        self.formats.as_ref().is_none_or(|formats| formats.contains(&media_type))
    }
}

/// The files for the portal, of all files of an order (the oldest first): the newest passport page, the newest photograph or the portal's version
/// of it, then the other papers.
pub fn files(order_id: OrderId, documents: &[Document], portal: &Portal) -> Vec<KitFile> {
    let is_photograph = |kind: &str| Paper::of_kind(kind) == Some(Paper::Photograph) || kind == PORTAL_PHOTOGRAPH;
    let is_passport = |kind: &str| Paper::of_kind(kind) == Some(Paper::Passport);
    let newest = |is_it: &dyn Fn(&str) -> bool| documents.iter().rfind(|document| is_it(&document.kind));
    let mut files = Vec::new();
    if let Some(passport) = newest(&is_passport) {
        let figures = &portal.passport_page;
        let limits = FileLimits::new(figures.formats.as_deref(), figures.max_bytes);
        let is_from_pdf = passport.media_type == MediaType::Pdf && !limits.takes(MediaType::Pdf);
        files.push(file(order_id, passport, "passport-page", "Passport page", &limits, is_from_pdf));
    }
    // A version that is older than the photograph was made of another one.
    if let Some(photograph) = newest(&is_photograph) {
        let figures = &portal.photograph;
        let limits = FileLimits::new(Some(&figures.formats), Some(figures.max_bytes));
        let (name, label) = match photograph.kind.as_str() {
            PORTAL_PHOTOGRAPH => ("photo-portal", "Photograph, the portal's version"),
            _ => ("photo", "Photograph"),
        };
        files.push(file(order_id, photograph, name, label, &limits, false));
    }
    let figures = &portal.other_papers;
    let limits = FileLimits::new(figures.formats.as_deref(), figures.max_bytes);
    let others = documents.iter().filter(|document| {
        let kind = document.kind.as_str();
        !is_photograph(kind) && !is_passport(kind) && Origin::of(kind).is_filed()
    });
    for document in others {
        let same = files.iter().filter(|file: &&KitFile| file.label == label_of(&document.kind)).count();
        let plain = |one: char| if one.is_ascii_alphanumeric() { one.to_ascii_lowercase() } else { '-' };
        let mut name: String = document.kind.chars().map(plain).collect();
        if same > 0 {
            name = format!("{name}-{}", same + 1);
        }
        files.push(file(order_id, document, &name, &label_of(&document.kind), &limits, false));
    }
    files
}

fn file(
    order_id: OrderId,
    document: &Document,
    name: &str,
    label: &str,
    limits: &FileLimits,
    is_from_pdf: bool,
) -> KitFile {
    let media_type = if is_from_pdf { MediaType::Jpeg } else { document.media_type };
    let is_too_big =
        limits.max_bytes.is_some_and(|most| usize::try_from(document.size_bytes).is_ok_and(|size| size > most));
    let problem = match (limits.takes(media_type), is_too_big && !is_from_pdf) {
        (false, _) => Some(KitProblem::WrongFormat),
        (true, true) => Some(KitProblem::TooBig),
        (true, false) => None,
    };
    KitFile {
        document_id: document.document_id,
        name: format!("{order_id}-{name}.{}", media_type.extension()),
        label: label.to_owned(),
        media_type: document.media_type,
        size_bytes: document.size_bytes,
        is_from_pdf,
        problem,
        max_bytes: limits.max_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;
    use crate::visas::portal;

    fn document(document_id: i64, kind: &str, media_type: MediaType, size_bytes: i64) -> Document {
        Document {
            document_id,
            kind: kind.to_owned(),
            file1: String::new(),
            original_name: "a file".to_owned(),
            media_type,
            size_bytes,
            sha256: String::new(),
            created_at: Timestamp::EPOCH,
        }
    }

    fn names(documents: &[Document]) -> Vec<(String, Option<KitProblem>)> {
        let files = files(OrderId(100_001), documents, portal::get());
        files.into_iter().map(|file| (file.name, file.problem)).collect()
    }

    #[test]
    fn files_are_named_after_what_they_are_and_the_newest_counts() {
        let documents = [
            document(1, "bank_statement", MediaType::Pdf, 1),
            document(2, "passport_picture", MediaType::Jpeg, 1),
            document(3, "passport_picture", MediaType::Pdf, 1),
            document(4, "upload_picture", MediaType::Png, 1),
            document(5, "portal_photograph", MediaType::Jpeg, 1),
            document(6, "bank_statement", MediaType::Jpeg, 1),
            document(7, "visa", MediaType::Pdf, 1),
            document(8, "filing_receipt", MediaType::Pdf, 1),
        ];
        let expected = [
            "100001-passport-page.jpg",
            "100001-photo-portal.jpg",
            "100001-bank-statement.pdf",
            "100001-bank-statement-2.jpg",
        ];
        assert_eq!(names(&documents), expected.map(|name| (name.to_owned(), None)));
        let newer =
            [document(5, "portal_photograph", MediaType::Jpeg, 1), document(9, "upload_picture", MediaType::Png, 1)];
        assert_eq!(names(&newer), [("100001-photo.png".to_owned(), None)], "the version is that of another photograph");
    }

    #[test]
    fn what_the_portal_does_not_take_is_named() {
        let of = |kind: &str, media_type, size| names(&[document(1, kind, media_type, size)])[0].1;
        assert_eq!(of("upload_picture", MediaType::Jpeg, 2_000_000), None);
        assert_eq!(of("upload_picture", MediaType::Jpeg, 2_000_001), Some(KitProblem::TooBig));
        assert_eq!(of("upload_picture", MediaType::Webp, 1), Some(KitProblem::WrongFormat));
        assert_eq!(of("upload_picture", MediaType::Pdf, 1), Some(KitProblem::WrongFormat));
        assert_eq!(of("passport_picture", MediaType::Pdf, 9_000_000), None, "its page becomes an image");
        assert_eq!(of("passport_picture", MediaType::Webp, 1), Some(KitProblem::WrongFormat));
        assert_eq!(of("bank_statement", MediaType::Pdf, 9_000_000), None, "no limit is known");
    }
}
