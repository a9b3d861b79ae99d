//! Uploads as they come in: a form with one file and some texts, read strictly. Every fault of the form is the sender's.

use std::collections::HashMap;

use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use bytes::{Bytes, BytesMut};

use super::rules;
use crate::config::Config;
use crate::error::{Error, Result};

/// The most parts of an upload.
const MAX_PARTS: usize = 20;
/// The most bytes of a text.
const MAX_TEXT_LEN: usize = 2_000;

/// What was uploaded.
#[derive(Debug, Default)]
pub struct Form {
    /// None when no file was chosen.
    pub file: Option<File>,
    texts: HashMap<String, String>,
}

/// A file, as it was sent.
#[derive(Debug)]
pub struct File {
    pub name: String,
    pub content: Bytes,
}

impl Form {
    /// The text of that name; empty when there is none.
    pub fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }
}

/// Reads a form whose file is called `file` and which may have these `texts`. Other parts are passed over.
pub async fn read(config: &Config, request: Request, file: &str, texts: &[&str]) -> Result<Form> {
    let declared =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > config.limits.upload_bytes as u64) {
        return Err(rules::too_large());
    }
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if !content_type.to_ascii_lowercase().starts_with("multipart/form-data") {
        return Err(Error::unsupported("This call takes multipart/form-data"));
    }
    let mut parts = Multipart::from_request(request, &()).await.map_err(|_| malformed())?;
    let mut form = Form::default();
    for _ in 0..MAX_PARTS {
        let Some(mut part) = parts.next_field().await.map_err(refused)? else { return Ok(form) };
        let Some(name) = part.name().map(str::to_owned) else { continue };
        let twice = || Error::invalid(format!("{name} was sent twice"));
        if name == file {
            if form.file.is_some() {
                return Err(twice());
            }
            let file_name = part.file_name().unwrap_or("").to_owned();
            let mut content = BytesMut::new();
            while let Some(chunk) = part.chunk().await.map_err(refused)? {
                if content.len() + chunk.len() > rules::MAX_BYTES {
                    return Err(rules::too_large());
                }
                content.extend_from_slice(&chunk);
            }
            // What browsers send for a field in which no file was chosen.
            if !(file_name.is_empty() && content.is_empty()) {
                form.file = Some(File { name: file_name, content: content.freeze() });
            }
        } else if texts.contains(&name.as_str()) {
            let mut content = BytesMut::new();
            while let Some(chunk) = part.chunk().await.map_err(refused)? {
                if content.len() + chunk.len() > MAX_TEXT_LEN {
                    return Err(Error::too_large(format!("{name} is longer than {MAX_TEXT_LEN} bytes")));
                }
                content.extend_from_slice(&chunk);
            }
            let text = String::from_utf8(content.into()).ok().filter(|text| !text.contains('\0'));
            let text = text.ok_or_else(|| Error::unreadable("Invalid characters"))?;
            if form.texts.insert(name.clone(), text).is_some() {
                return Err(twice());
            }
        }
    }
    Err(Error::unreadable("The form has too many parts"))
}

fn refused(error: axum::extract::multipart::MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE { rules::too_large() } else { malformed() }
}

fn malformed() -> Error {
    Error::unreadable("The form cannot be read")
}
