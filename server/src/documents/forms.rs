//! Reads an upload strictly: a form with one file and some texts. Every fault of the form is the client's.

use std::collections::HashMap;

use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use bytes::{Bytes, BytesMut};
use sha2::{Digest, Sha256};

use super::Documents;
use super::errors::DocumentError;
use super::file_names::given_name;
use super::limits::MAX_BYTES;
use super::memory_permits::MemoryPermit;
use super::pace::Pace;
use crate::error::{Error, Permission, Reason, Refusals, Result};
use crate::files::errors::StorageErrors;
use crate::http::errors::HttpError;
use crate::http::idempotency::Caller;
use crate::process;

/// The most parts of an upload.
const MAX_PARTS: usize = 20;
/// The most bytes of a text.
const MAX_TEXT_LEN: usize = 2_000;

/// The request of a call that takes a file.
pub struct UploadRequest(Request);

impl<S: Sync> FromRequest<S> for UploadRequest {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        Ok(Self(request))
    }
}

impl Refusals for UploadRequest {
    fn refusals() -> Vec<Box<dyn Reason>> {
        let mut reasons: Vec<Box<dyn Reason>> = vec![
            Box::new(HttpError::RequestTooLarge("256 KB".into())),
            Box::new(HttpError::RequestIncomplete),
            Box::new(DocumentError::UploadsBusy),
            Box::new(DocumentError::FileCheckTimedOut),
            Box::new(DocumentError::FileCheckBusy),
            Box::new(DocumentError::FileCheckUnavailable),
            Box::new(DocumentError::TooManyFilesInOrder(100)),
            Box::new(DocumentError::OrderFilesTooLarge(500)),
        ];
        reasons.extend(StorageErrors::refusals());
        reasons
    }
}

/// An upload.
#[derive(Debug, Default)]
pub struct Form {
    /// None when no file was chosen.
    pub file: Option<File>,
    texts: HashMap<String, String>,
}

/// A file as the client sent it.
#[derive(Debug)]
pub struct File {
    pub name: String,
    pub content: Bytes,
    /// Of the content.
    pub sha256: [u8; 32],
    /// Held as long as the content is.
    pub permit: Option<MemoryPermit>,
    pub storage: Permission<StorageErrors>,
}

impl Form {
    /// The text of that name; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }
}

/// Reads a form whose file part is named `file` and which may have these `texts`. Ignores other parts.
///
/// # Errors
/// [`DocumentError`] if the form is malformed, too large or too slow, or if there is no memory for it now.
pub async fn read(room: &Documents, UploadRequest(request): UploadRequest, file: &str, texts: &[&str]) -> Result<Form> {
    let limits = &room.config.limits;
    let declared =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    // A body without a length may be as long as the limit on bodies lets it.
    let bytes = declared.unwrap_or(limits.upload_bytes);
    if bytes > limits.upload_bytes {
        return Err(DocumentError::FileTooLarge.into());
    }
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if !content_type.to_ascii_lowercase().starts_with("multipart/form-data") {
        return Err(DocumentError::NotMultipart.into());
    }
    let caller = request.extensions().get::<Caller>().map(|caller| caller.0.clone()).unwrap_or_default();
    let permit = room.uploads.acquire(&caller, bytes).await?;
    let (pace, request) = Pace::measure(request, limits.upload_bytes_per_second);
    tokio::select! {
        form = read_parts(request, (file, texts), declared, permit) => form,
        () = pace.fallen_behind() => Err(DocumentError::UploadTooSlow.into()),
    }
}

async fn read_parts(
    request: Request,
    (file, texts): (&str, &[&str]),
    declared: Option<usize>,
    permit: MemoryPermit,
) -> Result<Form> {
    let mut permit = Some(permit);
    let mut parts = Multipart::from_request(request, &()).await.map_err(|_| DocumentError::MalformedForm)?;
    let mut form = Form::default();
    for _ in 0..MAX_PARTS {
        let Some(mut part) = parts.next_field().await.map_err(refused)? else { return Ok(form) };
        let Some(name) = part.name().map(str::to_owned) else { continue };
        let twice = || Error::from(DocumentError::RepeatedFormPart(name.clone()));
        if name == file {
            if form.file.is_some() {
                return Err(twice());
            }
            let file_name = given_name(part.headers());
            // In one piece from the start: a buffer that grows holds up to three times as much.
            let mut content = BytesMut::with_capacity(declared.unwrap_or_default().min(MAX_BYTES));
            while let Some(chunk) = part.chunk().await.map_err(refused)? {
                if content.len() + chunk.len() > MAX_BYTES {
                    return Err(DocumentError::FileTooLarge.into());
                }
                content.extend_from_slice(&chunk);
                // The chunks of a fast client are always there: all of them at once would hold up other requests of this thread.
                tokio::task::yield_now().await;
            }
            // Browsers send an empty part if no file was chosen.
            if !(file_name.is_empty() && content.is_empty()) {
                let (name, content, permit) = (file_name, content.freeze(), permit.take());
                // The permit goes along, so that it is held as long as the content, also when the client is gone.
                let file = process::in_background("digest", move || {
                    let storage = Permission::by_argument();
                    Ok(File { name, sha256: Sha256::digest(&content).into(), content, permit, storage })
                });
                form.file = Some(file.await?);
            }
        } else if texts.contains(&name.as_str()) {
            let mut content = BytesMut::new();
            while let Some(chunk) = part.chunk().await.map_err(refused)? {
                if content.len() + chunk.len() > MAX_TEXT_LEN {
                    return Err(DocumentError::FormTextTooLong { name, max: MAX_TEXT_LEN }.into());
                }
                content.extend_from_slice(&chunk);
            }
            let text = String::from_utf8(content.into()).ok().filter(|text| !text.contains('\0'));
            let text = text.ok_or(HttpError::InvalidCharacters)?;
            if form.texts.insert(name.clone(), text).is_some() {
                return Err(twice());
            }
        }
    }
    Err(DocumentError::TooManyFormParts.into())
}

fn refused(error: axum::extract::multipart::MultipartError) -> DocumentError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        DocumentError::FileTooLarge
    } else {
        DocumentError::MalformedForm
    }
}
