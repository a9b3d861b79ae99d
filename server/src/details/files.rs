//! An order's files on the wire: those of the applicant, those that are missing, and the issued visas.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::deliveries::visa_check::VisaCheck;
use crate::documents::kinds::Origin;
use crate::documents::limits::MAX_BYTES;
use crate::documents::links::Links;
use crate::documents::rules::{MediaType, label_of, needed_documents};
use crate::documents::store::Document;
use crate::timestamp::Timestamp;
use crate::visas::catalogue::{self, Window};
use crate::visas::rules::first_day;

/// A file of the applicant.
#[derive(Serialize, ToSchema)]
#[schema(as = StoredFile)]
pub struct FileDetails {
    /// The kind of the file, such as `passport_picture` or `bank_statement`.
    pub kind: String,
    /// The label of the kind.
    pub label: String,
    /// The file's name, which identifies it.
    pub file1: String,
    /// Opens the file for this session, for five minutes.
    pub link: String,
    /// The name under which it was uploaded.
    pub original_name: String,
    /// Its type, found from its content.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size_bytes: i64,
    /// When it was uploaded.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// An issued visa.
#[derive(Serialize, ToSchema)]
pub struct IssuedVisa {
    /// The file's name, which identifies it.
    pub file1: String,
    /// Opens the file for this session, for five minutes.
    pub link: String,
    /// The applicant's name.
    pub customer_name: String,
    /// When the visa was uploaded.
    #[schema(value_type = String, format = DateTime)]
    pub create_ts: Timestamp,
    /// The findings of its check; null: it was not checked.
    pub check: Option<VisaCheck>,
    /// Its delivery was undone: the customer never had it.
    pub is_withdrawn: bool,
}

/// A document that the visa type requires.
#[derive(Serialize, ToSchema)]
pub struct RequiredDocument {
    /// The kind of its files among `documents`.
    pub kind: String,
    /// Its key among the documents of the catalogue.
    pub catalogue_key: String,
    /// Its name for people.
    pub label: String,
    /// False: only some applicants need it.
    pub required: bool,
    /// The applicants who need it; null: all of them.
    pub when: Option<&'static str>,
    /// The content that it must show; null: nothing in particular.
    pub note: Option<&'static str>,
    /// The least that a bank statement must show, in US dollars; null: not a bank statement, or not known.
    pub min_funds_usd: Option<u32>,
    /// A file of this kind is among `documents`.
    pub given: bool,
}

/// The visa that is issued for the code of an order.
#[derive(Serialize, ToSchema)]
pub struct IssuedType {
    /// The code that is issued. It differs from the order's code if that one is retired.
    pub code: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// `single` or `multiple`.
    pub entry: &'static str,
    /// The longest stay of one entry; null: not known, or without end.
    pub stay_days: Option<u32>,
    /// True: the stay has no end.
    pub unlimited_stay: bool,
    /// When the government takes an application, with its source; null: not known.
    pub window: Option<&'static Window>,
    /// The first day to apply for the order's day of arrival; null: one of both is not known.
    #[schema(value_type = Option<String>, format = Date)]
    pub first_day: Option<NaiveDate>,
}

impl IssuedType {
    /// The visa type that is issued for `code`. None: the catalogue does not know the code.
    pub fn of(code: &str, arrival: Option<NaiveDate>) -> Option<Self> {
        let visa = catalogue::issued_for(code)?;
        Some(Self {
            code: &visa.code,
            label: &visa.label,
            entry: &visa.entry,
            stay_days: visa.stay_days,
            unlimited_stay: visa.unlimited_stay,
            window: visa.window.as_ref(),
            first_day: arrival.and_then(|arrival| first_day(visa, arrival)),
        })
    }
}

/// The limits for the upload of an issued visa.
#[derive(Serialize, ToSchema)]
pub struct VisaUploadLimits {
    /// The largest file, in bytes.
    pub max_bytes: usize,
    /// The accepted types of files.
    pub media_types: &'static [MediaType],
}

impl VisaUploadLimits {
    pub const fn get() -> Self {
        Self { max_bytes: MAX_BYTES, media_types: MediaType::ALL }
    }
}

impl FileDetails {
    pub fn new(document: Document, links: &Links) -> Self {
        Self {
            label: label_of(&document.kind),
            link: links.to(&document.kind, &document.file1, document.media_type),
            kind: document.kind,
            file1: document.file1,
            original_name: document.original_name,
            media_type: document.media_type,
            size_bytes: document.size_bytes,
            created_at: document.created_at,
        }
    }
}

impl IssuedVisa {
    pub fn new(document: Document, full_name: &str, links: &Links, check: Option<VisaCheck>) -> Self {
        Self {
            link: links.to(&document.kind, &document.file1, document.media_type),
            is_withdrawn: Origin::of(&document.kind) == Origin::Withdrawn,
            file1: document.file1,
            customer_name: full_name.to_owned(),
            create_ts: document.created_at,
            check,
        }
    }
}

/// The documents that the visa type requires, and whether each is among `given`.
pub fn required(visa_type: Option<&str>, given: &[Document]) -> Vec<RequiredDocument> {
    let asked = visa_type.map(needed_documents).unwrap_or_default();
    let required = asked.iter().map(|asked| RequiredDocument {
        given: given.iter().any(|document| asked.is_of_kind(&document.kind)),
        kind: asked.kind.to_owned(),
        catalogue_key: asked.key.to_owned(),
        label: asked.label.to_owned(),
        required: asked.required,
        when: asked.when,
        note: asked.note,
        min_funds_usd: asked.min_funds_usd,
    });
    required.collect()
}
