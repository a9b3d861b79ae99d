//! Takes an uploaded file in: it is inspected and stored before the transaction that adds its row. A crash in between leaves a file without
//! a row, which the sweeper removes, and never a row without a file.

use std::ops::ControlFlow;

use serde::Serialize;

use super::Documents;
use super::forms::File;
use super::inspection::InspectedFile;
use super::rules::{self, StoredFile};
use crate::db::{Conn, Db};
use crate::error::Result;
use crate::http::answer::StoredResponse;
use crate::http::idempotency::IdempotentRequest;

/// A file on its way from a request to its row.
pub struct Upload<'a> {
    pub documents: &'a Documents,
    pub db: &'a Db,
    /// With the digest of the upload.
    pub idempotent: IdempotentRequest,
    pub file: File,
}

impl Upload<'_> {
    /// Takes the file in, unless this request was answered before: `prepare` refuses it before the capacity of the inspection is used,
    /// `examine` looks at its content before anything is stored, and `write` adds its row. `write` may run twice.
    ///
    /// # Errors
    /// Those of the three steps, of the inspection and of the storage.
    pub async fn take<P: Send + 'static, E: Send + 'static, T: Serialize>(
        self,
        prepare: impl FnOnce(&mut Conn) -> Result<P> + Send + 'static,
        examine: impl AsyncFnOnce(P, &InspectedFile) -> Result<E>,
        write: impl Fn(&mut Conn, &StoredFile, &E) -> Result<T> + Send + 'static,
    ) -> Result<StoredResponse> {
        let Upload { documents, db, idempotent, file } = self;
        let prepared = match idempotent.prepare(db, prepare).await? {
            ControlFlow::Continue(prepared) => prepared,
            ControlFlow::Break(response) => return Ok(response),
        };
        let inspected = documents.inspector.inspect(file.content.clone()).await?;
        let examined = examine(prepared, &inspected).await?;
        let (original_name, media_type) = (rules::shown_name(&file.name, inspected.media_type), inspected.media_type);
        let original = hex::encode(file.sha256);
        let stored = documents.files.put(inspected.content, file.storage).await?;
        // The permit for its memory.
        drop(file);
        let key = stored.key.clone();
        let original_sha256 = (original != stored.sha256).then_some(original);
        let stored = StoredFile { stored, original_name, media_type, original_sha256 };
        let outcome = idempotent.write(db, move |tx| write(tx, &stored, &examined)).await;
        remove_unnamed(documents, key).await;
        outcome
    }
}

/// Examines nothing but what every file is inspected for.
///
/// # Errors
/// None.
pub async fn as_it_is((): (), _: &InspectedFile) -> Result<()> {
    Ok(())
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
