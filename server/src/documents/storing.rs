//! A file on its way in: looked into and stored before the transaction that adds its row. A crash in between leaves a file
//! without a row, which the sweeper finds, and never a row without a file.

use super::Documents;
use super::forms::File;
use super::rules::{self, Arrived};
use crate::error::Result;

/// Looks into the file and stores what may be kept of it.
pub async fn keep(room: &Documents, file: File) -> Result<Arrived> {
    let inspected = room.inspector.inspect(file.content).await?;
    let original_name = rules::shown_name(&file.name, inspected.media_type);
    let stored = room.files.put(inspected.content).await?;
    Ok(Arrived { stored, original_name, media_type: inspected.media_type })
}

/// Removes a file that got no row: its request was refused, or was a repetition whose answer is kept. When that cannot be told
/// now, the file stays, unnamed.
pub async fn remove_unnamed(room: &Documents, key: String) {
    let (asked, owners) = (key.clone(), room.owners);
    if let Ok(false) = room.db.read(move |conn| Ok(owners.find(conn, &asked)?.is_some())).await
        && let Err(error) = room.files.delete(&key).await
    {
        tracing::warn!(%error, "a file without a row could not be removed");
    }
}
