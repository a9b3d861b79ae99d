//! Inspects and stores a file before the transaction that adds its row. A crash in between leaves a file without a row, which the
//! sweeper removes, and never a row without a file.

use super::Documents;
use super::forms::File;
use super::inspection::Inspected;
use super::rules::{self, StoredFile};
use crate::error::Result;

/// Inspects the file and stores its cleaned content.
pub async fn store_file(room: &Documents, file: &File) -> Result<StoredFile> {
    let inspected = room.inspector.inspect(file.content.clone()).await?;
    store_inspected(room, &file.name, inspected).await
}

/// Stores the cleaned content of a file that was sent under that name.
pub async fn store_inspected(room: &Documents, name: &str, inspected: Inspected) -> Result<StoredFile> {
    let original_name = rules::shown_name(name, inspected.media_type);
    let stored = room.files.put(inspected.content).await?;
    Ok(StoredFile { stored, original_name, media_type: inspected.media_type })
}

/// Removes a file that got no row: its request was refused, or was a repetition whose response is stored. If that cannot be checked
/// now, the file stays for the sweeper.
pub async fn remove_unnamed(room: &Documents, key: String) {
    let (searched, owners) = (key.clone(), room.owners);
    if let Ok(false) = room.db.read(move |conn| Ok(owners.find(conn, &searched)?.is_some())).await
        && let Err(error) = room.files.delete(&key).await
    {
        tracing::warn!(%error, "a file without a row could not be removed");
    }
}
