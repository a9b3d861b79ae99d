//! Reads a set: for its restore, and to check it.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use bytes::Bytes;

use super::blocking::blocking;
use super::errors::BackupError;
use super::manifest::{MANIFEST, Manifest, ManifestPart, SUM};
use super::packing::Unpacker;
use super::place::BackupPlace;
use crate::error::{Error, Result};
use crate::files::{self, StoredContent};

/// The wanted set, or the newest finished one: its name, and the object that is its manifest.
pub async fn find(place: &BackupPlace, wanted: Option<&str>) -> Result<(String, String)> {
    let objects = place.list("sets").await?;
    let finished = objects.into_iter().filter_map(|(object, _)| {
        let (set, file) = object.strip_prefix("sets/")?.split_once('/')?;
        let is_manifest = file.strip_suffix(".age").unwrap_or(file) == MANIFEST;
        is_manifest.then(|| (set.to_owned(), object.clone()))
    });
    let found = finished.filter(|(set, _)| wanted.is_none_or(|wanted| wanted == set)).max();
    found.ok_or_else(|| match wanted {
        Some(wanted) => BackupError::BackupNotFound(wanted.to_owned()).into(),
        None => BackupError::NoBackup(place.name().to_owned()).into(),
    })
}

/// Reads and checks the manifest, which is the object of that name.
pub async fn read_manifest(place: &BackupPlace, unpacker: &Unpacker, object: &str) -> Result<Manifest> {
    unpacker.require_key_for(object)?;
    let packed = place.get(object).await?.ok_or_else(|| missing(object))?;
    let sum = format!("{object}{SUM}");
    let written = place.get(&sum).await?.ok_or_else(|| missing(&sum))?;
    if !written.starts_with(files::sha256(&packed).as_bytes()) {
        return Err(BackupError::BackupDamaged(object.to_owned()).into());
    }
    Manifest::parse(object, &unpacker.content(object, packed)?)
}

/// Reads a part and checks it. Keeps it in `folder`, if there is one.
pub async fn fetch(place: &BackupPlace, set: &str, part: &ManifestPart, folder: Option<&Path>) -> Result<()> {
    // The manifest names it: it must not lead out of the folder.
    if part.object.contains(['/', '\\']) {
        return Err(BackupError::BackupForeign(part.object.clone()).into());
    }
    let object = format!("sets/{set}/{}", part.object);
    match place.read_through(&object, folder.map(|folder| folder.join(&part.object)).as_deref()).await? {
        None => Err(missing(&object)),
        Some((bytes, sha256)) if bytes == part.bytes && sha256 == part.sha256 => Ok(()),
        Some(_) => Err(BackupError::BackupDamaged(object).into()),
    }
}

/// The files that a set needs, from the part that was fetched into `folder`.
pub fn listed_files(unpacker: &Unpacker, folder: &Path, part: &ManifestPart) -> Result<Vec<StoredContent>> {
    let list = File::open(folder.join(&part.object)).map_err(Error::internal)?;
    let lines = BufReader::new(unpacker.read(&part.object, Box::new(list))?).lines();
    lines
        .map(|line| {
            let line = line.map_err(|_| BackupError::BackupDamaged(part.object.clone()))?;
            Ok(serde_json::from_str(&line).map_err(|_| BackupError::BackupForeign(part.object.clone()))?)
        })
        .collect()
}

/// The names of the objects that keep files.
pub async fn file_objects(place: &BackupPlace) -> Result<HashSet<String>> {
    Ok(place.list("files").await?.into_iter().map(|(name, _)| name).collect())
}

/// The content of a file: exactly what was stored. `objects` are the names of [`file_objects`].
pub async fn file_content(
    place: &BackupPlace,
    unpacker: &Unpacker,
    objects: &HashSet<String>,
    stored: &StoredContent,
) -> Result<Bytes> {
    let names = ["", ".age"].map(|ending| format!("files/{}{ending}", stored.key));
    // Both are there if the backups were encrypted from some day on.
    let readable = names.iter().filter(|name| objects.contains(*name));
    let name = readable.max_by_key(|name| unpacker.require_key_for(name).is_ok()).ok_or_else(|| missing(&names[0]))?;
    let packed = place.get(name).await?.ok_or_else(|| missing(name))?;
    let (unpacker, object) = (unpacker.clone(), name.clone());
    let (content, sha256) = blocking(move || {
        let content = unpacker.content(&object, packed)?;
        let sha256 = files::sha256(&content);
        Ok((content, sha256))
    })
    .await?;
    if sha256 == stored.sha256 { Ok(content) } else { Err(BackupError::BackupDamaged(name.clone()).into()) }
}

/// That an object of a set is not there.
pub fn missing(object: &str) -> Error {
    BackupError::BackupIncomplete(object.to_owned()).into()
}
