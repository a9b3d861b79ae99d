//! Canned texts as rows: a member's own, and those of all.

use diesel::prelude::*;

use super::errors::CannedTextError;
use super::rules::{MAX_TEXTS, NewText, TextByLanguage, TextPurpose};
use crate::db::schema::canned_texts;
use crate::db::{Conn, advisory_lock};
use crate::error::{Error, Result};
use crate::ids::StaffId;

/// A text that a member can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannedText {
    pub id: i64,
    /// The member who alone has it; none: everybody has it.
    pub owner_id: Option<StaffId>,
    pub purpose: TextPurpose,
    pub title: String,
    pub texts: TextByLanguage,
}

type Row = (i64, Option<StaffId>, TextPurpose, String, String);

/// The member's own texts and those of all, by title.
pub fn list(conn: &mut Conn, staff_id: StaffId) -> Result<Vec<CannedText>> {
    let theirs = canned_texts::staff_id.eq(staff_id).or(canned_texts::staff_id.is_null());
    let rows = canned_texts::table.filter(theirs).order((canned_texts::title, canned_texts::canned_text_id));
    let rows: Vec<Row> = rows.load(conn)?;
    rows.into_iter().map(read).collect()
}

/// A text that the member can use, by its id.
///
/// # Errors
/// [`CannedTextError::CannedTextNotFound`]
pub fn get(conn: &mut Conn, staff_id: StaffId, id: i64) -> Result<CannedText> {
    let theirs = canned_texts::staff_id.eq(staff_id).or(canned_texts::staff_id.is_null());
    let row: Option<Row> = canned_texts::table.find(id).filter(theirs).first(conn).optional()?;
    read(row.ok_or(CannedTextError::CannedTextNotFound)?)
}

fn read((id, owner_id, purpose, title, texts): Row) -> Result<CannedText> {
    Ok(CannedText { id, owner_id, purpose, title, texts: serde_json::from_str(&texts).map_err(Error::internal)? })
}

/// Adds a text, for one member or for all.
///
/// # Errors
/// [`CannedTextError::TooManyCannedTexts`]
pub fn add(tx: &mut Conn, owner_id: Option<StaffId>, new: &NewText) -> Result<()> {
    // Two requests cannot both find room for the last one.
    advisory_lock(tx, "canned texts")?;
    let count = match owner_id {
        Some(owner_id) => canned_texts::table.filter(canned_texts::staff_id.eq(owner_id)).count().get_result(tx)?,
        None => canned_texts::table.filter(canned_texts::staff_id.is_null()).count().get_result::<i64>(tx)?,
    };
    if count >= MAX_TEXTS {
        return Err(CannedTextError::TooManyCannedTexts(MAX_TEXTS).into());
    }
    let row = (canned_texts::staff_id.eq(owner_id), columns(new)?);
    diesel::insert_into(canned_texts::table).values(row).execute(tx)?;
    Ok(())
}

/// Changes a text that is there.
pub fn change(tx: &mut Conn, id: i64, new: &NewText) -> Result<()> {
    diesel::update(canned_texts::table.find(id)).set(columns(new)?).execute(tx)?;
    Ok(())
}

/// Deletes a text.
pub fn delete(tx: &mut Conn, id: i64) -> Result<()> {
    diesel::delete(canned_texts::table.find(id)).execute(tx)?;
    Ok(())
}

/// Deletes the texts that a member alone has.
pub fn delete_of(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(canned_texts::table.filter(canned_texts::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

type Columns<'a> = (
    diesel::dsl::Eq<canned_texts::purpose, TextPurpose>,
    diesel::dsl::Eq<canned_texts::title, &'a str>,
    diesel::dsl::Eq<canned_texts::texts, String>,
);

fn columns(new: &NewText) -> Result<Columns<'_>> {
    let texts = serde_json::to_string(&new.texts).map_err(Error::internal)?;
    Ok((
        canned_texts::purpose.eq(new.purpose),
        canned_texts::title.eq(new.title.as_str()),
        canned_texts::texts.eq(texts),
    ))
}
