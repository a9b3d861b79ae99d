//! A file on its way in: looked into and stored before the transaction that adds its row. A crash in between leaves a file
//! without a row, which the sweeper finds, and never a row without a file.

use super::forms::File;
use super::rules::{self, MediaType};
use super::store;
use crate::app::App;
use crate::error::Result;
use crate::files::Stored;

/// A stored file that has no row yet.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub stored: Stored,
    /// The sender's name for it, as text to show.
    pub original_name: String,
    pub media_type: MediaType,
}

/// Looks into the file and stores what may be kept of it.
pub async fn keep(app: &App, file: File) -> Result<Arrived> {
    let inspected = app.inspector.inspect(file.content).await?;
    let original_name = rules::shown_name(&file.name, inspected.media_type);
    let stored = app.files.put(inspected.content).await?;
    Ok(Arrived { stored, original_name, media_type: inspected.media_type })
}

/// Removes a file that got no row: its request was refused, or was a repetition whose answer is kept. When that cannot be told
/// now, the file stays, unnamed.
pub async fn remove_unnamed(app: &App, key: String) {
    let asked = key.clone();
    if let Ok(false) = app.db.read(move |conn| store::is_named(conn, &asked)).await
        && let Err(error) = app.files.delete(&key).await
    {
        tracing::warn!(%error, "a file without a row could not be removed");
    }
}
